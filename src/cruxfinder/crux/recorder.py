"""Writes events down and keeps the debate as it stands after each; one decision uses one pen."""

from cruxfinder.crux.events import Event
from cruxfinder.crux.evolve import evolve
from cruxfinder.crux.state import Debate


class DecisionRecorder:
    __slots__ = ("_events", "debate", "now_ms")

    def __init__(self, debate: Debate, now_ms: int) -> None:
        self.debate = debate
        self.now_ms = now_ms
        self._events: list[Event] = []

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(self._events)

    @property
    def event_count(self) -> int:
        return len(self._events)

    def write(self, event: Event) -> None:
        self._events.append(event)
        self.debate = evolve(self.debate, event)
