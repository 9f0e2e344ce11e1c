"""Hundreds who watch one run, cut off and back again; and a server that is killed in the middle of a debate."""

import asyncio
import json
import random
import signal
import statistics
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import httpx2
import pytest

from cruxfinder import app
from cruxfinder.engine.journal import hashed
from cruxfinder.ports import Entry
from cruxfinder.store.sqlite import SqliteStore
from tests.server.hosting import ANSWERS, WAIT_S, begun, ended, entry_after, fabricated, process, stream, whole

pytestmark = pytest.mark.slow

LISTENERS: Final = 500
KIB_MAX: Final = 60.0
LATENCY_MS_MAX: Final = 100.0
END: Final = '{"kind":"debate_complete","at_ms":1,"ending":"stopped","verdict":"undecided","why":""}'


def resident_kib(server: "subprocess.Popen[str]") -> int:
    lines = Path(f"/proc/{server.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@asynccontextmanager
async def listening(address: str, run: str, after: int = 0) -> AsyncIterator[asyncio.StreamReader]:
    """A listener that costs this process little: a socket, and lines."""
    host, port = address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    ask = f"GET /api/debates/{run}/events HTTP/1.1\r\nHost: {host}:{port}\r\nLast-Event-ID: {after}\r\n\r\n"
    writer.write(ask.encode())
    try:
        yield reader
    finally:
        writer.close()


def finish(store: SqliteStore, run: str) -> None:
    last = store.load(run)[-1]
    entry = Entry(seq=last.seq + 1, kind="event", body=END, hash=hashed(last.hash, "event", END))
    store.append(run, [entry]).result(WAIT_S)


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
    """How much one more listener takes, once a few have come and gone."""

    async def measured(count: int) -> int:
        hold, ready = asyncio.Event(), list[int]()
        task = asyncio.create_task(connected(address, run, count, upto, hold, ready))
        until = time.monotonic() + 60
        while len(ready) < count:
            assert time.monotonic() < until and not task.done()
            await asyncio.sleep(0.05)
        await asyncio.sleep(1.0)
        found = resident_kib(server)
        hold.set()
        await task
        return found

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


# ---- order and time


class Watcher:
    """Listens until the end, is cut off at random, and comes back with what it had last."""

    def __init__(self, address: str, run: str, seed: int) -> None:
        self.numbers: list[int] = []
        self.heard_s: dict[int, float] = {}
        self.cuts = 0
        self._place = address, run
        self._dice = random.Random(seed)

    async def watch(self, *, cut: bool) -> None:
        for _ in range(200):
            async with listening(*self._place, after=self.numbers[-1] if self.numbers else 0) as reader:
                if await self._listen(reader, self._dice.randint(1, 120) if cut else 10**9):
                    return
            self.cuts += 1
        raise AssertionError("it never came to the end")

    async def _listen(self, reader: asyncio.StreamReader, most: int) -> bool:
        while most:
            line = await reader.readline()
            if line.startswith(b"id: "):
                number = int(line[4:])
                self.heard_s.setdefault(number, time.time())
                self.numbers.append(number)
                most -= 1
            elif line.startswith((b"event: end", b"HTTP/1.1 204")):
                return True
            elif not line:
                return False
        return False


async def written(store: SqliteStore, run: str, count: int, pause_s: float) -> dict[int, float]:
    """Messages one by one, and when each was committed."""
    committed: dict[int, float] = {}
    for _ in range(count):
        entry = entry_after(store, run)
        await asyncio.wrap_future(store.append(run, [entry]))
        committed[entry.seq] = time.time()
        await asyncio.sleep(pause_s)
    return committed


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


@pytest.mark.parametrize("count", [1, 100])
def test_an_event_is_heard_soon_after_it_is_committed(tmp_path: Path, count: int) -> None:
    store = SqliteStore(tmp_path / "runs.db")
    run = fabricated(store, "watched", 10)

    async def scenario(address: str) -> list[float]:
        watchers = [Watcher(address, run, seed) for seed in range(count)]
        tasks = [asyncio.create_task(watcher.watch(cut=False)) for watcher in watchers]
        await asyncio.sleep(1.0)
        committed = await written(store, run, 100, pause_s=0.05)
        await asyncio.to_thread(finish, store, run)
        await asyncio.wait_for(asyncio.gather(*tasks), 60)
        return [w.heard_s[number] - at_s for w in watchers for number, at_s in committed.items()]

    with process(tmp_path / "runs.db") as (_, address):
        late_ms = sorted(1_000 * late for late in asyncio.run(scenario(address)))
    store.close()
    p95 = late_ms[int(0.95 * len(late_ms))]
    print(f"{count} listeners: median {statistics.median(late_ms):.1f} ms, p95 {p95:.1f} ms, most {late_ms[-1]:.1f} ms")
    assert p95 <= LATENCY_MS_MAX


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
    stored = app.stored(run, store).events
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
    assert time.monotonic() - began < 2.0
