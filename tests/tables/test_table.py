"""A table as people and spreadsheets write it: read as meant, or refused in one sentence with its line."""

from pathlib import Path
from typing import Any

import pytest

from cruxfinder.adapters.tables.column_names import COLUMNS
from cruxfinder.adapters.tables.credence_rows import AGENTS_MAX, PROPOSITIONS_MAX
from cruxfinder.adapters.tables.credence_table import (
    is_credences,
    read,
    read_rows,
    read_text,
)
from cruxfinder.crux.asks import Credence
from cruxfinder.errors import BadInput
from cruxfinder.kernel.vocabulary import AgentId, CandidateId

HEADER = "agent,top,proposition,credence,top_if_true,top_if_false\n"
SOUND = HEADER + "ann,.7,Is it safe?,.8,.9,.2\nben,.3,Is it safe?,.1,.6,.25\n"
ANN, BEN, SAFE = AgentId("ann"), AgentId("ben"), CandidateId("p1")


def check_sound(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    told = read(path)
    assert told.tops == {ANN: 0.7, BEN: 0.3}
    assert [a.text for a in told.asked] == ["Is it safe?"]
    assert told.credences == {ANN: {SAFE: Credence(SAFE, 0.8, 0.9, 0.2)}, BEN: {SAFE: Credence(SAFE, 0.1, 0.6, 0.25)}}
    assert told.notes == ()


SEMICOLONS = SOUND.replace(",", ";").replace(".", ",")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(SOUND.encode(), id="plain"),
        pytest.param(SOUND.encode("utf-8-sig"), id="a byte order mark"),
        pytest.param(SOUND.encode("utf-16"), id="UTF-16"),
        pytest.param(SOUND.replace("\n", "\r\n").encode(), id="Windows line ends"),
        pytest.param(SOUND.replace("\n", "\r").encode(), id="old line ends"),
        pytest.param(SEMICOLONS.encode(), id="semicolons and decimal commas"),
        pytest.param(f"sep=;\n{SEMICOLONS}".encode(), id="a spreadsheet's own note"),
        pytest.param(SOUND.replace(",", "\t").encode(), id="tabs"),
        pytest.param(SOUND.replace(".7", '"0,7"').replace(".3", '"0,3"').encode(), id="decimal commas in quotes"),
        pytest.param(SOUND.replace(",.7", ",70%").replace(",.3", ", 30 %").encode(), id="percentages"),
        pytest.param(SOUND.replace(".7", "7e-1").encode(), id="an exponent"),
        pytest.param(SOUND.replace("top_if_true", "Top if true").encode(), id="a header in words"),
        pytest.param(SOUND.replace("\n", ",,\n").encode(), id="empty cells at the end"),
        pytest.param(SOUND.replace("\nben", "\n\n,,,,,\nben").encode(), id="empty rows"),
    ],
)
def test_a_table_is_read_as_meant(tmp_path: Path, data: bytes) -> None:
    check_sound(tmp_path / "table.csv", data)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        pytest.param("cy,70,q,.1,.2,.3", "line 4: top is 70, and must lie between 0 and 1; write 70% or 0.7", id="70"),
        pytest.param("cy,.7,q,1.2,.2,.3", "credence is 1.2, and must lie between 0 and 1", id="above one"),
        pytest.param("cy,.7,q,-.2,.2,.3", "credence is -.2", id="negative"),
        pytest.param("cy,.7,q,130%,.2,.3", "credence is 130%, and must lie between 0% and 100%", id="130%"),
        pytest.param("cy,.7,q,nan,.2,.3", "credence is 'nan': write a number from 0 to 1", id="nan"),
        pytest.param("cy,.7,q,inf,.2,.3", "credence is 'inf'", id="infinite"),
        pytest.param("cy,.7,q,maybe,.2,.3", "credence is 'maybe'", id="a word"),
        pytest.param("cy,.7,q,.,.2,.3", "credence is '.'", id="a lonely point"),
        pytest.param("cy,.7,q,1.2.3,.2,.3", "credence is '1.2.3'", id="two points"),
        pytest.param("ann,.7,Is it safe?,.1,.2,.3", "ann answers 'Is it safe?' here and on line 2", id="twice"),
        pytest.param("Ann,.7,q,.1,.2,.3", "'Ann' and 'ann' differ only in capital letters", id="two spellings"),
        pytest.param(",.7,q,.1,.2,.3", "line 4: the agent is empty", id="nobody"),
        pytest.param("cy,.7,,.1,.2,.3", "the proposition is empty", id="no proposition"),
        pytest.param("cy,.7,q,.1,.2", "line 4: 5 cells stand here, and 6 in the header", id="a cell too few"),
        pytest.param("cy,.7,q,.1,.2,.3,.4", "7 cells stand here", id="a cell too many"),
        pytest.param("cy,0,7,q,.1,.2,.3", "decimal commas need quotes", id="a bare decimal comma"),
        pytest.param('cy,.7,"q,.1,.2,.3', "line 4: this is not CSV", id="an open quote"),
        pytest.param("cy,.7," + "q" * 500 + ",.1,.2,.3", "500 characters", id="a long proposition"),
        pytest.param("cy\x1b[31m,.7,q,.1,.2,.3", "hidden character", id="an escape sequence"),
        pytest.param("cy,.7,q,.1,.2," + "9" * 200_000, "line 4", id="a huge number"),
    ],
)
def test_a_faulty_row_is_told_with_its_line(row: str, told: str) -> None:
    with pytest.raises(BadInput, match=r"^the\.csv, line 4: ") as raised:
        read_text(SOUND + row + "\n", "the.csv")
    assert told in str(raised.value)
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 500


def test_all_faults_are_counted_and_placed() -> None:
    with pytest.raises(BadInput, match=r"line 2: top is 70.*\(and 2 more: lines 3, 4\)"):
        read_text(HEADER + "a,70,q,1,1,1\nb,80,q,1,1,1\nc,90,q,1,1,1\n", "the.csv")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("", "is empty", id="nothing"),
        pytest.param(HEADER, "no row names an agent", id="a header alone"),
        pytest.param("agent,top,proposition\n", "lacks credence and top_if_true or top_if_false", id="columns missing"),
        pytest.param(HEADER.replace("credence", "credence,top"), "names top twice", id="a column twice"),
        pytest.param(
            HEADER + "a,,q,,,\na,,r,,,\nb,,q,,,\n", "top is empty for a, b (lines 2, 4)", id="a form as it was sent out"
        ),
        pytest.param(HEADER + ",,q,,,\n,,r,,,\n", "no row names an agent", id="a form without names"),
        pytest.param(
            HEADER + "a,.2,q,,,\nb,.8,q,.5,,\n", "no proposition is answered in full", id="only tops filled in"
        ),
    ],
)
def test_what_is_missing_is_said(text: str, told: str) -> None:
    with pytest.raises(BadInput) as raised:
        read_text(text, "the.csv")
    assert told in str(raised.value)


def test_half_filled_forms_are_read_and_what_was_left_out_is_said() -> None:
    told = read_text(SOUND + "cy,,Is it safe?,.1,.2,.3\nann,,q,,.5,.5\nben,,q,,,\n", "the.csv")
    assert set(told.tops) == {ANN, BEN}
    assert told.notes == (
        "cy left top empty and is left out (line 4)",
        "line 5 lacks credence and counts as not answered",
        "1 of 5 answers is empty; whoever skipped a proposition is left out of it (line 6)",
    )
    assert list(told.credences[BEN]) == [SAFE]


def test_a_quoted_line_break_does_not_shift_the_lines() -> None:
    with pytest.raises(BadInput, match="line 4: top is 70"):
        read_text(HEADER + 'ann,.7,"Is it\nsafe?",.8,.9,.2\nben,70,"Is it safe?",.8,.9,.2\n', "the.csv")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        pytest.param(b"PK\x03\x04\0\0\0", "is not a text file", id="a spreadsheet's own format"),
        pytest.param(SOUND.encode() + b"cl\xe9o,.2,q,.1,.2,.3\n", "line 4: this is not UTF-8", id="Latin-1"),
        pytest.param(b"a" * 10_000_001, "larger than 10 MB", id="a huge file"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, data: bytes, told: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    with pytest.raises(BadInput, match=told):
        read(path)


def test_a_file_that_is_not_there_or_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no file"):
        read(tmp_path / "none.csv")
    with pytest.raises(BadInput, match="is a folder"):
        read(tmp_path)
    with pytest.raises(BadInput, match="is not a path"):
        read("a\0b")


def test_a_table_has_bounds() -> None:
    people = "".join(f"a{n},.7,q,.1,.2,.3\n" for n in range(AGENTS_MAX + 1))
    asked = "".join(f"a,.7,q{n},.1,.2,.3\n" for n in range(PROPOSITIONS_MAX + 1))
    for rows in (people, asked):
        with pytest.raises(BadInput, match="at most 1000 agents and 60 propositions"):
            read_text(HEADER + rows, "the.csv")


def test_rows_of_python_take_numbers_text_and_none() -> None:
    given = (("ann", 1, "q", 0.25, "50%", 0), ("ben", 0, "q", None, None, None))
    rows: list[dict[str, object]] = [dict(zip(COLUMNS, row, strict=True)) for row in given]
    told = read_rows(rows)
    assert told.tops == {ANN: 1.0, BEN: 0.0}
    assert told.credences == {ANN: {SAFE: Credence(SAFE, 0.25, 0.5, 0.0)}, BEN: {}}
    for wrong, sentence in (
        ({**rows[0], "top": float("nan")}, "row 1: top is 'nan'"),
        ({"agent": "x"}, "row 1 of the"),
    ):
        with pytest.raises(BadInput, match=sentence):
            read_rows([wrong])
    strange: list[Any] = [3, [3], [("ann", 1)]]
    for table in strange:
        with pytest.raises(BadInput, match=r"(the|a) table"):
            read_rows(table)


@pytest.mark.parametrize(
    ("header", "told"),
    [
        pytest.param("agent,top,proposition,credence,top_if_true,top_if_false", True, id="ours"),
        pytest.param("Agent,Top,Proposition,Credence", True, id="incomplete, yet ours"),
        pytest.param(
            "timestamp,agent,top,proposition,credence,top if true,top if false,topic", True, id="more columns"
        ),
        pytest.param("agent,statement,vote", False, id="votes"),
        pytest.param("comment-id,voter-id,vote", False, id="votes of another kind"),
        pytest.param("agent,top,proposition", False, id="no credence"),
        pytest.param("", False, id="nothing"),
    ],
)
def test_a_table_is_told_by_its_header(header: str, told: bool) -> None:
    assert is_credences(header.split(",")) is told
