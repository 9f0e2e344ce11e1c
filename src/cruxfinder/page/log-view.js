/** Everything that happened, one sentence an event, to be read from top to bottom and filtered. */

import { clock, h, setText } from "./dom.js";
import { lineHead, lineText } from "./speakers.js";
import { wordFor, wordsFor } from "./words.js";

const QUIET = new Set(["private", "figures"]);

export class CruxLog extends HTMLElement {
  #tape = null;
  #rows = [];
  #shown = 0;
  #parts = null;
  #off = new Set(QUIET);
  #words = "";

  /** @param {object} state @param {object} context tape, at, goTo */
  show(state, context) {
    if (!this.#parts) this.#build(context);
    if (context.tape !== this.#tape) this.#forget(context.tape);
    this.#parts.goTo = context.goTo;
    for (let i = this.#rows.length; i < context.tape.length; i += 1) this.#add(context.tape, i);
    const at = context.at;
    for (let i = at; i < this.#shown; i += 1) this.#rows[i].node.hidden = true;
    for (let i = this.#shown; i < at; i += 1) this.#rows[i].node.hidden = !this.#passes(this.#rows[i]);
    this.#shown = at;
  }

  #forget(tape) {
    this.#tape = tape;
    this.#rows = [];
    this.#shown = 0;
    this.#parts.list.replaceChildren();
  }

  #build(context) {
    const search = h("input", {
      type: "search", placeholder: "Find in the log", "aria-label": "Find in the log", on: { input: () => this.#filter(search.value) } });
    const boxes = wordsFor("groups").map((group) => h("button", {
      class: "chip", type: "button", "aria-pressed": String(!this.#off.has(group)),
      on: { click: (event) => this.#toggle(group, event.currentTarget) },
    }, wordFor("groups", group)));
    this.#parts = {
      list: h("ol", { class: "log", tabindex: "0", "aria-label": "Events" }), none: h("p", { class: "hint" }), goTo: context.goTo,
    };
    this.append(h("h2", { class: "panel-title" }, "Everything that happened"),
      h("div", { class: "log-filter field no-print" }, search,
        h("div", { class: "chips", role: "group", "aria-label": "Kinds of event" }, boxes)),
      this.#parts.list, this.#parts.none);
  }

  #add(tape, i) {
    const frame = tape.frames[i];
    const told = { group: frame.line.group, text: lineText(frame), at: clock(frame.event.at_ms) };
    const go = h("button", {
      class: "link log-time", type: "button", "aria-label": `Go to event ${frame.n}, ${told.at}`,
      on: { click: () => this.#parts.goTo(i + 1) },
    }, told.at);
    const text = h("span", { class: "log-text" }, h("span", null, logParts(frame)));
    const node = h("li", { hidden: true, dataset: { group: told.group } }, go, text);
    this.#rows.push({ node, group: told.group, text: told.text.toLowerCase() });
    this.#parts.list.append(node);
  }

  #passes(row) {
    return !this.#off.has(row.group) && (this.#words === "" || row.text.includes(this.#words));
  }

  #toggle(group, button) {
    if (!this.#off.delete(group)) this.#off.add(group);
    button.setAttribute("aria-pressed", String(!this.#off.has(group)));
    this.#filter(this.#words);
  }

  #filter(words) {
    this.#words = words.toLowerCase();
    let passed = 0;
    this.#rows.forEach((row, i) => {
      const seen = i < this.#shown && this.#passes(row);
      row.node.hidden = !seen;
      passed += seen ? 1 : 0;
    });
    setText(this.#parts.none, passed ? "" : "Nothing here matches.");
  }
}

/** The row as lineText has it, with its thread faint and whoever speaks in bold. */
function logParts({ event, line }) {
  const { badge, detail } = lineHead(line);
  const rest = [badge, detail].filter(Boolean).join(" ");
  return [
    event.thread ? h("span", { class: "muted" }, `${event.thread} `) : null, line.name ? h("strong", null, `${line.name} `) : null,
    line.text ? `${rest}: ${line.text}` : rest,
  ];
}

customElements.define("crux-log", CruxLog);
