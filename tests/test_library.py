"""The library's front door: what it takes, what it refuses, and what it leaves behind."""

import asyncio
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import cruxfinder as cf
from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.crux.events import MessagePosted
from cruxfinder.errors import BadInput
from cruxfinder.kernel import wire
from cruxfinder.kernel.run_facts import DebateForked, DebateStarted
from cruxfinder.kernel.vocabulary import AgentId, Ending
from cruxfinder.protocols.any_run import AnyEvent

BITCOIN = pack_finder.find("bitcoin")[0]


def lines(events: tuple[AnyEvent, ...]) -> list[str]:
    return [wire.dumps(e) for e in events if not isinstance(e, DebateForked)]


@pytest.mark.parametrize(
    "given",
    [
        {"seed": "abc"},
        {"seed": 1.5},
        {"seed": True},
        {"max_messages": 2.5},
        {"max_messages": 0},
        {"max_messages": -3},
        {"max_minutes": 0.000001},
        {"max_minutes": -1},
        {"max_calls": 0},
        {"max_calls": 2.5},
        {"wait_s": -1},
        {"wait_s": float("nan")},
        {"people_wait_s": "soon"},
        {"embedder": "magic"},
        {"embedder": ""},
        {"off": ["NOPE-1"]},
        {"agents": ["holder"]},
        {"agents": ["holder", "nobody"]},
        {"debaters": {}},
        {"run": "../x"},
    ],
    ids=str,
)
def test_bad_input_is_refused_and_nothing_is_kept(given: dict[str, Any]) -> None:
    store = MemoryStore()
    with pytest.raises(BadInput):
        cf.debate("bitcoin", store=store, **given)
    assert store.rows() == ()


@pytest.mark.parametrize(
    "pack",
    [
        3,
        replace(BITCOIN, personas=(replace(BITCOIN.personas[0], id=AgentId("moderator")), *BITCOIN.personas[1:])),
        replace(BITCOIN, personas=(BITCOIN.personas[0], BITCOIN.personas[0])),
        replace(BITCOIN, propositions=()),
        replace(BITCOIN, propositions=BITCOIN.propositions[1:]),
    ],
    ids=["a number", "a reserved id", "twice the same", "no propositions", "beliefs about nothing"],
)
def test_a_pack_made_in_python_is_checked(pack: Any) -> None:
    with pytest.raises(BadInput):
        cf.debate(pack)


def test_a_pack_of_any_name_gets_a_run_id() -> None:
    assert cf.debate(replace(BITCOIN, name="My Pack!"), seed=1).run.startswith("my-pack-")


def test_a_store_opened_by_its_path_is_closed_again(tmp_path: Path) -> None:
    before = threading.active_count()
    for seed in range(3):
        cf.debate("bitcoin", seed=seed, store=tmp_path / "runs.db")
    assert threading.active_count() == before


def test_a_store_is_named_by_a_path_or_a_url(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    said = cf.debate("bitcoin", seed=3, store=f"sqlite:///{path}", run="r1")
    assert cf.load("r1", store=path).events == cf.load("r1", store=str(path)).events == said.events
    assert cf.debate("bitcoin", seed=3, store="memory:", run="r1").events == said.events
    with pytest.raises(BadInput, match=r"not by mysql://$"):
        cf.debate("bitcoin", store="mysql://there/runs")


@pytest.mark.parametrize("at", [20, 60, 90])
def test_a_fork_that_changes_nothing_is_its_parent(at: int) -> None:
    store = MemoryStore()
    parent = cf.debate("bitcoin", seed=7, store=store, run="parent")
    assert lines(cf.fork("parent", at=at, change=[], store=store).events) == lines(parent.events)


def test_a_stop_asked_for_while_nobody_ran_it_is_honoured_on_resume() -> None:
    class Enough(Exception):
        pass

    said: list[AnyEvent] = []

    def listen(event: AnyEvent) -> None:
        said.append(event)
        if sum(isinstance(e, MessagePosted) for e in said) == 12:
            raise Enough

    store = MemoryStore()
    with pytest.raises(Enough):
        asyncio.run(run_starts.start(BITCOIN, store, seed=3, listener=listen, run="r1"))
    store.request_stop("r1")
    resumed = cf.resume("r1", store=store)
    assert resumed.result.ending is Ending.STOPPED
    assert resumed.result.confidence == "LOW"
    assert cf.replay("r1", store=store).result == resumed.result


def test_a_pack_in_another_script_finds_the_same_crux() -> None:
    """Propositions are told apart by their words, whatever the alphabet."""
    letters = str.maketrans("abcdefghijklmnopqrstuvwxyz", "абцдефгхийклмнопярстувьюуз")

    def translated(text: str) -> str:
        return text.lower().translate(letters)

    propositions = tuple(
        replace(p, statement=translated(p.statement), denial=translated(p.denial), question=translated(p.question))
        for p in BITCOIN.propositions
    )
    found = cf.debate(replace(BITCOIN, propositions=propositions), seed=2).result
    assert found.primary_crux_question == translated(str(cf.debate("bitcoin", seed=2).result.primary_crux_question))


def test_streamed_events_are_those_of_the_run() -> None:
    async def streamed() -> list[str]:
        return [wire.dumps(e) async for e in cf.stream("monolith", seed=1)]

    assert asyncio.run(streamed()) == [wire.dumps(e) for e in cf.debate("monolith", seed=1).events]


def test_a_run_says_what_it_was_told() -> None:
    started = cf.debate("bitcoin", max_messages=3, max_calls=40, embedder="keyword").events[0]
    assert isinstance(started, DebateStarted)
    assert (started.settings.max_calls, started.settings.embedder) == (40, "keyword")
    assert started.embedder.startswith("keyword")


def test_inside_an_event_loop_the_asynchronous_one_is_asked_for() -> None:
    async def wrong() -> None:
        cf.debate("bitcoin")

    with pytest.raises(BadInput, match="adebate"):
        asyncio.run(wrong())
