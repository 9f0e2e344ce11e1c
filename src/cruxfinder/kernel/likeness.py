"""How alike two texts are, as the rules of attention, threads and redundancy ask it; the measuring happens outside."""

from collections.abc import Sequence
from typing import Protocol


class Likeness(Protocol):
    """A measure of topic and of points made, the same on every machine to the last bit.

    It hears what a text is about and not which side it takes: a sentence and its negation are alike.
    """

    @property
    def name(self) -> str:
        """The measure and its version: another name may give other figures."""
        ...

    @property
    def repetition(self) -> float:
        """The figure of `same_point` from which on one turn is another one again, unless its polarity differs."""
        ...

    def likeness(self, a: str, b: str) -> float:
        """0..1, calibrated: 0 for unrelated texts, 1 for texts on one topic. Symmetric; 1 for a text and itself."""
        ...

    def likenesses(self, text: str, others: Sequence[str]) -> tuple[float, ...]:
        """The likeness of a text to each of the others, in their order. Fastest for a tuple met before."""
        ...

    def distance(self, a: str, b: str) -> float:
        """0..1, the cosine distance: questions 0.3 apart are different ones. Symmetric; 0 for a text and itself."""
        ...

    def same_point(self, a: str, b: str) -> float:
        """0..1, how much two texts make the same point; opposites may come out alike. Symmetric; 1 for equal texts."""
        ...

    def same_pairs(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        """The `same_point` of each pair; faster than one by one."""
        ...

    def event_score(self, text: str) -> int | None:
        """Above 0 where the vector of a statement speaks for an event, below for an opinion; None without vectors."""
        ...

    def substance_score(self, text: str) -> int | None:
        """What the vector of a text says for it, in the units of `rules.substance`; None where there are no vectors."""
        ...
