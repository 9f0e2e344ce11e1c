"""Bodies that keep a server busy or full: a hundred thousand errors in one, or many that never end."""

import asyncio
import json
import time
import tracemalloc
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest
from fastapi import FastAPI
from starlette.types import ASGIApp, Message

from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.server_setup import Setup
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.mcp import mcp_server
from cruxfinder.mcp.serving_mcp import PATH, guarded_app
from cruxfinder.server import bodies
from cruxfinder.server.application import build
from cruxfinder.server.body_room import CALLER_MAX, FREE, ROOM_MAX, BodyRoom
from cruxfinder.server.guard import GuardPolicy
from tests import clock
from tests.mcp_server.callers import ACCEPT

LARGE: Final = 1_990_000
MIDDLING: Final = 250_000
JSON: Final = {"Content-Type": "application/json"}


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    gate = Gate(rules=rules_in_force(), memory=Memory(tmp_path / "memory"), disabled=False)
    return Setup(gate=gate, store=MemoryStore())


@asynccontextmanager
async def begun(setup: Setup) -> AsyncGenerator[tuple[FastAPI, httpx2.AsyncClient]]:
    """The server in this event loop, and a client in it, too."""
    application = build(setup, GuardPolicy())
    async with application.router.lifespan_context(application):
        there = httpx2.ASGITransport(app=application)
        async with httpx2.AsyncClient(transport=there, base_url="http://127.0.0.1") as client:
            yield application, client


# ---- errors without end


def filled(head: str, one: Callable[[int], str], tail: str, size: int = LARGE) -> bytes:
    """A body of nearly this size with as many parts as fit."""
    parts, length, number = list[str](), len(head) + len(tail), 0
    while length < size:
        parts.append(one(number))
        length += len(parts[-1]) + 1
        number += 1
    return f"{head}{','.join(parts[:-1])}{tail}".encode()


def named(value: str) -> Callable[[int], str]:
    return lambda number: f'"{number:x}":{value}'


BAD: Final[dict[str, tuple[str, bytes, int]]] = {
    "votes that are lists": ("votes", filled('{"votes":{"p":{', named("[]"), "}}}"), 422),
    "votes of nine": ("votes", filled('{"votes":{"p":{', named("9"), "}}}"), 422),
    "votes that are true": ("votes", filled('{"votes":{"p":{', named("true"), "}}}"), 422),
    "rows that are none": ("votes", filled('{"votes":{', named("1"), "}}"), 422),
    "questions without a name": ("votes", filled('{"votes":{', named('{"":1}'), "}}"), 422),
    "a list for a table": ("votes", filled('{"votes":[', lambda _: "1", "]}"), 422),
    "other keys than votes": ("votes", filled('{"csv":"agent,a","votes":{', named("{}"), "}}"), 422),
    "keys nobody knows": ("debates", filled("{", named("1"), "}", MIDDLING), 413),
    "roles that are none": ("debates", filled('{"pack":"bitcoin","roles":{', named("1"), "}}", MIDDLING), 413),
    "an answer of no kind": ("debates/r1/seats/a", filled('{"number":1,', named("[]"), "}", MIDDLING), 413),
    "changes that are none": ("debates/r1/fork", filled('{"at":1,"x":{},', named("{}"), "}", MIDDLING), 413),
    "a large body for a debate": ("debates", filled("{", named("1"), "}"), 413),
}


async def time_in_loop(client: httpx2.AsyncClient, path: str, body: bytes) -> tuple[float, httpx2.Response]:
    """How much time of the processor a request takes in the event loop's thread, whatever else the machine does."""
    since = time.thread_time()
    answer = await client.post(f"/api/{path}", content=body, headers=JSON)
    return time.thread_time() - since, answer


def time_to_parse(body: bytes) -> float:
    since = time.thread_time()
    json.loads(body)
    return time.thread_time() - since


@pytest.mark.parametrize(("path", "body", "status"), BAD.values(), ids=BAD.keys())
def test_a_body_full_of_errors_keeps_nobody_else_waiting(setup: Setup, path: str, body: bytes, status: int) -> None:
    """What is done in the event loop is done while nobody else is served: less than to parse the body once or twice."""

    async def scenario() -> None:
        async with begun(setup) as (_, client):
            await client.post("/api/votes", json={"csv": "agent,a\np,1\n"})  # what is loaded once is loaded
            took, answer = await time_in_loop(client, path, body)
            assert answer.status_code == status, answer.text[:300]
            assert len(answer.content) < 5_000
            assert took < 2 * time_to_parse(body) + 0.02

    asyncio.run(scenario())


def test_a_message_full_of_values_keeps_nobody_else_waiting(setup: Setup) -> None:
    body = filled('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{', named("1"), "}}")
    application = guarded_app(mcp_server.build(setup), GuardPolicy(private="/", open=frozenset()))

    async def scenario() -> None:
        there = httpx2.ASGITransport(app=application)
        async with httpx2.AsyncClient(transport=there, base_url="http://127.0.0.1") as client:
            since = time.thread_time()
            answer = await client.post(PATH, content=body, headers={**JSON, **ACCEPT})
            assert answer.status_code == 413 and time.thread_time() - since < time_to_parse(body) + 0.02

    asyncio.run(scenario())


def test_others_are_answered_while_a_large_table_is_looked_at(setup: Setup) -> None:
    rows = {f"p{person}": {f"q{n}": (n * person) % 3 - 1 for n in range(150)} for person in range(1_000)}
    body = json.dumps({"votes": rows}).encode()

    async def scenario() -> int:
        async with begun(setup) as (_, client):
            posting = asyncio.create_task(client.post("/api/votes", content=body, headers=JSON))
            meanwhile = 0
            while not posting.done():
                assert (await client.get("/api/health")).status_code == 200
                meanwhile += 1
                await asyncio.sleep(0)
            assert posting.result().status_code == 200
            return meanwhile

    assert asyncio.run(scenario()) > 20


@pytest.mark.parametrize(
    ("votes", "field"),
    [
        ({"p": {"a": 2}}, "body.votes.p.a"),
        ({"p": {"a": "x" * 41}}, "body.votes.p.a"),
        ({"p": {"a": 0.5}}, "body.votes.p.a"),
        ({"p": []}, "body.votes.p"),
        ({"p": {"x" * 401: 1}}, "body.votes.p"),
        ({"": {"a": 1}}, "body.votes"),
        ({}, "body.votes"),
        ("yes", "body.votes"),
    ],
)
def test_the_first_fault_of_a_table_is_told_with_its_place(setup: Setup, votes: object, field: str) -> None:
    async def scenario() -> dict[str, Any]:
        async with begun(setup) as (_, client):
            answer = await client.post("/api/votes", json={"votes": votes})
            assert answer.status_code == 422
            return answer.json()

    (fault,) = asyncio.run(scenario())["errors"]
    assert fault["field"] == field and fault["fault"]


# ---- bodies that never end


class Unfinished:
    """A request whose body stops before its end, and what is answered."""

    def __init__(self, path: str, data: bytes, caller: str = "10.0.0.1") -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.waiting = asyncio.Event()
        self._data = [data[start : start + 65_536] for start in range(0, len(data), 65_536)]
        self._scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "client": (caller, 50_000),
            "server": ("127.0.0.1", 8787),
            "headers": [
                (b"host", b"127.0.0.1"),
                (b"content-type", b"application/json"),
                (b"accept", ACCEPT["Accept"].encode()),
                (b"content-length", b"2000000"),
            ],
        }

    async def send_to(self, application: ASGIApp) -> None:
        await application(self._scope, self._receive, self._send)

    async def _receive(self) -> Message:
        await asyncio.sleep(0)
        if self._data:
            return {"type": "http.request", "body": self._data.pop(0), "more_body": True}
        self.waiting.set()
        await asyncio.Event().wait()
        raise AssertionError("nobody ends this body")

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}


COUNT: Final = 40
TABLE: Final = json.dumps({"csv": "agent,a\n" + "".join(f"p{n},1\n" for n in range(15_000))}).encode()
HALF: Final = b'{"csv":"' + b"x" * 1_900_000


@asynccontextmanager
async def held_up(application: ASGIApp, path: str, *callers: str) -> AsyncGenerator[list[Unfinished]]:
    """So many bodies under way that do not end."""
    found = [Unfinished(path, HALF, callers[n % len(callers)]) for n in range(COUNT)]
    tasks = [asyncio.create_task(one.send_to(application)) for one in found]
    try:
        await asyncio.gather(*(one.waiting.wait() for one in found))
        yield found
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Nobody is sent away because the machine is slow."""
    monkeypatch.setattr(bodies, "PATIENCE_S", 3_600.0)
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    ("callers", "most"), [(("10.0.0.1",), CALLER_MAX), (tuple(f"10.0.0.{n}" for n in range(COUNT)), ROOM_MAX)]
)
def test_bodies_that_never_end_take_so_much_memory_and_no_more(
    setup: Setup, callers: tuple[str, ...], most: int
) -> None:
    async def scenario() -> int:
        async with begun(setup) as (application, client):
            before, _ = tracemalloc.get_traced_memory()
            async with held_up(application, "/api/votes", *callers):
                taken = tracemalloc.get_traced_memory()[0] - before
                assert (await client.post("/api/votes", json={"csv": "agent,a\np,1\n"})).status_code == 200
                small = b'{"csv":"agent,a\\np,1\\n' + b" " * (FREE - 100) + b'"}'
                assert (await client.post("/api/votes", content=small, headers=JSON)).status_code != 503
            return taken

    assert asyncio.run(scenario()) < most + COUNT * FREE + 4_000_000 < COUNT * len(HALF)


@pytest.mark.usefixtures("patient")
def test_whoever_never_ends_their_bodies_leaves_room_to_others(setup: Setup) -> None:
    async def scenario() -> None:
        async with begun(setup) as (application, client), held_up(application, "/api/votes", "10.0.0.1"):
            assert (await client.post("/api/votes", content=TABLE, headers=JSON)).status_code == 200

    asyncio.run(scenario())


@pytest.mark.usefixtures("patient")
def test_a_large_body_that_finds_no_room_is_told_to_come_again(setup: Setup) -> None:
    async def scenario() -> None:
        async with begun(setup) as (application, client):
            application.state.bodies = bodies.BodyLimits(BodyRoom(most=len(TABLE)))
            unfinished = Unfinished("/api/votes", HALF[: 2 * FREE + len(TABLE) // 2])
            task = asyncio.create_task(unfinished.send_to(application))
            await unfinished.waiting.wait()
            refused = await client.post("/api/votes", content=TABLE, headers=JSON)
            assert refused.status_code == 503 and refused.headers["retry-after"]
            assert refused.headers["connection"] == "close"
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            assert (await client.post("/api/votes", content=TABLE, headers=JSON)).status_code == 200

    asyncio.run(scenario())


@pytest.mark.parametrize("kind", ["the page's server", "MCP"])
@pytest.mark.parametrize("size", [0, 1_000, 1_900_000])
def test_a_body_that_never_ends_is_given_up(setup: Setup, kind: str, size: int) -> None:
    """By the clock of the event loop, which runs ahead while everybody waits."""
    mcp = guarded_app(mcp_server.build(setup), GuardPolicy(private="/", open=frozenset()))
    application, path = (mcp, PATH) if kind == "MCP" else (build(setup, GuardPolicy()), "/api/votes")

    async def scenario() -> float:
        unfinished = Unfinished(path, HALF[:size])
        since = asyncio.get_running_loop().time()
        async with asyncio.timeout(10 * bodies.PATIENCE_S):
            await unfinished.send_to(application)
        assert unfinished.status == 408 and unfinished.headers["connection"] == "close"
        return asyncio.get_running_loop().time() - since

    assert clock.run(scenario()) < 2 * bodies.PATIENCE_S


@pytest.mark.usefixtures("patient")
def test_messages_that_never_end_take_so_much_memory_and_no_more(setup: Setup) -> None:
    application = guarded_app(mcp_server.build(setup), GuardPolicy(private="/", open=frozenset()))

    async def scenario() -> int:
        before, _ = tracemalloc.get_traced_memory()
        async with held_up(application, PATH, "10.0.0.1"):
            return tracemalloc.get_traced_memory()[0] - before

    assert asyncio.run(scenario()) < CALLER_MAX + COUNT * FREE + 4_000_000


def test_room_is_counted_and_given_back() -> None:
    room = BodyRoom(most=3 * FREE, caller_most=2 * FREE)
    with room.place("a") as one, room.place("a") as two, room.place("b") as three:
        assert one.take(FREE) and room.total_bytes == 0, "a little is free"
        assert one.take(FREE) and two.take(2 * FREE) and room.total_bytes == 2 * FREE
        assert not one.take(1), "one caller has its share"
        assert three.take(2 * FREE) and not three.take(1)
        one.leave()
        assert three.take(FREE)
    assert room.total_bytes == 0
