"""Whether two texts make the same point: vectors trained for it, of words in context.

The numbers are made by `scripts/sharpen.py`, the constants come from `scripts/calibrate.py`.
"""

import math
from collections.abc import Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import numpy as np

from cruxfinder.embed.context import Heard, Point
from cruxfinder.embed.wordpiece import WordPiece

TEXTS_CACHED: Final = 4096

# A restatement of a short sentence may share none of its few words: up to SHORT pieces, less has to be alike.
SHORT: Final = 12
SHORTEST: Final = 6
EASED: Final = 0.4


class Points:
    def __init__(self, folder: Traversable, pieces: WordPiece) -> None:
        self._heard = Heard(folder / "model.safetensors", pieces, TEXTS_CACHED)

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        """0..1 for each; symmetric, 1 for a text and itself, 0 where one of two texts has no words."""
        found = self._heard.vectors([text for pair in pairs for text in pair])
        heard = zip(pairs, found[::2], found[1::2], strict=True)
        return tuple(1.0 if a == b else alike(one, other) for (a, b), one, other in heard)

    def all_same(self, texts: Sequence[str], others: Sequence[str]) -> tuple[tuple[float, ...], ...]:
        """The same for each text with each of the others."""
        if not (texts and others):
            return ((),) * len(texts)
        found = self._heard.vectors((*texts, *others))
        many = len(texts)
        entries = np.concatenate([v.entries for v in found]).reshape(len(found), -1)
        squares, pieces = np.array([v.square for v in found]), np.array([v.pieces for v in found])
        spare = SHORT - np.minimum(np.maximum(pieces, SHORTEST), SHORT)
        cosines = entries[:many] @ entries[many:].T / np.sqrt(squares[:many, None] * squares[many:])
        cosines += EASED * np.minimum(spare[:many, None], spare[many:]) / SHORT
        figures: list[list[float]] = np.minimum(np.maximum(cosines, 0.0), 1.0).tolist()
        wordless = [n for n, v in enumerate(found[many:]) if not v.pieces]
        for text, vector, row in zip(texts, found, figures, strict=False):
            for n in wordless if vector.pieces else range(len(row)):
                row[n] = 0.0
            if text in others:
                row[:] = [1.0 if text == other else figure for other, figure in zip(others, row, strict=True)]
        return tuple(map(tuple, figures))


def alike(a: Point, b: Point) -> float:
    if not (a.pieces and b.pieces):
        return 0.0
    return eased(float(a.entries @ b.entries) / math.sqrt(a.square * b.square), max(a.pieces, b.pieces))


def eased(cosine: float, pieces: int) -> float:
    spare = max(0, SHORT - max(SHORTEST, pieces))
    return min(1.0, max(0.0, cosine + EASED * spare / SHORT))


def shipped() -> Traversable:
    """The folder of the numbers that travel with the package."""
    return files("cruxfinder.embed") / "same_point"
