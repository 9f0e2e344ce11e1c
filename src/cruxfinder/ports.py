"""What the core needs of the world, as Protocols, and the plain values that pass through them."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, NamedTuple, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
EntryKind = Literal["event", "answer", "hold", "stop", "fork", "reading"]
JsonSchema = Mapping[str, "str | int | bool | Sequence[str] | Sequence[JsonSchema] | JsonSchema"]


# ---- what thinking took

NANO: Final = 1_000_000_000  # billionths of a dollar: sums of money are exact


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    calls: int = 0  # requests sent, those that failed too
    tokens_in: int = 0
    tokens_out: int = 0
    nanodollars: int = 0
    unpriced: int = 0  # requests to models whose price is not known

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            nanodollars=self.nanodollars + other.nanodollars,
            unpriced=self.unpriced + other.unpriced,
        )

    def __sub__(self, other: "Usage") -> "Usage":
        return Usage(
            calls=self.calls - other.calls,
            tokens_in=self.tokens_in - other.tokens_in,
            tokens_out=self.tokens_out - other.tokens_out,
            nanodollars=self.nanodollars - other.nanodollars,
            unpriced=self.unpriced - other.unpriced,
        )

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    @property
    def dollars(self) -> float:
        return self.nanodollars / NANO


NOTHING: Final = Usage()


# ---- how a falsifier came out


class FalsifierOutcome(StrEnum):
    MET = "met"
    UNMET = "unmet"
    VOID = "void"  # it can no longer be told, or it was no test of the question


class Mark(NamedTuple):
    """Which falsifier of a run; written t1.kofi.1."""

    thread: str
    agent: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FalsifierResolution:
    run: str
    mark: Mark
    outcome: FalsifierOutcome
    day: str  # when it was settled
    note: str = ""


# ---- ports


class Debater(Protocol):
    """Somebody who answers asks. Answers that are paid for are committed before they are used and never asked twice.

    What is asked, seen and answered are values of the protocol in use; the kernel hands them on unread.
    Asks of one debater are put one after the other. `record` is the debate as it stood when the ask was made;
    what a debater may see of it is its public part (`cruxfinder.crux.views`). Raise DebaterFault where no answer can
    be had: the debate goes on without it. Any other exception ends the run.
    """

    @property
    def is_paid(self) -> bool: ...

    async def answer(self, ask: Any, record: Any) -> Any: ...


Inbox = Callable[[Any], Awaitable[str]]  # waits for what the onlooker says to a question
Sitting = Callable[[Any, Any], Awaitable[Any]]  # waits for what the person at a seat answers to an ask


class Reader(Protocol):
    """Says what a text says, before anything is decided on it; one for each language.

    What is read and what was read of it are values of the protocol in use (`cruxfinder.language.reading`); the kernel
    hands them on unread, and keeps every reading in the log: a replay reads nothing again. So a reader may change
    without changing any run there is.
    """

    @property
    def name(self) -> str:
        """The language and the version, which is raised when the same text may be read otherwise."""
        ...

    def read(self, passage: Any) -> Any: ...


class Budget(Protocol):
    """What the requests of one run are paid from."""

    async def hold(self, key: str, worst: Usage) -> None:
        """Reserve the most a request can take, for an ask by its key; raise BudgetSpent if there is no room for it."""
        ...

    def settle(self, worst: Usage, taken: Usage) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What a model is told: a part that stays the same for all asks of one debater, and the ask itself."""

    system: str
    user: str
    tokens_out: int  # the longest reply that is paid for
    grammar: str = ""  # what the reply must look like, for servers that can hold a model to it (GBNF)
    schema: JsonSchema = field(default_factory=dict[str, str], hash=False)  # the same, for providers that take a schema
    judges: bool = False  # a judgement, for the stronger model where there is one


class UnreadableReply(Exception):
    """A reply that cannot be used, and what a model should know to do better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedReply(Generic[T]):
    """What was read from a model's reply, and what it took, failed attempts included."""

    value: T
    usage: Usage


class Thinker(Protocol):
    """A model, or several that stand in for each other, behind one deadline, with retries."""

    async def think(self, prompt: Prompt, read: Callable[[str], T], *, key: str = "", budget: Budget) -> ParsedReply[T]:
        """Ask until `read` accepts a reply; it raises Unreadable for one it cannot use.

        Raise DebaterFault if no reply could be had or used in time, BudgetSpent if a request could pass a cap.
        """
        ...


@runtime_checkable
class Spender(Protocol):
    """A debater that pays for its own requests, one by one, from the budget of its run."""

    def spend_from(self, budget: Budget) -> None: ...

    def take_usage(self, ask: Any) -> Usage:
        """What its answer to this ask took; told once."""
        ...


@runtime_checkable
class Onlooker(Protocol):
    """A person, who follows the run from elsewhere: what happened is stored before they are asked."""

    @property
    def looks_on(self) -> bool: ...

    def confirm_stored(self, ask: Any) -> None:
        """Their answer to this ask is in the log."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of a run's log. `hash` covers the entry before it and this one's kind and body."""

    seq: int  # from 1
    kind: EntryKind
    body: str
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """What is kept beside the log: wall-clock times and what a list shows."""

    id: str
    topic: str
    pack: str
    state: Literal["open", "complete", "cut"]  # cut: damage took the end of its log
    entries: int
    created: str
    updated: str
    parent: str = ""
    written: int = 0  # entries that there were once; more than there are in a log that is cut


class RunLogs(Protocol):
    """The append-only logs of runs, and what is kept beside each."""

    def create(self, run: str, *, topic: str, pack: str, parent: str = "") -> None:
        """Raise StoreFault if the run exists."""
        ...

    def append(self, run: str, entries: Sequence[Entry]) -> "Future[None]":
        """Add entries whose seq follow the last one stored; durable once the future is done.

        The future fails with StaleWriter if any seq is taken or leaves a gap, and then nothing of the call is written.
        Calls of one writer take effect in order.
        """
        ...

    def load(self, run: str, after: int = 0) -> tuple[Entry, ...]:
        """Entries with seq > after, in order. Raise NoSuchRun for an unknown run, CutLog for one cut short."""
        ...

    def tail(self, run: str, after: int = 0) -> AbstractContextManager[AsyncIterator[tuple[Entry, ...]]]:
        """Entries with seq > after, then what is added, in the groups it was committed in; it never ends by itself.

        What is appended through this store is handed over, and nothing is read while nothing is appended. What others
        append is looked for now and then, unless the run is claimed through this store, and only while somebody waits.
        Waiting may be cancelled and taken up again: nothing is lost. Raise as `load` does.
        """
        ...

    def row(self, run: str) -> RunRow: ...

    def rows(self) -> tuple[RunRow, ...]:
        """All runs that have begun, newest first; one that was killed before its first entry never did."""
        ...

    def finish(self, run: str) -> None:
        """Mark the run complete."""
        ...

    def claim(self, run: str) -> AbstractContextManager[None]:
        """Hold the run for one writer; raise RunTaken if another holder has it. Freed when the holder dies."""
        ...


class TextStore(Protocol):
    """Texts by their SHA-256."""

    def put_text(self, sha: str, text: str) -> None: ...

    def text(self, sha: str) -> str: ...


class StopSignal(Protocol):
    """Whether a run is to stop. Asking is free: nothing is read."""

    @property
    def is_requested(self) -> bool: ...

    async def wait(self) -> None:
        """Until it is requested."""
        ...


class RunSignals(Protocol):
    """What is said to a run from outside, and who holds it."""

    def request_stop(self, run: str) -> None: ...

    def stop_requested(self, run: str) -> bool: ...

    def watch_stop(self, run: str) -> AbstractAsyncContextManager[StopSignal]:
        """What is requested through this store counts at once; another's request is looked for now and then."""
        ...

    def put_reply(self, run: str, turn: str, text: str) -> None:
        """What somebody answers to a question of a run; the first answer stands."""
        ...

    def reply(self, run: str, turn: str) -> str | None: ...

    async def wait_for_reply(self, run: str, turn: str) -> str: ...

    def host(self, run: str, how: str) -> None:
        """Note that a server holds the run, and how; with an empty text it lets go of it."""
        ...

    def hosted_runs(self) -> tuple[tuple[str, str], ...]:
        """The runs that are not complete and that a server held when it ended, oldest first, and how."""
        ...


class OutcomeStore(Protocol):
    """How the falsifiers of runs came out, beside the logs."""

    def put_outcome(self, resolution: FalsifierResolution) -> None:
        """Keep how a falsifier of a run came out; a later outcome takes the place of an earlier one."""
        ...

    def outcomes(self, run: str) -> tuple[FalsifierResolution, ...]:
        """What is kept of a run's falsifiers, by thread, agent and number. Raise NoSuchRun for an unknown run."""
        ...


class Store(RunLogs, TextStore, RunSignals, OutcomeStore, Protocol):
    """All four in one place, which is opened and closed as one.

    What is not async may wait for a disk: code in an event loop calls it in a thread. `append` waits only
    where a thousand writes are queued, and `claim` takes a lock or says at once that it is taken.
    """

    def check_writable(self) -> None:
        """Raise StoreFault where it is known that nothing can be written. Nothing is made."""
        ...

    def close(self) -> None: ...
