"""The group of the gate's commands: `crux gate …`."""

import typer

from cruxfinder.cli import hook_guard
from cruxfinder.cli.command_table import GATE_COMMANDS
from cruxfinder.cli.lazy_commands import LazyCommandGroup


class GateCommandGroup(LazyCommandGroup):
    rows = GATE_COMMANDS


commands = typer.Typer(cls=GateCommandGroup, invoke_without_command=True)


@commands.callback()
def gate(ctx: typer.Context) -> None:
    """Debate a risky step before it is taken, and a task that failed twice."""
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())


@commands.command(add_help_option=False, context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
def hook(ctx: typer.Context) -> None:
    """Stand before an agent's tool calls: a PreToolUse hook, JSON on stdin, the decision on stdout."""
    hook_guard.main(ctx.args)
