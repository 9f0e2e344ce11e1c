/** The map of cruxes: size by DCG, rings by who stands where, lines by what follows from what. */

import { h, s, keyed, setShown, percent, plural, twoPlaces } from "./dom.js";
import { arcPath, campOf, nameOf, redraw, campMark } from "./chart.js";
import { messagesOf } from "./figures.js";
import { mapLayout, mapIsWide } from "./map-layout.js";
import { mapBounds, mapEdge, mapKey, mapLine, mapText } from "./map-pieces.js";
import { sideWord, wordFor } from "./words.js";

const MAP_SIGNS = { ENTAILS: "⇒", SUPPORTS: "+", CONTRADICTS: "≠", SPAWNED: "·" };
const MAP_MESSAGES = 4;
const MAP_BESIDE = "(min-width: 1100px)"; // the threads stand beside the map then
const MAP_SIDES = ["YES", "NO", "UNCERTAIN"];
const MAP_RING_SIDES = ["YES", "UNCERTAIN", "NO"]; // round the ring, not sure lies between

/** Nodes are questions; arrows move between them, Enter shows the messages. */
export class CruxMap extends HTMLElement {
  picture = h("div", { class: "map-picture" });
  svg = s("svg", { class: "map-svg", role: "group", "aria-label": "Map of questions. Arrow keys move, Enter shows the messages." });
  strip = h("section", { class: "map-strip", "aria-live": "polite", "aria-label": "The chosen question" });
  legend = h("div", { class: "map-legend" });
  words = h("ul", { class: "visually-hidden" });
  empty = h("p", { class: "muted view-empty", text: "The map fills as questions come up that the disagreement may turn on." });
  chosen = null;

  connectedCallback() {
    this.picture.append(this.svg);
    if (!this.picture.isConnected) this.append(this.empty, this.picture, this.strip, this.legend, this.words);
    this.watch ??= new ResizeObserver(([entry]) => this.resized(entry.contentRect.width));
    this.watch.observe(this);
  }

  disconnectedCallback() {
    this.watch.disconnect();
  }

  resized(width) {
    if (!width || Math.floor(width) === this.wide) return;
    this.wide = Math.floor(width);
    if (this.state) this.draw();
  }

  /** Asked of the page once and then told by it: asking at every step would have it lay itself out every time. */
  width() {
    this.wide ||= Math.floor(this.clientWidth || 960);
    return Math.max(300, this.wide);
  }

  /**
   * @param {object} state
   * @param {{select: Function, camps: object}} context
   */
  show(state, context) {
    const asked = state.threadIds.map((id) => state.threads[id])
      .filter((thread) => thread.status !== "MERGED" && (thread.question || thread.candidates.length));
    [this.state, this.context] = [state, context];
    const from = [state.relations, state.primary, context.camps,
      ...asked.flatMap((t) => [t.id, t.crux, t.candidates, t.sides, t.figures, t.verdict])];
    if (this.from?.length === from.length && from.every((value, n) => value === this.from[n])) {
      if (this.chosen) this.drawStrip();
      return;
    }
    this.from = from;
    this.threads = asked.slice(0, 8);
    this.left = asked.length - this.threads.length;
    this.draw();
  }

  draw() {
    const nodes = this.threads.map((thread) => mapNode(thread, this.state));
    for (const part of [this.picture, this.legend, this.strip]) setShown(part, nodes.length > 0);
    setShown(this.empty, nodes.length === 0);
    if (!nodes.length) return;
    if (!nodes.some((node) => node.id === this.chosen)) this.chosen = null;
    const edges = mapEdges(this.threads, this.state, !mapIsWide(this.width()));
    this.drawPicture(mapLayout(nodes, edges, this.width()));
    this.drawLegend(edges);
    const told = nodes.map((node) => this.told(node, edges));
    redraw(this.words, [told.join("\n")], () => told.map((text) => h("li", { text })));
    this.drawStrip();
  }

  /** Only what looks different is made anew: a node keeps its place in the page, and with it the focus. */
  drawPicture(placed) {
    const { svg } = this;
    const size = `0 0 ${placed.width} ${placed.height}`;
    if (svg.getAttribute("viewBox") !== size) {
      for (const [name, value] of [["viewBox", size], ["width", placed.width], ["height", placed.height]]) svg.setAttribute(name, value);
    }
    const camps = (node) => node.stands.map(({ agent }) => campOf(this.context.camps, agent).letter);
    const looks = (node, n) => JSON.stringify([n, node, camps(node), node.id === this.state.primary]);
    const held = svg.contains(document.activeElement) ? document.activeElement.dataset.thread : null;
    const items = [
      ...placed.edges.map((edge) => ({ key: JSON.stringify(edge), make: () => mapEdge(edge) })),
      ...placed.nodes.map((node, n) => ({ key: looks(node, n), make: () => this.drawNode(node, n) })),
    ];
    keyed(svg, items, (item) => item.key, (item) => item.make());
    if (held && !svg.contains(document.activeElement)) this.node(held)?.focus();
  }

  drawNode(node, n) {
    const group = s("g", {
      class: "map-node", tabindex: node.id === (this.chosen ?? this.threads[0].id) ? 0 : -1, role: "button",
      "aria-description": mapDescribed(node, this.state.primary), "aria-pressed": String(node.id === this.chosen),
      dataset: { thread: node.id },
      on: { click: () => this.choose(node.id), keydown: (event) => this.key(event, n) },
    });
    group.classList.toggle("is-primary", node.id === this.state.primary);
    const inside = node.dcg === null ? "?" : twoPlaces(node.dcg);
    group.append(
      s("rect", { class: "map-hit", ...mapBounds(node) }), s("circle", { class: "map-focus", cx: node.x, cy: node.y, r: node.outer + 4 }),
      s("circle", { class: "map-disc", cx: node.x, cy: node.y, r: node.radius - 1 }), ...this.ring(node),
      s("text", { class: node.radius < 25 ? "map-figure is-small" : "map-figure", x: node.x, y: node.y, dy: "0.35em",
        "aria-hidden": "true", text: inside }),
      ...node.lines.map((line, i) => mapText(node, "map-label", i, `${line} `)), mapText(node, "map-count", node.lines.length, node.counts),
    );
    return group;
  }

  /** Everybody an equal piece: YES filled, NO outlined, not sure faint; camps by colour and letter. */
  ring(node) {
    const total = node.stands.length;
    if (!total) return [s("circle", { class: "map-bare", cx: node.x, cy: node.y, r: node.outer - 4 })];
    const gap = total > 1 ? 0.008 : 0;
    return node.stands.flatMap(({ agent, side }, n) => {
      const camp = campOf(this.context.camps, agent);
      const [from, to] = [n / total + gap, (n + 1) / total - gap];
      const middle = ((from + to) / 2 - 0.25) * 2 * Math.PI;
      const far = node.outer - 5.5;
      const arc = s("path", { class: "map-arc", d: arcPath(node.x, node.y, node.outer - 11, node.outer, from, to),
        dataset: { side }, vars: { "--camp": camp.color } });
      const room = (2 * Math.PI * far) / total > 11;
      const letter = room ? s("text",
        { class: "map-letter", "aria-hidden": "true", dataset: { side }, x: node.x + far * Math.cos(middle),
          y: node.y + far * Math.sin(middle), dy: "0.35em", vars: { "--camp": camp.color }, text: camp.letter }) : null;
      return letter ? [arc, letter] : [arc];
    });
  }

  node(id) {
    return [...this.svg.querySelectorAll(".map-node")].find((node) => node.dataset.thread === id);
  }

  key(event, n) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const count = this.threads.length;
    const place = event.key === "Home" ? 0 : event.key === "End" ? count - 1 : step ? (n + step + count) % count : null;
    if (event.key === "Enter" || event.key === " ") this.choose(this.threads[n].id);
    else if (place === null) return;
    else this.reach(this.threads[place].id);
    event.preventDefault();
  }

  reach(id, scrolls = true) {
    for (const node of this.svg.querySelectorAll(".map-node")) node.setAttribute("tabindex", node.dataset.thread === id ? "0" : "-1");
    this.node(id).focus({ preventScroll: !scrolls });
  }

  choose(id) {
    this.chosen = id;
    for (const node of this.svg.querySelectorAll(".map-node")) node.setAttribute("aria-pressed", String(node.dataset.thread === id));
    this.reach(id, false);
    this.drawStrip();
    if (matchMedia(MAP_BESIDE).matches) this.context.select("thread", id);
    else this.strip.scrollIntoView({ block: "nearest" });
  }

  drawStrip() {
    const thread = this.state.threads[this.chosen];
    if (!thread) return redraw(this.strip, [null], () => h("p", { class: "muted", text: "Choose a question to see what hangs on it." }));
    return redraw(this.strip, [thread, this.state.relations, this.context.camps], () => this.detail(thread));
  }

  detail(thread) {
    const node = mapNode(thread, this.state);
    const asked = mapAsked(thread);
    const figures = thread.figures[asked?.id];
    const people = MAP_SIDES.map((side) => [side, node.stands.filter((stand) => stand.side === side)]).filter(([, who]) => who.length);
    return [h("h3", { text: node.label }),
      asked ? h("p", { class: "small", text: `YES: ${asked.yesMeans || "it is so"} · NO: ${asked.noMeans || "it is not"}` }) : null,
      figures ? h("p", null, `${percent(figures.gapClosed)} ${wordFor("gauges", "gapClosed")[1]}; `,
        `${plural(figures.flips.length, "agent")} ${wordFor("gauges", "flips")[1]}.`) : null,
      h("div", { class: "map-people" }, people.map(([side, who]) => h("p", null, h("strong", { text: sideWord(side) }),
        who.map(({ agent }) => this.person(agent))))),
      this.state.relations.filter((r) => r.from === thread.id || r.to === thread.id)
        .map((r) => h("p", { class: "small", text: this.sentence(r) })),
      this.messages(thread)];
  }

  person(agent) {
    return h("span", { class: "person" }, campMark(campOf(this.context.camps, agent)), nameOf(this.state, agent));
  }

  /** The last messages at once; the whole thread is one step away. */
  messages(thread) {
    const last = thread.messageIds.slice(-MAP_MESSAGES).reverse().map((id) => this.state.messages[id]);
    const row = (message) => h("li", null,
      h("button", { type: "button", class: "link", on: { click: () => this.context.select("message", message.id) } },
      h("strong", { text: message.moderator ? "Moderator" : nameOf(this.state, message.agent) }), ` ${message.content}`));
    return [h("ul", { class: "map-messages", "aria-label": "Its last messages" }, last.map(row)),
      h("button", { type: "button", class: "button no-print", text: `Show all ${plural(messagesOf(this.state, thread), "message")}`,
        on: { click: () => this.context.select("thread", thread.id) } })];
  }

  sentence(relation) {
    const name = (id) => `“${mapNode(this.state.threads[id], this.state).label}”`;
    const why = relation.sketch ? `: ${relation.sketch}` : ".";
    return `A YES to ${name(relation.from)} ${wordFor("relations", relation.relation)} a YES to ${name(relation.to)}${why}`;
  }

  told(node, edges) {
    const asked = (id) => this.threads.find((thread) => thread.id === id).question;
    const bears = edges.filter((edge) => edge.from === node.id).map((edge) => `${wordFor("relations", edge.kind)} “${asked(edge.to)}”`);
    return [node.label, node.counts, mapDescribed(node, this.state.primary), ...bears].filter(Boolean).join(". ");
  }

  drawLegend(edges) {
    const kinds = [...new Set(edges.map((edge) => edge.kind))];
    redraw(this.legend, [kinds.join(" "), this.context.camps, this.left], () => [
      h("ul", { class: "map-camps" },
        (this.context.camps?.list ?? []).map((camp) => h("li", null, campMark(camp), mapCampWords(camp, this.context.camps.basis)))),
      h("ul", { class: "map-keys" },
        MAP_SIDES.map((side) => h("li", null, mapKey(side), sideWord(side))),
        kinds.map((kind) => h("li", null, mapLine(kind), `${wordFor("relations", kind)}: ${mapBears(kind)}`)),
        h("li", { text: "The larger, the more hangs on it (DCG)" }),
        this.left > 0 ? h("li", { text: `${this.left} more not shown` }) : null),
    ]);
  }
}

function mapCampWords(camp, basis) {
  if (!camp.label) return `camp ${camp.letter}`;
  return basis === "side" ? `${camp.label} on the topic` : camp.label;
}

/** What the picture says by size and place. */
function mapDescribed(node, primary) {
  const dcg = node.dcg === null ? "not weighed yet" : `DCG ${twoPlaces(node.dcg)}`;
  return node.id === primary ? `primary crux, ${dcg}` : dcg;
}

function mapAsked(thread) {
  const rank = (candidate) => thread.figures[candidate?.id]?.rank ?? 0;
  const best = thread.candidates.reduce((top, candidate) => (rank(candidate) > rank(top) ? candidate : top), thread.candidates[0]);
  return thread.candidates.find((candidate) => candidate.id === thread.crux) ?? best;
}

function mapNode(thread, state) {
  const asked = mapAsked(thread);
  const holding = (side) => state.seats.filter((seat) => thread.sides[seat.id] === side);
  const stands = MAP_RING_SIDES.flatMap((side) => holding(side).map((seat) => ({ agent: seat.id, side })));
  const count = (side) => stands.filter((stand) => stand.side === side).length;
  const told = MAP_SIDES.map((side) => (count(side) || side !== "UNCERTAIN" ? `${sideWord(side)} ${count(side)}` : ""));
  const counts = stands.length ? told.filter(Boolean).join(" · ") : "nobody has taken a side yet";
  const label = asked?.question || thread.question || thread.topic;
  return { id: thread.id, label, dcg: thread.figures[asked?.id]?.dcg ?? null, stands, counts };
}

/** Dependencies, and where two questions have none, which one led to which. */
function mapEdges(threads, state, narrow) {
  const shown = new Set(threads.map((thread) => thread.id));
  const label = (kind) => (narrow ? MAP_SIGNS[kind] : wordFor("relations", kind));
  const edges = state.relations.filter((r) => shown.has(r.from) && shown.has(r.to))
    .map((r) => ({ from: r.from, to: r.to, kind: r.relation, label: label(r.relation) }));
  const joined = new Set(edges.flatMap((edge) => [`${edge.from} ${edge.to}`, `${edge.to} ${edge.from}`]));
  const led = threads.filter((t) => t.parent && shown.has(t.parent) && !joined.has(`${t.parent} ${t.id}`));
  return [...edges, ...led.map((t) => ({ from: t.parent, to: t.id, kind: "SPAWNED", label: label("SPAWNED") }))];
}

function mapBears(kind) {
  return wordFor("bears", kind).replace("{0}", "one").replace("{1}", "the other");
}

customElements.define("crux-map", CruxMap);
