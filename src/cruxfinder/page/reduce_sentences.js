/** Every event as a sentence a person can read, with the group it is filtered by. */

import { clock, percent, plural, wordsOf } from "./dom.js";
import { sideWord, stageName } from "./words.js";

/** The name of an agent, or of whoever else may speak. */
export function speakerName(state, id) {
  const seat = state.seats.find((s) => s.id === id);
  if (seat) return seat.name;
  return { moderator: "Moderator", user: "You", "devils-advocate": "Devil's advocate" }[id] ?? wordsOf(id ?? "").replaceAll("-", " ");
}

/** Names in a row: "Ines, Rufus and Kofi". */
export function speakerNames(state, ids) {
  const names = ids.map((id) => speakerName(state, id));
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const authorOf = (state, message) => speakerName(state, state.messages[message]?.agent);
const questionIn = (state, event) => (
  state.threads[event.thread]?.candidates.find((c) => c.id === event.candidate)?.question ?? ""
);
const reasonsOf = (refusals) => (refusals ?? []).map((r) => r.reason).join("; ");

/** A change of sides. */
export function movedWords(before, after) {
  return `${sideWord(before)} → ${sideWord(after)}`;
}

/** What a move says in a word or two: a side, a grade, whom it answers. */
export function moveDetail(state, move) {
  switch (move.kind) {
    case "CLAIM": return `${sideWord(move.top_side)} · ${percent(move.confidence)}`;
    case "COMMIT_POSITION": return `${sideWord(move.side)} · ${percent(move.confidence)}`;
    case "CHALLENGE":
    case "CHALLENGE_EVIDENCE": return `to ${authorOf(state, move.target)}`;
    case "STEELMAN": return `of ${speakerName(state, move.target)}`;
    case "GRADE_STEELMAN": return `${wordsOf(move.grade)} · to ${authorOf(state, move.target)}`;
    case "PROVIDE_EVIDENCE": return `${wordsOf(move.direction)} ${speakerName(state, move.falsifier_of)}’s test`;
    case "UPDATE_POSITION": return `${movedWords(move.side_before, move.side_after)} · ${percent(move.confidence_after)}`;
    case "CONCEDE": return move.top_changed ? `now ${sideWord(move.side_after)}` : "";
    default: return "";
  }
}

function relationWords(event) {
  const found = (event.dependencies ?? []).length;
  if (found) return plural(found, "dependency", "dependencies");
  return event.same ? "the same question" : "independent";
}

const outcomes = { revise: "was sent back", dropped: "was dropped", held: "was held back", stripped: "was taken without a part" };

const sentences = {
  debate_started: (s, e) => ["debate", `The debate starts: ${e.topic}`],
  debate_forked: (s, e) => ["debate", `Forked from ${e.parent} after event ${e.at}: ${(e.changes ?? []).join(", ") || "no change"}`],
  first_position: (s, e) => ["private", `${speakerName(s, e.agent)} starts at ${percent(e.p_top)} (${sideWord(e.side)}): ${e.reason}`],
  thread_created: (s, e) => ["threads", `Thread ${e.thread} opens: ${e.question || e.topic}`],
  thread_proposed: (s, e) => ["threads", `${speakerNames(s, e.supporters ?? [])} may get a thread of their own: ${e.question || e.topic}`],
  thread_merged: (s, e) => ["threads", `${e.thread ?? "A proposal"} joins ${e.into}`],
  message_posted: (s, e) => ["messages", `${speakerName(s, e.agent)}, ${wordsOf(e.move.kind)}: ${e.content}`],
  message_refused: (s, e) => ["refusals",
    `${speakerName(s, e.agent)}’s ${wordsOf(e.move)} ${outcomes[e.outcome ?? "revise"]}: ${reasonsOf(e.refusals)}`],
  stage_transition: (s, e) => ["threads", `${e.thread} enters ${stageName(e.entered)}: ${questionIn(s, e)}`],
  dcg_calculated: (s, e) => ["figures",
    `${e.thread} is weighed (${wordsOf(e.phase)}): a gap of ${percent(e.gap)}, ${plural((e.figures ?? []).length, "question")} tested`],
  commitment_made: (s, e) => ["positions", `${authorOf(s, e.message)} is committed in ${e.thread}`],
  falsifier_declared: (s, e) => ["positions", `${authorOf(s, e.message)} has said what would change their mind`],
  steelman_attempt: (s, e) => ["steelmans",
    `${authorOf(s, e.message)} steelmans ${speakerName(s, s.messages[e.message]?.move.target)}, attempt ${e.attempt}`],
  steelman_graded: (s, e) => ["steelmans", `${speakerName(s, e.by)} finds ${authorOf(s, e.steelman)}’s steelman ${wordsOf(e.grade)}`],
  lock_attempted: (s, e) => ["locks", `${e.thread} tries to lock, attempt ${e.attempt}`],
  lock_succeeded: (s, e) => ["locks", `${e.thread} locks: ${questionIn(s, e)}`],
  lock_failed: (s, e) => ["locks", `${e.thread} does not lock: ${reasonsOf(e.missing)}`],
  moderator_intervention: (s, e) => ["messages", `Moderator (${e.cause}): ${e.content}`],
  agent_silent: (s, e) => ["positions", `${speakerName(s, e.agent)} is excused: owed ${wordsOf(e.owed)} for too long`],
  ask_failed: (s, e) => ["refusals", `${speakerName(s, e.agent)} gave no answer (${e.ask}): ${e.reason}`],
  evidence_provided: (s, e) => ["positions", `${authorOf(s, e.message)} has put evidence before ${e.thread}`],
  conceded: (s, e) => ["positions", `${authorOf(s, e.message)} concedes a point${e.cheap ? ", at no cost" : ""}`],
  position_updated: (s, e) => ["positions",
    `${speakerName(s, e.agent)} moves, ${movedWords(e.before, e.after)} on the ${e.on}: ${e.label}`],
  probe_answered: (s, e) => ["private", `${speakerName(s, e.agent)} privately holds ${percent(e.p_top)} (${wordsOf(e.phase)})`],
  grading_tested: (s, e) => ["private", `${speakerName(s, e.agent)} was given a wrong steelman and said: ${wordsOf(e.grade ?? "nothing")}`],
  crux_extracted: (s, e) => ["cruxes", `${e.thread} has ${e.validated ? "a crux" : "no valid crux"}: ${questionIn(s, e)}`],
  crux_challenged: (s, e) => ["cruxes", `${speakerName(s, e.agent)} objects: ${e.objection}`],
  crux_promoted: (s, e) => ["cruxes", `${e.thread} becomes an active dispute: ${questionIn(s, e)}`],
  thread_converged: (s, e) => ["threads", `${e.thread} converged, ${e.verdict}: ${e.why}`],
  thread_failed: (s, e) => ["threads", `${e.thread} ends as a failed lock: ${reasonsOf(e.missing)}`],
  thread_stale: (s, e) => ["threads", `${e.thread} went quiet${e.ended ? " and ends" : ""}`],
  relation_answered: (s, e) => ["private", `${speakerName(s, e.agent)} weighs how ${e.first} bears on ${e.second}`],
  cruxes_related: (s, e) => ["cruxes", `${e.first} and ${e.second} are compared: ${relationWords(e)}`],
  coalition_detected: (s, e) => ["positions",
    `${plural(e.groups.length, "coalition")}: ${e.groups.map((g) => speakerNames(s, g.members)).join(" · ")}`],
  global_convergence: (s, e) => ["debate", `Every thread has ended: ${plural((e.cruxes ?? []).length, "crux", "cruxes")}`],
  turn_spoken: (s, e) => ["messages", `${speakerName(s, e.agent)}, ${e.turn.type}: ${e.turn.content}`],
  turn_refused: (s, e) => ["refusals", `${speakerName(s, e.agent)}’s ${e.type} was sent back: ${reasonsOf(e.refusals)}`],
  pivot_forced: (s, e) => ["threads", `The conversation is led to ${e.to === "speaker" ? "another speaker" : `a ${e.to}`}: ${e.text}`],
  synthesis_given: (s, e) => ["cruxes", `Synthesis of act ${e.act}. Next: ${e.next_step}`],
  user_question: (s, e) => ["messages", `${speakerName(s, e.agent)} asks you: ${e.question}`],
  user_answered: (s, e) => ["messages", e.answer ? `You answered: ${e.answer}` : "Nobody answered in time"],
  debate_complete: (s, e) => ["debate", `The debate is over, ${e.verdict}: ${e.why}`],
};

/** The groups of the log, in the order they are offered as filters. */
export const LOG_GROUPS = [
  "messages", "refusals", "threads", "locks", "positions", "steelmans", "cruxes", "figures", "private", "debate",
];

/**
 * An event in words.
 * @param {object} state right after the event, or any later one
 * @param {object} event
 * @returns {{group: string, text: string, at: string}}
 */
export function sentenceOf(state, event) {
  const [group, text] = sentences[event.kind]?.(state, event) ?? ["debate", wordsOf(event.kind)];
  return { group, text, at: clock(event.at_ms) };
}
