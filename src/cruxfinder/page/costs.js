/** What the run has used of what it may use: messages, debate time, calls, tokens, dollars. */

import { clock, h, keyed, percent, setText } from "./dom.js";
import { figuresOf } from "./figures.js";
import { headWord, protocolWords, wordFor } from "./words.js";

const GROUPED = new Intl.NumberFormat("en");
const wholeNumber = (n) => GROUPED.format(n);

export class CruxCosts extends HTMLElement {
  #list = null;
  #drawn = [];

  /** @param {object} state @param {object} context info: the answer of GET /api/debates/{id}, or null; result */
  show(state, context) {
    const usage = context.info?.usage ?? usageOf(context.result);
    const now = [state.atMs, state.messageOrder.length, state.turns.length, state.settings, usage];
    if (now.every((x, i) => x === this.#drawn[i])) return;
    this.#drawn = now;
    if (!this.#list) {
      this.#list = h("dl", { class: "costs" });
      this.append(h("h2", { class: "panel-title" }, "Cost and limits"), this.#list,
        h("p", { class: "hint" }, "Where no limit is given, the rules have their own, which grows with the number of agents."));
    }
    keyed(this.#list, rowsOf(state, usage, context), (row) => row.name, makeRow, drawRow);
  }
}

/** In a report there is no server to ask: the result tells the sums. */
function usageOf(result) {
  const m = result?.systemMetrics;
  return m ? { calls: m.calls, tokensIn: m.tokensIn, tokensOut: m.tokensOut, dollars: result.cost } : null;
}

function rowsOf(state, usage, context) {
  const set = state.settings;
  const counted = figuresOf(state);
  const named = (figure) => headWord(wordFor("figures", figure)[1]);
  const { said } = protocolWords(state.protocol);
  const tokens = usage ? usage.tokensIn + usage.tokensOut : null;
  return [
    { name: named(said), used: counted[said], cap: set.max_messages, say: wholeNumber },
    { name: "Debate time", used: state.atMs, cap: set.max_ms, say: clock },
    { name: named("calls"), used: usage?.calls, cap: set.max_calls, say: wholeNumber },
    { name: named("tokens"), used: tokens, cap: set.max_tokens, say: wholeNumber },
    { name: "Dollars", used: usage?.dollars, cap: (set.max_nanodollars ?? 0) / 1e9, say: (x) => `$${x.toFixed(x && x < 0.1 ? 4 : 2)}` },
    { name: named("refusals"), used: counted.refusals, say: wholeNumber },
    { name: named("failures"), used: counted.failures, say: wholeNumber },
    { name: "Entries", used: context.info?.entries ?? state.n, say: wholeNumber },
  ].filter((row) => Number.isFinite(row.used));
}

function makeRow(row) {
  return h("div", { class: "cost" }, h("dt", null, row.name), h("dd", null,
    h("span", { class: "cost-used" }), h("span", { class: "cost-cap muted" }),
    h("div", { class: "bar", "aria-hidden": "true", hidden: true }, h("span", null))));
}

function drawRow(el, row) {
  const [used, cap, bar] = el.lastChild.children;
  setText(used, row.say(row.used));
  setText(cap, row.cap ? ` of ${row.say(row.cap)} (${percent(row.used / row.cap)})` : "");
  bar.hidden = !row.cap;
  if (row.cap) bar.firstChild.style.setProperty("--far", String(Math.min(1, row.used / row.cap)));
}

customElements.define("crux-costs", CruxCosts);
