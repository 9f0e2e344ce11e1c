"""Bad input gets one clear sentence and exit code 2, never a traceback, and changes nothing."""

import json
import os
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.cli import exits
from cruxfinder.errors import (
    BadInput,
    BadPack,
    BrokenChain,
    CruxfinderError,
    Diverged,
    ForeignStore,
    FullDisk,
    LogFault,
    NewerLog,
    NoSuchRun,
    RunTaken,
    StaleWriter,
    StoreFault,
)
from cruxfinder.kernel import wire
from cruxfinder.kernel.journal import START, chain_hash
from cruxfinder.ports import Entry
from tests.cli.conftest import Crux, Said


def refused(said: Said, code: int = exits.BAD_INPUT) -> str:
    """The one sentence."""
    assert said.code == code, said
    assert said.out == ""
    assert said.err.startswith("crux: ")
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err
    return said.err


@pytest.mark.parametrize(
    ("args", "told"),
    [
        pytest.param(("debate", "bitcoyn"), "did you mean bitcoin", id="unknown pack"),
        pytest.param(("debate", "no-such.yaml"), "there is no file", id="no such file"),
        pytest.param(("debate", "bitcoin", "--agents", "holder"), "2 to 12 agents, not 1", id="one agent"),
        pytest.param(("debate", "bitcoin", "--agents", "holder,nobody"), "no agent 'nobody'", id="unknown agent"),
        pytest.param(("debate", "bitcoin", "--agents", ""), "lacks the name", id="no agent named"),
        pytest.param(("debate", "bitcoin", "--agents", "holder,,trader"), "lacks the name", id="a name left out"),
        pytest.param(("debate", "bitcoin", "--agents", "holder,holder"), "named twice", id="an agent twice"),
        pytest.param(("debate", "bitcoin", "--max-messages", "-3"), "--max-messages", id="negative messages"),
        pytest.param(("debate", "bitcoin", "--max-messages", "0"), "--max-messages", id="no messages"),
        pytest.param(("debate", "bitcoin", "--max-minutes", "-1"), "--max-minutes", id="negative minutes"),
        pytest.param(("debate", "bitcoin", "--max-minutes", "nan"), "--max-minutes", id="minutes that are no number"),
        pytest.param(("debate", "bitcoin", "--seed", "seven"), "--seed", id="a seed in words"),
        pytest.param(("debate", "bitcoin", "--pace", "slow"), "--pace", id="unknown pace"),
        pytest.param(("debate", "bitcoin", "--speed", "9"), "--speed", id="unknown option"),
        pytest.param(("debate",), "PACK", id="no pack"),
        pytest.param(("argue",), "argue", id="unknown command"),
        pytest.param(("show", "../../etc/passwd"), "not a run id", id="a path for a run"),
        pytest.param(("show", "a\nb"), "not a run id", id="a newline in a run id"),
        pytest.param(("show", "good\n"), "not a run id", id="a newline after a run id"),
        pytest.param(("resume", "../x"), "not a run id", id="resume a path"),
        pytest.param(("replay", "x/../y"), "not a run id", id="replay a path"),
        pytest.param(("fork", "../x", "--at", "1"), "not a run id", id="fork a path"),
        pytest.param(("watch", "../x"), "not a run id", id="watch a path"),
        pytest.param(("stop", "../x"), "not a run id", id="stop a path"),
        pytest.param(("events", "../x"), "not a run id", id="events of a path"),
        pytest.param(("diff", "../x", "y"), "not a run id", id="diff a path"),
        pytest.param(("show", "nobody-123"), "no run nobody-123", id="unknown run"),
        pytest.param(("stop", "nobody-123"), "no run nobody-123", id="stop an unknown run"),
        pytest.param(("watch", "nobody-123"), "no run nobody-123", id="watch an unknown run"),
        pytest.param(("list", "--store"), "--store needs", id="a store without a path"),
        pytest.param(("list", "--store", ""), "--store needs", id="an empty store"),
        pytest.param(("list", "--store", "memory:"), "kept in memory would end", id="a store in memory"),
        pytest.param(("list", "--store", ":memory:"), "memory:, not by ':memory:'", id="SQLite's word for memory"),
        pytest.param(("list", "--store", "redis://a:b@c/d"), "not by redis://\n", id="a store of another kind"),
        pytest.param(("packs", "show", "\x1b[31mred"), "no pack", id="an escape sequence for a pack"),
    ],
)
def test_bad_input_is_told_in_one_sentence(crux: Crux, store: Path, args: tuple[str, ...], told: str) -> None:
    said = refused(crux(*args))
    assert told in said
    assert "\x1b" not in said
    assert not store.exists() and not list(store.parent.iterdir())


def pack_text() -> str:
    return pack_finder.find("bitcoin")[1]


def crowded(count: int) -> str:
    """The pack with so many personas: one, copied."""
    text = pack_text()
    head, _, rest = text.partition("\npersonas:\n")
    first = rest.splitlines()
    end = next(n for n, line in enumerate(first[1:], start=1) if line[:2] == "  " and line[2:3] not in (" ", "#"))
    body = "\n".join(first[1:end])
    people = "".join(f"  p{n}:\n{body}\n".replace("name: Ines", f"name: Ines {n}") for n in range(count))
    return f"{head}\npersonas:\n{people}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("pack: [1", "this is not YAML", id="broken"),
        pytest.param("a: &a [x, x]\nb: *a\n", "refused", id="an alias"),
        pytest.param("pack: !!python/object/apply:os.system ['true']\n", "refused", id="a tag"),
        pytest.param("x" * 10_000_000, "larger than 1 MB", id="10 MB"),
        pytest.param(pack_text().replace('truth: "OPEN"', "truth: no", 1), "truth", id="no where an enum is meant"),
        pytest.param(crowded(1), "2 to 12 personas, not 1", id="one persona"),
        pytest.param(crowded(13), "2 to 12 personas, not 13", id="thirteen personas"),
        pytest.param("pack: 2\n", "format 2", id="a newer format"),
        pytest.param("", "empty", id="nothing"),
    ],
)
def test_a_broken_pack_is_told_in_one_sentence(crux: Crux, store: Path, text: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    assert told in refused(crux("debate", str(file)))
    assert list(tmp_path.iterdir()) == [file]


def another_program(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE bills (amount INTEGER)")
    connection.close()


def newer_store(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA application_id = {int.from_bytes(b'Crux')}")
        connection.execute("PRAGMA user_version = 99")
    connection.close()


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda path: path.write_text("dear diary\n" * 100), id="a text"),
        pytest.param(another_program, id="another program's database"),
        pytest.param(newer_store, id="a newer store"),
        pytest.param(lambda path: path.mkdir(), id="a folder"),
    ],
)
@pytest.mark.parametrize("args", [("debate", "bitcoin"), ("list",), ("resume", "x-1"), ("demo", "--json")])
def test_a_store_that_is_not_ours_is_left_alone(crux: Crux, store: Path, make: Any, args: tuple[str, ...]) -> None:
    make(store)
    before = store.read_bytes() if store.is_file() else sorted(store.iterdir())
    assert str(store) in refused(crux(*args))
    assert (store.read_bytes() if store.is_file() else sorted(store.iterdir())) == before


@pytest.mark.parametrize("command", ["show", "resume", "replay", "events", "watch"])
def test_a_newer_log_is_refused(crux: Crux, store: Path, run: str, command: str) -> None:
    kept = SqliteStore(store)
    first = json.loads(kept.load(run)[0].body)
    body = wire.dumps({**first, "format": 99})
    kept.create("newer", topic="t", pack="p")
    kept.append("newer", [Entry(seq=1, kind="event", body=body, hash=chain_hash(START, "event", body))]).result()
    before = kept.load("newer")
    assert "format 99" in refused(crux(command, "newer"))
    assert kept.load("newer") == before
    kept.close()


def test_a_full_disk_is_told(crux: Crux, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect

    def connect_to_a_small_disk(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        connection.execute("PRAGMA max_page_count = 8")
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect_to_a_small_disk)
    assert "the disk is full" in refused(crux("debate", "bitcoin", "--json"))
    monkeypatch.undo()
    os.environ["CRUX_STORE"] = str(store)
    assert json.loads(crux("list", "--json", "--store", str(store)).out) == []


def test_an_altered_log_is_a_fault(crux: Crux, store: Path, run: str) -> None:
    kept = SqliteStore(store)
    first, second, *_ = kept.load(run)
    kept.create("altered", topic="t", pack="p")
    kept.append("altered", [first, replace(second, body=second.body.replace("Bitcoin", "Bitcorn"))]).result()
    kept.close()
    for command in ("show", "resume", "replay", "events", "watch"):
        assert "entry 2 of the log was altered" in refused(crux(command, "altered"), exits.FAULT)


def test_a_run_somebody_writes_is_taken(crux: Crux, store: Path, run: str) -> None:
    with SqliteStore(store).claim(run):
        assert "is taken" in refused(crux("resume", run), exits.FAULT)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("openness", "not key=value"),
        ("persona.nobody.bias=1", "no persona 'nobody'; there are holder, "),
        ("persona.holder.bias=much", "not a number"),
        ("persona.holder.bias=99", "outside"),
        ("weather=fine", "nothing known"),
    ],
)
def test_a_fork_that_changes_nothing_known_is_refused(
    crux: Crux, store: Path, run: str, change: str, told: str
) -> None:
    assert told in refused(crux("fork", run, "--at", "3", "--set", change))
    assert len(json.loads(crux("list", "--json").out)) == 1


@pytest.mark.parametrize("at", ["0", "-1", "100000"])
def test_a_fork_starts_within_its_parent(crux: Crux, run: str, at: str) -> None:
    assert "--at takes 1 to" in refused(crux("fork", run, "--at", at))


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BadInput("x"), exits.BAD_INPUT),
        (BadPack("x", ((1, "y"),)), exits.BAD_INPUT),
        (NoSuchRun("x"), exits.BAD_INPUT),
        (ForeignStore("x"), exits.BAD_INPUT),
        (FullDisk("x"), exits.BAD_INPUT),
        (NewerLog("x"), exits.BAD_INPUT),
        (StoreFault("x"), exits.FAULT),
        (StaleWriter("x"), exits.FAULT),
        (RunTaken("x"), exits.FAULT),
        (LogFault("x"), exits.FAULT),
        (BrokenChain("x"), exits.FAULT),
        (Diverged("x"), exits.FAULT),
    ],
)
def test_every_error_has_its_code(error: CruxfinderError, code: int) -> None:
    assert exits.code_of(error) == code


def test_the_help_documents_the_codes(crux: Crux) -> None:
    said = crux("--help").out
    assert "Exit codes" in said and "130" in said
