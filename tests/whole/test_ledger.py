"""The falsifier ledger: what was staked, when it is due, who was right."""

from dataclasses import replace

import pytest

from cruxfinder.crux.evolve import fold
from cruxfinder.crux.ledger import (
    LedgerPage,
    Stake,
    State,
    format_mark,
    is_too_early,
    read_mark,
    stakes,
    stakes_due,
    standings,
)
from cruxfinder.kernel.vocabulary import Side
from cruxfinder.ports import FalsifierOutcome, FalsifierResolution, Mark
from tests.law.build import ANN, BOB, CAT, QUESTION, Play, commit, declare, mind, own_falsifier

PAGE = LedgerPage(run="r1", made="2026-11-16", on="2026-11-20")
ANNS = Mark("t1", ANN, 1)  # she holds YES, Bob NO; both by June 2029


def resolved(mark: Mark, outcome: FalsifierOutcome) -> FalsifierResolution:
    return FalsifierResolution(run="r1", mark=mark, outcome=outcome, day="2029-07-01", note="seen")


def ended(play: Play) -> Play:
    play.to_end()
    return play


def told(play: Play, outcome: FalsifierOutcome, mark: Mark = ANNS) -> Stake:
    held = stakes(play.debate, PAGE, (resolved(mark, outcome),))
    return next(stake for stake in held if stake.reference == format_mark(mark))


# ---- what is staked


@pytest.mark.rule("PLUS-9")
def test_every_accepted_falsifier_is_listed_with_its_holder_side_and_day() -> None:
    held = stakes(ended(Play()).debate, PAGE)
    assert [(s.reference, s.name, s.side, s.due, s.state) for s in held] == [
        ("t1.ann.1", "Ann", Side.YES, "2029-06-30", State.WAITING),
        ("t1.bob.1", "Bob", Side.NO, "2029-06-30", State.WAITING),
    ]
    assert (held[0].question, held[0].metric) == (QUESTION, own_falsifier(ANN).metric)
    assert held[0].outcome is None and held[0].scores == ()


def test_a_debate_without_a_locked_question_has_none() -> None:
    play = Play()
    play.to_lock()
    assert stakes(play.debate, PAGE) == ()


def test_a_second_falsifier_of_an_agent_is_one_more_and_a_change_of_side_drops_the_old_ones() -> None:
    play = Play()
    play.to_lock()
    play.commit_all()
    play.post(ANN, declare(replace(own_falsifier(ANN), deadline="by 2031")))
    assert [s.reference for s in stakes(play.debate, PAGE)] == ["t1.ann.1", "t1.ann.2", "t1.bob.1"]
    play.post(ANN, commit(ANN, Side.NO))
    assert [(s.reference, s.side) for s in stakes(play.debate, PAGE) if s.agent == ANN] == [("t1.ann.1", Side.NO)]


@pytest.mark.rule("PLUS-9")
@pytest.mark.parametrize(
    ("deadline", "on", "state"),
    [
        pytest.param("by June 2029", "2029-06-29", State.WAITING, id="the day before"),
        pytest.param("by June 2029", "2029-06-30", State.DUE, id="its last day"),
        pytest.param("within 18 months", "2028-05-15", State.WAITING, id="a span not over"),
        pytest.param("within 18 months", "2028-05-16", State.DUE, id="a span from the day of the run"),
        pytest.param("before the next halving", "2999-01-01", State.OPEN_ENDED, id="open-ended is never due"),
    ],
)
def test_a_falsifier_comes_due_on_its_last_day(deadline: str, on: str, state: State) -> None:
    play = Play()
    play.to_lock()
    play.post(ANN, commit(ANN, Side.YES, replace(own_falsifier(ANN), deadline=deadline)))
    held = stakes(play.debate, replace(PAGE, on=on))
    assert [s.state for s in held] == [state]
    assert stakes_due(held) == (held if state is State.DUE else ())


def test_what_is_overdue_longest_comes_first_and_what_is_resolved_is_not_due() -> None:
    play = Play(yes=(ANN,), no=(BOB, CAT))
    play.to_lock()
    for agent, deadline in ((ANN, "by 2029"), (BOB, "by 2027"), (CAT, "by 2028")):
        play.post(agent, commit(agent, play.sides[agent], replace(own_falsifier(agent), deadline=deadline)))
    page = replace(PAGE, on="2031-01-01")
    assert [s.agent for s in stakes_due(stakes(play.debate, page))] == [BOB, CAT, ANN]
    over = (resolved(Mark("t1", CAT, 1), FalsifierOutcome.VOID),)
    assert [s.agent for s in stakes_due(stakes(play.debate, page, over))] == [BOB, ANN]


@pytest.mark.parametrize(
    ("outcome", "on", "early"),
    [
        (FalsifierOutcome.UNMET, "2029-06-29", True),
        (FalsifierOutcome.UNMET, "2029-06-30", False),
        (FalsifierOutcome.MET, "2027-01-01", False),
        (FalsifierOutcome.VOID, "2027-01-01", False),
    ],
)
def test_what_may_still_happen_is_not_unmet(outcome: FalsifierOutcome, on: str, early: bool) -> None:
    stake = stakes(ended(Play()).debate, PAGE)[0]
    assert is_too_early(stake, outcome, on) == early
    assert not is_too_early(replace(stake, due=None), outcome, on)


# ---- who was right


@pytest.mark.rule("PLUS-9")
@pytest.mark.parametrize(
    ("mark", "outcome", "answer"),
    [
        pytest.param(ANNS, FalsifierOutcome.MET, Side.NO, id="met refutes YES"),
        pytest.param(ANNS, FalsifierOutcome.UNMET, Side.YES, id="unmet speaks for YES"),
        pytest.param(Mark("t1", BOB, 1), FalsifierOutcome.MET, Side.YES, id="met refutes NO"),
        pytest.param(Mark("t1", BOB, 1), FalsifierOutcome.UNMET, Side.NO, id="unmet speaks for NO"),
        pytest.param(ANNS, FalsifierOutcome.VOID, None, id="void counts for nobody"),
    ],
)
def test_an_outcome_decides_the_crux(mark: Mark, outcome: FalsifierOutcome, answer: Side | None) -> None:
    stake = told(ended(Play()), outcome, mark)
    assert (stake.state, stake.outcome, stake.answer, stake.note) == (State.RESOLVED, outcome, answer, "seen")
    assert {s.agent: s.right for s in stake.scores} == (
        {} if answer is None else {ANN: answer is Side.YES, BOB: answer is Side.NO}
    )


@pytest.mark.rule("PLUS-9")
def test_the_last_private_credence_is_scored_by_its_squared_distance() -> None:
    play = Play()
    play.to_closing()
    play.minds[ANN] = mind(0.7)
    play.probe_all()
    play.judge()
    scores = told(play, FalsifierOutcome.UNMET).scores
    assert [(s.agent, s.credence, s.source, s.brier) for s in scores] == [
        (ANN, 0.7, "after", 0.09),
        (BOB, 0.1, "after", 0.81),
    ]


def test_without_answers_after_the_evidence_those_before_it_count() -> None:
    play = Play()
    play.to_evidence()
    assert [(s.credence, s.source) for s in told(play, FalsifierOutcome.MET).scores] == [
        (0.9, "before"),
        (0.1, "before"),
    ]


def test_without_private_answers_the_public_commitment_counts_and_without_that_nothing() -> None:
    play = Play(yes=(ANN,), no=(BOB,), unsure=(CAT,))
    play.to_evidence()
    silent = replace(play.thread, probes={})
    play.debate = replace(play.debate, threads={silent.id: silent})
    scores = told(play, FalsifierOutcome.UNMET).scores
    assert [(s.agent, round(s.credence, 4), s.source, s.right) for s in scores] == [
        (ANN, 0.8, "committed", True),
        (BOB, 0.2, "committed", False),
        (CAT, 0.5, "committed", False),
    ]
    left = replace(silent, commitments={a: c for a, c in silent.commitments.items() if a != CAT})
    play.debate = replace(play.debate, threads={left.id: left})
    assert [s.agent for s in told(play, FalsifierOutcome.UNMET).scores] == [ANN, BOB]


@pytest.mark.rule("PLUS-9")
def test_standings_are_means_over_all_that_is_resolved_best_first() -> None:
    debate = ended(Play()).debate
    both = (resolved(ANNS, FalsifierOutcome.UNMET), resolved(Mark("t1", BOB, 1), FalsifierOutcome.UNMET))
    one = stakes(debate, PAGE, both[:1])
    assert [(s.agent, s.brier, s.right, s.count) for s in standings(one)] == [(ANN, 0.01, 1, 1), (BOB, 0.81, 0, 1)]
    assert {(s.brier, s.right, s.count) for s in standings(stakes(debate, PAGE, both))} == {(0.41, 1, 2)}


def test_the_same_agent_in_several_runs_is_one_and_of_another_pack_another() -> None:
    held = told(ended(Play()), FalsifierOutcome.UNMET)
    again, elsewhere = replace(held, run="r2"), replace(held, run="r3", pack="other")
    assert {(s.pack, s.agent): s.count for s in standings((held, again, elsewhere))} == {
        ("test", ANN): 2,
        ("test", BOB): 2,
        ("other", ANN): 1,
        ("other", BOB): 1,
    }


def test_nothing_resolved_has_no_standings() -> None:
    assert standings(stakes(ended(Play()).debate, PAGE)) == ()


def test_a_log_read_again_stakes_the_same() -> None:
    play = ended(Play())
    assert stakes(fold(play.events), PAGE) == stakes(play.debate, PAGE)


# ---- references


@pytest.mark.parametrize("mark", [ANNS, Mark("t12", "the-old.man", 30)])
def test_a_reference_is_read_as_it_is_written(mark: Mark) -> None:
    assert read_mark(format_mark(mark)) == mark


@pytest.mark.parametrize(
    "text", ["", "t1", "t1.ann", "t1.ann.", ".ann.1", "t1..1", "t1.ann.one", "t1.ann.-1", "t1.ann.²"]
)
def test_anything_else_is_no_reference(text: str) -> None:
    assert read_mark(text) is None
