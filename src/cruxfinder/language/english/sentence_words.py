"""A sentence as its words, small, with the places where somebody is named, and the shapes of verbs it may hold."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cruxfinder.language.english.event_words import DEEDS, DIRECTIONS, FEELINGS, OCCURRENCES, verb_forms

LENGTH_MAX: Final = 1000  # what is longer is a story; its first sentences say what it claims
WORDS_MAX: Final = 120
WORD: Final = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*\.?(?=\W|$)")
QUOTED: Final = re.compile(r"[\"“”«»][^\"“”«»]{1,200}[\"“”«»]|(?<!\w)['‘](?:[^'‘’]|(?<=\w)['’](?=\w)){1,80}['’](?!\w)")
INITIALS: Final = frozenset("AI IT TV VR PC HR PR IQ I OK DIY CO".split())  # capitals that name no one

SHAPES: Final = {
    kind: dict(verb_forms(table))
    for kind, table in (("event", OCCURRENCES), ("deed", DEEDS), ("move", DIRECTIONS), ("feel", FEELINGS))
}
EVENTS, DEED, MOVES, FEELS = SHAPES["event"], SHAPES["deed"], SHAPES["move"], SHAPES["feel"]


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """A text as its words, small, with the places where somebody or something is named."""

    words: tuple[str, ...]
    named: frozenset[int]


@lru_cache(maxsize=2048)
def tokenize(text: str) -> TokenizedText:
    plain = QUOTED.sub(" Quoted ", text[:LENGTH_MAX])
    found = [match[0].rstrip(".").replace("’", "'") for match in WORD.finditer(plain)][:WORDS_MAX]
    named = frozenset(i for i, word in enumerate(found) if is_name(word, first=i == 0))
    return TokenizedText(tuple(word.lower().removesuffix("'s") for word in found), named)


def is_name(word: str, *, first: bool) -> bool:
    if word in INITIALS or not word[0].isupper():
        return False
    return not first or (len(word) > 1 and word[1].isupper())
