"""What things are called, once: terminal, exports, tools, page and report take their words from here.

The page gets it as a module of its own (`vocabulary.js`, made from `page_vocabulary`).
"""

from dataclasses import fields
from typing import Final

from cruxfinder.crux.moves import MOVE_TYPES
from cruxfinder.kernel.vocabulary import (
    Direction,
    Ending,
    Grade,
    Horizon,
    Label,
    MoveKind,
    Relation,
    Side,
    Stage,
    Status,
    TopSide,
    Trigger,
    Verdict,
)
from cruxfinder.language.counts import ALL_AND_MORE, count_phrase, is_all_and_more
from cruxfinder.talk.turns import PivotKind

SIDES: Final = {Side.YES: "YES", Side.NO: "NO", Side.UNCERTAIN: "unsure"}
TOP_SIDES: Final = {TopSide.YES: "YES", TopSide.NO: "NO", TopSide.NUANCED: "in between"}
STAGES: Final = {Stage.DISCOVERY: "discovery", Stage.CRUX_LOCK: "crux lock", Stage.EVIDENCE: "evidence"}
STATUSES: Final = {
    Status.DISCOVERY: "discovery",
    Status.LOCKING: "crux lock",
    Status.LOCKED: "evidence",
    Status.CONVERGED: "converged",
    Status.FAILED_LOCK: "failed lock",
    Status.STALE: "went quiet",
    Status.MERGED: "joined {0}",
}
RUN_STATES: Final = {
    "preparing": "getting ready",
    "running": "running",
    "complete": "over",
    "failed": "failed",
    "open": "not finished",
    "cut": "cut by damage",
}
SHARES: Final = {"part": "of the gap comes from this question", "more": ALL_AND_MORE.format("it")}
HEADLINES: Final = {
    Verdict.CRUX: "The disagreement turns on one question",
    Verdict.UNRESOLVED: "The disagreement turns on a question that stays open",
    Verdict.PARTIAL: "One question explains a part of the disagreement",
    Verdict.SEVERAL_FACTS: "Several questions of fact carry the disagreement together",
    Verdict.VALUES: "No question of fact explains the disagreement",
    Verdict.DEFINITIONS: "The same words mean two things",
    Verdict.HORIZON: "They answer for different horizons",
    Verdict.NO_DISAGREEMENT: "There is no real disagreement",
    Verdict.RESOLVED: "The debate closed the gap",
    Verdict.HOLLOW: "They agree, but not out of conviction",
    Verdict.FAILED_LOCK: "No question could be locked",
    Verdict.UNDECIDED: "Nothing was decided",
    Verdict.RULED: "The arbitrator has ruled",
    Verdict.CONSENSUS: "They agree",
    Verdict.NO_CONSENSUS: "They do not agree",
    Verdict.DISCUSSED: "The conversation is closed",
}
SEVERAL_HEADLINES: Final = {
    Verdict.CRUX: "The disagreement turns on {0} questions",
    Verdict.UNRESOLVED: "The disagreement turns on {0} questions that stay open",
    Verdict.PARTIAL: "{0} questions each explain a part of the disagreement",
}
MEANINGS: Final = {
    Verdict.CRUX: "Whoever learned the answer would have reason to change sides on the topic. To settle the dispute, "
    "find out the answer; arguing about anything else moves little.",
    Verdict.UNRESOLVED: "Whoever learned the answer would have reason to change sides on the topic. What speaks for "
    "and against it was not heard out: go on with the debate, or find out the answer.",
    Verdict.SEVERAL_FACTS: "No single answer would settle it; together these would close most of the gap. Take them in "
    "their order, each with those who stand on either side of it.",
    Verdict.PARTIAL: "An answer would bring the sides closer and would not settle the dispute: the rest of the gap has "
    "other grounds.",
    Verdict.VALUES: "The sides differ in what they want, not in what they expect. No measurement settles that; it has "
    "to be weighed or bargained over.",
    Verdict.DEFINITIONS: "The sides use a word of the question in different senses. Agree on the word first, then ask "
    "again.",
    Verdict.HORIZON: "The sides may both be right, each for its own span of time. Name the span, then ask again.",
    Verdict.NO_DISAGREEMENT: "In private the participants stand close together: there is nothing to settle.",
    Verdict.RESOLVED: "What was brought forward moved the private answers together, not just the words.",
    Verdict.HOLLOW: "In public the sides agree; in private they stand as far apart as before. Do not build on it.",
    Verdict.FAILED_LOCK: "A question was on the table, but the participants did not do what makes it a crux: take both "
    "sides, say what would change their minds, and put the other side's case fairly.",
    Verdict.UNDECIDED: "The debate ended before any question could be shown to carry the disagreement.",
    Verdict.RULED: "One side carried its claim by what was brought forward and left unanswered. A ruling weighs a "
    "debate, and does not make a claim true.",
    Verdict.CONSENSUS: "Everybody can live with the merged position, and it names what was granted for it.",
    Verdict.NO_CONSENSUS: "Somebody cannot live with the merged position; the reasons are below.",
    Verdict.DISCUSSED: "A conversation decides nothing. What advanced and what comes next is in its last synthesis.",
}
EARLY: Final = {  # why a run ended before its time
    Ending.TIME: "the time ran out",
    Ending.MESSAGES: "the messages ran out",
    Ending.STAGNATION: "it went round in circles",
    Ending.BUDGET: "its budget was spent",
    Ending.FAULTS: "too few could still answer",
    Ending.STOPPED: "it was stopped",
}
ENDINGS: Final[dict[Ending, str]] = {
    **{ending: f"It ended early: {EARLY[ending]}." if ending in EARLY else "" for ending in Ending},
    Ending.UNFINISHED: "It is not over: everything here is how it stands so far.",
}
RULINGS: Final = {
    TopSide.YES: "The claim is carried",
    TopSide.NO: "The claim is not carried",
    TopSide.NUANCED: "Neither side carried it",
}
RELATIONS: Final = {Relation.ENTAILS: "entails", Relation.CONTRADICTS: "contradicts", Relation.SUPPORTS: "supports"}
BEARS: Final = {
    Relation.ENTAILS: "a YES to {0} means a YES to {1}",
    Relation.CONTRADICTS: "a YES to {0} means a NO to {1}",
    Relation.SUPPORTS: "a YES to {0} makes a YES to {1} likelier",
}
SPAWNED: Final = "SPAWNED"  # on a map: which thread a thread came from
LABELS: Final = {
    Label.PERSUADED: "persuaded: the private answers moved with it",
    Label.CONFORMED: "conformed: the private answers did not follow",
    Label.NOISE: "noise: the private answers explain nothing of it",
}
GRADES: Final = {
    Grade.PENDING: "not graded",
    Grade.ACCURATE: "accurate",
    Grade.INCOMPLETE: "incomplete",
    Grade.WRONG: "wrong",
}
DIRECTIONS: Final = {Direction.FOR: "for", Direction.AGAINST: "against"}
HORIZONS: Final = {
    Horizon.MONTHS: "1-3mo",
    Horizon.YEAR: "12-18mo",
    Horizon.FIVE_YEARS: "5y",
    Horizon.DECADE: "10y+",
}
TRIGGERS: Final = {
    Trigger.FRAMING: "it was framed as a question of its own",
    Trigger.WHAT_ABOUT: "somebody asked what about it",
    Trigger.KEYWORD: "several speak of it and no question covers it",
    Trigger.STUCK: "the thread is long and does not converge",
    Trigger.DEEPER: "it may lie behind the crux",
    Trigger.THREE_WAY: "they differ on more than one question",
    Trigger.HORIZON: "some speak of another span of time",
    Trigger.REOPENED: "every thread had stalled",
}
LED_TO: Final = {
    PivotKind.DILEMMA: "a dilemma",
    PivotKind.ANCHOR: "a passage",
    PivotKind.TENSION: "another tension",
    PivotKind.SPEAKER: "somebody new",
    PivotKind.REASON: "the voice of reason",
}
FATES: Final = {"revise": "sent back", "dropped": "dropped", "held": "held", "stripped": "taken without a part"}
MOVES: Final[dict[MoveKind, str]] = {kind: kind.value.replace("_", " ").lower() for kind in MoveKind}
BADGES: Final = MOVES | {  # beside a message, where there is little room
    MoveKind.COMMIT_POSITION: "commit",
    MoveKind.DECLARE_FALSIFIER: "falsifier",
    MoveKind.GRADE_STEELMAN: "grade",
    MoveKind.PROVIDE_EVIDENCE: "evidence",
    MoveKind.UPDATE_POSITION: "update",  # of a side, or of how sure somebody is of it
    MoveKind.PROPOSE_CRUX: "proposes crux",
}
FIELDS: Final[dict[str, str]] = {  # of a move
    **{field.name: field.name.replace("_", " ") for move in MOVE_TYPES.values() for field in fields(move)},
    "top_side": "side of the topic",
    "yes_means": "YES means",
    "no_means": "NO means",
    "falsifier_of": "test of",
    "moved_by": "moved by",
    "top_changed": "changes the top claim",
}
RESOLUTIONS: Final = {  # of the gate: what to do now, and what was done
    "PROCEED": ("go on", "went ahead as planned"),
    "MODIFY": ("go on with changes", "was changed first"),
    "RETRY": ("try once more", "was tried again"),
    "PIVOT": ("try something else", "took another way"),
    "ESCALATE": ("stop and ask a human", "was handed to a human"),
}
GROUPS: Final = {  # of events, as a log is filtered by them; in the order they are offered
    "messages": "messages",
    "refusals": "refusals",
    "threads": "threads",
    "locks": "locks",
    "positions": "positions",
    "steelmans": "steelmans",
    "cruxes": "cruxes",
    "figures": "figures",
    "private": "private",
    "debate": "debate",
}
GAUGES: Final = {  # of a question: a name, and what its figure says
    "share": ("explained share", SHARES["part"]),
    "gapClosed": ("gap closed", "of the gap would go if this were settled"),
    "flips": ("would flip", "would change sides with it"),
    "dcg": ("DCG", "how many it concerns, how evenly it splits them, how sure they are"),
}
PEOPLE: Final = ("person", "people")  # in a table; who debates is an agent
PRELIMINARY: Final = "Preliminary: it rests on fewer than three questions."
HOUSE: Final = {"moderator": "Moderator", "devils-advocate": "Devil's advocate", "user": "User"}


def side_word(side: Side | TopSide | str) -> str:
    """A side of a crux or of the topic, from an event that may be about either."""
    words = {str(s): word for known in (SIDES, TOP_SIDES) for s, word in known.items()}
    return words.get(str(side), str(side))


def describe_move(before: Side | TopSide | str, after: Side | TopSide | str) -> str:
    """A change of sides."""
    return f"{side_word(before)} → {side_word(after)}"


def count_people(number: int) -> str:
    """Who voted, or told their credences."""
    return count_phrase(number, *PEOPLE)


def share_meaning(share: float) -> str:
    """What an explained share says, beside its figure."""
    return SHARES["more" if is_all_and_more(share) else "part"]
