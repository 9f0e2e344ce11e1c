"""What the core needs of the world, as Protocols; that of the embedders is `Likeness` in the model, as rules use it."""

from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from cruxfinder.model.asks import Answer, Ask
from cruxfinder.model.record import Debate

EntryKind = Literal["event", "answer", "stop", "fork"]


class Debater(Protocol):
    """Somebody who answers asks. `paid` answers are committed before they are acted on and never asked twice.

    Asks of one debater are put one after the other. `record` is the debate as it stood when the ask was made;
    what a debater may see of it is its public part (`cruxfinder.debate.views`). Raise DebaterFault where no answer can
    be had: the debate goes on without it. Any other exception ends the run.
    """

    @property
    def paid(self) -> bool: ...

    async def answer(self, ask: Ask, record: Debate) -> Answer: ...


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
    state: Literal["open", "complete"]
    entries: int
    created: str
    updated: str
    parent: str = ""


class Store(Protocol):
    """Append-only logs of runs, texts by their SHA-256, and a flag that asks a run to stop."""

    def create(self, run: str, *, topic: str, pack: str, parent: str = "") -> None:
        """Raise StoreFault if the run exists."""
        ...

    def append(self, run: str, entries: Sequence[Entry]) -> Future[None]:
        """Add entries whose seq follow the last one stored; durable once the future is done.

        The future fails with StaleWriter if any seq is taken or leaves a gap, and then nothing of the call is written.
        Calls of one writer take effect in order.
        """
        ...

    def load(self, run: str, after: int = 0) -> tuple[Entry, ...]:
        """Entries with seq > after, in order. Raise NoSuchRun for an unknown run."""
        ...

    def row(self, run: str) -> RunRow: ...

    def rows(self) -> tuple[RunRow, ...]:
        """All runs, newest first."""
        ...

    def finish(self, run: str) -> None:
        """Mark the run complete."""
        ...

    def claim(self, run: str) -> AbstractContextManager[None]:
        """Hold the run for one writer; raise RunTaken if another holder has it. Freed when the holder dies."""
        ...

    def request_stop(self, run: str) -> None: ...

    def stop_requested(self, run: str) -> bool: ...

    def put_text(self, sha: str, text: str) -> None: ...

    def text(self, sha: str) -> str: ...

    def close(self) -> None: ...
