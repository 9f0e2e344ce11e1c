"""The commands on what the gate keeps and knows: `crux gate outcome|report|rules`."""

from enum import StrEnum
from typing import Annotated

import typer

from cruxfinder.cli import gate_view, output
from cruxfinder.cli.gate_assembly import build_gate
from cruxfinder.cli.gate_flags import Memory, Off, Rules
from cruxfinder.cli.shared_flags import Json


class DecisionOutcome(StrEnum):
    SUCCESS = "success"
    FAILURE = "failure"


def outcome(
    debate: Annotated[str, typer.Argument(metavar="ID", help="The id of a debate.")],
    came: Annotated[DecisionOutcome, typer.Argument(metavar="success|failure", help="What came of it.")],
    helped: Annotated[
        bool | None, typer.Option("--helped/--not-helped", help="Did the debate help? Without a word: by rule.")
    ] = None,
    memory: Memory = "",
    json: Json = False,
) -> None:
    """Tell the gate what came of what it decided."""
    found = build_gate(memory).outcome(debate, came.value, helped)
    output.print_json(found) if json else gate_view.show_outcome(found)


def report(memory: Memory = "", json: Json = False) -> None:
    """Whether the gate helps: how often it debates, what comes of it, which rules fire for nothing, what it costs."""
    here = build_gate(memory)
    found = here.report()
    output.print_json(found) if json else gate_view.show_report(found, here.memory)


def rules(
    rule: Annotated[str | None, typer.Argument(metavar="RULE", help="One rule, with what it knows.")] = None,
    file: Rules = "",
    off: Off = None,
    json: Json = False,
) -> None:
    """List the rules, or show what one of them knows."""
    gate_view.show_rules(build_gate(rules=file, off=off).rules, rule, json=json)
