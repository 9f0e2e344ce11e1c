"""The table of commands: it says what the commands say of themselves, and help needs no more than the table."""

import subprocess
import sys

import pytest

from cruxfinder.cli.command_table import COMMANDS, GATE_COMMANDS, CommandRow
from cruxfinder.cli.lazy_commands import load
from tests.cli.conftest import Crux

ROWS = (*COMMANDS, *GATE_COMMANDS)
PROGRAM = """
import sys
from cruxfinder.cli.main import app
try:
    app(sys.argv[1:])
except SystemExit:
    pass
print(*(name for name in sys.modules if name.startswith("cruxfinder.")), file=sys.stderr)
"""
LIGHT = {
    "cruxfinder.cli",
    "cruxfinder.cli.command_table",
    "cruxfinder.cli.entry",
    "cruxfinder.cli.exits",
    "cruxfinder.cli.flag_groups",
    "cruxfinder.cli.help_page",
    "cruxfinder.cli.lazy_commands",
    "cruxfinder.cli.main",
}
GROUP = {"cruxfinder.cli.gate_commands", "cruxfinder.cli.hook_guard"}


def first_paragraph(text: str | None) -> str:
    return " ".join((text or "").split("\n\n")[0].split())


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.module}.{row.name}" for row in ROWS])
def test_the_table_says_what_the_command_says_of_itself(row: CommandRow) -> None:
    command = load(row)
    assert (command.name, first_paragraph(command.help)) == (row.name, row.help)
    assert (command.rich_help_panel or "") == row.panel


def test_every_command_stands_in_the_table_once() -> None:
    for rows in (COMMANDS, GATE_COMMANDS):
        names = [row.name for row in rows]
        assert len(set(names)) == len(names)


def test_help_lists_every_command_in_its_panel(crux: Crux) -> None:
    said = " ".join(crux("--help").out.replace("│", " ").split())
    assert all(row.help in said and f"─ {row.panel} ─" in said for row in COMMANDS)
    assert all(row.help in " ".join(crux("gate").out.replace("│", " ").split()) for row in GATE_COMMANDS)


@pytest.mark.parametrize(
    ("args", "group"), [(["--help"], set[str]()), (["--version"], set[str]()), (["gate", "--help"], GROUP)]
)
def test_help_imports_no_module_of_a_command(args: list[str], group: set[str]) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, *args], capture_output=True, text=True, check=True)
    ours = {name for name in done.stderr.split() if name.startswith("cruxfinder.cli")}
    assert done.stdout and ours <= LIGHT | group


def test_the_help_of_a_debate_loads_neither_law_nor_debaters_nor_stores() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "debate", "--help"], capture_output=True, text=True, check=True
    )
    heavy = ("crux.", "debaters.", "language.english", "adapters.stores", "cli.debate_runs")
    assert "--max-messages" in done.stdout
    assert [name for name in done.stderr.split() if name.removeprefix("cruxfinder.").startswith(heavy)] == []


def test_a_command_called_imports_its_own_module_and_not_those_of_others() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, "packs"], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    others = {f"cruxfinder.cli.{row.module}" for row in ROWS} - {"cruxfinder.cli.pack_commands"}
    assert "cruxfinder.cli.pack_commands" in loaded and loaded.isdisjoint(others)


def test_a_misspelt_command_is_guessed_from_the_table(crux: Crux) -> None:
    said = crux("debat", "bitcoin")
    assert said.code == 2 and "debate" in said.err


def test_what_is_listed_stays_listed_once_it_was_called(crux: Crux) -> None:
    before = crux("--help").out
    crux("packs")
    assert crux("--help").out == before
