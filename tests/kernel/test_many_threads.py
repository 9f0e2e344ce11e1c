"""Twelve agents, four threads at once: the same run whatever answers take, resumed at any event, replayed, forked."""

import asyncio
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from bench.many import many
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import resumption, seats, stored_runs
from cruxfinder.crux.events import ThreadCreated
from cruxfinder.crux.result import result_of
from cruxfinder.debaters.scripted import DelayedDebater
from cruxfinder.kernel.journal import verify
from cruxfinder.kernel.run_facts import DebateComplete, DebateForked
from cruxfinder.kernel.vocabulary import AgentId
from cruxfinder.ports import Store
from cruxfinder.protocols.any_run import AnyEvent, Finished
from tests.kernel.runs import (
    Mute,
    answers_of,
    counted,
    debated,
    given_again,
    lines,
    log_of,
    replayed,
    resumed,
    store_with,
)
from tests.slices import crux_events
from tests.whole.crowd_oracle import most_active

pytestmark = pytest.mark.slow

AGENTS = 12
THREADS = 4
SEEDS = (51, 53, 39, *range(39), *range(54, 150))  # the first ones have four threads; others stand by should they not
RUNS = 2
CUTS = 5  # of a run of some 850 events, in the quick tests; the slow ones cut at every event
WAIT_S = 60


@cache
def four_threads(number: int = 0) -> tuple[int, MemoryStore]:
    """The n-th seed, and the run it gives, with four threads open at once."""
    before = SEEDS.index(four_threads(number - 1)[0]) + 1 if number else 0
    for seed in SEEDS[before:]:
        store = MemoryStore()
        if most_active(debated(many(AGENTS, seed), store, seed=seed).events) == THREADS:
            return seed, store
    raise AssertionError("no seed gives four threads")


@cache
def dear() -> tuple[int, MemoryStore]:
    """The first of them again, with answers that were paid for."""
    seed, _ = four_threads()
    store = MemoryStore()
    debated(many(AGENTS, seed), store, seed=seed, debaters=counted(many(AGENTS, seed), seed))
    return seed, store


@pytest.fixture(params=[0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, RUNS))])
def run(request: pytest.FixtureRequest) -> tuple[int, MemoryStore]:
    return four_threads(request.param)


def agents_of(seed: int) -> tuple[AgentId, ...]:
    return tuple(p.id for p in many(AGENTS, seed).personas)


def opened(events: tuple[AnyEvent, ...]) -> list[int]:
    """After how many events each thread beside the first was there."""
    return [n for n, e in enumerate(events, start=1) if isinstance(e, ThreadCreated) and e.parent is not None]


# ---- the same run


def test_the_runs_have_twelve_agents_and_four_threads_at_once(run: tuple[int, MemoryStore]) -> None:
    _, store = run
    made = stored_runs.load_run("r1", store)
    assert len(made.result.agents) >= AGENTS
    assert most_active(made.events) == THREADS
    assert isinstance(made.events[-1], DebateComplete)


def test_two_runs_are_the_same_to_the_byte(run: tuple[int, MemoryStore]) -> None:
    seed, store = run
    again = MemoryStore()
    debated(many(AGENTS, seed), again, seed=seed)
    assert again.load("r1") == store.load("r1")


def test_another_seed_is_another_run(run: tuple[int, MemoryStore]) -> None:
    seed, store = run
    assert lines(debated(many(AGENTS, seed), seed=seed + 1).events) != list(log_of(store).events)


@pytest.mark.parametrize("slow", ["one", "by chance", "the later the slower"])
def test_how_long_answers_take_changes_nothing(run: tuple[int, MemoryStore], slow: str) -> None:
    seed, store = run
    rng, calls = Random(slow), iter(range(10**9))
    one = agents_of(seed)[3]

    def seconds(agent: AgentId) -> float:
        match slow:
            case "one":
                return 0.004 if agent == one else 0.0
            case "by chance":
                return rng.choice((0.0, 0.0, 0.001, 0.003))
            case _:
                return next(calls) / 1_000_000

    table = {
        a: DelayedDebater(d, lambda a=a: seconds(a))
        for a, d in seats.simulated_debaters(many(AGENTS, seed), seed).items()
    }
    assert lines(debated(many(AGENTS, seed), seed=seed, debaters=table).events) == list(log_of(store).events)


def test_paid_answers_lead_to_the_same_run_as_free_ones() -> None:
    (_, free), (_, paid) = four_threads(), dear()
    assert log_of(paid).events == log_of(free).events
    assert log_of(paid).answers and not log_of(free).answers


def test_a_file_holds_the_same_log(run: tuple[int, MemoryStore], tmp_path) -> None:
    seed, store = run
    file = SqliteStore(tmp_path / "runs.db")
    debated(many(AGENTS, seed), file, seed=seed)
    assert file.load("r1") == store.load("r1")
    file.close()


# ---- resume


def cut_and_resumed(store: MemoryStore, cuts: Iterator[int] | range) -> None:
    entries, result = store.load("r1"), stored_runs.load_run("r1", store).result
    for keep in cuts:
        cut = store_with(entries[:keep], store)
        finished = resumed(cut)
        assert cut.load("r1") == entries, f"cut after entry {keep}"
        assert cut.row("r1").state == "complete"
        assert finished.result == result


def test_resumed_at_many_events_a_run_is_the_same_to_the_byte(run: tuple[int, MemoryStore]) -> None:
    seed, store = run
    count = len(store.load("r1"))
    last = opened(stored_runs.load_run("r1", store).events)[-1]
    spread = range(20 + seed % 7, count, count // CUTS)
    cut_and_resumed(store, iter([1, last, *spread, count]))


@pytest.mark.parametrize("part", range(8))
def test_resumed_at_every_event_a_run_is_the_same_to_the_byte(part: int) -> None:
    _, store = four_threads()
    cut_and_resumed(store, range(1 + part, len(store.load("r1")) + 1, 8))


def nothing_asked_twice(cuts: Iterator[int] | range) -> None:
    seed, store = dear()
    agents, entries, log = agents_of(seed), store.load("r1"), log_of(store)
    for keep in cuts:
        cut = store_with(entries[:keep], store)
        known = log_of(cut)
        call = resumption.resume("r1", cut, debaters=given_again(log, agents, known))
        finished = asyncio.run(asyncio.wait_for(call, WAIT_S))
        assert lines(finished.events) == list(log.events), f"cut after entry {keep}"
        after = log_of(cut)
        assert after.entries[:keep] == entries[:keep]
        for agent in agents:
            given, wanted = answers_of(after, agent), answers_of(log, agent)
            assert given == wanted[: len(given)]


def test_resumed_at_many_entries_no_paid_answer_is_asked_for_again() -> None:
    _, store = dear()
    count = len(store.load("r1"))
    nothing_asked_twice(iter([2, *range(40, count, count // 4), count]))


@pytest.mark.parametrize("part", range(8))
def test_resumed_at_every_third_entry_no_paid_answer_is_asked_for_again(part: int) -> None:
    _, store = dear()
    nothing_asked_twice(range(1 + 3 * part, len(store.load("r1")) + 1, 24))


# ---- replay


def test_a_replay_is_the_run_to_the_byte_and_writes_nothing(run: tuple[int, MemoryStore]) -> None:
    _, store = run
    entries, row, shown = store.load("r1"), store.row("r1"), stored_runs.load_run("r1", store)
    again = replayed(store)
    assert lines(again.events) == [e.body for e in entries if e.kind == "event"]
    assert again.result == shown.result == result_of(crux_events(again.events), run_id="r1")
    assert (store.load("r1"), store.row("r1")) == (entries, row)


def test_a_replay_takes_every_paid_answer_from_the_log() -> None:
    seed, store = dear()
    again = replayed(store, debaters={a: Mute() for a in agents_of(seed)})
    assert lines(again.events) == list(log_of(store).events)


# ---- forks


def forked(store: Store, at: int, changes: tuple[str, ...], run: str = "f1") -> Finished:
    return asyncio.run(resumption.fork("r1", at, changes, store, run=run))


@pytest.mark.parametrize(
    ("where", "change"),
    [
        ("the start", "persona.ada.openness=1"),
        pytest.param("a new thread", "persona.ben.bias=-3", marks=pytest.mark.slow),
        pytest.param("the last new thread", "off=THR-1", marks=pytest.mark.slow),
        pytest.param("the last new thread", "max-messages=150", marks=pytest.mark.slow),
        pytest.param("the middle", "persona.cleo.belief.budget=0.05", marks=pytest.mark.slow),
        pytest.param("near the end", "persona.dan.probe-noise=0.2", marks=pytest.mark.slow),
    ],
)
def test_a_fork_shares_what_was_and_changes_what_comes(where: str, change: str) -> None:
    _, whole = four_threads()
    entries = whole.load("r1")
    events = len(log_of(whole).events)
    openings = opened(stored_runs.load_run("r1", whole).events)
    places = {
        "the start": 14,
        "a new thread": openings[0],
        "the last new thread": openings[-1],
        "the middle": events // 2,
        "near the end": events - 60,
    }
    parent = store_with(entries, whole)
    made = forked(parent, places[where], (change,))
    shared = next(n for n, e in enumerate(made.events) if isinstance(e, DebateForked))
    assert shared >= places[where]
    assert lines(made.events)[:shared] == [e.body for e in entries if e.kind == "event"][:shared]
    assert isinstance(made.events[-1], DebateComplete)
    assert parent.load("r1") == entries, "the parent is left alone"
    verify(parent.load("f1"))
    assert lines(replayed(parent, "f1").events) == lines(made.events)
    assert stored_runs.load_run("f1", parent).result == made.result
    if change == "off=THR-1":
        assert opened(made.events)[-1] <= shared, "nothing is opened any more"


def test_a_fork_that_changes_nothing_goes_on_as_its_parent() -> None:
    _, whole = four_threads()
    entries = whole.load("r1")
    made = forked(store_with(entries, whole), len(entries) // 3, ())
    without = [line for line, e in zip(lines(made.events), made.events, strict=True) if not isinstance(e, DebateForked)]
    assert without == [e.body for e in entries if e.kind == "event"]


def test_a_resumed_fork_is_the_same_to_the_byte() -> None:
    _, whole = four_threads()
    parent = store_with(whole.load("r1"), whole)
    forked(parent, opened(stored_runs.load_run("r1", whole).events)[-1], ("persona.ada.openness=1",))
    entries = parent.load("f1")
    for keep in (1, len(entries) // 2):
        cut = store_with(entries[:keep], parent, "f1")
        resumed(cut, "f1")
        assert cut.load("f1") == entries, f"cut after entry {keep}"
