"""The command in this process, on a store of its own."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cruxfinder.cli.main import app


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str


Crux = Callable[..., Said]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "runs.db"
    monkeypatch.setenv("CRUX_STORE", str(path))
    monkeypatch.setenv("COLUMNS", "100")
    return path


@pytest.fixture
def crux(store: Path) -> Crux:
    def say(*args: str) -> Said:
        result = CliRunner().invoke(app, list(args))
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Said(result.exit_code, result.stdout, result.stderr)

    return say


@pytest.fixture
def run(crux: Crux) -> str:
    """A finished run: the demo, in which a lock fails and messages are refused."""
    return str(json.loads(crux("demo", "--json").out)["runId"])
