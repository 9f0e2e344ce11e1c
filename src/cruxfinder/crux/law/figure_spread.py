"""How far a figure may stray because private answers do. BELIEFS: σ̂, and what it does to a gap and to a share."""

from math import sqrt
from typing import Final

from cruxfinder.crux.law.probes import CampMeans

NEAR: Final = 0.05  # nearer to its line than this, no verdict is sure
SPREADS: Final = 2.0  # of a figure's own standard deviation: nearer than this, it may lie on the other side


def mean_spread(noise: float, yes: int, no: int, rounds: int) -> float:
    """The standard deviation of a difference between the means of two camps, each answer given in so many rounds."""
    return noise * sqrt((1 / yes + 1 / no) / rounds) if yes and no and rounds else 0.0


def share_spread(of_means: float, yes: CampMeans, no: CampMeans, gap: float) -> float:
    """The standard deviation of an explained share: of its credences, its slopes and the gap it is a part of."""
    if abs(gap) <= 1e-9:
        return 0.0
    apart, slope = yes.c - no.c, (yes.slope + no.slope) / 2
    share = apart * slope / gap
    return of_means / abs(gap) * sqrt(slope**2 + apart**2 / 2 + share**2)


def is_near(figure: float, line: float, spread: float) -> bool:
    """May the figure as well lie on the other side of its line?"""
    return abs(figure - line) < max(NEAR, SPREADS * spread)


def may_cross(figure: float, line: float, spread: float) -> bool:
    """The same by the noise alone: reason to ask again, not yet to doubt."""
    return abs(figure - line) < SPREADS * spread
