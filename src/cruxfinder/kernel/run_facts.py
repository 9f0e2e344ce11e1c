"""What every run has, whatever its protocol: seats, how it begins, forks, fails to be answered and ends."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import ADVOCATE, CRUX, AgentId, Ending, ProtocolName, Role, Verdict

FAILURES_MAX: Final = 3  # asks in a row without an answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """An agent at the table."""

    id: AgentId
    name: str
    about: str = ""
    interests: tuple[str, ...] = ()  # what it looks out for at the start
    model: str = ""  # who thinks for it, where that is a model
    role: Role = Role.SPEAKER  # in a conversation that goes in turns
    icon: str = ""
    is_person: bool = False  # a person speaks for it


# ---- events


@dataclass(frozen=True, slots=True, kw_only=True)
class DebateStarted:
    kind: Literal["debate_started"] = "debate_started"
    at_ms: int
    topic: str
    seats: tuple[Seat, ...]
    seed: int
    pack: str
    pack_sha: str
    settings: Settings
    format: int
    kernel: int
    embedder: str = ""  # the measure of likeness the run rests on
    protocol: ProtocolName = CRUX
    reader: str = ""  # who said what its texts say, until somebody else goes on with it
    day: str = ""  # of the calendar, as 2027-06-30; spans such as "within a year" are counted from it


@dataclass(frozen=True, slots=True, kw_only=True)
class DebateForked:
    kind: Literal["debate_forked"] = "debate_forked"
    at_ms: int
    parent: str
    at: int
    changes: tuple[str, ...]
    settings: Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class AskFailed:
    kind: Literal["ask_failed"] = "ask_failed"
    at_ms: int
    agent: AgentId
    ask: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DebateComplete:
    kind: Literal["debate_complete"] = "debate_complete"
    at_ms: int
    ending: Ending
    verdict: Verdict
    why: str


RunEvent = DebateStarted | DebateForked | AskFailed | DebateComplete


# ---- commands


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    started: DebateStarted


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork:
    parent: str
    at: int
    changes: tuple[str, ...]
    settings: Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteFailure:
    agent: AgentId
    ask: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """End it now: somebody wants it, or the money is spent."""

    ending: Ending = Ending.STOPPED


# ---- answers that any ask may get


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence:
    """A legal answer to any draft that is not owed."""

    kind: Literal["silence"] = "silence"
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The debater could not answer: a fault of the world, kept so that a replay meets it too."""

    kind: Literal["failed"] = "failed"
    reason: str


# ---- state


class RunState(Protocol):
    """What the kernel and the shell know of a run as it stands, whatever its protocol."""

    @property
    def started(self) -> DebateStarted: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def seats(self) -> tuple[Seat, ...]: ...
    @property
    def now_ms(self) -> int: ...
    @property
    def failing(self) -> Mapping[AgentId, int]:
        """Asks in a row without an answer."""
        ...

    @property
    def complete(self) -> DebateComplete | None: ...


def name_of(state: RunState, agent: AgentId) -> str:
    return next((s.name for s in state.seats if s.id == agent), str(agent))


def lost_agents(state: RunState) -> frozenset[AgentId]:
    """Who could not answer several times in a row is not asked any more: the run goes on without it."""
    return frozenset(a for a, count in state.failing.items() if count >= FAILURES_MAX and a != ADVOCATE)


def fork_event(command: Fork, now_ms: int) -> DebateForked:
    return DebateForked(
        at_ms=now_ms, parent=command.parent, at=command.at, changes=command.changes, settings=command.settings
    )


def failure_event(command: NoteFailure, now_ms: int) -> AskFailed:
    return AskFailed(at_ms=now_ms, agent=command.agent, ask=command.ask, reason=command.reason[:200])
