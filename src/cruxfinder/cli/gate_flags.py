"""The options that several commands of the gate share, and those that start one for a server."""

import sys
from dataclasses import dataclass
from typing import Annotated, Final

import typer

from cruxfinder.adapters.models.model_config import ModelConfig
from cruxfinder.cli import configured_models
from cruxfinder.cli.model_flags import MODELS, BaseUrl, Fallback, Grammar, JudgeModel

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
OneModel = Annotated[
    str | None, typer.Option(metavar="MODEL", help="provider:model that debates.", rich_help_panel=MODELS)
]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFiles:
    memory: Memory = ""
    rules: Rules = ""
    off: Off = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GateModelFlags:
    """Which model thinks for the gate, or for a server; none of them means the one that is set up."""

    model: OneModel = None
    judge_model: JudgeModel = None
    fallback: Fallback = None
    base_url: BaseUrl = None
    grammar: Grammar = False
    house: House = False

    @property
    def config(self) -> ModelConfig | None:
        """None where the house is to think, whatever is set up."""
        if self.house:
            return None
        said, _ = configured_models.from_flags(
            [self.model] if self.model else None, self.judge_model, self.fallback, self.base_url, grammar=self.grammar
        )
        return said


def text_or_stdin(text: str) -> str:
    """What was typed, or stdin for a dash."""
    if text != STDIN:
        return text
    return sys.stdin.buffer.read().decode(errors="replace").rstrip("\n")
