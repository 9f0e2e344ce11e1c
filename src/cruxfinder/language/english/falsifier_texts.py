"""What a falsifier says: what is watched, how sharply it says what has to happen, and how well by when."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from cruxfinder.kernel.pack import Falsifier
from cruxfinder.language.calendar_days import Day, days_in, iso, read_day
from cruxfinder.language.english import (
    named_deadlines,
    observable_events,
    sentence_words,
    stated_events,
    unmeasured_amounts,
)
from cruxfinder.language.english.deadlines import SOMEDAY, hangs_on_event, last_day
from cruxfinder.language.english.subject_words import is_of_subject
from cruxfinder.language.english.texts import content_words
from cruxfinder.language.reading import OPEN_ENDED, FalsifierReading, Hedge

LENGTH_MAX: Final = 1000  # of a part; what is longer is a story, and slow to search

MONTHS: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
NUMBER_WORDS: Final = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand"
    r"|million|billion|dozen|half|third|quarter|twice|double[sd]?|halve[sd]?|triple[sd]?|zero|none|majority)"
)
UNITS: Final = (
    r"(?:second|minute|hour|day|week|fortnight|month|quarter|semester|year|decade|sprint|release|generation)s?"
)


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


HEDGE: Final = _any(
    r"\b(?:probably|presumably|possibly|perhaps|maybe|might|could|seem(?:s|ed|ing|ingly)?|appears? to|apparently"
    r"|feels?|felt|feeling|generally(?! accepted| available)|usually|typically|tends? to|roughly speaking"
    r"|somewhat|fairly|(?<!a )(?<!new )(?<!this )(?<!that )(?<!any )(?<!each )(?<!one )(?<!same )(?:kind|sort) of"
    r"|more or less|arguably|potentially(?! hazardous)|likely(?! voters)|hopefully|basically|largely|in some sense"
    r"|to some extent|may (?:be|have|well|not|also))\b",
    # With a capital it is the month.
    r"(?-i:\bmay\b)(?<!in may)(?<!by may)(?<!of may)(?<!until may)(?<!since may)(?![ ,]+\d)",
)
COMPARISON: Final = _any(
    r"[<>≤≥=±]",
    r"\b(?:at least|at most|more than|less than|fewer than|greater than|no more than|no less than|not more than"
    r"|exceed(?:s|ed|ing)?|above|below|under|over|beyond|beats?|outperforms?|underperforms?|surpass(?:es)?|drops?"
    r"|falls?"
    r"|rises?|grows?|shrinks?|higher|lower|larger|smaller|faster|slower|equals?|within|between|up to|by more|per cent"
    r"|percent|majority|every|all of|none|no|never|not one)\b",
)
NUMBER: Final = _any(r"\d", rf"\b(?!one\b){NUMBER_WORDS}\b", "%")  # "one" is a pronoun as often as not
FIGURE_OF_SPEECH: Final = _any(
    r"\b(?:number one|24/7|(?:the )?(?:\d\dth|21st|twenty-first|twentieth) century|third (?:party|parties|world)"
    r"|double[- ](?:standards?|edged)|half[- ]hearted|zero[- ]sum|none of (?:us|this|that|it)|second to none"
    r"|(?:a )?(?:hundred|thousand|million|billion) (?:times|reasons|ways)|(?:a|one) hundred per ?cent"
    r"|100 ?% (?:sure|certain)"
    r"|(?:the|these|those|our) (?:two|three|four|five) [a-z]+|(?:two|three|four|five|six)-day week|two sides"
    r"|half the battle|one or two|million[- ]dollar|(?:thousands|millions|billions|dozens|hundreds))\b"
)
DATE: Final = _any(
    r"\b\d{4}-\d{2}-\d{2}\b",
    rf"\b{MONTHS}\.? +\d{{1,2}}(?:st|nd|rd|th)?,? +\d{{4}}\b",
    rf"\b\d{{1,2}}(?:st|nd|rd|th)? +(?:of +)?{MONTHS}\.?,? +\d{{4}}\b",
    rf"\b{MONTHS}\.?,? +\d{{4}}\b",
)
SHORT_MONTHS: Final = r"(?:apr(?:il)?|june?|sept?(?:ember)?|nov(?:ember)?)"
NO_SUCH_DAY: Final = _any(
    r"\b3[01](?:st|th)?(?: +of)? +feb(?:ruary)?\b",
    r"\bfeb(?:ruary)?\.? +3[01](?:st|th)?\b",
    rf"\b31(?:st)?(?: +of)? +{SHORT_MONTHS}\b",
    rf"\b{SHORT_MONTHS}\.? +31(?:st)?\b",
    r"\b\d{4}-(?:02-3\d|(?:04|06|09|11)-31|\d\d-(?:3[2-9]|[4-9]\d)|(?:1[3-9]|[2-9]\d)-\d\d)\b",
)
QUARTER_OR_YEAR: Final = _any(
    rf"\b{MONTHS}\.? +\d{{1,2}}(?:st|nd|rd|th)?\b",
    rf"\b\d{{1,2}}(?:st|nd|rd|th)? +(?:of +)?{MONTHS}\b",
    r"\bQ[1-4]\b",
    r"\bFY ?'?\d{2,4}\b",
    r"\b\d{1,2}[-/]\d{1,2}[-/]\d{2,4}\b",
    r"\b(?:19|20|21)\d{2}s?\b",
    r"\b(?:first|second|third|fourth) quarter\b",
)
# A year says when, not how much, unless it is counted: "more than 2000 homes".
WHEN: Final = re.compile(
    r"\b(?:"
    rf"\d{{4}}-\d{{2}}-\d{{2}}\b|{MONTHS}\.?,? +\d{{1,4}}(?:st|nd|rd|th)?\b(?:,? +\d{{4}}\b)?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)? +(?:of +)?{MONTHS}\b\.?(?:,? +\d{{4}}\b)?|\d{{1,2}}[-/]\d{{1,2}}[-/]\d{{2,4}}\b"
    r"|(?:Q[1-4]|(?:first|second|third|fourth) quarter(?: of)?)\b(?:,? +\d{4}\b)?|FY ?'?\d{2,4}\b"
    rf"|(?:in|within|over|for|during) (?:the )?(?:next |coming |past |last )?(?:\d+|{NUMBER_WORDS}|a|an) (?:year"
    rf"|decade)s?\b"
    r"|(?<!than )(?<!least )(?<!most )(?<!above )(?<!below )(?<!over )(?<!under )(?<!reach )(?<!exceed )(?<!exceeds )"
    r"(?<![\d.,$€£])(?:19|20|21)\d{2}(?:s|[/–-]\d{2}(?:\d\d)?(?![\d/-]))?\b(?!%|[.,]\d))",
    re.IGNORECASE,
)
DURATION: Final = _any(
    r"\b(?:by|before|until|till|on|this|next) (?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    rf"\b(?:\d+|{NUMBER_WORDS}|a|an|next|this|the next|coming)[ -](?:\w+[ -])?{UNITS}\b",
    rf"\b\d+(?:–|-|to| to )\d+ ?{UNITS}\b",
    r"\b(?:tomorrow|tonight|this weekend|year[- ]?end|month[- ]?end|eo[dmqy]|end of (?:year|month|week|quarter))\b",
)
NAMED_EVENT: Final = _any(
    r"\b(?:before|after|until|by|at|during|upon|on|in|with|from) +(?:release|version|launch|publication|signature"
    r"|delivery"
    r"|injection|graduation|retirement|enrolment|enrollment|completion|harvest|season|trial|phase|round|chapter|issue"
    r"|volume|edition|wave|milestone|sprint|opening|discharge|handover|closing|appeal|arrival|departure|birth|renewal"
    r"|installation|deployment|rollout|roll-out|expiry|surgery|landing|take-off|kick-off|half-time|sentencing)\b",
    r"\b(?:before|during|until) +[a-z][\w-]{3,} +[a-z][\w-]{2,}",
    r"\b(?:in|on|for) +(?:the|its|their|our|my|his|her) +(?:[\w-]+ +){0,3}(?:wave|survey|edition|release|version"
    r"|timetable"
    r"|report|census|season|session|term|statement|round|panel|sitting|window|budget|election|final|finals|exam"
    r"|issue)\b",
    r"\b(?:next|upcoming|coming|following|forthcoming) +[a-z][\w-]{2,}",
    r"\b(?:before|after|until|by|at|during|when|once) +(?:the|a|an|our|its|their|this|that)"
    r" +(?:next +|first +|second +)?[a-z][\w-]{2,}",
    r"\b(?:before|after|until|by|at|during|when|once|in) +(?-i:[A-Z])[\w-]{2,}",
)
OPEN_ENDED_WORDS: Final = _any(r"^(?:n/?a|none|unknown|tbd|open|never|ongoing)\.?$")

# In the clause of a question they hedge nothing: "Will the court rule that the state may tax it?"
CLAUSE_VERBS: Final = frozenset(("may", "might", "could", "may be", "may have", "may not", "may also"))
# What others are counted as saying hedges nothing: "share of respondents who say they might move house".
ANSWERED: Final = re.compile(
    r"\b(?:who|that|to|people|voters|patients|pupils|respondents|users|employees|residents|adults|of them|them|those"
    r"|tick"
    r"|ticking)\s+(?:\w+\s+)?(?:say|says|said|saying|answer(?:s|ed|ing)?|report(?:s|ed|ing)?|state[sd]?|agree(?:s|d"
    r"|ing)?"
    r"|declare[sd]?|repl(?:y|ies|ied)|respond(?:s|ed)?|tick(?:s|ed|ing)?|under|with)\b[^.,;]{0,60}$",
    re.IGNORECASE,
)
ASIDE: Final = re.compile(r"\([^()]{1,200}\)")
AFFIRMED: Final = _any(
    r"(?:someone|somebody|something) else|other|another (?:one|party|team|country)|none of (?:the above|these"
    r"|them)|neither|both",
    r"(?:the )?(?:answer (?:is )?|outcome (?:is )?|question |it |this |that |event )?"
    r"(?:yes|no|true|false|(?:does |did )?(?:not )?(?:happens?|occurs?)|happened|occurred|(?:will|does"
    r"|did)(?: not)?(?: happen| occur)?"
    r"|takes? place|comes? true|(?:is )?resolve[sd]? (?:to |as )?[\"“']?(?:yes|no|true|positively|negatively)[\"”']?)"
    r"(?: by then| by the deadline)?[.!]?",
)

LEADS_TO: Final = re.compile(r"^\s*(?:by|before|after|when|once|until|during|as soon as|at)\s+", re.IGNORECASE)

DATED, IN_A_YEAR, IN_A_WHILE, UNDATED = 1.0, 0.9, 0.8, 0.0
NAMED_ENOUGH: Final = 2
ANY_DAY: Final = Day(2000, 1, 1)  # tells whether a span ends on some day, where nobody said from which it counts


# The date is that of what is published, not of its publication.
PUBLISHED: Final = re.compile(
    rf"\b(?:publication|release|announcement|issue|appearance|posting)\s+of\s+[^,;.]{{0,40}}\b(?:{MONTHS}\s+)?(?:19|20|21)\d\d\b"
    rf"|\b(?:{MONTHS}\s+)?(?:19|20|21)\d\d(?:[-/]\d\d)?\s+(?:[a-z]+\s+){{0,3}}(?:figures|statistics|accounts|data|results"
    r"|numbers|yearbook|release|bulletin|annual report)\b",
    re.IGNORECASE,
)


Hear = Callable[[str], int | None]  # what the vector of a statement says for an event


def hear_nothing(text: str) -> int | None:
    """Where there are no vectors, words have to do."""


def read_falsifier(
    falsifier: Falsifier, day: str = "", hear: Hear = hear_nothing, subject: str = ""
) -> FalsifierReading:
    """What it says, to somebody who hears it on that day; `subject` is the question it is for, whose own words hedge
    nothing."""
    sharp = sharpness(*decisive_texts(falsifier, hear), hear)
    made = read_day(day)
    due = published_by(falsifier.deadline, last_day(falsifier.deadline, made or ANY_DAY))
    near = nearness(falsifier.deadline)
    if due is None and near == IN_A_WHILE and hangs_on_event(falsifier.deadline):
        near = OPEN_ENDED
    unreal = NO_SUCH_DAY.search(falsifier.deadline[:LENGTH_MAX])
    return FalsifierReading(
        named=min(NAMED_ENOUGH, len(content_words(falsifier.metric))),
        sharpness=sharp,
        nearness=near,
        due=iso(due)
        if near
        and due is not None
        and (made is not None or due == published_by(falsifier.deadline, last_day(falsifier.deadline, None)))
        else "",
        hedges=tuple(hedges(falsifier, subject)),
        compares=sharp == 0 and is_hedged_comparison(falsifier.threshold),
        no_such_day="" if unreal is None else unreal[0],
    )


def published_by(deadline: str, period: Day | None) -> Day | None:
    """Figures of a period come within a year after it: "publication of the October 2026 figures"."""
    if period is None or PUBLISHED.search(deadline[:LENGTH_MAX]) is None:
        return period
    return Day(period.year + 1, period.month, min(period.day, days_in(period.year + 1, period.month)))


def event_text(falsifier: Falsifier) -> str:
    """The sentence that is weighed as an event."""
    threshold, metric = decisive_texts(falsifier)
    return tidy_event(f"{metric} {WHEN.sub(' ', threshold)}")


def tidy_event(text: str) -> str:
    return " ".join(text.split()).strip(" .,;:!")


def hedges(falsifier: Falsifier, subject: str = "") -> Iterator[Hedge]:
    """The first word of each part that takes it back."""
    if (word := find_hedge(falsifier.metric, subject)) is not None:
        yield Hedge("metric", word)
    if (word := find_hedge(falsifier.threshold, subject)) is not None:
        yield Hedge("threshold", word)
    if (word := find_hedge(falsifier.deadline, subject)) is not None:
        yield Hedge("deadline", word)


@lru_cache(maxsize=2048)
def find_hedge(text: str, subject: str = "") -> str | None:
    """The first word that takes back what the text says. In a title, a name or a question's clause it does not."""
    plain = sentence_words.QUOTED.sub(" ", text[:LENGTH_MAX])
    settled = observable_events.is_question(plain)
    if settled:
        plain = ASIDE.sub(" ", plain)
    for found in HEDGE.finditer(plain):
        word = found.group(0)
        named = found.start() > 0 and word[0].isupper() and not word.startswith("May ")
        in_clause = settled and found.start() > 0 and word.lower() in CLAUSE_VERBS
        asked = is_of_subject(plain, found.start(), found.end(), subject)
        counted = ANSWERED.search(plain[: found.start()])
        if not named and not in_clause and not asked and not counted:
            return word
    return None


def is_hedged_comparison(threshold: str) -> bool:
    """ "Seems no clearer" compares, if nothing that can be seen: its hedge is complaint enough."""
    plain = threshold[:LENGTH_MAX]
    return bool(COMPARISON.search(plain)) and find_hedge(plain) is not None and len(content_words(plain)) > 1


def decisive_texts(falsifier: Falsifier, hear: Hear = hear_nothing) -> tuple[str, str]:
    """What has to happen and of what: the threshold of its metric.

    Where the metric already says or asks it all and the threshold only answers, the metric stands alone, and so does a
    threshold that brings its own subject.
    """
    threshold, metric = falsifier.threshold[:LENGTH_MAX], falsifier.metric[:LENGTH_MAX]
    if AFFIRMED.fullmatch(threshold.strip()):
        return metric, ""
    if observable_events.is_question(metric):
        part = threshold.strip(" .?!").lower() in metric.lower()
        hollow = observable_events.is_hollow(threshold)
        return (metric, "") if sharpness(threshold, "", hear) == 0 and (part or not hollow) else (threshold, "")
    if (
        metric.strip().lower() in threshold.lower()
        or not (stated_events.begins_with_verb(threshold) or stated_events.is_state(threshold))
        or observable_events.is_question(threshold)
    ):
        return threshold, ""
    return threshold, metric


@lru_cache(maxsize=2048)
def sharpness(threshold: str, metric: str = "", hear: Hear = hear_nothing) -> float:
    """How well it says what has to happen; 0 if only a hope, half where it asks for a number and sets none."""
    text = threshold[:LENGTH_MAX]
    plain = WHEN.sub(" ", text)
    whole = f"{metric} {plain}" if metric else plain
    if observable_events.is_normative(plain):
        return 0.0
    number = NUMBER.search(plain) is not None and NUMBER.search(FIGURE_OF_SPEECH.sub(" ", plain)) is not None
    asked = observable_events.is_question(plain)
    if number and not asked and unmeasured_amounts.counts_nothing(plain, metric):
        return 0.0
    if number and COMPARISON.search(text):
        return 1.0
    event = observable_events.names_event(whole, hear(tidy_event(whole)))
    if not event and metric and not asked and stated_events.is_state(plain):
        said = f"{metric} is {plain}"
        listed = stated_events.is_listed_state(plain)
        event = observable_events.names_event(said, None if listed else hear(tidy_event(said)))
    if not (number or event or observable_events.compares(whole) or observable_events.compares(plain)):
        return 0.0
    if not number and SOMEDAY.search(plain) and not asked:
        return 0.0
    if number:
        return 1.0 if event else 0.8
    return 0.7 if event and not observable_events.asks_how_many(plain) else 0.5


def nearness(deadline: str) -> float:
    deadline = deadline[:LENGTH_MAX]
    if OPEN_ENDED_WORDS.search(deadline.strip()) or named_deadlines.NEVER.search(deadline):
        return UNDATED
    for pattern, score in ((DATE, DATED), (QUARTER_OR_YEAR, IN_A_YEAR)):
        if pattern.search(deadline):
            return score
    if SOMEDAY.search(deadline):
        return UNDATED
    if DURATION.search(deadline):
        return IN_A_WHILE
    named = NAMED_EVENT.search(deadline) and not stated_events.is_vague(LEADS_TO.sub("", deadline))
    return OPEN_ENDED if named or named_deadlines.names_occasion(deadline) else UNDATED
