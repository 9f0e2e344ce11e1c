"""Groups of commands that are listed from a table: a command's module is imported when it is called, or its help."""

from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from cruxfinder.cli.command_table import CommandRow
from cruxfinder.cli.flag_groups import expand_flag_groups


class ListedCommand(TyperCommand):
    """A command as the help of its group shows it."""

    def __init__(self, row: CommandRow) -> None:
        super().__init__(row.name, help=row.help, rich_help_panel=row.panel or None)
        self.row = row


class LazyCommandGroup(TyperGroup):
    """Give it `rows`. Help, completion and guesses at a misspelt name are content with what the table says."""

    rows: ClassVar[tuple[CommandRow, ...]] = ()

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for row in self.rows:
            self.add_command(ListedCommand(row))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from cruxfinder.cli import help_page  # noqa: PLC0415 - draws with rich: 20 ms that only help pays for

        help_page.show(self, ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        if isinstance(command, ListedCommand):
            command = load(command.row)
            self.add_command(command)
        return name, command, rest


def load(row: CommandRow) -> TyperCommand | TyperGroup:
    found = getattr(import_module(f"cruxfinder.cli.{row.module}"), row.attribute)
    made = typer.Typer()
    if isinstance(found, typer.Typer):
        made.add_typer(found, name=row.name, rich_help_panel=row.panel or None)
    else:
        made.command(row.name, rich_help_panel=row.panel or None)(expand_flag_groups(found))
    command = get_group(made).commands[row.name]
    assert isinstance(command, TyperCommand | TyperGroup)
    return command
