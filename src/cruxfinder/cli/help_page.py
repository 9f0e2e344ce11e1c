"""The help of a group of commands, drawn as Typer draws those of single commands.

Typer's own drawing brings a reader of Markdown along, which takes as long to load as all the rest of the page.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final

import typer
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text
from typer.core import TyperGroup

NAME: Final = "bold cyan"
FRAME: Final = "dim"
METAVAR: Final = "bold yellow"


def show(group: TyperGroup, ctx: typer.Context) -> None:
    console = Console(highlight=False, markup=False, emoji=False)
    for part in parts(group, ctx):
        console.print(part)


def parts(group: TyperGroup, ctx: typer.Context) -> Iterator[RenderableType]:
    pieces = " ".join(group.collect_usage_pieces(ctx))
    yield Padding(Text.assemble(("Usage: ", "yellow"), f"{ctx.command_path} {pieces}", style="bold"), 1)
    yield Padding(group.help or "", (0, 1, 1, 1))
    yield panel("Options", [option_cells(option) for option in group.get_params(ctx)])
    widest = max(len(name) for name in group.commands)
    for title, commands in groupby(group.commands.values(), key=panel_title):
        yield panel(title, [(Text((one.name or "").ljust(widest), NAME), one.help or "") for one in commands])
    if group.epilog:
        yield Padding(group.epilog, 1)


def panel_title(command: Any) -> str:
    return command.rich_help_panel or "Commands"


def option_cells(option: Any) -> tuple[RenderableType, ...]:
    names = sorted(option.opts, key=len, reverse=True)
    return (Text(", ".join(names), NAME), Text(option.metavar or "", METAVAR), option.help or "")


def panel(title: str, rows: list[tuple[RenderableType, ...]]) -> Panel:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return Panel(table, title=title, title_align="left", border_style=FRAME)
