"""A server as it is run, on a free port of this machine, and a reader of its streams."""

import asyncio
import json
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx2

from cruxfinder.app.server_setup import Setup
from cruxfinder.crux.events import MessagePosted
from cruxfinder.crux.moves import Clarify
from cruxfinder.kernel import wire
from cruxfinder.kernel.journal import START, chain_hash
from cruxfinder.kernel.vocabulary import AgentId, MessageId, ThreadId
from cruxfinder.ports import Entry, Store
from cruxfinder.server.application import build
from cruxfinder.server.guard import GuardPolicy
from cruxfinder.server.serving_http import Server
from cruxfinder.server.sockets import open_listener

ROOT: Final = Path(__file__).parents[2]
WAIT_S: Final = 60.0  # for what comes at once, on a machine that does much else
SOON_S: Final = 10.0  # a fraction of a second where nothing else runs; what hangs would never end
SHORT: Final = {"pack": "bitcoin", "maxMessages": 12, "pace": "fast"}
ANSWERS: Final = frozenset({"first_position", "probe_answered", "relation_answered", "grading_tested"})


def message(number: int, size: int = 200) -> str:
    """The text of an event that somebody said something."""
    event = MessagePosted(
        at_ms=number * 1_000,
        id=MessageId(f"m{number}"),
        agent=AgentId("holder"),
        thread=ThreadId("t1"),
        move=Clarify(target=MessageId("m1"), asks=True),
        content=f"{number} at {time.time():.6f} ".ljust(size, "x"),
    )
    return wire.dumps(event)


def fabricated(store: Store, run: str, count: int, size: int = 200) -> str:
    """A run that nobody holds, with so many messages in it."""
    store.create(run, topic="A topic", pack="bitcoin")
    head, entries = START, list[Entry]()
    for number in range(1, count + 1):
        body = message(number, size) if number > 1 else '{"kind":"debate_started","format":1}'
        head = chain_hash(head, "event", body)
        entries.append(Entry(seq=number, kind="event", body=body, hash=head))
    store.append(run, entries).result(WAIT_S)
    return run


def entry_after(store: Store, run: str, size: int = 200) -> Entry:
    """One more message."""
    last = store.load(run, max(0, store.row(run).entries - 1))[-1]
    body = message(last.seq + 1, size)
    return Entry(seq=last.seq + 1, kind="event", body=body, hash=chain_hash(last.hash, "event", body))


@contextmanager
def hosted(setup: Setup, guard: GuardPolicy | None = None) -> Generator[str]:
    """The server in a thread; gives its address."""
    guard = guard or GuardPolicy()
    application = build(setup, guard)
    up = threading.Event()
    with open_listener("127.0.0.1", 0) as listener:
        server = Server(application, guard, lambda _: up.set())
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])), daemon=True)
        thread.start()
        try:
            assert up.wait(WAIT_S), "the server did not begin"
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(WAIT_S)
            assert not thread.is_alive(), "the server did not end"


@contextmanager
def process(store: Path, port: int = 0, *flags: str) -> Generator[tuple["subprocess.Popen[str]", str]]:
    """The server in a process of its own."""
    command = [sys.executable, "-m", "tests.server.serve", str(store), "--port", str(port), *flags]
    started = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert started.stdout is not None
        address = started.stdout.readline().strip().rstrip("/")
        assert address.startswith("http://"), "the server did not begin"
        yield started, address
    finally:
        started.kill()
        started.wait(WAIT_S)
        for pipe in (started.stdin, started.stdout):
            if pipe is not None:
                pipe.close()


@dataclass
class Frame:
    """One block of a stream: `id` is 0 where it has none."""

    id: int = 0
    event: str = ""
    data: dict[str, Any] = field(default_factory=dict[str, Any])
    comment: str = ""

    @property
    def kind(self) -> str:
        return self.data["event"]["kind"] if self.id else ""


def frames(lines: Iterable[str]) -> Iterator[Frame]:
    now, something = Frame(), False
    for line in lines:
        name, _, value = line.partition(": ")
        if not line:
            if something:
                yield now
            now, something = Frame(), False
        elif name == "id":
            now.id, something = int(value), True
        elif name == "event":
            now.event, something = value, True
        elif name == "data":
            now.data, something = json.loads(value), True
        elif not name:
            now.comment, something = value, True


@contextmanager
def stream(
    client: httpx2.Client, run: str, query: str = "", headers: dict[str, str] | None = None
) -> Generator[Iterator[Frame]]:
    with client.stream("GET", f"/api/debates/{run}/events{query}", headers=headers or {}) as response:
        assert response.status_code == 200, response.read()
        assert response.headers["content-type"].startswith("text/event-stream")
        yield frames(response.iter_lines())


def whole(client: httpx2.Client, run: str, query: str = "", headers: dict[str, str] | None = None) -> list[Frame]:
    """Everything a stream sends until it ends by itself."""
    with stream(client, run, query, headers) as found:
        return list(found)


def begun(client: httpx2.Client, **asked: Any) -> str:
    response = client.post("/api/debates", json={**SHORT, **asked})
    assert response.status_code == 201, response.text
    return response.json()["id"]


def ended(client: httpx2.Client, run: str) -> dict[str, Any]:
    """Wait until a run is over."""
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until:
        found = client.get(f"/api/debates/{run}").json()
        if found["state"] in ("complete", "failed"):
            return found
        time.sleep(0.05)
    raise AssertionError(f"run {run} is not over")


def waited(client: httpx2.Client, run: str) -> dict[str, Any]:
    """Wait until a person is waited for."""
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until:
        seats = client.get(f"/api/debates/{run}/seats").json()["seats"]
        if seats:
            return seats[0]
        time.sleep(0.02)
    raise AssertionError(f"run {run} waits for nobody")
