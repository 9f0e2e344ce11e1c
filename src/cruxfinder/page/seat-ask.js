/** One ask to a person, as a form: the allowed moves, what is owed, why the last draft came back; it outlives what happens meanwhile. */

import { h, keyed, refill, setText, setShown, freshId, plural, wordsOf } from "./dom.js";
import { seatGroups, seatMissing, seatAnswer, seatStart } from "./seat-fields.js";
import { seatControl, seatOptions, seatContext } from "./seat-controls.js";
import { nameOf } from "./chart.js";

/** One ask and everything typed so far; it outlives any change of the state underneath. */
export class SeatAsk {
  constructor(owner, entry, state, context) {
    this.owner = owner;
    this.ask = entry.ask;
    this.form = entry.form;
    this.agent = entry.agent;
    this.number = entry.ask.number ?? 0;
    const run = context.id ?? `${state.pack}/${state.seed}/${state.topic}`;
    this.place = `crux-seat/${run}/${this.agent}/${this.number}`;
    this.lastPlace = `crux-seat/${run}/${this.agent}/last-${this.ask.kind}`;
    this.values = { ...this.begun(seatStart(this.form)), ...seatKept(this.place) };
    this.controls = new Map();
    this.build(entry, state);
  }

  /** What was sent back, or has to be done over, is there again to be mended. */
  begun(start) {
    const last = seatKept(this.lastPlace);
    if (!last.values || last.thread !== this.ask.thread) return start;
    if (this.ask.refused?.length) return { ...start, ...last.values };
    return last.duty && last.duty === seatDuty(this.ask) ? { ...last.values, ...start } : start;
  }

  build(entry, state) {
    const name = entry.name ?? nameOf(state, this.agent);
    this.told = `${name}, you are asked: ${this.form.title}`;
    const heading = freshId("seat");
    this.clock = h("span", { class: "seat-clock", hidden: true });
    this.context = h("div", { class: "seat-context" });
    this.moves = h("fieldset", { class: "seat-moves", hidden: !this.form.moves });
    this.groups = h("div", { class: "seat-groups" });
    this.problems = h("div", { class: "seat-problems", role: "alert", hidden: true });
    this.send = h("button", { class: "button primary", type: "submit", text: this.form.note ? "Answer" : "Say it" });
    this.pass = h("button", { class: "button", type: "button", text: "Say nothing", on: { click: () => this.stayIdle() } });
    this.sent = h("p", { class: "seat-sent", role: "status", hidden: true, text: "Sent. The rules look at it now." });
    this.element = h(
      "form",
      { class: "seat-ask", "aria-labelledby": heading, novalidate: true, on: { submit: (event) => this.submit(event) } },
      h("header", { class: "seat-head" },
        h("p", { class: "seat-who" }, h("strong", { text: name }), ", you are asked"),
        h("h3", { id: heading, text: this.form.title }), this.clock),
      this.context, this.refused(), this.owes(state), this.moves, this.groups, this.problems,
      h("footer", { class: "seat-actions" }, this.send, this.form.silent ? this.pass : null, this.sent),
    );
    if (this.form.moves) this.offer();
  }

  refused() {
    const told = this.ask.refused ?? [];
    if (!told.length) return null;
    return h("section", { class: "seat-refused", "aria-label": "Why your last draft was sent back" },
      h("h4", { text: "Your last draft was sent back" }),
      h("ul", null, told.map((r) => h("li", null,
        h("code", { text: r.rule }), ` ${r.reason}. `, h("strong", { text: `Instead: ${r.remedy}.` })))));
  }

  owes(state) {
    const duty = this.ask.duty;
    if (this.form.note) return h("p", { class: "seat-note", text: this.form.note });
    if (!duty) return null;
    const title = this.form.moves.choices.find((move) => move.value === duty.move)?.words ?? wordsOf(duty.move);
    const whom = duty.about ? ` of ${nameOf(state, duty.about)}` : "";
    const answered = duty.message && state.messages[duty.message];
    return h("section", { class: "seat-owed", "aria-label": "What you owe" },
      h("h4", { text: `You owe: ${title}${whom}` }),
      answered ? h("blockquote", null, h("cite", { text: nameOf(state, answered.agent) }), ` ${answered.content}`) : null,
      duty.note ? h("p", { text: `Heed: ${duty.note}` }) : null,
      h("p", { class: "seat-quiet" },
        "The thread waits for it. Whoever stays silent for too long is excused and counts as not sure."));
  }

  offer() {
    const name = freshId("move");
    const { key, choices } = this.form.moves;
    const row = (move) => {
      const radio = h("input", { type: "radio", name, value: move.value, checked: this.values[key] === move.value });
      radio.addEventListener("change", () => this.put(key, move.value));
      const owed = this.ask.duty?.move === move.value;
      return h("label", { class: "seat-move" }, radio,
        h("span", { class: "seat-move-name", text: move.words }, owed ? h("em", { text: "owed" }) : null),
        h("span", { class: "seat-move-words", text: move.note }));
    };
    const legend = h("legend", { text: `What you may do now (${plural(choices.length, "move")})` });
    refill(this.moves, legend, h("div", { class: "seat-move-list" }, choices.map(row)));
  }

  put(key, value) {
    this.values = { ...this.values, [key]: value };
    seatKeep(this.place, this.values);
    this.render();
  }

  show(state) {
    const thread = state.threads[this.ask.thread];
    if (state.messages === this.messages && thread === this.thread && this.state) return;
    [this.messages, this.thread, this.state] = [state.messages, thread, state];
    if (!this.context.firstChild) refill(this.context, seatContext(this.ask, state, this.owner.view(this.agent)));
    this.render();
  }

  render() {
    const groups = seatGroups(this.form, this.values);
    keyed(this.groups, groups, (group) => group.fields[0]?.key ?? group.legend, (group) => this.group(group), (el, group) => {
      keyed(el.querySelector(".seat-fields"), group.fields, (field) => field.key, (field) => this.control(field));
      for (const field of group.fields) {
        this.controls.get(field.key).refresh(this.values[field.key], field, seatOptions(field, this.ask, this.state));
      }
    });
    const unmoved = this.form.moves && !this.values[this.form.moves.key];
    this.send.disabled = Boolean(unmoved || this.busy);
  }

  group(group) {
    const means = group.yes_means ? group : null;
    return h("fieldset", { class: "seat-group" }, h("legend", { text: group.legend }),
      means ? h("dl", { class: "seat-means" }, h("dt", { text: "YES means" }), h("dd", { text: means.yes_means }),
        h("dt", { text: "NO means" }), h("dd", { text: means.no_means })) : null,
      h("div", { class: "seat-fields" }));
  }

  control(field) {
    if (!this.controls.has(field.key)) this.controls.set(field.key, seatControl(field, (value) => this.put(field.key, value)));
    return this.controls.get(field.key).element;
  }

  submit(event) {
    event.preventDefault();
    const groups = seatGroups(this.form, this.values);
    const missing = seatMissing(groups, this.values);
    const needy = groups.flatMap((g) => g.fields).filter((f) => missing.includes(f.label) && !f.optional);
    for (const [key, control] of this.controls) control.mark(needy.some((field) => field.key === key && !this.values[key]?.trim()));
    if (missing.length) {
      this.complain("Something is still needed:", missing);
      this.controls.get(needy.find((f) => !this.values[f.key]?.trim())?.key)?.focus();
      return;
    }
    this.answer(seatAnswer(this.form, this.values));
  }

  stayIdle() {
    this.answer({ kind: "silence" });
  }

  answer(answer) {
    this.setBusy(true);
    setShown(this.problems, false);
    this.owner.lastSent = this;
    const { thread } = this.ask;
    seatKeep(this.lastPlace, { thread, duty: seatDuty(this.ask), values: this.values });
    const detail = { agent: this.agent, number: this.number, answer };
    this.owner.dispatchEvent(new CustomEvent("answered", { detail, bubbles: true }));
  }

  setBusy(busy) {
    this.busy = busy;
    this.send.disabled = busy;
    this.pass.disabled = busy;
    setShown(this.sent, busy);
  }

  complain(title, reasons) {
    refill(this.problems, h("h4", { text: title }), h("ul", null, reasons.map((reason) => h("li", { text: reason }))));
    setShown(this.problems, true);
  }

  tick(left) {
    setShown(this.clock, left !== null);
    if (left === null) return;
    const whole = Math.max(0, Math.ceil(left));
    setText(this.clock, whole > 90 ? `${Math.ceil(whole / 60)} min left` : `${whole} s left`);
    this.clock.classList.toggle("is-short", whole <= 20);
  }

  forget() {
    try {
      sessionStorage.removeItem(this.place);
    } catch {
      // Nothing was kept then.
    }
  }
}

/** Two asks for the same thing have the same duty; nothing where none is owed. */
function seatDuty(ask) {
  return ask.duty ? [ask.duty.move, ask.duty.about, ask.duty.message].join(" ") : "";
}

function seatKeep(place, value) {
  try {
    sessionStorage.setItem(place, JSON.stringify(value));
  } catch {
    // A full or forbidden storage costs the reload, not the draft on the page.
  }
}

function seatKept(place) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place) ?? "{}");
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {};
  }
}
