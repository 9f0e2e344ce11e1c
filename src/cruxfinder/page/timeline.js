/** The whole debate as a line to walk along: a slider over its states, marks for what changed, play and pause. */

import { clock, h, setShown, setText } from "./dom.js";
import { lineText } from "./speakers.js";

const SPEEDS = [1, 5, 20, 60];
const JUMPS_MAX = 8;

export class CruxTimeline extends HTMLElement {
  #tape = null;
  #at = 0;
  #length = -1;
  #following = true;
  #playing = null;
  #speed = 20;
  #p = null;

  /**
   * @param {object} wishes
   * @param {(at: number) => void} wishes.onPlace the reader went to another place
   * @param {() => void} wishes.onLive the reader wants to follow the end again
   */
  open(wishes) {
    this.wishes = wishes;
    if (this.#p) return;
    this.#build();
    this.classList.add("timeline");
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", "Timeline");
  }

  /**
   * @param {object} tape
   * @param {number} at which of the tape's states is shown
   * @param {{live: boolean, following: boolean}} how live: more may come
   */
  show(tape, at, how) {
    const p = this.#p;
    if (tape !== this.#tape || tape.length !== this.#length) this.#measure(tape);
    this.#at = at;
    this.#following = how.following;
    const frame = at > 0 ? tape.frames[at - 1] : null;
    const told = frame ? lineText(frame) : "before the first word";
    const time = clock(tape.states[at].atMs);
    p.range.value = String(at);
    p.range.style.setProperty("--place", String(tape.length ? at / tape.length : 0));
    p.range.setAttribute("aria-valuetext", `${time}, ${told.slice(0, 120)}`);
    setText(p.time, time);
    setText(p.told, told);
    setText(p.count, `${at} / ${tape.length}`);
    setShown(p.live, how.live || !how.following);
    const word = how.live ? "Live" : "To the end";
    if (p.liveWord !== word) setText(p.live.lastChild, (p.liveWord = word));
    p.live.setAttribute("aria-pressed", String(how.following));
  }

  /** Stops playing; the page was told to go elsewhere. */
  halt() {
    if (this.#playing === null) return;
    cancelAnimationFrame(this.#playing);
    this.#playing = null;
    this.#playLook();
  }

  disconnectedCallback() {
    this.halt();
  }

  #build() {
    const range = h("input", {
      type: "range", min: "0", max: "0", step: "1", class: "timeline-range", "aria-label": "Place in the debate",
      on: { input: () => this.#go(Number(range.value)), keydown: (event) => this.#keys(event) },
    });
    const speed = h("select", {
      class: "timeline-speed", "aria-label": "Speed", on: { change: () => { this.#speed = Number(speed.value); } },
    }, SPEEDS.map((x) => h("option", { value: String(x), selected: x === this.#speed }, `${x}×`)));
    this.#p = {
      range, speed,
      play: h("button", { class: "button icon play", type: "button", "aria-label": "Play", on: { click: () => this.#toggle() } },
        h("span", { "aria-hidden": "true" })),
      back: this.#step("Previous event", "‹", -1), next: this.#step("Next event", "›", 1),
      time: h("output", { class: "timeline-time" }), told: h("span", { class: "timeline-told" }),
      count: h("span", { class: "timeline-count" }),
      marks: h("div", { class: "timeline-marks", "aria-hidden": "true" }), jumps: h("div", { class: "timeline-jumps" }),
      live: h("button", { class: "button live", type: "button", on: { click: () => { this.halt(); this.wishes.onLive(); } } },
        h("span", { class: "dot", "aria-hidden": "true" }), "Live"),
    };
    const p = this.#p;
    this.append(
      h("div", { class: "timeline-top" }, p.time, p.told, p.jumps),
      h("div", { class: "timeline-row" },
        p.play, p.back, h("div", { class: "timeline-track" }, p.marks, p.range), p.next, p.count, p.speed, p.live),
    );
  }

  #step(label, sign, by) {
    return h("button", {
      class: "button quiet icon step", type: "button", "aria-label": label, on: { click: () => this.#go(this.#at + by) },
    }, h("span", { "aria-hidden": "true" }, sign));
  }

  #measure(tape) {
    const p = this.#p;
    this.#tape = tape;
    this.#length = tape.length;
    p.range.max = String(tape.length);
    p.marks.replaceChildren(...tape.marks.map((m) => h("span", {
      class: "timeline-mark", title: m.label, dataset: { mark: m.mark }, vars: { "--at": tape.length ? m.at / tape.length : 0 },
    })));
    const lock = tape.marks.find((m) => m.mark === "lock");
    const cruxes = tape.marks.filter((m) => m.mark === "crux").slice(0, JUMPS_MAX);
    const jumps = [lock && { ...lock, word: "first lock" }, ...cruxes.map((m) => ({ ...m, word: m.label }))].filter(Boolean);
    p.jumps.replaceChildren(...jumps.map((j) => h("button", {
      class: "jump", type: "button", dataset: { mark: j.mark }, title: `${j.label}, ${clock(j.atMs)}`, on: { click: () => this.#go(j.at) },
    }, j.word)));
  }

  #go(at) {
    this.halt();
    this.wishes.onPlace(Math.max(0, Math.min(this.#length, at)));
  }

  /** Arrow keys go by one event as in any slider; with page keys from mark to mark. */
  #keys(event) {
    if (event.key !== "PageUp" && event.key !== "PageDown") return;
    event.preventDefault();
    const places = this.#tape.marks.map((m) => m.at);
    const next = event.key === "PageUp" ? places.find((at) => at > this.#at) : places.findLast((at) => at < this.#at);
    this.#go(next ?? (event.key === "PageUp" ? this.#length : 0));
  }

  #toggle() {
    if (this.#playing !== null) {
      this.halt();
      return;
    }
    if (this.#at >= this.#length) this.wishes.onPlace(0);
    let ms = this.#tape.states[this.#at].atMs;
    let before = performance.now();
    const tick = (now) => {
      ms += (now - before) * this.#speed;
      before = now;
      const at = Math.max(this.#at, this.#tape.placeAt(ms));
      if (at !== this.#at) this.wishes.onPlace(at);
      if (at >= this.#length) this.halt();
      else this.#playing = requestAnimationFrame(tick);
    };
    this.#playing = requestAnimationFrame(tick);
    this.#playLook();
  }

  #playLook() {
    const playing = this.#playing !== null;
    this.#p.play.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.#p.play.classList.toggle("playing", playing);
  }
}

customElements.define("crux-timeline", CruxTimeline);
