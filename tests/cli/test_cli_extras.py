"""Without an extra: what needs none works, and what needs one says in a sentence which to install."""

import subprocess
import sys

import pytest

import cruxfinder as cf
from cruxfinder.cli import exits
from cruxfinder.errors import MissingExtra
from cruxfinder.kernel.extras import MODULES, Extra
from tests.cli.conftest import Crux

# What the extras bring along counts as missing, too: nothing of ours may lean on it.
BROUGHT = ("anyio", "starlette", "httpx", "httpx2", "mcp_types", "pydantic_graph", "sse_starlette")
PROGRAM = f"""
import sys
for name in {sorted({*BROUGHT, *(name for names in MODULES.values() for name in names)})!r}:
    sys.modules[name] = None
from cruxfinder.cli.main import run
run()
"""


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nothing beside the base were installed, for whoever asks what is."""
    for names in MODULES.values():
        for name in names:
            monkeypatch.setitem(sys.modules, name, None)


def sentence(extra: Extra) -> str:
    return f"needs packages that are not installed: pip install 'cruxfinder[{extra}]'"


@pytest.mark.parametrize(
    ("extra", "args"),
    [
        ("server", ["serve", "--no-open"]),
        ("server", ["debate", "monolith", "--browser", "--people", "petra"]),
        ("mcp", ["mcp"]),
        ("mcp", ["mcp", "--http"]),
        ("models", ["debate", "Some topic", "--model", "openai:x"]),
        ("models", ["debate", "monolith", "--model", "anthropic:x"]),
        ("models", ["debate", "monolith", "--model", "x", "--base-url", "http://localhost:1/v1"]),
        ("models", ["gate", "plan", "rm -rf /", "--model", "openai:x"]),
    ],
    ids=lambda given: given if isinstance(given, str) else " ".join(given),
)
@pytest.mark.usefixtures("without")
def test_a_command_that_lacks_its_extra_says_which_to_install(extra: Extra, args: list[str], crux: Crux) -> None:
    said = crux(*args)
    assert said.code == exits.BAD_INPUT and said.out == ""
    assert said.err.startswith("crux: ") and said.err.endswith(f"{sentence(extra)}\n") and said.err.count("\n") == 1


@pytest.mark.parametrize("args", [["serve", "--help"], ["mcp", "--help"], ["debate", "--help"]], ids=" ".join)
@pytest.mark.usefixtures("without")
def test_help_needs_no_extra(args: list[str], crux: Crux) -> None:
    assert crux(*args).code == exits.OK


@pytest.mark.usefixtures("without")
def test_the_doctor_tells_what_is_not_installed(crux: Crux) -> None:
    said = crux("doctor")
    assert said.code == exits.OK and "mcp not installed (pip install 'cruxfinder[mcp]')" in said.out
    asked = crux("doctor", "--model", "openai:x")
    assert asked.code == exits.FAULT and sentence("models") in asked.out


@pytest.mark.usefixtures("without")
def test_python_is_told_the_same() -> None:
    for call in (
        lambda: cf.debate("A topic of mine", model="openai:x"),
        lambda: cf.debate("monolith", model="openai:x"),
        lambda: cf.gate("rm -rf /", model="openai:x"),
    ):
        with pytest.raises(MissingExtra, match="pip install 'cruxfinder\\[models\\]'") as told:
            call()
        assert told.value.extra == "models"


@pytest.mark.parametrize(
    "args",
    [
        ["debate", "monolith", "--json"],
        ["debate", "free-will", "--protocol", "roundtable", "--max-messages", "8"],
        ["list"],
        ["gate", "route", "git status"],
        ["gate", "plan", "git status"],
        ["packs"],
        ["doctor"],
    ],
    ids=" ".join,
)
def test_base_commands_import_nothing_of_an_extra(args: list[str], store: object) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, *args], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (exits.OK, "")
