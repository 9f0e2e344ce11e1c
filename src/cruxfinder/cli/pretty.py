"""The card for a terminal: one panel worth a screenshot, from 60 to 100 columns."""

from collections.abc import Iterator
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from cruxfinder.cli.card import Card, Stand, gauges
from cruxfinder.cli.palette import ACCENT, FAINT, seat_style
from cruxfinder.cli.text import bar, bar_to_the_left, percent

WIDTH_MAX: Final = 100
FRAME: Final = 6  # borders and padding of the panel
BAR: Final = 20


def pretty_card(card: Card, agents: tuple[str, ...], width: int) -> RenderableType:
    """`agents` in the order of their seats, which gives them their colours."""
    width = min(width, WIDTH_MAX)
    panel = Panel(
        Group(*body(card, agents, width - FRAME)),
        title=Text.assemble((f" {card.verdict.upper()} ", f"bold reverse {ACCENT}"), (f" {card.headline} ", "bold")),
        title_align="left",
        subtitle=Text(f" {card.topic} · {card.run} · seed {card.seed} ", FAINT),
        subtitle_align="right",
        border_style=ACCENT,
        box=box.ROUNDED,
        padding=(1, 2),
        width=width,
    )
    return Group(panel, Padding(Group(Text(card.facts, FAINT), *steps(card)), (0, 1, 0, 1)))


def steps(card: Card) -> Iterator[RenderableType]:
    for number, step in enumerate(card.steps):
        yield Text.assemble(("go on  " if number == 0 else "       ", FAINT), (step, "bold"))


def body(card: Card, agents: tuple[str, ...], width: int) -> Iterator[RenderableType]:
    if card.question:
        yield Text(card.question, f"bold {ACCENT}")
        meanings = Table.grid(padding=(0, 2, 0, 0))
        meanings.add_row(Text("YES", "bold"), Text(card.yes_means))
        meanings.add_row(Text("NO", "bold"), Text(card.no_means))
        yield Padding(meanings, (1, 0, 0, 0))
    if card.why:
        yield Padding(Text(card.why), (1 if card.question else 0, 0, 0, 0))
    if card.stands:
        yield from section(f"WHO STANDS WHERE {card.asked.upper()}", stands(card, agents, width))
    if card.share is not None:
        yield from section("HOW MUCH TURNS ON IT", figures(card))
    if card.tests:
        yield from section("WHAT WOULD CHANGE THEIR MINDS", tests(card, agents))
    if card.changes:
        yield from section("WHAT CHANGED", bullets(card.changes))
    if card.rows:
        yield from section("QUESTIONS TESTED", rows(card))
    if card.shared:
        yield from section("WHAT ALL HOLD IN PRIVATE", bullets(card.shared))
    if card.doubts:
        yield from section("DOUBTS", bullets(card.doubts))


def section(title: str, content: RenderableType) -> Iterator[RenderableType]:
    yield Padding(Text(title, f"bold {FAINT}"), (1, 0, 0, 0))
    yield content


def stands(card: Card, agents: tuple[str, ...], width: int) -> RenderableType:
    """A bar for each, to the left for NO and to the right for YES."""
    names = max(len(s.name) for s in card.stands)
    notes = max(len(told(s)) for s in card.stands)
    half = max(6, (width - names - notes - 5) // 2)
    axis = Text.assemble(" " * (names + 2), ("NO".ljust(half), FAINT), "│", ("YES".rjust(half), FAINT))
    lines = [axis]
    for stand in card.stands:
        style = seat_style(agents, stand.agent)
        left = bar_to_the_left(-stand.lean, half)
        right = bar(stand.lean, half)
        lines.append(
            Text.assemble(
                (stand.name.ljust(names), f"bold {style}"),
                "  ",
                (left.rjust(half), style),
                "│",
                (right.ljust(half), style),
                f"  {told(stand)}",
            )
        )
    return Group(*lines)


def told(stand: Stand) -> str:
    return f"{stand.figure} ({stand.note})" if stand.note else stand.figure


def figures(card: Card) -> RenderableType:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True, justify="right")
    grid.add_column()
    for gauge in gauges(card):
        grid.add_row(Text(gauge.name), dial(gauge.share), Text(gauge.figure, "bold"), Text(gauge.meaning, FAINT))
    return grid


def dial(share: float) -> Text:
    full = bar(share, BAR)
    return Text.assemble((full, ACCENT), ("·" * (BAR - len(full)), FAINT))


def tests(card: Card, agents: tuple[str, ...]) -> RenderableType:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    for test in card.tests:
        style = seat_style(agents, test.agent)
        text = Text.assemble(test.text, " ", (test.deadline, "bold"))
        if test.evidence:
            text.append(f" ({test.evidence})", FAINT)
        grid.add_row(Text(test.name, f"bold {style}"), text)
    return grid


def bullets(texts: tuple[str, ...]) -> RenderableType:
    grid = Table.grid(padding=(0, 1, 0, 0))
    for text in texts:
        grid.add_row(Text("·", FAINT), Text(text))
    return grid


def rows(card: Card) -> RenderableType:
    grid = Table.grid(padding=(0, 2, 0, 0), expand=True)
    grid.add_column(justify="right", width=len("-0.00"))
    grid.add_column(justify="right", width=len("share"))
    grid.add_column(width=max(len(row.mark) for row in card.rows))
    grid.add_column(ratio=1)  # the others keep their width; a long question wraps
    grid.add_row(Text("rank", FAINT), Text("share", FAINT), "", "")
    for row in card.rows:
        style = "bold" if row.mark else ""
        mark = Text(row.mark, ACCENT)
        grid.add_row(Text(f"{row.rank:.2f}", style), Text(percent(row.share), style), mark, Text(row.question, style))
    return grid
