"""Listeners that cost little: a socket and lines each, so that hundreds fit beside the server they listen to."""

import asyncio
import random
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.kernel.journal import chain_hash
from cruxfinder.ports import Entry
from tests.server.hosting import WAIT_S, entry_after, fabricated, process

END: Final = '{"kind":"debate_complete","at_ms":1,"ending":"stopped","verdict":"undecided","why":""}'


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
    entry = Entry(seq=last.seq + 1, kind="event", body=END, hash=chain_hash(last.hash, "event", END))
    store.append(run, [entry]).result(WAIT_S)


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


def lateness_ms(store_path: Path, count: int) -> list[float]:
    """How long after its commit by the server each of a hundred events is heard, by each of so many listeners."""
    store = SqliteStore(store_path)
    run = fabricated(store, f"watched-{count}", 10)

    def append(server: "subprocess.Popen[str]") -> tuple[int, float]:
        assert server.stdin is not None and server.stdout is not None
        print(run, file=server.stdin, flush=True)
        number, at_s = server.stdout.readline().split()
        return int(number), float(at_s)

    async def scenario(server: "subprocess.Popen[str]", address: str) -> list[float]:
        watchers = [Watcher(address, run, seed) for seed in range(count)]
        tasks = [asyncio.create_task(watcher.watch(cut=False)) for watcher in watchers]
        await asyncio.sleep(1.0)  # they have heard what was there
        committed: dict[int, float] = {}
        for _ in range(100):
            number, committed_s = await asyncio.to_thread(append, server)
            committed[number] = committed_s
            await asyncio.sleep(0.05)
        await asyncio.to_thread(finish, store, run)
        await asyncio.wait_for(asyncio.gather(*tasks), WAIT_S)
        return [1_000 * (w.heard_s[number] - at_s) for w in watchers for number, at_s in committed.items()]

    try:
        with process(store_path, 0, "--writes") as (server, address):
            return asyncio.run(scenario(server, address))
    finally:
        store.close()
