"""What is wrong with a command line, in one sentence: the value given, what there is, and which help to read."""

from collections.abc import Sequence
from typing import Final

import typer
from pydantic import ValidationError
from typer.core import TyperGroup

from cruxfinder.cli.command_table import COMMANDS

PROGRAM: Final = "crux"
OUR_WORDS: Final = "Value error, "  # which the checker of values puts before ours
PLAIN: Final = {"int_parsing": "is no whole number", "float_parsing": "is no number"}


def usage_sentence(error: typer.TyperException, given: Sequence[str]) -> str:
    context: typer.Context | None = getattr(error, "ctx", None)
    said = error.format_message().rstrip(".")
    if isinstance(error.__cause__, ValidationError):
        said = said.partition(": ")[0] + ": " + value_fault(error.__cause__)
    elif said.startswith("No such command") and "Did you mean" not in said and context is not None:
        said += commands_there_are(context)
    return f"{said} (see: {command_path(context, given)} --help)"


def value_fault(cause: ValidationError) -> str:
    """With the value, which the checker leaves out."""
    first = cause.errors()[0]
    if first["type"] in PLAIN:
        return f"{first['input']!r} {PLAIN[first['type']]}"
    message = first["msg"].removeprefix(OUR_WORDS).rstrip(".")
    return message if message != first["msg"].rstrip(".") else message.replace("Input", repr(first["input"]), 1)


def commands_there_are(context: typer.Context) -> str:
    """Those of a group; all commands would be no answer."""
    group = context.command
    if context.parent is None or not isinstance(group, TyperGroup):
        return ""
    path = command_path(context, ())
    alone = f", and `{path}` by itself" if group.invoke_without_command and group.params else ""
    return f"; there are {', '.join(group.commands)}{alone}"


def command_path(context: typer.Context | None, given: Sequence[str]) -> str:
    """As it is typed; where the fault does not say whose it is, the command that was given."""
    if context is not None:
        return " ".join([PROGRAM, *context.command_path.split()[1:]])
    return f"{PROGRAM} {given[0]}" if given and given[0] in {row.name for row in COMMANDS} else PROGRAM
