"""A text as the weighted sum of its tokens' vectors, in whole numbers, and the cosine of two texts.

Sums and products of whole numbers are exact in any order, so a cosine is the same to the last bit on every machine:
only a square root and a division round, each as IEEE 754 says.
"""

import gzip
import json
import math
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources.abc import Traversable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cruxfinder.adapters.embeddings.wordpiece import WordPiece

Whole = NDArray[np.int64]

ENTRY_MAX: Final = 4095  # of a text's vector: products of two squared lengths stay below 2**63
GZIP: Final = b"\x1f\x8b"
TYPES: Final = {"I8": "<i1", "I32": "<i4"}


@dataclass(frozen=True, slots=True)
class Vector:
    entries: Whole
    square: int  # its length, squared; 1 where there is no length, so that it can be divided by


class Sums:
    """The vectors of texts by one table of tokens; those met last are remembered."""

    def __init__(self, file: Traversable, pieces: WordPiece, cached: int) -> None:
        read = tensors(file.read_bytes())
        self._rows, self._weights = read["embeddings"], read["weights"].astype(np.int64)
        self._pieces = pieces
        self.vector = lru_cache(maxsize=cached)(self._sum_vector)

    def cosine(self, a: str, b: str) -> float:
        first, second = self.vector(a), self.vector(b)
        return int(first.entries @ second.entries) / math.sqrt(first.square * second.square)

    def _sum_vector(self, text: str) -> Vector:
        ids = self._pieces.ids(text)
        entries = scale_to_peak(self._weights[ids] @ self._rows[ids].astype(np.int64))
        return Vector(entries, max(1, int(entries @ entries)))


def scale_to_peak(totals: Whole) -> Whole:
    """Sums, a row each, with the largest entry of each as large as may be."""
    peaks = np.maximum(np.abs(totals).max(-1, keepdims=True), 1)
    return (2 * ENTRY_MAX * totals + peaks) // (2 * peaks)  # rounded, halves up


def tensors(raw: bytes) -> dict[str, NDArray[np.int8] | NDArray[np.int32]]:
    """The arrays of a safetensors file: eight bytes with the length of a JSON head, the head, the numbers. It may be
    compressed: a quarter less is installed, for 20 ms at the first use."""
    raw = gzip.decompress(raw) if raw.startswith(GZIP) else raw
    start = 8 + int.from_bytes(raw[:8], "little")
    found: dict[str, NDArray[np.int8] | NDArray[np.int32]] = {}
    for name, entry in json.loads(raw[8:start]).items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            flat = np.frombuffer(raw[start + begin : start + end], TYPES[entry["dtype"]])
            found[name] = flat.reshape(entry["shape"])
    return found
