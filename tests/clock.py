"""A clock for tests that wait: time passes only while everybody waits, so no load of the machine looks like a hang."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, Final, TypeVar

T = TypeVar("T")
GRACE_S: Final = 0.03  # of real time: what was sent on loopback may still be on its way
TICK_S: Final = 1e-6  # a turn of the loop: whoever waits for less than a clock can tell would wait for ever


class Waits(selectors.DefaultSelector):
    """Instead of sleeping until the next timer is due, it moves the clock there once nothing comes any more."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0
        self.threads = 0  # at work for the loop, and it waits for them

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now_s += TICK_S
        if not timeout or timeout < 0:
            return super().select(timeout)
        came = super().select(min(timeout, GRACE_S if self._talks else 0))
        if not came and not self.threads:
            self.now_s += timeout
        return came

    @property
    def _talks(self) -> bool:
        return len(self.get_map()) > 1  # beside the loop's own pipe, by which threads wake it


class StandingLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.waits = Waits()
        super().__init__(self.waits)

    def time(self) -> float:
        return self.waits.now_s

    def run_in_executor(self, executor: Executor | None, func: Callable[..., Any], *args: Any) -> "asyncio.Future[Any]":
        self.waits.threads += 1
        work = super().run_in_executor(executor, func, *args)
        work.add_done_callback(self._back)
        return work

    def _back(self, work: "asyncio.Future[Any]") -> None:
        self.waits.threads -= 1


def run(main: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run`, by that clock."""
    with asyncio.Runner(loop_factory=StandingLoop) as runner:
        return runner.run(main)
