/** Folds logs with the page's own reducer: a JSON list of lists of events comes in, one picture a log goes out. */

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { initial, reduce } = await import(pathToFileURL(process.argv[2]));
const { figuresOf, flipsOf, messagesOf } = await import(new URL("./figures.js", pathToFileURL(process.argv[2])));
const { percent, twoPlaces } = await import(new URL("./dom.js", pathToFileURL(process.argv[2])));
const logs = JSON.parse(readFileSync(0, "utf-8"));

function frozen(value) {
  if (value === null || typeof value !== "object" || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Object.values(value).forEach(frozen);
  return value;
}

const grades = (thread) => {
  const pairs = {};
  for (const s of thread.steelmans) {
    (pairs[`${s.by} ${s.target}`] ??= []).push([s.message, s.grade, s.gradedBy, s.missing]);
  }
  return pairs;
};

const threadPicture = (thread) => ({
  topic: thread.topic, parent: thread.parent, trigger: thread.trigger, stage: thread.stage, status: thread.status,
  crux: thread.crux, messages: thread.messageIds, verdict: thread.verdict, why: thread.why, ended: thread.endedMs,
  mergedInto: thread.mergedInto, members: [...thread.members].sort(), horizon: thread.horizon, sides: thread.sides,
  candidates: thread.candidates.map((c) => [c.id, c.question, c.yesMeans, c.noMeans, c.by, c.message]),
  commitments: Object.fromEntries(Object.entries(thread.commitments).map(([agent, c]) => (
    [agent, [c.side, c.statement, c.reason, c.confidence, c.horizon, c.message]]
  ))),
  falsifiers: Object.fromEntries(Object.entries(thread.falsifiers).map(([agent, held]) => (
    [agent, held.map((f) => [f.number, f.metric, f.threshold, f.deadline, f.concreteness, f.openEnded, f.drafted, f.message])]
  ))),
  grades: grades(thread), evidence: thread.evidence, objections: thread.objections.length,
  changes: thread.changes.map((c) => [c.message, c.agent, c.before, c.after, c.label]),
  failedLocks: Math.max(0, ...thread.locks.filter((l) => !l.ok).map((l) => l.attempt)),
  validated: thread.extracted?.validated ?? null,
});

const figures = (state) => ({
  run: figuresOf(state),
  threads: Object.fromEntries(state.threadIds.map((id) => [id, messagesOf(state, state.threads[id])])),
  flips: Object.fromEntries(state.threadIds.map((id) => state.threads[id]).filter((t) => t.crux).map((t) => [t.id, flipsOf(t)])),
});


const picture = (state) => ({
  atMs: state.atMs, seats: state.seats.map((s) => s.id), order: state.messageOrder.length,
  tops: Object.fromEntries(Object.values(state.agents).filter((a) => a.topSide && state.protocol === "crux")
    .map((a) => [a.id, [a.topSide, a.topClaim]])),
  threads: Object.fromEntries(state.threadIds.map((id) => [id, threadPicture(state.threads[id])])),
  settled: Object.fromEntries(Object.entries(state.proposals).map(([id, p]) => [id, p.settled])),
  promoted: state.promoted, coalitions: state.coalitions.map((g) => g.members),
  relations: state.relations.map((r) => [r.from, r.to, r.relation, r.confidence]),
  turns: state.turns.map((t) => [t.id, t.number, t.agent, t.role, t.type, t.content, t.replyTo, t.side, t.offTopic]),
  pivots: state.pivots.length, syntheses: state.syntheses.map((s) => s.turn),
  questions: state.questions.map((q) => [q.turn, q.answer]), complete: state.complete?.verdict ?? null,
});

/** Every state is frozen before the next event comes: a reducer that changed one would throw here. */
function folded(events) {
  const frames = events.map((event, at) => frozen({ n: at + 1, event }));
  const states = [frozen(initial())];
  for (const frame of frames) states.push(frozen(reduce(states.at(-1), frame)));
  const middle = states[Math.floor(states.length / 2)];
  return {
    end: picture(states.at(-1)), middle: picture(middle),
    figures: { end: figures(states.at(-1)), middle: figures(middle) },
    same: JSON.stringify(frames.reduce(reduce, initial())) === JSON.stringify(states.at(-1)),
    signals: states.flatMap((s) => Object.values(s.threads).map((t) => t.signal)).filter((x) => !(x >= 0 && x <= 1)).length,
  };
}

const told = process.argv[3] === "numbers" ? logs.map((x) => [percent(x), twoPlaces(x)]) : logs.map(folded);
process.stdout.write(JSON.stringify(told));
