"""Hundreds who watch one run, cut off and back again; and a server that is killed in the middle of a debate."""

import asyncio
import json
import signal
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import httpx2
import pytest

from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import stored_runs
from tests.server.hosting import ANSWERS, SOON_S, WAIT_S, begun, ended, fabricated, process, stream, whole
from tests.server.listeners import Watcher, finish, listening, written

pytestmark = pytest.mark.slow

LISTENERS: Final = 500
KIB_MAX: Final = 60.0


def resident_kib(server: "subprocess.Popen[str]") -> int:
    lines = Path(f"/proc/{server.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


async def heard(reader: asyncio.StreamReader, upto: int) -> None:
    while (line := await reader.readline()) != f"id: {upto}\n".encode():
        assert line, "the stream ended"


# ---- memory


async def connected(address: str, run: str, count: int, upto: int, hold: asyncio.Event, ready: list[int]) -> None:
    async def one() -> None:
        async with listening(address, run) as reader:
            if upto:
                await heard(reader, upto)
            else:
                await reader.readexactly(100)
            ready.append(1)
            await hold.wait()

    await asyncio.gather(*(one() for _ in range(count)))


async def growth_kib(server: "subprocess.Popen[str]", address: str, run: str, upto: int) -> float:
    """How much one more listener takes, once a few have come and gone.

    One stays all the time: the run is held once for all, and read again, in another thread, it may lie twice in memory.
    """

    @asynccontextmanager
    async def listen(count: int) -> AsyncIterator[None]:
        hold, ready = asyncio.Event(), list[int]()
        task = asyncio.create_task(connected(address, run, count, upto, hold, ready))
        until = time.monotonic() + 60
        while len(ready) < count:
            assert time.monotonic() < until and not task.done()
            await asyncio.sleep(0.05)
        yield
        hold.set()
        await task

    async def measured(count: int) -> int:
        async with listen(count):
            await asyncio.sleep(1.0)
            return resident_kib(server)

    async with listen(1):
        before = await measured(20)
        after = await measured(LISTENERS)
    return (after - before) / (LISTENERS - 20)


@pytest.mark.parametrize("slow", [False, True], ids=["who read", "who do not read"])
def test_a_listener_takes_little_memory(tmp_path: Path, slow: bool) -> None:
    store = SqliteStore(tmp_path / "runs.db")
    count = 400
    run = fabricated(store, "watched", count, size=20_000 if slow else 600)
    with process(tmp_path / "runs.db") as (server, address):
        found = asyncio.run(growth_kib(server, address, run, 0 if slow else count))
    store.close()
    print(f"{found:.1f} KiB a listener")
    assert found <= KIB_MAX


# ---- order


@pytest.mark.rule("API-3")
def test_500_listeners_hear_every_event_once_and_in_order(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "runs.db")
    run = fabricated(store, "watched", 200)

    async def scenario(address: str) -> list[Watcher]:
        watchers = [Watcher(address, run, seed) for seed in range(LISTENERS)]
        tasks = [asyncio.create_task(watcher.watch(cut=True)) for watcher in watchers]
        await written(store, run, 200, pause_s=0.02)
        await asyncio.to_thread(finish, store, run)
        await asyncio.wait_for(asyncio.gather(*tasks), 120)
        return watchers

    with process(tmp_path / "runs.db") as (_, address):
        watchers = asyncio.run(scenario(address))
    store.close()
    assert sum(watcher.cuts for watcher in watchers) > LISTENERS
    for watcher in watchers:
        assert watcher.numbers == list(range(1, 402))


# ---- death


def test_a_killed_server_comes_back_and_the_debate_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    with process(path) as (server, address), httpx2.Client(base_url=address, timeout=WAIT_S) as client:
        run = begun(client, pace="watch", maxMessages=14)
        seen: list[int] = []
        with stream(client, run) as found:
            while len(seen) < 20:
                frame = next(found)
                seen += [frame.id] if frame.id else []
            server.send_signal(signal.SIGKILL)
            server.wait(WAIT_S)
        port = int(address.rpartition(":")[2])
    with process(path, port) as (_, address), httpx2.Client(base_url=address, timeout=WAIT_S) as client:
        assert client.get(f"/api/debates/{run}").json()["state"] == "running", "it goes on by itself"
        rest = whole(client, run, headers={"Last-Event-ID": str(seen[-1])})
        assert ended(client, run)["state"] == "complete"
        every = whole(client, run)
    public = [frame.id for frame in every if frame.id and frame.kind not in ANSWERS]
    later = [frame.id for frame in rest if frame.id and frame.kind not in ANSWERS]
    assert [*seen, *later] == public
    store = SqliteStore(path)
    stored = stored_runs.load_log(run, store).events
    store.close()
    assert [frame.data["event"] for frame in every if frame.id] == [json.loads(body) for body in stored]


def test_a_server_that_is_told_to_end_does_so_soon(tmp_path: Path) -> None:
    with process(tmp_path / "runs.db") as (server, address), httpx2.Client(base_url=address, timeout=WAIT_S) as client:
        run = begun(client, pace="live")
        with stream(client, run) as found:
            next(found)
            began = time.monotonic()
            server.send_signal(signal.SIGTERM)
            assert server.wait(WAIT_S) == 0
    assert time.monotonic() - began < SOON_S
