"""Run by itself: calls every tool of the gate, and prints which calls for files its event loop's thread made.

An audit hook hears of every file that is opened, locked, moved or removed, and of every sleep, whoever asks for it;
it cannot be taken away again, which is why this is a process of its own.
"""

import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

import anyio
from mcp import Client

from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app.gate_calls import agate
from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.server_setup import Setup
from cruxfinder.gate.actions import Action
from cruxfinder.gate.runtime.approvals import Approvals, GateConfig
from cruxfinder.gate.runtime.gate import Gate, now
from cruxfinder.gate.runtime.gate_memory import FAILURES, METRICS, Memory
from cruxfinder.gate.runtime.gate_place import users_state_folder
from cruxfinder.mcp.mcp_server import build
from tests.mcp_server.callers import DROP, called

TASK = {"task": "start the server"}
WAITS = {"fcntl.flock", "time.sleep"}


class FileEvents:
    """What was done to the files in a folder, and which waits there were, by whether the loop's thread did it."""

    def __init__(self, folder: Path) -> None:
        self.in_loop: list[str] = []
        self.elsewhere: list[str] = []
        self._folder = str(folder)
        self._loop = threading.get_ident()

    def hear(self, event: str, arguments: tuple[object, ...]) -> None:
        ours = [told for told in arguments if isinstance(told, str | Path) and self._is_ours(str(told))]
        if event in WAITS or (ours and event.partition(".")[0] in ("open", "os", "shutil")):
            heard = self.in_loop if threading.get_ident() == self._loop else self.elsewhere
            heard.append(f"{event} {' '.join(map(str, ours))}")

    def _is_ours(self, path: str) -> bool:
        """Files are opened by their bare names, from within their folder."""
        return path.startswith(self._folder) or path in (FAILURES, METRICS, "key", "key.lock") or path.endswith(".md")


async def use_the_gate(setup: Setup, call: str) -> None:
    async with Client(build(setup)) as client:
        plan = await called(client, "gate_plan", DROP)
        assert plan["debated"]
        assert not (await called(client, "gate_plan", {"action": "ls", "tool": "bash"}))["debated"]
        assert (await called(client, "gate_plan", {"call": call}))["debated"]
        for number in range(3):
            await called(client, "gate_attempt", {**TASK, "error": f"EADDRINUSE {number}"})
            await called(client, "gate_failure", TASK)
        await called(client, "gate_attempt", {**TASK, "succeeded": True})
        await called(client, "gate_outcome", {"debate_id": plan["debateId"], "outcome": "success"})
        report: dict[str, Any] = await called(client, "gate_report")
        assert report["debates"] == 4  # two plans, and the failures from the second one on
    await agate("DROP TABLE users", tool="sql", memory=setup.gate.memory.folder)
    off = Gate(rules=setup.gate.rules, memory=setup.gate.memory, disabled=True)
    await off.plan(Action(text="DROP TABLE users", tool="sql"))


def main(folder: Path) -> None:
    os.environ["XDG_STATE_HOME"] = str(folder / "state")
    memory = Memory(folder / "memory")
    gate = Gate(rules=rules_in_force(), memory=memory, disabled=False, approvals=Approvals(users_state_folder(), now))
    action = Action(text="rm -rf build", tool="bash")
    call = gate.keep_call(action, gate.route(action), GateConfig(memory=str(memory.folder)))
    heard = FileEvents(folder)
    sys.addaudithook(heard.hear)
    setup = Setup(gate=gate, store=MemoryStore())
    anyio.run(use_the_gate, setup, call)
    print(json.dumps({"in_loop": heard.in_loop, "elsewhere": heard.elsewhere}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
