/** A conversation in turns: what was said in order, where it was led, what it was summed up to, and its checklist. */

import { clock, h, keyed, percent, plural, setShown } from "./dom.js";
import { refusalList, seatMark, seatNumber, seatVars } from "./message-card.js";
import { speakerName, speakerNames } from "./speakers.js";
import { sideWord } from "./words.js";

const CHAIR_ROLES = new Set(["arbitrator", "facilitator", "host", "voice-of-reason"]);

export class CruxTurns extends HTMLElement {
  #list = null;
  #nodes = new Map();
  #drawn = [];

  /** @param {object} state @param {object} context select */
  show(state, context) {
    const now = [state.turns, state.pivots, state.syntheses, state.questions];
    if (now.every((x, i) => x === this.#drawn[i])) return;
    this.#drawn = now;
    if (!this.#list) {
      this.#list = h("ol", { class: "turns" });
      this.append(h("h2", { class: "visually-hidden" }, "Turns"),
        h("div", { class: "turns-scroll", tabindex: "0", role: "region", "aria-label": "Turns in order" }, this.#list));
    }
    this.#draw(state, context);
  }

  reveal(id) {
    const node = this.#nodes.get(`turn ${id}`);
    if (!node || node.hidden) return false;
    const card = node.firstChild;
    card.scrollIntoView({ block: "center" });
    card.focus({ preventScroll: true });
    card.classList.remove("struck");
    requestAnimationFrame(() => card.classList.add("struck"));
    return true;
  }

  /** Everything in the order of the log. A question changes when it is answered, so it is drawn again then. */
  #draw(state, context) {
    const items = [
      ...state.turns.map((t) => ({ key: `turn ${t.id}`, n: t.n, make: () => turnCard(state, t, context) })),
      ...state.pivots.map((p) => ({ key: `pivot ${p.n}`, n: p.n, make: () => pivotCard(p) })),
      ...state.syntheses.map((s) => ({ key: `synthesis ${s.n}`, n: s.n, make: () => synthesisCard(state, s) })),
      ...state.questions.map((q) => ({ key: `question ${q.n} ${q.answer}`, n: q.n, make: () => questionCard(state, q) })),
    ].sort((a, b) => a.n - b.n);
    const wanted = new Set(items.map((item) => item.key));
    for (const [key, node] of this.#nodes) setShown(node, wanted.has(key));
    for (const item of items) if (!this.#nodes.has(item.key)) this.#place(item);
  }

  #place(item) {
    const node = item.make();
    node.dataset.n = String(item.n);
    let after = this.#list.lastElementChild;
    while (after && Number(after.dataset.n) > item.n) after = after.previousElementSibling;
    if (after) after.after(node);
    else this.#list.prepend(node);
    this.#nodes.set(item.key, node);
  }
}

function turnCard(state, turn, context) {
  const chair = CHAIR_ROLES.has(turn.role);
  const seat = seatNumber(state, turn.agent);
  const back = state.turnRefusals.filter((r) => r.for === turn.id);
  const answered = state.turns.find((t) => t.id === turn.replyTo);
  return h("li", null, h("article", {
    class: chair ? "turn chair" : "turn", tabindex: "-1", vars: seatVars(seat),
    "aria-label": `Turn ${turn.number}, ${speakerName(state, turn.agent)}`,
  },
    h("header", { class: "message-head" },
      h("span", { class: "turn-number" }, String(turn.number)),
      chair ? null : seatMark(seat),
      h("span", { class: "speaker" }, speakerName(state, turn.agent)),
      turn.role !== "speaker" && turn.role !== turn.agent ? h("span", { class: "message-detail" }, turn.role) : null,
      h("span", { class: "badge", dataset: { tone: chair ? "accent" : "" } }, turn.type),
      turn.side ? h("span", { class: "badge", dataset: { tone: "accent" } }, sideWord(turn.side)) : null,
      h("time", { class: "message-time" }, clock(turn.atMs))),
    h("p", { class: "message-text" }, turn.content),
    turn.concedes ? h("p", { class: "turn-note" }, h("b", null, "Grants: "), turn.concedes) : null,
    h("footer", { class: "message-foot" },
      answered ? h("button", { class: "link", type: "button", on: { click: () => context.select("turn", answered.id) } },
        `re ${speakerName(state, answered.agent)}, ${answered.number}`) : null,
      turn.entailments.map((e) => h("span", { class: "topic" }, `+ ${e}`)),
      turn.offTopic ? h("span", { class: "badge", dataset: { tone: "warn" } }, "off topic") : null,
      turn.flags.map((f) => h("span", { class: "badge", dataset: { tone: "warn" }, title: f.reason }, f.rule)),
      turnMore(turn, back))));
}

function turnMore(turn, back) {
  if (!back.length && !turn.flags.length && !turn.similarity) return null;
  const word = back.length ? `sent back ${plural(back.length, "time")}` : "details";
  const button = h("button", {
    class: back.length ? "link more sent-back" : "link more", type: "button", "aria-expanded": "false",
    "aria-label": `${word}, turn ${turn.number}`,
  }, word);
  let shown = null;
  button.addEventListener("click", () => {
    if (shown) shown.hidden = !shown.hidden;
    else {
      shown = h("div", { class: "message-more" },
        back.length ? refusalList(back) : null,
        turn.flags.length ? h("ol", { class: "refusals", "aria-label": "Taken although" }, turn.flags.map((f) => (
          h("li", null, h("span", { class: "badge", dataset: { tone: "warn" } }, f.rule), ` ${f.reason}`)
        ))) : null,
        turn.similarity ? h("p", { class: "small muted" }, `${percent(turn.similarity)} like the nearest of the last turns`) : null);
      button.closest(".turn").append(shown);
    }
    button.setAttribute("aria-expanded", String(!shown.hidden));
  });
  return button;
}

function pivotCard(pivot) {
  return h("li", { class: "turn-aside pivot" },
    h("p", { class: "eyebrow" }, `Led elsewhere: ${pivot.to}`, h("span", { class: "badge" }, pivot.cause)),
    h("p", null, pivot.to === "anchor" ? `“${pivot.text}”` : pivot.text),
    pivot.source ? h("p", { class: "small muted" }, pivot.source) : null);
}

function synthesisCard(state, synthesis) {
  return h("li", { class: "turn-aside synthesis" },
    h("p", { class: "eyebrow" }, synthesis.closing ? "Closing synthesis" : `Act ${synthesis.act} summed up`),
    synthesis.nextStep ? h("p", null, h("b", null, "Next: "), synthesis.nextStep) : null,
    consentLine(state, synthesis));
}

function consentLine(state, synthesis) {
  if (!synthesis.accepted.length && !synthesis.dissent.length) return null;
  return h("div", { class: "small" },
    synthesis.accepted.length ? h("p", null,
      h("span", { class: "badge", dataset: { tone: "good" } }, "can live with it"), ` ${speakerNames(state, synthesis.accepted)}`) : null,
    synthesis.dissent.map((d) => h("p", null,
      h("span", { class: "badge", dataset: { tone: "bad" } }, "cannot"), ` ${speakerName(state, d.agent)}${d.why ? `: ${d.why}` : ""}`)));
}

function questionCard(state, asked) {
  const answer = asked.answer === null ? "not answered yet" : asked.answer || "nobody answered in time";
  return h("li", { class: "turn-aside asked" },
    h("p", { class: "eyebrow" }, `${speakerName(state, asked.agent)} asks you`),
    h("p", null, asked.question), h("p", { class: "small" }, h("b", null, "Answer: "), answer));
}

/** Beside the turns: how the conversation was held, line by line, and what each act came to. */
export class CruxMinutes extends HTMLElement {
  #drawn = [];

  /** @param {object} state @param {object} context result (the minutes) when it is over */
  show(state, context) {
    const now = [state.syntheses, state.pivots, state.seats, context.result, state.agents];
    if (now.every((x, i) => x === this.#drawn[i])) return;
    this.#drawn = now;
    if (!this.firstChild) {
      this.check = h("ul", { class: "checklist" });
      this.none = h("p", { class: "hint" }, "The checklist is drawn up when the conversation is over.");
      this.stands = h("ul", { class: "stands" });
      this.append(h("h2", { class: "panel-title" }, "Checklist"), this.check, this.none,
        h("h2", { class: "panel-title" }, "Who says what"), this.stands);
    }
    const lines = context.result?.checklist ?? [];
    setShown(this.none, lines.length === 0);
    setShown(this.check, lines.length > 0);
    keyed(this.check, lines, (line) => line.line, (line) => h("li", { class: line.holds ? "holds" : "broken" },
      h("span", { class: "badge", dataset: { tone: line.holds ? "good" : "bad" } }, line.holds ? "holds" : "broken"),
      h("span", null, line.line), h("span", { class: "muted small" }, line.figure)));
    const people = state.seats.map((seat) => ({ seat, agent: state.agents[seat.id], at: seatNumber(state, seat.id) }));
    this.stands.replaceChildren(...people.map(({ seat, agent, at }) => h("li", { vars: seatVars(at) },
      seatMark(at), h("span", null, h("b", null, seat.name),
        seat.role !== "speaker" ? h("span", { class: "muted" }, ` ${seat.role}`) : null,
        h("span", { class: "muted small stand-role" }, seat.about)),
      h("span", { class: "small" }, [sideWord(agent.topSide), plural(agent.messages, "turn")].filter(Boolean).join(" · ")))));
  }
}

customElements.define("crux-turns", CruxTurns);
customElements.define("crux-minutes", CruxMinutes);
