"""What a script may ask of the kernel, and what it is told in return. A test drives a script by hand with these.

The kernel hands commands, asks, answers and events of a protocol on without reading them.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from cruxfinder.kernel.run_facts import RunState
from cruxfinder.kernel.vocabulary import AgentId, ThreadId

State = TypeVar("State", bound=RunState)


class Ask(Protocol):
    """A question to one debater; the protocol it belongs to knows the rest of it."""

    @property
    def kind(self) -> str: ...
    @property
    def agent(self) -> AgentId: ...
    @property
    def number(self) -> int:
        """The n-th ask of this agent."""
        ...


class Event(Protocol):
    """A fact of a run, tagged by its kind."""

    @property
    def kind(self) -> str: ...
    @property
    def at_ms(self) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingThought:
    """A thought under way; one that is not owed holds a slot of its thread."""

    agent: AgentId
    thread: ThreadId | None
    owed: bool


class Readable(Protocol):
    """A text to be read, with what it is read against; the protocol it belongs to knows the rest of it."""

    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(Generic[State]):
    """The world when a script goes on: the state, the time, who is thinking, and what its effect came to."""

    debate: State
    now_ms: int
    thoughts: tuple[PendingThought, ...] = ()
    answers: tuple[object, ...] = ()
    events: tuple[Event, ...] = ()
    reading: object = None  # what was read of a passage


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
class Read:
    """Have a text read before it is decided on; the reading is there at once, and kept in the log."""

    passage: Readable


@dataclass(frozen=True, slots=True)
class Do:
    command: object


@dataclass(frozen=True, slots=True)
class Spawn(Generic[State]):
    """Start another script beside this one."""

    script: "Generator[Effect[State], Observation[State], None]"


Effect = Pause | Watch | Think | Read | Do | Spawn[State]
Script = Generator[Effect[State], Observation[State], None]
PartOfScript = Generator[Effect[State], Observation[State], Observation[State]]  # it hands on what it saw last


class Dice(Protocol):
    """Chance, from a stream of its own for each agent and purpose, so that one more agent reshuffles nobody."""

    def between(self, who: str, purpose: str, low: int, high: int) -> int:
        """A whole number from low to high."""
        ...
