"""What a disagreement amounts to, in the order of BELIEFS: CRUX-9 and PLUS-4."""

from dataclasses import dataclass, replace

import pytest

from cruxfinder.crux.events import DcgCalculated, PositionUpdated, ThreadConverged
from cruxfinder.crux.law import verdict
from cruxfinder.crux.private_questions import Probes, due_in_thread
from cruxfinder.crux.result import result_of
from cruxfinder.kernel.run_facts import DebateComplete
from cruxfinder.kernel.vocabulary import AgentId, Ending, Label, Phase, Side, Stage, TopSide, Verdict
from tests.law.build import (
    ANN,
    BOB,
    CAT,
    DAN,
    QUESTION,
    Mind,
    Play,
    claim,
    concede,
    evidence,
    mind,
    of,
    only,
)

Minds = dict[AgentId, Mind]


def played(minds: Minds) -> Play:
    """A debate among these minds, with their own first positions; sides on the question as they privately are."""
    yes = [a for a, m in minds.items() if m.c > 0.55]
    no = [a for a, m in minds.items() if m.c < 0.45]
    play = Play(yes=yes, no=no, unsure=[a for a in minds if a not in (*yes, *no)], firsts=False)
    play.minds = dict(minds)
    play.take_firsts()
    return play


def ended(minds: Minds) -> ThreadConverged:
    """How it ends; what is locked goes through CRUX_LOCK and EVIDENCE without anybody changing sides."""
    play = played(minds)
    play.weigh()
    if play.thread.outcome is None:
        play.to_end()
    return only(play.events, ThreadConverged)


def about(
    p_top: float, c: float, p1: float, p0: float, wording: float | None = None, horizon: float | None = None
) -> Mind:
    return Mind(p_top=p_top, c=c, p1=p1, p0=p0, wording=wording, horizon=horizon)


YES, NO = mind(0.9), mind(0.1)  # P(top) .82 and .18, share 1, both flip


# ---- the order of BELIEFS


@pytest.mark.rule("CRUX-9")
@pytest.mark.parametrize(
    ("minds", "expected"),
    [
        pytest.param({ANN: YES, BOB: mind(0.8)}, Verdict.NO_DISAGREEMENT, id="one camp"),
        pytest.param({ANN: YES, BOB: about(0.5, 0.5, 0.9, 0.1)}, Verdict.NO_DISAGREEMENT, id="exactly .5 is no camp"),
        pytest.param(
            {ANN: about(0.57, 0.9, 0.6, 0.3), BOB: about(0.43, 0.1, 0.7, 0.4)},
            Verdict.NO_DISAGREEMENT,
            id="two camps, less than .15 apart",
        ),
        pytest.param(
            {ANN: about(0.58, 0.9, 0.6, 0.4), BOB: about(0.43, 0.1, 0.6, 0.4)},
            Verdict.CRUX,
            id="exactly .15 apart is a disagreement",
        ),
        pytest.param(
            {ANN: about(0.8, 0.6, 0.85, 0.75), BOB: about(0.2, 0.4, 0.25, 0.15)},
            Verdict.VALUES,
            id="best share below .20",
        ),
        pytest.param(
            {ANN: about(0.8, 0.1, 0.9, 0.6), BOB: about(0.2, 0.9, 0.4, 0.1)}, Verdict.VALUES, id="a negative share"
        ),
        pytest.param(
            {ANN: replace(YES, wording=0.6), BOB: replace(NO, wording=0.3)},
            Verdict.DEFINITIONS,
            id="less than half as far apart with the wording fixed",
        ),
        pytest.param(
            {ANN: replace(YES, wording=0.3), BOB: replace(NO, wording=0.6)},
            Verdict.DEFINITIONS,
            id="less than half, the other way round",
        ),
        pytest.param(
            {ANN: replace(YES, wording=0.7), BOB: replace(NO, wording=0.2)},
            Verdict.CRUX,
            id="more than half as far apart is no quarrel about words",
        ),
        pytest.param(
            {ANN: replace(YES, horizon=0.6), BOB: replace(NO, horizon=0.3)},
            Verdict.HORIZON,
            id="less than half as far apart on one horizon",
        ),
        pytest.param(
            {ANN: replace(YES, wording=0.6, horizon=0.6), BOB: replace(NO, wording=0.3, horizon=0.3)},
            Verdict.DEFINITIONS,
            id="words before horizons",
        ),
        pytest.param(
            {ANN: about(0.8, 0.95, 0.85, 0.35), BOB: about(0.2, 0.6, 0.65, 0.15)},
            Verdict.PARTIAL,
            id="all on one side of the question",
        ),
        pytest.param({ANN: mind(0.9, 0.9, 0.6), BOB: NO}, Verdict.PARTIAL, id="only one would flip"),
        pytest.param({ANN: YES, BOB: NO}, Verdict.CRUX, id="two sides, two flips, share of .20 or more"),
    ],
)
def test_the_verdict_of_private_answers(minds: Minds, expected: Verdict) -> None:
    found = ended(minds)
    assert found.verdict is expected
    assert found.why


@pytest.mark.rule("CRUX-9")
@pytest.mark.parametrize(
    ("minds", "expected"),
    [
        pytest.param(
            {ANN: about(0.55, 0.5, 0.6, 0.5), BOB: about(0.45, 0.5, 0.5, 0.4)},
            Verdict.NO_DISAGREEMENT,
            id="no gap goes before values",
        ),
        pytest.param(
            {ANN: about(0.8, 0.6, 0.85, 0.75, wording=0.5), BOB: about(0.2, 0.4, 0.25, 0.15, wording=0.5)},
            Verdict.VALUES,
            id="values go before definitions",
        ),
        pytest.param(
            {ANN: about(0.8, 0.95, 0.85, 0.35, wording=0.8), BOB: about(0.2, 0.6, 0.65, 0.15, wording=0.75)},
            Verdict.DEFINITIONS,
            id="definitions go before a partial crux",
        ),
    ],
)
def test_the_first_verdict_that_fits_is_the_one(minds: Minds, expected: Verdict) -> None:
    assert ended(minds).verdict is expected


@pytest.mark.rule("CRUX-9")
def test_camp_means_decide_not_single_agents() -> None:
    """CAT, of the YES camp, doubts the question; its camp's mean still differs from the other by half."""
    minds = {ANN: YES, CAT: about(0.7, 0.3, 0.9, 0.6), BOB: NO, DAN: NO}
    play = played(minds)
    play.to_weighing()
    drawn = only(play.probe_all(), DcgCalculated)
    gap = (0.82 + 0.7) / 2 - 0.18
    assert drawn.gap == pytest.approx(gap)
    assert drawn.figures[0].share == pytest.approx((0.6 - 0.1) * ((0.8 + 0.3) / 2 + 0.8) / 2 / gap, abs=1e-4)
    assert play.thread.stage is Stage.CRUX_LOCK


@pytest.mark.rule("CRUX-9")
@pytest.mark.parametrize("silent", [pytest.param((ANN,), id="one of two"), pytest.param((ANN, BOB), id="both")])
def test_fewer_than_two_answers_decide_nothing(silent: tuple[AgentId, ...]) -> None:
    play = played({ANN: YES, BOB: NO})
    play.to_weighing()
    found = only(play.probe(but=silent), ThreadConverged)
    assert found.verdict is Verdict.UNDECIDED


@pytest.mark.rule("CRUX-9")
def test_a_camp_of_which_nobody_answered_is_not_agreement() -> None:
    play = played({ANN: YES, CAT: YES, BOB: NO})
    play.to_weighing()
    found = only(play.probe(but=(BOB,)), ThreadConverged)
    assert found.verdict is Verdict.UNDECIDED


@pytest.mark.rule("CRUX-9")
def test_a_failed_answer_is_left_out_of_its_camp() -> None:
    play = played({ANN: YES, CAT: about(0.7, 0.3, 0.9, 0.6), BOB: NO})
    play.to_weighing()
    drawn = only(play.probe(but=(CAT,)), DcgCalculated)
    assert (drawn.gap, drawn.figures[0].share) == pytest.approx((0.64, 1.0))


@pytest.mark.rule("CRUX-9")
def test_the_wording_is_asked_of_everybody_about_the_best_question() -> None:
    play = played({ANN: YES, CAT: YES, BOB: NO})
    play.to_weighing()
    play.probe()
    wanted = due_in_thread(play.debate, play.thread)
    assert isinstance(wanted, Probes)
    assert (wanted.phase, wanted.agents, [c.id for c in wanted.candidates]) == (
        Phase.WORDING,
        (ANN, CAT, BOB),
        ["c1"],
    )


@pytest.mark.rule("CRUX-9")
def test_without_answers_about_the_wording_there_is_no_quarrel_about_words() -> None:
    play = played({ANN: replace(YES, wording=0.5), BOB: replace(NO, wording=0.5)})
    play.to_weighing()
    play.probe()
    play.probe(but=(BOB,))
    assert play.thread.stage is Stage.CRUX_LOCK


# ---- PLUS-4: each ending says why and what was tested


@pytest.mark.rule("PLUS-4")
@pytest.mark.parametrize(
    ("minds", "said"),
    [
        pytest.param({ANN: YES, BOB: mind(0.8)}, "everybody stands on one side", id="one camp"),
        pytest.param(
            {ANN: about(0.57, 0.9, 0.6, 0.3), BOB: about(0.43, 0.1, 0.7, 0.4)}, "0.14 apart", id="how far apart"
        ),
        pytest.param(
            {ANN: about(0.8, 0.6, 0.85, 0.75), BOB: about(0.2, 0.4, 0.25, 0.15)},
            "the best of 1 explains 3%",
            id="the best that was tested",
        ),
        pytest.param(
            {ANN: replace(YES, wording=0.6), BOB: replace(NO, wording=0.3)}, "differ by 0.30, not 0.80", id="wording"
        ),
        pytest.param(
            {ANN: replace(YES, horizon=0.6), BOB: replace(NO, horizon=0.3)}, "two horizons", id="two horizons"
        ),
        pytest.param({ANN: YES, BOB: NO}, f'"{QUESTION}" explains 100% of the gap', id="which question"),
    ],
)
def test_an_ending_says_why(minds: Minds, said: str) -> None:
    assert said in ended(minds).why


@pytest.mark.rule("PLUS-4")
@pytest.mark.parametrize(
    ("minds", "expected"),
    [
        pytest.param({ANN: YES, BOB: mind(0.8)}, Verdict.NO_DISAGREEMENT, id="no real disagreement"),
        pytest.param({ANN: about(0.8, 0.6, 0.85, 0.75), BOB: about(0.2, 0.4, 0.25, 0.15)}, Verdict.VALUES, id="values"),
        pytest.param(
            {ANN: replace(YES, wording=0.6), BOB: replace(NO, wording=0.3)}, Verdict.DEFINITIONS, id="definitions"
        ),
        pytest.param({ANN: replace(YES, horizon=0.6), BOB: replace(NO, horizon=0.3)}, Verdict.HORIZON, id="horizon"),
    ],
)
def test_an_ending_without_a_crux_ends_the_debate_and_names_what_was_tested(minds: Minds, expected: Verdict) -> None:
    play = played(minds)
    play.weigh()
    over = only(play.events, DebateComplete)
    assert (over.ending, over.verdict) == (Ending.NATURAL, expected)
    found = result_of(play.events)
    assert (found.verdict, found.primary_crux, found.irreducible_cruxes) == (expected, None, ())
    assert [t.question for t in found.threads[0].tested] == [QUESTION]
    assert found.threads[0].why == over.why == found.why


@pytest.mark.rule("PLUS-4")
def test_a_lost_lock_is_reported_as_such() -> None:
    play = Play()
    play.to_lock()
    play.sides[BOB] = Side.YES  # committed against its private answer, so that the question has one side only
    for _ in range(40):
        if not play.serve():
            break
    assert play.thread.outcome is Verdict.FAILED_LOCK
    found = result_of(play.events)
    assert (found.verdict, found.confidence, found.ending) == (Verdict.FAILED_LOCK, "LOW", Ending.NATURAL)
    assert found.threads[0].why == "the question has only one side"
    assert [(t.chosen, t.locked) for t in found.threads[0].tested] == [(True, False)]


# ---- CRUX-9: what has become of the gap after EVIDENCE


@dataclass(frozen=True)
class Turn:
    """BOB's answers right after it went over to YES in public, and at the end."""

    change: Mind
    after: Mind


PERSUADED = Turn(change=mind(0.8), after=mind(0.8))
CONFORMED_FOR_GOOD = Turn(change=about(0.8, 0.1, 0.9, 0.75), after=about(0.8, 0.1, 0.9, 0.75))  # its values moved
CONFORMED_IN_PUBLIC = Turn(change=replace(NO, public_side=TopSide.YES), after=NO)
RELAPSED = Turn(change=mind(0.8), after=NO)


def turned(turn: Turn) -> Play:
    play = Play()
    play.post(BOB, claim(top_side=TopSide.NO))
    play.to_evidence()
    shown = play.post(ANN, evidence(BOB))
    play.minds[BOB] = turn.change
    play.post(BOB, concede(TopSide.NO, TopSide.YES), reply_to=shown)
    play.probe()
    play.minds[BOB] = turn.after
    play.to_end()
    return play


@pytest.mark.rule("CRUX-9")
@pytest.mark.parametrize(
    ("turn", "label", "expected"),
    [
        pytest.param(PERSUADED, Label.PERSUADED, Verdict.RESOLVED, id="the gap closed by persuasion"),
        pytest.param(CONFORMED_FOR_GOOD, Label.CONFORMED, Verdict.HOLLOW, id="the gap closed by conformity"),
        pytest.param(
            CONFORMED_IN_PUBLIC, Label.CONFORMED, Verdict.HOLLOW, id="in public alone, by conformity, all agree"
        ),
        pytest.param(RELAPSED, Label.PERSUADED, Verdict.CRUX, id="the gap is still there"),
    ],
)
def test_resolved_or_hollow(turn: Turn, label: Label, expected: Verdict) -> None:
    play = turned(turn)
    assert only(play.events, PositionUpdated).label is label
    found = only(play.events, ThreadConverged)
    assert found.verdict is expected
    assert found.why


@pytest.mark.rule("CRUX-9")
def test_the_ranking_rests_on_the_answers_before_evidence() -> None:
    play = turned(PERSUADED)
    phases = [e.phase for e in of(play.events, DcgCalculated)]
    assert phases == [Phase.BEFORE, Phase.LOCKED, Phase.AFTER]
    found = result_of(play.events).threads[0]
    assert (found.gap_before, found.gap_after) == pytest.approx((0.64, 0.82 - 0.74))
    assert found.crux is not None and found.crux.explained_share == 1.0


@pytest.mark.rule("CRUX-9")
def test_a_gap_that_stays_keeps_the_verdict_from_before() -> None:
    play = Play()
    play.to_end()
    found = only(play.events, ThreadConverged)
    assert found.verdict is Verdict.CRUX
    assert play.thread.figures[Phase.AFTER].gap == play.thread.figures[Phase.BEFORE].gap


@pytest.mark.rule("CRUX-9")
@pytest.mark.parametrize(
    "silent", [pytest.param((BOB,), id="one camp is silent"), pytest.param((ANN, BOB), id="all are silent")]
)
def test_answers_that_could_not_be_had_do_not_resolve_anything(silent: tuple[AgentId, ...]) -> None:
    play = Play()
    play.to_closing()
    play.probe(but=silent)
    assert only(play.judge(), ThreadConverged).verdict is Verdict.CRUX


@pytest.mark.rule("CRUX-9")
def test_nobody_agrees_who_has_said_nothing() -> None:
    play = turned(CONFORMED_IN_PUBLIC)
    mute = replace(play.debate, tops={})
    assert verdict.final_verdict(mute, play.thread).verdict is Verdict.CRUX


@pytest.mark.rule("CRUX-9")
@pytest.mark.parametrize("held_out", [TopSide.NO, TopSide.NUANCED])
def test_public_agreement_takes_everybody(held_out: TopSide) -> None:
    play = turned(CONFORMED_IN_PUBLIC)
    tops = dict(play.debate.tops)
    tops[ANN] = replace(tops[ANN], side=held_out)
    assert verdict.final_verdict(replace(play.debate, tops=tops), play.thread).verdict is Verdict.CRUX
