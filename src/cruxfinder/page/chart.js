/** Small figures the views share: a line of confidence, a bar with its words, marks for camps and sides, arcs. */

import { h, s, percent, refill } from "./dom.js";
import { sideWord } from "./words.js";

const LINE_WIDTH = 220;
const LINE_HEIGHT = 48;
const LINE_PAD = 5;
const SIDE_GLYPHS = { YES: "▲", NO: "▼", UNCERTAIN: "◇", NUANCED: "◇" };

/**
 * Confidence over time as a stepped line: it holds until it is stated anew.
 * @param {{atMs: number, value: number}[]} points
 * @param {number} untilMs where the line ends
 * @param {string} name whose confidence it is
 * @returns {SVGElement}
 */
export function confidenceLine(points, untilMs, name) {
  const last = Math.max(1, untilMs, ...points.map((point) => point.atMs));
  const x = (ms) => LINE_PAD + (ms / last) * (LINE_WIDTH - 2 * LINE_PAD);
  const y = (value) => LINE_HEIGHT - LINE_PAD - value * (LINE_HEIGHT - 2 * LINE_PAD);
  const steps = points.map((p, n) => (n ? `H${x(p.atMs).toFixed(1)}V${y(p.value).toFixed(1)}` : chartStart(p, x, y)));
  // The picture is stretched to its place: dots are ends of lines of no length, which stay round.
  const dots = points.slice(-24).map((p) => `${chartStart(p, x, y)}h0.01`).join("");
  const middle = y(0.5);
  return s("svg", { class: "chart-line", viewBox: `0 0 ${LINE_WIDTH} ${LINE_HEIGHT}`, preserveAspectRatio: "none", role: "img",
    "aria-label": chartTold(points, name) },
    s("path", { class: "chart-middle", d: `M0 ${middle}H${LINE_WIDTH}` }),
    s("path", { class: "chart-path", d: points.length ? `${steps.join("")}H${x(last).toFixed(1)}` : "" }),
    s("path", { class: "chart-dots", d: dots }), s("path", { class: "chart-dots is-inner", d: dots }));
}

function chartStart(point, x, y) {
  return `M${x(point.atMs).toFixed(1)} ${y(point.value).toFixed(1)}`;
}

function chartTold(points, name) {
  if (!points.length) return `${name} has made no claim on the topic yet`;
  const [first, last] = [points[0].value, points[points.length - 1].value];
  if (points.length === 1) return `${name} stated a confidence of ${percent(first)} in the claim`;
  return `Confidence of ${name} in the claim: ${percent(first)} at first, ${percent(last)} now, stated ${points.length} times`;
}

/**
 * A bar with a name, its figure and a sentence that says what it means.
 * @param {string} name
 * @param {number} share 0 to 1
 * @param {string} words
 * @param {string} [figure] instead of the share as a percentage
 */
export function shareBar(name, share, words, figure = percent(share)) {
  const fill = h("span", { class: "share-fill" });
  fill.style.setProperty("--share", String(Math.max(0, Math.min(1, share))));
  return h(
    "div",
    { class: "share" },
    h("span", { class: "share-name", text: name }),
    h("span", { class: "share-figure", text: figure }),
    h("span", { class: "share-track", "aria-hidden": "true" }, fill),
    h("span", { class: "share-words", text: words }),
  );
}

/**
 * The letter of a camp in its colour; the letter carries the meaning where the colour cannot.
 * @param {{index: number, letter: string, label: string, color: string}} camp
 */
export function campMark(camp) {
  const told = camp.index ? `camp ${camp.letter}${camp.label ? `: ${camp.label}` : ""}` : "no camp";
  const props = { class: "camp-sign", role: "img", title: told, "aria-label": told, vars: { "--camp": camp.color } };
  return h("span", props, camp.letter);
}

/**
 * A side as a word with its sign.
 * @param {string} side
 */
export function sideMark(side) {
  const sign = h("span", { "aria-hidden": "true", text: SIDE_GLYPHS[side] ?? "·" });
  return h("span", { class: "side-mark", dataset: { side } }, sign, ` ${sideWord(side)}`);
}

/**
 * A piece of a ring, from one angle to another, clockwise from the top, in turns (0 to 1).
 */
export function arcPath(x, y, inner, outer, from, to) {
  const end = Math.min(to, from + 0.9999);
  const point = (radius, turn) => {
    const angle = (turn - 0.25) * 2 * Math.PI;
    return `${(x + radius * Math.cos(angle)).toFixed(2)} ${(y + radius * Math.sin(angle)).toFixed(2)}`;
  };
  const large = end - from > 0.5 ? 1 : 0;
  const [a, b, c, d] = [point(outer, from), point(outer, end), point(inner, end), point(inner, from)];
  return `M${a}A${outer} ${outer} 0 ${large} 1 ${b}L${c}A${inner} ${inner} 0 ${large} 0 ${d}Z`;
}

/**
 * The name of a seat, or the id where nobody knows it.
 * @param {object} state
 * @param {string} agent
 */
export function nameOf(state, agent) {
  return state.seats.find((seat) => seat.id === agent)?.name ?? agent;
}

const NO_CAMP = { index: 0, letter: "–", label: "", color: "var(--text-3)" };

/**
 * The camp of an agent; one without a number where it belongs to none.
 * @param {{of: object}} camps
 * @param {string} agent
 */
export function campOf(camps, agent) {
  return camps?.of?.[agent] ?? NO_CAMP;
}

const lastDrawn = new WeakMap();

/**
 * Fills an element anew only where one of the things it is drawn from is another one than last time.
 * @param {Element} el
 * @param {unknown[]} from compared by identity
 * @param {() => (Node|string|null|Array)} draw
 */
export function redraw(el, from, draw) {
  const before = lastDrawn.get(el);
  if (before && before.length === from.length && from.every((value, n) => value === before[n])) return;
  lastDrawn.set(el, from);
  refill(el, draw());
}
