"""Whether two texts make the same point: token vectors trained for it, summed and compared as those of topics are.

The vectors are made by `scripts/sharpen.py`, the constants come from `scripts/calibrate.py`.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from cruxfinder.embed.sums import Sums
from cruxfinder.embed.wordpiece import WordPiece

TEXTS_CACHED: Final = 4096

# A restatement of a short sentence may share none of its few words: up to SHORT pieces, less has to be alike.
SHORT: Final = 12
SHORTEST: Final = 6
EASED: Final = 0.5


class Points:
    def __init__(self, folder: Traversable, pieces: WordPiece) -> None:
        self._sums = Sums(folder / "model.safetensors", pieces, TEXTS_CACHED)

    def same(self, a: str, b: str) -> float:
        """0..1; symmetric, 1 for a text and itself, 0 where one of two texts has no words."""
        if a == b:
            return 1.0
        first, second = self._sums.vector(a), self._sums.vector(b)
        if not (first.pieces and second.pieces):
            return 0.0
        return eased(self._sums.cosine(a, b), max(first.pieces, second.pieces))


def eased(cosine: float, pieces: int) -> float:
    spare = max(0, SHORT - max(SHORTEST, pieces))
    return min(1.0, max(0.0, cosine + EASED * spare / SHORT))


def shipped() -> Traversable:
    """The folder of the vectors that travel with the package."""
    return files("cruxfinder.embed") / "same_point"
