"""How far a figure may stray because private answers do. BELIEFS: σ̂, and what it does to a gap and to a share."""

from math import sqrt
from typing import Final

from cruxfinder.crux.law import probes
from cruxfinder.crux.law.probes import CampMeans
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread, count_rounds, rounds_before
from cruxfinder.kernel.vocabulary import CandidateId, Phase

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


# ---- in a debate


def spread_of_gap(debate: Debate, thread: Thread, phase: Phase) -> float:
    camps, given = probes.camps(debate.firsts), probes.readings(thread, phase)
    yes, no = (sum(a in given for a in camp) for camp in (camps.yes, camps.no))
    noise = probes.noise_of_rounds(probes.rounds_of(thread, phase))
    rounds = rounds_before(thread) if phase is Phase.BEFORE else count_rounds(thread, phase)
    return mean_spread(noise, yes, no, rounds)


def spread_of_share(debate: Debate, thread: Thread, id: CandidateId) -> float:
    camps, given = probes.camps(debate.firsts), probes.readings(thread, Phase.BEFORE)
    yes, no = probes.camp_means(given, camps.yes, id), probes.camp_means(given, camps.no, id)
    if yes is None or no is None:
        return 0.0
    of_means = spread_of_gap(debate, thread, Phase.BEFORE)
    return share_spread(of_means, yes, no, probes.gap(given, camps))
