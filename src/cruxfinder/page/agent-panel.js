/** One card an agent: who it is, what it holds in public, how sure it is, where it speaks, what moved it. */

import { h, keyed, setText, setShown, percent, clock } from "./dom.js";
import { campOf, campMark, confidenceLine, redraw, sideMark } from "./chart.js";
import { movedWords } from "./speakers.js";
import { countWord, protocolWords, wordFor } from "./words.js";

/** Everybody at the table. */
export class CruxAgentPanel extends HTMLElement {
  list = h("ul", { class: "agent-list" });
  empty = h("p", { class: "muted view-empty", text: "Nobody sits at the table yet." });
  cards = new Map();

  connectedCallback() {
    if (!this.list.isConnected) this.append(this.empty, this.list);
  }

  /**
   * @param {object} state
   * @param {{result: object|null, select: Function, camps: object}} context
   */
  show(state, context) {
    this.context = context;
    const changes = this.changesOf(state);
    setShown(this.empty, state.seats.length === 0);
    if (state.seats !== this.seats) {
      this.seats = state.seats;
      keyed(this.list, state.seats, (seat) => seat.id, (seat) => this.make(seat));
    }
    for (const seat of state.seats) this.update(this.cards.get(seat.id), seat, state, changes);
  }

  /** The same list as long as no thread has a new change. */
  changesOf(state) {
    const lists = state.threadIds.map((id) => state.threads[id].changes);
    const same = this.lists?.length === lists.length && lists.every((list, n) => list === this.lists[n]);
    if (!same) {
      this.lists = lists;
      this.changes = {};
      for (const change of lists.flat()) (this.changes[change.agent] ??= []).push(change);
    }
    return this.changes;
  }

  make(seat) {
    const part = (name) => h("div", { class: name });
    const card = {
      face: part("agent-face"), side: part("agent-side"), claim: h("p", { class: "agent-claim" }),
      line: part("agent-line"), counts: h("p", { class: "agent-counts" }), threads: part("agent-threads"),
      inner: part("agent-private"), changes: h("ul", { class: "agent-changes" }),
    };
    card.element = h("li", { class: "agent-card", dataset: { agent: seat.id } },
      h("div", { class: "agent-head" }, card.face,
        h("div", null, h("h3", { class: "agent-name", text: seat.name }),
          h("p", { class: "agent-role", text: seat.about, title: seat.about })),
        card.side),
      card.claim, card.line, card.inner, card.changes, h("div", { class: "agent-foot" }, card.counts, card.threads));
    this.cards.set(seat.id, card);
    return card.element;
  }

  update(card, seat, state, changes) {
    const agent = state.agents[seat.id];
    const camp = campOf(this.context.camps, seat.id);
    const until = this.context.result?.duration ?? agent.lastAtMs ?? 0;
    if (card.camp !== camp) card.element.style.setProperty("--camp", camp.color);
    card.camp = camp;
    redraw(card.face, [camp, seat], () => [agentFace(seat), campMark(camp)]);
    redraw(card.side, [agent.topSide], () => (agent.topSide ? sideMark(agent.topSide) : null));
    if (card.agent === agent && card.threadTopics === state.threads && card.told === changes) return;
    setText(card.claim, agent.topClaim ? `“${agent.topClaim}”` : "No claim on the topic yet");
    setShown(card.claim, protocolWords(state.protocol).comesTo === "result"); // minutes have turns and no claims
    card.claim.classList.toggle("is-empty", !agent.topClaim);
    redraw(card.line, [agent.confidence, until], () => agentLine(agent, until, seat.name));
    setText(card.counts, agentCounts(agent, protocolWords(state.protocol).said));
    this.drawThreads(card, agent, state);
    redraw(card.inner, [agent.pTops], () => agentPrivate(agent));
    redraw(card.changes, [changes[seat.id]], () => (changes[seat.id] ?? []).map((change) => this.change(change)));
    setShown(card.changes, Boolean(changes[seat.id]?.length));
    [card.agent, card.threadTopics, card.told] = [agent, state.threads, changes];
  }

  drawThreads(card, agent, state) {
    redraw(card.threads, [agent.threads], () => agent.threads.map((id) => h("button", {
      type: "button", class: "agent-thread", title: state.threads[id].topic, text: id,
      "aria-label": `Show thread ${id}: ${state.threads[id].topic}`,
      on: { click: () => this.context.select("thread", id) },
    })));
  }

  change(change) {
    const [word, why] = wordFor("labels", change.label).split(": ");
    const text = `${movedWords(change.before, change.after)} on the ${change.on}`;
    return h("li", { class: "agent-change", dataset: { label: change.label } },
      h("span", { class: "agent-when", text: clock(change.at_ms) }),
      h("button", { type: "button", class: "link", text, on: { click: () => this.context.select("message", change.message) } }),
      h("span", { class: "agent-label", text: word, title: why }));
  }
}

function agentFace(seat) {
  const initials = seat.name.split(/\s+/).filter(Boolean).map((word) => [...word][0]).slice(0, 2).join("");
  const short = seat.icon && [...seat.icon].length <= 3;
  return h("span", { class: "agent-icon", "aria-hidden": "true", text: short ? seat.icon : initials.toUpperCase() });
}

function agentLine(agent, until, name) {
  const last = agent.confidence.at(-1);
  if (!last) return null;
  return [
    h("span", { class: "agent-line-name", text: "Confidence in it" }), confidenceLine(agent.confidence, until, name),
    h("span", { class: "agent-line-now", text: percent(last.value) }),
  ];
}

function agentCounts(agent, said) {
  const spoke = agent.lastAtMs === null ? "" : `, last at ${clock(agent.lastAtMs)}`;
  return agent.messages ? `${countWord(agent.messages, said)}${spoke}` : "has not spoken yet";
}

/** The belief nobody else sees: at first and now. */
function agentPrivate(agent) {
  if (!agent.pTops.length) return null;
  const [first, last] = [agent.pTops[0].value, agent.pTops.at(-1).value];
  const mark = (value, name) => h("span", { class: `agent-belief-dot is-${name}`, vars: { "--at": value } });
  const told = agent.pTops.length > 1 ? `${percent(first)} → ${percent(last)}` : percent(first);
  return [
    h("span", { class: "agent-private-name", text: "In private, the claim is true" }),
    h("span", { class: "agent-belief", "aria-hidden": "true" }, mark(first, "first"), mark(last, "last")),
    h("span", { class: "agent-private-figure", text: told }),
  ];
}

customElements.define("crux-agent-panel", CruxAgentPanel);
