"""The settings that the docs give for a coding agent work as they stand."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

from cruxfinder.cli.hook_guard import DEADLINE_S

PAGE = Path(__file__).parent.parent.parent / "docs" / "guide" / "gate.md"


def hook_command() -> list[str]:
    settings = next(
        found
        for text in re.findall(r"^```json\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
        if "hooks" in (found := json.loads(text))
    )
    (entry,) = settings["hooks"]["PreToolUse"]
    assert entry["matcher"] == "*"
    (hook,) = entry["hooks"]
    assert hook["type"] == "command"
    assert hook["timeout"] > DEADLINE_S
    zoneless, _, command = hook["command"].partition(" -u TZ ")
    python, _, rest = command.partition(" ")
    assert zoneless == "/usr/bin/env"
    assert python.endswith("/bin/python") and rest.startswith("-I -m cruxfinder gate hook")
    return ["sh", "-c", f"{shlex.quote(sys.executable)} {rest.replace('-I ', '')}"]  # the tests may name the sources


def asked(tool: str, tool_input: dict[str, str], folder: Path) -> str:
    event = {
        "session_id": "s1",
        "transcript_path": "t.jsonl",
        "cwd": str(folder),
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": tool_input,
        "tool_use_id": "u1",
    }
    done = subprocess.run(
        hook_command(), input=json.dumps(event), cwd=folder, check=True, capture_output=True, text=True, timeout=60
    )
    return done.stdout


def test_the_line_in_the_settings_file_puts_the_gate_before_tool_calls(tmp_path: Path) -> None:
    assert asked("Bash", {"command": "git status"}, tmp_path) == ""
    assert not (tmp_path / ".gate").exists()
    told = json.loads(asked("Bash", {"command": "git push --force origin main"}, tmp_path))["hookSpecificOutput"]
    assert told["hookEventName"] == "PreToolUse"
    assert told["permissionDecision"] == "deny"
    assert "[fetched]" in told["permissionDecisionReason"]
    assert (tmp_path / ".gate" / "debate-metrics.jsonl").exists()
    told = json.loads(asked("Bash", {"command": "rm -rf /"}, tmp_path))["hookSpecificOutput"]
    assert told["permissionDecision"] == "ask"
