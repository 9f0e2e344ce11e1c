"""A line of the debate in colour: the same in the live view and in a transcript."""

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cruxfinder.cli.lines import Line
from cruxfinder.cli.palette import FAINT, TONES, badge_style, seat_style
from cruxfinder.cli.text import seconds


def block(line: Line, agents: tuple[str, ...]) -> RenderableType:
    match line.tone:
        case "message" | "moderator":
            return Group(head(line, agents), Padding(Text(line.text, TONES[line.tone]), (0, 0, 0, 2)))
        case "refusal":
            return Text(f"{line.name} {line.badge} {line.detail}: {line.text}", TONES["refusal"])
        case "change" | "note":
            return Text.assemble((f"{line.name} ", seat_style(agents, line.agent)), banner(line))
        case "stage" | "lock" | "failure":
            return banner(line)


def head(line: Line, agents: tuple[str, ...]) -> RenderableType:
    left = Text.assemble((line.name, f"bold {seat_style(agents, line.agent)}"), " ")
    left.append(f" {line.badge} ", badge_style(line.badge))
    if line.detail:
        left.append(f" {line.detail}", FAINT)
    grid = Table.grid(expand=True, padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True, overflow="ellipsis")
    grid.add_column(no_wrap=True, justify="right")
    grid.add_row(left, Text(seconds(line.at_ms), FAINT))
    return grid


def banner(line: Line) -> Text:
    name = f"{line.name} " if line.name and line.tone == "failure" else ""
    return Text.assemble((f"{name}{line.badge} ", TONES[line.tone]), line.text)
