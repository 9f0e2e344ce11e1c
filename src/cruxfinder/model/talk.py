"""A conversation as it stands: its turns, the claims made so far, where it was led, and what it came to."""

from dataclasses import dataclass
from functools import cached_property

from cruxfinder.model.claims import EMPTY, Graph
from cruxfinder.model.turn_events import (
    PivotForced,
    SynthesisGiven,
    UserAnswered,
    UserQuestion,
)
from cruxfinder.model.turns import Turn, TurnId
from cruxfinder.model.words import AgentId


@dataclass(frozen=True, kw_only=True)
class Talk:
    turns: tuple[Turn, ...] = ()
    graph: Graph = EMPTY
    pivots: tuple[PivotForced, ...] = ()
    syntheses: tuple[SynthesisGiven, ...] = ()
    questions: tuple[UserQuestion, ...] = ()
    answers: tuple[UserAnswered, ...] = ()

    @cached_property
    def said(self) -> tuple[Turn, ...]:
        """Without those of the chairs."""
        return tuple(t for t in self.turns if not t.chairs)


def turn(talk: Talk, id: TurnId | None) -> Turn | None:
    return next((t for t in talk.turns if t.id == id), None)


def last_of(talk: Talk, agent: AgentId) -> Turn | None:
    return next((t for t in reversed(talk.turns) if t.agent == agent), None)
