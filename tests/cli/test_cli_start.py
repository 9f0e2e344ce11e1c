"""The command starts fast: what a command does not need it does not load."""

import subprocess
import sys

import pytest

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


def test_the_module_runs_too() -> None:
    done = subprocess.run([sys.executable, "-m", "cruxfinder", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"crux {VERSION}\n" and done.stderr == ""
