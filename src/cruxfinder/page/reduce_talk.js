/** Conversations in turns: what was said, sent back, led elsewhere, summed up, asked. */

import { agentEvents } from "./reduce_agents.js";

function turnSpoken(state, event, n) {
  const draft = event.turn;
  const turn = {
    id: event.id, n, atMs: event.at_ms, number: state.turns.length + 1, agent: event.agent, role: event.role,
    type: draft.type, content: draft.content, replyTo: draft.reply_to ?? null, side: draft.side ?? null,
    entailments: event.entailments ?? [], similarity: event.similarity ?? 0, flags: event.flags ?? [],
    offTopic: event.off_topic ?? false, toUser: draft.to_user ?? false, concedes: draft.concedes ?? "",
    nextStep: draft.next_step ?? "", claims: event.claims ?? 0, links: event.links ?? 0,
  };
  const refusals = state.turnRefusals.map((r) => (r.agent === turn.agent && r.for === null ? { ...r, for: turn.id } : r));
  const next = { ...state, turns: [...state.turns, turn], turnRefusals: refusals };
  return agentEvents.turn_spoken(next, event);
}

function turnRefused(state, event, n) {
  const outcome = event.outcome ?? "revise";
  const told = {
    n, atMs: event.at_ms, agent: event.agent, type: event.type, refusals: event.refusals, outcome,
    for: null, after: state.turns.length,
  };
  // A dropped turn ends its chain: what comes next from this speaker is another thought.
  const ended = (r) => (outcome === "dropped" && r.agent === told.agent && r.for === null ? { ...r, for: "" } : r);
  return { ...state, turnRefusals: [...state.turnRefusals, told].map(ended) };
}

function answered(state, event) {
  const answer = event.answer ?? "";
  return { ...state, questions: state.questions.map((q) => (q.turn === event.turn ? { ...q, answer } : q)) };
}

export const talkEvents = {
  turn_spoken: turnSpoken,
  turn_refused: turnRefused,
  pivot_forced: (state, event, n) => ({
    ...state,
    pivots: [...state.pivots, {
      n, atMs: event.at_ms, cause: event.cause, to: event.to, text: event.text, source: event.source ?? "",
      number: event.number ?? 0,
    }],
  }),
  synthesis_given: (state, event, n) => ({
    ...state,
    syntheses: [...state.syntheses, {
      n, atMs: event.at_ms, turn: event.turn, act: event.act, nextStep: event.next_step,
      closing: event.closing ?? false, accepted: event.accepted ?? [], dissent: event.dissent ?? [],
    }],
  }),
  user_question: (state, event, n) => ({
    ...state,
    questions: [...state.questions, {
      n, atMs: event.at_ms, turn: event.turn, agent: event.agent, question: event.question, answer: null,
    }],
  }),
  user_answered: answered,
};
