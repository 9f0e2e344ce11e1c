"""Follows a run that another process writes, and plays a finished one again."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from cruxfinder.app import stored_runs
from cruxfinder.errors import ReadOnlyStore, RunTaken, StoreFault
from cruxfinder.kernel.run_facts import DebateComplete
from cruxfinder.kernel.runner import Listener
from cruxfinder.ports import Store
from cruxfinder.protocols.any_run import Finished
from cruxfinder.protocols.registry import read_event

LOOK_S: Final = 0.2
IDLE_S: Final = 3.0  # of silence before asking whether anybody still writes


class LogTail:
    """The events of a log as they are added."""

    def __init__(self, run: str, store: Store) -> None:
        self._run = run
        self._store = store
        self._seen = 0
        self._heard_s = time.monotonic()
        self.complete = False

    def bodies(self) -> Iterator[str]:
        """What was added since the last look. The log is read from its start once, so that its chain is checked."""
        if self._seen == 0:
            stored_runs.load_log(self._run, self._store)
        for entry in self._store.load(self._run, self._seen):
            self._seen = entry.seq
            self._heard_s = time.monotonic()
            if entry.kind == "event":
                yield entry.body
                self.complete = self.complete or entry.body.startswith('{"kind":"debate_complete"')

    def check_written(self) -> None:
        """Raise StoreFault if the log has not grown for a while and nobody holds the run."""
        if time.monotonic() - self._heard_s < IDLE_S:
            return
        self._heard_s = time.monotonic()
        try:
            with suppress(RunTaken), self._store.claim(self._run):
                if self._store.load(self._run, self._seen):
                    return
                raise StoreFault(f"nobody is writing run {self._run}; go on with: crux resume {self._run}")
        except ReadOnlyStore:
            raise StoreFault(
                f"run {self._run} has stopped, or another user writes it: its store may only be read"
            ) from None


async def follow_run(run: str, store: Store, hear: Listener) -> Finished:
    tail = LogTail(run, store)
    while True:
        for body in tail.bodies():
            hear(read_event(body))
        if tail.complete:
            return stored_runs.load_run(run, store)
        tail.check_written()
        await asyncio.sleep(LOOK_S)


async def play_events(finished: Finished, hear: Listener, pace: float) -> Finished:
    """The events of a finished run at a pace."""
    now_ms = 0
    for event in finished.events:
        if pace and event.at_ms > now_ms:
            await asyncio.sleep(pace * (event.at_ms - now_ms) / 1000)
        now_ms = event.at_ms
        hear(event)
    assert isinstance(finished.events[-1], DebateComplete)
    return finished
