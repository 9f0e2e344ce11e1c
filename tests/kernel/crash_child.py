"""The process that gets killed. It forks a child for each job, so that a hundred kills take seconds.

A job is a line of JSON: start or resume a run, its debaters behind a socket, and where to die. The answer is a line
with how the child ended. Nothing here has threads before it forks.
"""

import asyncio
import json
import os
import pickle
import signal
import struct
import sys
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import resumption, run_starts
from cruxfinder.errors import CruxfinderError
from cruxfinder.kernel.vocabulary import AgentId
from cruxfinder.ports import Entry
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk
from cruxfinder.protocols.any_run import AnyEvent

LENGTH = struct.Struct(">I")


@dataclass(frozen=True, kw_only=True)
class Job:
    """`die` says where: at an event, when an answer is on the disk, or when the one after that has arrived.

    `at` says at which one, from 1: of the run's events, of this process's answers.
    """

    do: str
    store: str
    socket: str
    agents: tuple[str, ...]
    pack: str = "bitcoin"
    run: str = "r1"
    die: str = "never"
    at: int = 0


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Fate:
    """Counts what happened so far and strikes where the job says."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._heard = 0
        self._kept = 0

    def event(self) -> None:
        self._heard += 1
        if self._job.die == "event" and self._heard == self._job.at:
            die()

    def kept(self) -> None:
        self._kept += 1
        if self._job.die == "kept" and self._kept == self._job.at:
            die()

    def arrived(self) -> None:
        """Some answers are safe before each death, or no answer ever would be."""
        if self._job.die == "arrived" and self._kept >= self._job.at:
            die()


class Remote:
    """A debater in another process, one call at a time."""

    is_paid = True

    def __init__(self, socket: str, fate: Fate) -> None:
        self._socket = socket
        self._fate = fate

    async def answer(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        reader, writer = await asyncio.open_unix_connection(self._socket)
        try:
            body = pickle.dumps((ask, record))
            writer.write(LENGTH.pack(len(body)) + body)
            await writer.drain()
            (length,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
            answer: AnyAnswer = pickle.loads(await reader.readexactly(length))
        finally:
            writer.close()
        self._fate.arrived()
        return answer


class Mortal(SqliteStore):
    """Dies as soon as so many answers are on the disk, before anybody has used the last one."""

    def __init__(self, path: Path, fate: Fate) -> None:
        super().__init__(path)
        self._fate = fate

    def append(self, run: str, entries: Sequence[Entry]) -> Future[None]:
        done = super().append(run, entries)
        answers = sum(entry.kind == "answer" for entry in entries)
        done.add_done_callback(lambda _: [self._fate.kept() for _ in range(answers)])
        return done


def run(job: Job) -> int:
    fate = Fate(job)
    store = Mortal(Path(job.store), fate)
    debaters = {AgentId(a): Remote(job.socket, fate) for a in job.agents}

    def listener(event: AnyEvent) -> None:
        fate.event()

    try:
        if job.do == "start":
            pack = pack_finder.find(job.pack)[0]
            call = run_starts.start(
                pack, store, agents=job.agents, seed=1, debaters=debaters, run=job.run, listener=listener
            )
        else:
            call = resumption.resume(job.run, store, debaters=debaters, listener=listener)
        asyncio.run(call)
    except CruxfinderError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        return 3
    finally:
        store.close()
    return 0


def main() -> None:
    for line in sys.stdin:
        fields = json.loads(line)
        job = Job(**{**fields, "agents": tuple(fields["agents"])})
        child = os.fork()
        if child == 0:
            os._exit(run(job))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
