"""A deadline that hears what has arrived before it strikes.

A process that was stopped for a while, as by SIGSTOP, a frozen container or a paused virtual machine, finds its timers
due and the answers it waits for in its sockets, all at once. A plain timer wins that race: the answer is thrown away,
and asked and paid for again.
"""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from types import TracebackType
from typing import Final

LATE_S: Final = 0.5  # a timer that strikes so late was due while nobody ran
GRACE_S: Final = 5.0  # for what arrived meanwhile to be read
GRACES_MAX: Final = 3
TURNS: Final = 50  # of the loop: enough to read what is there, in no time


class Deadline:
    """As `asyncio.timeout`, in whose place it stands: at its end the task is cancelled, and TimeoutError is raised."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._timeout = asyncio.timeout(None)
        self._due_s = 0.0
        self._timer: asyncio.Handle | None = None
        self._graces = GRACES_MAX
        self._turns = TURNS

    @property
    def left_s(self) -> float:
        return self._due_s - asyncio.get_running_loop().time()

    async def __aenter__(self) -> "Deadline":
        await self._timeout.__aenter__()
        if self._seconds is not None:
            self._strike_in(self._seconds)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        self._hold()
        return await self._timeout.__aexit__(kind, raised, trace)

    @contextmanager
    def suspend(self) -> Generator[float]:
        """So much before its end, for as long as this lasts."""
        left_s = self.left_s
        self._hold()
        try:
            yield left_s
        finally:
            self._strike_in(left_s)

    def _strike_in(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._due_s = loop.time() + seconds
        self._timer = loop.call_at(self._due_s, self._look)

    def _hold(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        if self.left_s < -LATE_S and self._graces:
            self._graces -= 1
            self._strike_in(GRACE_S)
        else:
            self._turns = TURNS
            self._turn()

    def _turn(self) -> None:
        loop = asyncio.get_running_loop()
        if self._turns:
            self._turns -= 1
            self._timer = loop.call_soon(self._turn)
        else:
            self._timer = None
            self._timeout.reschedule(loop.time())
