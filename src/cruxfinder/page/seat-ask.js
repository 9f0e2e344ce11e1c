/** One ask to a person, as a form: the allowed moves, what is owed, why the last draft came back; it outlives what happens meanwhile. */

import { h, keyed, refill, setText, setShown, freshId, plural, wordsOf } from "./dom.js";
import { seatGroups, seatMissing, seatAnswer, SEAT_MOVE_WORDS } from "./seat-fields.js";
import { seatControl, seatOptions, seatStart, seatContext } from "./seat-controls.js";
import { nameOf } from "./chart.js";

const SEAT_TITLES = {
  first: "Where do you stand before anybody speaks?", draft: "Your move", probe: "A private question",
  judge: "Does the record have you right?", relate: "Two questions side by side", grade: "Does this say what you hold?",
  turn: "Your turn to speak", consent: "Can you live with this?", user: "A question to you",
};
const SEAT_PRIVATE = "Only the measurement sees this; the others are never told while the debate runs.";
/** Who is told of an answer that is no message, by kind of ask. */
const SEAT_TOLD = {
  first: SEAT_PRIVATE, probe: SEAT_PRIVATE, grade: SEAT_PRIVATE,
  relate: "Only the measurement sees the chances; how one bears on the other may be shown to the others.",
  consent: "Your answer, and your reason if you say no, is told in the synthesis.",
};

/** One ask and everything typed so far; it outlives any change of the state underneath. */
export class SeatAsk {
  constructor(owner, entry, state, context) {
    this.owner = owner;
    this.ask = entry.ask;
    this.agent = entry.agent;
    this.number = entry.ask.number ?? 0;
    const run = context.id ?? `${state.pack}/${state.seed}/${state.topic}`;
    this.place = `crux-seat/${run}/${this.agent}/${this.number}`;
    this.lastPlace = `crux-seat/${run}/${this.agent}/last-${this.ask.kind}`;
    this.values = { ...this.begun(seatStart(this.ask, state)), ...seatKept(this.place) };
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
    this.told = `${name}, you are asked: ${SEAT_TITLES[this.ask.kind] ?? ""}`;
    const heading = freshId("seat");
    this.clock = h("span", { class: "seat-clock", hidden: true });
    this.context = h("div", { class: "seat-context" });
    this.moves = h("fieldset", { class: "seat-moves", hidden: this.ask.kind !== "draft" });
    this.groups = h("div", { class: "seat-groups" });
    this.problems = h("div", { class: "seat-problems", role: "alert", hidden: true });
    this.send = h("button", { class: "button primary", type: "submit", text: this.ask.kind in SEAT_TOLD ? "Answer" : "Say it" });
    this.pass = h("button", { class: "button", type: "button", text: "Say nothing", on: { click: () => this.stayIdle() } });
    this.sent = h("p", { class: "seat-sent", role: "status", hidden: true, text: "Sent. The rules look at it now." });
    this.element = h(
      "form",
      { class: "seat-ask", "aria-labelledby": heading, novalidate: true, on: { submit: (event) => this.submit(event) } },
      h("header", { class: "seat-head" },
        h("p", { class: "seat-who" }, h("strong", { text: name }), ", you are asked"),
        h("h3", { id: heading, text: SEAT_TITLES[this.ask.kind] ?? "You are asked" }), this.clock),
      this.context, this.refused(), this.owes(state), this.moves, this.groups, this.problems,
      h("footer", { class: "seat-actions" }, this.send, this.silent() ? this.pass : null, this.sent),
    );
    if (this.ask.kind === "draft") this.offer();
  }

  silent() {
    return this.ask.kind === "draft" || (this.ask.kind === "turn" && !this.ask.owed);
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
    if (this.ask.kind in SEAT_TOLD) return h("p", { class: "seat-note", text: SEAT_TOLD[this.ask.kind] });
    if (!duty) return null;
    const whom = duty.about ? ` of ${nameOf(state, duty.about)}` : "";
    const answered = duty.message && state.messages[duty.message];
    return h("section", { class: "seat-owed", "aria-label": "What you owe" },
      h("h4", { text: `You owe: ${wordsOf(duty.move)}${whom}` }),
      answered ? h("blockquote", null, h("cite", { text: nameOf(state, answered.agent) }), ` ${answered.content}`) : null,
      duty.note ? h("p", { text: `Heed: ${duty.note}` }) : null,
      h("p", { class: "seat-quiet" },
        "The thread waits for it. Whoever stays silent for too long is excused and counts as not sure."));
  }

  offer() {
    const name = freshId("move");
    const row = (move) => {
      const [title, sentence] = SEAT_MOVE_WORDS[move] ?? [wordsOf(move), ""];
      const radio = h("input", { type: "radio", name, value: move, checked: this.values.move === move });
      radio.addEventListener("change", () => this.put("move", move));
      const owed = this.ask.duty?.move === move;
      return h("label", { class: "seat-move" }, radio,
        h("span", { class: "seat-move-name", text: title }, owed ? h("em", { text: "owed" }) : null),
        h("span", { class: "seat-move-words", text: sentence }));
    };
    const legend = h("legend", { text: `What you may do now (${plural(this.ask.allowed.length, "move")})` });
    refill(this.moves, legend, h("div", { class: "seat-move-list" }, this.ask.allowed.map(row)));
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
    const groups = seatGroups(this.ask, this.values);
    keyed(this.groups, groups, (group) => group.prefix ?? group.legend, (group) => this.group(group), (el, group) => {
      keyed(el.querySelector(".seat-fields"), group.fields, (field) => field.key, (field) => this.control(field));
      for (const field of group.fields) {
        this.controls.get(field.key).refresh(this.values[field.key], field, seatOptions(field, this.ask, this.state));
      }
    });
    const unmoved = this.ask.kind === "draft" && !this.values.move;
    this.send.disabled = unmoved || Boolean(this.busy);
  }

  group(group) {
    const means = group.means;
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
    const groups = seatGroups(this.ask, this.values);
    const missing = seatMissing(groups, this.values);
    const needy = groups.flatMap((g) => g.fields).filter((f) => missing.includes(f.label) && !f.optional);
    for (const [key, control] of this.controls) control.mark(needy.some((field) => field.key === key && !this.values[key]?.trim()));
    if (missing.length) {
      this.complain("Something is still needed:", missing);
      this.controls.get(needy.find((f) => !this.values[f.key]?.trim())?.key)?.focus();
      return;
    }
    this.answer(seatAnswer(this.ask, this.values));
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
