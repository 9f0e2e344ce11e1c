"""How long a text of a pack may be and between which ends its numbers lie."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class NumberRange:
    """The numbers a field may hold; an open span leaves out its ends."""

    low: float
    high: float
    open: bool = False

    def contains(self, number: float) -> bool:
        return self.low < number < self.high if self.open else self.low <= number <= self.high

    def __str__(self) -> str:
        return f"{'strictly ' if self.open else ''}between {self.low:g} and {self.high:g}"


PROPOSITIONS_MAX: Final = 12  # BELIEFS: 4,096 states
LISTED_MAX: Final = 40  # exhibits of a proposition, rebuttals of an exhibit
INTERESTS_MAX: Final = 8  # of a persona; what it speaks about is added to them, up to 12

# A message has room for 600 characters, and says more than the line: whom it answers, which test it bears on.
LINE_MAX: Final = 420
EVIDENCE_MAX: Final = 360  # is quoted together with its source
SOURCE_MAX: Final = 120
CLAUSE_MAX: Final = 160
QUESTION_MAX: Final = 200
LABEL_MAX: Final = 80
INTEREST_MAX: Final = 60
NAME_MAX: Final = 40

CREDENCE: Final = NumberRange(0, 1, open=True)
LOG_ODDS: Final = NumberRange(-6, 6)
SHARE: Final = NumberRange(0, 1)
CONFORMITY: Final = NumberRange(0, 5)
NOISE: Final = NumberRange(0, 0.5)
