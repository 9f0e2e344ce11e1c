"""A process that may do less than others: without root's rights, or with little memory or room for files.

It takes a line of JSON (what is limited, and commands) and prints how each command ended. The commands are run in one
process, as beginning one takes longer than most of them.
"""

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from tests.attack.crux_command import PATIENCE_S, ROOT, Outcome, run_here

CAPABILITIES: Final = 0x20080522  # the version of the interface


def run_bounded(store: Path, commands: Sequence[Sequence[str]], *, file_bytes: int = 0) -> list[Outcome]:
    """How commands end without root's rights and, where it says so, with files no longer than this."""
    asked = json.dumps({"store": str(store), "commands": [list(args) for args in commands], "file_bytes": file_bytes})
    found = subprocess.run(
        [sys.executable, "-m", "tests.attack.bounded_child"],
        cwd=ROOT,
        input=asked,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    return [Outcome(**outcome) for outcome in json.loads(found.stdout)]


def give_up_rights() -> None:
    """Root writes whatever it likes; without its capabilities the rights of a file hold for it, too."""
    if os.geteuid() == 0:
        header = (ctypes.c_uint32 * 2)(CAPABILITIES, 0)
        assert ctypes.CDLL(None).capset(header, (ctypes.c_uint32 * 6)()) == 0


def limit_files(bytes_max: int) -> None:
    import resource
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_max, bytes_max))


def main() -> None:
    asked = json.loads(sys.stdin.readline())
    give_up_rights()
    if asked["file_bytes"]:
        limit_files(asked["file_bytes"])
    outcomes = [asdict(run_here(Path(asked["store"]), *args)) for args in asked["commands"]]
    sys.stdout.write(json.dumps(outcomes))


if __name__ == "__main__":
    main()
