"""The shipped static model: what a text is about, by the weighted sum of its tokens' vectors.

The files are in the model2vec format and made by `scripts/distil.py`; the constants here come from
`scripts/calibrate.py`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import numpy as np

from cruxfinder.adapters.embeddings import points
from cruxfinder.adapters.embeddings.scale import Scale
from cruxfinder.adapters.embeddings.sums import Sums, Whole
from cruxfinder.adapters.embeddings.wordpiece import WordPiece

SCALE: Final = Scale(zero=0.2, one=0.5)
TEXTS_CACHED: Final = 4096
GROUPS_CACHED: Final = 256


@dataclass(frozen=True, slots=True)
class VectorGroup:
    rows: Whole
    squares: Whole


class StaticModel:
    """Likeness by the shipped model. Texts are cached, and so are groups of texts that a text is compared with."""

    repetition: float = 0.83

    def __init__(self, folder: Traversable) -> None:
        self.name: str = json.loads((folder / "config.json").read_bytes())["name"]
        pieces = pieces_of(folder)
        self._sums = Sums(folder / "model.safetensors", pieces, TEXTS_CACHED)
        self._points = points.Points(points.weights_folder(), pieces)
        self._group = lru_cache(maxsize=GROUPS_CACHED)(self._stack_vectors)

    def likeness(self, a: str, b: str) -> float:
        return SCALE.likeness(self._cosine(a, b))

    def likenesses(self, text: str, others: Sequence[str]) -> tuple[float, ...]:
        if not others:
            return ()
        vector, group = self._sums.vector(text), self._group(tuple(others))
        cosines = group.rows @ vector.entries / np.sqrt(group.squares * vector.square)
        scaled: list[float] = np.clip((cosines - SCALE.zero) / (SCALE.one - SCALE.zero), 0.0, 1.0).tolist()
        if text in others:
            return tuple(1.0 if other == text else found for other, found in zip(others, scaled, strict=True))
        return tuple(scaled)

    def distance(self, a: str, b: str) -> float:
        return min(1.0, max(0.0, 1.0 - self._cosine(a, b)))

    def same_point(self, a: str, b: str) -> float:
        return self._points.pairs([(a, b)])[0]

    def same_pairs(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        return self._points.pairs(pairs)

    def substance_score(self, text: str) -> int:
        return self._points.substance_score(text)

    def event_score(self, text: str) -> int:
        return self._points.event_score(text)

    def vector(self, text: str) -> tuple[int, ...]:
        """The direction of a text, its largest entry 4095 or -4095; all noughts for a text without words."""
        return tuple(self._sums.vector(text).entries.tolist())

    def cache_sizes(self) -> tuple[int, int]:
        """How many texts and groups of texts are remembered."""
        return self._sums.vector.cache_info().currsize, self._group.cache_info().currsize

    def _cosine(self, a: str, b: str) -> float:
        return 1.0 if a == b else self._sums.cosine(a, b)

    def _stack_vectors(self, texts: tuple[str, ...]) -> VectorGroup:
        vectors = [self._sums.vector(text) for text in texts]
        return VectorGroup(np.stack([v.entries for v in vectors]), np.array([v.square for v in vectors], np.int64))


def model_folder() -> Traversable:
    """The folder of the model that travels with the package."""
    return files("cruxfinder.adapters.embeddings") / "static"


def pieces_of(folder: Traversable) -> WordPiece:
    return WordPiece(json.loads((folder / "tokenizer.json").read_bytes())["model"]["vocab"])
