"""Where the gate's memory and approvals are, and whether it is off: from flags, else from the environment."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from cruxfinder.gate.router import DISABLED

FOLDER: Final = "memory"
FOLDER_VARIABLE: Final = "CRUX_GATE_MEMORY"
OFF_WORDS: Final = frozenset({"", "0", "false", "no", "off"})


def memory_folder(named: str = "") -> Path:
    return Path(named or os.environ.get(FOLDER_VARIABLE, "") or FOLDER)


def state_folder(env: Mapping[str, str], platform: str, home: Path) -> Path:
    """Where approvals and their key are kept: the user's own state, which no working tree holds."""
    match platform:
        case "darwin":
            state = home / "Library" / "Application Support"
        case "win32":
            state = Path(env.get("LOCALAPPDATA", "") or home / "AppData" / "Local")
        case _:
            named = Path(env.get("XDG_STATE_HOME", ""))
            state = named if named.is_absolute() else home / ".local" / "state"
    return state / "cruxfinder" / "gate"


def users_state_folder() -> Path:
    return state_folder(os.environ, sys.platform, Path.home())


def is_disabled() -> bool:
    return os.environ.get(DISABLED, "").strip().lower() not in OFF_WORDS
