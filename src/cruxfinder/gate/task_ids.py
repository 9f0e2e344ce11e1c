"""Which task is meant (DIA-4): an id of the canonical text, and which known task a new one resembles."""

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from typing import Final

ID_LENGTH: Final = 16
RESEMBLES: Final = 0.6  # of all words of both
LETTERS_ALIKE: Final = 0.5  # of the letter pairs, for a word written otherwise
WORDS_MAX: Final = 100  # of a task, that are held against another's
WORD_MAX: Final = 64  # characters

STOP: Final = frozenset(
    "a an and are as at be by can could do for from has have i in into is it its me my now of on or our please"
    " should so some that the their them then these this those to us want was we were will with would you your".split()
)
VERBS: Final = frozenset(
    "add adjust analyse analyze apply assign authenticate authorise authorize build bump bundle cache call"
    " change check clean clear clone close commit compile configure connect convert copy correct create debug"
    " decode define delete deploy detect disable document download drop enable encode ensure execute export"
    " extract fail fetch filter find finish fix flush format generate get handle implement import improve"
    " include increase initialise initialize insert install integrate invoke keep limit link lint list load lock"
    " log make merge migrate mock move normalise normalize open optimise optimize parse patch pass pin port"
    " prevent print process publish pull push read rebase rebuild record reduce refactor refresh release reload"
    " remove rename render repair replace report request reset resolve restart restore retry return revert"
    " review rewrite roll rotate run save scale schedule search send serve set show skip solve sort speed split"
    " start stop store stub support switch sync test trace train translate trigger try tune update upgrade"
    " upload use validate verify wait warn work wrap write".split()
)
_DROPPED: Final = re.compile(r"[^\w\s-]|(?<!\w)-+(?!\w)")


def canonical_text(text: str) -> str:
    """Lower case, no punctuation but - and _, single blanks, no stop words, verbs without their endings."""
    plain = unicodedata.normalize("NFKC", text).lower()
    words = _DROPPED.sub(" ", plain).split()
    kept = [stem_verb(word) for word in words if word not in STOP]
    return " ".join(kept or words)


def task_id(text: str) -> str:
    return hashlib.sha256(canonical_text(text).encode()).hexdigest()[:ID_LENGTH]


def stem_verb(word: str) -> str:
    """A verb in any of its forms as the verb; every other word as it is."""
    if word in VERBS:
        return word
    for ending in ("ing", "ed", "es", "d", "s"):
        if not word.endswith(ending):
            continue
        stem = word[: -len(ending)]
        doubled = stem[:-1] if len(stem) > 2 and stem[-1] == stem[-2] else stem
        for verb in (stem, f"{stem}e", doubled, f"{stem[:-1]}y" if stem.endswith("i") else stem):
            if verb in VERBS:
                return verb
    return word


def most_similar_task(text: str, known: Mapping[str, str]) -> str | None:
    """The id of the known task that is worded most like this one, if one nearly is; `known` maps ids to texts."""
    wanted = canonical_text(text).split()
    own = task_id(text)
    scores = {id: likeness(wanted, canonical_text(other).split()) for id, other in known.items() if id != own}
    best = max(scores, key=lambda id: scores[id], default=None)
    return best if best is not None and scores[best] >= RESEMBLES else None


def likeness(a: list[str], b: list[str]) -> float:
    """The share of words in common, where words that share most of their letters count as the same.

    Every word is held against every other: of long texts the beginnings are.
    """
    if not a or not b:
        return 0.0
    first = [(word[:WORD_MAX], letter_pairs(word[:WORD_MAX])) for word in a[:WORDS_MAX]]
    left = [(word[:WORD_MAX], letter_pairs(word[:WORD_MAX])) for word in b[:WORDS_MAX]]
    most = len(first) + len(left)
    common = 0
    for word in first:
        twin = next(
            (n for n, other in enumerate(left) if other[0] == word[0] or are_similar_words(*word, *other)), None
        )
        if twin is not None:
            common += 1
            del left[twin]
    return common / (most - common)


def are_similar_words(a: str, in_a: frozenset[str], b: str, in_b: frozenset[str]) -> bool:
    """Whether two words, given with their pairs of letters, share most of these."""
    if min(len(a), len(b)) < 4 or min(len(in_a), len(in_b)) < LETTERS_ALIKE * max(len(in_a), len(in_b)):
        return False
    return len(in_a & in_b) / len(in_a | in_b) >= LETTERS_ALIKE


def letter_pairs(word: str) -> frozenset[str]:
    return frozenset(word[n : n + 2] for n in range(len(word) - 1))
