"""Asks the gate as an agent's hook does: a tool call goes in as JSON, a decision comes out."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from cruxfinder.cli import gate_hook
from cruxfinder.gate.actions import Action

HERE = Path(__file__).parent
Decision = Literal["", "ask", "deny"]


def listed_calls(name: str) -> Iterator[tuple[str, dict[str, object]]]:
    """The tool calls of a list: the tool's name and its arguments."""
    for line in (HERE / f"{name}.jsonl").read_text("utf-8").splitlines():
        said = json.loads(line)
        yield said["tool"], said.get("arguments") or {"command": said["action"]}


def action_of(tool: str, arguments: dict[str, object]) -> Action:
    if not tool:
        return Action(text=str(arguments["command"]))  # plain words go to no tool
    action = gate_hook.read_action(json.dumps({"tool_name": tool, "tool_input": arguments}).encode())
    assert action is not None
    return action


def ask_hook(tool: str, arguments: dict[str, object], memory: Path, patch: pytest.MonkeyPatch) -> Decision:
    event = json.dumps({"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": arguments})
    for name in ("DISABLE_DEBATE", "CRUX_GATE_OFF", "CRUX_GATE_RULES"):
        patch.delenv(name, raising=False)
    said = gate_hook.answer(event.encode(), ["--memory", str(memory)])
    return json.loads(said)["hookSpecificOutput"]["permissionDecision"] if said else ""
