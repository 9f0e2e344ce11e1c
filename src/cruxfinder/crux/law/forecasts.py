"""One sentence or question as a falsifier: what is watched, what has to happen, and by when.

A part that cannot be found stays empty, and the check of falsifiers then says which one is missing.
"""

import re
from typing import Final

from cruxfinder.kernel.pack import Falsifier
from cruxfinder.language.english import falsifier_texts, named_deadlines, observable_events, sentence_words
from cruxfinder.language.english.falsifier_texts import LENGTH_MAX, MONTHS, NUMBER_WORDS, UNITS, WHEN
from cruxfinder.language.english.named_deadlines import FEASTS
from cruxfinder.language.english.refutation_frames import bare_claim
from cruxfinder.language.english.texts import content_words

SPACE: Final = re.compile(r"\s+")
SENTENCE_END: Final = re.compile(r"(?<=[?!])\s+|(?<=[a-z0-9)\"”]{2}\.)\s+(?=[A-Z])")

# What may stand before a date and belongs to it, and what makes it a beginning or a thing of the past.
LEAD: Final = frozenset(
    "no not later than on or before prior to ahead of as up by until till through throughout during in for at within"
    " between the very late early mid middle end start beginning close year fiscal business week month quarter season"
    " ending".split()
)
BEGINS: Final = frozenset("since after from beyond back past last".split())
LEAD_WORDS_MAX: Final = 8
LONG_AGO: Final = re.compile(r"\b19\d\d")
# Where a span of time is a limit and no measure: "within six months", not "two hours a day".
SPAN: Final = re.compile(
    r"\b(?:by |at )?this time (?:next|in \d+|in two) (?:year|month|week|spring|summer|autumn|winter)s?\b"
    r"|\b(?:within|inside(?: of)?|over|during|through|in|for|by)\s+(?:the\s+)?(?:next|coming|following|first)?\s*"
    rf"(?:\d+(?:\s?[-–]\s?\d+)?|{NUMBER_WORDS}|a|an|the next|the coming)[\s-](?:full\s|calendar\s|trading\s|working\s"
    rf"|business\s|school\s"
    rf"|more\s)?{UNITS}\b"
    r"(?!\s+(?:old|of age|a|per|each)\b)(?:\s+(?:of|after|from|following|since)\s+[^,;.?]{1,60})?"
    rf"|\b(?:(?:by|before|at|within|until|over|in) )?(?:the )?(?:end of )?(?:this|next|the next|the coming"
    rf"|the current|coming)\s+"
    rf"(?:calendar |fiscal |financial )?(?:{UNITS}|weekend|spring|summer|autumn|fall|winter|season|{MONTHS})\b"
    rf"|\b(?:by|in|before|until|during|through) (?:the )?(?:end of |mid[- ]|late |early )?{MONTHS}\b"
    r"|\b(?:by|before|at|until) (?:the )?(?:end of (?:the )?(?:day|week|month|quarter|year|decade|century|season)"
    r"|year[- ]?end|month[- ]?end|eo[dmy])\b"
    r"|\b(?:by|before|until|on|this) (?:next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:by )?(?:tomorrow"
    r"|tonight)\b",
    re.IGNORECASE,
)
OCCASION: Final = re.compile(
    r"\b(?-i:in\s+[A-Z])\w+\s+\d+\.\d+|\b(?:by|before|until|at|in|during|after|through|for)?\s*(?:the|its|their|his"
    r"|her|this|an?)\s+"
    r"(?:next|upcoming|coming|following|forthcoming)\s+(?:[\w'’-]+\s+){0,5}?"
    r"(?:elections?|summit|meeting|referendum|season|finals?|tournament|conference|hearing|launch|vote|term|session"
    r"|budget|congress|match|game|race|ceremony|convention|olympics|cup|championships?|midterms?|primary"
    r"|primaries|trial|inauguration|census|report|review|ballot|grand prix|contest|games|debate|poll|auction|release"
    r"|earnings call|by-election"
    r"|election night|interest rate decision|general assembly|parliament|eclipse|halving|awards?)\b"
    r"|\b(?:by|before|until|at|during|after) the (?:[\w'’-]+ ){0,3}(?:elections?|summit|referendum|midterms"
    r"|olympics|world cup"
    r"|championships?|by-election|inauguration|convention|halving|tournament|deadline|trial|general assembly)\b",
    re.IGNORECASE,
)
LABELLED: Final = re.compile(
    r"\s*metric\s*[:=]\s*(.{1,400}?)[\s.;,|]+threshold\s*[:=]\s*(.{1,400}?)[\s.;,|]+(?:deadline|by when"
    r"|by)\s*[:=]\s*(.{1,200})$",
    re.IGNORECASE,
)
# An event without a day: "before the last patient is enrolled", "by the end of the sprint", "during injection".
UNDATED_EVENT: Final = re.compile(
    r"\b(?:(?:before|until|during|after|throughout|upon|once|when)\s+(?:[\w.'’-]+\s+){0,7}\w[\w.]*"
    r"|(?:by|at|in|on|from)\s+(?:the\s+(?:end|start|close|beginning|time|release|deadline|date|next|first|second"
    r"|third)"
    r"|(?:its|his|her|their|our|my)\s+(?:next|first|second|last|final)|(?:release|version|launch|publication|signature"
    r"|delivery|opening|discharge|sentencing|half-time))\b[^,;?]{0,60})[.\s]*$",
    re.IGNORECASE,
)
TIME_NAMED: Final = re.compile(
    r"\b(?:(?:by|before|on|until|at|in|come|during|not later than|no later than) )?(?:the )?"
    rf"(?:(?:end|eve|start) of )?(?:{FEASTS}|(?:spring|summer|autumn|winter|fall)"
    r"|(?P<any>(?:at |on )?(?:some|any|one|a single) (?:point|day|time|week|weekend|night|\w+day))"
    r"|(?P<day>(?:first|second|third|fourth|fifth|tenth|fifteenth|twentieth|last|night"
    r"|morning|evening|afternoon|eve|week|weekend)(?: (?:mon|tues|wednes|thurs|fri|satur|sun)day)?))$",
    re.IGNORECASE,
)
COMPARED: Final = re.compile(
    r"\b(?:exceed\w*|beat[s]?|match(?:es)?|equals?|compared (?:with|to)|surpass\w*|tops?|outnumbers?|same"
    r"|that|those|it was|figure"
    r"|total|level|average|result|number)\s+(?:[^\W\d_]+ ){0,3}(?:for|of|in|from)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
# A document of that year will be there when the year is over.
OF_THAT_YEAR: Final = re.compile(r"\bfrom (?:20|21)\d\d\b(?! (?:on|onwards?|to|until)\b)")
OCCASION_WORDS_MAX: Final = 5
OF_THE_YEAR: Final = re.compile(r"(?: (?!will\b|be\b)[^\W\d_][\w'’-]*){1,5}", re.IGNORECASE)
OF_A_YEAR: Final = re.compile(r"\bthe \d{4} [^\W\d_]", re.IGNORECASE)
WILL: Final = re.compile(r"\b(?:will|won['’]t|shall)\b", re.IGNORECASE)
LEADING: Final = re.compile(r"^(?:[^,?]{1,150},\s*|\[[^\]]{1,40}\]\s*)(?=\S+\s)")
TIDY: Final = re.compile(r"^[\s,;:?.!–—-]+|[\s,;:?.!–—-]+$")
CONTEXT: Final = 60  # characters around a date: the words that lead to it, or a question it stands behind


def read(text: str) -> Falsifier:
    """The parts of a forecast in its own words; the first question counts, or else the first sentence.

    The threshold keeps its subject: "will accept it" is one thing of a court and another of people in general.
    """
    said = SPACE.sub(" ", text[:LENGTH_MAX])
    if (labelled := LABELLED.match(said)) is not None:
        return Falsifier(metric=tidy(labelled[1]), threshold=tidy(labelled[2]), deadline=tidy(labelled[3]))
    plain = bare_claim(said)
    claim = forecast_sentence(plain)
    deadline = find_deadline(claim) or find_deadline(plain)
    said = tidy(remove_deadline(claim, deadline))
    asked = "?" if said and "?" in claim else ""
    return Falsifier(metric=watched_subject(said), threshold=said + asked, deadline=deadline)


def forecast_sentence(plain: str) -> str:
    sentences = SENTENCE_END.split(plain)
    asked = next((sentence for sentence in sentences if sentence.endswith("?")), sentences[0])
    return plain if len(plain) - len(asked) <= CONTEXT else asked


def find_deadline(text: str) -> str:
    """The words that say by when: the last date, else a span of time, else an occasion."""
    for found in reversed(tuple(WHEN.finditer(text))):
        before = text[max(0, found.start() - CONTEXT) : found.start()].split()
        led = next((n for n, word in enumerate(reversed(before)) if word.lower().rstrip("-") not in LEAD), len(before))
        words = before[len(before) - min(led, LEAD_WORDS_MAX) :]
        words = [*time_named_before(text[: found.start()], words), *words]
        if is_compared(text, found.start()):
            continue
        past = BEGINS.intersection((*before[-led - 1 : len(before) - led], *found[0].split()))
        past = (past and words[-1:] != ["the"]) or ("than" in words and "later" not in words)
        if not past and not LONG_AGO.search(found[0]):
            return " ".join((*words, found[0], *occasion(words, text[found.end() :])))
    for form in (SPAN, OCCASION):
        if (found := form.search(text)) is not None:
            return found[0].strip()
    if named := named_deadlines.find_named_deadline(text):
        return named
    event = UNDATED_EVENT.search(text)
    if event is not None and falsifier_texts.nearness(event[0]):
        return event[0].strip(" .")
    dated = OF_THAT_YEAR.search(text)
    return "" if dated is None else dated[0]


def time_named_before(text: str, lead: list[str]) -> list[str]:
    """What belongs to the date before it: "by Easter" 2027, "on the first of" August."""
    rest = text.rstrip()
    for word in reversed(lead):
        rest = rest.removesuffix(word).rstrip()
    named = TIME_NAMED.search(rest)
    if named is None or (named["day"] and lead[:1] != ["of"]) or (named["any"] and lead[:1] not in (["in"], ["of"])):
        return []
    return named[0].split()


def is_compared(text: str, at: int) -> bool:
    """The date belongs to what it is compared with: "exceed those for 2026", where another says by when."""
    return COMPARED.search(text[max(0, at - CONTEXT) : at]) is not None and WHEN.search(text[:at]) is not None


def occasion(lead: list[str], rest: str) -> list[str]:
    """What the year belongs to: "the 2028 general election"."""
    named = OF_THE_YEAR.match(rest) if lead and lead[-1].lower() == "the" else None
    said = named[0].split() if named is not None else []
    ends = (n for n, word in enumerate(said) if n and observable_events.may_be_main_verb(word.lower(), bare=False))
    return said[: next(ends, OCCASION_WORDS_MAX)]


def remove_deadline(claim: str, deadline: str) -> str:
    """The claim without its deadline where that stands by itself; "the 2028 election" stays."""
    at = claim.rfind(deadline) if deadline else -1
    rest = claim[at + len(deadline) :].lstrip()
    if at < 0 or OF_A_YEAR.search(deadline) or (rest and rest[0] not in ",?.;:!)" and at > 0):
        return claim
    return f"{claim[:at]} {rest}"


def watched_subject(said: str) -> str:
    """Whom or what the claim is about: what stands before its verb, or all of it where that names nothing."""
    bare = LEADING.sub("", said)
    bare = bare if WILL.search(bare) else said
    start = predicate_start(bare)
    subject = tidy(WILL.sub("", bare[:start], count=1)) if start is not None else ""
    return SPACE.sub(" ", subject) if content_words(subject) else said


def predicate_start(said: str) -> int | None:
    """Where the main verb begins: after "will" in a statement, at the first verb after a subject in a question."""
    will = WILL.search(said)
    if will is not None and will.start() > 0 and not observable_events.is_question(said):
        return will.start()
    start = will.end() if will is not None else 0
    for nth, word in enumerate(sentence_words.WORD.finditer(said, start)):
        if nth > 0 and observable_events.may_be_main_verb(word[0].lower().rstrip("."), bare=will is not None):
            return word.start()
    return None


def tidy(text: str) -> str:
    return TIDY.sub("", TIDY.sub("", text))
