"""Whether two texts make the same point: vectors trained for it, of words in context.

The numbers are made by `scripts/sharpen.py`, the constants come from `scripts/calibrate.py`.
"""

import math
from collections.abc import Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import numpy as np

from cruxfinder.adapters.embeddings.encoder import AttentionEncoder, TextVector
from cruxfinder.adapters.embeddings.event_vector_weights import EVENT_BIAS, EVENT_WEIGHTS
from cruxfinder.adapters.embeddings.substance_vector_weights import FINE, WEIGHTS
from cruxfinder.adapters.embeddings.wordpiece import WordPiece

TEXTS_CACHED: Final = 4096

PIECES_MAX: Final = 64  # from here on all lengths are one
# Vectors of many pieces grow alike whatever they say: what the shorter of two texts gets for its length, or gives.
USUAL: Final = 16
GROWING: Final = 0.06
ALLOWED: Final = tuple(round(GROWING * math.log(USUAL / max(4, n)), 4) for n in range(PIECES_MAX + 1))
# A restatement of a short sentence may share none of its few words: up to SHORT pieces, less has to be alike.
SHORT: Final = 12
SHORTEST: Final = 6
EASED: Final = 0.2
SPARED: Final = tuple(round(EASED * max(0, SHORT - max(SHORTEST, n)) / SHORT, 4) for n in range(PIECES_MAX + 1))
ALLOWED_AT: Final = np.array(ALLOWED)
SPARED_AT: Final = np.array(SPARED)
AT_ONCE: Final = 24  # pairs from which on arrays are faster
ROWS: Final = 1024  # pairs multiplied in one go
FADING: Final = 5.0  # where less than a fifth is missing, lengths count less, and nothing where vectors are the same
SAYING: Final = np.array(WEIGHTS.split(), np.float64)
HAPPENING: Final = np.array(EVENT_WEIGHTS.split(), np.float64)


class Points:
    def __init__(self, folder: Traversable, pieces: WordPiece) -> None:
        self.heard = AttentionEncoder(folder / "model.safetensors.gz", pieces, TEXTS_CACHED).vectors

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        """0..1 for each; symmetric, 1 for a text and itself, 0 where one of two texts has no words."""
        if len(pairs) >= AT_ONCE:
            return self._many_pairs(pairs)
        found = self.heard([text for pair in pairs for text in pair])
        heard = zip(pairs, found[::2], found[1::2], strict=True)
        return tuple(1.0 if a == b else same_point_score(one, other) for (a, b), one, other in heard)

    def _many_pairs(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        """The same figures to the last bit, all in one go: products of whole numbers, then single operations."""
        places: dict[str, int] = {}
        left = np.array([places.setdefault(a, len(places)) for a, _ in pairs])
        right = np.array([places.setdefault(b, len(places)) for _, b in pairs])
        vectors = self.heard([*places])
        rows = np.stack([vector.entries for vector in vectors])
        squares = np.array([vector.square for vector in vectors])
        pieces = np.array([min(vector.pieces, PIECES_MAX) for vector in vectors])
        products = np.concatenate(
            [(rows[left[n : n + ROWS]] * rows[right[n : n + ROWS]]).sum(1) for n in range(0, len(pairs), ROWS)]
        )
        cosines = products / np.sqrt(squares[left] * squares[right])
        a, b = pieces[left], pieces[right]
        due = np.maximum(ALLOWED_AT[a], ALLOWED_AT[b]) + np.minimum(SPARED_AT[a], SPARED_AT[b])
        found = np.clip(cosines + due * np.minimum(FADING * (1.0 - cosines), 1.0), 0.0, 1.0)
        found[(a == 0) | (b == 0)] = 0.0
        found[left == right] = 1.0
        figures: list[float] = found.tolist()
        return tuple(figures)

    def substance_score(self, text: str) -> int:
        """What its vector says for a text; whole numbers throughout, but for one root and one division."""
        (point,) = self.heard([text])
        return round(float(SAYING @ point.entries) / (FINE * math.sqrt(point.square)))

    def event_score(self, text: str) -> int:
        """In hundredths of what a sign of `stated_events` weighs."""
        (point,) = self.heard([text])
        return EVENT_BIAS + round(float(HAPPENING @ point.entries) / math.sqrt(point.square))


def same_point_score(a: TextVector, b: TextVector) -> float:
    if not (a.pieces and b.pieces):
        return 0.0
    return calibrated_score(float(a.entries @ b.entries) / math.sqrt(a.square * b.square), a.pieces, b.pieces)


def calibrated_score(cosine: float, a: int, b: int) -> float:
    """From the cosine of two texts of so many pieces each."""
    a, b = min(a, PIECES_MAX), min(b, PIECES_MAX)
    due = max(ALLOWED[a], ALLOWED[b]) + min(SPARED[a], SPARED[b])
    return min(1.0, max(0.0, cosine + due * min(FADING * (1.0 - cosine), 1.0)))


def weights_folder() -> Traversable:
    """The folder of the numbers that travel with the package."""
    return files("cruxfinder.adapters.embeddings") / "same_point"
