/**
 * What a person at a seat is asked for: the fields of every ask and move, and the answer they make up.
 *
 * Pure: values in (by field key, as strings), the exact wire form of the answer out.
 */

import { sideWord } from "./words.js";

const SEAT_TOP_SIDES = ["YES", "NO", "NUANCED"];
const SEAT_SIDES = ["YES", "NO", "UNCERTAIN"];
const SEAT_HORIZONS = ["1-3mo", "12-18mo", "5y", "10y+"];
const SEAT_GRADES = ["ACCURATE", "INCOMPLETE", "WRONG"];
const SEAT_TAKES_SIDE = ["ruling", "position", "concession", "synthesis"];
const SEAT_CONTENT_MAX = 600;
const SEAT_FIELD_MAX = 400;
const SEAT_ROWS = 3;

const SEAT_CHOICE_WORDS = {
  "": "Not said",
  "1-3mo": "1–3 months", "12-18mo": "12–18 months", "5y": "5 years", "10y+": "10 years or more",
  ACCURATE: "Accurate: I would sign it", INCOMPLETE: "Incomplete: something is missing", WRONG: "Wrong: not what I hold",
  FOR: "It speaks for the falsifier being met", AGAINST: "It speaks against it",
  MEASUREMENT: "What it measures", CAUSAL_LINK: "What follows from it",
  asks: "I ask for it", answers: "I answer it", true: "Yes", false: "No", speak: "Take the turn", ask: "Ask the person who watches instead",
};

/** One plain sentence a move. */
export const SEAT_MOVE_WORDS = {
  CLAIM: ["Claim", "Say what you hold true about the topic, and why."],
  CHALLENGE: ["Challenge", "Dispute a point somebody made, and say why."],
  CLARIFY: ["Clarify", "Ask what somebody means, or answer such a question."],
  REFRAME: ["Reframe", "Say that the real question is another one."],
  PROPOSE_CRUX: ["Propose a crux", "Put a yes/no question whose answer would change minds."],
  COMMIT_POSITION: ["Commit", "Take your side on the question, with what would change your mind."],
  DECLARE_FALSIFIER: ["Declare a falsifier", "Name a measurable thing that would change your mind, by when."],
  STEELMAN: ["Steelman", "Put somebody else's position as they would sign it."],
  GRADE_STEELMAN: ["Grade a steelman", "Say whether somebody has put your position right."],
  PROVIDE_EVIDENCE: ["Bring evidence", "A finding with its source that bears on a falsifier."],
  CHALLENGE_EVIDENCE: ["Challenge evidence", "Dispute what a finding measures, or what follows from it."],
  UPDATE_POSITION: ["Update", "Say that you changed your mind, and what moved you."],
  CONCEDE: ["Concede", "Grant a point."],
};

const SEAT_SURE = { ends: ["a guess", "certain"] };
const seatText = (name, label, more = {}) => ({ name, label, kind: "text", most: SEAT_FIELD_MAX, ...more });
const seatChance = (name, label, more = {}) => ({ name, label, kind: "chance", ...more });
const seatPick = (name, label, choices, more = {}) => ({ name, label, kind: "choice", choices, ...more });
const seatSelect = (name, label, from, more = {}) => ({ name, label, kind: "select", from, ...more });

const SEAT_FALSIFIER_FIELDS = [
  seatText("metric", "What is measured", { hint: "something anybody can look up" }),
  seatText("threshold", "What it would have to reach", { hint: "a number or a clear event" }),
  seatText("deadline", "By when", { hint: "a date, such as “by 31 December 2030”", rows: 1 }),
  seatText("reasoning", "Why that would tell", { optional: true }),
];

const SEAT_MOVE_FIELDS = {
  CLAIM: () => [
    seatText("proposition", "What you claim"), seatText("reason", "Why"), seatChance("confidence", "How sure you are", SEAT_SURE),
    seatPick("top_side", "Your side on the topic", SEAT_TOP_SIDES),
    seatPick("horizon", "The time it speaks of", SEAT_HORIZONS, { optional: true }),
  ],
  CHALLENGE: () => [
    seatSelect("target", "Which message", "others"), seatText("disputes", "The point you dispute"), seatText("why", "Why"),
  ],
  CLARIFY: () => [seatSelect("target", "Which message", "messages"), seatPick("asks", "You …", ["asks", "answers"])],
  REFRAME: () => [seatText("question", "The question as it should be put"), seatText("why", "Why that is the real question")],
  PROPOSE_CRUX: () => [
    seatText("question", "A yes/no question"), seatText("yes_means", "YES means"), seatText("no_means", "NO means"),
  ],
  COMMIT_POSITION: (values) => [
    seatPick("side", "Your side on the question", SEAT_SIDES), seatText("statement", "Your position in a sentence"),
    seatText("reason", "Your strongest reason"), seatChance("confidence", "How sure you are", SEAT_SURE),
    seatPick("horizon", "The time it speaks of", SEAT_HORIZONS),
    ...seatFalsifierOf(values),
  ],
  DECLARE_FALSIFIER: () => SEAT_FALSIFIER_FIELDS,
  STEELMAN: () => [
    seatSelect("target", "Whose position", "agents"), seatText("claim", "What they claim"),
    seatText("reason", "Their strongest reason"),
    seatText("falsifier", "What would change their mind", { optional: true }),
  ],
  GRADE_STEELMAN: (values) => [
    seatSelect("target", "Which steelman of you", "steelmans"), seatPick("grade", "Your grade", SEAT_GRADES),
    seatText("missing", "What is missing or wrong", { optional: values["GRADE_STEELMAN.grade"] === "ACCURATE" }),
  ],
  PROVIDE_EVIDENCE: () => [
    seatText("evidence", "What was found"), seatText("source", "Where it can be looked up"),
    seatSelect("falsifier", "Which falsifier it bears on", "falsifiers"),
    seatPick("direction", "What it says", ["FOR", "AGAINST"]),
  ],
  CHALLENGE_EVIDENCE: () => [
    seatSelect("target", "Which evidence", "evidence"), seatPick("attacks", "What you dispute", ["MEASUREMENT", "CAUSAL_LINK"]),
    seatText("why", "Why"),
  ],
  UPDATE_POSITION: () => [
    seatPick("side_before", "Your side so far", SEAT_SIDES), seatChance("confidence_before", "How sure you were", SEAT_SURE),
    seatPick("side_after", "Your side now", SEAT_SIDES), seatChance("confidence_after", "How sure you are now", SEAT_SURE),
    seatSelect("moved_by", "What moved you", "others"),
  ],
  CONCEDE: (values) => [
    seatText("proposition", "The point you grant"),
    seatPick("top_changed", "Does it change your side on the topic?", ["false", "true"]),
    ...(values["CONCEDE.top_changed"] === "true"
      ? [seatPick("side_before", "Your side so far", SEAT_TOP_SIDES), seatPick("side_after", "Your side now", SEAT_TOP_SIDES)]
      : []),
  ],
};

/** A commitment may come without a falsifier, but not with half of one. */
function seatFalsifierOf(values) {
  const begun = ["metric", "threshold", "deadline"].some((name) => seatSaid(values[`COMMIT_POSITION.${name}`]));
  return SEAT_FALSIFIER_FIELDS.map((field) => ({
    ...field, label: `What would change your mind: ${field.label.toLowerCase()}`, optional: field.optional || !begun,
  }));
}

/** The words of a choice. */
export function choiceWords(value) {
  return SEAT_CHOICE_WORDS[value] ?? sideWord(value);
}

/**
 * The fields of an ask as they stand: groups with a legend, each field with the key its value is kept under.
 * @param {object} ask wire form
 * @param {Object<string, string>} values
 * @returns {{legend: string, note?: string, fields: object[]}[]}
 */
export function seatGroups(ask, values) {
  const groups = (SEAT_ASKS[ask.kind] ?? (() => []))(ask, values);
  return groups.map((group) => ({
    ...group,
    fields: group.fields.map((field) => ({ ...field, key: `${group.prefix ?? ask.kind}.${field.name}` })),
  }));
}

const SEAT_ASKS = {
  first: () => [{ legend: "Your first position", fields: [
    seatChance("p_top", "How likely is it that the topic's claim is true?"), seatPick("side", "Your side", SEAT_TOP_SIDES),
    seatText("reason", "Your main reason"),
  ] }],
  draft: (ask, values) => (values.move in SEAT_MOVE_FIELDS ? [{
    legend: SEAT_MOVE_WORDS[values.move][0], prefix: values.move,
    fields: [...SEAT_MOVE_FIELDS[values.move](values), seatText("content", "What you say to the others", {
      most: SEAT_CONTENT_MAX, hint: "one or two plain sentences", rows: SEAT_ROWS,
    })],
  }] : []),
  probe: (ask) => [
    { legend: "The topic", fields: [
      seatChance("p_top", "How likely is it that the topic's claim is true?"),
      ...(ask.phase === "CHANGE" ? [seatPick("public_side", "The side you take in public", SEAT_TOP_SIDES)] : []),
    ] },
    ...(ask.questions ?? []).map((question) => ({
      legend: question.question, prefix: `probe.${question.id}`, means: question, fields: seatProbeFields(ask.phase),
    })),
  ],
  judge: (ask, values) => [{ legend: "Does this represent you?", fields: [
    seatPick("fits", "The record has you right", ["true", "false"]),
    ...(values["judge.fits"] === "false" ? [
      seatText("objection", "What is wrong with it"), seatPick("side", "Your side", SEAT_SIDES, { optional: true }),
      seatText("statement", "Your position as it should be", { optional: true }),
    ] : []),
  ] }],
  relate: (ask) => [
    { legend: "If the first is settled …", fields: [
      seatChance("second_if_yes", "… as YES: how likely is YES to the second?"),
      seatChance("second_if_no", "… as NO: how likely is YES to the second?"),
      seatText("sketch", "How the first bears on the second", { optional: true }),
    ] },
    { legend: "If the second is settled …", fields: [
      seatChance("first_if_yes", "… as YES: how likely is YES to the first?"),
      seatChance("first_if_no", "… as NO: how likely is YES to the first?"),
      seatText("back", "How the second bears on the first", { optional: true }),
    ] },
  ],
  grade: (ask, values) => [{ legend: "Does this say what you hold?", fields: [
    seatPick("grade", "Your grade", SEAT_GRADES),
    seatText("missing", "What is missing or wrong", { optional: values["grade.grade"] === "ACCURATE" }),
  ] }],
  turn: (ask, values) => [{ legend: "Your turn", fields: seatTurnFields(ask, values["turn.as"] === "ask") }],
  consent: (ask, values) => [{ legend: "Can you live with this?", fields: [
    seatPick("agrees", "I would sign it", ["true", "false"]),
    seatText("why", "What stands against it", { optional: values["consent.agrees"] !== "false" }),
  ] }],
  user: () => [{ legend: "Your answer", fields: [seatText("text", "What you say", { most: SEAT_CONTENT_MAX, rows: SEAT_ROWS })] }],
};

/** Of what nobody disputed only the chance is asked for; in WORDING the question as its YES and NO texts fix it. */
function seatProbeFields(phase) {
  if (phase === "WORDING") {
    return [
      seatChance("wording", "How likely is YES, the words taken exactly as above?"),
      seatChance("horizon", "How likely is YES, within exactly that time?"),
    ];
  }
  const yes = seatChance("c", "How likely is YES?");
  if (phase === "GROUND") return [yes];
  return [
    yes, seatChance("p1", "If it is settled as YES, how likely is the topic's claim?"),
    seatChance("p0", "If it is settled as NO, how likely is the topic's claim?"),
  ];
}

function seatTurnFields(ask, asksUser) {
  const choose = ask.may_ask ? [seatPick("as", "What you do", ["speak", "ask"], { start: "speak" })] : [];
  const words = seatText("content", asksUser ? "Your question" : "What you say", {
    words: asksUser ? Math.min(50, ask.words) : ask.words, rows: 5, most: 4000,
  });
  if (asksUser) return [...choose, words];
  const stand = seatPick("side", "Where you now stand on the topic", SEAT_TOP_SIDES, { optional: ask.type !== "ruling" });
  const side = SEAT_TAKES_SIDE.includes(ask.type) ? [stand] : [];
  const gives = ask.type === "concession" ? [seatText("concedes", "The point of theirs that you grant", { optional: true })] : [];
  const next = ask.type === "synthesis" ? [seatText("next_step", "The next step")] : [];
  return [...choose, words, ...side, ...gives, ...next];
}

/** Labels of the fields that still need something. */
export function seatMissing(groups, values) {
  const fields = groups.flatMap((group) => group.fields);
  return fields.filter((field) => !field.optional && !seatSaid(values[field.key])).map((field) => field.label);
}

/** Line breaks are refused by the rules: a person may type them, so they become spaces. */
function seatSaid(value) {
  return String(value ?? "").replace(/\s+/g, " ").trim();
}

/**
 * The answer on the wire; what equals its default is left out.
 * @param {object} ask wire form
 * @param {Object<string, string>} values by key
 */
export function seatAnswer(ask, values) {
  const prefix = ask.kind === "draft" ? values.move : ask.kind;
  const text = (name) => seatSaid(values[`${prefix}.${name}`]);
  const chance = (name) => Number(text(name));
  if (ask.kind === "draft") return { kind: "drafted", draft: seatDraft(ask, values.move, text, chance) };
  if (ask.kind === "probe") return seatProbed(ask, values, chance("p_top"), text("public_side"));
  if (ask.kind === "turn") return { kind: "spoken", turn: seatTurn(ask, text) };
  const answers = {
    first: () => ({ kind: "first", p_top: chance("p_top"), side: text("side"), reason: text("reason") }),
    judge: () => (text("fits") === "true" ? { kind: "judged" } : seatFilled({ kind: "judged" }, text, ["objection", "side", "statement"])),
    relate: () => seatFilled({
      kind: "related", second_if_yes: chance("second_if_yes"), second_if_no: chance("second_if_no"),
      first_if_yes: chance("first_if_yes"), first_if_no: chance("first_if_no"),
    }, text, ["sketch", "back"]),
    grade: () => seatFilled({ kind: "graded", grade: text("grade") }, text, ["missing"]),
    consent: () => seatFilled({ kind: "consented", agrees: text("agrees") === "true" }, text, ["why"]),
    user: () => ({ kind: "user_said", text: text("text") }),
  };
  return answers[ask.kind]();
}

function seatFilled(start, text, names) {
  const given = names.filter((name) => text(name) !== "").map((name) => [name, text(name)]);
  return { ...start, ...Object.fromEntries(given) };
}

function seatDraft(ask, kind, text, chance) {
  const [of, number] = text("falsifier").split("#");
  const test = () => seatFilled({}, text, ["metric", "threshold", "deadline", "reasoning"]);
  const make = {
    CLAIM: () => ({ confidence: chance("confidence") }),
    CLARIFY: () => ({ asks: text("asks") === "asks" }),
    COMMIT_POSITION: () => ({ confidence: chance("confidence"), ...(text("metric") ? { falsifier: test() } : {}) }),
    DECLARE_FALSIFIER: () => ({ falsifier: test() }),
    PROVIDE_EVIDENCE: () => ({ falsifier_of: of, number: Number(number) }),
    UPDATE_POSITION: () => ({ confidence_before: chance("confidence_before"), confidence_after: chance("confidence_after") }),
    CONCEDE: () => ({ top_changed: text("top_changed") === "true" }),
  };
  const own = make[kind]?.() ?? {};
  const known = new Set(["content", "metric", "threshold", "deadline", "reasoning", ...Object.keys(own)]);
  if (kind === "PROVIDE_EVIDENCE") known.add("falsifier");
  const shown = SEAT_MOVE_FIELDS[kind]({ "CONCEDE.top_changed": text("top_changed") });
  const names = shown.map((field) => field.name).filter((name) => !known.has(name));
  const answered = ["CHALLENGE", "CLARIFY", "GRADE_STEELMAN", "CHALLENGE_EVIDENCE"].includes(kind) ? text("target") : text("moved_by");
  const replyTo = answered || ask.answers || ask.duty?.message;
  return { move: seatFilled({ kind, ...own }, text, names), content: text("content"), ...(replyTo ? { reply_to: replyTo } : {}) };
}

function seatProbed(ask, values, topic, publicSide) {
  const names = seatProbeFields(ask.phase).map((field) => field.name);
  const rows = (ask.questions ?? []).map((question) => {
    const said = names.map((name) => Number(seatSaid(values[`probe.${question.id}.${name}`])));
    return [question.id, ...said, ...(ask.phase === "GROUND" ? [topic, topic] : [])];
  });
  const told = { kind: "probed", p_top: topic, [ask.phase === "WORDING" ? "fixed" : "credences"]: rows };
  return publicSide ? { ...told, public_side: publicSide } : told;
}

function seatTurn(ask, text) {
  const asksUser = text("as") === "ask";
  if (asksUser) return { type: "question", content: text("content"), to_user: true };
  const replyTo = ask.answers ? { reply_to: ask.answers } : {};
  return seatFilled({ type: ask.type, content: text("content"), ...replyTo }, text, ["side", "concedes", "next_step"]);
}
