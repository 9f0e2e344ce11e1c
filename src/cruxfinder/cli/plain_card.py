"""The card as plain text, for pipes and files: no colour, no boxes, at most 100 columns."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.cli.plain_text import wrap_text
from cruxfinder.language.counts import percent
from cruxfinder.telling.card import Card, Gauge, StandRow, gauges
from cruxfinder.telling.crux_map import CruxMap
from cruxfinder.telling.terminal_text import ascii_bar

BAR: Final = 20


def plain_card(card: Card) -> str:
    return "\n".join(line.rstrip() for line in lines(card))


def lines(card: Card) -> Iterator[str]:
    yield f"{card.verdict.upper()}: {card.headline}"
    yield f"Topic: {card.topic} (run {card.run}, seed {card.seed})"
    if not card.map.cruxes:
        yield from wrap_text(card.why)
    if card.question:
        yield ""
        yield from wrap_text(card.question)
        yield from wrap_text(card.yes_means, "  YES  ")
        yield from wrap_text(card.no_means, "  NO   ")
    if card.map.cruxes:
        yield ""
        yield from wrap_text(card.why)
    yield from section("The cruxes (rank, explained share, DCG)", cruxes(card.map))
    yield from section("How they hang together", bullets(card.map.links))
    yield from section("Camps, by the topic in private", pair_lines(card.map.camps))
    yield from section("Coalitions, by the cruxes", bullets(card.map.coalitions))
    yield from section(f"Who stands where {card.asked}", stands(card.stands))
    yield from section("How much turns on it", figures(gauges(card)))
    yield from section("What would change their minds", tests(card))
    yield from section("What changed", bullets(card.changes))
    title = "Also tested" if card.map.threads else "Questions tested"
    yield from section(f"{title} (rank, explained share)", rows(card))
    yield from section("What all hold in private", bullets(card.shared))
    yield from section("Doubts", bullets(card.doubts))
    yield from section("What to ask next", bullets(card.next))
    yield from section("Threads", pair_lines(tuple((t.thread, t.text) for t in card.map.threads)))
    yield ""
    yield from wrap_text(card.facts)
    yield "Go on with:"
    for step in card.steps:
        yield f"  {step}"


def section(title: str, body: Iterator[str]) -> Iterator[str]:
    """A title and its lines; nothing at all where there are none."""
    for number, line in enumerate(body):
        if number == 0:
            yield ""
            yield title
        yield line


def bullets(texts: tuple[str, ...]) -> Iterator[str]:
    for text in texts:
        yield from wrap_text(text, "  - ")


def stands(held: tuple[StandRow, ...]) -> Iterator[str]:
    widest = max((len(s.name) for s in held), default=0)
    for stand in held:
        note = f"  ({stand.note})" if stand.note else ""
        yield f"  {stand.name.ljust(widest)}  {answer(stand).ljust(3)}  {stand.figure}{note}"


def answer(stand: StandRow) -> str:
    return "YES" if stand.lean > 0 else "NO" if stand.lean < 0 else "-"


def figures(dials: tuple[Gauge, ...]) -> Iterator[str]:
    for gauge in dials:
        lead = f"  {gauge.name:<15}  [{ascii_bar(gauge.share, BAR)}] {gauge.figure:>4}  "
        yield from wrap_text(gauge.meaning, lead)


def tests(card: Card) -> Iterator[str]:
    for test in card.tests:
        evidence = f" ({test.evidence})" if test.evidence else ""
        yield from wrap_text(f"{test.text}, {test.deadline}{evidence}", f"  {test.name}: ")


def rows(card: Card) -> Iterator[str]:
    for row in card.rows:
        mark = f"[{row.mark}] " if row.mark else ""
        where = f"{row.thread}: " if row.thread else ""
        yield from wrap_text(f"{mark}{where}{row.question}", f"  {row.rank:5.2f}  {percent(row.share):>4}  ")
        if row.stands:
            yield from wrap_text(row.stands, " " * 15)


def cruxes(found: CruxMap) -> Iterator[str]:
    for row in found.cruxes:
        figures = f"  {row.rank:5.2f}  {percent(row.share):>4}  {row.dcg:.2f}  "
        note = f" ({row.note})" if row.note else ""
        yield from wrap_text(f"{row.thread}: {row.question}{note}", figures)
        for side, who in row.sides:
            yield from wrap_text(who, f"{' ' * len(figures)}{side:<6}  ")


def pair_lines(rows: tuple[tuple[str, str], ...]) -> Iterator[str]:
    widest = max((len(name) for name, _ in rows), default=0)
    for name, text in rows:
        yield from wrap_text(text, f"  {name.ljust(widest)}  ")
