"""What people answered: how likely the topic is to each, and three chances for each proposition. Plain values."""

from collections.abc import Mapping
from dataclasses import dataclass

from cruxfinder.crux.asks import Credence
from cruxfinder.kernel.vocabulary import AgentId, CandidateId


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyProposition:
    """A proposition as it was put to people; the meanings may be empty."""

    id: CandidateId
    text: str
    yes_means: str = ""
    no_means: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyAnswers:
    """`credences` holds complete answers only: a proposition that somebody skipped is not among that person's."""

    topic: str
    asked: tuple[SurveyProposition, ...]
    tops: Mapping[AgentId, float]
    credences: Mapping[AgentId, Mapping[CandidateId, Credence]]
    notes: tuple[str, ...] = ()  # what was left out and where it stands, a sentence each
