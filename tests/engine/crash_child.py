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

from cruxfinder import app
from cruxfinder.errors import CruxfinderError
from cruxfinder.model.asks import Answer, Ask
from cruxfinder.model.events import Event
from cruxfinder.model.record import Debate
from cruxfinder.model.words import AgentId
from cruxfinder.packs import shelf
from cruxfinder.ports import Entry
from cruxfinder.store.sqlite import SqliteStore

LENGTH = struct.Struct(">I")


@dataclass(frozen=True, kw_only=True)
class Job:
    """`die` says where: at an event, when an answer arrives, or when an answer is on the disk; `at` counts from 1."""

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


class Countdown:
    def __init__(self, wanted: bool, at: int) -> None:
        self._left = at if wanted else 0

    def tick(self) -> None:
        self._left -= 1
        if self._left == 0:
            die()


class Remote:
    """A debater in another process, one call at a time."""

    paid = True

    def __init__(self, socket: str, arrived: Countdown) -> None:
        self._socket = socket
        self._arrived = arrived

    async def answer(self, ask: Ask, record: Debate) -> Answer:
        reader, writer = await asyncio.open_unix_connection(self._socket)
        try:
            body = pickle.dumps((ask, record))
            writer.write(LENGTH.pack(len(body)) + body)
            await writer.drain()
            (length,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
            answer: Answer = pickle.loads(await reader.readexactly(length))
        finally:
            writer.close()
        self._arrived.tick()
        return answer


class Mortal(SqliteStore):
    """Dies as soon as so many answers are on the disk, before anybody has used the last one."""

    def __init__(self, path: Path, kept: Countdown) -> None:
        super().__init__(path)
        self._kept = kept

    def append(self, run: str, entries: Sequence[Entry]) -> Future[None]:
        done = super().append(run, entries)
        answers = sum(entry.kind == "answer" for entry in entries)
        done.add_done_callback(lambda _: [self._kept.tick() for _ in range(answers)])
        return done


def run(job: Job) -> int:
    arrived, kept, heard = (Countdown(job.die == where, job.at) for where in ("arrived", "kept", "event"))
    store = Mortal(Path(job.store), kept)
    debaters = {AgentId(a): Remote(job.socket, arrived) for a in job.agents}

    def listener(event: Event) -> None:
        heard.tick()

    try:
        if job.do == "start":
            pack = shelf.find(job.pack)[0]
            call = app.start(
                pack, store, agents=job.agents, seed=1, debaters=debaters, run=job.run, listener=listener
            )
        else:
            call = app.resume(job.run, store, debaters=debaters, listener=listener)
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
