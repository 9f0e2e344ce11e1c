"""What people answered: how likely the topic is to each, and three chances for each proposition. Plain values."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cruxfinder.crux.asks import Credence
from cruxfinder.kernel.vocabulary import AgentId, CandidateId

RARE_BELOW: Final = 0.05  # a case so unlikely is not derived: it would magnify what is amiss in the others 20 times
MISSED_MOST: Final = 0.15  # by three chances that leave no fourth, as in answers told in full
SAME: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyProposition:
    """A proposition as it was put to people; the meanings may be empty."""

    id: CandidateId
    text: str
    yes_means: str = ""
    no_means: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyAnswers:
    """`credences` holds complete answers only: a proposition that somebody skipped is not among that person's.

    `stated_tops` holds P(topic) by the proposition it was asked with, of those who told it at all.
    """

    topic: str
    asked: tuple[SurveyProposition, ...]
    stated_tops: Mapping[AgentId, Mapping[CandidateId, float]]
    credences: Mapping[AgentId, Mapping[CandidateId, Credence]]
    derived: frozenset[tuple[AgentId, CandidateId]] = frozenset()  # answers of which one chance follows from the others
    notes: tuple[str, ...] = ()  # what was left out and where it stands, a sentence each

    @property
    def tops(self) -> dict[AgentId, float]:
        """P(topic) of each, averaged where it was told several times."""
        return {agent: average_top(tuple(told.values())) for agent, told in self.stated_tops.items()}

    def top_with(self, agent: AgentId, id: CandidateId) -> float:
        """P(topic) as it was told together with a proposition, or the average where it was not."""
        told = self.stated_tops[agent]
        return told[id] if id in told else average_top(tuple(told.values()))


def average_top(told: tuple[float, ...]) -> float:
    return told[0] if max(told) - min(told) < SAME else sum(told) / len(told)


class Origin(StrEnum):
    """How both conditional chances of an answer are known, or why one of them is not."""

    TOLD = "told"
    DERIVED = "derived"
    NEAREST = "nearest"  # derived, and brought back to 0 or 1
    RARE = "rare"
    CONTRADICTORY = "contradictory"


def complete_credence(
    id: CandidateId, top: float, c: float, p1: float | None, p0: float | None
) -> tuple[Credence | None, Origin]:
    """An answer with both conditional chances; one that is missing follows from the law of total probability."""
    if p1 is not None and p0 is not None:
        return Credence(candidate=id, c=c, p1=p1, p0=p0), Origin.TOLD
    told, weight = (p1, 1 - c) if p1 is not None else (p0, c)
    assert told is not None, "one of the two is told"
    if weight < RARE_BELOW:
        return None, Origin.RARE
    rest = top - (1 - weight) * told
    derived = min(1.0, max(0.0, rest / weight))
    missed = abs(rest - weight * derived)
    if missed > MISSED_MOST:
        return None, Origin.CONTRADICTORY
    answer = Credence(candidate=id, c=c, p1=derived if p1 is None else p1, p0=derived if p0 is None else p0)
    return answer, Origin.NEAREST if missed > SAME else Origin.DERIVED
