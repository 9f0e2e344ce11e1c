"""A person at a seat: what waits for them, what they may answer, and what happens when they do not."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

import cruxfinder as cf
from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import participants, resumption
from cruxfinder.app.people import Participation
from cruxfinder.crux.asks import AskDraft, AskFirst, Drafted, First
from cruxfinder.crux.events import MessagePosted, MessageRefused
from cruxfinder.crux.moves import Claim, Draft, Reframe
from cruxfinder.debaters.people.desk import Desk, why_unusable
from cruxfinder.debaters.simulated.debater import SimulatedDebater
from cruxfinder.errors import BadInput, NotAsked, StoreFault
from cruxfinder.kernel import wire
from cruxfinder.kernel.run_facts import AskFailed, DebateStarted, Failed, Silence
from cruxfinder.kernel.vocabulary import AgentId, MoveKind, ThreadId, TopSide
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk
from cruxfinder.protocols.any_run import Finished
from cruxfinder.protocols.registry import fold

PACK = pack_finder.find("monolith")[0]
SEAT = PACK.personas[0]
FIRST = First(p_top=0.7, side=TopSide.YES, reason="it is the only way")
ASK = AskDraft(agent=AgentId("ana"), number=3, thread=ThreadId("t1"), allowed=(MoveKind.CLAIM,), heard=0)
RECORD = fold(cf.debate("monolith", max_messages=5).events)
CLAIM = Claim(proposition="it is slow", reason="we waited", confidence=0.6, top_side=TopSide.YES)


def stand_in() -> SimulatedDebater:
    """A person who answers as the believer of that seat would."""
    return SimulatedDebater(SEAT, PACK.propositions, 0, PACK.dilemmas)


def debated(**options: Any) -> Finished:
    return cf.debate("monolith", people=[SEAT.id], seed=0, **options)


def test_a_person_at_a_seat_answers_every_kind_of_ask_and_the_run_can_be_replayed() -> None:
    asked: list[str] = []
    person = stand_in()

    async def sitting(ask: AnyAsk, record: Any) -> AnyAnswer:
        asked.append(ask.kind)
        return await person.answer(ask, record)

    store = MemoryStore()
    found = debated(sitting=sitting, store=store)
    started = found.events[0]
    assert isinstance(started, DebateStarted)
    assert [(s.id, s.is_person) for s in started.seats if s.is_person] == [(SEAT.id, True)]
    assert {"first", "draft", "probe"} <= set(asked)
    same = cf.debate("monolith", seed=0)
    assert found.events[1:] == same.events[1:]  # whoever thinks, the same answers make the same debate
    assert cf.replay(found.run, store=store).events == found.events


def test_what_a_person_said_is_never_asked_again() -> None:
    store, asked = MemoryStore(), list[AnyAsk]()
    person = stand_in()

    async def until_the_tenth(ask: AnyAsk, record: Any) -> AnyAnswer:
        asked.append(ask)
        if len(asked) == 10:
            raise asyncio.CancelledError
        return await person.answer(ask, record)

    with pytest.raises(asyncio.CancelledError):
        debated(sitting=until_the_tenth, store=store, run="cut")
    with pytest.raises(BadInput, match=f"{SEAT.id} is a seat for a person"):
        cf.resume("cut", store=store)
    again: list[AnyAsk] = []

    async def rest(ask: AnyAsk, record: Any) -> AnyAnswer:
        again.append(ask)
        return await person.answer(ask, record)

    found = asyncio.run(resumption.resume("cut", store, user=Participation(sitting=rest)))
    assert again[0] == asked[-1]
    assert found.events[1:] == cf.debate("monolith", seed=0).events[1:]


def test_a_person_who_is_away_passes_after_a_while() -> None:
    async def away(ask: AnyAsk, record: Any) -> AnyAnswer:
        await asyncio.sleep(60)
        raise AssertionError

    found = debated(sitting=away, people_wait_s=0.001)
    spoken = {e.agent for e in found.events if isinstance(e, MessagePosted)}
    failed = [e for e in found.events if isinstance(e, AskFailed)]
    assert SEAT.id not in spoken and len(spoken) > 1
    assert {(e.agent, e.reason) for e in failed} == {(SEAT.id, "no answer came in time")}


def test_a_run_that_is_to_stop_waits_for_nobody() -> None:
    store = MemoryStore()

    async def scenario() -> str:
        asked = asyncio.Event()

        async def away(ask: AnyAsk, record: Any) -> AnyAnswer:
            asked.set()
            await asyncio.sleep(60)
            raise AssertionError

        task = asyncio.ensure_future(cf.adebate("monolith", people=[SEAT.id], sitting=away, store=store, run="held"))
        await asyncio.wait_for(asked.wait(), 10)
        store.request_stop("held")
        return (await asyncio.wait_for(task, 10)).outcome.ending.value

    assert asyncio.run(scenario()) == "stopped"


def test_a_draft_that_a_rule_sends_back_returns_with_its_reason() -> None:
    person, sent_back = stand_in(), list[AskDraft]()

    async def sitting(ask: AnyAsk, record: Any) -> AnyAnswer:
        if isinstance(ask, AskDraft) and ask.refused:
            sent_back.append(ask)
            return await person.answer(ask, record)
        if isinstance(ask, AskDraft) and MoveKind.REFRAME in ask.allowed and not sent_back:
            return Drafted(draft=Draft(move=Reframe(question="Is it?", why="so"), content="As you said, I agree."))
        return await person.answer(ask, record)

    found = debated(sitting=sitting)
    refused = [e for e in found.events if isinstance(e, MessageRefused) and e.agent == SEAT.id]
    assert sent_back and sent_back[0].refused == refused[0].refusals


@pytest.mark.parametrize(
    ("people", "agents", "reason"),
    [
        pytest.param(["nobody"], (), "monolith has no agent 'nobody'; it has", id="no such seat"),
        pytest.param([SEAT.id], tuple(p.id for p in PACK.personas[1:3]), "has no agent", id="a seat that is left out"),
        pytest.param([SEAT.id], (), "nobody can be asked here", id="nobody to ask"),
    ],
)
def test_a_seat_nobody_can_take_is_told(people: list[str], agents: tuple[str, ...], reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        cf.debate("monolith", people=people, agents=agents)


def test_a_seat_is_taken_by_name_too() -> None:
    assert participants.with_people(PACK, [SEAT.name.upper()]).personas[0].is_person


def test_guests_join_with_a_seat_of_their_own() -> None:
    found = participants.with_guests(PACK, ["Ana María"])
    assert (found.personas[-1].name, found.personas[-1].is_person) == ("Ana María", True)
    assert wire.pack(wire.dumps(found)) == found
    for strange in ("…", SEAT.id, "moderator"):
        with pytest.raises(BadInput, match="cannot take a seat"):
            participants.with_guests(PACK, [strange])
    with pytest.raises(BadInput, match="at most 12"):
        participants.with_guests(PACK, [f"guest {n}" for n in range(12)])


# ---- the desk


async def opened(desk: Desk, ask: AnyAsk) -> "asyncio.Task[AnyAnswer]":
    task = asyncio.ensure_future(desk.wait_for_answer(ask, RECORD))
    await asyncio.sleep(0)
    return task


def test_an_open_ask_takes_one_answer_that_fits() -> None:
    async def scenario() -> None:
        desk = Desk()
        waiting = await opened(desk, ASK)
        assert [(o.ask, o.seconds_left) for o in desk.open_asks()] == [(ASK, None)]
        said = Drafted(draft=Draft(move=CLAIM, content="It is slow."))
        with pytest.raises(NotAsked):
            await desk.answer("ana", 2, said)
        with pytest.raises(NotAsked):
            await desk.answer("bob", 3, said)
        for wrong, why in (
            (FIRST, "First is not an answer"),
            (Failed(reason="no"), "a person answers"),
            (Drafted(draft=Draft(move=Reframe(question="q", why="w"), content="x")), "REFRAME is not allowed now"),
            (Drafted(draft=Draft(move=CLAIM, content=" ")), "says nothing"),
            (Drafted(draft=Draft(move=replace(CLAIM, confidence=float("nan")), content="x")), "not a confidence"),
        ):
            with pytest.raises(BadInput, match=why):
                await desk.answer("ana", 3, wrong)
        handed = asyncio.ensure_future(desk.answer("ana", 3, said))
        assert await waiting == said
        with pytest.raises(NotAsked):
            await desk.answer("ana", 3, said)
        assert desk.open_asks() == () and not handed.done()  # it is not in the log yet
        desk.confirm_stored(ASK)
        await handed

    asyncio.run(scenario())


def test_the_time_left_is_known() -> None:
    async def scenario() -> None:
        desk = Desk(wait_s=30)
        waiting = await opened(desk, ASK)
        left = desk.open_asks()[0].seconds_left
        assert left is not None and 29 < left <= 30
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert desk.open_asks() == ()

    asyncio.run(scenario())


def test_a_closed_desk_lets_everything_pass() -> None:
    async def scenario() -> None:
        desk = Desk()
        waiting = await opened(desk, ASK)
        desk.close()
        with pytest.raises(TimeoutError):
            await waiting
        with pytest.raises(TimeoutError):
            await desk.wait_for_answer(AskFirst(agent=AgentId("ana")), RECORD)
        assert Silence() not in desk.open_asks()

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        pytest.param(
            Drafted(draft=Draft(move=CLAIM, content="x" * 601)), "601 characters, and 600", id="a long message"
        ),
        pytest.param(
            Drafted(draft=Draft(move=replace(CLAIM, confidence=7.5), content="x")), "7.5 is not", id="too sure"
        ),
        pytest.param(
            Drafted(draft=Draft(move=replace(CLAIM, reason="x" * 4_001), content="x")),
            "4001 characters",
            id="a long field",
        ),
    ],
)
def test_what_a_rule_would_send_back_for_its_form_is_told_before_it_costs_an_attempt(
    answer: AnyAnswer, why: str
) -> None:
    assert why in why_unusable(ASK, answer)


def test_an_answer_that_was_not_kept_is_told() -> None:
    async def scenario() -> None:
        desk = Desk()
        waiting = await opened(desk, ASK)
        handed = asyncio.ensure_future(desk.answer("ana", 3, Silence()))
        await waiting
        desk.close()  # the run broke off
        with pytest.raises(StoreFault, match="not kept"):
            await handed

    asyncio.run(scenario())
