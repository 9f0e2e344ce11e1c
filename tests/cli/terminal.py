"""The command in a process of its own, in a terminal or in a pipe."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

CRUX = (sys.executable, "-m", "cruxfinder")
WAIT_S = 30
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]")


def environment(store: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")}
    return {**kept, "CRUX_STORE": str(store), "TERM": "xterm-256color", **(extra or {})}


def plainly(text: str) -> str:
    """Without escape sequences and carriage returns."""
    return ESCAPE.sub("", text).replace("\r", "")


@contextmanager
def piped(store: Path, *args: str) -> Generator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*CRUX, *args], env=environment(store), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@dataclass
class Terminal:
    process: subprocess.Popen[bytes]
    screen: int
    seen: str = ""
    _bytes: bytearray = field(default_factory=bytearray)

    def read(self, wanted: str = "") -> str:
        """Everything up to a text, or up to the end."""
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end and not (wanted and wanted in self.seen):
            if not select.select([self.screen], [], [], 0.1)[0]:
                continue
            try:
                more = os.read(self.screen, 65536)
            except OSError:  # Linux says so when the other side is gone
                break
            if not more:
                break
            self._bytes += more
            self.seen = self._bytes.decode(errors="replace")
        assert wanted in self.seen, f"waited for {wanted!r}, saw {self.seen[-2000:]!r}"
        return self.seen

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def end(self) -> int:
        self.read()
        return self.process.wait(WAIT_S)


@contextmanager
def in_terminal(
    store: Path, *args: str, columns: int = 100, rows: int = 40, extra: Mapping[str, str] | None = None
) -> Generator[Terminal]:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = subprocess.Popen(
        [*CRUX, *args], env=environment(store, extra), stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True
    )
    os.close(theirs)
    try:
        yield Terminal(process, ours)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        process.wait()
        os.close(ours)
