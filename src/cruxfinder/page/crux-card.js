/** One card a crux: the question, who stands where, what would change their minds, and what settling it would do. */

import { h, keyed, setShown, percent, plural, twoPlaces } from "./dom.js";
import { campMark, campOf, nameOf, redraw, shareBar } from "./chart.js";
import { headWord, shareMeaning, sideWord, threadTone, threadWord, wordFor } from "./words.js";

const CARD_SIDES = ["YES", "NO", "UNCERTAIN"];
const gaugeName = (gauge) => headWord(wordFor("gauges", gauge)[0]);
const gaugeSays = (gauge) => wordFor("gauges", gauge)[1];
const TESTED_COLUMNS = ["Question", ...["gapClosed", "share", "dcg", "flips"].map(gaugeName)];

/**
 * The threads that have a crux, the primary one first, then by rank.
 * @param {object} state
 */
export function cruxThreads(state) {
  const rank = (thread) => thread.figures[thread.crux]?.rank ?? -1;
  const found = state.threadIds.map((id) => state.threads[id]).filter((t) => t.crux && t.status !== "MERGED");
  return found.sort((a, b) => (b.id === state.primary) - (a.id === state.primary) || rank(b) - rank(a) || (a.id < b.id ? -1 : 1));
}

/** All cruxes of a debate. */
export class CruxCards extends HTMLElement {
  list = h("div", { class: "crux-list" });
  empty = h("p", { class: "muted view-empty",
    text: "No crux yet. A question becomes one when settling it would change minds; the agents are still looking for it." });
  parts = new Map();

  connectedCallback() {
    if (!this.list.isConnected) this.append(this.empty, this.list);
  }

  /**
   * @param {object} state
   * @param {{result: object|null, select: Function, camps: object}} context
   */
  show(state, context) {
    [this.state, this.context] = [state, context];
    const threads = cruxThreads(state);
    setShown(this.empty, threads.length === 0);
    keyed(this.list, threads, (thread) => thread.id, (thread) => this.make(thread));
    for (const thread of threads) this.update(this.parts.get(thread.id), thread);
  }

  make(thread) {
    const place = (name, tag = "div") => h(tag, { class: name });
    const part = {
      head: place("crux-head", "header"), sides: place("crux-sides"), figures: place("crux-figures", "section"),
      verdict: place("crux-verdict"), next: place("crux-next"), tested: place("crux-tested"),
    };
    const messages = h("button", {
      type: "button", class: "button no-print", text: "Show its messages",
      on: { click: () => this.context.select("thread", thread.id) },
    });
    part.more = h("details", { class: "crux-more" }, h("summary", { text: "Other questions that were tested" }), part.tested);
    part.element = h("article", { class: "crux-card card", dataset: { thread: thread.id } },
      part.head,
      h("div", { class: "crux-body" }, part.sides, h("div", { class: "crux-aside" }, part.figures, part.verdict, part.next)),
      part.more, h("footer", { class: "crux-foot" }, messages));
    this.parts.set(thread.id, part);
    return part.element;
  }

  update(part, thread) {
    const { state, context } = this;
    const told = cruxResult(context.result, thread.id);
    const figures = thread.figures[thread.crux];
    part.element.classList.toggle("is-primary", thread.id === state.primary);
    const stands = [thread.id === state.primary, thread.stage, thread.status, thread.verdict];
    redraw(part.head, [...stands, thread.crux, thread.candidates, thread.horizon], () => cruxHead(thread, state.primary));
    redraw(part.sides, [thread.commitments, thread.sides, thread.falsifiers, thread.excused, context.camps], () => this.sides(thread));
    redraw(part.figures, [figures, thread.gap, told, context.camps], () => this.figures(thread, figures, told));
    redraw(part.verdict, [thread.verdict, thread.why, thread.objections, thread.extracted], () => this.verdict(thread));
    redraw(part.next, [told, context.result], () => cruxNext(told, context.result));
    redraw(part.tested, [thread.candidates, thread.figures, thread.crux], () => cruxTested(thread));
    setShown(part.more, thread.candidates.length > 1);
  }

  person(id) {
    return h("span", { class: "person" }, campMark(campOf(this.context.camps, id)), h("span", { text: nameOf(this.state, id) }));
  }

  sides(thread) {
    const ids = this.state.seats.map((seat) => seat.id).filter((id) => id in thread.commitments || id in thread.sides);
    if (!ids.length) return h("p", { class: "muted", text: "Nobody has taken a side yet." });
    return CARD_SIDES.map((side) => {
      const here = ids.filter((id) => (thread.sides[id] ?? thread.commitments[id]?.side) === side);
      if (!here.length) return null;
      return h("section", { class: "crux-side", dataset: { side } },
        h("h4", null, h("span", { class: "crux-side-name", text: sideWord(side) }), ` ${plural(here.length, "agent")}`),
        h("ul", null, here.map((id) => this.position(thread, id))));
    });
  }

  position(thread, id) {
    const held = thread.commitments[id];
    const moved = held && thread.sides[id] && thread.sides[id] !== held.side;
    const excused = thread.excused.includes(id) ? h("span", { class: "pill", text: "excused" }) : null;
    return h("li", { class: "crux-position" },
      h("p", { class: "crux-who" }, this.person(id),
        held && !moved ? h("span", { class: "crux-sure", text: `${percent(held.confidence)} sure` }) : null,
        moved ? h("span", { class: "pill", "data-tone": "accent", text: `committed to ${sideWord(held.side)}, then moved` }) : null,
        excused),
      held ? h("p", { class: "crux-statement", text: held.statement }) : null,
      (thread.falsifiers[id] ?? []).map((test) => cruxFalsifier(test)));
  }

  figures(thread, figures, told) {
    if (!figures) return h("p", { class: "muted", text: "Not weighed yet: the private questions come before the evidence." });
    const { BEFORE: before, AFTER: after } = thread.gap;
    const { flips } = figures;
    return [
      h("h4", { text: "What hangs on it" }),
      shareBar(gaugeName("gapClosed"), figures.gapClosed, gaugeSays("gapClosed")),
      shareBar(gaugeName("share"), figures.share, shareMeaning(figures.share)),
      shareBar(gaugeName("dcg"), figures.dcg, gaugeSays("dcg"), twoPlaces(figures.dcg)),
      after === undefined ? null : h("p", {
        class: "crux-gap", text: `The camps were ${twoPlaces(before)} apart before the evidence and ${twoPlaces(after)} after it.`,
      }),
      h("h4", { text: flips.length ? "Who would change their mind" : "Nobody would change their mind" }),
      h("ul", { class: "crux-flips" }, flips.map((id) => this.flip(id, told?.crux?.counterfactual?.[id]))),
    ];
  }

  flip(id, why) {
    const range = why ? h("span", {
      class: "crux-range", text: `claim ${percent(why.ifYes)} if YES, ${percent(why.ifNo)} if NO`, title: why.why,
    }) : null;
    return h("li", null, this.person(id), range);
  }

  verdict(thread) {
    const against = thread.objections.map((o) => h("li", { text: `${nameOf(this.state, o.agent)} objects: ${o.objection}` }));
    const failed = (thread.extracted?.failures ?? []).map((f) => h("li", { text: `${f.reason}` }));
    if (!thread.verdict && !against.length && !failed.length) return null;
    return [
      thread.verdict ? h("h4", { text: `Verdict: ${thread.verdict}` }) : null, thread.why ? h("p", { text: thread.why }) : null,
      against.length + failed.length ? h("ul", { class: "crux-against" }, against, failed) : null,
    ];
  }
}

function cruxHead(thread, primary) {
  const asked = thread.candidates.find((candidate) => candidate.id === thread.crux);
  const first = thread.id === primary;
  return [
    h("p", { class: "crux-marks" },
      h("span", { class: "eyebrow", text: first ? "★ The primary crux" : "Crux" }),
      h("span", { class: "pill", "data-tone": threadTone(thread), text: threadWord(thread) }),
      thread.verdict ? cruxVerdictPill(thread.verdict) : null,
      thread.horizon ? h("span", { class: "pill", text: `within ${thread.horizon}` }) : null),
    h("h3", { class: "crux-question", text: asked?.question ?? thread.question }),
    h("dl", { class: "crux-means" },
      h("div", { dataset: { side: "YES" } }, h("dt", { text: "YES means" }), h("dd", { text: asked?.yesMeans || "it is so" })),
      h("div", { dataset: { side: "NO" } }, h("dt", { text: "NO means" }), h("dd", { text: asked?.noMeans || "it is not" }))),
  ];
}

function cruxVerdictPill(verdict) {
  return h("span", { class: "pill", "data-tone": verdict.includes("crux") ? "good" : "warn", text: verdict });
}

function cruxFalsifier(test) {
  const notes = [
    test.concreteness === undefined ? "" : `${percent(test.concreteness)} concrete`,
    test.openEnded ? "open-ended" : "", test.drafted ? "drafted by the moderator" : "",
  ].filter(Boolean).join(" · ");
  return h("p", { class: "crux-falsifier" },
    h("span", { class: "crux-if", text: "changes their mind if " }), h("span", { text: `${test.metric}: ` }),
    h("strong", { text: test.threshold }), " ", h("span", { class: "crux-by", text: test.deadline }),
    notes ? h("span", { class: "crux-notes", text: notes }) : null);
}

/** What the result says of a thread's crux, once there is a result. */
function cruxResult(result, id) {
  return result?.threads?.find((thread) => thread.id === id) ?? null;
}

function cruxNext(told, result) {
  if (!told?.crux) return null;
  const criteria = told.crux.resolutionCriteria ?? [];
  const next = (result.recommendedNextQuestions ?? []).filter((asked) => asked.crux === told.crux.id)[0];
  return [
    next ? [h("h4", { text: "Ask next" }), h("p", { class: "crux-ask", text: next.question }),
      h("p", { class: "muted small", text: next.why })] : null,
    criteria.length ? h("details", null, h("summary", { text: `What would settle it (${criteria.length})` }),
      h("ul", { class: "crux-criteria" }, criteria.map((text) => h("li", { text })))) : null,
  ];
}

function cruxTested(thread) {
  const rank = (candidate) => thread.figures[candidate.id]?.rank ?? -1;
  const others = thread.candidates.filter((candidate) => candidate.id !== thread.crux).sort((a, b) => rank(b) - rank(a));
  const cell = (text) => h("td", { text });
  const row = (candidate) => {
    const found = thread.figures[candidate.id];
    const told = (words) => (found ? words(found) : "–");
    return h("tr", null, h("th", { scope: "row", text: candidate.question }),
      cell(told((f) => percent(f.gapClosed))), cell(told((f) => percent(f.share))),
      cell(told((f) => twoPlaces(f.dcg))), cell(told((f) => String(f.flips.length))));
  };
  const weighed = others.length === 1 ? "was weighed" : "were weighed";
  return h("div", { class: "table-wrap", tabindex: 0, role: "region", "aria-label": `Other questions beside: ${thread.question}` },
    h("table", { class: "crux-table" },
      h("caption", { text: `${plural(others.length, "other question")} came up and ${weighed} the same way` }),
      h("thead", null, h("tr", null, TESTED_COLUMNS.map((text) => h("th", { scope: "col", text })))),
      h("tbody", null, others.map(row))));
}

customElements.define("crux-cards", CruxCards);
