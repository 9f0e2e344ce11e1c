"""The journal: what was altered, decided differently or written by another version is refused by name (DESIGN §3)."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import participants, resumption, seats, stored_runs
from cruxfinder.crux.asks import AskFirst, First
from cruxfinder.crux.law import stages
from cruxfinder.errors import BrokenChain, CruxfinderError, Diverged, LogFault, StaleWriter
from cruxfinder.kernel import wire
from cruxfinder.kernel.journal import GROUP, START, Journal, chain_hash, read_log, verify
from cruxfinder.kernel.loop import KERNEL
from cruxfinder.kernel.run_facts import AskFailed, DebateComplete
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, MoveKind, RuleId, Stage, TopSide
from cruxfinder.ports import NOTHING, Entry, Store
from cruxfinder.protocols.any_ask import read_answer
from cruxfinder.protocols.registry import read_event
from tests.kernel.runs import (
    PAIR,
    Mute,
    bodies_of,
    chained,
    changed_start,
    counted,
    debated,
    given_again,
    lines,
    log_of,
    pack_of,
    replayed,
    resumed,
    store_with,
)

BITCOIN = pack_of("bitcoin")
ANN = AgentId("ann")
ASK = AskFirst(agent=ANN)
ANSWER = First(p_top=0.25, side=TopSide.NO, reason="zu früh — “no”")


@pytest.fixture(scope="module")
def free() -> MemoryStore:
    """A finished run of two whose answers cost nothing."""
    store = MemoryStore()
    debated(BITCOIN, store, agents=PAIR)
    return store


@pytest.fixture(scope="module")
def dear() -> MemoryStore:
    """The same run, every answer paid for."""
    store = MemoryStore()
    debated(BITCOIN, store, agents=PAIR, debaters=counted(BITCOIN, 1, PAIR))
    return store


def event(number: int) -> AskFailed:
    return AskFailed(at_ms=number, agent=ANN, ask="draft", reason=f"reason {number}")


def new(run: str = "r1") -> tuple[MemoryStore, Journal]:
    store = MemoryStore()
    store.create(run, topic="t", pack="p")
    return store, Journal(store, run, read_log(()))


def unfinished(store: Store, keep: int) -> MemoryStore:
    """The log cut after so many entries."""
    return store_with(store.load("r1")[:keep], store)


# ---- the chain


def test_each_entry_carries_the_hash_of_the_one_before(dear: MemoryStore) -> None:
    head = START
    for place, entry in enumerate(dear.load("r1"), start=1):
        head = chain_hash(head, entry.kind, entry.body)
        assert (entry.seq, entry.hash) == (place, head)
    assert {e.kind for e in dear.load("r1")} == {"event", "answer", "reading"}


def flipped(text: str, place: int) -> str:
    """One character another one, of the same length in bytes."""
    return f"{text[:place]}{'x' if text[place] != 'x' else 'y'}{text[place + 1 :]}"


Alter = Callable[[Entry], Entry]
ALTERATIONS: dict[str, Alter] = {
    "the first byte of its body": lambda e: replace(e, body=flipped(e.body, 0)),
    "a byte in the middle": lambda e: replace(e, body=flipped(e.body, len(e.body) // 2)),
    "its last byte": lambda e: replace(e, body=flipped(e.body, len(e.body) - 1)),
    "a space more": lambda e: replace(e, body=e.body + " "),
    "its hash": lambda e: replace(e, hash=("0" if e.hash[0] != "0" else "1") + e.hash[1:]),
    "the end of its hash": lambda e: replace(e, hash=e.hash[:-1] + ("0" if e.hash[-1] != "0" else "1")),
    "its number": lambda e: replace(e, seq=e.seq + 1),
    "its kind": lambda e: replace(e, kind="stop" if e.kind != "stop" else "event"),
}


@pytest.mark.parametrize("alter", ALTERATIONS.values(), ids=ALTERATIONS.keys())
def test_one_altered_byte_is_refused_with_its_entry_named(dear: MemoryStore, alter: Alter) -> None:
    entries = dear.load("r1")
    for place, entry in enumerate(entries):
        altered = (*entries[:place], alter(entry), *entries[place + 1 :])
        with pytest.raises(BrokenChain, match=rf"entry {place + 1} of the log was altered"):
            read_log(altered)


def test_every_single_byte_of_an_event_and_of_an_answer_counts(dear: MemoryStore) -> None:
    entries = dear.load("r1")[:12]
    for place in (4, next(n for n, e in enumerate(entries) if e.kind == "answer")):
        entry = entries[place]
        for byte in range(len(entry.body)):
            altered = (*entries[:place], replace(entry, body=flipped(entry.body, byte)), *entries[place + 1 :])
            with pytest.raises(BrokenChain, match=rf"entry {place + 1} "):
                verify(altered)


def test_an_entry_taken_out_or_moved_is_refused(dear: MemoryStore) -> None:
    entries = dear.load("r1")
    for name, altered in {
        "taken out": (*entries[:6], *entries[7:]),
        "the first taken out": entries[1:],
        "two changed places": (*entries[:6], entries[7], entries[6], *entries[8:]),
        "twice": (*entries[:7], *entries[6:]),
        "renumbered": (*entries[:6], *(replace(e, seq=e.seq - 1) for e in entries[7:])),
    }.items():
        with pytest.raises(BrokenChain, match=r"entry \d+ "):
            verify(altered)
        assert name


def test_a_log_cut_short_is_a_log(dear: MemoryStore) -> None:
    for keep in range(len(dear.load("r1"))):
        assert len(read_log(dear.load("r1")[:keep]).entries) == keep


@pytest.fixture
def on_disk(tmp_path: Path, dear: MemoryStore) -> Path:
    """The run of two in a file, every answer paid for."""
    path, row = tmp_path / "runs.db", dear.row("r1")
    with closing(SqliteStore(path)) as store:
        store.create("r1", topic=row.topic, pack=row.pack)
        sha = json.loads(dear.load("r1")[0].body)["pack_sha"]
        store.put_text(sha, dear.text(sha))
        store.append("r1", dear.load("r1")).result()
        store.finish("r1")
    return path


def altered_on_disk(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(statement, values).rowcount == 1


READERS: dict[str, Callable[[Store], object]] = {
    "show": lambda store: stored_runs.load_run("r1", store),
    "resume": resumed,
    "replay": replayed,
    "fork": lambda store: asyncio.run(resumption.fork("r1", 3, (), store)),
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS.keys())
@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("UPDATE entries SET body = CAST('{}' AS BLOB) WHERE seq = 7", id="body"),
        pytest.param("UPDATE entries SET body = 'text' WHERE seq = 7", id="body of another type"),
        pytest.param("UPDATE entries SET hash = zeroblob(32) WHERE seq = 7", id="hash"),
        pytest.param("UPDATE entries SET seq = 7000 WHERE seq = 7", id="number"),
        pytest.param("UPDATE entries SET kind = 'stop' WHERE seq = 7", id="kind"),
        pytest.param("UPDATE entries SET kind = 'evenu' WHERE seq = 7", id="kind, one letter"),
        pytest.param("DELETE FROM entries WHERE seq = 7", id="gone"),
    ],
)
def test_a_file_altered_from_outside_is_refused_by_every_reader(
    on_disk: Path, read: Callable[[Store], object], statement: str
) -> None:
    altered_on_disk(on_disk, statement)
    with closing(SqliteStore(on_disk)) as store:
        with pytest.raises(CruxfinderError, match=r"entry 7\b"):
            read(store)
        assert len(store.rows()) == 1, "nothing was written"


def fault_of(store: Store) -> str | None:
    """What is said of a log that is refused."""
    try:
        stored_runs.load_run("r1", store)
    except CruxfinderError as fault:
        return str(fault)
    return None


@pytest.mark.parametrize("seq", [1, 4, 9])
def test_one_altered_byte_of_the_file_is_refused_with_its_entry_named(on_disk: Path, seq: int) -> None:
    """Whatever form the file keeps a body in; a bit that says nothing may change, as long as the log reads the same."""
    with closing(SqliteStore(on_disk)) as store:
        entries = store.load("r1")
    refused = 0
    with closing(sqlite3.connect(on_disk)) as connection:
        (body,) = connection.execute("SELECT body FROM entries WHERE seq = ?", (seq,)).fetchone()
        places = range(0, len(body), max(1, len(body) // 40))
        for place in places:
            altered = bytes([*body[:place], body[place] ^ 1, *body[place + 1 :]])
            with connection:
                connection.execute("UPDATE entries SET body = ? WHERE seq = ?", (altered, seq))
            with closing(SqliteStore(on_disk)) as store:
                fault = fault_of(store)
                refused += fault is not None
                assert store.load("r1") == entries if fault is None else re.search(rf"entry {seq}\b", fault), fault
    assert refused >= len(places) - 2


@pytest.mark.parametrize("keep", [3, 1_000], ids=["resume", "replay"])
def test_an_altered_pack_is_refused(free: MemoryStore, keep: int) -> None:
    """The log names its pack by SHA-256: other beliefs must not be debated under that name."""
    entries = free.load("r1")[:keep]
    sha = json.loads(entries[0].body)["pack_sha"]
    text = free.text(sha)
    store = MemoryStore()
    store.create("r1", topic="t", pack="bitcoin")
    store.put_text(sha, text.replace('"credence":0.84', '"credence":0.83', 1))
    store.append("r1", entries).result()
    assert store.text(sha) != text
    with pytest.raises(CruxfinderError, match=r"pack|text"):
        (resumed if keep == 3 else replayed)(store)


# ---- another kernel, another format


def first_difference(before: list[str], after: list[str]) -> int:
    """The number of the first event in which two logs differ."""
    return next(n for n, (a, b) in enumerate(zip(before, after, strict=False), start=1) if a != b)


def fewer_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(stages.RANGE, Stage.DISCOVERY, (4, 7))


def test_a_kernel_that_decides_differently_is_refused_with_the_first_differing_entry_named(
    free: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, cut = log_of(free), unfinished(free, -1)
    fewer_messages(monkeypatch)
    differs = first_difference(list(log.events), lines(debated(BITCOIN, agents=PAIR).events))
    entry = [e.seq for e in log.entries if e.kind == "event"][differs - 1]
    for run_again in (lambda: resumed(cut), lambda: replayed(free)):
        with pytest.raises(Diverged, match=rf"^entry {entry} \(event {differs}\) differs") as refused:
            run_again()
        assert log.events[differs - 1][:60] in str(refused.value), "both sides are shown"
    assert cut.load("r1") == free.load("r1")[:-1], "nothing was written"


def test_a_kernel_that_decides_differently_is_refused_where_answers_were_paid_for(
    dear: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There the first thing that differs may be an ask; what is refused is named by its entry all the same."""
    log, cut = log_of(dear), unfinished(dear, -1)
    fewer_messages(monkeypatch)
    other = debated(BITCOIN, agents=PAIR, debaters=given_again(log, map(AgentId, PAIR)))
    differs = first_difference(list(log.events), lines(other.events))
    entry = [e.seq for e in log.entries if e.kind == "event"][differs - 1]
    mute = {AgentId(a): Mute() for a in PAIR}
    for run_again in (lambda: resumed(cut, debaters=mute), lambda: replayed(dear, debaters=mute)):
        with pytest.raises(Diverged) as refused:
            run_again()
        named = re.search(r"entry (\d+)", str(refused.value))
        assert named is not None, str(refused.value)
        assert int(named.group(1)) <= entry
    assert cut.load("r1") == dear.load("r1")[:-1], "nothing was written, nobody was asked"


def test_other_debaters_are_told_apart_by_the_first_event_they_change(free: MemoryStore) -> None:
    others = dict(seats.simulated_debaters(participants.with_agents(BITCOIN, PAIR), 99))
    entries = free.load("r1")
    with pytest.raises(Diverged, match=r"^entry \d+ \(event \d+\) differs: the log has .*, this kernel decides"):
        replayed(free, debaters=others)
    assert free.load("r1") == entries


def test_an_ask_that_differs_is_refused_with_its_entry_named(
    dear: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log has an answer, but this kernel asks something else in its place."""
    monkeypatch.setitem(stages.ALLOWED, Stage.DISCOVERY, (*stages.ALLOWED[Stage.DISCOVERY], MoveKind.CONCEDE))
    log = log_of(dear)
    answers = [(e.seq, json.loads(e.body)) for e in log.entries if e.kind == "answer"]
    drafts = {body["key"]: seq for seq, body in answers if body["kind"] == "draft"}
    with pytest.raises(Diverged, match=r"ask 2 of \w+ \(draft\)") as refused:
        replayed(dear, debaters={AgentId(a): Mute() for a in PAIR})
    named = re.search(r"ask (\d+) of (\w+)", str(refused.value))
    assert named is not None
    assert f"entry {drafts[f'{named.group(2)}#{named.group(1)}']}" in str(refused.value)


def test_a_log_that_goes_on_after_the_end_is_refused(free: MemoryStore) -> None:
    bodies = bodies_of(free.load("r1"))
    more = chained([*bodies, ("event", wire.dumps(event(1)))])
    store = store_with(more, free)
    with pytest.raises(Diverged, match=rf"the log goes on after event {len(log_of(free).events)}"):
        resumed(store)
    assert store.load("r1") == more


def test_a_log_of_a_newer_format_is_refused(free: MemoryStore) -> None:
    newer = store_with(changed_start(free.load("r1"), format=wire.FORMAT + 1), free)
    for read in READERS.values():
        with pytest.raises(LogFault, match=rf"format {wire.FORMAT + 1}; this version reads up to {wire.FORMAT}"):
            read(newer)


def test_a_log_that_starts_with_something_else_is_refused() -> None:
    store, journal = new()
    journal.write((event(1),))
    journal.close()
    with pytest.raises(LogFault):
        stored_runs.load_run("r1", store)


def test_a_log_of_another_kernel_is_shown_and_not_run_again(free: MemoryStore) -> None:
    old = store_with(changed_start(free.load("r1"), kernel=KERNEL + 1), free)
    assert isinstance(stored_runs.load_run("r1", old).events[-1], DebateComplete)
    reason = rf"made by kernel {KERNEL + 1}, this is kernel {KERNEL}: it can be shown, not run again"
    for run_again in (lambda: replayed(old), lambda: asyncio.run(resumption.fork("r1", 5, (), old))):
        with pytest.raises(LogFault, match=reason):
            run_again()
    cut = store_with(old.load("r1")[:20], old)
    with pytest.raises(LogFault, match=reason):
        resumed(cut)
    assert len(cut.load("r1")) == 20 and len(old.rows()) == 1


def test_an_unknown_event_is_refused_as_a_log_and_not_as_a_bug(free: MemoryStore) -> None:
    bodies = bodies_of(free.load("r1"))
    strange = store_with(chained([*bodies[:9], ("event", '{"kind":"unheard_of","at_ms":1}'), *bodies[9:]]), free)
    with pytest.raises(LogFault):
        stored_runs.load_run("r1", strange)


# ---- writing


def test_events_of_free_debaters_wait_for_one_commit() -> None:
    store, journal = new()
    journal.write(tuple(event(n) for n in range(GROUP - 1)))
    assert store.load("r1") == ()
    journal.write((event(GROUP),))
    assert len(store.load("r1")) == GROUP


def test_an_answer_is_committed_with_all_that_came_before_it() -> None:
    async def scenario() -> None:
        store, journal = new()
        journal.write((event(1),))
        await journal.keep(ANN, 1, ASK, ANSWER)
        assert [e.kind for e in store.load("r1")] == ["event", "answer"]
        verify(store.load("r1"))

    asyncio.run(scenario())


def test_an_answer_comes_back_as_it_was_given() -> None:
    async def scenario() -> None:
        store, journal = new()
        await journal.keep(ANN, 3, ASK, ANSWER)
        kept = json.loads(store.load("r1")[0].body)
        assert (kept["key"], kept["kind"], kept["ask"]) == ("ann#3", "first", wire.digest(wire.dumps(ASK)))
        again = Journal(store, "r1", read_log(store.load("r1")))
        known = again.recorded_answer(ANN, 3)
        assert known is not None and read_answer(again.answer(known, ANN, 3, ASK)) == ANSWER
        assert again.recorded_answer(ANN, 2) is None
        assert again.usage == NOTHING

    asyncio.run(scenario())


def test_while_the_log_lasts_it_is_compared_and_then_written() -> None:
    store, journal = new()
    journal.write((event(1), event(2)))
    journal.close()
    log = tuple(store.load("r1"))
    # The first event of a real log says which format it has.
    started = wire.dumps(event(1)).replace("{", '{"format":1,', 1)
    store = MemoryStore()
    store.create("r1", topic="t", pack="p")
    store.append("r1", chained([("event", started), ("event", log[1].body)])).result()
    again = Journal(store, "r1", read_log(store.load("r1")))
    assert again.is_replaying
    with pytest.raises(Diverged, match=r"entry 1 \(event 1\) differs"):
        again.write((event(7),))


def test_a_stale_writer_is_told_so_and_writes_nothing() -> None:
    """The fence, for two who both believe the run is theirs."""

    async def scenario() -> None:
        store, first = new()
        second = Journal(store, "r1", read_log(()))
        first.write((event(1),))
        await first.settle()
        second.write((event(2), event(3)))
        with pytest.raises(StaleWriter):
            await second.settle()
        with pytest.raises(StaleWriter):
            second.close()
        first.write((event(4),))
        await first.settle()
        assert [json.loads(e.body)["at_ms"] for e in store.load("r1")] == [1, 4]
        verify(store.load("r1"))

    asyncio.run(scenario())


def test_events_are_read_back_as_they_were(free: MemoryStore) -> None:
    events = [read_event(text) for text in log_of(free).events]
    assert lines(events) == [e.body for e in free.load("r1") if e.kind == "event"]


def test_what_a_run_left_out_is_in_its_log() -> None:
    store = MemoryStore()
    chosen = Settings(max_messages=12, off=(RuleId("FLOOD-2"),))
    finished = debated(BITCOIN, store, settings=chosen)
    assert stored_runs.events_of(log_of(store))[0] == finished.events[0]
    assert json.loads(store.load("r1")[0].body)["settings"] == {"max_messages": 12, "off": ["FLOOD-2"]}
    assert lines(replayed(store).events) == lines(finished.events)
