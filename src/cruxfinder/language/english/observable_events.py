"""Does a sentence name something that can be seen to happen, or only a hope?

A question is taken at its word unless what is vague in it outweighs what is named, counted or decided. A statement is
weighed in `stated_events`, or compares what is measured. What ought to be is no event at all.
"""

import re
from typing import Final

from cruxfinder.language.english.event_words import (
    DEGREES,
    HAPPENINGS,
    JUDGEMENTS,
    MEASURED,
    NORMS,
    POSSIBLE,
    STANDINGS,
    SWEEPING,
)
from cruxfinder.language.english.sentence_words import DEED, EVENTS, FEELS, LENGTH_MAX, MOVES, TokenizedText, tokenize
from cruxfinder.language.english.stated_events import SET_PHRASE, states_event
from cruxfinder.language.english.vague_words import BELIEF, IDIOM, LOOSE, VERDICT_WORDS, VERDICTS

CLAUSE_WORDS: Final = 7  # as many as a threshold has that is no sentence: "fewer than last time"
ARGUMENT_WORDS: Final = 16  # a statement longer than this that names nobody argues a case instead of naming an event

# With or without its mark: "Before 1 July, will the bill pass", "How many seats will the party win".
ASKED: Final = re.compile(
    r"\s*(?:(?-i:Will|Won['’]t|WILL)|[^?]{0,150}[,:\])]\s+will|(?:on|by|in|at|before|as of)\s[^?,]{0,40}\d\s+will)\s"
    r"|\s*(?:[^?]{0,150}[,:\]]\s+)?(?:(?:by|in|at|to|for|on)\s+)?(?:how|what|which|who|whose|when"
    r"|where)\b[^?]{0,300}\bwill\b",
    re.IGNORECASE,
)
COUNTED: Final = re.compile(
    r"\b(?:how (?:many|much|long|far|high|low|often|large|big|old|fast)|(?:what|which) (?:\w+ ){0,3}(?:percentage"
    r"|percent|proportion|share|number|date|day|month|year|rate|price|value|fraction)|which (?:\w+ ){1,6}will)\b",
    re.IGNORECASE,
)
THAN: Final = re.compile(
    r"\b(?:more|less|fewer|higher|lower|larger|smaller|greater|bigger|faster|slower|longer|shorter|older|younger"
    r"|warmer|colder|hotter|dearer|taller|thicker|thinner|deeper|shallower|wider|narrower|drier|wetter|louder|quieter|later|earlier|cheaper|costlier|worse|better|heavier"
    r"|lighter)\b[^.?!]{0,80}\bthan\b(?! (?:ever|before|not|that|this|good|harm|we|i|you|people)\b)",
    re.IGNORECASE,
)
OTHER_THAN: Final = re.compile(
    r"\b(?:anything|anyone|anybody|any other|a \w+) (?:other than|but|except|else than)\s+\w+(?: \w+){0,3}\s*$",
    re.IGNORECASE,
)
AS_MANY: Final = re.compile(r"\bas (?:many|much|few|little|high|low|long|often|large|fast|old) as\b", re.IGNORECASE)
OVERTAKES: Final = re.compile(
    r"\b(?:exceed(?:s|ed|ing)?|surpass(?:es|ed)?|outperform(?:s|ed)?|underperform(?:s|ed)?|outsell(?:s)?"
    r"|outnumbers?|overtakes?|beats?|equals?|trails?)\b",
    re.IGNORECASE,
)
SIGNS: Final = frozenset(("positive", "negative", "unchanged"))
LEVEL: Final = frozenset("higher lower larger smaller fewer less more faster slower above below under over".split())

ARGUED: Final = POSSIBLE | frozenset(
    "because therefore thus hence otherwise if rights right wrong you your yourself don't doesn't isn't aren't"
    " shouldn't often always never-ending sometimes wants want".split()
)
# Of these a question may say what it likes: "Will the club have a new owner".
LIGHT: Final = frozenset(
    "have find make give bring get go come see become need play look change perform support create demand accept"
    " work turn face develop help protect".split()
)
BE: Final = frozenset("be is are was were being been".split())
WILL: Final = frozenset("will won't shall 'll".split())

HOLLOW: Final = JUDGEMENTS | DEGREES


def is_question(text: str) -> bool:
    return "?" in text[:LENGTH_MAX] or ASKED.match(text[:LENGTH_MAX]) is not None


def asks_how_many(text: str) -> bool:
    """A question for a number, a day or one of several: what is observed is clear, not yet what would decide it."""
    return is_question(text) and COUNTED.search(text[:LENGTH_MAX]) is not None


def is_normative(text: str) -> bool:
    """What ought to be: a statement that says should before it says will, a question that begins with it."""
    words = tokenize(text).words
    for word in words[:1] if is_question(text) else words:
        if word in WILL:
            return False
        if word in NORMS:
            return True
    return False


def names_event(text: str, score: int | None = None) -> bool:
    """Something either happens or does not."""
    plain = text[:LENGTH_MAX]
    known = tokenize(plain)
    if not known.words:
        return False
    if not is_question(plain):
        return not is_normative(plain) and states_event(plain, score)
    if IDIOM.search(plain) and not known.named and not SET_PHRASE.search(plain):
        return False
    return asks_how_many(plain) or is_mostly_concrete(known) or SET_PHRASE.search(plain) is not None


def compares(text: str) -> bool:
    """Something measured is set against something else, or moves."""
    if is_normative(text):
        return False
    plain = text[:LENGTH_MAX]
    words = tokenize(text).words
    if not is_question(plain) and (IDIOM.search(plain) or BELIEF.search(plain)):
        return False
    if not is_question(plain) and LOOSE.search(plain) and MEASURED.isdisjoint(words):
        return False
    if not is_question(plain) and OTHER_THAN.search(plain) and HOLLOW.isdisjoint(words):
        return not (VERDICTS | VERDICT_WORDS) & set(words)
    if OVERTAKES.search(plain) and 1 < len(words) <= ARGUMENT_WORDS:
        return True
    measured = not MEASURED.isdisjoint(words)
    if is_argument(words) and not is_question(text):
        return False
    if len(words) <= CLAUSE_WORDS and not SIGNS.isdisjoint(words):
        return True
    if THAN.search(plain):
        felt = not HOLLOW.isdisjoint(words) or any(word in FEELS and word not in LIGHT for word in words)
        return measured or (not felt and (bool(tokenize(text).named) or len(words) <= CLAUSE_WORDS))
    if AS_MANY.search(plain) and (measured or len(words) <= CLAUSE_WORDS + 1):
        return True
    return measured and (not LEVEL.isdisjoint(words) or any(word in MOVES for word in words))


# ---- a question


def is_mostly_concrete(known: TokenizedText) -> bool:
    words = known.words
    clear = min(2, len(known.named))
    clear += 2 * any(word in EVENTS for word in words[1:])
    clear += sum(not table.isdisjoint(words) for table in (HAPPENINGS, MEASURED, STANDINGS, {"than", "quoted"}))
    clear += any(word in DEED and word not in FEELS for word in words[1:])
    vague = sum(
        (word in HOLLOW and words[at - 1] != "most")
        or word in SWEEPING
        or (FEELS.get(word) == "bare" and word not in LIGHT)
        for at, word in enumerate(words)
    )
    # One vague word does not spoil a question of some length: "Will there be major riots in the capital".
    return clear > vague or clear >= 3 or (vague <= 1 and len(words) >= CLAUSE_WORDS - vague)


def is_argument(words: tuple[str, ...]) -> bool:
    return not ARGUED.isdisjoint(words)


def is_hollow(text: str) -> bool:
    """It judges or sweeps instead of answering."""
    words = tokenize(text).words
    return not (HOLLOW | SWEEPING).isdisjoint(words) or any(word in FEELS for word in words)


def may_be_main_verb(word: str, *, bare: bool) -> bool:
    """The word may be the main verb: in its bare form after "will", in any other without."""
    if word in BE or word == "not":
        return True
    shapes = {table[word] for table in (EVENTS, DEED, MOVES, FEELS) if word in table}
    return bool(shapes & ({"bare"} if bare else {"s", "past"}))
