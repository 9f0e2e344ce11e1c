"""What several propositions explain together, as far as a table can tell.

Nobody is asked how one proposition bears on another. Where credences rise and fall together from person to person
within the camps, the propositions count once, as the one that explains most; where too few answered, it is not known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from cruxfinder.crux.events import CandidateFigures
from cruxfinder.crux.law.probes import Camps, ProbeReading, mean
from cruxfinder.crux.law.several_facts import JOINT_MIN
from cruxfinder.kernel.vocabulary import AgentId, CandidateId

FACT_MIN: Final = 0.10  # of the gap; what explains less is none of several facts
PEOPLE_MIN: Final = 8  # who answered both; of fewer a correlation says next to nothing
SURE: Final = 2.0  # standard errors from no correlation
SAME: Final = 1e-12

Readings = Mapping[AgentId, ProbeReading]


@dataclass(frozen=True, slots=True, kw_only=True)
class JointShare:
    """The part of the gap that the propositions of .10 or more explain together, if those named bear on no other."""

    share: float
    facts: tuple[str, ...]  # what is counted, best first
    counted_once: tuple[str, ...]  # what moves with one of them
    unknown_pairs: int  # of which too few answered both

    @property
    def carries(self) -> bool:
        """Do several of them explain as much as one would have to?"""
        return len(self.facts) > 1 and self.share >= JOINT_MIN


def joint_share(figures: Sequence[CandidateFigures], given: Readings, camps: Camps) -> JointShare:
    """Take the best first, and leave out whatever moves with one that is taken."""
    taken: list[CandidateFigures] = []
    moving: list[CandidateId] = []
    telling = sorted((f for f in figures if f.share >= FACT_MIN), key=lambda f: (-f.share, f.candidate))
    for found in telling:
        if any(move_together(given, camps, found.candidate, other.candidate) for other in taken):
            moving.append(found.candidate)
        else:
            taken.append(found)
    pairs = combinations([f.candidate for f in telling], 2)
    return JointShare(
        share=round(sum(f.share for f in taken), 4),
        facts=tuple(f.candidate for f in taken),
        counted_once=tuple(moving),
        unknown_pairs=sum(correlation(given, camps, one, other) is None for one, other in pairs),
    )


def move_together(given: Readings, camps: Camps, one: CandidateId, other: CandidateId) -> bool:
    found = correlation(given, camps, one, other)
    if found is None:
        return False
    r, free = found
    return abs(r) * free**0.5 > SURE * max(SAME, 1 - r * r) ** 0.5


def correlation(given: Readings, camps: Camps, one: CandidateId, other: CandidateId) -> tuple[float, int] | None:
    """Of two credences within the camps, with its degrees of freedom; None where too few answered both.

    Across the camps all that divides them would seem to move together.
    """
    groups = [paired_credences(given, camp, one, other) for camp in (camps.yes, camps.no)]
    people = sum(len(group) for group in groups)
    free = people - sum(bool(group) for group in groups) - 1
    if people < PEOPLE_MIN:
        return None
    left = [x - mean([a for a, _ in group]) for group in groups for x, _ in group]
    right = [y - mean([b for _, b in group]) for group in groups for _, y in group]
    spreads = sum(x * x for x in left) * sum(y * y for y in right)
    return (sum(x * y for x, y in zip(left, right, strict=True)) / spreads**0.5 if spreads > SAME else 0.0), free


def paired_credences(
    given: Readings, camp: Sequence[AgentId], one: CandidateId, other: CandidateId
) -> list[tuple[float, float]]:
    told = [given[agent].credences for agent in camp if agent in given]
    return [(row[one].c, row[other].c) for row in told if one in row and other in row]
