"""The table holds what the result holds, reads back as it was written, and no cell is a formula."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxfinder.exports.csv_matrix import cell
from cruxfinder.exports.formats import Format
from cruxfinder.telling.export_text import clean
from tests.exports.runs import CRUX_RUNS, NASTY, TALKS, Run, nasty, run


def rows(found: Run) -> list[list[str]]:
    return list(csv.reader(io.StringIO(found.written(Format.CSV), newline=""), strict=True))


@pytest.mark.parametrize("name", CRUX_RUNS)
def test_everybody_has_a_row_and_every_question_its_columns(name: str) -> None:
    found = run(name)
    head, *body = rows(found)
    assert [row[0] for row in body] == [agent.id for agent in found.result.agents]
    assert len(set(head)) == len(head) and all(len(row) == len(head) for row in body)
    for thread in found.result.threads:
        for tested in thread.tested:
            assert any(column.startswith(tested.question) for column in head)


def test_a_cell_is_the_position_of_its_agent() -> None:
    found = run("pack-bitcoin")
    head, *body = rows(found)
    for crux in (t.crux for t in found.result.threads if t.crux is not None):
        side, sure = head.index(crux.question), head.index(f"{crux.question} [confidence]")
        told = {row[0]: (row[side], float(row[sure])) for row in body if row[side]}
        assert told == {a: (str(p.side_after), p.confidence) for a, p in crux.positions.items()}


@pytest.mark.parametrize("name", TALKS)
def test_a_conversation_has_a_row_a_turn(name: str) -> None:
    found = run(name)
    head, *body = rows(found)
    assert [(row[head.index("id")], row[head.index("agent")]) for row in body] == [
        (turn.id, turn.agent) for turn in found.minutes.turns
    ]
    contents = [row[head.index("content")].removeprefix("'") for row in body]
    assert contents == [clean(turn.content) for turn in found.minutes.turns]


@given(st.one_of(st.text(max_size=30), st.text(alphabet="=+-@\"',;\r\n\t a1", max_size=12), st.sampled_from(NASTY)))
@settings(max_examples=60, deadline=None)
def test_a_cell_reads_back_and_is_no_formula(text: str) -> None:
    [[read, other]] = csv.reader(io.StringIO(f"{cell(text)},x\r\n", newline=""), strict=True)
    assert other == "x" and not read.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert read == clean(text) or read == f"'{clean(text)}"


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "＝"])
def test_what_begins_like_a_formula_gets_an_apostrophe(begin: str) -> None:
    assert cell(f"{begin}1") == f"'{begin}1"


def test_figures_are_figures() -> None:
    assert (cell(-0.5), cell(3), cell(None)) == ("-0.5", "3", "")


@pytest.mark.parametrize("text", NASTY, ids=["marks", "code", "lines"])
@pytest.mark.parametrize("name", ["deeper", "talk-stubborn"])
def test_nasty_text_leaves_rows_and_columns_alone(name: str, text: str) -> None:
    clean_rows, soiled = rows(run(name)), rows(nasty(name, text))
    assert [len(row) for row in soiled] == [len(row) for row in clean_rows]
    assert all(line.count("\r") == 0 for line in nasty(name, text).written(Format.CSV).split("\r\n"))
