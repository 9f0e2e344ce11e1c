"""Reads tables of votes: a wide CSV, a Polis export, a folder of either. What is wrong is told with its line."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np

from cruxfinder.errors import BadTable
from cruxfinder.tables.votes.vote_table import ACCEPTED, WORDS, Table, vote_code

BYTES_MAX: Final = 100_000_000
CELLS_MAX: Final = 10_000_000
LINE_MAX: Final = 4_000_000
SHOWN_MAX: Final = 40
NOTHING: Final[tuple[int, list[str]]] = (1, [])
POLIS_VOTES: Final = "participants-votes.csv"


def tables_in(folder: Path) -> tuple[Path, ...]:
    """The files of votes in a folder; a Polis export is one."""
    if (export := folder / POLIS_VOTES).is_file():
        return (export,)
    found = sorted(p for p in folder.iterdir() if p.suffix.lower() == ".csv" and p.is_file())
    if not found:
        raise BadTable(str(folder), 0, "there is no CSV file in this folder")
    return tuple(found)


def read(path: Path) -> Table:
    """One table; beside a Polis file the texts of its comments and its title."""
    source = str(path)
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise BadTable(source, 0, "this is a folder, not a file")
        if size > BYTES_MAX:
            told = f"the file has {size / 1e6:,.0f} MB, more than the {BYTES_MAX / 1e6:,.0f} MB that are read"
            raise BadTable(source, 1, told)
        with path.open("rb") as file:
            return with_polis_texts(path, read_wide_table(source, file))
    except FileNotFoundError:
        raise BadTable(source, 0, "there is no such file") from None
    except OSError as error:
        raise BadTable(source, 0, f"the file cannot be read: {error.strerror}") from None


# ---------------------------------------------------------------- lines and cells


def lines(source: str, file: BinaryIO) -> Iterator[str]:
    """The lines as text. One that is no text, or endless, is refused before it fills the memory."""
    number = 0
    while line := file.readline(LINE_MAX + 1):
        number += 1
        if b"\0" in line:
            raise BadTable(source, number, "this is a binary file, not a CSV of votes")
        if len(line) > LINE_MAX:
            raise BadTable(source, number, f"the line is longer than {LINE_MAX // 1_000_000} MB")
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise BadTable(source, number, "this is not UTF-8 text") from None


def rows(source: str, file: BinaryIO) -> Iterator[tuple[int, list[str]]]:
    """The rows that hold something, each with the number of the line it ends on."""
    text = lines(source, file)
    first = next(text, "")
    mark = max(",;\t", key=first.count)

    def all_lines() -> Iterator[str]:
        yield first
        yield from text

    reader = csv.reader(all_lines(), delimiter=mark, strict=True)
    try:
        for row in reader:
            if any(row):
                yield reader.line_num, row
    except csv.Error as error:
        raise BadTable(source, reader.line_num, f"this is no CSV: {error}") from None


# ---------------------------------------------------------------- the table


def read_wide_table(source: str, file: BinaryIO) -> Table:
    """A row an agent: the column `agent` (or `participant`, as Polis has it), then a column a question."""
    read_rows = rows(source, file)
    number, header = next(read_rows, NOTHING)
    if not header:
        raise BadTable(source, 1, "the file is empty")
    columns = question_columns(source, number, [name.strip() for name in header])
    questions = tuple(header[n].strip() for n in columns)
    meaning = dict(WORDS)
    agents: dict[str, int] = {}
    votes = bytearray()
    for number, row in read_rows:
        if len(row) != len(header):
            raise BadTable(source, number, f"the row has {cells(len(row))}, the header {cells(len(header))}")
        agent = row[0].strip()
        if not agent:
            raise BadTable(source, number, "the agent has no name")
        if agent in agents:
            raise BadTable(
                source, number, f"the agent {agent[:SHOWN_MAX]!r} is there twice, first on line {agents[agent]}"
            )
        agents[agent] = number
        if len(votes) + len(columns) > CELLS_MAX:
            raise BadTable(source, number, f"the table has more than {CELLS_MAX:,} votes")
        try:
            votes += bytes([meaning[row[n]] & 255 for n in columns])
        except KeyError:
            votes += bytes([vote(source, number, row[n], header[n], meaning) & 255 for n in columns])
    if not agents:
        raise BadTable(source, number, "there is no agent below the header")
    return Table(
        source=source,
        agents=tuple(agents),
        questions=questions,
        votes=np.frombuffer(bytes(votes), np.int8).reshape(len(agents), len(questions)),
    )


def cells(count: int) -> str:
    return f"{count} cell{'' if count == 1 else 's'}"


def question_columns(source: str, number: int, header: list[str]) -> list[int]:
    first = header[0].lower()
    if first not in ("agent", "participant"):
        raise BadTable(source, number, f"the first column is {header[0][:SHOWN_MAX]!r}, not 'agent' or 'participant'")
    polis = first == "participant"
    columns = [n for n, name in enumerate(header) if n and (name.isdigit() or not polis)]
    if not columns:
        raise BadTable(source, number, "there is no column with a question")
    if unnamed := next((n for n in columns if not header[n]), None):
        raise BadTable(source, number, f"column {unnamed + 1} has no name")
    seen: set[str] = set()
    for n in columns:
        if header[n] in seen:
            raise BadTable(source, number, f"the question {header[n][:SHOWN_MAX]!r} is there twice")
        seen.add(header[n])
    return columns


def vote(source: str, number: int, cell: str, question: str, meaning: dict[str, int]) -> int:
    """What an unusual cell means; remembered, as long as there are few of them."""
    found = vote_code(cell)
    if found is None:
        told = f"{cell[:SHOWN_MAX]!r} under {question.strip()[:SHOWN_MAX]!r} is no vote: {ACCEPTED}"
        raise BadTable(source, number, told)
    if len(meaning) < 1000:
        meaning[cell] = found
    return found


# ---------------------------------------------------------------- what lies beside a Polis file


def with_polis_texts(path: Path, table: Table) -> Table:
    """The same table with the comments' texts and the conversation's topic, where the export has them."""
    if path.name != POLIS_VOTES:
        return table
    texts: dict[str, str] = {}
    comments = path.with_name("comments.csv")
    if comments.is_file():
        with comments.open("rb") as file:
            found = rows(str(comments), file)
            number, header = next(found, NOTHING)
            if "comment-id" not in header or "comment-body" not in header:
                raise BadTable(str(comments), number, "the columns comment-id and comment-body are not both there")
            id, body = header.index("comment-id"), header.index("comment-body")
            texts = {row[id].strip(): row[body] for _, row in found if len(row) > max(id, body)}
    title = ""
    summary = path.with_name("summary.csv")
    if summary.is_file():
        with summary.open("rb") as file:
            title = next((row[1] for _, row in rows(str(summary), file) if row[0] == "topic" and len(row) > 1), "")
    known = {question: texts[question] for question in table.questions if question in texts}
    return Table(
        source=table.source, agents=table.agents, questions=table.questions, votes=table.votes, texts=known, title=title
    )
