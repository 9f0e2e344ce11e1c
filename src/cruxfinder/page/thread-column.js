/** One thread as a column: what it is about, how far it is, who is on which side, and everything said in it. */

import { h, percent, plural, setShown, setText } from "./dom.js";
import { messagesOf } from "./figures.js";
import { messageCard, seatMark, seatNumber } from "./message-card.js";
import { speakerName, speakerNames } from "./speakers.js";
import { threadOver } from "./reduce_thread.js";
import { sideWord, threadTone, threadWord } from "./words.js";

const SIDES = ["YES", "NO", "UNCERTAIN"];

export class CruxThread extends HTMLElement {
  #drawn = null;
  #ids = [];
  #nodes = new Map();
  #parts = null;
  #bySides = null;
  #sidesDrawn = new WeakMap();

  /**
   * @param {object} state
   * @param {object} thread
   * @param {object} context select(what, id)
   */
  show(state, thread, context) {
    if (!this.#parts) this.#build(thread);
    if (thread === this.#drawn) return;
    this.#head(state, thread);
    this.#messages(state, thread, context);
    this.#drawn = thread;
  }

  /** Makes the cards of a state that is still to come, out of sight, so that scrubbing there costs little. */
  prepare(state, thread, context) {
    if (!this.#parts) this.#build(thread);
    for (const id of thread.messageIds) if (!this.#nodes.has(id)) this.#place(state, id, context).hidden = true;
  }

  /** Opens the column and marks a message in it. */
  reveal(id) {
    const node = this.#nodes.get(id);
    if (!node || node.hidden) return false;
    this.#fold(true);
    node.scrollIntoView({ block: "center", inline: "nearest" });
    node.focus({ preventScroll: true });
    node.classList.remove("struck");
    requestAnimationFrame(() => node.classList.add("struck"));
    return true;
  }

  focusTitle() {
    this.#parts.title.focus({ preventScroll: true });
  }

  #build(thread) {
    const title = `thread-${thread.id}-title`;
    const p = {
      tag: h("span", { class: "thread-id" }, thread.id), stage: h("span", { class: "badge" }), from: h("span", { class: "thread-from" }),
      title: h("h3", { class: "thread-title", id: title, tabindex: "-1" }), question: h("p", { class: "thread-question" }),
      bar: h("div", {
        class: "bar", role: "progressbar", "aria-label": "how far", "aria-valuemin": "0", "aria-valuemax": "100",
      }, h("span", null)),
      sides: h("div", { class: "thread-sides" }), why: h("p", { class: "thread-why" }), count: h("span", { class: "thread-count" }),
      list: h("div", { class: "messages" }), fold: null, region: null,
    };
    p.region = h("div", {
      class: "messages-scroll", id: `thread-${thread.id}-messages`, tabindex: "0", role: "region", "aria-label": `Messages of ${thread.id}`,
    }, p.list);
    p.fold = h("button", {
      class: "button quiet icon fold", type: "button", "aria-expanded": "true", "aria-controls": p.region.id,
      "aria-label": `Messages of ${thread.id}`, on: { click: () => this.#fold() },
    }, h("span", { class: "chevron", "aria-hidden": "true" }));
    this.dataset.thread = thread.id;
    this.setAttribute("role", "group");
    this.setAttribute("aria-labelledby", title);
    this.append(
      h("header", { class: "thread-head" },
        h("div", { class: "thread-line" }, p.tag, p.stage, p.from, h("span", { class: "spring" }), p.count, p.fold),
        p.title, p.question, p.sides, p.bar, p.why),
      p.region,
    );
    this.#parts = p;
  }

  #fold(open) {
    const { region, fold } = this.#parts;
    const shown = open ?? region.hidden;
    region.hidden = !shown;
    fold.setAttribute("aria-expanded", String(shown));
    this.classList.toggle("folded", !shown);
  }

  #head(state, thread) {
    const p = this.#parts;
    const over = threadOver(thread);
    setText(p.stage, threadWord(thread));
    p.stage.dataset.tone = threadTone(thread);
    const asked = thread.question && thread.question !== thread.topic ? thread.question : "";
    setText(p.title, asked || thread.topic.replaceAll("-", " "));
    const open = !thread.question && thread.candidates.length;
    setText(p.question, open ? `${plural(thread.candidates.length, "question")} proposed so far` : "");
    setText(p.from, this.#origin(thread));
    setText(p.count, plural(messagesOf(state, thread), "message"));
    const far = Math.round(thread.signal * 100);
    if (p.bar.getAttribute("aria-valuenow") !== String(far)) {
      p.bar.setAttribute("aria-valuenow", String(far));
      p.bar.firstChild.style.setProperty("--far", String(thread.signal));
      p.bar.title = `how far: ${percent(thread.signal)}`;
    }
    if (this.#bySides !== thread.sides) this.#sides(state, thread);
    // The question stands above already.
    const why = thread.why.replace(`"${thread.question}" `, "");
    setText(p.why, over ? [thread.verdict, why].filter(Boolean).join(": ") : "");
    setShown(p.why, over);
    this.classList.toggle("over", over);
    this.dataset.stage = thread.stage;
  }

  #origin(thread) {
    if (!thread.parent) return "";
    return `from ${thread.parent}${thread.trigger ? `, ${thread.trigger}` : ""}`;
  }

  /** States share what did not change, so the same sides come back on every way through the debate: drawn once. */
  #sides(state, thread) {
    this.#bySides = thread.sides;
    let drawn = this.#sidesDrawn.get(thread.sides);
    if (!drawn) this.#sidesDrawn.set(thread.sides, (drawn = this.#sideGroups(state, thread)));
    this.#parts.sides.replaceChildren(...drawn);
  }

  #sideGroups(state, thread) {
    const crowd = Object.keys(thread.sides).length > 6;
    const groups = SIDES.map((side) => [side, Object.keys(thread.sides).filter((id) => thread.sides[id] === side)]);
    return groups.filter(([, ids]) => ids.length).map(([side, ids]) => h(
      // With many on a side the letters are enough for the eye; the names are told on hover and to screen readers.
      "span", { class: crowd ? "side-group many" : "side-group", title: speakerNames(state, ids) },
      h("b", null, sideWord(side)), h("span", { class: "visually-hidden" }, speakerNames(state, ids)),
      ids.map((id) => h("span", { class: "initial", "aria-hidden": "true" }, seatMark(seatNumber(state, id)), speakerName(state, id))),
    ));
  }

  /** Shows what is new in the list and hides what is not said yet; all the rest is left alone. */
  #messages(state, thread, context) {
    const before = this.#ids;
    const now = thread.messageIds;
    if (before === now) return;
    let same = 0;
    while (same < before.length && same < now.length && before[same] === now[same]) same += 1;
    for (let i = same; i < before.length; i += 1) this.#nodes.get(before[i]).hidden = true;
    for (let i = same; i < now.length; i += 1) (this.#nodes.get(now[i]) ?? this.#place(state, now[i], context)).hidden = false;
    this.#ids = now;
  }

  #place(state, id, context) {
    const node = messageCard(state, state.messages[id], context.select);
    const number = Number(id.slice(1));
    let after = this.#parts.list.lastElementChild;
    while (after && Number(after.dataset.message.slice(1)) > number) after = after.previousElementSibling;
    if (after) after.after(node);
    else this.#parts.list.prepend(node);
    this.#nodes.set(id, node);
    return node;
  }
}

customElements.define("crux-thread", CruxThread);
