"""The tools as clients see them: what they are called, what they take, what they answer, how they say no."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from typer.testing import CliRunner

from cruxfinder.app.server_setup import Setup
from cruxfinder.cli import gate_hook
from cruxfinder.cli.main import app
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import METRICS, Memory
from cruxfinder.mcp.mcp_server import build
from tests.mcp_server.callers import DROP, ERAS, called, failed, said

pytestmark = pytest.mark.anyio
TASK = {"task": "start the server"}


async def test_every_tool_is_typed_described_and_hinted(setup: Setup) -> None:
    async with Client(build(setup)) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    gate = ["gate_plan", "gate_failure", "gate_attempt", "gate_outcome", "gate_report"]
    assert list(tools) == [*gate, "debate_start", "debate_status", "debate_result", "debate_stop"]
    for tool in tools.values():
        assert tool.description and "\n" not in tool.description
        assert tool.output_schema is not None and tool.output_schema["additionalProperties"] is False
        assert tool.annotations is not None and tool.annotations.open_world_hint is not None
        for name, argument in tool.input_schema.get("properties", {}).items():
            assert "description" in argument, f"{tool.name}.{name}"
    reading = {name for name, tool in tools.items() if tool.annotations and tool.annotations.read_only_hint}
    assert reading == {"gate_report", "debate_status", "debate_result"}
    assert {n for n, tool in tools.items() if tool.annotations and tool.annotations.destructive_hint} == {"debate_stop"}


async def crux(folder: Path, *args: str) -> dict[str, Any]:
    """What the command prints as JSON; it has an event loop of its own."""
    told = [*args, "--memory", str(folder), "--json"]
    done = await anyio.to_thread.run_sync(CliRunner().invoke, app, told)
    assert done.exit_code in (0, 10, 11, 20), done.stderr
    return json.loads(done.stdout)


async def test_answers_have_the_names_of_the_command(setup: Setup, tmp_path: Path) -> None:
    other = tmp_path / "other"
    async with Client(build(setup)) as client:
        plan = await called(client, "gate_plan", DROP)
        known = await called(client, "gate_attempt", {**TASK, "error": "EADDRINUSE 8080"})
        metric = await called(client, "gate_outcome", {"debate_id": plan["debateId"], "outcome": "success"})
        report = await called(client, "gate_report")
    same = await crux(other, "gate", "plan", DROP["action"], "--tool", "sql", "--house")
    id = same.pop("debateId")
    assert {**plan, "debateId": ""} == {"debateId": "", **same}
    assert known == await crux(other, "gate", "attempt", TASK["task"], "--error", "EADDRINUSE 8080")
    marked = await crux(other, "gate", "outcome", id, "success")
    assert {**metric, "debateId": id, "ts": ""} == {**marked, "ts": ""}
    told = await crux(other, "gate", "report")
    assert {**report, "first": "", "last": ""} == {**told, "first": "", "last": ""}


@pytest.mark.parametrize("era", ERAS)
async def test_a_task_from_its_first_failure_to_its_success(setup: Setup, era: str) -> None:
    async with Client(build(setup), mode=era) as client:
        first = await called(client, "gate_attempt", {**TASK, "error": "EADDRINUSE 8080", "approach": "npm start"})
        early = await called(client, "gate_failure", TASK)
        second = await called(
            client, "gate_attempt", {**TASK, "error": "EADDRINUSE 9090", "approach": "npm start again"}
        )
        debate = await called(client, "gate_failure", TASK)
        third = await called(
            client, "gate_attempt", {**TASK, "error": "EADDRINUSE 1", "approach": "npm start a third time"}
        )
        over = await called(client, "gate_failure", TASK)
        done = await called(client, "gate_outcome", {"debate_id": debate["debateId"], "outcome": "success"})
        after = await called(client, "gate_attempt", TASK)
        report = await called(client, "gate_report")
    assert (first["failures"], first["due"], early["debated"]) == (1, "nothing", False)
    assert (second["failures"], second["due"], second["sameError"]) == (2, "debate", 2)
    assert (debate["debated"], debate["resolution"]) == (True, "PIVOT")
    assert (third["due"], over["resolution"], over["debated"]) == ("escalation", "ESCALATE", False)
    assert (done["outcome"], done["helped"]) == ("success", True)
    assert (after["failures"], after["due"]) == (0, "nothing")
    assert (report["debates"], report["escalations"], report["automatic"], report["known"]) == (2, 1, 1, 1)


async def test_a_success_begins_the_count_again(setup: Setup) -> None:
    async with Client(build(setup)) as client:
        await called(client, "gate_attempt", {**TASK, "error": "boom"})
        result = await client.call_tool("gate_attempt", {**TASK, "succeeded": True})
        both = await failed(client, "gate_attempt", {**TASK, "succeeded": True, "error": "boom"})
    assert result.structured_content is not None and result.structured_content["failures"] == 0
    assert "begins again" in said(result)
    assert both == "it cannot have failed and succeeded: give error or succeeded"


async def test_what_was_checked_counts(setup: Setup) -> None:
    async with Client(build(setup)) as client:
        first = await client.call_tool("gate_plan", DROP)
        assert first.structured_content is not None
        names = [step.rpartition("[")[2].rstrip("]") for step in first.structured_content["modifications"]]
        checked = dict.fromkeys(names, "seen with my own eyes")
        then = await called(client, "gate_plan", {**DROP, "checked": checked, "rounds": 3})
    assert said(first).splitlines()[0] == "MODIFY: go on with changes"
    assert f"[{names[0]}]" in said(first)
    assert then["resolution"] == "PROCEED"


async def test_everyday_actions_pass_unless_the_caller_says_that_something_is_at_stake(setup: Setup) -> None:
    async with Client(build(setup)) as client:
        plain = await called(client, "gate_plan", {"action": "ls -la", "tool": "bash"})
        raised = await called(client, "gate_plan", {"action": "ls -la", "tool": "bash", "stakes": "high"})
        placed = await called(client, "gate_plan", {"action": "write it", "tool": "Write", "paths": ["/etc/passwd"]})
    assert (plain["resolution"], plain["debated"]) == ("PROCEED", False)
    assert (raised["debated"], raised["stakes"]) == (True, "high")
    assert placed["debated"] and placed["rules"]


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        pytest.param("gate_plan", {}, "say what is to be done: action, or call", id="nothing"),
        pytest.param("gate_plan", {"action": "   "}, "say what is to be done: action, or call", id="blank"),
        pytest.param("gate_plan", {"action": "x", "rounds": 4}, "gate_plan was not called: rounds: ", id="rounds"),
        pytest.param("gate_plan", {"action": "x", "stakes": "huge"}, "gate_plan was not called: stakes: ", id="stakes"),
        pytest.param("gate_plan", {**DROP, "path": "x"}, "gate_plan has no argument 'path'; it takes ", id="misspelt"),
        pytest.param(
            "gate_plan", {**DROP, "checked": {"backup": " "}}, "say what was seen when 'backup' was checked", id="bare"
        ),
        pytest.param("gate_attempt", {"task": "!!"}, "a task needs words", id="no words"),
        pytest.param("gate_attempt", {**TASK, "same_as": "y"}, "no task is known as 'y'", id="unknown task"),
        pytest.param("gate_outcome", {"debate_id": "x", "outcome": "success"}, "no debate has the id 'x'", id="no id"),
        pytest.param("nothing", {}, "Unknown tool: nothing", id="no tool"),
    ],
)
async def test_bad_input_is_one_sentence(setup: Setup, tool: str, arguments: dict[str, Any], told: str) -> None:
    async with Client(build(setup)) as client:
        text = await failed(client, tool, arguments)
    assert text.startswith(told)
    assert "\n" not in text and "Traceback" not in text and "http" not in text


async def test_a_memory_that_cannot_be_read_is_told_without_its_path(setup: Setup, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    (folder / METRICS).mkdir(parents=True)
    gate = Gate(rules=setup.gate.rules, memory=Memory(folder), disabled=False)
    async with Client(build(replace(setup, gate=gate))) as client:
        text = await failed(client, "gate_report", {})
    assert text == "the server cannot read or write what it keeps; its own log says why"


async def test_a_memory_that_cannot_be_written_is_told_without_its_path(setup: Setup, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    gate = Gate(rules=setup.gate.rules, memory=Memory(tmp_path / "file" / "memory"), disabled=False)
    async with Client(build(replace(setup, gate=gate))) as client:
        text = await failed(client, "gate_attempt", {**TASK, "error": "boom"})
    assert str(tmp_path) not in text and "\n" not in text


async def test_a_gate_that_is_switched_off_lets_through_and_says_so(setup: Setup, memory: Memory) -> None:
    gate = Gate(rules=setup.gate.rules, memory=memory, disabled=True)
    async with Client(build(replace(setup, gate=gate))) as client:
        verdict = await called(client, "gate_plan", DROP)
    assert (verdict["resolution"], verdict["rationale"]) == ("PROCEED", "DISABLE_DEBATE is set")
    assert [metric.disabled for metric in memory.metrics()] == [True]


async def test_the_server_says_who_thinks(setup: Setup) -> None:
    async with Client(build(setup)) as client:
        assert client.server_info is not None and client.server_info.name == "cruxfinder"
        assert client.instructions is not None and "else the house critic" in client.instructions
    async with Client(build(replace(setup, house=True))) as client:
        assert client.instructions is not None and client.instructions.endswith("The house critic thinks.")


async def test_a_call_that_the_hook_turned_back_is_debated_by_the_hooks_gate(setup: Setup, tmp_path: Path) -> None:
    call = {"tool_name": "Bash", "tool_input": {"command": "rm -rf uploads"}, "cwd": str(tmp_path)}
    flags = ["--memory", str(tmp_path / "hook")]

    async def hook(*more: str) -> str:
        return await anyio.to_thread.run_sync(gate_hook.answer, json.dumps(call).encode(), [*flags, *more])

    found = re.search(r"--call (\w+) ", await hook())
    assert found is not None
    checked = {"listed": "3 files", "backup": "a.tgz opens", "in-use": "nobody"}
    async with Client(build(setup)) as client:
        assert (await called(client, "gate_plan", {"call": found[1]}))["resolution"] == "MODIFY"
        assert (await called(client, "gate_plan", {"call": found[1], "checked": checked}))["resolution"] == "PROCEED"
        assert "no call waits" in await failed(client, "gate_plan", {"call": "nobody"})
        assert "say what is to be done" in await failed(client, "gate_plan", {})
    assert await hook() == ""
    assert '"deny"' in await hook(), "once"
    assert setup.gate.memory.metrics() == (), "it is the hook's memory that it is kept in"
