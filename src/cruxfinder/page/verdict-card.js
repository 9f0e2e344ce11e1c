/** What the debate comes to, as far as it is known: the one question it turns on, first and largest. */

import { h, percent, plural, twoPlaces } from "./dom.js";
import { flipsOf } from "./figures.js";
import { speakerNames } from "./speakers.js";
import { headWord, protocolWords, shareMeaning, wordFor } from "./words.js";

const GAUGES = 3;
const FOUND = ["crux", "locked, unresolved", "partial crux"]; // verdicts that name a question
const [FLIPS, FLIPS_SAYS] = wordFor("gauges", "flips");
const HEADS = { result: cruxHeadline, minutes: (state, _, context) => talkHeadline(state, context.brief) };

export class CruxVerdict extends HTMLElement {
  #drawn = [];

  /** @param {object} state @param {object} context result, select */
  show(state, context) {
    const thread = leading(state, context.brief);
    const about = thread ? [thread.id, thread.question, thread.sides, thread.figures, thread.gap, thread.extracted, thread.stage] : [];
    const now = [state.complete, context.brief, state.syntheses, state.seats, ...about];
    if (now.length === this.#drawn.length && now.every((x, i) => x === this.#drawn[i])) return;
    this.#drawn = now;
    const content = HEADS[protocolWords(state.protocol).comesTo](state, thread, context);
    this.hidden = content === null;
    this.classList.add("verdict");
    this.dataset.over = String(state.complete !== null);
    this.replaceChildren(...(content ?? []));
  }
}

/**
 * The thread the headline is about: that of the primary crux. Before one is found the threads speak for themselves;
 * of a debate that ended before one was argued out, the brief says which question counts.
 */
function leading(state, brief) {
  if (state.primary) return state.threads[state.primary];
  const told = state.complete && brief?.question;
  return told ? Object.values(state.threads).find((thread) => thread.question === told) ?? null : null;
}

function cruxHeadline(state, thread, context) {
  const over = state.complete;
  if (!over && !thread) return null;
  const found = over ? FOUND.includes(over.verdict) : true;
  const eyebrow = over ? headlineOf(over, context.brief) : "A crux is found, the debate goes on";
  if (!thread || !found) {
    return [h("div", { class: "verdict-main" },
      h("p", { class: "eyebrow" }, eyebrow), h("h2", null, headWord(over?.why ?? "")), endingOf(over))];
  }
  const candidate = thread.candidates.find((c) => c.id === thread.crux);
  return [
    h("div", { class: "verdict-main" },
      h("p", { class: "eyebrow" }, eyebrow),
      h("h2", null, h("button", {
        class: "link verdict-question", type: "button", on: { click: () => context.select("crux", thread.id) },
      }, thread.question)),
      over ? means(state, thread, candidate) : null, endingOf(over)),
    gaugesOf(thread, over, context.brief),
  ];
}

/** What it came to, in the words that the exports have; a moment before they are here, in those of the verdict alone. */
function headlineOf(over, brief) {
  return brief?.headline ?? wordFor("headlines", over.verdict);
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

/** The figures of the question: as the brief has them once it is over, else as they were weighed. */
function gaugesOf(thread, over, brief) {
  const f = thread.figures[thread.crux];
  if (!f) return null;
  const figure = (value, words) => h("div", { class: "figure" }, h("b", null, value), h("span", null, words));
  const told = (brief?.gauges ?? []).slice(0, GAUGES).map((g) => [g.figure, g.name === FLIPS ? FLIPS_SAYS : g.meaning]);
  const now = [[percent(f.share), shareMeaning(f.share)], [String(flipsOf(thread).length), FLIPS_SAYS]];
  const { BEFORE: before, AFTER: after } = thread.gap;
  const moved = over && after !== undefined && before !== undefined;
  return h("div", { class: "verdict-figures" },
    (told.length ? told : now).map(([value, words]) => figure(value, words)),
    moved ? figure(`${twoPlaces(before)} → ${twoPlaces(after)}`, "apart, before and after") : null);
}

function endingOf(over) {
  const word = over ? wordFor("endings", over.ending) : "";
  return word ? h("p", { class: "muted small" }, word) : null;
}

function consentWords(state, { accepted, dissent }) {
  const agree = `${accepted.length ? plural(accepted.length, "person", "people") : "Nobody"} can live with it`;
  const not = dissent.map((d) => `${speakerNames(state, [d.agent])}${d.why ? ` (${d.why})` : ""}`);
  return not.length ? `${agree}; not: ${not.join(", ")}` : agree;
}

function talkHeadline(state, brief) {
  const over = state.complete;
  const last = state.syntheses.at(-1);
  if (!over && !last) return null;
  const words = over ? headlineOf(over, brief) : `Act ${last.act} is summed up`;
  const next = over ? over.why : `Next: ${last.nextStep}`;
  const against = last?.dissent ?? [];
  return [h("div", { class: "verdict-main" },
    h("p", { class: "eyebrow" }, words),
    h("h2", { class: next.length > 120 ? "long" : null }, headWord(next)),
    last && (last.accepted.length || against.length) ? h("p", { class: "small" }, consentWords(state, last)) : null,
    endingOf(over))];
}

customElements.define("crux-verdict", CruxVerdict);
