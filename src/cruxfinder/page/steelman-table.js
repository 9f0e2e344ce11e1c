/** Who has put whose position how well: a table for each thread, every try with its grade. */

import { h, keyed, setShown, plural } from "./dom.js";
import { nameOf, redraw, campMark, campOf } from "./chart.js";
import { wordFor } from "./words.js";

const GRADE_SIGNS = { ACCURATE: "✓", INCOMPLETE: "◐", WRONG: "✕", PENDING: "…" };

/** Steelmans: rows are who speaks, columns whose position it is. */
export class CruxSteelmans extends HTMLElement {
  list = h("div", { class: "steel-list" });
  empty = h("p", { class: "muted view-empty" },
    "Nobody has put somebody else's position yet. That begins once a question is being locked.");
  parts = new Map();

  connectedCallback() {
    if (!this.list.isConnected) this.append(this.empty, this.list);
  }

  /**
   * @param {object} state
   * @param {{select: Function, camps: object}} context
   */
  show(state, context) {
    this.context = context;
    this.state = state;
    const threads = state.threadIds.map((id) => state.threads[id]).filter((thread) => thread.steelmans.length);
    setShown(this.empty, threads.length === 0);
    keyed(this.list, threads, (thread) => thread.id, (thread) => this.make(thread));
    for (const thread of threads) this.update(this.parts.get(thread.id), thread);
  }

  make(thread) {
    const part = { table: h("div", { class: "steel-scroll", tabindex: 0, role: "region" }),
      detail: h("div", { class: "steel-detail", "aria-live": "polite" }), open: null };
    part.element = h("section", { class: "steel-thread", dataset: { thread: thread.id } }, part.table, part.detail);
    this.parts.set(thread.id, part);
    return part.element;
  }

  update(part, thread) {
    part.thread = thread;
    part.table.setAttribute("aria-label", `Steelmans: ${thread.question || thread.topic}`);
    redraw(part.table, [thread.steelmans, thread.question, this.context.camps], () => this.table(part, thread));
    this.drawDetail(part);
  }

  table(part, thread) {
    const pairs = steelPairs(thread.steelmans);
    const order = this.state.seats.map((seat) => seat.id);
    const sorted = (ids) => [...new Set(ids)].sort((a, b) => order.indexOf(a) - order.indexOf(b));
    const from = sorted(thread.steelmans.map((attempt) => attempt.by));
    const to = sorted(thread.steelmans.map((attempt) => attempt.target));
    const passed = [...pairs.values()].filter((tries) => tries.at(-1).grade === "ACCURATE").length;
    const head = h("tr", null, h("th", { scope: "col", class: "steel-corner" }, "who puts whom"),
      to.map((id) => h("th", { scope: "col" }, this.person(id))));
    const rows = from.map((by) => h("tr", null, h("th", { scope: "row" }, this.person(by)),
      to.map((target) => this.cell(part, by, target, pairs.get(`${by} ${target}`)))));
    const told = `${passed} of ${plural(pairs.size, "pair")} put accurately, ${plural(thread.steelmans.length, "try", "tries")}`;
    return h("table", { class: to.length > 7 ? "steel-table is-dense" : "steel-table" },
      h("caption", null, h("strong", { text: thread.question || thread.topic }), h("span", { text: ` ${told}` })),
      h("thead", null, head), h("tbody", null, rows));
  }

  person(id) {
    return h("span", { class: "steel-person" }, campMark(campOf(this.context.camps, id)), nameOf(this.state, id));
  }

  cell(part, by, target, tries) {
    const whom = nameOf(this.state, target);
    if (by === target) return h("td", { class: "steel-self" }, h("span", { "aria-label": "the same", role: "img" }, "–"));
    if (!tries) return h("td", { class: "steel-none", dataset: { whom } });
    const last = tries.at(-1);
    const told = tries.map((one) => wordFor("grades", one.grade)).join(", then ");
    const signs = tries.map((one) => h("span",
      { class: "steel-sign", dataset: { grade: one.grade }, "aria-hidden": "true", text: GRADE_SIGNS[one.grade] }));
    const button = h("button", {
      type: "button", class: "steel-cell", dataset: { grade: last.grade },
      "aria-label": `${nameOf(this.state, by)} puts ${whom}: ${told}. Show the text`,
      on: { click: () => this.open(part, `${by} ${target}`) },
    }, signs, h("span", { class: "steel-word", text: wordFor("grades", last.grade) }));
    return h("td", { dataset: { whom } }, button);
  }

  open(part, pair) {
    part.open = part.open === pair ? null : pair;
    this.drawDetail(part);
    if (part.open) part.detail.scrollIntoView({ block: "nearest" });
  }

  drawDetail(part) {
    redraw(part.detail, [part.open, part.thread.steelmans], () => {
      const tries = part.open && steelPairs(part.thread.steelmans).get(part.open);
      if (!tries) return null;
      const close = h("button", { type: "button", class: "link", text: "Close", on: { click: () => this.open(part, part.open) } });
      const title = `${nameOf(this.state, tries[0].by)} puts the position of ${nameOf(this.state, tries[0].target)}`;
      return [h("div", { class: "steel-detail-head" }, h("h3", { text: title }), close), tries.map((one) => this.attempt(one))];
    });
  }

  attempt(one) {
    const [sign, word] = [GRADE_SIGNS[one.grade], wordFor("grades", one.grade)];
    const line = (name, text) => (text ? [h("dt", { text: name }), h("dd", { text })] : []);
    const by = one.gradedBy ? ` by ${one.gradedBy === "moderator" ? "the moderator" : nameOf(this.state, one.gradedBy)}` : "";
    return h("article", { class: "steel-try", dataset: { grade: one.grade } },
      h("p", { class: "steel-try-head" }, h("span", { text: `Try ${one.attempt}` }),
        h("span", { class: "steel-grade", dataset: { grade: one.grade } }, `${sign} ${word}${by}`),
        h("button", {
          type: "button", class: "link", text: "Show in the thread", on: { click: () => this.context.select("message", one.message) },
        })),
      h("dl", null, line("Claim", one.claim), line("Reason", one.reason), line("Would change with", one.falsifier),
        line("What was missing", one.missing)));
  }
}

/** The tries of each pair, in order. */
function steelPairs(steelmans) {
  const pairs = new Map();
  for (const one of steelmans) {
    const key = `${one.by} ${one.target}`;
    if (pairs.has(key)) pairs.get(key).push(one);
    else pairs.set(key, [one]);
  }
  return pairs;
}

customElements.define("crux-steelmans", CruxSteelmans);
