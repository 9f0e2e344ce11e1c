"""An agent inside a working tree: it writes files there, runs `crux`, and meets the installed hook before each call."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cruxfinder.adapters.packs.rule_file import shipped_rules
from cruxfinder.gate.actions import Action
from cruxfinder.gate.router import route

ENDS_S = 120  # a bound for what hangs, far beyond what anything here takes


@dataclass(frozen=True)
class Met:
    """How the hook ended: `decision` is deny or ask, blocked where it ended with code 2, or empty where it let pass."""

    code: int
    out: bytes
    err: str

    @property
    def decision(self) -> str:
        if self.code != 0:
            return "blocked" if self.code == 2 else f"waved on with code {self.code}"
        return json.loads(self.out)["hookSpecificOutput"]["permissionDecision"] if self.out else ""

    @property
    def reason(self) -> str:
        return json.loads(self.out)["hookSpecificOutput"]["permissionDecisionReason"]


@dataclass
class WorkingTree:
    root: Path
    home: Path
    environment: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def memory(self) -> Path:
        return self.root / ".gate"

    @property
    def state(self) -> Path:
        return self.home / ".local" / "state" / "cruxfinder" / "gate"

    def env(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("CRUX_", "XDG_")) and name not in ("DISABLE_DEBATE", "PYTHONSAFEPATH")
        }
        return {**kept, "HOME": str(self.home), **self.environment}

    def hook(self, tool: str = "Bash", *flags: str, **given: Any) -> Met:
        event = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given, "cwd": str(self.root)}
        return self.hook_on(json.dumps(event).encode(), *flags)

    def hook_on(self, data: bytes, *flags: str) -> Met:
        done = subprocess.run(
            [sys.executable, "-m", "cruxfinder", "gate", "hook", "--memory", ".gate", *flags],
            input=data,
            capture_output=True,
            cwd=self.root,
            env=self.env(),
            timeout=ENDS_S,
            check=False,
        )
        return Met(done.returncode, done.stdout, done.stderr.decode())

    def crux(self, *args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "cruxfinder", *args],
            capture_output=True,
            text=True,
            cwd=self.root,
            env=self.env(),
            timeout=ENDS_S,
            check=False,
        )


def all_checked(command: str, tool: str = "Bash") -> list[str]:
    """Flags that say of everything the house knows that it was looked at."""
    fired = route(Action(text=command, tool=tool), shipped_rules()).fired
    ids = dict.fromkeys(mode.id for one in fired for mode in one.rule.fails if mode.first)
    return [word for id in ids for word in ("--checked", f"{id}: looked at it at noon, all as it should be")]
