/** What things are called: the words of telling/wording.py, which come as vocabulary.js, and the tones they are shown in. */

import { VOCABULARY } from "./vocabulary.js";

const THREAD_TONES = { CONVERGED: "good", LOCKED: "good", LOCKING: "accent", FAILED_LOCK: "bad", STALE: "warn" };
const RUN_TONES = { preparing: "accent", running: "accent", complete: "good", failed: "bad", open: "warn", cut: "bad" };

/** The word for a value, such as wordFor("grades", "WRONG"); a value that has none is its own word. */
export function wordFor(kind, value) {
  return VOCABULARY[kind][value] ?? String(value ?? "");
}

/** All values of a kind, in the order they are offered. */
export function wordsFor(kind) {
  return Object.keys(VOCABULARY[kind]);
}

/** A stage in words. */
export function stageName(stage) {
  return wordFor("stages", stage);
}

/**
 * Where a thread is: its stage, or what came of it.
 * @param {{stage: string, status: string, mergedInto: string|null, ended?: boolean}} thread
 */
export function threadWord(thread) {
  const ended = thread.status in THREAD_ENDS ? wordFor("statuses", thread.status) : stageName(thread.stage);
  return ended.replace("{0}", thread.mergedInto);
}

const THREAD_ENDS = { CONVERGED: true, FAILED_LOCK: true, STALE: true, MERGED: true };

/** The tone of a thread's badge. */
export function threadTone(thread) {
  return THREAD_TONES[thread.status] ?? "";
}

/** A side of a crux or of the topic. */
export function sideWord(side) {
  return wordFor("sides", side);
}

/** What a run of a protocol comes to, "result" or "minutes", and the figure that counts what is said in it. */
export function protocolWords(name) {
  const [comesTo, said] = VOCABULARY.protocols[name] ?? ["minutes", "turns"];
  return { comesTo, said };
}

/** A figure with its word, such as countWord(2, "refusals"). */
export function countWord(n, figure) {
  return `${n} ${VOCABULARY.figures[figure][n === 1 ? 0 : 1]}`;
}

/** How many are in a table of votes; who debates is an agent. */
export function countPeople(n) {
  return `${n} ${VOCABULARY.tables.people[n === 1 ? 0 : 1]}`;
}

/** A word at the head of a row. */
export function headWord(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** What an explained share says, beside its figure. */
export function shareMeaning(share) {
  return wordFor("shares", Math.round(share * 100) > 100 ? "more" : "part");
}

/** How a run stands: its word and the tone it is shown in. */
export function runStands(state) {
  return { word: wordFor("runStates", state), tone: RUN_TONES[state] ?? "" };
}
