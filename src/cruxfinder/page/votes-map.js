/** People on a plane: near each other where they voted alike; a shape, a colour and a letter for each coalition. */

import { h, s, refill, plural } from "./dom.js";

const PLANE_WIDE = 720;
const PLANE_PAD = 44;
const NAMED_MAX = 40;
const GOLDEN = 2.399963;

/** How a coalition is shown; 0 stands for people who belong to none. */
export function voteCamp(coalition) {
  if (!coalition) return { index: 0, letter: "–", label: "in no coalition", color: "var(--text-3)" };
  const index = ((coalition - 1) % 8) + 1;
  const letter = String.fromCharCode(64 + index);
  return { index, letter, label: `coalition ${letter}`, color: `var(--camp-${index})` };
}

/**
 * Places for people from their votes: the two directions in which they differ most, found by repeated multiplication
 * from a fixed start, so that the same votes give the same picture.
 * @param {number[][]} votes 1, -1, 0; anything else is no vote
 * @returns {{x: number, y: number}[]}
 */
export function votePlaces(votes) {
  const columns = votes[0]?.length ?? 0;
  const given = (value) => value === 1 || value === -1 || value === 0;
  const means = Array.from({ length: columns }, (_, c) => {
    const cast = votes.map((row) => row[c]).filter(given);
    return cast.length ? cast.reduce((sum, value) => sum + value, 0) / cast.length : 0;
  });
  const rows = votes.map((row) => row.map((value, c) => (given(value) ? value - means[c] : 0)));
  const first = planeAxis(rows, null);
  const second = planeAxis(rows, first);
  return rows.map((row) => ({ x: planeDot(row, first), y: planeDot(row, second) }));
}

function planeAxis(rows, other) {
  const columns = rows[0]?.length ?? 0;
  let axis = Array.from({ length: columns }, (_, c) => 1 + c / (columns + 1) + (other ? (c % 2) * -2 : 0));
  for (let round = 0; round < 60; round += 1) {
    const next = new Array(columns).fill(0);
    for (const row of rows) {
      const along = planeDot(row, axis);
      for (let c = 0; c < columns; c += 1) next[c] += along * row[c];
    }
    const overlap = other ? planeDot(next, other) : 0;
    const free = other ? next.map((value, c) => value - overlap * other[c]) : next;
    const length = Math.hypot(...free);
    if (length < 1e-9) return new Array(columns).fill(0);
    axis = free.map((value) => value / length);
  }
  return axis;
}

function planeDot(one, two) {
  return one.reduce((sum, value, n) => sum + value * two[n], 0);
}

/** Into the picture's box; names need room beside them, and who would lie on the same spot is laid around it. */
function planeScaled(people, size) {
  const aside = people.length <= NAMED_MAX ? 90 : 0;
  const [xs, ys] = [people.map((p) => p.x), people.map((p) => p.y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const fit = (value, low, high, size) => (
    high - low < 1e-9 ? size / 2 : PLANE_PAD + ((value - low) / (high - low)) * (size - 2 * PLANE_PAD)
  );
  const step = people.length > 400 ? 4.6 : people.length > 120 ? 7 : 15;
  const crowd = new Map();
  return people.map((person) => {
    const [x, y] = [fit(person.x, left, right, size.wide - aside), fit(person.y, top, bottom, size.tall)];
    const spot = `${Math.round(x / step)} ${Math.round(y / step)}`;
    const before = crowd.get(spot) ?? 0;
    crowd.set(spot, before + 1);
    const reach = step * Math.sqrt(before);
    const inside = (value, most) => Math.max(10, Math.min(most - 10, value));
    const [px, py] = [x + reach * Math.cos(before * GOLDEN), y + reach * Math.sin(before * GOLDEN)];
    return { ...person, px: inside(px, size.wide), py: inside(py, size.tall) };
  });
}

/** One figure for each coalition, so that the picture can be read without colours. */
function planeShape(index, x, y, r) {
  const at = (dx, dy) => `${(x + dx * r).toFixed(1)} ${(y + dy * r).toFixed(1)}`;
  const polygon = (...points) => `M${points.map(([dx, dy]) => at(dx, dy)).join("L")}Z`;
  const shapes = {
    2: () => polygon([-0.88, -0.88], [0.88, -0.88], [0.88, 0.88], [-0.88, 0.88]),
    3: () => polygon([0, -1.15], [1.05, 0.8], [-1.05, 0.8]),
    4: () => polygon([0, -1.25], [1.05, 0], [0, 1.25], [-1.05, 0]),
    5: () => polygon([0, 1.15], [1.05, -0.8], [-1.05, -0.8]),
    6: () => polygon([-0.4, -1.1], [0.4, -1.1], [0.4, -0.4], [1.1, -0.4], [1.1, 0.4], [0.4, 0.4], [0.4, 1.1], [-0.4, 1.1],
      [-0.4, 0.4], [-1.1, 0.4], [-1.1, -0.4], [-0.4, -0.4]),
    7: () => polygon([-0.55, -1], [0.55, -1], [1.1, 0], [0.55, 1], [-0.55, 1], [-1.1, 0]),
    8: () => polygon([0, -1.25], [0.3, -0.35], [1.2, -0.35], [0.48, 0.2], [0.75, 1.1], [0, 0.55], [-0.75, 1.1], [-0.48, 0.2],
      [-1.2, -0.35], [-0.3, -0.35]),
  };
  return shapes[index]?.() ?? `M${at(-1, 0)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

/**
 * The picture: one path a coalition, however many people it has. Pointing or arrow keys tell who somebody is.
 * @param {{places: {id: string, name?: string, x: number, y: number, coalition: number|null}[],
 *   coalitions: {id: number, label: string, size: number}[], count: (n: number) => string}} table
 * @param {number} [room] the width there is, in pixels
 * @returns {HTMLElement}
 */
export function votesPlane({ places: people, coalitions, count }, room = PLANE_WIDE) {
  if (!people.length) return h("p", { class: "muted", text: "Nobody voted." });
  const wide = Math.max(290, Math.min(PLANE_WIDE, room));
  const size = { wide, tall: Math.round(wide < 480 ? wide : wide * 0.62) };
  const scaled = planeScaled(people, size);
  const placed = people.length <= NAMED_MAX ? planeParted(scaled, size) : scaled;
  const radius = placed.length > 400 ? 3.4 : placed.length > NAMED_MAX ? 5 : 8;
  const groups = [...new Set(placed.map((person) => person.coalition ?? 0))].sort((a, b) => a - b);
  const told = h("p", { class: "plane-told", role: "status", text: "Point at somebody, or use the arrow keys." });
  const halo = s("circle", { class: "plane-halo", r: radius + 5, cx: -50, cy: -50 });
  const svg = s("svg", {
    class: "plane-svg", viewBox: `0 0 ${size.wide} ${size.tall}`, tabindex: 0, role: "application",
    "aria-label": `Map of ${count(placed.length)} in ${plural(coalitions.length, "coalition")}; arrow keys go from one to the next`,
  });
  svg.append(...groups.map((id) => planeGroup(placed.filter((p) => (p.coalition ?? 0) === id), id, radius)), halo);
  if (placed.length <= NAMED_MAX) svg.append(...planeNames(placed, radius));
  else svg.append(...groups.filter(Boolean).map((id) => planeLetter(placed.filter((p) => p.coalition === id), id)));
  planeListens(svg, placed, halo, told, size);
  return h("figure", { class: "plane" }, svg, h("figcaption", null, told));
}

function planeGroup(members, id, radius) {
  const camp = voteCamp(id);
  const d = members.map((person) => planeShape(camp.index, person.px, person.py, radius)).join("");
  return s("path", { class: "plane-dots", d, vars: { "--camp": camp.color }, dataset: { coalition: id } });
}

function planeNames(placed, radius) {
  return placed.map((person) => s("text", {
    class: "plane-name", x: person.px + radius + 6, y: person.py, dy: "0.35em",
    text: `${planeShort(person)} ${voteCamp(person.coalition).letter}`,
  }));
}

function planeShort(person) {
  const name = person.name ?? person.id;
  return name.length > 14 ? `${name.slice(0, 13)}…` : name;
}

/** Moves people up and down until no name lies on another; few people, so every pair can be looked at. */
function planeParted(placed, size) {
  const spots = placed.map((person) => ({ ...person }));
  const wide = spots.map((person) => 34 + planeShort(person).length * 7);
  for (let round = 0; round < 80; round += 1) {
    let moved = false;
    for (let i = 0; i < spots.length; i += 1) {
      for (let j = i + 1; j < spots.length; j += 1) {
        const [one, two] = [spots[i], spots[j]];
        const near = one.px < two.px ? two.px - one.px < wide[i] : one.px - two.px < wide[j];
        const short = 21 - Math.abs(one.py - two.py);
        if (!near || short <= 0.5) continue;
        const up = one.py <= two.py ? -1 : 1;
        one.py += (up * short) / 2;
        two.py -= (up * short) / 2;
        moved = true;
      }
    }
    for (const spot of spots) spot.py = Math.max(14, Math.min(size.tall - 14, spot.py));
    if (!moved) break;
  }
  return spots;
}

function planeLetter(members, id) {
  const mean = (axis) => members.reduce((sum, person) => sum + person[axis], 0) / members.length;
  const camp = voteCamp(id);
  const place = { x: mean("px"), y: mean("py"), dy: "0.35em" };
  return s("text", { class: "plane-letter", ...place, vars: { "--camp": camp.color }, text: camp.letter });
}

function planeListens(svg, placed, halo, told, size) {
  const order = placed.slice().sort((a, b) => (a.coalition ?? 99) - (b.coalition ?? 99) || a.px - b.px || a.py - b.py);
  let at = -1;
  const tell = (person) => {
    halo.setAttribute("cx", person.px);
    halo.setAttribute("cy", person.py);
    const camp = voteCamp(person.coalition);
    refill(told, h("strong", { text: person.name ?? person.id }), `, ${camp.label}`);
  };
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * size.wide;
    const y = ((event.clientY - box.top) / box.height) * size.tall;
    let [nearest, distance] = [null, 26];
    for (const person of placed) {
      const away = Math.hypot(person.px - x, person.py - y);
      if (away < distance) [nearest, distance] = [person, away];
    }
    if (nearest) tell(nearest);
  });
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    at = (at + step + order.length) % order.length;
    tell(order[at]);
  });
}
