"""Sentences, content words, and how much of a text another one carries: behind steelmans and repeated questions."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

STOP: Final = frozenset(
    "a about above after again all also although am among an and any are as at be because been before being below"
    " between both but by can cannot could did do does doing down during each either even ever every few for from"
    " further had has have having he her here hers him his how however i if in into is it its itself just least less"
    " let like many may me might more most much must my neither no nor not now of off on once one only or other our"
    " ours out over own per rather same shall she should since so some such than that the their theirs them then"
    " there these they this those though through thus to too under until up upon us very was we were what when where"
    " whether which while who whom whose why will with within without would yes yet you your yours".split()
)
WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
CLOSED: Final = r"[\"”’')\]]*"
SENTENCE: Final = re.compile(rf"\S(?:[^.!?…]++|[.!?…](?!{CLOSED}(?:\s|$)))*+(?:[.!?…]{CLOSED})?")
ENDINGS: Final = (
    "ations",
    "ation",
    "ingly",
    "ments",
    "ment",
    "ings",
    "ing",
    "edly",
    "ies",
    "ied",
    "ers",
    "ed",
    "es",
    "ly",
    "er",
    "s",
    "e",
)


@lru_cache(maxsize=256)
def sentences(text: str) -> tuple[str, ...]:
    return tuple(found.strip() for found in SENTENCE.findall(text) if found.strip())


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Fold the inflections of a word together; crude on purpose, the same everywhere."""
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=8192)
def keyword(word: str) -> str:
    """A content word, stemmed; nothing for any other."""
    plain = word.lower().replace("’", "'").removesuffix("'s")
    return stem(plain) if plain not in STOP and (len(plain) > 2 or plain.isdigit()) else ""


def contents(words: Iterable[str]) -> list[str]:
    """Of words those with content, stemmed, in their order."""
    return [*filter(None, map(keyword, words))]


@lru_cache(maxsize=2048)
def keywords(text: str) -> tuple[str, ...]:
    """The content words of a text in order, stemmed, as often as they occur."""
    return tuple(contents(WORD.findall(text)))


@lru_cache(maxsize=2048)
def content_words(text: str) -> frozenset[str]:
    return frozenset(keywords(text))


def carried(recorded: str, represented: str) -> float:
    """The share of the recorded text's content words that the representation carries; 1 if there are none."""
    words = content_words(recorded)
    return len(words & content_words(represented)) / len(words) if words else 1.0


def same_question(a: str, b: str) -> bool:
    """The same content words, near enough, in two questions."""
    first, second = content_words(a), content_words(b)
    union = first | second
    return not union or len(first & second) / len(union) >= 0.8
