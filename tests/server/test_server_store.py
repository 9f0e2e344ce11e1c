"""How a server uses its store: nothing is read for nothing, and its event loop never waits for a disk."""

import asyncio
import threading
import time
from collections.abc import Generator
from itertools import islice
from pathlib import Path
from typing import Any

import httpx2
import pytest

from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.server_setup import Setup
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.server import feed
from tests.server.conftest import standing
from tests.server.hosting import WAIT_S, begun, ended, entry_after, fabricated, hosted, stream, waited, whole
from tests.sqlite_calls import SqliteCalls

FIRST = {"kind": "first", "p_top": 0.7, "side": "YES", "reason": "it has held for years"}
LOOKS = {
    "PRAGMA data_version"
}  # whether another process has written: for a stop or a reply, which may come from anywhere


@pytest.fixture
def noted(tmp_path: Path, sqlite_calls: SqliteCalls) -> Generator[Setup]:
    """A server's parts, on a store whose calls are noted."""
    yield from standing(tmp_path)


def test_a_hosted_debate_that_waits_for_a_person_is_not_read(
    noted: Setup, sqlite_calls: SqliteCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "BEAT_S", 0.3)
    with hosted(noted) as address, httpx2.Client(base_url=address, timeout=WAIT_S) as client:
        run = begun(client, people=["holder"])
        waited(client, run)
        with stream(client, run) as one, stream(client, run) as two:
            for found in (one, two):
                while next(found).comment != "keep-alive":  # all there was has been sent
                    pass
            before = len(sqlite_calls.made)
            assert [frame.comment for frame in islice(one, 4)] == ["keep-alive"] * 4
            silent = {statement for _, statement in sqlite_calls.made[before:]}
            assert silent <= LOOKS


def test_each_commit_wakes_the_run_once_for_all_who_listen(noted: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[tuple[int, ...]] = []
    add = feed.Feed._add  # pyright: ignore[reportPrivateUsage]

    async def count(self: feed.Feed, entries: Any) -> None:
        woken.append(tuple(entry.seq for entry in entries))
        await add(self, entries)

    monkeypatch.setattr(feed.Feed, "_add", count)
    store = noted.store
    run = fabricated(store, "watched", 3)
    with (
        hosted(noted) as address,
        httpx2.Client(base_url=address, timeout=WAIT_S) as client,
        store.claim(run),
        stream(client, run) as one,
        stream(client, run) as two,
    ):
        assert [[frame.id for frame in islice(found, 4)] for found in (one, two)] == [[0, 1, 2, 3]] * 2
        for seq in range(4, 9):
            store.append(run, [entry_after(store, run)]).result(WAIT_S)
            assert next(one).id == next(two).id == seq
    assert woken == [(1, 2, 3), (4,), (5,), (6,), (7,), (8,)]


def test_the_event_loop_of_a_server_never_waits_for_a_disk(noted: Setup, sqlite_calls: SqliteCalls) -> None:
    loops = set[int]()
    run_loop = asyncio.BaseEventLoop.run_forever

    def run_noted(self: asyncio.BaseEventLoop) -> None:
        loops.add(threading.get_ident())
        run_loop(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio.BaseEventLoop, "run_forever", run_noted)
        with hosted(noted) as address, httpx2.Client(base_url=address, timeout=WAIT_S) as client:
            use_everything(client)
    assert loops, "the server ran in a loop"
    assert len(sqlite_calls.made) > 100, "and the store was used"
    assert {call for loop in loops for call in sqlite_calls.by_thread(loop)} == set()


def test_a_server_may_keep_its_runs_in_memory(tmp_path: Path) -> None:
    gate = Gate(rules=rules_in_force(), memory=Memory(tmp_path / "memory"), disabled=False)
    setup = Setup(gate=gate, store=MemoryStore())
    with hosted(setup) as address, httpx2.Client(base_url=address, timeout=WAIT_S) as client:
        use_everything(client)


def use_everything(client: httpx2.Client) -> None:
    """Debates are begun, watched, listed, read, exported, answered at a seat, forked, stopped and resumed."""
    over = begun(client)
    assert whole(client, over)[-1].event == "end"
    assert ended(client, over)["state"] == "complete"
    assert client.get("/api/debates").json()["debates"][0]["id"] == over
    exports = [f"/export/{found['name']}" for found in client.get("/api/formats").json()["formats"]]
    for path in ("", "/result", *exports, "/report", "/seats"):
        assert client.get(f"/api/debates/{over}{path}").status_code == 200, path
    forked = client.post(f"/api/debates/{over}/fork", json={"at": 20, "changes": ["max-messages=8"]})
    assert forked.status_code == 201
    assert ended(client, forked.json()["id"])["state"] == "complete"
    assert client.post(f"/api/debates/{over}/stop", json={}).status_code == 409
    assert client.post(f"/api/debates/{over}/resume", json={}).status_code == 409
    assert client.post(f"/api/debates/{over}/answer", json={"turn": "n1", "text": "six"}).status_code == 409
    assert client.get("/api/debates/nobody-1").status_code == 404
    assert client.get("/api/debates/nobody-1/events").status_code == 404
    assert client.get("/api/debates/nobody-1/seats").status_code == 404
    seated = begun(client, people=["holder"], maxMessages=20)
    with stream(client, seated) as found:
        assert next(found).event == "status"
        given = {"number": waited(client, seated)["ask"].get("number", 0), "answer": FIRST}
        assert client.post(f"/api/debates/{seated}/seats/holder", json=given).status_code == 202
        assert client.post(f"/api/debates/{seated}/stop", json={}).status_code == 202
        assert list(found)[-1].event == "end"
    assert ended(client, seated)["state"] == "complete"
    until = time.monotonic() + WAIT_S
    while any(row["state"] != "complete" for row in client.get("/api/debates").json()["debates"]):
        assert time.monotonic() < until
