"""What every store promises, tried on each of them."""

import hashlib
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from cruxfinder.adapters.stores.log_checks import Now
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.errors import NoSuchRun, RunTaken, StaleWriter, StoreFault
from cruxfinder.ports import Entry, EntryKind, FalsifierOutcome, FalsifierResolution, Mark, Store

MakeStore = Callable[[Path, Now], Store]

STORES: dict[str, MakeStore] = {
    "memory": lambda folder, now: MemoryStore(now),
    "sqlite": lambda folder, now: SqliteStore(folder / "deep" / "runs.db", now),
}
SHA = hashlib.sha256(b"a text").hexdigest()


def entry(seq: int, body: str = "", kind: EntryKind = "event") -> Entry:
    body = body or f'{{"n":{seq}}}'
    return Entry(seq=seq, kind=kind, body=body, hash=hashlib.sha256(body.encode()).hexdigest())


def entries(first: int, last: int) -> tuple[Entry, ...]:
    return tuple(entry(seq) for seq in range(first, last + 1))


def settled(
    run: str, number: int, outcome: FalsifierOutcome = FalsifierOutcome.MET, note: str = "", agent: str = "ann"
) -> FalsifierResolution:
    return FalsifierResolution(run=run, mark=Mark("t1", agent, number), outcome=outcome, note=note, day="2027-06-30")


@pytest.fixture(params=STORES.values(), ids=list(STORES))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Store]:
    ticks = count()
    made: Store = request.param(tmp_path, lambda: f"tick {next(ticks):04}")
    yield made
    made.close()


@pytest.fixture
def run(store: Store) -> str:
    store.create("d1", topic="cars", pack="demo")
    return "d1"


# ---- the log


def test_what_is_appended_is_loaded(store: Store, run: str) -> None:
    said = (entry(1, "plain"), entry(2, "Zürich — “quoted”\n\0 end 🙂", "answer"), entry(3, "halt", "stop"))
    store.append(run, said).result()
    assert store.load(run) == said


def test_a_new_run_has_an_empty_log(store: Store, run: str) -> None:
    assert store.load(run) == ()
    assert store.row(run).entries == 0


def test_the_log_can_be_loaded_from_a_point_on(store: Store, run: str) -> None:
    store.append(run, entries(1, 5)).result()
    assert store.load(run, after=3) == entries(4, 5)
    assert store.load(run, after=5) == ()
    assert store.load(run, after=99) == ()


def test_entries_come_back_in_order_beyond_nine(store: Store, run: str) -> None:
    waiting = [store.append(run, [entry(seq)]) for seq in range(1, 31)]
    for done in waiting:
        done.result()
    assert store.load(run) == entries(1, 30)


def test_a_later_change_of_the_callers_list_is_not_taken_over(store: Store, run: str) -> None:
    said = [entry(1)]
    done = store.append(run, said)
    said.append(entry(2))
    done.result()
    assert store.load(run) == (entry(1),)


@pytest.mark.parametrize(
    ("late", "why"),
    [
        pytest.param([entry(2, "other")], "entry 2 is already taken", id="the last seq is taken"),
        pytest.param([entry(1, "other")], "entry 1 is already taken", id="an old seq is taken"),
        pytest.param([entry(2, "other"), entry(3)], "entry 2 is already taken", id="the first of two is taken"),
        pytest.param([entry(3), entry(3)], "entry 3 is already taken", id="a seq stands twice"),
        pytest.param([entry(4)], "lacks entry 3", id="a gap before"),
        pytest.param([entry(3), entry(5)], "lacks entry 4", id="a gap within"),
        pytest.param([entry(4), entry(3)], "lacks entry 3", id="the wrong way round"),
    ],
)
def test_a_stale_writer_is_turned_away_and_nothing_of_its_call_written(
    store: Store, run: str, late: list[Entry], why: str
) -> None:
    store.append(run, entries(1, 2)).result()
    with pytest.raises(StaleWriter, match=why):
        store.append(run, late).result()
    assert store.load(run) == entries(1, 2)
    store.append(run, [entry(3)]).result()
    assert store.load(run) == entries(1, 3)


def test_a_stale_append_fails_alone_among_others(store: Store, run: str) -> None:
    calls = ([entry(1)], [entry(2), entry(4)], [entry(1, "other")], [entry(2)])
    outcomes = [done.exception() for done in [store.append(run, call) for call in calls]]
    assert [type(outcome) for outcome in outcomes] == [type(None), StaleWriter, StaleWriter, type(None)]
    assert store.load(run) == entries(1, 2)


def test_an_append_to_an_unknown_run_fails_through_its_future(store: Store, run: str) -> None:
    done = store.append("nobody", [entry(1)])
    with pytest.raises(NoSuchRun, match="nobody"):
        done.result()


def test_an_accepted_append_cannot_be_cancelled(store: Store, run: str) -> None:
    done = store.append(run, [entry(1)])
    assert not done.cancel()
    done.result()
    assert store.load(run) == (entry(1),)


def test_runs_written_at_once_each_keep_their_own_order(store: Store) -> None:
    runs = [f"run-{n}" for n in range(8)]
    for name in runs:
        store.create(name, topic="", pack="")

    def write(name: str) -> None:
        for done in [store.append(name, [entry(seq, f"{name} {seq}")]) for seq in range(1, 41)]:
            done.result()

    with ThreadPoolExecutor(len(runs)) as pool:
        list(pool.map(write, runs))
    for name in runs:
        assert store.load(name) == tuple(entry(seq, f"{name} {seq}") for seq in range(1, 41))


def test_of_two_writers_of_the_same_seq_exactly_one_wins(store: Store, run: str) -> None:
    def write(body: str) -> bool:
        return store.append(run, [entry(1, body)]).exception() is None

    with ThreadPoolExecutor(8) as pool:
        won = list(pool.map(write, "abcdefgh"))
    assert won.count(True) == 1
    assert [e.body for e in store.load(run)] == ["abcdefgh"[won.index(True)]]


# ---- the rows


def test_a_row_says_what_the_run_is_about(store: Store) -> None:
    store.create("d1", topic="cars & trains", pack="demo")
    store.create("d2", topic="cars", pack="", parent="d1")
    row = store.row("d1")
    assert (row.topic, row.pack, row.state, row.entries, row.parent) == (
        "cars & trains",
        "demo",
        "open",
        0,
        "",
    )
    assert row.created == row.updated
    assert store.row("d2").parent == "d1"


def test_an_append_moves_the_count_and_the_time(store: Store, run: str) -> None:
    before = store.row(run)
    store.append(run, entries(1, 3)).result()
    after = store.row(run)
    assert after.entries == 3
    assert after.created == before.created
    assert after.updated > before.updated


def test_rows_are_newest_first(store: Store) -> None:
    for name in ("zoo", "ant", "bee"):
        store.create(name, topic="", pack="")
    for name in ("ant", "bee", "zoo"):
        store.append(name, [entry(1)]).result()
    assert [row.id for row in store.rows()] == ["bee", "ant", "zoo"]
    assert store.rows()[2] == store.row("zoo")


def test_a_run_is_listed_from_its_first_entry_on(store: Store, run: str) -> None:
    assert store.rows() == ()
    assert store.row(run).state == "open", "whoever knows its name may ask"
    store.append(run, []).result()
    assert store.rows() == ()
    store.append(run, [entry(1)]).result()
    assert [row.id for row in store.rows()] == [run]


def test_a_row_tells_how_much_was_written(store: Store, run: str) -> None:
    assert store.row(run).written == 0
    store.append(run, entries(1, 3)).result()
    store.append(run, entries(4, 5)).result()
    store.finish(run)
    assert (store.row(run).state, store.row(run).entries, store.row(run).written) == ("complete", 5, 5)


def test_a_store_without_runs_has_no_rows(store: Store) -> None:
    assert store.rows() == ()


def test_a_run_cannot_be_created_twice(store: Store, run: str) -> None:
    with pytest.raises(StoreFault, match="d1 already exists"):
        store.create(run, topic="other", pack="other")
    assert store.row(run).topic == "cars"


def test_a_finished_run_is_complete_and_stays_in_place(store: Store, run: str) -> None:
    store.create("d2", topic="", pack="")
    for name in ("d2", run):
        store.append(name, [entry(1)]).result()
    before = store.row(run)
    store.finish(run)
    after = store.row(run)
    assert (after.state, store.row("d2").state) == ("complete", "open")
    assert after.updated > before.updated
    assert [row.id for row in store.rows()] == ["d2", "d1"]


@pytest.mark.parametrize("made", [False, True], ids=["in an empty store", "beside another run"])
@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda store: store.load("nobody"), id="load"),
        pytest.param(lambda store: store.row("nobody"), id="row"),
        pytest.param(lambda store: store.finish("nobody"), id="finish"),
        pytest.param(lambda store: store.request_stop("nobody"), id="request_stop"),
        pytest.param(lambda store: store.stop_requested("nobody"), id="stop_requested"),
        pytest.param(lambda store: store.outcomes("nobody"), id="outcomes"),
        pytest.param(lambda store: store.put_outcome(settled("nobody", 1)), id="put_outcome"),
    ],
)
def test_an_unknown_run_is_named(store: Store, call: Callable[[Store], object], made: bool) -> None:
    if made:
        store.create("d1", topic="", pack="")
    with pytest.raises(NoSuchRun, match="nobody"):
        call(store)


# ---- stopping and claiming


def test_a_stop_is_asked_of_one_run(store: Store, run: str) -> None:
    store.create("d2", topic="", pack="")
    assert not store.stop_requested(run)
    store.request_stop(run)
    store.request_stop(run)
    assert store.stop_requested(run)
    assert not store.stop_requested("d2")


def test_a_claim_keeps_others_out_until_it_is_let_go(store: Store, run: str) -> None:
    with store.claim(run):
        with (
            pytest.raises(RunTaken, match="run d1 is taken: another process is writing it"),
            store.claim(run),
        ):
            pass
        with store.claim("d2"):
            pass
    with store.claim(run):
        pass


def test_a_claim_is_let_go_when_its_holder_fails(store: Store, run: str) -> None:
    with pytest.raises(OSError, match="the holder's own"), store.claim(run):
        raise OSError("the holder's own")
    with store.claim(run):
        pass


@pytest.mark.parametrize("name", ["", "../up", "D1", "d1\n", "a b"])
def test_an_id_that_nobody_checked_is_a_bug(store: Store, name: str) -> None:
    with pytest.raises(AssertionError), store.claim(name):
        pass
    with pytest.raises(AssertionError):
        store.create(name, topic="", pack="")


# ---- texts


def test_a_text_is_found_by_its_hash(store: Store) -> None:
    store.put_text(SHA, "a text")
    store.put_text(SHA, "a text")
    assert store.text(SHA) == "a text"


def test_an_unknown_text_is_named(store: Store) -> None:
    with pytest.raises(StoreFault, match=SHA):
        store.text(SHA)


# ---- outcomes of falsifiers


def test_a_run_has_no_outcomes_until_one_is_put(store: Store, run: str) -> None:
    assert store.outcomes(run) == ()
    store.put_outcome(settled(run, 1, note="Zürich — “sold” 🙂\nin May"))
    assert store.outcomes(run) == (settled(run, 1, note="Zürich — “sold” 🙂\nin May"),)


def test_outcomes_belong_to_one_run_and_come_in_the_order_of_their_falsifiers(store: Store, run: str) -> None:
    store.create("d2", topic="", pack="")
    theirs = settled("d2", 1)
    own = (settled(run, 1), settled(run, 2), settled(run, 10), settled(run, 1, agent="bob"))
    for put in (theirs, *reversed(own)):
        store.put_outcome(put)
    assert store.outcomes(run) == own
    assert store.outcomes("d2") == (theirs,)


def test_a_later_outcome_takes_the_place_of_an_earlier_one_alone(store: Store, run: str) -> None:
    for put in (settled(run, 1), settled(run, 2), settled(run, 1, FalsifierOutcome.VOID, "on second thoughts")):
        store.put_outcome(put)
    assert store.outcomes(run) == (settled(run, 1, FalsifierOutcome.VOID, "on second thoughts"), settled(run, 2))


def test_an_outcome_leaves_the_log_and_the_row_alone(store: Store, run: str) -> None:
    store.append(run, entries(1, 2)).result()
    before = store.row(run)
    store.put_outcome(settled(run, 1))
    assert (store.row(run), store.load(run)) == (before, entries(1, 2))


def test_closing_twice_does_no_harm(store: Store, run: str) -> None:
    store.close()
    store.close()


def test_what_a_server_holds_is_known_to_the_next_one(store: Store) -> None:
    assert store.hosted_runs() == ()
    for run in ("r1", "r2", "r3", "r4"):
        store.create(run, topic="t", pack="p")
    store.host("r3", "slowly")
    store.host("r1", "fast")
    store.host("r1", "faster")
    store.host("r2", "fast")
    store.host("r2", "")
    store.host("r4", "fast")
    store.finish("r4")
    assert store.hosted_runs() == (("r1", "faster"), ("r3", "slowly"))
    with pytest.raises(NoSuchRun):
        store.host("r9", "fast")
