"""Finished runs as lines of JSON: what is in the file is not run again. A file is of one version of the code."""

import json
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from cruxfinder.cruxbench.planted_runs import RunKey, ScoredRun
from cruxfinder.cruxbench.planted_worlds import GENERATOR
from cruxfinder.errors import BadInput, LogFault
from cruxfinder.kernel import wire
from cruxfinder.version import VERSION

NAME: Final = "cruxbench"


@cache
def code_digest() -> str:
    """Sixteen digits that are the same for the same code, wherever it lies."""
    home = Path(__file__).parent.parent
    whole = sha256()
    for path in sorted(p for suffix in ("*.py", "*.yaml", "*.safetensors*") for p in home.rglob(suffix)):
        whole.update(f"{path.relative_to(home).as_posix()}\n".encode())
        whole.update(path.read_bytes())
    return whole.hexdigest()[:16]


def header() -> dict[str, object]:
    return {"benchmark": NAME, "version": VERSION, "generator": GENERATOR, "code": code_digest()}


class RunFile:
    """Where finished runs are kept; without a path they are kept nowhere."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.known: dict[RunKey, ScoredRun] = {} if path is None else read_runs(path)
        if path is not None and not path.exists():
            write_lines(path, [json.dumps(header())])

    def add(self, runs: Iterable[ScoredRun]) -> None:
        fresh = [run for run in runs if run.key not in self.known]
        self.known.update((run.key, run) for run in fresh)
        if self._path is not None and fresh:
            write_lines(self._path, [wire.dumps(run) for run in fresh])


def write_lines(path: Path, lines: Iterable[str]) -> None:
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write("".join(f"{line}\n" for line in lines))


def read_runs(path: Path) -> dict[RunKey, ScoredRun]:
    """The runs in a file. A line that was being written when the program was killed is dropped from it."""
    if not path.exists():
        return {}
    if path.is_dir():
        raise BadInput(f"{path} is a folder; name a file for the runs")
    text = path.read_text("utf-8", errors="replace")
    whole, _, rest = text.rpartition("\n")
    lines = whole.splitlines()
    check_header(path, lines[0] if lines else rest)
    if rest:
        path.write_text(f"{whole}\n", encoding="utf-8", newline="\n")
    try:
        runs = [wire.read(line, "run", ScoredRun, tagged=False) for line in lines[1:]]
    except LogFault as fault:
        raise BadInput(f"{path} cannot be read as runs of the benchmark: {fault}") from None
    return {run.key: run for run in runs}


def check_header(path: Path, line: str) -> None:
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if NAME not in line[:40]:
        raise BadInput(f"{path} is not a file of benchmark runs; name another one")
    if found != header():
        raise BadInput(f"{path} holds runs of another version of the code; name another file, or remove this one")
