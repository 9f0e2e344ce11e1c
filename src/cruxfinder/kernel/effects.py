"""What a script may ask of the kernel, and what it is told in return. A test drives a script by hand with these."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Protocol

from cruxfinder.crux.asks import Answer, Ask
from cruxfinder.crux.commands import Command
from cruxfinder.crux.events import Event
from cruxfinder.crux.state import Debate
from cruxfinder.kernel.vocabulary import AgentId, ThreadId


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingThought:
    """A thought under way; one that is not owed holds a slot of its thread."""

    agent: AgentId
    thread: ThreadId | None
    owed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """The world when a script goes on: the debate, the time, who is thinking, and what its effect came to."""

    debate: Debate
    now_ms: int
    thoughts: tuple[PendingThought, ...] = ()
    answers: tuple[Answer, ...] = ()
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Pause:
    ms: int


@dataclass(frozen=True, slots=True)
class Watch:
    """Go on as soon as anything has happened."""


@dataclass(frozen=True, slots=True)
class Think:
    """Ask now; the answers are there `ms` of debate time later, however long the calls take."""

    asks: tuple[Ask, ...]
    ms: int


@dataclass(frozen=True, slots=True)
class Do:
    command: Command


@dataclass(frozen=True, slots=True)
class Spawn:
    """Start another script beside this one."""

    script: "Script"


Effect = Pause | Watch | Think | Do | Spawn
Script = Generator[Effect, Observation, None]
Inner = Generator[Effect, Observation, Observation]  # a part of a script, which hands on what it saw last


class Dice(Protocol):
    """Chance, from a stream of its own for each agent and purpose, so that one more agent reshuffles nobody."""

    def between(self, who: str, purpose: str, low: int, high: int) -> int:
        """A whole number from low to high."""
        ...
