"""Logs that lost their end, runs killed before they began: told as what they are, everywhere."""

import asyncio
import hashlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from threading import Thread

import httpx2
import pytest
from mcp import Client
from mcp_types import TextResourceContents

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import run_starts
from cruxfinder.app.server_setup import Setup
from cruxfinder.errors import BrokenChain, CutLog
from cruxfinder.kernel.journal import chain_hash
from cruxfinder.mcp.mcp_server import build
from cruxfinder.ports import Entry
from tests.attack.crux_command import ROOT, run_here
from tests.server.conftest import standing
from tests.server.hosting import hosted


@pytest.fixture(scope="module")
def whole() -> tuple[Entry, ...]:
    """The log of a debate that is over."""
    store = MemoryStore()
    asyncio.run(run_starts.start(pack_finder.find("bitcoin")[0], store, seed=1, run="r1"))
    return store.load("r1")


@pytest.fixture
def setup(tmp_path: Path) -> Generator[Setup]:
    yield from standing(tmp_path)


def write_run(path: Path, entries: tuple[Entry, ...], *, over: bool = True) -> None:
    made = MemoryStore()
    asyncio.run(run_starts.start(pack_finder.find("bitcoin")[0], made, seed=1, run="r1"))
    sha = json.loads(entries[0].body)["pack_sha"]
    with closing(SqliteStore(path)) as store:
        store.put_text(sha, made.text(sha))
        store.create("r1", topic="Bitcoin", pack="bitcoin")
        store.append("r1", entries).result()
        if over:
            store.finish("r1")


def do_sql(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def cut_off(path: Path, count: int) -> None:
    """Damage that takes the last entries of the run and leaves everything else in order."""
    do_sql(path, f"DELETE FROM entries WHERE seq > (SELECT max(seq) FROM entries) - {count}")


COMMANDS = [
    ("show", "r1"),
    ("show", "r1", "--json"),
    ("events", "r1"),
    ("events", "r1", "--jsonl"),
    ("replay", "r1"),
    ("resume", "r1"),
    ("report", "r1"),
    ("export", "r1", "--format", "md"),
    ("diff", "r1", "r1"),
    ("fork", "r1", "--at", "3", "--set", "persona.holder.openness=1"),
    ("watch", "r1"),
]


@pytest.mark.parametrize("over", [True, False], ids=["a finished run", "a run under way"])
@pytest.mark.parametrize("lost", [1, 7, None], ids=["its last entry", "its last seven", "all of it"])
def test_a_log_that_lost_its_end_is_told_as_cut(
    tmp_path: Path, whole: tuple[Entry, ...], over: bool, lost: int | None
) -> None:
    path = tmp_path / "runs.db"
    entries = whole if over else whole[:40]
    write_run(path, entries, over=over)
    cut_off(path, lost or len(entries))
    there = len(entries) - (lost or len(entries))
    for args in COMMANDS:
        told = run_here(path, *args)
        assert told.out == ""
        assert f"the log of run r1 is cut: {there} of {len(entries)} entries are there" in told.sentence, args
    listed = run_here(path, "list").out
    assert f"{there} of {len(entries)}" in listed and "cut" in listed and "complete" not in listed
    (row,) = json.loads(run_here(path, "list", "--json").out)
    assert (row["state"], row["entries"], row["written"]) == ("cut", there, len(entries))
    assert json.loads(run_here(path, "ledger", "--json").out)["falsifiers"] == []


def test_nothing_is_written_behind_a_cut(tmp_path: Path, whole: tuple[Entry, ...]) -> None:
    path = tmp_path / "runs.db"
    write_run(path, whole[:40], over=False)
    cut_off(path, 5)
    before = path.read_bytes()
    with closing(SqliteStore(path)) as store:
        with pytest.raises(CutLog, match="35 of 40"):
            store.append("r1", whole[35:36]).result()
        with pytest.raises(CutLog, match="35 of 40"):
            store.load("r1", after=20)
        assert store.load("r1", after=40) == ()
    assert path.read_bytes() == before


def test_an_end_that_was_exchanged_is_told(tmp_path: Path, whole: tuple[Entry, ...]) -> None:
    """Whoever writes another last entry can give it a hash that follows; the row knows which one it was."""
    path = tmp_path / "runs.db"
    write_run(path, whole)
    body = whole[-1].body.replace("{", '{"x":1,', 1)
    sha = chain_hash(whole[len(whole) - 2].hash, whole[-1].kind, body)
    with closing(SqliteStore(tmp_path / "other.db")) as store:
        store.create("r1", topic="", pack="")
        store.append("r1", [*whole[:-1], Entry(seq=len(whole), kind=whole[-1].kind, body=body, hash=sha)]).result()
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        last = other.execute("SELECT hash, body FROM entries ORDER BY seq DESC LIMIT 1").fetchone()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE entries SET hash = ?, body = ? WHERE seq = ?", (*last, len(whole)))
    with closing(SqliteStore(path)) as store, pytest.raises(BrokenChain, match=f"entry {len(whole)} of the log"):
        store.load("r1")


def test_a_store_that_never_counted_opens_and_counts_from_then_on(tmp_path: Path, whole: tuple[Entry, ...]) -> None:
    path = tmp_path / "runs.db"
    write_run(path, whole[:-1], over=False)
    do_sql(path, "ALTER TABLE runs DROP COLUMN head", "ALTER TABLE runs DROP COLUMN length")
    with closing(SqliteStore(path)) as store:
        assert (store.row("r1").state, store.row("r1").entries) == ("open", len(whole) - 1)
        assert store.load("r1") == whole[:-1] and [row.id for row in store.rows()] == ["r1"]
    assert run_here(path, "show", "r1").code == 0
    assert run_here(path, "resume", "r1").code == 0
    assert run_here(path, "replay", "r1").code == 0
    with closing(SqliteStore(path)) as store:
        assert store.row("r1").written == len(store.load("r1")) >= len(whole)
    cut_off(path, 1)
    assert "entries are there" in run_here(path, "show", "r1").sentence


def test_a_finished_run_of_an_older_store_gets_its_count_when_it_is_finished_again(
    tmp_path: Path, whole: tuple[Entry, ...]
) -> None:
    path = tmp_path / "runs.db"
    write_run(path, whole)
    do_sql(path, "UPDATE runs SET head = NULL, length = NULL")
    with closing(SqliteStore(path)) as store:
        assert store.row("r1").state == "complete"
        store.finish("r1")
        assert (store.row("r1").state, store.load("r1")) == ("complete", whole)
    cut_off(path, 1)
    with closing(SqliteStore(path)) as store, pytest.raises(CutLog):
        store.load("r1")


def test_a_log_that_grows_while_it_is_read_is_never_called_cut(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    count = 100
    with closing(SqliteStore(path)) as writer, closing(SqliteStore(path)) as reader:
        writer.create("d1", topic="", pack="")

        def write() -> None:
            for seq in range(1, count + 1):
                body = f"{seq}"
                entry = Entry(seq=seq, kind="event", body=body, hash=hashlib.sha256(body.encode()).hexdigest())
                writer.append("d1", [entry]).result()

        writing = Thread(target=write)
        writing.start()
        seen = 0
        while seen < count and (writing.is_alive() or seen < len(reader.load("d1"))):
            seen = len(reader.load("d1"))
            assert reader.row("d1").state == "open"
            reader.load("d1", after=seen // 2)
        writing.join()
        assert len(reader.load("d1")) == count


def test_over_http_and_mcp_a_cut_run_is_cut(tmp_path: Path, setup: Setup, whole: tuple[Entry, ...]) -> None:
    path = tmp_path / "runs.db"
    write_run(path, whole)
    cut_off(path, 3)
    with hosted(setup) as address, httpx2.Client(base_url=address, timeout=30) as client:
        (row,) = client.get("/api/debates").json()["debates"]
        assert row["state"] == "cut"
        for told in (client.get("/api/debates/r1"), client.get("/api/debates/r1/result")):
            assert told.status_code == 503, "the server's own log says which, and why"
        assert client.post("/api/debates/r1/resume", json={}).status_code >= 400

    async def read() -> str:
        async with Client(build(setup)) as client:
            content = (await client.read_resource("crux://runs")).contents[0]
            assert isinstance(content, TextResourceContents)
            return content.text

    assert json.loads(asyncio.run(read()))[0]["state"] == "cut"


# ---- killed before the first entry

KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from cruxfinder.app import run_starts
from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.sqlite_store import SqliteStore

class Doomed(SqliteStore):
    def append(self, run, entries):
        os.kill(os.getpid(), signal.SIGKILL)

store = Doomed(Path(sys.argv[1]))
asyncio.run(run_starts.start(pack_finder.find("bitcoin")[0], store, seed=1, run="r1"))
"""


def test_a_run_killed_before_its_first_entry_is_not_listed(tmp_path: Path, setup: Setup) -> None:
    path = tmp_path / "runs.db"
    child = subprocess.run([sys.executable, "-c", KILLED, str(path)], cwd=ROOT, timeout=60, check=False)
    assert child.returncode == -signal.SIGKILL
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT id, state FROM runs").fetchall() == [("r1", "open")]
    assert json.loads(run_here(path, "list", "--json").out) == []
    assert "There are no runs yet" in run_here(path, "list").out
    assert "has no events yet" in run_here(path, "show", "r1").sentence
    assert "never began" in run_here(path, "resume", "r1").sentence
    assert setup.store.rows() == ()
    with hosted(setup) as address, httpx2.Client(base_url=address, timeout=30) as client:
        assert client.get("/api/debates").json()["debates"] == []
    assert os.listdir(tmp_path / "runs.db.locks") == ["r1.lock"]
