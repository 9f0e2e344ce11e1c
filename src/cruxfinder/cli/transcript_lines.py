"""A line of the debate in colour: the same in the live view and in a transcript."""

from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cruxfinder.cli.palette import FAINT, TONES, seat_style, thread_style
from cruxfinder.crux.law.stages import ALLOWED
from cruxfinder.kernel.vocabulary import MoveKind, Stage
from cruxfinder.telling.event_lines import EventLine
from cruxfinder.telling.terminal_text import seconds

BADGES: Final = {
    Stage.DISCOVERY: "color(231) on color(24)",
    Stage.CRUX_LOCK: "color(231) on color(54)",
    Stage.EVIDENCE: "color(231) on color(23)",
}
TURNS: Final = (MoveKind.UPDATE_POSITION, MoveKind.CONCEDE)
TURN_BADGE: Final = "color(231) on color(94)"


def block(line: EventLine, agents: tuple[str, ...], *, tagged: bool = False) -> RenderableType:
    """`tagged` names the thread: where there is only one, its name says nothing."""
    lead = chip(line) if tagged else Text()
    match line.tone:
        case "message" | "moderator":
            return Group(head(line, agents, lead), Padding(Text(line.text, TONES[line.tone]), (0, 0, 0, 2)))
        case "refusal":
            return Text.assemble(lead, (f"{line.name} {line.badge} {line.detail}: {line.text}", TONES["refusal"]))
        case "change" | "note" if line.name:
            return Text.assemble(lead, (f"{line.name} ", seat_style(agents, line.agent)), banner(line))
        case "change" | "note" | "stage" | "lock" | "failure":
            return Text.assemble(lead, banner(line))


def chip(line: EventLine) -> Text:
    return Text() if line.thread is None else Text.assemble((str(line.thread), thread_style(line.thread)), " ")


def head(line: EventLine, agents: tuple[str, ...], lead: Text) -> RenderableType:
    left = Text.assemble(lead, (line.name, f"bold {seat_style(agents, line.agent)}"), " ")
    left.append(f" {line.badge} ", badge_style(line.badge))
    if line.detail:
        left.append(f" {line.detail}", FAINT)
    grid = Table.grid(expand=True, padding=(0, 1, 0, 0))
    at = seconds(line.at_ms)
    grid.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    grid.add_column(no_wrap=True, justify="right", width=len(at))
    grid.add_row(left, Text(at, FAINT))
    return grid


def banner(line: EventLine) -> Text:
    name = f"{line.name} " if line.name and line.tone == "failure" else ""
    return Text.assemble((f"{name}{line.badge} ", TONES[line.tone]), line.text)


def badge_style(move: str) -> str:
    if move in TURNS:
        return TURN_BADGE
    return next((BADGES[stage] for stage, moves in ALLOWED.items() if move in moves), "reverse")
