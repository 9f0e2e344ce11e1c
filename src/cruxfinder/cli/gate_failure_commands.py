"""The commands of the gate after failures: `crux gate attempt|failure|reset`."""

from typing import Annotated

import typer

from cruxfinder.cli import exits, gate_view, output
from cruxfinder.cli.gate_assembly import build_gate
from cruxfinder.cli.gate_flags import GateModelFlags, Memory, Rules, SameAs, Task, text_or_stdin
from cruxfinder.cli.shared_flags import Json
from cruxfinder.errors import BadInput
from cruxfinder.gate.failures import FollowUp


def attempt(
    task: Task,
    error: Annotated[str | None, typer.Option(metavar="TEXT", help="How it failed; - reads stdin.")] = None,
    approach: Annotated[str, typer.Option(metavar="TEXT", help="What was tried.")] = "",
    ok: Annotated[bool, typer.Option("--ok", help="It succeeded: the count begins again.")] = False,
    same_as: SameAs = "",
    memory: Memory = "",
    json: Json = False,
) -> None:
    """Note a failed attempt, or see where a task stands: 0 go on, 20 after the third failure."""
    here = build_gate(memory)
    if ok:
        if error is not None:
            raise BadInput("it cannot have failed and succeeded: give --error or --ok")
        done = here.success(task, same_as)
        output.print_json(done) if json else gate_view.show_reset(done)
        return
    found = here.attempt(
        task, error=None if error is None else text_or_stdin(error), approach=approach, same_as=same_as
    )
    output.print_json(found) if json else gate_view.show_known(found, noted=error is not None)
    if found.due is FollowUp.ESCALATION:
        raise typer.Exit(exits.ESCALATE)


def failure(
    task: Task,
    tried: Annotated[
        list[str] | None, typer.Option("--attempt", metavar="TEXT", help="An attempt, instead of those remembered.")
    ] = None,
    error: Annotated[list[str] | None, typer.Option(metavar="TEXT", help="How that attempt failed.")] = None,
    next: Annotated[str, typer.Option(metavar="TEXT", help="What would be tried now.")] = "",
    same_as: SameAs = "",
    memory: Memory = "",
    rules: Rules = "",
    json: Json = False,
    *,
    models: GateModelFlags,
) -> None:
    """Debate a task that failed twice: RETRY (0), PIVOT (11) or ESCALATE (20)."""
    if len(tried or ()) != len(error or ()):
        raise BadInput("give an --error for each --attempt")
    here = build_gate(memory, rules)
    pairs = tuple(zip(tried or (), error or (), strict=True))
    verdict = gate_view.decide_or_exit(
        here, models.config, lambda g: g.failure(task, attempts=pairs, next_approach=next, same_as=same_as), json=json
    )
    gate_view.show_and_exit(verdict, here, json=json)


def reset(
    task: Task,
    said: Annotated[str, typer.Option(metavar="TEXT", help="What the user said; it must be a reason.")] = "",
    same_as: SameAs = "",
    memory: Memory = "",
    json: Json = False,
) -> None:
    """Begin the count of a task's failures again: on your word, or where what was said is a reason to (else 3)."""
    done = build_gate(memory).reset(task, said=said, same_as=same_as)
    output.print_json(done) if json else gate_view.show_reset(done)
    if not done.done:
        raise typer.Exit(exits.UNDECIDED)
