"""A refusal: a rule says no, why, and what to do instead. A value, never an exception."""

from dataclasses import dataclass

from cruxfinder.kernel.ranges import Count
from cruxfinder.kernel.vocabulary import RuleId


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    rule: RuleId
    reason: str
    remedy: str
    until_ms: Count = 0  # greater than 0: refused for time only, and free from then on
