"""The gate as a PreToolUse hook: the call that an agent is about to make comes in as JSON, a decision goes out.

What calls for no debate, and what a debate lets through, gets no decision: the agent's own permissions stand. MODIFY
denies with what to do first, ESCALATE asks the person. Whatever goes wrong is raised: `hook_guard` blocks the call.
"""

import argparse
import json
import os
import shlex
import sys
from collections.abc import Sequence
from typing import Any, Final, NoReturn, cast

from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.cli.hook_guard import DEADLINE_S, MODEL_DEADLINE_S, STDIN, is_for_people
from cruxfinder.errors import BadInput
from cruxfinder.gate.actions import Action, exact_arguments
from cruxfinder.gate.router import route
from cruxfinder.gate.runtime.gate_place import is_disabled, memory_folder
from cruxfinder.gate.runtime.own_places import own_places
from cruxfinder.language.numerals import read_json

EVENT: Final = "PreToolUse"
INPUT_MAX: Final = 16 << 20  # bytes
SAID_FIRST: Final = ("command", "query", "sql", "statement", "script", "file_path", "path", "url", "text", "message")


def respond(args: Sequence[str]) -> str:
    """What is said to these arguments and, unless they ask for help or settings, to what stands on stdin."""
    if is_for_people(args):
        return help_or_settings(args)
    with os.fdopen(STDIN, "rb", closefd=False) as given:
        return answer(given.read(INPUT_MAX + 1), args)


def answer(data: bytes, args: Sequence[str]) -> str:
    """What the hook says to these bytes; nothing where the agent's own permissions stand."""
    given = read_flags(args)
    action = read_action(data)
    if action is None:
        return ""
    rules = rules_in_force(given.rules, given.off)
    places = own_places(action, memory_folder(given.memory))
    routing = route(action, rules, disabled=is_disabled(), places=places)
    if not routing.debate:
        return ""
    from cruxfinder.cli import hook_debate  # noqa: PLC0415 - 80 ms that a call no rule speaks of does without

    return hook_debate.decide(action, rules, routing, given)


def read_flags(args: Sequence[str]) -> argparse.Namespace:
    return parser_of_flags().parse_args(args)


def help_or_settings(args: Sequence[str]) -> str:
    """What a person asks for, not an agent."""
    if "--settings" not in args:
        return parser_of_flags().format_help().rstrip()
    rest = [word for word in args if word != "--settings"]
    given = read_flags(rest)
    # Isolated, so that neither the working folder nor the environment says what is imported; and by its full name, so
    # that no other `crux` is found first. What cannot even start blocks, too.
    command = shlex.join([sys.executable, "-I", "-m", "cruxfinder", "gate", "hook", *rest])
    hook = {"type": "command", "command": f"{command} || exit 2", "timeout": int(deadline(given)) + 10}
    return json.dumps({"hooks": {EVENT: [{"matcher": "*", "hooks": [hook]}]}}, indent=2)


def deadline(given: argparse.Namespace) -> float:
    return given.deadline or (MODEL_DEADLINE_S if given.model else DEADLINE_S)


class FlagParser(argparse.ArgumentParser):
    """Raises what is wrong, as everything else here does."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message}; see crux gate hook --help")


def parser_of_flags() -> FlagParser:
    parser = FlagParser(
        prog="crux gate hook",
        description="A PreToolUse hook: the call an agent is about to make comes in as JSON on stdin. What calls for "
        "no debate, and what one lets through, gets no answer; MODIFY denies with what to do first, ESCALATE asks the "
        "person. Whatever goes wrong blocks the call (exit code 2).",
    )
    parser.add_argument(
        "--memory", metavar="DIR", default="", help="where the gate remembers (CRUX_GATE_MEMORY; ./memory)"
    )
    parser.add_argument("--rules", metavar="FILE", default="", help="rules of your own, before those that ship")
    parser.add_argument("--off", metavar="RULE", action="append", default=[], help="switch a rule off")
    parser.add_argument(
        "--model", metavar="MODEL", default="", help="provider:model that debates beside the house critic"
    )
    parser.add_argument("--base-url", metavar="URL", default="", help="a server that speaks OpenAI's language")
    parser.add_argument(
        "--deadline",
        metavar="SECONDS",
        type=float,
        default=0.0,
        help="block the call if it is not judged by then (10; 50 with a model)",
    )
    parser.add_argument("--settings", action="store_true", help="print what belongs into the agent's settings file")
    return parser


def read_action(data: bytes) -> Action | None:
    """The action a hook is told of; None for an event that is no tool call. Raise ValueError for what is no event."""
    if len(data) > INPUT_MAX:
        raise ValueError("what the hook was given is too long to be read")
    value = read_json(data)
    if not isinstance(value, dict):
        raise ValueError("the hook expects a JSON object with tool_name and tool_input")
    event = cast("dict[str, Any]", value)
    if (event.get("hook_event_name") or EVENT) != EVENT:
        return None
    tool, given = event.get("tool_name"), event.get("tool_input")
    if not isinstance(tool, str) or not isinstance(given, dict):
        raise ValueError("the hook expects a JSON object with tool_name and tool_input")
    # A shell that is handed a NUL leaves it out, and so does who reads for it.
    held = {str(name): as_text(value).replace("\0", "") for name, value in cast("dict[str, Any]", given).items()}
    text = next((held[name] for name in SAID_FIRST if held.get(name)), " ".join(held.values()))
    cwd = event.get("cwd")
    return Action(
        text=text,
        tool=tool,
        arguments=tuple(held.items()),
        folder=working_folder(cwd if isinstance(cwd, str) else ""),
        exact=exact_arguments(cast("dict[str, object]", given)),
    )


def working_folder(named: str = "") -> str:
    """The folder a call runs in, by its real name."""
    return os.path.realpath(named or os.getcwd())


def arguments_of(text: str) -> dict[str, Any]:
    """A tool's arguments as somebody typed them."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise BadInput("the arguments of a tool are a JSON object")
    return cast("dict[str, Any]", value)


def as_text(value: object) -> str:
    """An argument in words; a list of words is a command, as a shell would be told it."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(word, str) for word in cast("list[object]", value)):
        return shlex.join(cast("list[str]", value))
    return json.dumps(value, ensure_ascii=False)
