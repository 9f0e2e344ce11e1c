"""The command in this process, on a store of its own."""

import json
import shutil
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


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A store with the demo in it, and the demo's id."""
    path = tmp_path_factory.mktemp("demo") / "runs.db"
    said = CliRunner().invoke(app, ["demo", "--json"], env={"CRUX_STORE": str(path)})
    assert said.exit_code == 0, said.output
    return path, str(json.loads(said.stdout)["runId"])


@pytest.fixture
def run(store: Path, demo: tuple[Path, str]) -> str:
    """A finished run: the demo, in which a lock fails and messages are refused."""
    kept, run = demo
    shutil.copy(kept, store)
    return run
