/** The controls of a person's form, one kind a field; each keeps its node, so that nothing typed is ever lost. */

import { h, refill, setText, setShown, freshId, plural } from "./dom.js";
import { nameOf } from "./chart.js";

const SEAT_SHOWN = 96;

/**
 * A control: its element, and what the form asks of it.
 * @param {object} field
 * @param {(value: string) => void} put tells a new value
 * @returns {{element: HTMLElement, refresh: Function, mark: Function, focus: Function}}
 */
export function seatControl(field, put) {
  const made = { text: seatTextControl, chance: seatChanceControl, choice: seatChoiceControl, flag: seatChoiceControl };
  return (made[field.kind] ?? seatSelectControl)(field, put);
}

function seatLabel(field, id) {
  const optional = h("span", { class: "seat-optional", text: "if you like", hidden: !field.optional });
  const label = h("label", { class: "seat-label", for: id }, field.label, " ", optional);
  return { label, optional };
}

function seatTextControl(field, put) {
  const id = freshId("field");
  const { label, optional } = seatLabel(field, id);
  const count = h("span", { class: "seat-count", id: `${id}-count` });
  const area = h("textarea", {
    id, name: field.key, rows: field.rows ?? 2, "aria-describedby": `${id}-count`, on: { input: () => put(area.value) },
  });
  const hint = field.hint ? h("span", { class: "seat-hint", text: field.hint }) : null;
  const element = h("div", { class: "seat-field" }, label, area, h("div", { class: "seat-below" }, hint, count));
  return {
    element,
    refresh(value, now) {
      if (area.value !== (value ?? "")) area.value = value ?? "";
      setShown(optional, Boolean(now.optional));
      seatCounted(count, area.value, now);
    },
    mark: (wrong) => area.setAttribute("aria-invalid", String(wrong)),
    focus: () => area.focus(),
  };
}

function seatCounted(count, text, field) {
  const words = text.trim() ? text.trim().split(/\s+/).length : 0;
  const [used, most] = field.words ? [words, field.words] : [text.trim().length, field.most];
  setText(count, field.words ? `${used} of ${plural(most, "word")}` : used > most / 2 ? `${used} of ${most} characters` : "");
  count.classList.toggle("is-over", used > most);
}

/** A slider and a number that say the same; empty until somebody has moved it, because a chance has no default. */
function seatChanceControl(field, put) {
  const id = freshId("field");
  const { label, optional } = seatLabel(field, id);
  const [low, high] = field.ends;
  const told = (value) => put(value === "" ? "" : String(Math.max(0, Math.min(100, Number(value))) / 100));
  const slide = h("input", { type: "range", min: 0, max: 100, step: 1, "aria-label": field.label, on: { input: () => told(slide.value) } });
  const number = h("input", { id, type: "number", min: 0, max: 100, step: 1, name: field.key, inputmode: "numeric",
    placeholder: "–", on: { input: () => told(number.value) } });
  const element = h("div", { class: "seat-field seat-chance" }, label, h("div", { class: "seat-slide" },
    h("span", { class: "seat-end", text: low, "aria-hidden": "true" }), slide,
    h("span", { class: "seat-end", text: high, "aria-hidden": "true" }), number, h("span", { text: "%", "aria-hidden": "true" })));
  return {
    element,
    refresh(value, now) {
      const shown = value === undefined || value === "" ? "" : String(Math.round(Number(value) * 1000) / 10);
      if (number.value !== shown && document.activeElement !== number) number.value = shown;
      slide.value = shown === "" ? "50" : shown;
      element.classList.toggle("is-unset", shown === "");
      setShown(optional, Boolean(now.optional));
    },
    mark: (wrong) => number.setAttribute("aria-invalid", String(wrong)),
    focus: () => number.focus(),
  };
}

function seatChoiceControl(field, put) {
  const name = freshId("choice");
  const none = { value: "", words: "Not said" };
  const choices = field.optional ? [none, ...field.choices] : field.choices;
  const radios = choices.map(({ value }) => {
    const radio = h("input", { type: "radio", name, value });
    radio.addEventListener("change", () => put(value));
    return radio;
  });
  const optional = h("span", { class: "seat-optional", text: "if you like", hidden: !field.optional });
  const rows = radios.map((radio, n) => h("label", { class: "seat-choice" }, radio, h("span", { text: choices[n].words })));
  const element = h("fieldset", { class: "seat-field seat-choices", dataset: { field: field.key } },
    h("legend", { class: "seat-label" }, field.label, " ", optional), h("div", { class: "seat-choice-list" }, rows));
  return {
    element,
    refresh(value, now) {
      for (const radio of radios) radio.checked = radio.value === (value ?? (field.optional ? "" : undefined));
      setShown(optional, Boolean(now.optional));
    },
    mark: (wrong) => element.classList.toggle("is-wrong", wrong),
    focus: () => radios[0].focus(),
  };
}

function seatSelectControl(field, put) {
  const id = freshId("field");
  const { label, optional } = seatLabel(field, id);
  const select = h("select", { id, name: field.key, on: { change: () => put(select.value) } });
  const full = h("blockquote", { class: "seat-quote", hidden: true });
  const element = h("div", { class: "seat-field" }, label, select, full);
  let drawn = "";
  return {
    element,
    refresh(value, now, options) {
      const key = options.map((option) => option.value).join(" ");
      if (key !== drawn || select.options.length === 0) {
        drawn = key;
        const none = h("option", { value: "", text: options.length ? "Choose …" : "There is none yet" });
        refill(select, none, options.map((option) => h("option", { value: option.value, text: option.label })));
      }
      if (select.value !== (value ?? "")) select.value = value ?? "";
      const chosen = options.find((option) => option.value === select.value);
      setText(full, chosen?.full ?? "");
      setShown(full, Boolean(chosen?.full));
      setShown(optional, Boolean(now.optional));
    },
    mark: (wrong) => select.setAttribute("aria-invalid", String(wrong)),
    focus: () => select.focus(),
  };
}

/**
 * What a field can be chosen from, out of the thread as it stands.
 * @returns {{value: string, label: string, full: string}[]}
 */
export function seatOptions(field, ask, state) {
  if (!field.refers) return [];
  const thread = state.threads[ask.thread];
  const messages = (thread?.messageIds ?? []).map((id) => state.messages[id]).reverse();
  const others = messages.filter((message) => message.agent !== ask.agent);
  const of = (list) => list.map((message) => seatMessageOption(message, state));
  const from = {
    messages: () => of(messages),
    others: () => of(others),
    evidence: () => of(others.filter((message) => message.move.kind === "PROVIDE_EVIDENCE")),
    agents: () => state.seats.filter((seat) => seat.id !== ask.agent).map((seat) => seatAgentOption(seat, thread)),
    steelmans: () => (thread?.steelmans ?? []).filter((attempt) => attempt.target === ask.agent).reverse()
      .map((attempt) => seatSteelmanOption(attempt, state)),
    falsifiers: () => seatFalsifierOptions(thread, state),
  };
  return from[field.refers]();
}

function seatShort(text) {
  return text.length > SEAT_SHOWN ? `${text.slice(0, SEAT_SHOWN - 1)}…` : text;
}

function seatMessageOption(message, state) {
  const who = message.moderator ? "Moderator" : nameOf(state, message.agent);
  return { value: message.id, label: seatShort(`${who}: ${message.content}`), full: message.content };
}

function seatAgentOption(seat, thread) {
  const held = thread?.commitments[seat.id];
  const full = held ? `${held.side}: ${held.statement}, because ${held.reason}` : "";
  return { value: seat.id, label: seat.about ? seatShort(`${seat.name}, ${seat.about}`) : seat.name, full };
}

function seatSteelmanOption(attempt, state) {
  const full = `${attempt.claim}, because ${attempt.reason}${attempt.falsifier ? `. It would change with: ${attempt.falsifier}` : ""}`;
  return { value: attempt.message, label: seatShort(`${nameOf(state, attempt.by)}: ${attempt.claim}`), full };
}

function seatFalsifierOptions(thread, state) {
  return Object.entries(thread?.falsifiers ?? {}).flatMap(([agent, list]) => list.map((test) => {
    const full = `${test.metric}: ${test.threshold}, ${test.deadline}`;
    return { value: `${agent}#${test.number}`, label: seatShort(`${nameOf(state, agent)} (${test.number}): ${full}`), full };
  }));
}

/** What the ask is about, in words: the topic, the question, the text to judge. */
export function seatContext(ask, state, view) {
  const thread = state.threads[ask.thread];
  const question = ask.question ?? view?.thread?.question ?? thread?.question ?? "";
  const line = (name, text) => (text ? [h("dt", { text: name }), h("dd", { text })] : []);
  const twice = (ask.kind === "relate" ? ask.questions : []).flatMap((asked, n) => [
    ...line(n ? "Second" : "First", asked.question), ...line("YES means", asked.yes_means), ...line("NO means", asked.no_means),
  ]);
  const said = (ask.answers && state.turns.find((turn) => turn.id === ask.answers)) || (ask.answers && state.messages[ask.answers]);
  return h("dl", null,
    line("Topic", view?.topic || state.topic), ask.kind === "probe" ? [] : line("Question", question), twice,
    line("The record has you", ask.kind === "judge" ? `${ask.side}: ${ask.statement}` : ""),
    line("They say you claim", ask.claim), line("because", ask.kind === "grade" ? ask.reason : ""),
    line("and would change with", ask.falsifier),
    line("Proposal", ask.proposal), line("It says of the topic", ask.kind === "consent" ? ask.side : ""),
    line("What the turn is for", ask.task), line("Now", ask.subject),
    said && !ask.duty ? line(`You answer ${nameOf(state, said.agent)}`, said.content) : []);
}
