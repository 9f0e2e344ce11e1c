/**
 * Events into the state the page shows. Pure: a state is never changed, a new one shares all that stayed the same,
 * so a part of the page compares by identity to know whether it has anything to draw.
 *
 * The same facts in the same way as the engine's own fold, for threads, stages, candidates, sides, commitments,
 * falsifiers and steelmans.
 */

import { threadCreated, threadEvents, messageIn, interventionIn, joinedThreads, candidateNamed } from "./reduce_thread.js";
import { agentEvents, seated, seatOf } from "./reduce_agents.js";
import { talkEvents } from "./reduce_talk.js";
import { acrossEvents, primaryOf } from "./reduce_across.js";

/** @returns {object} the state before any event */
export function initial() {
  return {
    n: 0, atMs: 0, topic: "", seed: null, pack: "", protocol: "crux", settings: {}, complete: null,
    seats: [], agents: {}, threadIds: [], threads: {}, messages: {}, messageOrder: [],
    refusals: [], waitingRefusals: {}, proposals: {}, related: {}, relations: [], duplicates: [], roots: [],
    coalitions: [], preliminary: false, primary: null, promoted: [], converged: false,
    turns: [], turnRefusals: [], pivots: [], syntheses: [], questions: [], failures: [], graderTests: [],
    forked: null, excused: [],
  };
}

/**
 * @param {object} state
 * @param {{n: number, event: object, line: object}} frame
 * @returns {object} the state after the event
 */
export function reduce(state, frame) {
  const { n, event, line } = frame;
  const told = events[event.kind];
  const next = told ? told(state, event, n, line) : state;
  return { ...next, n, atMs: event.at_ms ?? next.atMs };
}

function started(state, event) {
  const seats = event.seats.map(seatOf);
  return {
    ...initial(), topic: event.topic, seed: event.seed, pack: event.pack, protocol: event.protocol ?? "crux",
    settings: event.settings ?? {}, seats, agents: seated({}, seats),
  };
}

function created(state, event) {
  const settled = event.proposal ? settle(state.proposals, event.proposal) : state.proposals;
  const thread = threadCreated(event);
  return {
    ...state, proposals: settled, threadIds: [...state.threadIds, thread.id],
    threads: { ...state.threads, [thread.id]: thread },
  };
}

function settle(proposals, id) {
  return { ...proposals, [id]: { ...proposals[id], settled: true } };
}

function proposed(state, event) {
  return { ...state, proposals: { ...state.proposals, [event.proposal]: { ...event, settled: false } } };
}

function merged(state, event) {
  const target = state.threads[event.into];
  if (event.proposal) {
    const proposals = settle(state.proposals, event.proposal);
    if (!event.adds) return { ...state, proposals };
    const told = proposals[event.proposal];
    const asked = candidateNamed(target.candidates.length + 1, told, told.supporters[0], told.mentions[0]);
    const wider = { ...target, candidates: [...target.candidates, asked] };
    return { ...state, proposals, threads: { ...state.threads, [target.id]: wider } };
  }
  const source = state.threads[event.thread];
  const why = `it asked what ${target.id} asks`;
  const gone = { ...source, status: "MERGED", mergedInto: target.id, why, endedMs: event.at_ms, signal: 1 };
  const both = joinedThreads(target, source, event.adds);
  return { ...state, threads: { ...state.threads, [source.id]: gone, [target.id]: both } };
}

function posted(state, event, n, line) {
  const message = {
    id: event.id, n, atMs: event.at_ms, agent: event.agent, thread: event.thread, move: event.move,
    content: event.content, topics: event.topics ?? [], replyTo: event.reply_to ?? null, refs: event.refs ?? [],
    flags: event.flags ?? [], attention: event.attention ?? null, moderator: false, cause: null,
    detail: line?.detail ?? "", joins: event.joins ?? null,
  };
  const thread = messageIn(state.threads[event.thread], message);
  const next = withMessage(state, message, thread);
  return { ...agentEvents.message_posted(next, event), ...answeredRefusals(state, message) };
}

function withMessage(state, message, thread) {
  return {
    ...state, messages: { ...state.messages, [message.id]: message },
    messageOrder: [...state.messageOrder, message.id], threads: { ...state.threads, [thread.id]: thread },
  };
}

/** What was sent back before is told with the message it led to. */
function answeredRefusals(state, message) {
  const place = `${message.agent} ${message.thread}`;
  const waiting = state.waitingRefusals[place];
  if (!waiting) return {};
  const refusals = state.refusals.slice();
  for (const at of waiting) refusals[at] = { ...refusals[at], for: message.id };
  const { [place]: gone, ...rest } = state.waitingRefusals;
  return { refusals, waitingRefusals: rest };
}

function refused(state, event, n) {
  const place = `${event.agent} ${event.thread}`;
  const outcome = event.outcome ?? "revise";
  const told = {
    n, atMs: event.at_ms, agent: event.agent, thread: event.thread, move: event.move, refusals: event.refusals,
    outcome, for: null,
  };
  const before = state.waitingRefusals[place] ?? [];
  // A dropped draft leads to no message, nor did those before it.
  const waiting = outcome === "dropped" ? [] : [...before, state.refusals.length];
  return {
    ...state, refusals: [...state.refusals, told], waitingRefusals: { ...state.waitingRefusals, [place]: waiting },
  };
}

function intervened(state, event, n) {
  const asked = { kind: "PROPOSE_CRUX", question: event.question, yes_means: event.yes_means ?? "", no_means: event.no_means ?? "" };
  const message = {
    id: event.id, n, atMs: event.at_ms, agent: "moderator", thread: event.thread,
    move: event.question ? asked : { kind: "CLARIFY", target: event.id, asks: true },
    content: event.content, topics: [], replyTo: null, refs: [], flags: [], attention: null,
    moderator: true, cause: event.cause, to: event.to ?? [], drafted: event.drafted ?? [],
  };
  const next = withMessage(state, message, interventionIn(state.threads[event.thread], event, message));
  if (!event.joined) return next;
  const advocate = seatOf({ id: "devils-advocate", name: "Devil's advocate", about: "argues the other side; has no vote" });
  return { ...next, seats: [...next.seats, advocate], agents: seated(next.agents, [advocate]) };
}

function inThread(state, event, n) {
  const thread = state.threads[event.thread];
  const next = threadEvents[event.kind](thread, event, state, n);
  return next === thread ? state : { ...state, threads: { ...state.threads, [thread.id]: next } };
}

function extracted(state, event) {
  const next = inThread(state, event);
  return { ...next, primary: primaryOf(next) };
}

const events = {
  // First, because some of those below do more than change a thread.
  ...Object.fromEntries(Object.keys(threadEvents).map((kind) => [kind, inThread])),
  ...talkEvents,
  ...acrossEvents,
  debate_started: started,
  debate_forked: (state, event) => ({
    ...state, settings: event.settings ?? {},
    forked: { parent: event.parent, at: event.at, changes: event.changes ?? [] },
  }),
  thread_created: created,
  thread_proposed: proposed,
  thread_merged: merged,
  message_posted: posted,
  message_refused: refused,
  moderator_intervention: intervened,
  crux_extracted: extracted,
  dcg_calculated: extracted,
  probe_answered: (state, event) => inThread(agentEvents.probe_answered(state, event), event),
  first_position: agentEvents.first_position,
  agent_silent: (state, event) => ({ ...inThread(state, event), excused: [...state.excused, event] }),
  ask_failed: (state, event) => ({ ...state, failures: [...state.failures, event] }),
  grading_tested: (state, event) => ({ ...state, graderTests: [...state.graderTests, event] }),
  debate_complete: (state, event) => ({
    ...state, complete: { ending: event.ending, verdict: event.verdict, why: event.why ?? "", atMs: event.at_ms },
  }),
};
