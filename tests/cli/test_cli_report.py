"""`crux report`: one HTML file, written whole, never over another one unasked."""

import os
import stat
import threading
from pathlib import Path

from tests.cli.conftest import Crux


def test_the_command_writes_a_report_once(crux: Crux, run: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    done = crux("report", run, "-o", str(path))
    assert (done.code, done.out) == (0, f"Wrote {path}\n")
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")
    again = crux("report", run, "-o", str(path))
    assert (again.code, again.err) == (2, f"crux: {path} is there already; overwrite it with --force\n")
    assert crux("report", run, "-o", str(path), "--force").code == 0
    assert crux("report", "nothing-here").code == 2


def test_a_pipe_or_a_device_is_written_into_and_not_replaced(crux: Crux, run: str, tmp_path: Path) -> None:
    """As root, a report to the null device would otherwise leave a file in its place, for everybody."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = threading.Thread(target=pipe.read_bytes, daemon=True)  # opening waits for the other side
    reader.start()
    assert crux("report", run, "--out", str(pipe), "--force").code == 0
    reader.join(60)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
