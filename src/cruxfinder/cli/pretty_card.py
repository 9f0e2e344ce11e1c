"""The card for a terminal: one panel worth a screenshot, from 60 to 100 columns."""

from collections.abc import Iterator
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from cruxfinder.cli.palette import ACCENT, FAINT, seat_style, thread_style
from cruxfinder.language.counts import percent
from cruxfinder.telling.card import Card, Gauge, StandRow, gauges
from cruxfinder.telling.crux_map import CruxMap
from cruxfinder.telling.terminal_text import bar, bar_to_the_left

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
    below = Padding(Group(Text(card.facts, FAINT), *steps(card)), (0, 1, 0, 1))
    return Group(panel, Constrain(below, width))


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
    yield from map_sections(card.map)
    if card.stands:
        yield from section(f"WHO STANDS WHERE {card.asked.upper()}", stands(card.stands, agents, width))
    if card.share is not None:
        yield from section("HOW MUCH TURNS ON IT", figures(gauges(card)))
    if card.tests:
        yield from section("WHAT WOULD CHANGE THEIR MINDS", tests(card, agents))
    if card.changes:
        yield from section("WHAT CHANGED", bullets(card.changes))
    if card.rows:
        yield from section("ALSO TESTED" if card.map.threads else "QUESTIONS TESTED", rows(card))
    if card.shared:
        yield from section("WHAT ALL HOLD IN PRIVATE", bullets(card.shared))
    if card.doubts:
        yield from section("DOUBTS", bullets(card.doubts))
    if card.next:
        yield from section("WHAT TO ASK NEXT", bullets(card.next))
    if card.map.threads:
        yield from section("THREADS", thread_grid(tuple((row.thread, row.text) for row in card.map.threads)))


def map_sections(found: CruxMap) -> Iterator[RenderableType]:
    """Where there are several threads: their cruxes, and what lies between them."""
    if found.cruxes:
        yield from section("THE CRUXES", cruxes(found))
    if found.links:
        yield from section("HOW THEY HANG TOGETHER", bullets(found.links))
    if found.camps:
        yield from section("CAMPS, BY THE TOPIC IN PRIVATE", pair_grid(found.camps))
    if found.coalitions:
        yield from section("COALITIONS, BY THE CRUXES", bullets(found.coalitions))


def section(title: str, content: RenderableType) -> Iterator[RenderableType]:
    yield Padding(Text(title, f"bold {FAINT}"), (1, 0, 0, 0))
    yield content


def stands(held: tuple[StandRow, ...], agents: tuple[str, ...], width: int) -> RenderableType:
    """A bar for each, to the left for NO and to the right for YES."""
    names = max(len(s.name) for s in held)
    notes = max(len(figure_with_note(s)) for s in held)
    half = max(6, (width - names - notes - 5) // 2)
    axis = Text.assemble(" " * (names + 2), ("NO".ljust(half), FAINT), "│", ("YES".rjust(half), FAINT))
    lines = [axis]
    for stand in held:
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
                f"  {figure_with_note(stand)}",
            )
        )
    return Group(*lines)


def figure_with_note(stand: StandRow) -> str:
    return f"{stand.figure} ({stand.note})" if stand.note else stand.figure


def figures(dials: tuple[Gauge, ...]) -> RenderableType:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True, justify="right")
    grid.add_column()
    for gauge in dials:
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


def cruxes(found: CruxMap) -> RenderableType:
    """A row each with its figures, and under it who takes which side."""
    grid = Table.grid(padding=(0, 1, 0, 0), expand=True)
    for name in ("rank", "share", "DCG"):
        grid.add_column(justify="right", width=max(len(name), len("0.00")), no_wrap=True)
    grid.add_column(width=3, no_wrap=True)
    grid.add_column(ratio=1)
    grid.add_row(Text("rank", FAINT), Text("share", FAINT), Text("DCG", FAINT), "", "")
    for row in found.cruxes:
        style = "bold" if row.primary else ""
        question = Text.assemble((row.question, style))
        question.append(f" ({row.note})" if row.note else "", ACCENT if row.primary else FAINT)
        grid.add_row(
            Text(f"{row.rank:.2f}", style),
            Text(percent(row.share), style),
            Text(f"{row.dcg:.2f}", style),
            Text(row.thread, thread_style(row.thread)),
            Group(question, pair_grid(row.sides)),
        )
    return grid


def pair_grid(rows: tuple[tuple[str, str], ...]) -> RenderableType:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    for name, text in rows:
        grid.add_row(Text(name, FAINT), Text(text))
    return grid


def thread_grid(rows: tuple[tuple[str, str], ...]) -> RenderableType:
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True)
    for thread, text in rows:
        grid.add_row(Text(thread, thread_style(thread)), Text(text))
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
        question = Text.assemble((f"{row.thread}: " if row.thread else "", FAINT), (row.question, style))
        grid.add_row(Text(f"{row.rank:.2f}", style), Text(percent(row.share), style), mark, question)
        if row.stands:
            grid.add_row("", "", "", Text(row.stands, FAINT))
    return grid
