"""Likeness without a model: the content words two texts share."""

import math
from collections.abc import Sequence
from typing import Final

from cruxfinder.adapters.embeddings.scale import Scale
from cruxfinder.language.english.texts import content_words

SCALE: Final = Scale(zero=0.0, one=0.4)


class Keywords:
    """The cosine of two sets of content words. Their cache is that of `content_words`."""

    name: str = "keyword-v1"
    repetition: float = 0.5

    def likeness(self, a: str, b: str) -> float:
        return SCALE.likeness(cosine(a, b))

    def likenesses(self, text: str, others: Sequence[str]) -> tuple[float, ...]:
        return tuple(self.likeness(text, other) for other in others)

    def distance(self, a: str, b: str) -> float:
        return 1.0 - cosine(a, b)

    def same_point(self, a: str, b: str) -> float:
        return cosine(a, b)

    def same_pairs(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        return tuple(cosine(a, b) for a, b in pairs)

    def substance_score(self, text: str) -> int | None:
        return None

    def event_score(self, text: str) -> int | None:
        return None


def cosine(a: str, b: str) -> float:
    """Shared words over the geometric mean of the two counts; 1 for a text and itself, with or without words."""
    if a == b:
        return 1.0
    first, second = content_words(a), content_words(b)
    shared = len(first & second)
    return shared / math.sqrt(len(first) * len(second)) if shared else 0.0
