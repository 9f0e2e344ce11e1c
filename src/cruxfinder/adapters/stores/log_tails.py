"""Hands what is appended to a run to all who follow it, and looks in the store only for what somebody else appends.

One object a store. Its writer tells it from whatever thread it runs in; each tail waits in the event loop it began in.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Final

from cruxfinder.ports import Entry

LOOK_S: Final = 0.25  # between two looks for what another store or process appends
PENDING_MAX: Final = 1024  # entries handed over that may wait for a reader; one that is further behind looks them up

Look = Callable[[str, int], Awaitable[tuple[Entry, ...]]]


class LogTails:
    def __init__(self, look: Look) -> None:
        self._look = look
        self._turn = Lock()
        self._tails: defaultdict[str, set[LogTail]] = defaultdict(set)
        self._claimed: set[str] = set()

    @contextmanager
    def follow(self, run: str, after: int) -> Generator["LogTail"]:
        tail = LogTail(self, self._look, run, after)
        with self._turn:
            self._tails[run].add(tail)
        try:
            yield tail
        finally:
            with self._turn:
                self._tails[run].discard(tail)
                if not self._tails[run]:
                    del self._tails[run]

    def tell(self, run: str, entries: Sequence[Entry]) -> None:
        """Hand over what was appended and is committed; once for a group of commits, in their order."""
        for tail in self._following(run):
            tail.push(entries)

    @contextmanager
    def claim(self, run: str) -> Generator[None]:
        """While it lasts nobody else appends, so that nobody has to look. What came before and after is looked up."""
        self._set_claimed(run, claimed=True)
        try:
            yield
        finally:
            self._set_claimed(run, claimed=False)

    def is_claimed(self, run: str) -> bool:
        return run in self._claimed

    def _set_claimed(self, run: str, *, claimed: bool) -> None:
        with self._turn:
            (self._claimed.add if claimed else self._claimed.discard)(run)
        for tail in self._following(run):
            tail.look_again()

    def _following(self, run: str) -> tuple["LogTail", ...]:
        if run not in self._tails:  # the usual case, and cheap: a reader that begins now looks for itself first
            return ()
        with self._turn:
            return tuple(self._tails.get(run, ()))


class LogTail:
    """An iterator over groups of entries. `__anext__` may be cancelled and called again: nothing is lost."""

    def __init__(self, tails: LogTails, look: Look, run: str, after: int) -> None:
        assert after >= 0
        self._tails = tails
        self._look = look
        self._run = run
        self._after = after
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()
        self._turn = Lock()
        self._pending: list[Entry] = []
        self._must_look = True
        self._woken.set()

    def __aiter__(self) -> "LogTail":
        return self

    async def __anext__(self) -> tuple[Entry, ...]:
        while True:
            if self._woken.is_set():
                self._woken.clear()
                if entries := await self._take():
                    return entries
                continue  # it may have been woken meanwhile
            try:
                async with asyncio.timeout(None if self._tails.is_claimed(self._run) else LOOK_S):
                    await self._woken.wait()
            except TimeoutError:
                self.look_again()
                self._woken.set()

    def push(self, entries: Sequence[Entry]) -> None:
        """From any thread."""
        with self._turn:
            if len(self._pending) + len(entries) > PENDING_MAX:
                self._pending.clear()
                self._must_look = True
            else:
                self._pending.extend(entries)
        self._wake()

    def look_again(self) -> None:
        """From any thread."""
        with self._turn:
            self._must_look = True
        self._wake()

    def _wake(self) -> None:
        with suppress(RuntimeError):  # its loop is over, and so is whoever waited in it
            self._loop.call_soon_threadsafe(self._woken.set)

    async def _take(self) -> tuple[Entry, ...]:
        """What goes on where this reader is: handed over if possible, looked up where a part of it is not there."""
        with self._turn:
            found = tuple(entry for entry in self._pending if entry.seq > self._after)
            self._pending.clear()
            has_gap = bool(found) and found[0].seq != self._after + 1
            must_look, self._must_look = self._must_look or has_gap, False
        if must_look:
            try:
                found = await self._look(self._run, self._after)  # what was handed over so far is stored, too
            except BaseException:
                with self._turn:
                    self._must_look = True
                self._woken.set()
                raise
        if found:
            self._after = found[-1].seq
        return found
