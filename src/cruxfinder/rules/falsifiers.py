"""Is a falsifier concrete enough to be wrong? FALS-1 what is refused, FALS-2 how concrete, FALS-3 what is kept."""

import re
from collections.abc import Iterator
from typing import Final

from cruxfinder.model.moves import Commit, DeclareFalsifier, Draft, Falsifier
from cruxfinder.model.record import Debate
from cruxfinder.model.refusals import Refusal
from cruxfinder.model.thread import Thread
from cruxfinder.model.words import AgentId, RuleId
from cruxfinder.rules.text import content_words

VAGUE: Final = RuleId("FALS-1")

MONTHS: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
NUMBER_WORDS: Final = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand"
    r"|million|billion|half|third|quarter|twice|double[sd]?|halve[sd]?|triple[sd]?|zero|none|majority)"
)
UNITS: Final = (
    r"(?:second|minute|hour|day|week|fortnight|month|quarter|semester|year|decade|sprint|release|generation)s?"
)


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


HEDGE: Final = _any(
    r"\b(?:probably|presumably|possibly|perhaps|maybe|might|could|seem(?:s|ed|ing|ingly)?|appears? to|apparently"
    r"|feels?|felt|feeling|generally(?! accepted)|usually|typically|tends? to|roughly speaking|somewhat|fairly|kind of"
    r"|sort of|more or less|arguably|potentially|likely(?! voters)|hopefully|basically|largely|in some sense"
    r"|to some extent|may (?:be|have|well|not|also))\b",
    r"(?<!in )(?<!by )(?<!of )(?<!until )(?<!since )(?-i:\bmay\b)(?![ ,]+\d)",  # with a capital it is the month
)
SOMEDAY: Final = _any(
    r"\b(?:someday|some day|some time|sometime|eventually|soon|one day|in due course|over time|in the future"
    r"|in the long run|at some point|sooner or later|when the time comes|ultimately|for now|before long|after a while"
    r"|by then|in time|until further notice|next time|when things change|at present|by definition)\b"
)
COMPARISON: Final = _any(
    r"[<>≤≥=±]",
    r"\b(?:at least|at most|more than|less than|fewer than|greater than|no more than|no less than|not more than"
    r"|exceed(?:s|ed|ing)?|above|below|under|over|beyond|beats?|outperforms?|underperforms?|surpass(?:es)?|drops?|falls?"
    r"|rises?|grows?|shrinks?|higher|lower|larger|smaller|faster|slower|equals?|within|between|up to|by more|per cent"
    r"|percent|majority|every|all of|none|no|never|not one)\b",
)
NUMBER: Final = _any(r"\d", rf"\b(?!one\b){NUMBER_WORDS}\b", "%")  # "one" is a pronoun as often as not
VERBS: Final = (
    "abandon accept acquire acquit adopt annex announce appear approve ban block break buy capture cease charge"
    " close collapse confirm convert convict declare default delist demonstrate deploy detect dock elect enter"
    " evacuate expel fail file fork grant halt hold impose introduce invade issue join launch leave legalise"
    " legalize list lose merge migrate observe order outlaw overtake overturn pass peg predict prove publish"
    " ratify receive recognise recognize record refuse refute reinstate reject rejoin release remove repeal"
    " replicate report require resign restore resume retract revert sell settle ship show shut sign strike suspend"
    " vote win withdraw"
).split()
IRREGULAR: Final = (
    "broke broken bought held left lost proved proven ratified ratifies sold struck withdrew withdrawn won".split()
)
EVENT: Final = _any(
    rf"\b(?:{'|'.join(re.escape(v.removesuffix('e')) for v in VERBS)})(?:e|es|s|ed|ned|ning|ting|ing|ped|ping)?\b",
    rf"\b(?:{'|'.join(IRREGULAR)})\b",
    r"\b(?:roll(?:s|ed|ing)?|shut(?:s|ting)?) (?:back|down)\b",
    r"\b(?:becom(?:es?|ing)|became) law\b",
    r"\b(?:approval|bankruptcy|adoption|withdrawal|merger|announcement)\b",
)
DATE: Final = _any(
    r"\b\d{4}-\d{2}-\d{2}\b",
    rf"\b{MONTHS}\.? +\d{{1,2}}(?:st|nd|rd|th)?,? +\d{{4}}\b",
    rf"\b\d{{1,2}}(?:st|nd|rd|th)? +(?:of +)?{MONTHS}\.?,? +\d{{4}}\b",
    rf"\b{MONTHS}\.?,? +\d{{4}}\b",
)
QUARTER_OR_YEAR: Final = _any(
    rf"\b{MONTHS}\.? +\d{{1,2}}(?:st|nd|rd|th)?\b",
    rf"\b\d{{1,2}}(?:st|nd|rd|th)? +(?:of +)?{MONTHS}\b",
    r"\bQ[1-4]\b",
    r"\b(?:19|20|21)\d{2}s?\b",
    r"\b(?:first|second|third|fourth) quarter\b",
)
DURATION: Final = _any(
    rf"\b(?:\d+|{NUMBER_WORDS}|a|an|next|this|the next|coming)[ -](?:\w+[ -])?{UNITS}\b",
    rf"\b\d+(?:–|-|to| to )\d+ ?{UNITS}\b",
)
NAMED_EVENT: Final = _any(
    r"\b(?:next|upcoming|coming|following|forthcoming) +[a-z][\w-]{2,}",
    r"\b(?:before|after|until|by|at|during|when|once) +(?:the|a|an|our|its|their|this|that)"
    r" +(?:next +|first +|second +)?[a-z][\w-]{2,}",
    r"\b(?:before|after|until|by|at|during|when|once|in) +(?-i:[A-Z])[\w-]{2,}",
)
OPEN_ENDED_WORDS: Final = _any(r"^(?:n/?a|none|unknown|tbd|open|never|ongoing)\.?$")

DATED, IN_A_YEAR, IN_A_WHILE, NAMED, UNDATED = 1.0, 0.9, 0.8, 0.5, 0.0


def faults(falsifier: Falsifier) -> Iterator[Refusal]:
    """Every vague part, with what would mend it."""
    for name, text in parts(falsifier):
        if not text.strip():
            yield Refusal(rule=VAGUE, reason=f"the {name} is empty", remedy=f"name a {name}")
        elif (hedge := HEDGE.search(text)) is not None:
            yield Refusal(
                rule=VAGUE,
                reason=f'the {name} hedges: "{hedge.group(0)}"',
                remedy=f"state the {name} so that it either happens or does not",
            )
    if falsifier.metric.strip() and not content_words(falsifier.metric):
        yield Refusal(rule=VAGUE, reason="the metric names nothing", remedy="say what is measured or watched")
    if falsifier.threshold.strip() and sharpness(falsifier.threshold) == 0:
        yield Refusal(
            rule=VAGUE,
            reason="the threshold has no comparison, number or observable event",
            remedy='say how much or what happens, for example "falls below 0.3"',
        )
    if falsifier.deadline.strip() and nearness(falsifier.deadline) == UNDATED:
        yield Refusal(
            rule=VAGUE,
            reason="the deadline has no date, year, quarter, duration or named event",
            remedy='say by when, for example "by the end of 2029"',
        )


def parts(falsifier: Falsifier) -> tuple[tuple[str, str], ...]:
    return ("metric", falsifier.metric), ("threshold", falsifier.threshold), ("deadline", falsifier.deadline)


def sharpness(threshold: str) -> float:
    number, compared = NUMBER.search(threshold) is not None, COMPARISON.search(threshold) is not None
    event = EVENT.search(threshold) is not None
    if number and (compared or event):
        return 1.0
    if number:
        return 0.8
    if event:
        return 0.7
    return 0.5 if compared and len(content_words(threshold)) >= 2 else 0.0


def nearness(deadline: str) -> float:
    if OPEN_ENDED_WORDS.search(deadline.strip()):
        return UNDATED
    for pattern, score in ((DATE, DATED), (QUARTER_OR_YEAR, IN_A_YEAR)):
        if pattern.search(deadline):
            return score
    if SOMEDAY.search(deadline):
        return UNDATED
    return IN_A_WHILE if DURATION.search(deadline) else NAMED if NAMED_EVENT.search(deadline) else UNDATED


def concreteness(falsifier: Falsifier) -> float:
    """Between 0 and 1: how well metric, threshold and deadline pin it down."""
    named = min(1.0, len(content_words(falsifier.metric)) / 2)
    return round((named + sharpness(falsifier.threshold) + nearness(falsifier.deadline)) / 3, 2)


def open_ended(falsifier: Falsifier) -> bool:
    return nearness(falsifier.deadline) == NAMED


def proposed(draft: Draft) -> Falsifier | None:
    match draft.move:
        case DeclareFalsifier(falsifier=falsifier):
            return falsifier
        case Commit(falsifier=falsifier):
            return falsifier
        case _:
            return None


def check(debate: Debate, thread: Thread, agent: AgentId, draft: Draft) -> Iterator[Refusal]:
    """A move that is nothing but a vague falsifier is refused; a commitment only loses the falsifier (`stripped`)."""
    if isinstance(draft.move, DeclareFalsifier):
        yield from faults(draft.move.falsifier)


def stripped(debate: Debate, draft: Draft) -> tuple[Refusal, ...]:
    """Why a commitment is taken without its falsifier."""
    if VAGUE in debate.settings.off or not isinstance(draft.move, Commit) or draft.move.falsifier is None:
        return ()
    return tuple(faults(draft.move.falsifier))
