"""Promises and what was measured, as a table."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    what: str
    figure: float
    unit: str
    target: float
    at_most: bool = True

    @property
    def met(self) -> bool:
        return self.figure <= self.target if self.at_most else self.figure >= self.target


def printed(found: Sequence[Line]) -> int:
    """Print one line a promise; 1 if one was missed."""
    width = max(len(line.what) for line in found)
    for line in found:
        sign = "≤" if line.at_most else "≥"
        mark = "ok" if line.met else "MISSED"
        print(f"{line.what:<{width}}  {line.figure:8.2f} {line.unit:<9} {sign} {line.target:<6g} {mark}")
    return 0 if all(line.met for line in found) else 1
