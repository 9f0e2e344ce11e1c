"""What one thread came to: CRY-1 of SPEC §13."""

import pytest

from cruxfinder.crux.asks import Judged
from cruxfinder.crux.thread_crux import clarity, crux_of
from cruxfinder.kernel.vocabulary import Side, Status
from tests.law.build import ANN, BOB, CAT, DAN, QUESTION, Play, evidence, mind, own_falsifier, statement

OBJECTION = Judged(objection="That is not what I hold.")


def four() -> Play:
    return Play(yes=(ANN, CAT), no=(BOB, DAN))


@pytest.mark.rule("CRY-1")
def test_a_crux_is_made_of_what_was_said_in_structured_moves() -> None:
    play = Play()
    play.to_evidence()
    shown = play.post(ANN, evidence(BOB))
    play.to_end()
    found = crux_of(play.debate, play.thread)
    assert found is not None and (found.id, found.question, found.validated) == ("t1.c1", QUESTION, True)
    assert {a: (p.side, p.statement) for a, p in found.positions.items()} == {
        ANN: (Side.YES, statement(ANN)),
        BOB: (Side.NO, statement(BOB)),
    }
    assert found.positions[BOB].falsifier == own_falsifier(BOB)
    assert found.positions[BOB].falsifiers[0].evidence_for[0].message == shown
    assert len(found.resolution_criteria) == 2 and found.counterfactual[ANN].would_flip
    assert (found.explained_share, found.dominant_horizon) == (1.0, "5y")


@pytest.mark.rule("CRY-1")
def test_a_thread_without_a_locked_question_has_no_crux() -> None:
    play = Play()
    play.to_weighing()
    assert crux_of(play.debate, play.thread) is None


# ---- clarity


@pytest.mark.rule("CRY-1")
@pytest.mark.parametrize("end", [False, True], ids=["under way", "converged"])
def test_a_coherent_thread_is_clear(end: bool) -> None:
    play = four()
    if end:
        play.to_end()
    assert clarity(play.thread) == "CLEAR"


@pytest.mark.rule("CRY-1")
@pytest.mark.parametrize(
    ("muddled", "clear"),
    [
        pytest.param((ANN, CAT), "CLEAR", id="two of four"),
        pytest.param((ANN, CAT, BOB), "NEEDS_CLARIFICATION", id="three of four"),
    ],
)
def test_a_thread_where_most_private_answers_contradict_themselves_needs_clarification(
    muddled: tuple[str, ...], clear: str
) -> None:
    play = four()
    for agent in play.agents:
        if agent in muddled:
            held = play.minds[agent]
            play.minds[agent] = mind(held.c, p_top=0.95 if held.c < 0.5 else 0.05)
    play.weigh()
    assert clarity(play.thread) == clear


@pytest.mark.rule("CRY-1")
@pytest.mark.parametrize(
    ("objecting", "times", "clear"),
    [
        pytest.param((ANN, BOB), 3, "NEEDS_CLARIFICATION", id="half of them object to the last"),
        pytest.param((ANN,), 3, "CLEAR", id="one of four does"),
        pytest.param((ANN, BOB, CAT), 1, "CLEAR", id="most objected, and it was put right"),
    ],
)
def test_a_thread_whose_crux_half_of_them_do_not_accept_needs_clarification(
    objecting: tuple[str, ...], times: int, clear: str
) -> None:
    play = four()
    play.to_closing()
    play.probe_all()
    for _ in range(times):
        play.judge({a: OBJECTION for a in play.agents if a in objecting})
    if not play.thread.over:
        play.judge()
    assert play.thread.status is Status.CONVERGED
    assert clarity(play.thread) == clear


@pytest.mark.rule("CRY-1")
def test_a_thread_that_ended_without_a_question_needs_clarification() -> None:
    play = four()
    play.tick(after_ms=30_000)
    assert play.thread.status is Status.STALE and clarity(play.thread) == "NEEDS_CLARIFICATION"
