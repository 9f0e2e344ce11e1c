"""Writes events down and keeps the state after each; one decision uses one recorder."""

from collections.abc import Callable
from typing import Generic, TypeVar

from cruxfinder.kernel.effects import State

Fact = TypeVar("Fact")


class DecisionRecorder(Generic[State, Fact]):
    __slots__ = ("_events", "_evolve", "debate", "now_ms")

    def __init__(self, debate: State, now_ms: int, evolve: Callable[[State, Fact], State]) -> None:
        self.debate = debate
        self.now_ms = now_ms
        self._evolve = evolve
        self._events: list[Fact] = []

    @property
    def events(self) -> tuple[Fact, ...]:
        return tuple(self._events)

    @property
    def event_count(self) -> int:
        return len(self._events)

    def write(self, event: Fact) -> None:
        self._events.append(event)
        self.debate = self._evolve(self.debate, event)
