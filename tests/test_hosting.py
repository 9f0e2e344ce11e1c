"""The debate host: debates as tasks of a server, noted in the store so that the next server goes on with them."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cruxfinder as cf
from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import stored_runs
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.app.gate_calls import open_gate as gate_opened
from cruxfinder.app.hosting import DebateHost, HostedDebate, HostingSettings, open_host
from cruxfinder.app.server_setup import Setup
from cruxfinder.crux.asks import AskFirst, First
from cruxfinder.errors import BadInput, Busy, NoSuchRun, RunTaken
from cruxfinder.kernel.vocabulary import TopSide

WATCHED = HostingSettings(pace=0.05)
FIRST = First(p_top=0.7, side=TopSide.YES, reason="it is the only way")


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return Setup(gate=gate_opened({"memory": str(tmp_path)}), store=MemoryStore(), house=True)


async def until(true: Callable[[], bool]) -> None:
    for _ in range(1_000):
        if true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come")


def test_a_run_that_a_server_left_is_gone_on_with_by_the_next(setup: Setup) -> None:
    async def scenario() -> tuple[str, tuple[str, ...], str]:
        async with open_host(setup) as host:
            held = await host.start(DebateRequest("monolith", seed=3), WATCHED)
            await until(lambda: len(held.events) > 20)
        assert setup.store.row(held.run).state == "open"
        async with open_host(setup) as host:
            resumed = await host.recover()
            again = host.find_debate(held.run)
            assert again is not None and again.manner == WATCHED
            assert await host.state(held.run) == "running"
            with pytest.raises(BadInput, match="under way already"):
                await host.resume(held.run)
        async with open_host(setup) as host:
            last = await host.resume(held.run)
            await until(lambda: last.is_over)
            return held.run, resumed, last.state

    run, resumed, state = asyncio.run(scenario())
    assert (resumed, state) == ((run,), "complete")
    assert stored_runs.load_run(run, setup.store).events == cf.debate("monolith", seed=3).events
    assert setup.store.hosted_runs() == ()


def test_a_run_that_somebody_else_holds_is_left_to_them(setup: Setup) -> None:
    async def scenario() -> None:
        async with open_host(setup) as host:
            held = await host.start(DebateRequest("monolith", seed=3), WATCHED)
        with setup.store.claim(held.run):
            async with open_host(setup) as host:
                assert await host.recover() == ()
                with pytest.raises(RunTaken):
                    await host.resume(held.run)
                assert host.find_debate(held.run) is None and await host.state(held.run) == "open"
        assert [run for run, _ in setup.store.hosted_runs()] == [held.run]

    asyncio.run(scenario())


def test_only_so_many_debates_are_held_at_once(setup: Setup) -> None:
    async def scenario() -> None:
        async with open_host(setup, at_once=2) as host:
            runs = [(await host.start(DebateRequest("monolith", seed=seed), WATCHED)).run for seed in (1, 2)]
            with pytest.raises(Busy, match=f"2 debates are under way .{runs[0]}, {runs[1]}."):
                await host.start(DebateRequest("monolith", seed=3))

    asyncio.run(scenario())


def test_what_had_to_wait_for_room_goes_on_when_there_is_some(setup: Setup) -> None:
    async def scenario() -> None:
        async with open_host(setup, at_once=3) as host:
            runs = [(await host.start(DebateRequest("monolith", seed=seed), WATCHED)).run for seed in (1, 2, 3)]
        async with open_host(setup, at_once=1) as host:
            assert await host.recover() == (runs[0],)
            await host.stop(runs[0])
            await until(lambda: (held := host.find_debate(runs[1])) is not None and held.state == "running")
            await host.stop(runs[1])
            await until(lambda: host.find_debate(runs[2]) is not None)

    asyncio.run(scenario())


def test_several_who_resume_one_run_at_once_get_one_answer_each(setup: Setup) -> None:
    async def scenario() -> list[object]:
        async with open_host(setup) as host:
            held = await host.start(DebateRequest("monolith", seed=3), WATCHED)
        with setup.store.claim(held.run):
            async with open_host(setup, at_once=20) as host:
                return await asyncio.gather(*(host.resume(held.run) for _ in range(8)), return_exceptions=True)

    assert {type(told) for told in asyncio.run(scenario())} <= {RunTaken, BadInput}


@pytest.mark.parametrize(
    ("subject", "options", "reason"),
    [
        pytest.param("bitcoin", {"agents": ["nobody"]}, "has no agent 'nobody'", id="agent"),
        pytest.param("bitcoin", {"people": ["nobody"]}, "has no agent 'nobody'", id="seat"),
        pytest.param("bitcoin", {"max_messages": -1}, "max_messages", id="limit"),
        pytest.param("/etc/hostname.yaml", {}, "there is no pack /etc/hostname.yaml", id="a path is read by nobody"),
    ],
)
def test_what_stands_against_a_debate_is_told_at_once(setup: Setup, subject: str, options: Any, reason: str) -> None:
    async def scenario() -> HostedDebate:
        async with open_host(setup) as host:
            held = await host.start(DebateRequest(subject, **options))
            await until(lambda: held.is_over)
            raise BadInput(held.why)

    with pytest.raises(BadInput, match=reason):
        asyncio.run(scenario())


def test_a_fork_goes_its_own_way(setup: Setup) -> None:
    async def scenario(host: DebateHost) -> str:
        parent = await host.start(DebateRequest("monolith", seed=3))
        await until(lambda: parent.is_over)
        with pytest.raises(BadInput, match="--at takes 1 to"):
            await host.fork(parent.run, 10_000, ())
        with pytest.raises(NoSuchRun):
            await host.fork("nothing-here", 1, ())
        slowly = await host.fork(parent.run, 30, ["max-messages=40"], HostingSettings(pace=60.0))
        await until(lambda: len(slowly.events) >= 30)  # nobody waits for what has happened before
        branch = await host.fork(parent.run, 30, ["max-messages=40"])
        await until(lambda: branch.is_over)
        assert setup.store.row(branch.run).parent == parent.run
        return branch.state

    async def held() -> str:
        async with open_host(setup) as host:
            return await scenario(host)

    assert asyncio.run(held()) == "complete"


def test_a_debate_that_waits_for_a_person_is_answered_at_its_desk_and_can_be_stopped(setup: Setup) -> None:
    async def scenario() -> tuple[HostedDebate, str]:
        async with open_host(setup) as host:
            seat = pack_finder.find("monolith")[0].personas[0].id
            held = await host.start(DebateRequest("monolith", people=[seat], seed=3), WATCHED)
            await until(lambda: bool(held.desk.open_asks()))
            asked = held.desk.open_asks()[0].ask
            assert isinstance(asked, AskFirst)
            await held.desk.answer(seat, asked.number, FIRST)
            await until(lambda: any(o.ask.number > asked.number for o in held.desk.open_asks()))
            await host.stop(held.run)
            await until(lambda: held.is_over)
            return held, stored_runs.load_run(held.run, setup.store).outcome.ending.value

    held, ending = asyncio.run(scenario())
    assert (held.state, ending) == ("complete", "stopped")
