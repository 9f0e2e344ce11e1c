"""A number on what nobody can read off: "happiness up by a third", "twice as fair", "half of the magic"."""

import re
from typing import Final

from cruxfinder.language.english.event_words import MEASURED
from cruxfinder.language.english.sentence_words import tokenize
from cruxfinder.language.english.stated_events import ARTICLES, has_head
from cruxfinder.language.english.vague_words import BELIEF, IDIOM, INSTRUMENTS, UNMEASURED, VERDICT_WORDS

SHARE_OF: Final = re.compile(
    r"\s*(?:(?:at least|at most|more than|less than|over|under|about|nearly|almost|some|only|fully) )?"
    r"(?:\d[\d.,]* ?(?:%|per ?cent)|half|(?:a|one|two|three) (?:third|quarter|fifth|tenth)s?|most|all) of ",
    re.IGNORECASE,
)
SPIRITS: Final = frozenset("dream dreams heart hearts life magic meaning memory promise soul sparkle world".split())


def counts_nothing(text: str, metric: str) -> bool:
    """A number is put on what nobody can read off: "happiness up by a third", "twice as fair"."""
    known = tokenize(f"{metric} {text}" if metric else text)
    words = known.words
    if not words or not INSTRUMENTS.isdisjoint(words):
        return False
    if has_head(words, UNMEASURED) or is_share_of(text, metric) or BELIEF.search(text):
        return True
    return MEASURED.isdisjoint(words) and (
        IDIOM.search(text) is not None or any(is_predicative(words, at) for at in range(1, len(words)))
    )


def is_share_of(text: str, metric: str) -> bool:
    """A part of what has none: "at least 50% of the spirit", "half of the magic"."""
    return any(
        has_head(tokenize(part[found.end() :]).words or ("",), UNMEASURED | SPIRITS)
        for part in (text, metric)
        if (found := SHARE_OF.match(part)) is not None
    )


def is_predicative(words: tuple[str, ...], at: int) -> bool:
    """It is said to be so, or more so: "is twice as fair", "20 % stronger"."""
    ends = at + 1 == len(words) or words[at + 1] in ("than", "by", "and", "as")
    return words[at] in VERDICT_WORDS and ends and words[at - 1] not in ARTICLES and words[at - 1] not in ("or", "for")
