"""The shipped static model: a text's vector is the weighted sum of its tokens' vectors, all whole numbers.

Sums and products of whole numbers are exact in any order, so a likeness is the same to the last bit on every machine:
only a square root, a division and the line of the scale round, each as IEEE 754 says. The files are in the model2vec
format and made by `scripts/distil.py`; the constants here come from `scripts/calibrate.py`.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cruxfinder.embed.scale import Scale
from cruxfinder.embed.wordpiece import WordPiece

Whole = NDArray[np.int64]

SCALE: Final = Scale(zero=0.2, one=0.5)
TEXTS_CACHED: Final = 4096
GROUPS_CACHED: Final = 256
ENTRY_MAX: Final = 4095  # of a text's vector: products of two squared lengths stay below 2**63
TYPES: Final = {"I8": "<i1", "I32": "<i4"}


@dataclass(frozen=True, slots=True)
class Vector:
    entries: Whole
    square: int  # its length, squared; 1 where there is no length, so that it can be divided by


@dataclass(frozen=True, slots=True)
class Group:
    rows: Whole
    squares: Whole


class StaticModel:
    """Likeness by the shipped model. Texts are cached, and so are groups of texts that a text is compared with."""

    repetition: float = 0.25

    def __init__(self, folder: Traversable) -> None:
        self.name: str = json.loads((folder / "config.json").read_bytes())["name"]
        read = tensors((folder / "model.safetensors").read_bytes())
        self._rows, self._weights = read["embeddings"], read["weights"].astype(np.int64)
        tokenizer = json.loads((folder / "tokenizer.json").read_bytes())
        self._pieces = WordPiece(tokenizer["model"]["vocab"])
        self._vector = lru_cache(maxsize=TEXTS_CACHED)(self._summed)
        self._group = lru_cache(maxsize=GROUPS_CACHED)(self._stacked)

    def likeness(self, a: str, b: str) -> float:
        return SCALE.likeness(self._cosine(a, b))

    def likenesses(self, text: str, others: Sequence[str]) -> tuple[float, ...]:
        if not others:
            return ()
        vector, group = self._vector(text), self._group(tuple(others))
        cosines = group.rows @ vector.entries / np.sqrt(group.squares * vector.square)
        scaled: list[float] = np.clip((cosines - SCALE.zero) / (SCALE.one - SCALE.zero), 0.0, 1.0).tolist()
        if text in others:
            return tuple(1.0 if other == text else found for other, found in zip(others, scaled, strict=True))
        return tuple(scaled)

    def distance(self, a: str, b: str) -> float:
        return min(1.0, max(0.0, 1.0 - self._cosine(a, b)))

    def vector(self, text: str) -> tuple[int, ...]:
        """The direction of a text, its largest entry 4095 or -4095; all noughts for a text without words."""
        return tuple(self._vector(text).entries.tolist())

    def cached(self) -> tuple[int, int]:
        """How many texts and groups of texts are remembered."""
        return self._vector.cache_info().currsize, self._group.cache_info().currsize

    def _cosine(self, a: str, b: str) -> float:
        if a == b:
            return 1.0
        first, second = self._vector(a), self._vector(b)
        return int(first.entries @ second.entries) / math.sqrt(first.square * second.square)

    def _summed(self, text: str) -> Vector:
        ids = self._pieces.ids(text)
        total: Whole = self._weights[ids] @ self._rows[ids].astype(np.int64)
        peak = max(1, int(np.abs(total).max()))
        entries: Whole = (2 * ENTRY_MAX * total + peak) // (2 * peak)  # rounded, halves up
        return Vector(entries, max(1, int(entries @ entries)))

    def _stacked(self, texts: tuple[str, ...]) -> Group:
        vectors = [self._vector(text) for text in texts]
        return Group(np.stack([v.entries for v in vectors]), np.array([v.square for v in vectors], np.int64))


def shipped() -> Traversable:
    """The folder of the model that travels with the package."""
    return files("cruxfinder.embed") / "static"


def tensors(raw: bytes) -> dict[str, NDArray[np.int8] | NDArray[np.int32]]:
    """The arrays of a safetensors file: eight bytes with the length of a JSON head, the head, the numbers."""
    start = 8 + int.from_bytes(raw[:8], "little")
    found: dict[str, NDArray[np.int8] | NDArray[np.int32]] = {}
    for name, entry in json.loads(raw[8:start]).items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            flat = np.frombuffer(raw[start + begin : start + end], TYPES[entry["dtype"]])
            found[name] = flat.reshape(entry["shape"])
    return found
