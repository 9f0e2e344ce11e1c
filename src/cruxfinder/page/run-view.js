/** One run (API-4): live or from a file, drawn from the same states; everything a reader can do with it meets here. */

import { h, plural, setText } from "./dom.js";
import { figuresOf } from "./figures.js";
import { campsOf } from "./reduce_camps.js";
import { speakerName } from "./speakers.js";
import { fileSource, LiveSource } from "./run-source.js";
import { RunTabs } from "./run-tabs.js";
import { Tape } from "./tape.js";
import { protocolWords, wordFor } from "./words.js";
import "./agent-panel.js";
import "./asking.js";
import "./costs.js";
import "./crux-card.js";
import "./crux-map.js";
import "./log-view.js";
import "./run-head.js";
import "./steelman-table.js";
import "./threads-panel.js";
import "./timeline.js";
import "./turns-view.js";
import "./verdict-card.js";
import "./votes-view.js";

const NEWS_EVERY_MS = 3000;
const DEBATE_PANELS = [
  ["threads", "Threads", "crux-threads"], ["map", "Map", "crux-map"], ["cruxes", "Cruxes", "crux-cards"],
  ["agents", "Agents", "crux-agent-panel"], ["steelmans", "Steelmans", "crux-steelmans"], ["votes", "Matrix", "crux-votes"],
  ["log", "Log", "crux-log"], ["costs", "Limits", "crux-costs"],
];
const TALK_PANELS = [
  ["turns", "Turns", "crux-turns"], ["minutes", "Checklist", "crux-minutes"], ["agents", "Agents", "crux-agent-panel"],
  ["log", "Log", "crux-log"], ["costs", "Limits", "crux-costs"],
];

const PANELS = { result: DEBATE_PANELS, minutes: TALK_PANELS };

export class CruxRun extends HTMLElement {
  #id = "";
  #source = null;
  #tape = new Tape();
  #at = 0;
  #following = true;
  #wantedN = null;
  #due = null;
  #tabs = null;
  #parts = null;
  #camps = null;
  #news = { said: null, timer: null };

  /**
   * Shows a run. With `frames` nothing is ever asked of a server: that is how a report is shown.
   * @param {{id: string, live: boolean, frames?: object[], result?: object|null, brief?: object|null, at?: number|null}} source
   *   at: the number of the event to stand at, or nothing for the end
   */
  load(source) {
    this.#forget();
    this.#id = source.id;
    this.#wantedN = source.at ?? null;
    this.#following = this.#wantedN === null;
    this.#source = source.frames ? fileSource(source.frames, source.result, source.brief) : new LiveSource(source.id, {
      onChange: this.#changed,
      onTrouble: (problem) => this.dispatchEvent(new CustomEvent("trouble", { detail: problem, bubbles: true })),
      onCalm: () => this.dispatchEvent(new CustomEvent("calm", { bubbles: true })),
    });
    this.#source.start();
    this.#changed();
  }

  connectedCallback() {
    window.addEventListener("beforeprint", this.#drawAll);
    this.#tabs?.start();
  }

  disconnectedCallback() {
    window.removeEventListener("beforeprint", this.#drawAll);
    this.#forget();
  }

  get static() {
    return this.#source.static;
  }

  /** Goes to a place on the tape, 0 to its length; who goes to the end follows it from there. */
  goTo(at) {
    this.#following = at >= this.#tape.length;
    this.#wantedN = null;
    this.#at = at;
    this.#draw();
    this.#tellPlace();
  }

  /** Goes to the event with this number, as soon as it is there; to the end where there is none. */
  goToEvent(n) {
    this.#parts?.timeline.halt();
    this.#wantedN = n;
    this.#following = n === null;
    this.#changed();
  }

  /** How many places there are to go to. */
  get length() {
    return this.#tape.length;
  }

  #forget() {
    this.#source?.stop();
    this.#tabs?.stop();
    cancelAnimationFrame(this.#due);
    clearTimeout(this.#news.timer);
    this.#news = { said: null, timer: null };
    [this.#due, this.#tabs, this.#parts, this.#camps, this.#at] = [null, null, null, null, 0];
    this.#tape = new Tape();
    this.replaceChildren();
  }

  /** The source is not what it was: stands where the reader stood, also on another tape, and draws once a frame. */
  #changed = () => {
    const { tape } = this.#source;
    if (tape !== this.#tape) {
      this.#at = tape.placeOf(this.#tape.states[this.#at].n);
      this.#tape = tape;
    }
    if (this.#following) this.#at = tape.length;
    else if (this.#wantedN !== null) this.#at = tape.placeOf(this.#wantedN);
    this.#due ??= requestAnimationFrame(() => {
      this.#due = null;
      this.#draw();
      this.#announce();
    });
  };

  #build(state) {
    const list = PANELS[protocolWords(state.protocol).comesTo];
    const tabs = list.map(([id, label, tag]) => ({ id, label, panel: h("section", { class: "panel" }, h(tag, null)) }));
    this.#tabs = new RunTabs(tabs, () => this.#draw());
    this.#tabs.start();
    const p = {
      protocol: state.protocol, head: h("crux-run-head", null), verdict: h("crux-verdict", { hidden: true }),
      asking: h("crux-asking", null), timeline: h("crux-timeline", null),
      news: document.getElementById("news") ?? h("div", { class: "visually-hidden", role: "status" }),
      views: Object.fromEntries(tabs.map((t) => [t.id, t.panel.firstChild])),
    };
    p.timeline.open({ onPlace: (at) => this.goTo(at), onLive: () => this.#live() });
    this.classList.add("run");
    const [main, ...others] = this.#tabs.panels;
    const side = h("div", { class: "side" }, this.static ? null : p.asking, this.#tabs.bar, others);
    this.replaceChildren(p.head, p.verdict, h("div", { class: "run-body" }, side, main), p.timeline, p.news.isConnected ? "" : p.news);
    this.#parts = p;
    if (!this.static) p.head.addEventListener("changed", () => this.#source.again());
  }

  #live() {
    this.goTo(this.#tape.length);
  }

  /** Before the first event there is nothing but how it stands. */
  #drawWaiting() {
    const { state, why } = this.#source.status ?? {};
    const words = {
      preparing: "Getting ready: the people of this debate are being drawn up …", failed: why || "It could not be started.",
    }[state];
    const gone = this.#source.connection === "closed" ? "There is nothing to show here." : "Loading …";
    this.replaceChildren(h("p", { class: "empty-state", role: "status" }, words ?? gone));
  }

  #draw() {
    if (!this.static && this.#tape.length === 0) {
      this.#drawWaiting();
      return;
    }
    const state = this.#tape.states[this.#at];
    if (!this.#parts || this.#parts.protocol !== this.#tape.last.protocol) this.#build(this.#tape.last);
    const { head, verdict, asking, timeline, views } = this.#parts;
    const over = this.#tape.last.complete !== null;
    const context = this.#context(state);
    this.#tellTopic(this.#tape.last.topic);
    this.#dressCamps(state, context.camps);
    head.show(state, {
      id: this.#id, static: this.static, status: this.#source.status, connection: this.#source.connection, over,
      topic: this.#tape.last.topic, place: { n: state.n, last: this.#tape.last.n },
    });
    verdict.show(state, context);
    for (const [id, view] of Object.entries(views)) if (this.#tabs.isShown(id)) view.show?.(state, context);
    timeline.show(this.#tape, this.#at, { live: !over && !this.static, following: this.#following });
    if (!this.static) asking.show(this.#tape.last, context, this.#source.status?.waiting ?? []);
    if (over) this.#prepare(context);
  }

  #context(state) {
    const { result, brief } = this.#source;
    return {
      id: this.#id, ...(state.complete ? { result, brief } : { result: null, brief: null }), info: this.#source.info, camps: campsOf(state),
      static: this.static, select: this.#select, tape: this.#tape, at: this.#at, goTo: this.#goTo,
    };
  }

  #goTo = (at) => this.goTo(at);

  /** Once a debate is over its cards are all made in a quiet moment, so that no step of a scrub has to. */
  #prepare(context) {
    if (this.#parts.prepared === this.#tape) return;
    this.#parts.prepared = this.#tape;
    const quiet = window.requestIdleCallback ?? setTimeout;
    quiet(() => this.#parts?.views.threads?.prepare(this.#tape.last, context));
  }

  #drawAll = () => {
    if (!this.#parts) return;
    const state = this.#tape.states[this.#at];
    for (const view of Object.values(this.#parts.views)) view.show?.(state, this.#context(state));
  };

  /** Colours and letters of the camps as variables of the run: a change reaches every card without touching it. */
  #dressCamps(state, camps) {
    if (camps === this.#camps) return;
    this.#camps = camps;
    state.seats.forEach((seat, at) => {
      const camp = camps.of[seat.id];
      const set = (name, value) => (camp ? this.style.setProperty(name, value) : this.style.removeProperty(name));
      set(`--seat-${at}`, `var(--camp-${camp?.index})`);
      set(`--seat-${at}-soft`, `var(--camp-${camp?.index}-soft)`);
      set(`--seat-${at}-letter`, `"${camp?.letter}"`);
    });
  }

  /** What was selected anywhere is shown where it belongs. */
  #select = (what, id) => {
    const { views } = this.#parts;
    if (what === "message") return this.#showMessage(id);
    if (what === "turn") return this.#tabs.open("turns"), views.turns.reveal(id);
    if (what === "thread") {
      this.#tabs.open("threads");
      const column = views.threads.column(id);
      return column?.scrollIntoView({ block: "nearest", inline: "center" }), column?.focusTitle();
    }
    const tab = what === "agent" ? "agents" : "cruxes";
    this.#tabs.open(tab);
    const place = views[tab].querySelector(`[data-${what === "agent" ? "agent" : "thread"}="${CSS.escape(id)}"]`);
    return place?.scrollIntoView({ block: "nearest" });
  };

  #showMessage(id) {
    const message = this.#tape.last.messages[id];
    if (!message) return;
    // What is selected may lie ahead of the place the reader scrubbed to.
    if (!this.#tape.states[this.#at].messages[id]) this.goTo(this.#tape.placeOf(message.n));
    this.#tabs.open("threads");
    const state = this.#tape.states[this.#at];
    const holders = state.threadIds.filter((t) => state.threads[t].messageIds.includes(id));
    this.#parts.views.threads.column(holders[0])?.reveal(id);
  }

  #tellTopic(topic) {
    if (this.#parts.topic === topic) return;
    this.#parts.topic = topic;
    this.dispatchEvent(new CustomEvent("topic", { detail: topic, bubbles: true }));
  }

  #tellPlace() {
    const n = this.#following ? null : this.#tape.states[this.#at].n;
    this.dispatchEvent(new CustomEvent("place", { detail: n, bubbles: true }));
  }

  /** New messages are told politely and together, and only to who follows the end of a debate that goes on. */
  #announce() {
    const { last } = this.#tape;
    const said = saidIn(last);
    const first = this.#news.said === null;
    this.#news.said ??= said;
    if (first || !this.#following || this.#news.timer || said === this.#news.said) return;
    this.#news.timer = setTimeout(() => this.#tellNews(), NEWS_EVERY_MS);
  }

  #tellNews() {
    const { last } = this.#tape;
    const said = saidIn(last);
    const message = last.messageOrder.findLast((id) => !last.messages[id].moderator);
    const by = last.turns.at(-1)?.agent ?? last.messages[message]?.agent;
    const told = last.complete ? `The debate is over. ${this.#source.brief?.headline ?? wordFor("headlines", last.complete.verdict)}`
      : `${plural(said - this.#news.said, "new message")}, the last by ${speakerName(last, by)}`;
    setText(this.#parts.news, told);
    this.#news = { said, timer: null };
  }
}

function saidIn(state) {
  const { messages, turns } = figuresOf(state);
  return messages + turns;
}

customElements.define("crux-run", CruxRun);
