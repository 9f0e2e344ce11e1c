"""What a text tells somebody to type, to import, to call or to ask for exists. A new text is looked at by itself."""

import asyncio
import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import fields, is_dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.core import TyperGroup
from typer.main import get_command

import cruxfinder
from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.server_setup import Setup
from cruxfinder.cli import gate_hook
from cruxfinder.cli.main import app
from cruxfinder.errors import BadInput
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.mcp import mcp_server
from cruxfinder.server import application
from cruxfinder.server.guard import GuardPolicy
from tests.command_texts import OPEN, Recommended, Text, all_texts, commands_in, filled_in

COMMANDS = [found for text in all_texts() for found in commands_in(text)]
TAKES_A_PACK = {"debate": "subject", "survey": "topic", "show": "name"}


def why_not(words: Sequence[str], *, may_lack: bool) -> str:
    """Why the command line would not take these words, or these and what else they need; empty where it does."""
    group = get_command(app)
    try:
        return find_fault(group, group.make_context("crux", list(words)))
    except typer.Exit:
        return ""  # --help and --version
    except typer.TyperException as error:
        if may_lack and type(error).__name__ == "MissingParameter":
            return ""
        if may_lack and type(error).__name__ == "BadOptionUsage":
            return why_not([*words, "1"], may_lack=True) if words[-1].startswith("-") else error.format_message()
        return error.format_message()


def find_fault(command: Any, context: Any) -> str:
    """The command line's own parts are not typed."""
    if not isinstance(command, TyperGroup):
        return unknown_pack(context)
    rest: list[str] = [*context._protected_args, *context.args]
    if not rest or rest == ["x"] or rest[0] == "1":
        return ""  # the group itself; or the text leaves open which of its commands
    name, inner, left = command.resolve_command(context, rest)
    if (context.info_name, name) == ("gate", "hook"):
        return hook_fault(left)
    if not left and not isinstance(inner, TyperGroup):
        return ""  # only its name is told
    assert inner is not None and name is not None
    return find_fault(inner, inner.make_context(name, left, parent=context))


def hook_fault(words: Sequence[str]) -> str:
    """The hook reads its options itself."""
    try:
        gate_hook.parser_of_flags().parse_args(words)
    except (BadInput, SystemExit) as error:
        return str(error) if isinstance(error, BadInput) else ""
    return ""


def unknown_pack(context: Any) -> str:
    about = context.params.get(TAKES_A_PACK.get(context.info_name or "", ""))
    is_name = isinstance(about, str) and re.fullmatch("[a-z][a-z-]+", about)
    return f"{about} is no pack" if is_name and about not in pack_finder.names() else ""


def test_there_are_texts_to_look_at() -> None:
    assert len(COMMANDS) > 250
    places = {found.place.split(":")[0] for found in COMMANDS}
    assert {"README.md", "src/cruxfinder/telling/card.py", "src/cruxfinder/page/gate-view.js"} <= places


@pytest.mark.parametrize("found", COMMANDS, ids=[f"{c.place}-{c.text.replace(OPEN, '{}')}" for c in COMMANDS])
def test_a_command_that_is_recommended_exists(found: Recommended) -> None:
    for words in filled_in(found.text):
        assert why_not(words, may_lack=not found.is_whole) == "", f"crux {found.text}"


@pytest.mark.parametrize(
    "text",
    [
        "there are some: crux packs list",
        "Try `crux lst` first.",
        "`crux show RUN --mesages` prints them",
        "a debate that locks has some: crux debate oncall",
        "Then: crux gate outcome ID success|won",
        "`crux gate hook --settngs`",
        f"crux show {OPEN} --at {OPEN}",
        "Then: crux fork RUN --set seed=4",
    ],
)
def test_one_that_does_not_exist_is_found(text: str) -> None:
    (found,) = commands_in(Text("here", text))
    assert any(why_not(words, may_lack=not found.is_whole) for words in filled_in(found.text))


@pytest.mark.parametrize(
    "text", ["the crux map of a run", "crux of t1", "what the crux debate came to", "a crux, found"]
)
def test_prose_is_no_command(text: str) -> None:
    assert list(commands_in(Text("here", text))) == []


# ---- options that are named by themselves

FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]\b")
# These speak of other programs' options, and of variables of style sheets.
OTHERS = ("src/cruxfinder/gate/", "src/cruxfinder/page/", "docs/research/", "CONTRIBUTING.md", "docs/architecture/")


def options_of(command: Any) -> Iterator[str]:
    for parameter in command.params:
        yield from (*parameter.opts, *parameter.secondary_opts)
    if isinstance(command, TyperGroup):
        context = command.make_context("crux", [], resilient_parsing=True)
        for name in command.list_commands(context):
            yield from options_of(command.resolve_command(context, [name])[1])


def test_an_option_that_is_named_belongs_to_a_command() -> None:
    known = {*options_of(get_command(app)), "--help", *FLAG.findall(gate_hook.parser_of_flags().format_help())}
    ours = [text for text in all_texts() if not text.place.startswith(OTHERS)]
    named = {(text.place, flag) for text in ours for flag in FLAG.findall(text.text)}
    assert len(named) > 200
    assert sorted((place, flag) for place, flag in named if flag not in known) == []


# ---- names to import

ATTRIBUTE = re.compile(r"\b(?:cf|cruxfinder)((?:\.[A-Za-z_]\w*)+)")


def missing_part(names: Sequence[str]) -> str:
    """The first of these names, one in the other, that is not there."""
    path, found = "cruxfinder", cruxfinder
    for n, name in enumerate(names, 1):
        path = f"{path}.{name}"
        if hasattr(found, "__path__") and find_spec(path) is not None:
            if n == len(names):
                return ""  # there, and it may take long to import
            found = import_module(path)  # `gate` is a package, and the name of a function
        elif is_dataclass(found) and name in {f.name for f in fields(found)}:
            return ""
        elif (found := getattr(found, name, None)) is None:
            return path
    return ""


def test_a_name_to_import_exists() -> None:
    named = {(text.place, found[1:]) for text in all_texts() for found in ATTRIBUTE.findall(text.text)}
    assert len(named) > 40
    assert sorted((place, dotted) for place, dotted in named if missing_part(dotted.split("."))) == []
    assert missing_part(["debates"]) == "cruxfinder.debates"


# ---- routes of the server and tools for agents


@pytest.fixture
def setup(tmp_path: Path) -> Generator[Setup]:
    store = SqliteStore(tmp_path / "runs.db")
    yield Setup(gate=Gate(rules=rules_in_force(), memory=Memory(tmp_path / "memory"), disabled=False), store=store)
    store.close()


ROUTE = re.compile(r"(?:/api(?=/)|…(?=/[a-z]))(?:/[\w\ufffc{}.-]+)+")
SOMETHING = re.compile(r"\ufffc|\{\w+\}|\b[A-Z]+\b")


def routes_in(text: Text) -> Iterator[str]:
    """As patterns: what is left open, and the beginning that `…` stands for, may be anything."""
    if text.place.startswith("src/cruxfinder/gate/"):
        return  # which knows the addresses of other servers
    for found in ROUTE.findall(text.text):
        parts = [re.escape(part) for part in SOMETHING.split(found.replace("…", OPEN))]
        yield ".+".join(parts)


def test_a_route_that_is_named_is_served(setup: Setup) -> None:
    served = [*application.build(setup, GuardPolicy()).openapi()["paths"], "/api/openapi.json"]
    named = {(text.place, pattern) for text in all_texts() for pattern in routes_in(text)}
    assert len(named) > 25
    assert sorted(row for row in named if not any(re.fullmatch(row[1], path) for path in served)) == []


TOOL = re.compile(r"\b(?:gate|debate)_[a-z_]+\b")
FIELDS = {"debate_id"}  # of what the tools take and answer


def test_a_tool_that_is_named_is_offered(setup: Setup) -> None:
    offered = {tool.name for tool in asyncio.run(mcp_server.build(setup).list_tools())}
    places = ("src/cruxfinder/mcp/", "docs/guide/mcp.md")
    named = {
        (text.place, name) for text in all_texts() if text.place.startswith(places) for name in TOOL.findall(text.text)
    }
    assert {name for _, name in named} >= offered
    assert sorted(row for row in named if row[1] not in offered | FIELDS) == []
