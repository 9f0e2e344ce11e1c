"""The command as people run it, in a process of its own or in this one, on a store that is named."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from typer.testing import CliRunner

from cruxfinder.cli.main import app

ROOT: Final = Path(__file__).resolve().parents[2]
PATIENCE_S: Final = 60.0


@dataclass(frozen=True, kw_only=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def sentence(self) -> str:
        """The one line a command that fails says, and nothing else."""
        assert self.code != 0, self
        assert self.err.startswith("crux: ") and self.err.count("\n") == 1 and "Traceback" not in self.err, self
        return self.err


def run_here(store: Path, *args: str) -> Outcome:
    result = CliRunner().invoke(app, ["--store", str(store), *args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Outcome(code=result.exit_code, out=result.stdout, err=result.stderr)


def run_beside(
    store: Path, *args: str, prelude: str = "", env: Mapping[str, str] | None = None, wrapper: tuple[str, ...] = ()
) -> Outcome:
    """In a process of its own, after some lines of Python that make its world worse."""
    code = f"import sys\n{prelude}\nfrom cruxfinder.cli.main import run\nsys.argv[0] = 'crux'\nrun()"
    found = subprocess.run(
        [*wrapper, sys.executable, "-c", code, "--store", str(store), *args],
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return Outcome(code=found.returncode, out=found.stdout, err=found.stderr)


def hold_debate(store: Path, *args: str) -> str:
    """A debate from its beginning to its end, and its id."""
    outcome = run_here(store, "debate", "bitcoin", "--seed", "1", "--max-messages", "8", "--json", *args)
    assert outcome.code == 0, outcome
    return str(json.loads(outcome.out)["runId"])
