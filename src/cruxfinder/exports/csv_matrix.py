"""A run as CSV: a row for everybody and a column for every question, or a row for every turn. RFC 4180.

A spreadsheet would take a cell that begins like a formula for one: such a cell gets an apostrophe in front.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, cast

from cruxfinder.crux.events import Event
from cruxfinder.crux.evolve import fold
from cruxfinder.crux.law import probes
from cruxfinder.crux.result import Result
from cruxfinder.crux.thread_crux import crux_id
from cruxfinder.exports.exported_run import Renderers, RunWithMinutes, RunWithResult
from cruxfinder.kernel.protocol import OutcomeKind
from cruxfinder.kernel.vocabulary import Phase
from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.talk.minutes import Minutes
from cruxfinder.telling.export_text import clean
from cruxfinder.telling.outcomes import other_questions

_FORMULA: Final = re.compile(r"[=+\-@＝＋－＠]")
_QUOTED: Final = re.compile(r'[",\r\n]|^\s|\s$')
END: Final = "\r\n"

Cell = str | float | int | None
Column = tuple[str, dict[str, Cell]]  # its head, and its cell for each agent


def render_result(run: RunWithResult) -> str:
    return csv_text(matrix(run.events, run.outcome))


def render_minutes(run: RunWithMinutes) -> str:
    return csv_text(turns(run.outcome))


def csv_text(rows: Iterable[Sequence[Cell]]) -> str:
    return "".join(f"{','.join(map(cell, row))}{END}" for row in rows)


def cell(value: Cell) -> str:
    """A figure as it is; a text guarded, and in quotes where it needs them."""
    if value is None:
        return ""
    if isinstance(value, float | int):
        return f"{value:g}"
    text = clean(value)
    guarded = f"'{text}" if _FORMULA.match(text) else text
    return '"' + guarded.replace('"', '""') + '"' if _QUOTED.search(guarded) else guarded


def matrix(events: tuple[AnyEvent, ...], result: Result) -> Iterator[Sequence[Cell]]:
    columns = [*stands(result), *private(events, result)]
    head = ("agent", "name", "about", "camp", "public side", "private chance", "private chance after")
    yield (*head, *(name for name, _ in columns))
    for agent in result.agents:
        held = result.private_positions.get(agent.id)
        chances = (None, None) if held is None else (held.p_top, held.p_top_after)
        side = None if agent.public_side is None else agent.public_side.value
        known = (agent.id, agent.name, agent.about, agent.camp, side, *chances)
        yield (*known, *(cells.get(agent.id) for _, cells in columns))


def stands(result: Result) -> Iterable[Column]:
    """Of every crux the side, how sure, and the side as it was committed to; one asked twice is told by its id."""
    found = [thread.crux for thread in result.threads if thread.crux is not None]
    often = Counter(clean(crux.question) for crux in found)
    for crux in found:
        held, question = crux.positions, clean(crux.question)
        question = f"{question} ({crux.id})" if often[question] > 1 else question
        yield question, {a: p.side_after.value for a, p in held.items()}
        yield f"{question} [confidence]", {a: p.confidence for a, p in held.items()}
        yield f"{question} [side when locked]", {a: p.side.value for a, p in held.items()}
        yield f"{question} [private credence]", {a: c.credence for a, c in crux.counterfactual.items()}


def private(events: tuple[AnyEvent, ...], result: Result) -> Iterable[Column]:
    """Of the other questions how likely a YES is, as each answered in private before the evidence."""
    answers = {
        (crux_id(thread, id), str(agent)): round(answer.c, 4)
        for thread in fold(cast("tuple[Event, ...]", events)).threads.values()
        for agent, reading in probes.readings(thread, Phase.BEFORE).items()
        for id, answer in reading.credences.items()
    }
    for found in other_questions(result):
        held: dict[str, Cell] = {agent: c for (id, agent), c in answers.items() if id == found.id}
        yield f"{clean(found.question)} [private credence]", held


def turns(told: Minutes) -> Iterator[Sequence[Cell]]:
    names = {a.id: a.name for a in told.agents}
    yield (
        "turn", "id", "agent", "name", "role", "type", "answers", "side", "adds", "similarity",
        "flags", "off topic", "concedes", "next step", "content",
    )  # fmt: skip
    for t in told.turns:
        side = None if t.side is None else t.side.value
        yield (
            t.number, t.id, t.agent, names.get(t.agent, t.agent), t.role.value, t.type.value, t.reply_to, side,
            " ".join(t.entailments), t.similarity, " ".join(t.flags), "yes" if t.off_topic else "no", t.concedes,
            t.next_step, t.content,
        )  # fmt: skip


RENDERERS: Final[Renderers] = {OutcomeKind.RESULT: render_result, OutcomeKind.MINUTES: render_minutes}
