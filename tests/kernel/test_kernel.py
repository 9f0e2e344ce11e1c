"""Debate time: what is due next goes on, thoughts overlap, and no answer's latency changes the order (DESIGN §2)."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.app import seats
from cruxfinder.crux.asks import AskDraft, AskFirst, Drafted, First
from cruxfinder.crux.commands import Command, RecordFirst, Say, Tick
from cruxfinder.crux.decide import decide
from cruxfinder.crux.events import Event, MessagePosted, MessageRefused
from cruxfinder.crux.evolve import fold
from cruxfinder.crux.moves import Claim, Concede, Draft
from cruxfinder.crux.script import moderator_clock, opening, speaker
from cruxfinder.crux.state import Debate
from cruxfinder.debaters.scripted import DelayedDebater
from cruxfinder.kernel import loop as kernel_module
from cruxfinder.kernel.effects import Ask, Do, Effect, Observation, Pause, Read, Readable, Script, Spawn, Think, Watch
from cruxfinder.kernel.loop import Kernel
from cruxfinder.kernel.run_facts import (
    DebateComplete,
    DebateStarted,
    Failed,
    NoteFailure,
    RunState,
    Seat,
    Silence,
    Start,
    Stop,
)
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import CRUX, AgentId, Ending, MoveKind, TopSide
from cruxfinder.language.english.english_reader import EnglishReader
from cruxfinder.language.reading import DraftReading, Passage
from cruxfinder.protocols.protocol_list import protocol_named
from tests.kernel.runs import PACKS, PAIR, debated, lines, pack_of

ANN, BOB = AgentId("ann"), AgentId("bob")
LIKE = embedder("keyword")
READER = EnglishReader(LIKE)
STARTED = DebateStarted(
    at_ms=0,
    topic="The plan works",
    seats=(Seat(id=ANN, name="Ann"), Seat(id=BOB, name="Bob")),
    seed=1,
    pack="none",
    pack_sha="0" * 64,
    settings=Settings(),
    format=1,
    kernel=1,
)
FIRST = First(p_top=0.8, side=TopSide.YES, reason="it worked before")
CLAIM = Draft(
    move=Claim(proposition="Demand holds", reason="it held", confidence=0.8, top_side=TopSide.YES),
    content="Demand holds, because it has held so far.",
)


class Least:
    """Dice that always show the least."""

    def between(self, who: str, purpose: str, low: int, high: int) -> int:
        return low


class Lab:
    """A world without a store: answers from a function, and notes of what the kernel did."""

    def __init__(self, answer: Callable[[Ask], Awaitable[First]] | None = None, stop_at: int | None = None) -> None:
        self._answer = answer
        self._stop_at = stop_at
        self.written: list[Event] = []
        self.waited_ms: list[int] = []
        self.calls: list[asyncio.Future[First]] = []
        self.passages: list[Passage] = []

    def ask(self, ask: Ask, state: RunState) -> Awaitable[First]:
        assert self._answer is not None
        call = asyncio.ensure_future(self._answer(ask))
        self.calls.append(call)
        return call

    async def write(self, events: tuple[Any, ...]) -> None:
        self.written.extend(events)

    def read(self, passage: Readable) -> object:
        assert isinstance(passage, Passage)
        self.passages.append(passage)
        return READER.read(passage)

    def interruption(self, step: int, written: int) -> Command | None:
        if self._stop_at != step:
            return None
        self._stop_at = None
        return Stop()

    async def wait(self, ms: int) -> None:
        self.waited_ms.append(ms)


def run(script: Script, lab: Lab) -> Debate:
    async def scenario() -> Debate:
        try:
            kernel = Kernel(protocol_named(CRUX), Start(started=STARTED), script, lab)
            debate = await asyncio.wait_for(kernel.run(), timeout=10)
            assert isinstance(debate, Debate)
            return debate
        finally:
            for call in lab.calls:
                call.cancel()

    return asyncio.run(scenario())


Notes = list[tuple[str, int]]


def family(*members: Script) -> Script:
    for member in members:
        yield Spawn(member)


def ticking(name: str, pauses: list[int], notes: Notes) -> Script:
    seen = yield Pause(0)
    notes.append((name, seen.now_ms))
    for ms in pauses:
        seen = yield Pause(ms)
        notes.append((name, seen.now_ms))


def stopping(at_ms: int) -> Script:
    yield Pause(at_ms)
    yield Do(Stop())


# ---- the order of things


def test_what_is_due_earlier_goes_on_earlier() -> None:
    notes: Notes = []
    run(family(ticking("a", [70], notes), ticking("b", [30, 30], notes), stopping(100)), Lab())
    assert notes == [("a", 0), ("b", 0), ("b", 30), ("b", 60), ("a", 70)]


def test_what_is_due_at_once_goes_on_in_the_order_of_scheduling() -> None:
    notes: Notes = []
    run(family(ticking("a", [50, 50], notes), ticking("b", [20, 30, 50], notes), stopping(1000)), Lab())
    at = [name for name, ms in notes if ms == 50], [name for name, ms in notes if ms == 100]
    assert at == (["a", "b"], ["a", "b"]), "a was scheduled for 50 when b still had 20 before it"


def test_debate_time_moves_in_leaps_and_never_back() -> None:
    notes: Notes = []
    lab = Lab()
    debate = run(family(ticking("a", [1_000_00, 5], notes), stopping(150_000)), lab)
    assert lab.waited_ms == [100_000, 5, 49_995]
    assert debate.now_ms == 150_000


def test_a_watcher_goes_on_after_the_next_event_and_not_before() -> None:
    notes: Notes = []

    def watching() -> Script:
        seen = yield Watch()
        notes.append(("watcher", seen.now_ms))

    def failing() -> Script:
        yield Pause(40)
        yield Do(Tick())
        yield Pause(10)
        yield Do(NoteFailure(agent=ANN, ask="draft", reason="none"))

    run(family(watching(), failing(), stopping(100)), Lab())
    assert notes == [("watcher", 50)], "a tick that changes nothing writes nothing and wakes nobody"


def test_a_command_comes_back_as_the_events_it_made() -> None:
    found: list[str] = []

    def asking() -> Script:
        seen = yield Do(RecordFirst(firsts=((ANN, FIRST), (BOB, replace(FIRST, p_top=0.2, side=TopSide.NO)))))
        found.extend(e.kind for e in seen.events)
        yield Do(Stop())

    lab = Lab()
    debate = run(asking(), lab)
    assert found == ["first_position", "first_position"]
    assert fold(lab.written) == debate


def test_nothing_happens_after_the_end() -> None:
    notes: Notes = []

    def eager() -> Script:
        yield Do(Stop())
        notes.append(("eager", 0))
        yield Do(NoteFailure(agent=ANN, ask="draft", reason="none"))

    lab = Lab()
    run(family(eager(), ticking("late", [5], notes)), lab)
    assert notes == []
    assert lab.written[-1].kind == "debate_complete"


def test_a_command_from_outside_takes_effect_before_its_step() -> None:
    notes: Notes = []
    lab = Lab(stop_at=4)
    debate = run(family(ticking("a", [10] * 50, notes)), lab)
    assert notes == [("a", 0), ("a", 10)], "step 0 spawns, step 1 begins, steps 2 and 3 tick"
    assert debate.complete is not None and debate.complete.ending is Ending.STOPPED


def test_a_kernel_without_an_end_is_a_bug_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_module, "STEPS_MAX", 50)
    with pytest.raises(AssertionError, match="ends by time"):
        run(ticking("a", [1] * 100, []), Lab())


# ---- thoughts


def thinking(agent: AgentId, ms: int, notes: Notes) -> Script:
    seen = yield Think((AskFirst(agent=agent),), ms)
    notes.append((agent, seen.now_ms))
    assert seen.answers == (FIRST,)


def test_thoughts_overlap_in_real_time() -> None:
    notes: Notes = []
    begun: set[AgentId] = set()
    all_begun = asyncio.Event()

    async def answer(ask: Ask) -> First:
        begun.add(ask.agent)
        if len(begun) == 2:
            all_begun.set()
        await all_begun.wait()  # one at a time would wait here for ever
        return FIRST

    run(family(thinking(ANN, 10, notes), thinking(BOB, 20, notes), stopping(30)), Lab(answer))
    assert notes == [(ANN, 10), (BOB, 20)]


def test_the_asks_of_one_thought_overlap_too() -> None:
    begun: list[AgentId] = []
    all_begun = asyncio.Event()

    async def answer(ask: Ask) -> First:
        begun.append(ask.agent)
        if len(begun) == 2:
            all_begun.set()
        await all_begun.wait()
        return replace(FIRST, reason=ask.agent)

    found: list[object] = []

    def both() -> Script:
        seen = yield Think((AskFirst(agent=BOB), AskFirst(agent=ANN)), 0)
        found.extend(seen.answers)
        yield Do(Stop())

    run(both(), Lab(answer))
    assert begun == [BOB, ANN]
    assert found == [replace(FIRST, reason="bob"), replace(FIRST, reason="ann")], "in the order of asking"


def test_the_kernel_waits_only_for_what_is_due() -> None:
    async def never(ask: Ask) -> First:
        return await asyncio.get_running_loop().create_future()

    notes: Notes = []
    run(family(thinking(ANN, 500, notes), ticking("b", [100] * 4, notes), stopping(499)), Lab(never))
    assert notes == [("b", ms) for ms in (0, 100, 200, 300, 400)]


@pytest.mark.parametrize("slow", [ANN, BOB])
def test_an_answer_that_comes_first_does_not_go_first(slow: AgentId) -> None:
    quick_is_there = asyncio.Event()

    async def answer(ask: Ask) -> First:
        if ask.agent == slow:
            await quick_is_there.wait()
        else:
            quick_is_there.set()
        return FIRST

    notes: Notes = []
    run(family(thinking(ANN, 200, notes), thinking(BOB, 100, notes), stopping(300)), Lab(answer))
    assert notes == [(BOB, 100), (ANN, 200)]


def test_others_see_a_thought_while_it_is_under_way() -> None:
    notes: list[tuple[int, list[AgentId]]] = []

    async def answer(ask: Ask) -> First:
        return FIRST

    def looking() -> Script:
        while True:
            seen = yield Pause(50)
            notes.append((seen.now_ms, [t.agent for t in seen.thoughts]))

    run(family(thinking(ANN, 60, []), thinking(BOB, 120, []), looking(), stopping(180)), Lab(answer))
    assert notes == [(50, [ANN, BOB]), (100, [BOB]), (150, [])]


# ---- scripts driven by hand


def sent(script: Generator[Effect, Observation, Any], seen: Observation) -> Effect:
    """The next effect; where a text is to be read, what follows on reading it."""
    effect = script.send(seen)
    if not isinstance(effect, Read):
        return effect
    assert isinstance(effect.passage, Passage)
    return script.send(replace(seen, reading=READER.read(effect.passage)))


def begun() -> Debate:
    return decide(None, Start(started=STARTED), 0).debate


def test_the_opening_asks_everybody_before_anybody_speaks() -> None:
    script = opening((ANN, BOB), Least(), LIKE)
    assert next(script) == Think((AskFirst(agent=ANN), AskFirst(agent=BOB)), 0)
    seen = Observation(debate=begun(), now_ms=0)
    recorded = sent(script, replace(seen, answers=(FIRST, FIRST)))
    assert recorded == Do(RecordFirst(firsts=((ANN, FIRST), (BOB, FIRST))))
    spawned = [sent(script, seen) for _ in range(4)]
    assert all(isinstance(effect, Spawn) for effect in spawned), "crystalliser, watchman and two speakers"
    with pytest.raises(StopIteration):
        sent(script, seen)


def test_the_opening_notes_who_could_not_answer() -> None:
    script = opening((ANN, BOB), Least(), LIKE)
    next(script)
    seen = Observation(debate=begun(), now_ms=0)
    assert sent(script, replace(seen, answers=(FIRST, Failed(reason="no line")))) == Do(
        NoteFailure(agent=BOB, ask="first", reason="no line")
    )
    assert sent(script, seen) == Do(RecordFirst(firsts=((ANN, FIRST),)))


def test_the_watchman_lets_the_clock_tick() -> None:
    script = moderator_clock()
    seen = Observation(debate=begun(), now_ms=0)
    effects = [next(script), *(sent(script, seen) for _ in range(3))]
    assert effects == [Pause(5_000), Do(Tick()), Pause(5_000), Do(Tick())]


def drafting() -> tuple[Script, Debate, AskDraft]:
    """A speaker that has just been asked for its first draft."""
    script, debate = speaker(ANN, Least(), LIKE), begun()
    assert next(script) == Pause(0)
    effect = sent(script, Observation(debate=debate, now_ms=0))
    assert isinstance(effect, Think) and effect.ms == 3_000
    (ask,) = effect.asks
    assert isinstance(ask, AskDraft)
    return script, debate, ask


def test_a_speaker_thinks_says_it_and_thinks_again_inside_its_cooldown() -> None:
    script, debate, ask = drafting()
    assert (ask.agent, ask.attempt, ask.duty, ask.heard) == (ANN, 1, None, 0)
    assert MoveKind.CLAIM in ask.allowed and MoveKind.COMMIT_POSITION not in ask.allowed
    said = sent(script, Observation(debate=debate, now_ms=3_000, answers=(Drafted(draft=CLAIM),)))
    plain = DraftReading()
    assert said == Do(Say(agent=ANN, thread=ask.thread, draft=CLAIM, attempt=1, cooldown_ms=6_000, reading=plain))
    assert isinstance(said, Do) and isinstance(said.command, Say)
    decided = decide(debate, said.command, 3_000)
    assert any(isinstance(e, MessagePosted) for e in decided.events)
    waits = sent(script, Observation(debate=decided.debate, now_ms=3_000, events=decided.events))
    assert waits == Pause(3_000), "a thought of 3 s that ends with the cooldown of 6 s"


def test_silence_is_no_event_and_costs_a_pause() -> None:
    script, debate, _ = drafting()
    assert sent(script, Observation(debate=debate, now_ms=3_000, answers=(Silence(),))) == Pause(6_000)


def test_a_failed_thought_is_noted() -> None:
    script, debate, _ = drafting()
    noted = sent(script, Observation(debate=debate, now_ms=3_000, answers=(Failed(reason="time-out"),)))
    assert noted == Do(NoteFailure(agent=ANN, ask="draft", reason="time-out"))


def test_a_refused_draft_is_revised_twice_and_then_dropped() -> None:
    script, debate, ask = drafting()
    wrong = Draft(move=Concede(proposition="all of it", top_changed=False), content="You are right about all of it.")
    now_ms, outcomes = 3_000, []
    for attempt in (1, 2, 3):
        said = sent(script, Observation(debate=debate, now_ms=now_ms, answers=(Drafted(draft=wrong),)))
        assert isinstance(said, Do) and isinstance(said.command, Say) and said.command.attempt == attempt
        decided = decide(debate, said.command, now_ms)
        (refused,) = decided.events
        assert isinstance(refused, MessageRefused)
        outcomes.append(refused.outcome)
        debate = decided.debate
        after = sent(script, Observation(debate=debate, now_ms=now_ms, events=decided.events))
        if attempt < 3:
            assert isinstance(after, Think) and after.ms == 3_000
            (again,) = after.asks
            assert again == replace(ask, refused=refused.refusals, attempt=attempt + 1)
            now_ms += 3_000
        else:
            assert after == Pause(6_000)
    assert outcomes == ["revise", "revise", "dropped"]


@pytest.mark.rule("FLOOD-5")
def test_a_draft_refused_for_time_is_said_again_and_not_asked_for_again() -> None:
    script, debate, _ = drafting()
    ready = replace(debate, ready_ms={ANN: 4_500})
    said = sent(script, Observation(debate=ready, now_ms=3_000, answers=(Drafted(draft=CLAIM),)))
    assert isinstance(said, Do) and isinstance(said.command, Say)
    held = decide(ready, said.command, 3_000)
    assert [e.kind for e in held.events] == ["message_refused"]
    assert sent(script, Observation(debate=held.debate, now_ms=3_000, events=held.events)) == Pause(1_500)
    again = sent(script, Observation(debate=held.debate, now_ms=4_500))
    assert isinstance(again, Do) and isinstance(again.command, Say) and again == said
    assert any(isinstance(e, MessagePosted) for e in decide(held.debate, again.command, 4_500).events)


# ---- latency


@pytest.mark.parametrize("pack", PACKS)
def test_the_same_seed_gives_the_same_bytes(pack: str) -> None:
    assert lines(debated(pack_of(pack)).events) == lines(debated(pack_of(pack)).events)


@pytest.mark.parametrize("delays", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 3))])
@pytest.mark.parametrize("pack", PACKS)
def test_events_are_the_same_to_the_byte_whatever_the_latency(pack: str, delays: int) -> None:
    chosen, chance = pack_of(pack), Random(delays)
    late = {
        id: DelayedDebater(d, lambda: chance.uniform(0.0, 0.003))
        for id, d in seats.simulated_debaters(chosen, 1).items()
    }
    delayed, prompt = debated(chosen, debaters=late), debated(chosen)
    assert isinstance(prompt.events[-1], DebateComplete)
    assert lines(delayed.events) == lines(prompt.events)
    assert delayed.result == prompt.result


@pytest.mark.parametrize("slow", ["holder", "economist"])
def test_one_slow_debater_changes_nothing(slow: str) -> None:
    chosen = pack_of("bitcoin")
    late = {
        id: DelayedDebater(d, lambda: 0.004) if id == slow else d
        for id, d in seats.simulated_debaters(chosen, 2).items()
    }
    assert lines(debated(chosen, seed=2, debaters=late).events) == lines(debated(chosen, seed=2).events)


def test_chance_comes_from_streams_of_their_own() -> None:
    """One more agent reshuffles nobody: the first positions and the first words of the others stay."""
    pack = pack_of("bitcoin")
    few, many = (debated(pack, agents=a).events for a in (("holder", "economist"), ("holder", "economist", "trader")))
    firsts = [[wire for wire in lines(events) if '"first_position"' in wire][:2] for events in (few, many)]
    assert firsts[0] == firsts[1]


class SaysNo:
    """A debater that is paid for and returns what is no answer at all."""

    is_paid = True

    async def answer(self, ask: Any, record: Any) -> Any:
        return "no"


def test_what_is_no_answer_is_told_as_such_and_not_as_one_that_cannot_be_kept() -> None:
    seated = {AgentId(id): SaysNo() for id in PAIR}
    told = "\n".join(lines(debated(pack_of("bitcoin"), agents=PAIR, debaters=seated).events))
    assert "cannot be used" in told and "cannot be kept" not in told
