/** Facts into the state of one thread. No rules here, only every case once, as the engine's own fold has them. */

const ENDED = new Set(["CONVERGED", "FAILED_LOCK", "STALE", "MERGED"]);
const STALE_WHY = "nobody had anything more to say before a question could be weighed";

/** Has the thread ended? */
export function threadOver(thread) {
  return ENDED.has(thread.status);
}

/** A question the thread may turn on, numbered within it. */
export function candidateNamed(number, asked, by, message) {
  return {
    id: `c${number}`, question: asked.question ?? "", yesMeans: asked.yes_means ?? asked.yesMeans ?? "",
    noMeans: asked.no_means ?? asked.noMeans ?? "", by, message,
  };
}

/** A thread as it is opened; a spawned one begins with its question. */
export function threadCreated(event) {
  const asked = event.question ? [candidateNamed(1, event, event.by ?? "moderator", event.message ?? "")] : [];
  return measured({
    id: event.thread, topic: event.topic, parent: event.parent ?? null, trigger: event.trigger ?? null,
    createdMs: event.at_ms, stage: "DISCOVERY", status: "DISCOVERY", stageLog: [{ stage: "DISCOVERY", atMs: event.at_ms }],
    question: event.question ?? "", crux: null, candidates: asked, messageIds: [], signal: 0,
    members: event.members ?? [], only: event.only ?? false, speakers: [], excused: [],
    sides: {}, commitments: {}, falsifiers: {}, steelmans: [], evidence: [], figures: {}, gap: {},
    locks: [], changes: [], concessions: [], objections: [], extracted: null, verdict: null, why: "",
    horizon: event.horizon ?? null, mergedInto: null, endedMs: null, stale: false,
  });
}

/** A message into its thread; what it means for commitments and the like is told by the events after it. */
export function messageIn(thread, message) {
  const { move, agent } = message;
  const speakers = thread.speakers.includes(agent) ? thread.speakers : [...thread.speakers, agent];
  const next = { ...thread, messageIds: [...thread.messageIds, message.id], speakers };
  if (move.kind === "PROPOSE_CRUX" && thread.stage === "DISCOVERY" && !message.joins) {
    next.candidates = [...thread.candidates, candidateNamed(thread.candidates.length + 1, move, agent, message.id)];
  }
  if (move.kind === "UPDATE_POSITION") next.sides = { ...thread.sides, [agent]: move.side_after };
  return measured(next);
}

/** The moderator steps in: it may frame a question, invite, split or fix the span of time. */
export function interventionIn(thread, event, message) {
  const to = event.to ?? [];
  const next = { ...thread, messageIds: [...thread.messageIds, message.id] };
  if (event.question) {
    next.candidates = [...thread.candidates, candidateNamed(thread.candidates.length + 1, event, "moderator", event.id)];
  }
  if (event.invites) next.members = [...new Set([...thread.members, ...to])];
  if (event.keeps?.length) Object.assign(next, { members: event.keeps, only: true });
  if (event.horizon) next.horizon = event.horizon;
  return measured(next);
}

/** Two threads become one; where an agent took a position in each, the one in the target stands. */
export function joinedThreads(target, source, adds) {
  const numberOf = (id) => Number(id.slice(1));
  const inOrder = (ids) => [...new Set(ids)].sort((a, b) => numberOf(a) - numberOf(b));
  const more = (adds ? source.candidates : []).map((c, i) => (
    candidateNamed(target.candidates.length + 1 + i, c, c.by, c.message)
  ));
  const pairs = new Set(target.steelmans.map((s) => `${s.by} ${s.target}`));
  return measured({
    ...target,
    messageIds: inOrder([...target.messageIds, ...source.messageIds]),
    candidates: [...target.candidates, ...more],
    commitments: { ...source.commitments, ...target.commitments },
    falsifiers: { ...source.falsifiers, ...target.falsifiers },
    steelmans: [...source.steelmans.filter((s) => !pairs.has(`${s.by} ${s.target}`)), ...target.steelmans],
    sides: { ...source.sides, ...target.sides },
    evidence: inOrder([...target.evidence, ...source.evidence]),
    concessions: [...source.concessions, ...target.concessions],
    speakers: [...new Set([...target.speakers, ...source.speakers])],
    members: target.only ? target.members : [...new Set([...target.members, ...source.members])],
  });
}

function staged(thread, event) {
  return {
    ...thread, stage: event.entered, status: event.entered === "CRUX_LOCK" ? "LOCKING" : "LOCKED",
    crux: event.candidate, stale: false, question: questionOf(thread, event.candidate),
    stageLog: [...thread.stageLog, { stage: event.entered, atMs: event.at_ms }],
  };
}

function questionOf(thread, candidate) {
  return thread.candidates.find((c) => c.id === candidate)?.question ?? "";
}

function committed(thread, event, state) {
  const { move, agent } = state.messages[event.message];
  const before = thread.commitments[agent];
  const kept = before && before.side !== move.side ? withoutOldPosition(thread, agent) : thread;
  const commitment = {
    side: move.side, statement: move.statement, reason: move.reason, confidence: move.confidence,
    horizon: move.horizon, message: event.message, atMs: event.at_ms,
  };
  return {
    ...kept, commitments: { ...kept.commitments, [agent]: commitment }, sides: { ...kept.sides, [agent]: move.side },
    excused: kept.excused.filter((id) => id !== agent),
  };
}

/** Falsifiers of a side one has left, and steelmans of it, say nothing about the new one. */
function withoutOldPosition(thread, agent) {
  const { [agent]: gone, ...falsifiers } = thread.falsifiers;
  return { ...thread, falsifiers, steelmans: thread.steelmans.filter((s) => s.target !== agent) };
}

function falsified(thread, event, state) {
  const { move, agent } = state.messages[event.message];
  const said = move.falsifier;
  const accepted = {
    number: event.number, metric: said.metric, threshold: said.threshold, deadline: said.deadline,
    reasoning: said.reasoning ?? "", concreteness: event.concreteness, openEnded: event.open_ended ?? false,
    drafted: event.drafted ?? false, message: event.message,
  };
  return { ...thread, falsifiers: { ...thread.falsifiers, [agent]: [...(thread.falsifiers[agent] ?? []), accepted] } };
}

function attempted(thread, event, state) {
  const { move, agent } = state.messages[event.message];
  const attempt = {
    message: event.message, by: agent, target: move.target, claim: move.claim, reason: move.reason,
    falsifier: move.falsifier ?? "", attempt: event.attempt, atMs: event.at_ms, grade: "PENDING", gradedBy: null,
    missing: "", gradedMs: null,
  };
  return { ...thread, steelmans: [...thread.steelmans, attempt] };
}

/** A grade goes to the pair's last attempt, as in the engine. */
function graded(thread, event, state) {
  const { agent, move } = state.messages[event.steelman];
  const last = thread.steelmans.findLastIndex((s) => s.by === agent && s.target === move.target);
  if (last < 0) return thread;
  const spoken = state.messages[thread.messageIds.at(-1)]?.move;
  const missing = (spoken?.kind === "GRADE_STEELMAN" ? spoken.missing : event.missing) ?? "";
  const steelmans = thread.steelmans.slice();
  steelmans[last] = { ...steelmans[last], grade: event.grade, gradedBy: event.by, missing, gradedMs: event.at_ms };
  return { ...thread, steelmans };
}

/** The verdict rests on what was answered before the evidence, with the sides as committed where the crux is locked. */
function calculated(thread, event) {
  const gap = { ...thread.gap, [event.phase]: event.gap };
  if (event.phase !== "BEFORE" && event.phase !== "LOCKED") return { ...thread, gap };
  const figures = { ...thread.figures };
  for (const f of event.figures ?? []) {
    figures[f.candidate] = {
      share: f.share, gapClosed: f.gap_closed, dcg: f.dcg, rank: f.rank, coverage: f.coverage, polarity: f.polarity,
      impact: f.impact, flips: f.flips ?? [], phase: event.phase,
    };
  }
  return { ...thread, gap, figures };
}

function ended(thread, status, verdict, why, endedMs) {
  return { ...thread, status, verdict, why, endedMs };
}

const told = {
  dcg_calculated: calculated,
  commitment_made: committed,
  falsifier_declared: falsified,
  steelman_attempt: attempted,
  steelman_graded: graded,
  stage_transition: staged,
  lock_attempted: (thread) => thread,
  lock_succeeded: (thread, event) => ({
    ...thread, status: "LOCKED", locks: [...thread.locks, { attempt: thread.locks.length + 1, ok: true, missing: [], atMs: event.at_ms }],
  }),
  lock_failed: (thread, event) => ({
    ...thread, locks: [...thread.locks, { attempt: event.attempt, ok: false, missing: event.missing, atMs: event.at_ms }],
  }),
  agent_silent: (thread, event) => ({
    ...thread, sides: { ...thread.sides, [event.agent]: "UNCERTAIN" }, excused: [...thread.excused, event.agent],
  }),
  evidence_provided: (thread, event) => ({ ...thread, evidence: [...thread.evidence, event.message] }),
  conceded: (thread, event) => ({
    ...thread, concessions: [...thread.concessions, { message: event.message, cheap: event.cheap ?? false }],
  }),
  position_updated: (thread, event) => ({ ...thread, changes: [...thread.changes, event] }),
  probe_answered: (thread) => thread,
  crux_extracted: (thread, event) => ({
    ...thread,
    extracted: { candidate: event.candidate, version: event.version, validated: event.validated, failures: event.failures ?? [] },
  }),
  crux_challenged: (thread, event) => ({ ...thread, objections: [...thread.objections, event] }),
  thread_converged: (thread, event) => ended(thread, "CONVERGED", event.verdict, event.why ?? "", event.at_ms),
  thread_failed: (thread, event) => (
    ended(thread, "FAILED_LOCK", "failed lock", event.missing.map((m) => m.reason).join("; "), event.at_ms)
  ),
  thread_stale: (thread, event) => (
    event.ended ? ended(thread, "STALE", "undecided", STALE_WHY, event.at_ms) : { ...thread, stale: true }
  ),
};

/** One function an event of a thread: (thread, event, state) to the thread after it. */
export const threadEvents = Object.fromEntries(
  Object.entries(told).map(([kind, change]) => [kind, (thread, event, state) => {
    const next = change(thread, event, state);
    return next === thread ? thread : measured(next);
  }]),
);

/** Sets how far the thread has come, 0 to 1: for a bar, and judged by nobody. */
function measured(thread) {
  thread.signal = howFar(thread);
  return thread;
}

function howFar(thread) {
  if (threadOver(thread)) return 1;
  const members = [...new Set([...thread.members, ...thread.speakers])].filter((id) => !thread.excused.includes(id));
  const share = (done) => (members.length ? members.filter(done).length / members.length : 0);
  if (thread.stage === "DISCOVERY") return 0.1 + 0.2 * Math.min(1, thread.candidates.length / 3);
  if (thread.stage === "CRUX_LOCK") {
    const committedShare = share((id) => id in thread.commitments);
    const falsifiedShare = share((id) => id in thread.falsifiers);
    const heard = share((id) => thread.steelmans.some((s) => s.by === id && s.grade === "ACCURATE"));
    return 0.35 + 0.1 * (committedShare + falsifiedShare + heard);
  }
  return 0.7 + 0.25 * Math.min(1, thread.evidence.length / Math.max(2, members.length * 1.5));
}
