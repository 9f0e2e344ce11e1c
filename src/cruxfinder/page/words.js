/** What things are called: one word for one thing, on every part of the page and as in the terminal. */

const STAGE_WORDS = { DISCOVERY: "discovery", CRUX_LOCK: "crux lock", EVIDENCE: "evidence" };
const ENDED_WORDS = { CONVERGED: "converged", FAILED_LOCK: "failed lock", STALE: "went quiet" };
const THREAD_TONES = { CONVERGED: "good", LOCKED: "good", LOCKING: "accent", FAILED_LOCK: "bad", STALE: "warn" };
const SIDE_WORDS = { YES: "YES", NO: "NO", UNCERTAIN: "not sure", NUANCED: "in between" };
const RUN_STATES = {
  preparing: { word: "getting ready", tone: "accent" }, running: { word: "running", tone: "accent" },
  complete: { word: "over", tone: "good" }, failed: { word: "failed", tone: "bad" }, open: { word: "not finished", tone: "warn" },
  cut: { word: "cut by damage", tone: "bad" },
};

/** A verdict as a sentence without its full stop, as every export has it. */
export const HEADLINES = {
  crux: "The disagreement turns on one question",
  "partial crux": "One question explains a part of the disagreement",
  values: "No question of fact explains the disagreement",
  definitions: "The same words mean two things",
  horizon: "They answer for different horizons",
  "no real disagreement": "There is no real disagreement",
  resolved: "The debate closed the gap",
  "hollow agreement": "They agree, but not out of conviction",
  "failed lock": "No question could be locked",
  undecided: "Nothing was decided",
  ruling: "The arbitrator has ruled",
  consensus: "They agree",
  "no consensus": "They do not agree",
  discussed: "The conversation is closed",
};

/** How a run came to its end, as every export has it. */
export const ENDINGS = {
  natural: "",
  time: "It ended early: the time ran out.",
  messages: "It ended early: the messages ran out.",
  stagnation: "It ended early: it went round in circles.",
  budget: "It ended early: its budget was spent.",
  faults: "It ended early: too few could still answer.",
  stopped: "It ended early: it was stopped.",
  unfinished: "It is not over: everything here is how it stands so far.",
};

/** A stage in words. */
export function stageName(stage) {
  return STAGE_WORDS[stage] ?? stage;
}

/**
 * Where a thread is: its stage, or what came of it.
 * @param {{stage: string, status: string, mergedInto: string|null}} thread
 */
export function threadWord(thread) {
  if (thread.status === "MERGED") return `joined ${thread.mergedInto}`;
  return ENDED_WORDS[thread.status] ?? stageName(thread.stage);
}

/** The tone of a thread's badge. */
export function threadTone(thread) {
  return THREAD_TONES[thread.status] ?? "";
}

/** A side of a crux or of the topic. */
export function sideWord(side) {
  return SIDE_WORDS[side] ?? side;
}

/** How a run stands: its word and the tone it is shown in. */
export function runStands(state) {
  return RUN_STATES[state] ?? { word: state, tone: "" };
}
