"""How much of what a speaker said before does a turn say again? All of the speaker's earlier turns count.

A point made again rarely resembles one earlier turn more than the subject makes any two alike. What gives it away is
the sum: the speaker's own words come back, one earlier turn is near, the matter is the one the others speak of, and
hardly a word is new to the conversation. The constants are rounded by hand; docs/research/repetition.md says on what.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from operator import mul
from typing import Final

from cruxfinder.kernel.likeness import Likeness
from cruxfinder.language.english.own_words import own_words, words_of
from cruxfinder.language.english.texts import sentences

WORDS: Final = 10.0  # cosine of all words with those of the speaker so far
NEAREST: Final = 4.0  # the same point as the speaker's nearest turn
MATTER: Final = 5.0  # the same point as the nearest sentence of others: what is disputed, not what is new
NEW: Final = 0.1  # each word that nobody has said
NEW_MAX: Final = 25
WHOLE: Final = WORDS + NEAREST + MATTER
RETOLD: Final = 0.66  # from here on a turn is its speaker's own case again

TEXT_MAX: Final = 4_000  # characters; what follows is not read
PARTS_MAX: Final = 8  # sentences of a turn
OTHERS_MAX: Final = 48  # the last sentences of others
DIGITS: Final = 4
RECORDS_MAX: Final = 64  # speakers whose words are kept
UNIT: Final = 1024
# Whole numbers, so that sums are the same in any order and on any machine: once counts 1, a hundred times 5.6.
FALLING_OFF: Final = tuple(round(UNIT * (1 + math.log(n))) if n else 0 for n in range(512))


def weigh_retelling(words: float, nearest: float, matter: float, new: int) -> float:
    """0..1: what speaks for a point made again, less what is new."""
    told = WORDS * words + NEAREST * nearest + MATTER * matter - NEW * min(new, NEW_MAX)
    return round(min(1.0, max(0.0, told / WHOLE)), DIGITS)


@dataclass(frozen=True, slots=True)
class WordRecord:
    """Every word of some texts, and the words of their own that they brought."""

    counts: Counter[str] = field(default_factory=Counter[str])
    square: int = 0
    own: frozenset[str] = frozenset()

    def extend(self, text: str) -> "WordRecord":
        words = spoken_words(text)
        counts, square = self.counts.copy(), self.square
        for word, more in Counter(words).items():
            square += weight(counts[word] + more) ** 2 - weight(counts[word]) ** 2
            counts[word] += more
        return WordRecord(counts, square, self.own.union(own_words(words)))

    def cosine(self, counts: Mapping[str, int]) -> float:
        weights = [*map(weight, counts.values())]
        length = sum(map(mul, weights, weights)) * self.square
        shared = sum(map(mul, weights, map(weight, map(self.counts.get, counts, repeat(0)))))
        return shared / math.sqrt(length) if length else 0.0


def weight(count: int) -> int:
    return FALLING_OFF[min(count, len(FALLING_OFF) - 1)]


def spoken_words(text: str) -> tuple[str, ...]:
    return words_of(text[:TEXT_MAX].lower().replace("’", "'"))


class Retellings:
    """Measures drafts against what their speakers said; the words of each are added up once."""

    def __init__(self, like: Likeness) -> None:
        self._like = like
        self._records: dict[tuple[str, ...], WordRecord] = {}

    def score(self, text: str, own: Sequence[str], others: Sequence[str], nearest: float) -> float:
        """How much a text says the case of its speaker again; `nearest` is the same point as the nearest own turn."""
        if not own:
            return 0.0
        words = spoken_words(text)
        mine, theirs = self._record(tuple(own)), self._record(tuple(others))
        new = len(frozenset(own_words(words)) - mine.own - theirs.own)
        return weigh_retelling(mine.cosine(Counter(words)), nearest, self._nearest_sentence(text, others), new)

    def _nearest_sentence(self, text: str, others: Sequence[str]) -> float:
        parts, said = sentences(text[:TEXT_MAX])[:PARTS_MAX], last_sentences(others)
        return max(self._like.same_pairs([(part, other) for part in parts for other in said]), default=0.0)

    def _record(self, said: tuple[str, ...]) -> WordRecord:
        """The words of these texts; those of the first ones were added up before."""
        known = next((n for n in range(len(said), 0, -1) if said[:n] in self._records), 0)
        record = self._records[said[:known]] if known else WordRecord()
        for text in said[known:]:
            record = record.extend(text)
        self._records.pop(said, None)
        self._records[said] = record
        if len(self._records) > RECORDS_MAX:
            del self._records[next(iter(self._records))]
        return record


def last_sentences(texts: Sequence[str]) -> list[str]:
    found: list[str] = []
    for sentence in sentences_backwards(texts):
        if len(found) == OTHERS_MAX:
            break
        found.append(sentence)
    return found


def sentences_backwards(texts: Sequence[str]) -> Iterator[str]:
    for text in reversed(texts):
        yield from reversed(sentences(text[:TEXT_MAX]))
