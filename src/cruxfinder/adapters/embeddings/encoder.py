"""A text's vector with its words heard in context: attention over the pieces of a sentence, in whole numbers.

A piece has a row of whole numbers and a weight. What the rows of a sentence add up to is mended by what each piece
makes of the pieces around it, and the sum over a text is bent once more, so that word order and senses count. Every
product of matrices is one of whole numbers small enough for their type to hold each sum exactly, in whatever order a
library adds. Between them stand only operations on single numbers, which IEEE 754 rounds alike everywhere, and a
table in place of the exponential. So a vector is the same to the last bit on every machine. `scripts/sharpen.py`
makes the numbers.
"""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources.abc import Traversable
from itertools import islice, pairwise
from typing import Final, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from cruxfinder.adapters.embeddings.sums import Whole, tensors
from cruxfinder.adapters.embeddings.wordpiece import WordPiece
from cruxfinder.language.english.texts import sentences

Kept = TypeVar("Kept")
Exact = NDArray[np.float32]  # whole numbers below 2**24
Large = NDArray[np.float64]  # whole numbers below 2**53

WINDOW: Final = 48  # pieces that hear each other
TOGETHER: Final = 32  # windows heard in one go
FAR: Final = 8  # places from which on distance is all one
BYTE: Final = 127.0
HIDDEN_MAX: Final = 511.0
STEPS: Final = 64  # of a score that make the power of e
SURE: Final = 2**26  # that of the highest score of a head; of a piece that scores low throughout, enough is left
DIVIDED: Final = 2.0**40  # what a piece has to give away among those around it
LEVEL: Final = 4095.0  # of a text's largest entry, before its length is taken
LENGTH: Final = 724  # of a sum before it is bent, in its units
FALLING: Final[Large] = np.array([round(SURE * math.exp(-n / STEPS)) for n in range(19 * STEPS)], np.float64)  # to 0
UNHEARD: Final = -1e6  # a score, far below any other


class TextVector(NamedTuple):
    """The vector of a text."""

    entries: Large
    square: float  # its length, squared; 1 where there is no length, so that it can be divided by
    pieces: int  # how many the text has


class SentenceVector(NamedTuple):
    """A sentence: its sum, mended, and how many pieces it has."""

    total: Large
    pieces: int


class AttentionEncoder:
    """The vectors of texts; those met last are remembered, and so are their sentences."""

    def __init__(self, file: Traversable, pieces: WordPiece, cached: int) -> None:
        read = tensors(file.read_bytes())
        self._rows, self._weights = read["rows"], read["weights"].astype(np.float64)
        self._asks, self._asks_from, self._near, self._mix, self._bend, self._bend_from, self._back, self._back_from = (
            read[name].astype(np.float32)
            for name in ("asks", "asks_from", "near", "mix", "bend", "bend_from", "back", "back_from")
        )
        factors = np.ldexp(read["factors"].astype(np.float64), -read["shifts"])
        self._asked, self._score, self._bending = factors[[0, 1, 3]].astype(np.float32)
        self._mixed, self._returned = float(factors[2]), float(factors[4])
        self._pieces = pieces
        self._heads = len(self._near)
        self._asking = np.zeros((len(self._rows), self._asks.shape[1]), np.int8)
        self._asking_known = np.zeros(len(self._rows), np.bool_)
        self._between = lru_cache(maxsize=WINDOW)(self._relative_position_bias)
        self._texts: dict[str, TextVector] = {}
        self._parts: dict[str, SentenceVector] = {}
        self._cached = cached

    def vectors(self, texts: Sequence[str]) -> list[TextVector]:
        """Faster for several at once."""
        found = {text: vector for text in texts if (vector := self._texts.get(text))}
        if new := [text for text in dict.fromkeys(texts) if text not in found]:
            of = [sentences(text) for text in new]
            parts = self._encode_sentences(part for said in of for part in said)
            totals = np.zeros((len(new), self._rows.shape[1]), np.float64)
            for total, said in zip(totals, of, strict=True):
                for part in said:
                    total += parts[part].total
            entries = self._feed_forward(totals)
            squares: list[float] = (entries * entries).sum(1).tolist()
            for text, said, row, square in zip(new, of, entries, squares, strict=True):
                found[text] = TextVector(row, max(1.0, square), sum(parts[part].pieces for part in said))
            remember(self._texts, found, self._cached)
        return [found[text] for text in texts]

    def _encode_sentences(self, said: Iterable[str]) -> dict[str, SentenceVector]:
        wanted = list(dict.fromkeys(said))
        found = {part: heard for part in wanted if (heard := self._parts.get(part))}
        ids = {part: self._pieces.ids(part) for part in wanted if part not in found}
        cut = [(part, window) for part, pieces in ids.items() for window in windows(pieces)]
        cut.sort(key=lambda entry: len(entry[1]))  # those of one length need no filling up
        totals: dict[str, Large] = {}
        for start in range(0, len(cut), TOGETHER):
            some = cut[start : start + TOGETHER]
            for (part, _), total in zip(some, self._attend([window for _, window in some]), strict=True):
                totals[part] = totals[part] + total if part in totals else total
        silent = np.zeros(self._rows.shape[1])
        found |= {part: SentenceVector(totals.get(part, silent), len(pieces)) for part, pieces in ids.items()}
        remember(self._parts, found, self._cached)
        return found

    def _attend(self, cut: Sequence[list[int]]) -> Large:
        """The sum of each window's pieces, and what they make of each other."""
        longest = max(map(len, cut))
        empty = len(self._rows) - 1
        ids = np.array([window + [empty] * (longest - len(window)) for window in cut])
        short = [(n, len(window)) for n, window in enumerate(cut) if len(window) < longest]
        asking, asked = (
            self._queries_and_keys(ids).reshape(len(cut), longest, 2, self._heads, -1).transpose(2, 0, 3, 1, 4)
        )
        scores = asked @ asking.swapaxes(2, 3)  # asked by asking
        scores *= self._score
        scores += self._between(longest)
        np.rint(scores, out=scores)
        for n, length in short:
            scores[n, :, length:] = scores[n, :, :, length:] = UNHEARD
        # Of a window and head: much faster than of each piece.
        highest = np.maximum.reduce(scores.reshape(*scores.shape[:2], -1), axis=2)
        below = np.subtract(highest[..., None, None], scores, out=scores)
        shares = cast("Large", FALLING.take(below.astype(np.intp), mode="clip"))
        given = np.rint(DIVIDED / np.maximum(np.ones(longest) @ shares, 1.0))  # sums by a product, which is faster
        for n, length in short:
            given[n, :, length:] = 0.0
        counted = np.empty((len(cut), 1 + self._heads, longest))
        counted[:, 0] = self._weights[ids]
        np.matmul(shares, given[..., None], out=counted[:, 1:, :, None])
        sums = counted @ self._rows.take(ids, axis=0).astype(np.float64)
        mend = sums[:, 1:].reshape(len(cut), -1)
        peaks = np.maximum(np.maximum.reduce(np.abs(mend), axis=1, keepdims=True), 1.0)
        mixed = np.rint(mend * (BYTE / peaks)).astype(np.float32) @ self._mix
        return sums[:, 0] + np.rint(mixed * (peaks * self._mixed))

    def _queries_and_keys(self, ids: Whole) -> Exact:
        """What each piece asks of others, and what it answers to; reckoned once a piece."""
        if not (known := self._asking_known[ids]).all():
            new = [*{*ids[~known].tolist()}]
            asks = np.rint((self._rows[new].astype(np.float32) @ self._asks + self._asks_from) * self._asked)
            self._asking[new] = np.clip(asks, -BYTE, BYTE)
            self._asking_known[new] = True
        return self._asking.take(ids, axis=0).astype(np.float32)

    def _feed_forward(self, totals: Large) -> Large:
        levelled = np.rint(totals * (LEVEL / np.maximum(np.abs(totals).max(1, keepdims=True), 1.0)))
        lengths = np.sqrt(np.maximum((levelled * levelled).sum(1, keepdims=True), 1.0))
        straight = np.rint(levelled * (LENGTH / lengths)).astype(np.float32)
        hidden = np.rint((straight @ self._bend + self._bend_from) * self._bending)
        np.minimum(np.maximum(hidden, 0.0, out=hidden), HIDDEN_MAX, out=hidden)
        back = (hidden @ self._back + self._back_from).astype(np.float64)
        return np.rint(straight * float(STEPS) + back * self._returned)

    def _relative_position_bias(self, count: int) -> Exact:
        place = np.arange(count)
        return self._near[:, np.clip(place[:, None] - place[None], -FAR, FAR) + FAR]


def windows(pieces: list[int]) -> list[list[int]]:
    """As few as hold all pieces, as even as can be."""
    if 0 < len(pieces) <= WINDOW:
        return [pieces]
    count = -(-len(pieces) // WINDOW)
    cuts = [len(pieces) * n // count for n in range(count + 1)] if count else []
    return [pieces[start:end] for start, end in pairwise(cuts)]


def remember(into: dict[str, Kept], found: dict[str, Kept], most: int) -> None:
    """Keep what was found; of too much, forget what was kept first, a quarter at once."""
    into |= found
    if len(into) > most:
        for text in [*islice(into, len(into) - most * 3 // 4)]:
            into.pop(text, None)
