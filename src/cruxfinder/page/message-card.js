/** One message: who, with what move, what it says; on demand its fields and what was sent back before it. */

import { clock, h, plural, sourceLink } from "./dom.js";
import { isSentBack } from "./figures.js";
import { speakerName } from "./speakers.js";
import { wordFor } from "./words.js";

/** Moves in groups that look alike, so that a column can be skimmed. */
const TONES = {
  PROPOSE_CRUX: "accent", REFRAME: "accent", COMMIT_POSITION: "accent", DECLARE_FALSIFIER: "accent",
  STEELMAN: "good", GRADE_STEELMAN: "good", PROVIDE_EVIDENCE: "warn", CHALLENGE_EVIDENCE: "warn",
  UPDATE_POSITION: "bad", CONCEDE: "bad",
};

/** The letter and colour of an agent's camp. Both come from variables of the run, so a change of camp touches no card. */
export function seatMark(seat) {
  return h("span", { class: "seat-mark", "aria-hidden": "true", vars: seatVars(seat) });
}

/** The variables that tie an element to the camp its agent is in. */
export function seatVars(seat) {
  return {
    "--camp": `var(--seat-${seat}, var(--text-2))`, "--camp-soft": `var(--seat-${seat}-soft, var(--surface-3))`,
    "--letter": `var(--seat-${seat}-letter, "·")`,
  };
}

/** The number of an agent's seat, for its camp's variables. */
export function seatNumber(state, agent) {
  return state.seats.findIndex((s) => s.id === agent);
}

/**
 * @param {object} state one that holds the message
 * @param {object} message
 * @param {(what: string, id: string) => void} select
 * @returns {HTMLElement}
 */
export function messageCard(state, message, select) {
  const back = state.refusals.filter((r) => r.for === message.id);
  const name = speakerName(state, message.agent);
  return h(
    "article",
    {
      class: message.moderator ? "message moderator" : "message", tabindex: "-1", dataset: { message: message.id },
      vars: seatVars(seatNumber(state, message.agent)), "aria-label": `${message.id}, ${name}`,
    },
    headOf(state, message, name),
    h("p", { class: "message-text" }, message.content),
    footOf(state, message, back, select),
  );
}

function headOf(state, message, name) {
  const kind = message.move.kind;
  const badge = message.moderator ? message.cause : wordFor("badges", kind);
  const detail = message.moderator ? "" : message.detail;
  return h(
    "header", { class: "message-head" },
    message.moderator ? null : seatMark(seatNumber(state, message.agent)),
    h("span", { class: "speaker" }, name),
    h("span", { class: "badge", dataset: { tone: message.moderator ? "" : (TONES[kind] ?? "") } }, badge),
    detail ? h("span", { class: "message-detail" }, detail) : null,
    h("time", { class: "message-time" }, clock(message.atMs)),
  );
}

function footOf(state, message, back, select) {
  const parts = [];
  const jump = (id, word) => {
    const answered = state.messages[id];
    if (!answered) return;
    const text = `${word} ${speakerName(state, answered.agent)}`;
    const look = { class: "link", type: "button", "aria-label": `${text}, ${id}` };
    parts.push(h("button", { ...look, on: { click: () => select("message", id) } }, text));
  };
  if (message.replyTo) jump(message.replyTo, "re");
  for (const id of message.refs) if (id !== message.replyTo) jump(id, "see");
  for (const topic of message.topics) parts.push(h("span", { class: "topic" }, `#${topic}`));
  for (const flag of message.flags) {
    parts.push(h("span", { class: "badge", dataset: { tone: "warn" }, title: "taken although this stood against it" }, flag));
  }
  parts.push(detailButton(state, message, back));
  return h("footer", { class: "message-foot" }, parts);
}

/** The details are built when they are first asked for: few of hundreds ever are. */
function detailButton(state, message, back) {
  const sent = back.filter(isSentBack).length;
  const label = sent ? `sent back ${plural(sent, "time")}` : "details";
  const button = h("button", {
    class: sent ? "link more sent-back" : "link more", type: "button", "aria-expanded": "false",
    "aria-label": `${label}, ${message.id}`,
  }, label);
  let shown = null;
  button.addEventListener("click", () => {
    if (!shown) {
      shown = detailsOf(state, message, back);
      button.closest(".message").append(shown);
    } else shown.hidden = !shown.hidden;
    button.setAttribute("aria-expanded", String(!shown.hidden));
  });
  return button;
}

function detailsOf(state, message, back) {
  return h(
    "div", { class: "message-more" },
    back.length ? refusalList(back) : null,
    fieldList(state, message),
  );
}

/** Why drafts were sent back, each with the rule, the reason and what to do instead. */
export function refusalList(refused) {
  return h("ol", { class: "refusals", "aria-label": "Sent back" }, refused.flatMap((told) => told.refusals.map((r) => h(
    "li", null,
    h("span", { class: "badge", dataset: { tone: "bad" } }, r.rule), " ",
    h("span", null, r.reason), h("span", { class: "muted" }, ` → ${r.remedy}`),
    told.outcome !== "revise" ? h("span", { class: "muted" }, ` (${told.outcome})`) : null,
  ))));
}

function fieldList(state, message) {
  const list = h("dl", { class: "fields" });
  const add = (name, value) => {
    if (value === "" || value === null || value === undefined) return;
    list.append(h("dt", null, wordFor("fields", name)), h("dd", null, shownValue(state, name, value)));
  };
  add("message", `${message.id} · ${clock(message.atMs)} · ${message.thread}`);
  if (message.to?.length) add("to", message.to.map((id) => speakerName(state, id)).join(", "));
  for (const [name, value] of Object.entries(message.moderator ? {} : message.move)) {
    if (name === "falsifier" && value && typeof value === "object") for (const [part, said] of Object.entries(value)) add(part, said);
    else if (name !== "kind") add(name, value);
  }
  if (message.attention !== null) add("attention", message.attention.toFixed(2));
  return list;
}

function shownValue(state, name, value) {
  if (name === "source") return sourceLink(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (name === "target" || name === "falsifier_of") {
    const message = state.messages[value];
    return message ? `${speakerName(state, message.agent)}, ${value}` : speakerName(state, value);
  }
  return String(value);
}
