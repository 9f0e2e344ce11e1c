"""Numbers with the range they keep to: the type checker sees the plain number, the schemas also the range."""

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class Range:
    low: float | None = None
    high: float | None = None


Count = Annotated[int, Range(0)]
Dollars = Annotated[float, Range(0)]
Share = Annotated[float, Range(0, 1)]
Gap = Annotated[float, Range(-1, 1)]  # between the camps
Rank = Annotated[float, Range(-1, 2.5)]  # explained share + ½·DCG, as weighing bounds them
