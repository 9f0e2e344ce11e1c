"""The gate beside other work: its files are touched in a thread of their own, whole step by whole step."""

import fcntl
import json
import os
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from cruxfinder.app.server_setup import Setup
from cruxfinder.gate.runtime.gate_memory import FAILURES, Memory
from cruxfinder.mcp.mcp_server import build
from tests.mcp_server.callers import called

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]
TASK = {"task": "start the server"}
TURNS = 2_000  # of a loop that nothing holds up


@contextmanager
def held(memory: Memory) -> Generator[None]:
    """The file of failures as another process holds it: a lock belongs to the descriptor, not to the process."""
    memory.folder.mkdir(mode=0o700, exist_ok=True)
    descriptor = os.open(memory.folder / FAILURES, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


async def turn_the_loop() -> None:
    for _ in range(TURNS):
        await anyio.sleep(0)


def test_no_tool_of_the_gate_touches_a_file_in_the_event_loop(tmp_path: Path) -> None:
    told = [sys.executable, "-m", "tests.mcp_server.file_events", str(tmp_path)]
    done = subprocess.run(told, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    heard: dict[str, list[str]] = json.loads(done.stdout)
    touched = " ".join(heard["elsewhere"])
    for what in ("fcntl.flock", "failures.jsonl", "debate-metrics.jsonl", ".md", "approvals"):
        assert what in touched, "the gate was used, and the hook heard of it"
    assert heard["in_loop"] == []


async def test_the_loop_turns_while_another_process_holds_the_memory(setup: Setup, memory: Memory) -> None:
    noted: list[dict[str, Any]] = []

    async def note(client: Client) -> None:
        noted.append(await called(client, "gate_attempt", {**TASK, "error": "EADDRINUSE 8080"}))

    async with Client(build(setup)) as client, anyio.create_task_group() as group:
        with held(memory):
            group.start_soon(note, client)
            await turn_the_loop()
            harmless = await called(client, "gate_plan", {"action": "ls -l", "tool": "bash"})
            assert harmless["resolution"] == "PROCEED" and noted == []
    assert [one["failures"] for one in noted] == [1]


async def test_attempts_that_come_together_are_counted_one_by_one(setup: Setup) -> None:
    counted = list[int]()

    async def note(client: Client, number: int) -> None:
        answer = await called(client, "gate_attempt", {**TASK, "error": f"EADDRINUSE {number}"})
        counted.append(answer["failures"])

    async with Client(build(setup)) as client, anyio.create_task_group() as group:
        for number in range(8):
            group.start_soon(note, client, number)
    assert sorted(counted) == list(range(1, 9)), "each was told of itself and those before it"


async def test_a_call_that_is_given_up_is_written_whole_or_not_at_all(setup: Setup, memory: Memory) -> None:
    begun = threading.Event()

    def note(error: str) -> None:
        begun.set()
        setup.gate.attempt(TASK["task"], error=error)
        setup.gate.success(TASK["task"])

    with held(memory):
        async with anyio.create_task_group() as group:
            for error in ("first", "second"):
                group.start_soon(memory.thread.run, lambda error=error: note(error))
            await anyio.to_thread.run_sync(begun.wait)
            group.cancel_scope.cancel()
    await memory.thread.run(lambda: None)
    written = [json.loads(line) for line in (memory.folder / FAILURES).read_text().splitlines()]
    assert [line.get("error") or line["reset"] for line in written] == ["first", "success"]
