"""Whole debates over MCP: they go on between the calls, end when asked to, and outlive the server in the store."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import anyio
import pytest
from mcp import Client

from bench.fake.brain import believer
from bench.fake.caster import caster
from bench.fake.server import Brain, FakeProvider, running
from cruxfinder.adapters.models.model_pool import RequestLimits
from cruxfinder.app import resumption, stored_runs
from cruxfinder.app.model_request import ModelRequest
from cruxfinder.app.server_setup import Setup
from cruxfinder.kernel import wire
from cruxfinder.mcp.mcp_server import build
from tests.mcp_server.callers import ERAS, Caller, called, failed, replies, said

pytestmark = pytest.mark.anyio
LOOKS = 300
Thinking = tuple[Client, FakeProvider]


async def until(client: Client, run: str, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first status that is as wanted."""
    found: dict[str, Any] = {}
    for _ in range(LOOKS):
        found = await called(client, "debate_status", {"run": run})
        if wanted(found):
            return found
        await anyio.sleep(0.02)
    raise AssertionError(f"never: {found}")


@asynccontextmanager
async def thinking(
    setup: Setup, brain: Brain, *, latency_s: float = 0, max_calls: int | None = None
) -> AsyncGenerator[Thinking]:
    """A client of a server with a model that is configured, and that model's provider."""
    async with running(FakeProvider(brain, latency_s=latency_s)) as provider:
        wished = ModelRequest(model="fake", base_url=provider.url, max_calls=max_calls)
        async with Client(build(replace(setup, wished=wished))) as client:
            yield client, provider


@pytest.mark.parametrize("era", ERAS)
async def test_a_pack_is_debated_and_its_result_is_the_stored_one(setup: Setup, era: str) -> None:
    heard: list[str] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(str(message))

    caller = Caller(replies())
    async with Client(build(setup), mode=era, sampling_callback=caller) as client:
        begun = await client.call_tool("debate_start", {"subject": "bitcoin", "seed": 2}, progress_callback=hear)
        assert begun.structured_content is not None, said(begun)
        run = begun.structured_content["runId"]
        result = await client.call_tool("debate_result", {"run": run, "wait_s": 30}, progress_callback=hear)
        status = await called(client, "debate_status", {"run": run})
        again = await failed(client, "debate_stop", {"run": run})
    shown = stored_runs.load_run(run, setup.store)
    assert result.structured_content == {
        "runId": run,
        "state": "complete",
        "finished": True,
        "kind": "result",
        "result": wire.camel(shown.outcome),
    }
    assert f"It turns on: {shown.result.primary_crux_question}" in said(result)
    assert (status["state"], status["events"], status["stage"]) == ("complete", len(shown.events), "over")
    assert len(status["last"]) == 3 and status["threads"][0]["id"] == "t1"
    assert again == f"run {run} is over already"
    assert heard[0] == f"run {run} has begun"
    assert heard[-1].endswith(" events")
    assert caller.asked == []  # whole debates never ask the caller


async def test_a_conversation_in_turns_comes_to_minutes(setup: Setup) -> None:
    wish = {"subject": "monolith", "protocol": "roundtable", "seed": 1}
    async with Client(build(setup)) as client:
        run = (await called(client, "debate_start", wish))["runId"]
        found = await called(client, "debate_result", {"run": run, "wait_s": 30})
    assert found["kind"] == "minutes"
    assert found["result"] == wire.camel(stored_runs.load_run(run, setup.store).minutes)


async def test_a_debate_that_is_under_way_says_how_far_it_is_and_can_be_stopped(setup: Setup) -> None:
    async with thinking(setup, believer(), latency_s=0.1) as (client, _):
        run = (await called(client, "debate_start", {"subject": "monolith", "with_model": True}))["runId"]
        status = await until(client, run, lambda found: found["messages"] >= 2)
        early = await client.call_tool("debate_result", {"run": run})
        stopped = await called(client, "debate_stop", {"run": run})
        found = await called(client, "debate_result", {"run": run, "wait_s": 20})
    assert (status["state"], status["stage"]) == ("running", "DISCOVERY")
    assert status["last"][-1]["content"]
    assert early.structured_content is not None and not early.is_error
    assert (early.structured_content["finished"], early.structured_content["result"]) == (False, None)
    assert said(early) == f"Run {run} is not finished; it is running. Ask again in a while."
    assert stopped == {"runId": run, "stopRequested": True}
    assert found["result"]["ending"] == "stopped"


async def test_a_topic_is_debated_with_the_configured_model(setup: Setup) -> None:
    wish = {"subject": "Should we split the monolith?", "max_messages": 6}
    async with thinking(setup, caster()) as (client, provider):
        begun = await called(client, "debate_start", wish)
        found = await called(client, "debate_result", {"run": begun["runId"], "wait_s": 30})
    assert begun["state"] == "preparing"
    assert begun["runId"].startswith("should-we-split-the-monolith-")
    assert found["finished"], found
    assert [agent["name"] for agent in found["result"]["agents"]][:2] == ["Ada", "Bo"]
    assert found["result"]["ending"] == "messages"
    assert provider.count > 6


@pytest.mark.parametrize(("own", "asked", "holds"), [(8, 60, 8), (60, 8, 8), (8, None, 8), (None, 8, 8)])
async def test_a_caller_can_lower_a_cap_of_the_server_not_raise_it(
    setup: Setup, own: int | None, asked: int | None, holds: int
) -> None:
    wish = {"subject": "monolith", "with_model": True, "max_calls": asked}
    async with thinking(setup, believer(), max_calls=own) as (client, provider):
        run = (await called(client, "debate_start", wish))["runId"]
        found = await called(client, "debate_result", {"run": run, "wait_s": 30})
    assert (found["result"]["ending"], provider.count) == ("budget", holds)


async def test_a_topic_whose_people_cannot_be_drawn_up_fails_with_the_reason(setup: Setup) -> None:
    async with thinking(setup, lambda *_: "no") as (client, _):
        run = (await called(client, "debate_start", {"subject": "Is water wet in space?"}))["runId"]
        status = await until(client, run, lambda found: found["state"] == "failed")
        result = await client.call_tool("debate_result", {"run": run})
    assert status["why"]
    assert said(result) == f"Run {run} is not finished; it is failed: {status['why']}. Begin another one."


async def test_a_debate_whose_people_are_still_drawn_up_can_be_stopped(setup: Setup) -> None:
    async with thinking(setup, caster(), latency_s=5) as (client, _):
        run = (await called(client, "debate_start", {"subject": "Is water wet in space?"}))["runId"]
        before = await called(client, "debate_status", {"run": run})
        await called(client, "debate_stop", {"run": run})
        status = await until(client, run, lambda found: found["state"] == "failed")
    assert before["state"] == "preparing"
    assert status["why"] == "it was stopped before it began"
    assert setup.store.rows() == ()


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        pytest.param({"subject": "Is water wet?"}, "a topic of your own needs a model that is configured", id="topic"),
        pytest.param({"subject": "bitcoins"}, "there is no pack bitcoins; did you mean bitcoin?", id="unknown pack"),
        pytest.param({"subject": "/etc/passwd.yaml"}, "there is no pack /etc/passwd.yaml", id="a file"),
        pytest.param({"subject": "bitcoin", "with_model": True}, "no model is configured", id="no model"),
        pytest.param({"subject": "bitcoin", "agents": ["nobody"]}, "bitcoin has no agent 'nobody'", id="agent"),
        pytest.param({"subject": "bitcoin", "roles": {"king": "monk"}}, "role", id="role"),
        pytest.param(
            {"subject": "bitcoin", "max_messages": 0},
            "max_messages takes a whole number from 1 to 100,000, not 0",
            id="limit",
        ),
        pytest.param(
            {"subject": "bitcoin", "protocol": "duel"}, "protocol takes no 'duel'; it takes crux, ", id="kind"
        ),
    ],
)
async def test_a_debate_that_cannot_be_held_is_told_at_once(setup: Setup, wish: dict[str, Any], told: str) -> None:
    async with Client(build(setup)) as client:
        assert told in await failed(client, "debate_start", wish)
    assert setup.store.rows() == ()


@pytest.mark.parametrize("tool", ["debate_status", "debate_result", "debate_stop"])
@pytest.mark.parametrize("run", ["nothing-1", "../x", "DROP"])
async def test_an_unknown_run_is_told(setup: Setup, tool: str, run: str) -> None:
    async with Client(build(setup)) as client:
        text = await failed(client, tool, {"run": run})
    assert run in text and "\n" not in text


async def test_a_fifth_debate_is_refused_and_the_servers_end_keeps_what_there_is(setup: Setup) -> None:
    wish = {"subject": "monolith", "with_model": True}
    async with running(FakeProvider(believer(), latency_s=0.2)) as provider:
        configured = replace(setup, wished=ModelRequest(model="fake", base_url=provider.url))
        async with Client(build(configured)) as client:
            held = [(await called(client, "debate_start", {**wish, "seed": seed}))["runId"] for seed in range(4)]
            refused = await failed(client, "debate_start", wish)
            for run in held:
                await until(client, run, lambda found: found["events"] > 0)
        assert refused.startswith(f"4 debates are under way ({', '.join(held)})")
        assert {row.state for row in setup.store.rows()} == {"open"}
        provider.latency_s = 0
        async with Client(build(configured)) as client:
            status = await called(client, "debate_status", {"run": held[0]})
            waiting = await client.call_tool("debate_result", {"run": held[0]})
            stopped = await client.call_tool("debate_stop", {"run": held[1]})
        finished = await resumption.resume(held[0], setup.store, thinking=RequestLimits(), allowed=configured.allowance)
    assert status["state"] == "open"
    assert "`crux resume` goes on with a run that nobody holds" in said(waiting)
    assert said(stopped).endswith("once somebody goes on with it: this server does not hold it.")
    assert setup.store.stop_requested(held[1])
    assert setup.store.row(held[0]).state == "complete"
    assert finished.result.total_messages > 0
