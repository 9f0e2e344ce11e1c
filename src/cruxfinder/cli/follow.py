"""Follows a run that another process writes, and plays a finished one again."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Final

from cruxfinder.app import stored_runs
from cruxfinder.errors import ReadOnlyStore, RunTaken, StoreFault
from cruxfinder.kernel.run_facts import DebateComplete
from cruxfinder.kernel.runner import Listener
from cruxfinder.ports import RunLogs
from cruxfinder.protocols.any_run import Finished
from cruxfinder.protocols.registry import read_event

IDLE_S: Final = 3.0  # of silence before asking whether anybody still writes
LAST: Final = '{"kind":"debate_complete"'


async def follow_log(run: str, logs: RunLogs) -> AsyncGenerator[str, None]:
    """The events of a log, those that are there and those that come, until the run is over.

    Raise StoreFault if the log has not grown for a while and nobody holds the run.
    """
    log = await asyncio.to_thread(stored_runs.load_log, run, logs)  # from its start once, so that its chain is checked
    for body in log.events:
        yield body
    if log.events and log.events[-1].startswith(LAST):
        return
    seen = len(log.entries)
    with logs.tail(run, seen) as groups:
        while True:
            try:
                async with asyncio.timeout(IDLE_S):
                    entries = await anext(groups)
            except TimeoutError:
                await asyncio.to_thread(check_written, run, logs, seen)
                continue
            seen = entries[-1].seq
            for entry in entries:
                if entry.kind == "event":
                    yield entry.body
                    if entry.body.startswith(LAST):
                        return


def check_written(run: str, logs: RunLogs, seen: int) -> None:
    """Raise StoreFault if the log goes no further and nobody holds the run."""
    try:
        with suppress(RunTaken), logs.claim(run):
            if logs.load(run, seen):
                return
            raise StoreFault(f"nobody is writing run {run}; go on with: crux resume {run}")
    except ReadOnlyStore:
        raise StoreFault(f"run {run} has stopped, or another user writes it: its store may only be read") from None


async def follow_run(run: str, logs: RunLogs, hear: Listener) -> Finished:
    async with aclosing(follow_log(run, logs)) as bodies:
        async for body in bodies:
            hear(read_event(body))
    return await asyncio.to_thread(stored_runs.load_run, run, logs)


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
