"""The options that several commands of the gate share, and those that start one for a server."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from inspect import Parameter
from typing import Annotated, Any, Final, Self

import typer

from cruxfinder.app.model_request import NOTHING_SAID, ModelRequest
from cruxfinder.app.options import OptionField, SetBy, options_of
from cruxfinder.cli.option_flags import MODELS, flag_parameters, read_flags

STDIN: Final = "-"
WORDS: Final = "What is at stake"
KEPT: Final = "Rules and memory"


Task = Annotated[str, typer.Argument(metavar="TASK", help="The task, in words.")]
Tool = Annotated[str, typer.Option(metavar="NAME", help="The tool: bash, sql, Write …", rich_help_panel=WORDS)]
Paths = Annotated[
    list[str] | None, typer.Option("--path", metavar="PATH", help="A file it touches.", rich_help_panel=WORDS)
]
Environment = Annotated[
    str, typer.Option("--env", metavar="NAME", help="Where it happens: production …", rich_help_panel=WORDS)
]
Arguments = Annotated[str, typer.Option(metavar="JSON", help="The tool's arguments, an object.", rich_help_panel=WORDS)]
SameAs = Annotated[str, typer.Option(metavar="TASK", help="It is this known task, by its id or its words.")]
Memory = Annotated[
    str,
    typer.Option(metavar="DIR", help="Where the gate remembers (CRUX_GATE_MEMORY; ./memory).", rich_help_panel=KEPT),
]
Rules = Annotated[
    str, typer.Option(metavar="FILE", help="Rules of your own, before those that ship.", rich_help_panel=KEPT)
]
Off = Annotated[list[str] | None, typer.Option(metavar="RULE", help="Switch a rule off.", rich_help_panel=KEPT)]
House = Annotated[bool, typer.Option("--house", help="Ask no model, even if one is set up.", rich_help_panel=MODELS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFiles:
    memory: Memory = ""
    rules: Rules = ""
    off: Off = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GateModelFlags:
    """Which model thinks for the gate, or for a server; none of them means the one that is set up."""

    said: ModelRequest = NOTHING_SAID
    house: bool = False

    @classmethod
    def flag_parameters(cls) -> list[Parameter]:
        house = Parameter("house", Parameter.KEYWORD_ONLY, default=False, annotation=House)
        return [*flag_parameters(named_models()), house]

    @classmethod
    def from_flags(cls, given: Mapping[str, Any]) -> Self:
        return cls(said=ModelRequest(**read_flags(named_models(), given)), house=given["house"])

    @property
    def config(self) -> ModelRequest | None:
        """None where the house is to think, whatever is set up."""
        return None if self.house else self.said


def named_models() -> tuple[OptionField, ...]:
    return tuple(field for field in options_of(ModelRequest) if SetBy.GATE in field.option.by)


def text_or_stdin(text: str) -> str:
    """What was typed, or stdin for a dash."""
    if text != STDIN:
        return text
    return sys.stdin.buffer.read().decode(errors="replace").rstrip("\n")
