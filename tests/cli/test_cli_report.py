"""`crux report`: one HTML file, written whole, never over another one unasked."""

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
