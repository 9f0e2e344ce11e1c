/** The top of a run: its topic, how it stands, and what can be done with it. */

import { download, getJson, postJson, runPath } from "./api.js";
import { clock, freshId, h, plural, setShown, setText } from "./dom.js";
import { figuresOf } from "./figures.js";
import { countWord, runStands } from "./words.js";

const LINE_WORDS = { connecting: "connecting …", waiting: "connection lost, trying again …", open: "", closed: "" };

export class CruxRunHead extends HTMLElement {
  #p = null;
  #now = null;

  /**
   * @param {object} state as it is shown
   * @param {object} how id, static, status: {state, why}, connection, place: {n, last}, over
   */
  show(state, how) {
    if (!this.#p) this.#build(how);
    this.#now = how;
    const p = this.#p;
    const stands = how.status?.state ?? (how.over ? "complete" : "open");
    setText(p.topic, state.topic || how.topic || "…");
    const { word, tone } = runStands(stands);
    setText(p.state.lastChild, word);
    p.state.dataset.tone = tone;
    p.state.dataset.live = String(stands === "running" && !how.static);
    setText(p.protocol, state.protocol);
    setText(p.facts, `${countWord(figuresOf(state).agents, "agents")} · ${clock(state.atMs)} of debate`);
    setText(p.line, how.static ? "" : (LINE_WORDS[how.connection] ?? ""));
    setText(p.why, how.status?.why ?? "");
    setText(p.forked, state.forked ? `forked from ${state.forked.parent}` : "");
    if (how.static) return;
    setShown(p.stop, stands === "running" || stands === "preparing");
    setShown(p.resume, stands === "open" || stands === "failed");
    setShown(p.exports, how.over);
    setShown(p.forkButton, how.over); // before, a fork would tell what is still private
  }

  #build(how) {
    const state = h("span", { class: "pill" }, h("span", { class: "dot", "aria-hidden": "true" }), h("span", null));
    this.#p = {
      topic: h("h1", null), state, protocol: h("span", { class: "pill" }), facts: h("span", { class: "muted small" }),
      line: h("span", { class: "run-line small", role: "status" }), why: h("p", { class: "error" }),
      forked: h("span", { class: "muted small" }), note: h("p", { class: "error", role: "alert" }),
    };
    const p = this.#p;
    this.classList.add("run-head");
    this.append(
      h("div", { class: "run-titles" }, p.topic, h("div", { class: "run-facts" }, p.state, p.protocol, p.facts, p.forked, p.line)),
      how.static ? "" : this.#actions(), p.why, p.note,
    );
  }

  #actions() {
    const p = this.#p;
    const act = (label, rest) => h("button", {
      class: "button", type: "button",
      on: { click: () => this.#try(() => postJson(runPath(this.#now.id, rest), {}), "changed") },
    }, label);
    p.stop = act("Stop", "/stop");
    p.resume = act("Resume", "/resume");
    p.resume.classList.add("primary");
    p.share = h("button", { class: "button quiet", type: "button", on: { click: () => this.#share() } }, "Copy link");
    p.exports = menu("Export", [this.#file("/report", "Report, one HTML file")]);
    this.#offerFormats();
    p.fork = this.#forkDialog();
    p.forkButton = h("button", { class: "button quiet", type: "button", on: { click: () => this.#openFork() } }, "Fork here");
    return h("div", { class: "run-actions no-print" }, p.stop, p.resume, p.exports,
      p.forkButton, p.share, p.fork);
  }

  async #try(act, then) {
    setText(this.#p.note, "");
    try {
      const told = await act();
      this.dispatchEvent(new CustomEvent(then, { detail: told, bubbles: true }));
      return true;
    } catch (problem) {
      setText(this.#p.note, problem.message);
      return false;
    }
  }

  /** The report can be had meanwhile, and where the server does not answer. */
  async #offerFormats() {
    const { formats } = await getJson("/api/formats").catch(() => ({ formats: [] }));
    this.#p.exports.lastChild.append(...formats.map(({ name, label }) => this.#file(`/export/${name}`, label)));
  }

  #file(rest, label) {
    const save = () => this.#try(() => download(runPath(this.#now.id, rest)), "saved");
    return h("button", { type: "button", on: { click: save } }, label);
  }

  async #share() {
    const address = location.href;
    try {
      await navigator.clipboard.writeText(address);
      setText(this.#p.share, "Copied");
    } catch {
      setText(this.#p.share, "Copy the address above");
    }
    setTimeout(() => setText(this.#p.share, "Copy link"), 2000);
  }

  #openFork() {
    const p = this.#p;
    const shared = plural(this.#shared(), "event");
    setText(p.forkAt, `A new run that shares the first ${shared} with this one, and goes its own way from there.`);
    setText(p.forkNote, "");
    p.fork.showModal();
    this.#offerForkKeys();
  }

  /** What can be changed, as the server says it; where it does not answer, its refusals still name the keys. */
  async #offerForkKeys() {
    const { forkKeys } = await getJson("/api/form").catch(() => ({ forkKeys: [] }));
    setText(this.#p.forkKeys, forkKeys.join(", "));
  }

  /** The end itself cannot be shared: there is nothing to go on from. */
  #shared() {
    const { n, last } = this.#now.place;
    return Math.max(1, Math.min(n, last - 1));
  }

  #forkDialog() {
    const p = this.#p;
    const [title, field] = [freshId("fork"), freshId("changes")];
    const changes = h("textarea", { id: field, rows: "3", placeholder: "key=value", required: true, spellcheck: "false" });
    p.forkAt = h("p", null);
    p.forkKeys = h("span", { class: "hint", id: freshId("keys") });
    changes.setAttribute("aria-describedby", p.forkKeys.id);
    p.forkNote = h("p", { class: "error", role: "alert" });
    const go = async (event) => {
      event.preventDefault();
      const body = { at: this.#shared(), changes: changes.value.split("\n").map((line) => line.trim()).filter(Boolean) };
      try {
        const told = await postJson(runPath(this.#now.id, "/fork"), body);
        p.fork.close();
        this.dispatchEvent(new CustomEvent("forked", { detail: told, bubbles: true }));
      } catch (problem) {
        setText(p.forkNote, problem.message);
      }
    };
    return h("dialog", { class: "dialog", "aria-labelledby": title }, h("form", { on: { submit: go } },
      h("h2", { id: title }, "Fork here"), p.forkAt,
      h("div", { class: "field" }, h("label", { for: field }, "What is different, one change a line"), changes, p.forkKeys),
      p.forkNote,
      h("div", { class: "dialog-actions" },
        h("button", { class: "button", type: "button", on: { click: () => p.fork.close() } }, "Cancel"),
        h("button", { class: "button primary", type: "submit" }, "Fork"))));
  }
}

/** A button that opens a short list; it closes on Escape, on a choice, and when something else is clicked. */
function menu(label, items) {
  const list = h("div", { class: "menu-list" }, items);
  const box = h("details", { class: "menu" }, h("summary", { class: "button" }, label), list);
  list.addEventListener("click", () => { box.open = false; });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    box.open = false;
    box.firstChild.focus();
  });
  box.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !box.contains(event.relatedTarget)) box.open = false;
  });
  return box;
}

customElements.define("crux-run-head", CruxRunHead);
