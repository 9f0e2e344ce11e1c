"""From the cosine of an embedder to a likeness: a straight line between two points measured on real pairs."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    zero: float  # the cosine nine of ten pairs on different topics stay below
    one: float  # the cosine half the pairs on one topic reach

    def likeness(self, cosine: float) -> float:
        return min(1.0, max(0.0, (cosine - self.zero) / (self.one - self.zero)))
