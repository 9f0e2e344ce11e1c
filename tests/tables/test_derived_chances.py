"""One of two conditional chances is enough: the other follows from the law of total probability, and that is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxfinder.adapters.tables.credence_table import read_text
from cruxfinder.errors import BadInput
from cruxfinder.kernel.vocabulary import AgentId, CandidateId
from cruxfinder.tables.credences.credence_answers import Origin, complete_credence

ID = CandidateId("p1")
HEADER = "agent,top,proposition,credence,top_if_true,top_if_false\n"
CHANCES = st.floats(0, 1)


@given(c=st.floats(0.06, 0.94), p1=CHANCES, p0=CHANCES)
def test_the_chance_that_is_missing_is_the_one_that_was_left_out(c: float, p1: float, p0: float) -> None:
    top = c * p1 + (1 - c) * p0
    for told in ((p1, None), (None, p0)):
        answer, origin = complete_credence(ID, top, c, *told)
        assert answer is not None
        assert (answer.p1, answer.p0) == pytest.approx((p1, p0), abs=1e-9)
        assert origin in (Origin.DERIVED, Origin.NEAREST)


@pytest.mark.parametrize(
    ("top", "c", "p1", "p0", "origin"),
    [
        pytest.param(0.5, 0.5, 0.9, 0.4, Origin.TOLD, id="both told, be they incoherent"),
        pytest.param(0.5, 0.96, 0.5, None, Origin.RARE, id="nearly certain"),
        pytest.param(0.5, 0.04, None, 0.5, Origin.RARE, id="nearly ruled out"),
        pytest.param(0.5, 0.04, 0.5, None, Origin.DERIVED, id="nearly ruled out, and told for that case"),
        pytest.param(0.1, 0.5, 0.3, None, Origin.NEAREST, id="a little too much"),
        pytest.param(0.1, 0.5, 0.9, None, Origin.CONTRADICTORY, id="far too much"),
        pytest.param(0.9, 0.5, None, 0.1, Origin.CONTRADICTORY, id="far too little"),
    ],
)
def test_where_it_follows(top: float, c: float, p1: float | None, p0: float | None, origin: Origin) -> None:
    answer, found = complete_credence(ID, top, c, p1, p0)
    assert found is origin
    assert (answer is None) == (origin in (Origin.RARE, Origin.CONTRADICTORY))
    assert answer is None or 0 <= min(answer.p1, answer.p0) <= max(answer.p1, answer.p0) <= 1


def test_every_answer_that_was_worked_out_or_could_not_be_is_told_with_its_line() -> None:
    rows = "a,.5,q,.5,.8,.2\na,.5,r,.5,.8,\nb,.1,q,.5,.3,NA\nb,.1,r,.5,.9,n/a\nc,.4,q,.97,.4,\nc,.4,r,.5,,.2\n"
    told = read_text(HEADER + rows, "the.csv")
    assert told.notes == (
        "in 1 of 6 answers only top_if_false is told; top_if_true is worked out by the law of total probability",
        "in 2 of 6 answers only top_if_true is told; top_if_false is worked out by the law of total probability",
        "in 1 of 6 answers that leaves no top_if_false between 0 and 1, and the nearer end is taken (line 4)",
        "1 of 6 answers not used: with a credence above 95% top_if_false does not follow safely from the rest (line 6)",
        "1 of 6 answers not used: no top_if_false fits the other chances (line 5)",
    )
    q, r, c = CandidateId("p1"), CandidateId("p2"), AgentId("c")
    assert told.credences[AgentId("a")][r].p0 == pytest.approx(0.2)
    assert told.credences[c][r].p1 == pytest.approx(0.6)
    assert q not in told.credences[c]
    assert r not in told.credences[AgentId("b")]
    assert (AgentId("a"), q) not in told.derived
    assert (AgentId("a"), r) in told.derived


def test_each_row_is_completed_with_the_chance_of_the_topic_told_with_it() -> None:
    told = read_text(HEADER + "a,.4,q,.5,.6,\na,.6,r,.5,.6,\na,,s,.5,.6,\n", "the.csv")
    found = told.credences[AgentId("a")]
    assert [found[CandidateId(id)].p0 for id in ("p1", "p2", "p3")] == pytest.approx([0.2, 0.6, 0.4])
    assert told.tops == {"a": 0.5}


def test_where_nothing_follows_the_reason_is_told() -> None:
    with pytest.raises(BadInput, match=r"no proposition is answered in full; .*no top_if_false fits") as raised:
        read_text(HEADER + "a,.1,q,.5,.9,\n", "the.csv")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("empty", ["NA", "na", "N/A", "n/a", ""])
def test_an_answer_that_is_not_available_is_an_empty_cell(empty: str) -> None:
    told = read_text(HEADER + f"a,.5,q,.5,.6,.4\nb,{empty},q,.5,.6,.4\na,,r,{empty},{empty},{empty}\n", "the.csv")
    assert told.tops == {"a": 0.5}
    assert any("b left top empty" in note for note in told.notes)
    assert any("1 of 3 answers is empty" in note for note in told.notes)
