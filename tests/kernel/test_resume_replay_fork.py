"""Resume, replay and fork are one run: the log is compared, answers are taken from it, the rest goes on."""

import asyncio
import json
from collections.abc import Sequence
from random import Random

import pytest

from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import participants, resumption, run_starts, seats, stored_runs
from cruxfinder.crux.events import FirstPosition, MessagePosted, ProbeAnswered
from cruxfinder.crux.law import stages
from cruxfinder.debaters.scripted import DelayedDebater
from cruxfinder.errors import BadInput, Diverged, NoSuchRun, StoreFault
from cruxfinder.kernel import wire
from cruxfinder.kernel.journal import verify
from cruxfinder.kernel.run_facts import AskFailed, DebateComplete, DebateForked
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, Ending, Stage
from cruxfinder.ports import Debater, Store
from cruxfinder.protocols.any_run import AnyEvent, Finished
from cruxfinder.protocols.registry import read_event
from tests import clock
from tests.kernel.runs import (
    PAIR,
    Counted,
    Failing,
    Hanging,
    Mute,
    Then,
    answers_of,
    bodies_of,
    chained,
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
FIVE = tuple(p.id for p in BITCOIN.personas)
TWO = tuple(AgentId(a) for a in PAIR)
PARTS = 4  # of the places at which a run can be cut


@pytest.fixture(scope="module")
def two() -> MemoryStore:
    store = MemoryStore()
    debated(BITCOIN, store, agents=PAIR)
    return store


@pytest.fixture(scope="module")
def five() -> MemoryStore:
    store = MemoryStore()
    debated(BITCOIN, store)
    return store


@pytest.fixture(scope="module")
def dear() -> MemoryStore:
    """A run of two whose answers were paid for."""
    store = MemoryStore()
    debated(BITCOIN, store, agents=PAIR, debaters=counted(BITCOIN, 1, PAIR))
    return store


# ---- resume


@pytest.mark.parametrize("store", ["two", pytest.param("five", marks=pytest.mark.slow)])
@pytest.mark.parametrize("part", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, PARTS))])
def test_resumed_at_any_entry_a_run_is_the_same_to_the_byte(
    store: str, part: int, request: pytest.FixtureRequest
) -> None:
    whole: MemoryStore = request.getfixturevalue(store)
    entries = whole.load("r1")
    for keep in range(1 + part, len(entries) + 1, PARTS):
        cut = store_with(entries[:keep], whole)
        finished = resumed(cut)
        assert cut.load("r1") == entries, f"cut after entry {keep}"
        assert cut.row("r1").state == "complete"
        assert finished.result == stored_runs.load_run("r1", whole).result


@pytest.mark.slow
def test_resumed_at_any_entry_no_paid_answer_is_asked_for_again(dear: MemoryStore) -> None:
    entries, log = dear.load("r1"), log_of(dear)
    for keep in range(1, len(entries) + 1):
        cut = store_with(entries[:keep], dear)
        known = log_of(cut)
        finished = resumed(cut, debaters=given_again(log, TWO, known))
        assert lines(finished.events) == list(log.events), f"cut after entry {keep}"
        after = log_of(cut)
        assert after.entries[:keep] == entries[:keep]
        for agent in TWO:
            given, wanted = answers_of(after, agent), answers_of(log, agent)
            assert given == wanted[: len(given)]


def test_a_finished_run_is_shown_and_nobody_is_asked(dear: MemoryStore) -> None:
    entries = dear.load("r1")
    finished = resumed(dear, debaters={a: Mute() for a in TWO})
    assert dear.load("r1") == entries
    assert lines(finished.events) == list(log_of(dear).events)
    assert finished.result == stored_runs.load_run("r1", dear).result


def test_a_run_that_never_began_is_not_resumed() -> None:
    store = MemoryStore()
    store.create("r1", topic="t", pack="bitcoin")
    with pytest.raises(BadInput, match="never began"):
        resumed(store)
    with pytest.raises(NoSuchRun):
        resumed(store, "r2")
    for name in ("../r1", "r1\n", "", "R1", "-r1", "r" * 65):
        with pytest.raises(NoSuchRun):
            resumed(store, name)


def test_a_run_is_not_started_twice(two: MemoryStore) -> None:
    entries = two.load("r1")
    with pytest.raises(StoreFault, match="already exists"):
        debated(BITCOIN, two, agents=PAIR)
    assert two.load("r1") == entries


@pytest.mark.parametrize("events", [3, 20, 40])
@pytest.mark.parametrize("paid", [False, True])
def test_an_interrupted_run_keeps_what_there_is_and_goes_on(events: int, paid: bool, two: MemoryStore) -> None:
    """Ctrl-C cancels the task; what was heard is in the log."""
    store, heard = MemoryStore(), list[AnyEvent]()

    async def scenario() -> None:
        def listener(event: AnyEvent) -> None:
            heard.append(event)
            if len(heard) == events:
                task.cancel()

        debaters = {a: DelayedDebater(d, lambda: 0.001) for a, d in debaters_of(paid).items()}
        task = asyncio.ensure_future(
            run_starts.start(BITCOIN, store, agents=PAIR, seed=1, run="r1", debaters=debaters, listener=listener)
        )
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scenario())
    kept = log_of(store)
    assert len(heard) >= events
    assert list(kept.events) == lines(heard), "everything that was shown is kept"
    assert store.row("r1").state == "open"
    with store.claim("r1"):
        pass  # the claim was let go
    if paid:
        whole = MemoryStore()
        debated(BITCOIN, whole, agents=PAIR, debaters=debaters_of(paid))
        finished = resumed(store, debaters=given_again(log_of(whole), TWO, kept))
        assert lines(finished.events) == list(log_of(whole).events)
    else:
        resumed(store)
        assert store.load("r1") == two.load("r1")


def debaters_of(paid: bool):
    return counted(BITCOIN, 1, PAIR) if paid else seats.simulated_debaters(participants.with_agents(BITCOIN, PAIR), 1)


def test_whoever_leaves_a_stream_early_can_resume_it() -> None:
    store = MemoryStore()

    async def scenario() -> None:
        stream = run_starts.stream(lambda hear: run_starts.start(BITCOIN, store, agents=PAIR, seed=1, listener=hear))
        heard = [await anext(stream) for _ in range(15)]
        await stream.aclose()
        (row,) = store.rows()
        assert row.state == "open"
        kept = log_of(store, row.id)
        assert list(kept.events)[: len(heard)] == lines(heard)
        finished = await resumption.resume(row.id, store)
        assert isinstance(finished.events[-1], DebateComplete)

    asyncio.run(scenario())


# ---- replay


@pytest.mark.parametrize("pack", ["bitcoin", "free-will", "monolith"])
def test_a_replay_is_the_run_to_the_byte_and_writes_nothing(pack: str) -> None:
    store = MemoryStore()
    made = debated(pack_of(pack), store, seed=5)
    entries, row = store.load("r1"), store.row("r1")
    again = replayed(store)
    assert lines(again.events) == lines(made.events) == list(log_of(store).events)
    assert again.result == made.result == stored_runs.load_run("r1", store).result
    assert (store.load("r1"), store.row("r1")) == (entries, row)


def test_a_replay_takes_every_paid_answer_from_the_log(dear: MemoryStore) -> None:
    entries = dear.load("r1")
    again = replayed(dear, debaters={a: Mute() for a in TWO})
    assert lines(again.events) == list(log_of(dear).events)
    assert dear.load("r1") == entries


def test_a_replay_asks_nobody_even_where_a_call_was_in_flight_at_the_end() -> None:
    """The log of a debate that ended while somebody was thinking has no answer to that thought."""
    limit = Settings(max_messages=8)
    whole = MemoryStore()
    made = debated(BITCOIN, whole, settings=limit, debaters=counted(BITCOIN, 1))
    log = log_of(whole)
    for thinker in FIVE:
        store = MemoryStore()
        answers = {a: answers_of(log, a) for a in FIVE}
        late = {a: Then(answers[a][: -1 if a == thinker else None]) for a in FIVE}
        call = run_starts.start(BITCOIN, store, seed=1, settings=limit, debaters=late, run="r1")
        try:
            clock.run(asyncio.wait_for(call, timeout=1))
        except TimeoutError:
            continue  # that answer was waited for
        entries = store.load("r1")
        prompt = counted(BITCOIN, 1)
        assert lines(replayed(store, debaters=prompt).events) == lines(made.events)
        assert store.load("r1") == entries, "a replay writes nothing"
        assert [ask for d in prompt.values() for ask in d.asked] == [], "a replay costs nothing"
        return
    pytest.fail("nobody was thinking at the end")


def test_only_a_finished_run_is_replayed(two: MemoryStore) -> None:
    cut = store_with(two.load("r1")[:30], two)
    with pytest.raises(BadInput, match="not finished"):
        replayed(cut)
    assert len(cut.load("r1")) == 30


# ---- a stop from outside


def stopped(after: int, store: Store | None = None) -> tuple[Store, Finished]:
    kept: Store = MemoryStore() if store is None else store
    heard = list[AnyEvent]()

    def listener(event: AnyEvent) -> None:
        heard.append(event)
        if len(heard) == after:
            kept.request_stop("r1")

    return kept, asyncio.run(run_starts.start(BITCOIN, kept, agents=PAIR, seed=1, run="r1", listener=listener))


@pytest.mark.parametrize("after", [1, 25, 50])
def test_a_stop_from_outside_is_recorded_and_replays(after: int, two: MemoryStore) -> None:
    store, finished = stopped(after)
    assert isinstance(finished.events[-1], DebateComplete) and finished.events[-1].ending is Ending.STOPPED
    assert lines(finished.events)[:-1] == list(log_of(two).events)[: len(finished.events) - 1]
    assert [e.kind for e in store.load("r1")].count("stop") == 1
    assert lines(replayed(store).events) == lines(finished.events)
    assert lines(stored_runs.load_run("r1", store).events) == lines(finished.events)


def test_a_stopped_run_killed_before_its_end_was_written_stops_there_again() -> None:
    store, finished = stopped(30)
    entries = store.load("r1")
    assert [e.kind for e in entries[-2:]] == ["stop", "event"]
    cut = store_with(entries[:-1], store)
    assert lines(resumed(cut).events) == lines(finished.events)
    assert cut.load("r1") == entries


def test_a_fork_of_a_stopped_run_goes_on() -> None:
    store, finished = stopped(30)
    made = forked(store, 20, ())
    assert isinstance(made.events[-1], DebateComplete) and made.events[-1].ending is not Ending.STOPPED
    assert lines(made.events)[:20] == lines(finished.events)[:20]


# ---- faults of debaters


def failing(chance: Random | None = None, *, paid: bool = True):
    table = seats.simulated_debaters(participants.with_agents(BITCOIN, PAIR), 1)

    def fails(number: int) -> bool:
        return number in (3, 4, 9) if chance is None else number > 1 and chance.random() < 0.15

    return {a: Failing(d, fails, paid=paid) if a == "holder" else d for a, d in table.items()}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_fault_is_an_event_and_a_replay_meets_it_again(seed: int) -> None:
    store = MemoryStore()
    made = debated(BITCOIN, store, agents=PAIR, debaters=failing(Random(seed)))
    faults = [e for e in made.events if isinstance(e, AskFailed)]
    assert faults and all(e.agent == "holder" and "the line broke" in e.reason for e in faults)
    assert isinstance(made.events[-1], DebateComplete)
    again = replayed(
        store,
        debaters={**seats.simulated_debaters(participants.with_agents(BITCOIN, PAIR), 1), AgentId("holder"): Mute()},
    )
    assert lines(again.events) == lines(made.events)


def test_a_fault_of_a_free_debater_comes_again_by_itself() -> None:
    store = MemoryStore()
    made = debated(BITCOIN, store, agents=PAIR, debaters=failing(paid=False))
    assert any(isinstance(e, AskFailed) for e in made.events)
    assert log_of(store).answers == {}
    assert lines(replayed(store, debaters=failing(paid=False)).events) == lines(made.events)


def test_who_cannot_state_a_first_position_is_noted_and_the_rest_goes_on() -> None:
    table = seats.simulated_debaters(BITCOIN, 1)
    made = debated(BITCOIN, debaters={**table, FIVE[0]: Failing(table[FIVE[0]], lambda n: n == 1)})
    assert [e.ask for e in made.events if isinstance(e, AskFailed)] == ["first"]
    assert {e.agent for e in made.events if isinstance(e, FirstPosition)} == set(FIVE[1:])
    assert isinstance(made.events[-1], DebateComplete)


def test_debaters_who_all_fail_leave_a_debate_that_ends() -> None:
    table = {a: Failing(d, lambda _: True) for a, d in seats.simulated_debaters(BITCOIN, 1).items()}
    made = debated(BITCOIN, debaters=table)
    assert isinstance(made.events[-1], DebateComplete)
    assert not any(isinstance(e, MessagePosted | FirstPosition) for e in made.events)


def test_a_probe_that_fails_is_an_answer_that_could_not_be_had() -> None:
    table = seats.simulated_debaters(BITCOIN, 1)
    probes: list[int] = []

    class NoProbes(Failing):
        async def answer(self, ask, record):
            if ask.kind == "probe":
                probes.append(1)
                return await Failing(table[FIVE[1]], lambda _: True).answer(ask, record)
            return await table[FIVE[1]].answer(ask, record)

    made = debated(BITCOIN, debaters={**table, FIVE[1]: NoProbes(table[FIVE[1]], lambda _: False)})
    failed = [e for e in made.events if isinstance(e, ProbeAnswered) and e.failed]
    assert failed and {e.agent for e in failed} == {FIVE[1]}
    assert len(probes) == sum(isinstance(e, AskFailed) for e in made.events) == 3, "asked again once, then not any more"
    assert isinstance(made.events[-1], DebateComplete)


# ---- forks


def forked(store: Store, at: int, changes: Sequence[str], parent: str = "r1", run: str | None = None) -> Finished:
    return asyncio.run(resumption.fork(parent, at, changes, store, run=run))


def parted(made: Finished) -> int:
    """How many events a fork shares with its parent."""
    return next(n for n, e in enumerate(made.events) if isinstance(e, DebateForked))


@pytest.fixture
def parent(five: MemoryStore) -> MemoryStore:
    """A store of its own with the run of five in it."""
    return store_with(five.load("r1"), five)


@pytest.mark.parametrize(
    "change",
    [
        "max-messages=30",
        "off=LOCK-3",
        "persona.holder.belief.anchored-demand=0.05",
        "proposition.anchored-demand.truth=NO",
        *(
            pytest.param(change, marks=pytest.mark.slow)
            for change in (
                "max-minutes=1.5",
                "persona.economist.openness=1",
                "persona.holder.bias=-3",
                "persona.trader.weight.swings-fade=4",
                "persona.builder.probe-noise=0.3",
            )
        ),
    ],
)
@pytest.mark.parametrize("at", [9, pytest.param(30, marks=pytest.mark.slow)])
def test_a_fork_shares_what_was_and_changes_what_comes(parent: MemoryStore, change: str, at: int) -> None:
    before = parent.load("r1")
    made = forked(parent, at, (change,), run="f1")
    shared = parted(made)
    assert at <= shared < at + 9, "one decision writes several events, and a fork does not cut it"
    assert lines(made.events)[:shared] == list(log_of(parent).events[:shared])
    turn = made.events[shared]
    assert isinstance(turn, DebateForked) and (turn.parent, turn.at, turn.changes) == ("r1", shared, (change,))
    assert lines(made.events)[shared + 1 :] != list(log_of(parent).events[shared:])
    assert isinstance(made.events[-1], DebateComplete)
    assert parent.load("r1") == before, "the parent is left alone"
    own = parent.load("f1")
    verify(own)
    assert own[0].kind == "fork" and json.loads(own[0].body)["parent"] == "r1"
    assert own[0].hash != before[0].hash
    assert parent.row("f1").parent == "r1" and parent.row("f1").state == "complete"
    assert lines(replayed(parent, "f1").events) == lines(made.events)
    assert stored_runs.load_run("f1", parent).result == made.result


def test_settings_apply_from_the_fork_on_and_not_before(parent: MemoryStore) -> None:
    spoken = [
        n for n, e in enumerate(stored_runs.load_run("r1", parent).events, start=1) if isinstance(e, MessagePosted)
    ]
    made = forked(parent, spoken[19], ("max-messages=10",))
    said = sum(isinstance(e, MessagePosted) for e in made.events)
    assert said == 20, "twenty were said before anybody knew of the limit"
    assert isinstance(made.events[-1], DebateComplete) and made.events[-1].ending is Ending.MESSAGES
    made = forked(parent, 5, ("max-messages=10",))
    assert sum(isinstance(e, MessagePosted) for e in made.events) == 10


def test_a_changed_belief_shows_after_the_fork_and_first_positions_stay(parent: MemoryStore) -> None:
    made = forked(parent, 8, ("persona.holder.belief.anchored-demand=0.02", "persona.holder.bias=-4"))

    def probed(events: Sequence[AnyEvent]) -> float:
        return next(e.p_top for e in events if isinstance(e, ProbeAnswered) and e.agent == "holder")

    firsts = [
        [e for e in events if isinstance(e, FirstPosition)]
        for events in (made.events, stored_runs.load_run("r1", parent).events)
    ]
    assert firsts[0] == firsts[1]
    assert probed(made.events) < 0.3 < probed(stored_runs.load_run("r1", parent).events)


@pytest.mark.slow
def test_resumed_at_any_entry_a_fork_is_the_same_to_the_byte(parent: MemoryStore) -> None:
    forked(parent, 40, ("max-messages=45", "persona.holder.openness=0.1"), run="f1")
    entries = parent.load("f1")
    for keep in range(1, len(entries) + 1, 4):
        cut = store_with(entries[:keep], parent, "f1")
        resumed(cut, "f1")
        assert cut.load("f1") == entries, f"cut after entry {keep}"


def test_a_fork_pays_only_for_what_comes_after(dear: MemoryStore) -> None:
    store = store_with(dear.load("r1"), dear)
    log = log_of(dear)
    at = 25
    entry = [e.seq for e in log.entries if e.kind == "event"][at - 1]
    table = counted(BITCOIN, 1, PAIR)
    made = asyncio.run(resumption.fork("r1", at, ("max-messages=20",), store, debaters=table, run="f1"))
    before = sum(e.kind == "answer" for e in log.entries[:entry])
    own = log_of(store, "f1")
    assert lines(made.events)[:at] == list(log.events)[:at]
    asked = sum(len(d.asked) for d in table.values())
    assert asked == len(own.answers)
    first_own = {a: min(int(k.split("#")[1]) for k in own.answers if k.startswith(f"{a}#")) for a in TWO}
    assert sum(n - 1 for n in first_own.values()) >= before, "what the parent paid for is not asked for again"
    again = asyncio.run(resumption.replay("f1", store, debaters={a: Mute() for a in TWO}))
    assert lines(again.events) == lines(made.events)


def test_a_fork_of_a_fork_shares_the_first_forks_events(parent: MemoryStore) -> None:
    child = forked(parent, 20, ("persona.holder.openness=0.1", "max-messages=45"), run="f1")
    at = parted(child) + 12
    made = forked(parent, at, ("persona.economist.openness=1",), parent="f1", run="f2")
    assert lines(made.events)[:at] == lines(child.events)[:at]
    assert sum(isinstance(e, DebateForked) for e in made.events) == 2
    assert sum(isinstance(e, MessagePosted) for e in made.events) <= 45, "what the first fork set still holds"
    assert lines(replayed(parent, "f2").events) == lines(made.events)


def test_a_fork_of_an_unfinished_fork_asks_what_neither_has_an_answer_to(dear: MemoryStore) -> None:
    """What the first run was asked after the first fork left it is another ask, though it has the same number."""
    store, changes = store_with(dear.load("r1"), dear), ("max-messages=30",)

    def some(answers: int) -> dict[AgentId, Debater]:
        simulated = seats.simulated_debaters(participants.with_agents(BITCOIN, PAIR), 2)
        return {a: Counted(Hanging(d, answers)) for a, d in simulated.items()}

    async def interrupted() -> None:
        call = resumption.fork("r1", 9, changes, store, debaters=some(6), run="f1")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(call, timeout=0.5)

    clock.run(interrupted())
    child = log_of(store, "f1")
    assert not isinstance(read_event(child.events[-1]), DebateComplete)
    made = asyncio.run(resumption.fork("f1", len(child.events), (), store, debaters=some(1_000), run="f2"))
    assert lines(made.events)[: len(child.events)] == list(child.events)
    assert isinstance(made.events[-1], DebateComplete)


def test_a_fork_is_refused_where_this_kernel_decides_differently(
    parent: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fork shares its parent's first events; a kernel that would write others must say so."""
    monkeypatch.setitem(stages.RANGE, Stage.DISCOVERY, (4, 7))
    with pytest.raises(Diverged, match=r"entry \d+"):
        forked(parent, 60, ("persona.holder.openness=0.1",), run="f1")


def test_a_fork_where_nothing_is_left_to_change_is_refused(parent: MemoryStore) -> None:
    last = len(parent.load("r1"))
    with pytest.raises(BadInput):
        forked(parent, last, ("persona.holder.openness=0.1",))
    assert len(parent.rows()) == 1


@pytest.mark.parametrize(
    "changes",
    [
        ("nonsense",),
        ("=",),
        ("",),
        ("colour=red",),
        ("max-messages=",),
        ("max-messages=many",),
        ("max-messages=0",),
        ("max-messages=-3",),
        ("max-messages=nan",),
        ("max-messages=12.5",),
        ("max-messages=1e9",),
        ("max-minutes=0",),
        ("max-minutes=inf",),
        ("off=NONSENSE-1",),
        ("off=LOCK-3,NONSENSE-1",),
        ("persona.nobody.bias=1",),
        ("persona.holder.bias=7",),
        ("persona.holder.openness=-0.1",),
        ("persona.holder.colour=1",),
        ("persona.holder=1",),
        ("persona.holder.belief.nothing=0.5",),
        ("persona.holder.belief.cap-holds=1",),
        ("persona.holder.weight.cap-holds=1e3",),
        ("proposition.nothing.truth=YES",),
        ("proposition.cap-holds.truth=no",),
        ("proposition.cap-holds.credence=0.4",),
        ("max-messages=30", "colour=red"),
    ],
    ids=", ".join,
)
def test_a_bad_change_is_refused_and_nothing_is_written(parent: MemoryStore, changes: tuple[str, ...]) -> None:
    before = parent.rows()
    with pytest.raises(BadInput):
        forked(parent, 20, changes)
    assert parent.rows() == before


@pytest.mark.parametrize("at", [0, -1, 10_000])
def test_a_fork_outside_the_log_is_refused(parent: MemoryStore, at: int) -> None:
    with pytest.raises(BadInput, match=r"--at takes 1 to \d+"):
        forked(parent, at, ())
    assert len(parent.rows()) == 1


def test_a_fork_of_nothing_is_refused(parent: MemoryStore) -> None:
    with pytest.raises(NoSuchRun):
        forked(parent, 1, (), parent="r9")
    parent.create("r2", topic="t", pack="bitcoin")
    with pytest.raises(BadInput, match="never began"):
        forked(parent, 1, (), parent="r2")


def test_a_fork_may_start_from_a_run_that_is_not_finished(five: MemoryStore) -> None:
    entries = five.load("r1")
    kept = next(n for n, entry in enumerate(entries, start=1) if entry.kind == "event" and entry.seq > 60)
    cut = store_with(entries[:kept], five)
    at = len(log_of(cut).events) - 10
    made = forked(cut, at, ("max-messages=40",))
    assert lines(made.events)[:at] == list(log_of(five).events[:at])
    assert isinstance(made.events[-1], DebateComplete)
    assert len(cut.load("r1")) == kept


def test_a_fork_whose_own_entry_was_altered_is_refused(parent: MemoryStore) -> None:
    forked(parent, 30, ("max-messages=35",), run="f1")
    bodies = bodies_of(parent.load("f1"))
    other = bodies[0][1].replace("35", "99")
    cut = store_with(chained([(bodies[0][0], other), *bodies[1:-1]]), parent, "f1")
    with pytest.raises(Diverged, match=r"entry \d+"):
        resumed(cut, "f1")


# ---- the table


def test_every_seat_needs_its_debater() -> None:
    """Handing in debaters for some of the seats only is bad input, not a crash in the middle of a debate."""
    store = MemoryStore()
    some = dict(list(seats.simulated_debaters(BITCOIN, 1).items())[:2])
    with pytest.raises(BadInput):
        debated(BITCOIN, store, debaters=some)
    assert store.rows() == ()


@pytest.mark.parametrize(
    "agents", [("holder",), ("holder", "holder"), ("holder", "nobody"), ("holder", "moderator")], ids=",".join
)
def test_a_bad_table_is_refused_and_nothing_is_written(agents: tuple[str, ...]) -> None:
    store = MemoryStore()
    with pytest.raises(BadInput):
        debated(BITCOIN, store, agents=agents)
    assert store.rows() == ()


def test_ids_of_runs_are_checked_before_anything_is_written() -> None:
    store = MemoryStore()
    for name in ("../x", "x\n", "", "X", "a" * 65):
        with pytest.raises(NoSuchRun):
            debated(BITCOIN, store, run=name)
    assert store.rows() == ()


def test_events_never_name_the_run() -> None:
    first, second = (debated(BITCOIN, run=run, agents=PAIR) for run in ("some-run-id", "another-run-id"))
    assert lines(first.events) == lines(second.events)
    assert "some-run-id" not in "".join(lines(first.events))


def test_what_is_read_back_is_what_was_decided(two: MemoryStore) -> None:
    for body in log_of(two).events:
        assert wire.dumps(read_event(body)) == body
