"""Conversations resume, replay and fork as debates do, and no answer of a model or a person is asked for twice."""

import asyncio
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

import pytest

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import resumption, run_starts
from cruxfinder.app.people import Participation
from cruxfinder.debaters.scripted import DelayedDebater, FunctionDebater
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, ProtocolName
from cruxfinder.talk.asks import AskUser
from cruxfinder.talk.events import UserAnswered
from cruxfinder.talk.turns import CONSENSUS, DEBATE, DISCUSSION, ROUNDTABLE
from tests.golden.talks import Talker, curious, table_of
from tests.kernel.runs import Counted, given_again, lines, log_of, store_with

TALKS: Final = [DEBATE, CONSENSUS, DISCUSSION, ROUNDTABLE]
FREE_WILL: Final = pack_finder.find("free-will")[0]


@cache
def held(protocol: ProtocolName) -> tuple[MemoryStore, list[str]]:
    """The store with the run, and its lines; nobody writes into it."""
    store = MemoryStore()
    run = run_starts.start(FREE_WILL, store, seed=5, protocol=protocol, run="r1")
    return store, lines(asyncio.run(run).events)


@pytest.mark.parametrize("protocol", TALKS)
def test_cut_anywhere_it_goes_on_as_if_nothing_had_happened(protocol: ProtocolName) -> None:
    store, whole = held(protocol)
    entries = store.load("r1")
    for cut in (1, len(entries) // 2, len(entries) - 1):
        again = store_with(entries[:cut], store)
        assert lines(asyncio.run(resumption.resume("r1", again)).events) == whole


@pytest.mark.parametrize("protocol", TALKS)
def test_it_replays_to_the_byte(protocol: ProtocolName) -> None:
    store, whole = held(protocol)
    assert lines(asyncio.run(resumption.replay("r1", store)).events) == whole


def test_how_long_answers_take_changes_nothing() -> None:
    async def with_delays(seed: int) -> list[str]:
        dice = Random(seed)
        seats = {
            AgentId(id): DelayedDebater(FunctionDebater(Talker(id).reply), lambda: dice.random() / 500)
            for id in ("ann", "bob", "cat")
        }
        run = run_starts.start(table_of(list(seats)), MemoryStore(), debaters=seats, protocol=CONSENSUS)
        return lines((await run).events)

    assert asyncio.run(with_delays(1)) == asyncio.run(with_delays(2))


def test_a_fork_shares_what_was_said_and_goes_on_with_something_changed() -> None:
    told, whole = held(ROUNDTABLE)
    store = store_with(told.load("r1"), told)
    changes = [f"persona.scot.belief.{id}=0.05" for id in ("lasting-self", "felt-freedom", "deliberation-settles")]
    branch = asyncio.run(resumption.fork("r1", 20, changes, store, run="r2"))
    assert lines(branch.events)[:20] == whole[:20]
    assert lines(branch.events)[21:] != whole[20:]
    assert branch.minutes.total_turns == 48


def test_what_the_user_said_is_kept_and_asked_once() -> None:
    asked: list[str] = []

    async def inbox(ask: AskUser) -> str:
        asked.append(ask.question)
        return "four feet"

    def seats() -> dict[AgentId, Counted]:
        return {AgentId(id): Counted(FunctionDebater(t.reply)) for id, t in curious().items()}

    store, pack = MemoryStore(), table_of(["ann", "bob"])
    settings, user = Settings(asks_user=True), Participation(inbox, wait_s=5)
    run = run_starts.start(
        pack, store, debaters=seats(), settings=settings, protocol=DEBATE, user=user, run="r1", seed=3
    )
    whole = lines(asyncio.run(run).events)
    assert len(asked) == 1
    entries = store.load("r1")
    place = next(n for n, e in enumerate(entries) if e.kind == "answer" and e.body.startswith('{"key":"user#1"'))
    again = store_with(entries[: place + 1], store)
    rest = given_again(log_of(store), (AgentId("ann"), AgentId("bob")), log_of(again))
    finished = asyncio.run(resumption.resume("r1", again, debaters=rest, user=user))
    assert lines(finished.events) == whole
    assert len(asked) == 1, "the answer was in the log"
    assert lines(asyncio.run(resumption.replay("r1", store)).events) == whole


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_an_answer_may_come_from_another_process(kind: str, tmp_path: Path) -> None:
    store = MemoryStore() if kind == "memory" else SqliteStore(tmp_path / "runs.db")

    async def scenario() -> tuple[UserAnswered, ...]:
        seats = {AgentId(id): FunctionDebater(t.reply) for id, t in curious().items()}
        held = asyncio.ensure_future(
            run_starts.start(
                table_of(["ann", "bob"]),
                store,
                debaters=seats,
                settings=Settings(asks_user=True),
                protocol=DEBATE,
                user=Participation(wait_s=60),
                run="r1",
            )
        )
        while not any('"user_question"' in e.body for run in store.rows() for e in store.load(run.id)):
            await asyncio.sleep(0.02)
        store.put_reply("r1", "n1", "six feet")
        store.put_reply("r1", "n1", "too late: the first answer stands")
        return tuple(e for e in (await held).events if isinstance(e, UserAnswered))

    answers = asyncio.run(asyncio.wait_for(scenario(), 60))
    assert [a.answer for a in answers] == ["six feet"]
    store.close()
