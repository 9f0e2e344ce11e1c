"""Reads a table of credences, a row for each agent and proposition; whatever is wrong is told with its line."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Final

from cruxfinder.adapters.tables.column_names import PYTHON_HINT, SheetHeader, count_known, holds_credences, read_header
from cruxfinder.adapters.tables.credence_notes import list_notes
from cruxfinder.adapters.tables.credence_rows import (
    CHANCES,
    AnswerCollector,
    list_agents,
    place_lines,
    raise_faults,
    take_row,
)
from cruxfinder.adapters.tables.csv_sheet import Row, clip_text, file_text, read_sheet
from cruxfinder.crux.asks import Credence
from cruxfinder.errors import BadInput
from cruxfinder.kernel.vocabulary import AgentId, CandidateId
from cruxfinder.language.numerals import short_repr
from cruxfinder.tables.credences.credence_answers import Origin, SurveyAnswers, average_top, complete_credence

Columns = Mapping[str, str]  # our name of a column: the sheet's own
AS_NAMED: Final[Columns] = MappingProxyType({})
TOLD_BY: Final = 4  # so many of the columns tell a table of credences from any other
Completed = dict[tuple[AgentId, CandidateId], tuple[Credence | None, Origin]]


def is_credences(header: Sequence[str]) -> bool:
    """Whether a table with this header holds credences, be it incomplete: its faults are then ours to tell."""
    return holds_credences(header) and count_known(header) >= TOLD_BY


def read(path: str | Path, columns: Columns = AS_NAMED) -> SurveyAnswers:
    """The answers in a CSV file. Raise BadInput for a table that cannot be trusted."""
    shown = clip_text(str(path))
    return read_text(file_text(path, shown), shown, columns)


def read_text(text: str, source: str, columns: Columns = AS_NAMED) -> SurveyAnswers:
    header, rows = read_sheet(text, source, columns)
    return gather_answers(header, rows, source, "line")


def read_rows(rows: Iterable[Mapping[str, object]], columns: Columns = AS_NAMED) -> SurveyAnswers:
    """The answers in rows made in Python: chances as numbers or text, None where there is no answer."""
    if not isinstance(rows, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise BadInput(f"a table is the path of a file or a list of rows, not {type(rows).__name__}")
    numbered = number_rows(rows, columns)
    first = next(numbered, None)
    if first is None:
        raise BadInput("the table is not filled in: it has no rows")
    header, row = first
    return gather_answers(header, chain((row,), (row for _, row in numbered)), "the table", "row")


def number_rows(rows: Iterable[Mapping[str, object]], columns: Columns) -> Iterator[tuple[SheetHeader, Row]]:
    known: dict[tuple[str, ...], SheetHeader] = {}
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise BadInput(f"row {number} of the table is no mapping of columns to cells")
        names = tuple(str(name) for name in row)
        if names not in known:
            known[names] = read_header(names, columns, f"row {number} of the table", PYTHON_HINT)
        told = dict(zip(known[names].names, (cell(value) for value in row.values()), strict=True))
        yield known[names], (number, told)


def cell(value: object) -> str:
    """The text of a value of Python; of a whole number too long to be written, what is no chance either."""
    return "" if value is None else short_repr(value) if isinstance(value, int) else str(value).strip()


def gather_answers(header: SheetHeader, rows: Iterator[Row], source: str, unit: str) -> SurveyAnswers:
    found = AnswerCollector(source, unit)
    for line, row in rows:
        take_row(found, line, row)
    raise_faults(found)
    if not found.rows:
        raise BadInput(f"{source} is not filled in: no row names an agent and a proposition")
    if not found.tops:
        where = place_lines(unit, list(found.agents.values()))
        raise BadInput(f"{source} is not filled in: top is empty for {list_agents(found.agents)} ({where})")
    completed = complete_answers(found)
    answers = SurveyAnswers(
        topic=found.topic,
        asked=tuple(found.asked.values()),
        stated_tops={AgentId(agent): told for agent, told in found.tops.items()},
        credences=whole_answers(found, completed),
        derived=frozenset(key for key, (_, origin) in completed.items() if origin is not Origin.TOLD),
    )
    notes = (*header.notes, *list_notes(found, {key: origin for key, (_, origin) in completed.items()}))
    if not any(answers.credences.values()):
        empty = [*found.skipped, *(line for line, _ in found.partly)]
        told = f"{', '.join(CHANCES[:2])} and {CHANCES[2]} are empty ({place_lines(unit, sorted(empty))})"
        raise BadInput(
            f"{source} is not filled in: no proposition is answered in full; {told if empty else '; '.join(notes)}"
        )
    return replace(answers, notes=notes)


def complete_answers(found: AnswerCollector) -> Completed:
    """The answers of those who told P(topic), with the chance they left open, where it follows."""
    completed: Completed = {}
    for (agent, id), told in found.told.items():
        if tops := found.tops.get(agent):
            top = tops[id] if id in tops else average_top(tuple(tops.values()))
            completed[AgentId(agent), id] = complete_credence(id, top, told.c, told.p1, told.p0)
    return completed


def whole_answers(found: AnswerCollector, completed: Completed) -> dict[AgentId, dict[CandidateId, Credence]]:
    given = {AgentId(agent): dict[CandidateId, Credence]() for agent in found.tops}
    for (agent, id), (answer, _) in completed.items():
        if answer is not None:
            given[agent][id] = answer
    return given
