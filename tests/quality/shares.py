"""A share with its set, threshold and interval: what a test of quality asserts and `make test-quality` prints."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Final

KEPT: Final = "share"  # under which a report carries what was measured
SURE: Final = 1.96  # standard deviations of a 95 % interval


@dataclass(frozen=True)
class Share:
    value: float
    low: float  # of a 95 % interval
    high: float
    of: int


def share_of(verdicts: Iterable[bool]) -> Share:
    """With Wilson's interval, which stays within 0 and 1 and is right for shares near them."""
    told = list(verdicts)
    assert told, "nothing was judged"
    n, value = len(told), sum(told) / len(told)
    shrunk = 1 + SURE**2 / n
    middle = (value + SURE**2 / (2 * n)) / shrunk
    reach = SURE / shrunk * sqrt(value * (1 - value) / n + (SURE / (2 * n)) ** 2)
    return Share(float(value), float(max(0.0, middle - reach)), float(min(1.0, middle + reach)), n)


class Judge:
    """Holds shares against their thresholds, and keeps them for the table at the end."""

    def __init__(self, keep: Callable[[str, object], None]) -> None:
        self._keep = keep

    def at_least(self, what: str, found: Share, least: float) -> None:
        self._keep(KEPT, line_of(what, found, f"≥ {percent(least)}"))
        assert found.value >= least, line_of(what, found, f"≥ {percent(least)}")

    def at_most(self, what: str, found: Share, most: float) -> None:
        self._keep(KEPT, line_of(what, found, f"≤ {percent(most)}"))
        assert found.value <= most, line_of(what, found, f"≤ {percent(most)}")

    def between(self, what: str, found: Share, least: float, most: float) -> None:
        self._keep(KEPT, line_of(what, found, f"{percent(least)} – {percent(most)}"))
        assert least <= found.value <= most, line_of(what, found, f"{percent(least)} – {percent(most)}")


def percent(value: float) -> str:
    return f"{value:.1%}".replace(".0%", "%")


def line_of(what: str, found: Share, bound: str) -> str:
    return f"{what:<64} {found.value:6.1%}  {found.low:6.1%} – {found.high:6.1%}  {found.of:>5}   {bound}"


HEAD: Final = f"{'what was judged':<64}  share  95 % interval        of   must be"
