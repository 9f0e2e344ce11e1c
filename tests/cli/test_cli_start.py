"""The command starts fast: what a command does not need it does not load."""

import subprocess
import sys
from pathlib import Path

import pytest

from cruxfinder.cli import exits
from cruxfinder.version import VERSION

HEAVY = (
    "numpy",
    "pydantic",
    "yaml",
    "rich",
    "fastapi",
    "httpx",
    "pydantic_ai",
    "starlette",
    "mcp",
    "asyncio",
    "concurrent",
    "logging",
    "sqlite3",
)
PROGRAM = """
import sys
from cruxfinder.cli.main import app
sys.argv = ["crux", *sys.argv[1:]]
try:
    app()
except SystemExit as end:
    code = end.code
print(*sorted({name.split(".")[0] for name in sys.modules}), file=sys.stderr)
sys.exit(code)
"""


def loaded(*args: str) -> tuple[str, set[str]]:
    done = subprocess.run([sys.executable, "-c", PROGRAM, *args], capture_output=True, text=True, check=True)
    return done.stdout, set(done.stderr.split())


def test_the_version_loads_nothing_heavy() -> None:
    out, modules = loaded("--version")
    assert out == f"crux {VERSION}\n"
    assert modules.isdisjoint(HEAVY)


@pytest.mark.parametrize("args", [("list",), ("--help",), ("list", "--json")])
def test_small_commands_load_neither_numpy_nor_web_nor_models(args: tuple[str, ...], store: object) -> None:
    _, modules = loaded(*args)
    assert modules.isdisjoint({"numpy", "yaml", "fastapi", "httpx", "pydantic_ai", "starlette", "mcp"})


def test_the_version_alone_does_not_wait_for_the_command_line() -> None:
    code = "import sys; sys.argv[1:] = ['--version']; from cruxfinder.cli.entry import run; run(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    version, modules = done.stdout.splitlines()
    assert version == f"crux {VERSION}" and "typer" not in modules.split()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_version_that_cannot_be_printed_is_explained() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cruxfinder", "--version"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == exits.BAD_INPUT
    assert done.stderr.startswith("crux: the output cannot be written") and done.stderr.count("\n") == 1


def test_the_module_runs_too() -> None:
    done = subprocess.run([sys.executable, "-m", "cruxfinder", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"crux {VERSION}\n" and done.stderr == ""
