"""The map of a table of credences for a terminal: one panel, from 60 to 100 columns."""

from collections.abc import Iterator
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from cruxfinder.cli.credence_card import HEAD, CredenceCard, PropositionRow
from cruxfinder.cli.palette import ACCENT, FAINT
from cruxfinder.cli.pretty_card import FRAME, WIDTH_MAX, bullets, figures, section, stands

CAMPS: Final = HEAD[-2:]


def pretty(card: CredenceCard, width: int) -> RenderableType:
    width = min(width, WIDTH_MAX)
    panel = Panel(
        Group(*body(card, width - FRAME)),
        title=Text.assemble((f" {card.verdict.upper()} ", f"bold reverse {ACCENT}"), (f" {card.headline} ", "bold")),
        title_align="left",
        subtitle=Text(f" {card.topic} ", FAINT) if card.topic else None,
        subtitle_align="right",
        border_style=ACCENT,
        box=box.ROUNDED,
        padding=(1, 2),
        width=width,
    )
    return Group(panel, Padding(Text(card.facts, FAINT), (0, 1, 0, 1)))


def body(card: CredenceCard, width: int) -> Iterator[RenderableType]:
    if card.question:
        yield Text(card.question, f"bold {ACCENT}")
    if card.yes_means or card.no_means:
        meanings = Table.grid(padding=(0, 2, 0, 0))
        meanings.add_row(Text("YES", "bold"), Text(card.yes_means))
        meanings.add_row(Text("NO", "bold"), Text(card.no_means))
        yield Padding(meanings, (1, 0, 0, 0))
    if not card.gauges:
        yield Text(card.why)  # else the figures say it
    if card.stands:
        yield from section("WHO STANDS WHERE ON THE TOPIC", stands(card.stands, card.agents, width))
    if card.camps:
        yield from section("THE CAMPS ON THE TOPIC", bullets(card.camps))
    if card.spreads:
        yield from section("WHO TOLD THE TOPIC'S CHANCE MORE THAN ONCE", bullets(card.spreads))
    if card.gauges:
        yield from section("HOW MUCH TURNS ON IT", figures(card.gauges))
    if card.lines:
        yield from section("PROPOSITIONS, BEST FIRST", table(card.lines))
        if card.share_note:
            yield Text(card.share_note, FAINT)
    for title, texts in (
        ("NOT JUDGED", card.untested),
        ("WHAT ALL HOLD", card.shared),
        ("ANSWERS THAT CONTRADICT EACH OTHER", card.contradictions),
        ("KEEP IN MIND", card.notes),
    ):
        if texts:
            yield from section(title, bullets(texts))


def table(lines: tuple[PropositionRow, ...]) -> RenderableType:
    """A row each; YES and NO are the camps' mean credences, under a bracket that says so."""
    grid = Table.grid(padding=(0, 1, 0, 0), expand=True)
    for n, name in enumerate(HEAD):
        width = max(len(name), *(len(row.figures[n]) for row in lines))
        grid.add_column(justify="right", width=width, no_wrap=True)
    grid.add_column(ratio=1)  # the figures keep their width; a long question wraps
    faint = [Text(name, FAINT) for name in HEAD]
    grid.add_row(*faint, Text("(YES, NO: credence of each camp)", FAINT))
    for row in lines:
        style = "bold" if row.mark == "chosen" else ""
        question = Text.assemble((f"{row.mark} ", ACCENT) if row.mark else "", (row.question, style))
        grid.add_row(*(Text(cell, style) for cell in row.figures), question)
    return grid
