/** What the debate comes to, as far as it is known: the one question it turns on, first and largest. */

import { h, percent, plural } from "./dom.js";
import { flipsOf } from "./figures.js";
import { speakerNames } from "./speakers.js";
import { wordFor } from "./words.js";

export class CruxVerdict extends HTMLElement {
  #drawn = [];

  /** @param {object} state @param {object} context result, select */
  show(state, context) {
    const thread = leading(state);
    const about = thread ? [thread.id, thread.question, thread.sides, thread.figures, thread.gap, thread.extracted, thread.stage] : [];
    const now = [state.complete, context.result, state.syntheses, state.seats, ...about];
    if (now.length === this.#drawn.length && now.every((x, i) => x === this.#drawn[i])) return;
    this.#drawn = now;
    const content = state.protocol === "crux" ? cruxHeadline(state, thread, context) : talkHeadline(state);
    this.hidden = content === null;
    this.classList.add("verdict");
    this.dataset.over = String(state.complete !== null);
    this.replaceChildren(...(content ?? []));
  }
}

/** The thread the headline is about: that of the primary crux. Before one is found the threads speak for themselves. */
function leading(state) {
  return state.primary ? state.threads[state.primary] : null;
}

function cruxHeadline(state, thread, context) {
  const over = state.complete;
  if (!over && !thread) return null;
  const found = over ? ["crux", "partial crux"].includes(over.verdict) : true;
  const eyebrow = over ? headline(state, over) : "A crux is found, the debate goes on";
  if (!thread || !found) {
    return [h("div", { class: "verdict-main" },
      h("p", { class: "eyebrow" }, eyebrow), h("h2", null, sentence(over?.why ?? "")), endingOf(over))];
  }
  const candidate = thread.candidates.find((c) => c.id === thread.crux);
  return [
    h("div", { class: "verdict-main" },
      h("p", { class: "eyebrow" }, eyebrow),
      h("h2", null, h("button", {
        class: "link verdict-question", type: "button", on: { click: () => context.select("crux", thread.id) },
      }, thread.question)),
      over ? means(state, thread, candidate) : null, endingOf(over)),
    gaugesOf(thread, over),
  ];
}

/** Where several cruxes were found, the largest question is the first of them and not the only one. */
function headline(state, over) {
  const found = state.threadIds.filter((id) => state.threads[id].extracted?.validated && state.threads[id].status !== "MERGED").length;
  if (over.verdict === "crux" && found > 1) return `The disagreement turns on ${plural(found, "question")}, above all on this one`;
  return wordFor("headlines", over.verdict);
}

function means(state, thread, candidate) {
  const side = (word, text) => {
    const ids = Object.keys(thread.sides).filter((id) => thread.sides[id] === word);
    return h("div", { class: "means" },
      h("p", null, h("b", null, word), " ", text),
      ids.length ? h("p", { class: "muted small" }, speakerNames(state, ids)) : null);
  };
  return h("div", { class: "verdict-means" }, side("YES", candidate?.yesMeans ?? ""), side("NO", candidate?.noMeans ?? ""));
}

function gaugesOf(thread, over) {
  const f = thread.figures[thread.crux];
  if (!f) return null;
  const figure = (value, words) => h("div", { class: "figure" }, h("b", null, value), h("span", null, words));
  return h("div", { class: "verdict-figures" },
    figure(percent(f.share), "of the gap explained"),
    figure(String(flipsOf(thread).length), `${flipsOf(thread).length === 1 ? "mind" : "minds"} would change with it`),
    over && thread.gap.AFTER !== undefined && thread.gap.BEFORE !== undefined
      ? figure(`${percent(thread.gap.BEFORE)} → ${percent(thread.gap.AFTER)}`, "gap before and after") : null);
}

function endingOf(over) {
  const word = over ? wordFor("endings", over.ending) : "";
  return word ? h("p", { class: "muted small" }, word) : null;
}

function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function consentWords(state, { accepted, dissent }) {
  const agree = `${accepted.length ? plural(accepted.length, "person", "people") : "Nobody"} can live with it`;
  const not = dissent.map((d) => `${speakerNames(state, [d.agent])}${d.why ? ` (${d.why})` : ""}`);
  return not.length ? `${agree}; not: ${not.join(", ")}` : agree;
}

function talkHeadline(state) {
  const over = state.complete;
  const last = state.syntheses.at(-1);
  if (!over && !last) return null;
  const words = over ? (wordFor("headlines", over.verdict)) : `Act ${last.act} is summed up`;
  const next = over ? over.why : `Next: ${last.nextStep}`;
  const against = last?.dissent ?? [];
  return [h("div", { class: "verdict-main" },
    h("p", { class: "eyebrow" }, words),
    h("h2", { class: next.length > 120 ? "long" : null }, sentence(next)),
    last && (last.accepted.length || against.length) ? h("p", { class: "small" }, consentWords(state, last)) : null,
    endingOf(over))];
}

customElements.define("crux-verdict", CruxVerdict);
