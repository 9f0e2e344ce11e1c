"""A conversation as it stands: its turns, the claims made so far, where it was led, and what it came to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from cruxfinder.kernel.run_facts import DebateComplete, DebateStarted, Seat
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, TopSide
from cruxfinder.talk.events import (
    PivotForced,
    SynthesisGiven,
    UserAnswered,
    UserQuestion,
)
from cruxfinder.talk.turns import Turn, TurnId, TurnType


@dataclass(frozen=True, kw_only=True)
class Talk:
    turns: tuple[Turn, ...] = ()
    pivots: tuple[PivotForced, ...] = ()
    syntheses: tuple[SynthesisGiven, ...] = ()
    questions: tuple[UserQuestion, ...] = ()
    answers: tuple[UserAnswered, ...] = ()

    @cached_property
    def speaker_turns(self) -> tuple[Turn, ...]:
        """Without those of the chairs."""
        return tuple(t for t in self.turns if not t.is_chair_turn)


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """A run that goes in turns: the table, and what was said at it."""

    started: DebateStarted
    settings: Settings
    seats: tuple[Seat, ...]
    now_ms: int = 0
    failing: Mapping[AgentId, int] = field(default_factory=dict[AgentId, int])  # asks in a row without an answer
    talk: Talk = Talk()
    complete: DebateComplete | None = None


def find_turn(talk: Talk, id: TurnId | None) -> Turn | None:
    return next((t for t in talk.turns if t.id == id), None)


def last_turn_of(talk: Talk, agent: AgentId) -> Turn | None:
    return next((t for t in reversed(talk.turns) if t.agent == agent), None)


def concession_turns(talk: Talk) -> tuple[Turn, ...]:
    """The turns in which somebody granted a point."""
    return tuple(t for t in talk.speaker_turns if t.type is TurnType.CONCESSION and t.draft.concedes.strip())


def last_sides(talk: Talk) -> dict[AgentId, TopSide]:
    """Where each stood when it last said so; who never did is left out."""
    return {t.agent: t.draft.side for t in talk.speaker_turns if t.draft.side is not None}
