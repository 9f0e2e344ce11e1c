"""Stores from elsewhere whose files and entries no Cruxfinder wrote, though every hash in them holds."""

import asyncio
import json
import sqlite3
import struct
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

from bench.fake.server import served
from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import hosting, lineage, model_settings, resumption, run_starts, stakes, stored_runs
from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.model_request import ModelRequest
from cruxfinder.app.server_setup import Setup
from cruxfinder.cli.main import app as command_line
from cruxfinder.errors import BadInput, CruxfinderError, ForeignStore, LogFault
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.kernel.journal import START, chain_hash, read_log
from cruxfinder.kernel.settings import Settings
from cruxfinder.ports import Entry, EntryKind
from tests.attack.foreign_store import KEY, Listener, foreign_run, serving_store

RUN: Final = "from-elsewhere"
SHORT: Final = Settings(max_messages=6)
JOURNAL_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")
Body = tuple[EntryKind, str]


@cache
def whole_run() -> tuple[tuple[Body, ...], str, str]:
    """The entries of a short run, and the digest and text of its pack."""
    store = MemoryStore()
    asyncio.run(run_starts.start(pack_finder.find("bitcoin")[0], store, settings=SHORT, run=RUN))
    entries = store.load(RUN)
    sha: str = json.loads(entries[0].body)["pack_sha"]
    return tuple((entry.kind, entry.body) for entry in entries), sha, store.text(sha)


def chain(bodies: Sequence[Body]) -> tuple[Entry, ...]:
    head = START
    entries: list[Entry] = []
    for seq, (kind, body) in enumerate(bodies, start=1):
        head = chain_hash(head, kind, body)
        entries.append(Entry(seq=seq, kind=kind, body=body, hash=head))
    return tuple(entries)


def forge(path: Path, bodies: Sequence[Body], *, run: str = RUN, over: bool = True, how: str = "") -> None:
    """Keep a run of these entries, each with the hash that follows from the one before."""
    _, sha, text = whole_run()
    with closing(SqliteStore(path)) as store:
        store.put_text(sha, text)
        store.create(run, topic="T", pack="bitcoin")
        store.append(run, chain(bodies)).result()
        if over:
            store.finish(run)
        if how:
            store.host(run, how)


def plant_super_journal(path: Path, victim: Path) -> None:
    """Leave a hot journal beside the store that names the victim as its super-journal."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    data, page, sector, nonce = path.read_bytes(), 4096, 512, 7
    checksum = (nonce + sum(data[place] for place in range(page - 200, 0, -200))) & 0xFFFFFFFF
    head = (JOURNAL_MAGIC + struct.pack(">5I", 1, nonce, len(data) // page, sector, page)).ljust(sector, b"\0")
    first = struct.pack(">I", 1) + data[:page] + struct.pack(">I", checksum)
    name = str(victim).encode()
    ending = struct.pack(">I", 0x40000000 // page + 1) + name + struct.pack(">2I", len(name), sum(name))
    path.with_name(f"{path.name}-journal").write_bytes(head + first + ending + JOURNAL_MAGIC)


@pytest.mark.parametrize("way", ["read", "write"])
@pytest.mark.parametrize("linked", [False, True])
def test_no_journal_beside_a_store_deletes_another_file(way: str, linked: bool, tmp_path: Path) -> None:
    path, victim = tmp_path / "runs.db", tmp_path / "elsewhere" / "notes.txt"
    forge(path, whole_run()[0])
    victim.parent.mkdir()
    victim.write_text("nothing to do with Cruxfinder")
    plant_super_journal(path, victim)
    if linked:  # whoever copies a store with its journal copies what is behind the link
        journal = path.with_name("runs.db-journal")
        journal.symlink_to(journal.rename(tmp_path / "journal"))
    with closing(SqliteStore(path)) as store, pytest.raises(ForeignStore, match="db-journal"):
        store.rows() if way == "read" else store.create("another", topic="T", pack="bitcoin")
    assert victim.exists()


FEWER: Final = '{"key":"lost","worst":{"calls":-100000,"nanodollars":-1000000000000}}'
USAGES: Final = (
    '{"calls":-1}',
    '{"calls":NaN}',
    '{"nanodollars":1e400}',
    '{"tokens_in":1.5}',
    '{"tokens_out":true}',
    '{"calls":"9"}',
    '{"calls":9007199254740992}',
    '{"calls":null}',
    '{"other":1}',
    "[1]",
    "null",
)


@pytest.mark.parametrize("usage", USAGES)
def test_usage_that_is_no_count_is_no_usage(usage: str) -> None:
    """It counts against caps: less than nothing would raise them, and NaN passes none."""
    first = whole_run()[0][0]
    held = ("hold", f'{{"key":"lost","worst":{usage}}}')
    waiting = ("hold", f'{{"key":"a#1","worst":{usage}}}')
    answered = ("answer", f'{{"key":"a#1","ask":"0","usage":{usage},"answer":{{}}}}')
    for forged in (held, waiting, answered):
        with pytest.raises(LogFault, match="entry 2"):
            read_log(chain([first, forged]))


def forked(parent: str, at: str = "1", changes: str = "[]") -> Body:
    return "fork", f'{{"parent":"{parent}","at":{at},"changes":{changes}}}'


def test_a_ring_of_forks_has_no_beginning(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    bodies = whole_run()[0]
    forge(path, [forked("alone"), *bodies], run="alone")
    forge(path, [forked("one"), *bodies], run="two")
    forge(path, [forked("two"), *bodies], run="one")
    with closing(SqliteStore(path)) as store:
        for run in ("alone", "one", "two"):
            with pytest.raises(LogFault, match="fork of itself"):
                asyncio.run(resumption.replay(run, store))
            with pytest.raises(LogFault, match="fork of itself"):
                asyncio.run(resumption.fork(run, 1, ("max-messages=5",), store))


def test_a_line_of_forks_has_so_many_generations(tmp_path: Path) -> None:
    bodies = whole_run()[0]
    store = MemoryStore()
    for generation in range(lineage.FORKS_MAX + 2):
        store.create(f"r{generation}", topic="T", pack="bitcoin")
        store.append(
            f"r{generation}", chain([forked(f"r{generation - 1}"), *bodies] if generation else bodies)
        ).result()
    youngest = f"r{lineage.FORKS_MAX + 1}"
    assert lineage.lineage_of(stored_runs.load_log(f"r{lineage.FORKS_MAX}", store), store).root == stored_runs.load_log(
        "r0", store
    )
    with pytest.raises(LogFault, match="generations"):
        lineage.lineage_of(stored_runs.load_log(youngest, store), store)


def with_start(**changes: object) -> list[Body]:
    """The run with something else in its first event."""
    bodies = whole_run()[0]
    return [("event", json.dumps({**json.loads(bodies[0][1]), **changes})), *bodies[1:]]


def malformed_logs() -> dict[str, list[Body]]:
    first, *rest = whole_run()[0]
    deep = "[" * 200_000 + "]" * 200_000
    inserted: dict[str, Body] = {
        "hold that is no JSON": ("hold", "x"),
        "hold that is a list": ("hold", "[]"),
        "hold that is nothing": ("hold", "null"),
        "hold without a key": ("hold", "{}"),
        "hold of thousands of digits": ("hold", f'{{"key":"lost","worst":{{"calls":{"9" * 5000}}}}}'),
        "answer that is missing": ("answer", '{"key":"a"}'),
        "answer nested deeply": ("answer", f'{{"key":"a","answer":{deep}}}'),
        "stop without a step": ("stop", "{}"),
        "stop at a text": ("stop", '{"step":"x"}'),
        "stop at no number": ("stop", '{"step":1e999}'),
        "stop with another ending": ("stop", '{"step":1,"ending":"FOO"}'),
        "fork without a parent": ("fork", "{}"),
        "fork with a number of changes": forked("r1", changes="5"),
        "fork at no number": forked("r1", at="Infinity"),
        "event of no kind": ("event", '{"kind":"nope"}'),
        "beginning in the middle": first,
    }
    return {name: [first, body, *rest] for name, body in inserted.items()} | {
        "first that is no JSON": [("event", "x"), *rest],
        "first nested deeply": [("event", deep), *rest],
        "first that is a list": [("event", "[]"), *rest],
        "first of format true": with_start(format=True),
        "no first": rest,
        "only the end": [rest[-1]],
        "the end first": [rest[-1], first],
        "events in reverse": [first, *rest[-2::-1], rest[-1]],
        "pack by a path": with_start(pack_sha="../../etc/passwd"),
        "pack by capitals": with_start(pack_sha=whole_run()[1].upper()),
        "no seats": with_start(seats=[]),
        "less than no messages": with_start(settings={"max_messages": -5}),
        "seed of hundreds of digits": with_start(seed=10**400),
    }


@pytest.mark.parametrize("name", malformed_logs())
def test_a_malformed_log_is_told_in_a_sentence_and_hides_no_other(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "runs.db"
    forge(path, malformed_logs()[name])
    forge(path, whole_run()[0], run="good")
    monkeypatch.setenv("CRUX_STORE", str(path))
    for command in (
        "list",
        f"show {RUN}",
        f"events {RUN}",
        f"replay {RUN}",
        f"fork {RUN} --at 1 --set seed=5",
        "ledger",
    ):
        result = CliRunner().invoke(command_line, command.split())
        assert result.exception is None or isinstance(result.exception, SystemExit | CruxfinderError), command
    with closing(SqliteStore(path)) as store:
        held, _ = stakes.stakes_in_store(store, "2027-01-01")
        good = stakes.stakes_in_run(store, store.row("good"), "2027-01-01")
    assert [stake for stake in held if stake.run == "good"] == list(good)


def test_ledger_goes_on_past_a_bad_run(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    forge(path, malformed_logs()["hold that is no JSON"])
    with closing(SqliteStore(path)) as store:
        assert list(stakes.stakes_in_store(store, "2027-01-01")[1]) == [RUN]


HOWS: Final = {
    "nested deeply": "[" * 100_000,
    "a list": "[1]",
    "no JSON": "x",
    "a text for pace": '{"pace":"x"}',
    "a negative pace": '{"pace":-1}',
    "an endless pace": '{"pace":1e308}',
    "no number": '{"pace":NaN}',
    "an endless wait": '{"wait_s":Infinity}',
    "an endless seat": '{"seat_s":1e300}',
    "a truth": '{"pace":true}',
    "another word": '{"other":1}',
}


def recover_in(path: Path) -> tuple[tuple[str, ...], str]:
    """Which runs of a store a server goes on with, and what it says of the forged one."""

    async def recover() -> tuple[tuple[str, ...], str]:
        with closing(SqliteStore(path)) as store:
            gate = Gate(rules=rules_in_force(), memory=Memory(path.parent / "memory"), disabled=False)
            async with hosting.open_host(Setup(gate=gate, store=store)) as opened:
                return await opened.recover(), opened.failure_reason(RUN)

    return asyncio.run(recover())


@pytest.mark.parametrize("how", HOWS.values(), ids=HOWS.keys())
def test_a_server_leaves_a_run_held_in_a_manner_of_no_server(how: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    forge(path, whole_run()[0][:5], over=False, how=how)
    forge(path, whole_run()[0][:5], run="good", over=False, how='{"pace": 0.0}')
    found, why = recover_in(path)
    assert found == ("good",)
    assert "no Cruxfinder wrote" in why


@pytest.mark.parametrize(
    "bodies",
    [
        [forked(RUN)],
        [forked(RUN), *whole_run()[0][:5]],
        [whole_run()[0][0], ("hold", "x")],
        [whole_run()[0][0], ("hold", FEWER)],
        with_start(pack_sha="zz")[:1],
    ],
    ids=["fork of itself", "fork of itself with events", "hold", "usage", "pack"],
)
def test_a_server_begins_whatever_a_run_of_the_last_one_holds(bodies: list[Body], tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    forge(path, bodies, over=False, how='{"pace": 0.0}')
    forge(path, whole_run()[0][:5], run="good", over=False, how='{"pace": 0.0}')
    found, why = recover_in(path)
    assert found == ("good",)
    assert why


@pytest.mark.parametrize(
    "url",
    [
        "http://evil.example[::1]:8080/v1",
        "http://[::1]evil.example:8080/v1",
        "http://[::1].evil.example/v1",
        "http://[::1]:8080:9090/v1",
        "http://[::1%25eth0]:8080/v1",
        "http://[v1.evil]:8080/v1",
        "http://localhost:8080:9090/v1",
        "http://localhost:/v1",
        "http://local%68ost:8080/v1",
        "http://localhost,evil.example:8080/v1",
        "http://localhost;evil.example/v1",
    ],
)
def test_an_address_is_a_host_and_a_port_and_nothing_beside(url: str) -> None:
    with pytest.raises(BadInput):
        model_names.address_of(url)


@pytest.mark.parametrize(
    "url", ["http://localhost:11434/v1", "http://[::1]:8080/v1", "https://my_host.example/v1", "http://10.0.0.1/"]
)
def test_plain_addresses_are_taken(url: str) -> None:
    assert model_names.address_of(url)


@pytest.mark.parametrize("variable", ["XDG_CONFIG_HOME", "HOME"])
@pytest.mark.parametrize("folder", ["here", ".", "./here"])
def test_no_settings_come_from_the_folder_one_works_in(
    variable: str, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in (tmp_path, tmp_path / "here"):
        for home in (place, place / ".config"):
            (home / "cruxfinder").mkdir(parents=True, exist_ok=True)
            (home / "cruxfinder" / "config.toml").write_text('base_url = "http://evil.example/v1"')
    monkeypatch.chdir(tmp_path)
    assert model_settings.config_path({variable: folder}) is None
    assert model_settings.config_path({variable: str(tmp_path)}) is not None


def test_a_relative_folder_for_settings_gives_way_to_the_usual_one(tmp_path: Path) -> None:
    usual = tmp_path / ".config" / "cruxfinder" / "config.toml"
    usual.parent.mkdir(parents=True)
    usual.touch()
    assert model_settings.config_path({"XDG_CONFIG_HOME": "here", "HOME": str(tmp_path)}) == usual


def test_a_server_without_a_model_takes_up_no_run_of_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "runs.db"
    with served(Listener()) as provider:
        monkeypatch.setenv("OPENAI_BASE_URL", provider.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        foreign_run(path, "", dialogue="openai:gpt-5-mini")
        provider.forget()
        with serving_store(path, ModelRequest()) as (client, setup):
            found = client.get(f"/api/debates/{RUN}").json()
            assert found["state"] == "open" and "models" in found["why"]
            assert client.post(f"/api/debates/{RUN}/resume", json={}).status_code == 422
            assert [run for run, _ in setup.store.hosted_runs()] == [RUN], (
                "it is left for a server that may go on with it"
            )
        assert provider.heads == []
