"""Is this question the crux? CRUX-1 gain, CRUX-2 flips, CRUX-3 authentic, CRUX-4 validated, CRUX-5 objections."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxfinder.crux.asks import Credence, Judged
from cruxfinder.crux.events import CandidateFigures, CruxChallenged, CruxExtracted, DcgCalculated, ThreadConverged
from cruxfinder.crux.law import crux_quality, probes, verdict
from cruxfinder.crux.private_questions import Judgement, due_in_thread
from cruxfinder.crux.thread import Commitment, Thread
from cruxfinder.crux.thread_crux import Dcg
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import (
    ADVOCATE,
    AgentId,
    Horizon,
    MessageId,
    Phase,
    RuleId,
    Side,
    Stage,
    Verdict,
)
from cruxfinder.telling.card import gauges_of
from tests.law.build import (
    AGENTS,
    ANN,
    BOB,
    C1,
    CAT,
    DAN,
    EVE,
    FALSIFIER,
    VAGUE,
    Play,
    commit,
    mind,
    of,
    only,
    statement,
)

YES, NO, UNSURE = Side.YES, Side.NO, Side.UNCERTAIN
NOBODY = probes.Camps(yes=(), no=())


def committed(agent: AgentId, side: Side, confidence: float) -> Commitment:
    return Commitment(
        agent=agent,
        side=side,
        statement="so",
        reason="so",
        confidence=confidence,
        horizon=Horizon.FIVE_YEARS,
        message=MessageId("m1"),
        at_ms=0,
    )


def reading(agent: AgentId, c: float, p1: float, p0: float) -> probes.ProbeReading:
    return probes.ProbeReading(agent=agent, p_top=0.5, credences={C1: Credence(candidate=C1, c=c, p1=p1, p0=p0)})


Stand = tuple[Side, float, bool]  # side, confidence, would it flip?


def gain(stands: dict[AgentId, Stand], seats: int) -> CandidateFigures:
    """The figures of one question with these commitments, among so many agents of the debate."""
    given = {a: reading(a, 0.5, 0.9, 0.1 if flips else 0.8) for a, (_, _, flips) in stands.items()}
    commitments = {a: committed(a, side, confidence) for a, (side, confidence, _) in stands.items()}
    return crux_quality.figures(C1, given, NOBODY, AGENTS[:seats], commitments)


# ---- CRUX-1: coverage × polarity × impact


@pytest.mark.rule("CRUX-1")
@pytest.mark.parametrize(
    ("stands", "seats", "expected"),
    [
        pytest.param(
            {ANN: (YES, 0.9, True), BOB: (NO, 0.7, True)}, 2, (1.0, 1.0, 0.8, 0.8), id="both flip, one on each side"
        ),
        pytest.param(
            {ANN: (YES, 0.9, True), BOB: (NO, 0.7, True), CAT: (NO, 0.9, True)},
            3,
            (1.0, 2 / 3, 2.5 / 3, 5 / 9),
            id="one against two has polarity .67, not 1",
        ),
        pytest.param(
            {ANN: (YES, 0.9, True), BOB: (NO, 0.7, False)}, 2, (0.5, 1.0, 0.9, 0.45), id="impact is of those who flip"
        ),
        pytest.param(
            {ANN: (YES, 0.9, True), BOB: (NO, 0.7, True)}, 5, (0.4, 1.0, 0.8, 0.32), id="coverage is of all agents"
        ),
        pytest.param(
            {ANN: (YES, 0.9, True), BOB: (NO, 0.7, True), CAT: (UNSURE, 0.5, True)},
            3,
            (2 / 3, 1.0, 0.8, 1.6 / 3),
            id="UNCERTAIN neither flips nor polarises",
        ),
        pytest.param(
            {ANN: (YES, 0.9, True), BOB: (YES, 0.7, True)}, 2, (1.0, 0.0, 0.8, 0.0), id="one side only gains nothing"
        ),
        pytest.param({ANN: (YES, 0.9, False), BOB: (NO, 0.7, False)}, 2, (0.0, 1.0, 0.0, 0.0), id="nobody flips"),
    ],
)
def test_gain_is_coverage_times_polarity_times_impact(
    stands: dict[AgentId, Stand], seats: int, expected: tuple[float, ...]
) -> None:
    found = gain(stands, seats)
    assert (found.coverage, found.polarity, found.impact, found.dcg) == pytest.approx(expected, abs=1e-4)


@pytest.mark.rule("CRUX-1")
@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.sampled_from(Side), st.floats(0, 1), st.booleans()), min_size=1, max_size=8))
def test_gain_is_that_of_the_formula_for_any_commitments(held: list[Stand]) -> None:
    found = gain(dict(zip(AGENTS, held, strict=False)), len(held))
    sides = [side for side, _, _ in held]
    firm = sides.count(YES) + sides.count(NO)
    moved = [confidence for side, confidence, flips in held if flips and side is not UNSURE]
    coverage = len(moved) / len(held)
    polarity = 2 * min(sides.count(YES), sides.count(NO)) / firm if firm else 0.0
    impact = sum(moved) / len(moved) if moved else 0.0
    assert found.dcg == pytest.approx(coverage * polarity * impact, abs=1e-4)
    assert 0 <= found.dcg <= 1


@pytest.mark.rule("CRUX-1")
def test_before_anybody_commits_private_answers_stand_in() -> None:
    given = {ANN: reading(ANN, 0.9, 0.9, 0.1), BOB: reading(BOB, 0.3, 0.9, 0.1), CAT: reading(CAT, 0.5, 0.9, 0.1)}
    found = crux_quality.figures(C1, given, NOBODY, (ANN, BOB, CAT), {})
    assert found.flips == (ANN, BOB)
    assert (found.coverage, found.polarity) == pytest.approx((2 / 3, 1.0), abs=1e-4)
    assert found.impact == pytest.approx((0.9 + 0.7) / 2)


@pytest.mark.rule("CRUX-1")
def test_at_the_lock_sides_and_confidences_are_as_committed() -> None:
    play = Play(yes=(ANN,), no=(BOB, CAT))
    play.to_lock()
    for agent, confidence in ((ANN, 0.9), (BOB, 0.6), (CAT, 0.6)):
        play.post(agent, commit(agent, play.sides[agent], confidence=confidence))
    play.to_evidence()
    locked = play.thread.figures[Phase.LOCKED].figures[0]
    assert (locked.coverage, locked.polarity, locked.impact) == pytest.approx((1.0, 2 / 3, 0.7), abs=1e-4)
    assert locked.dcg == pytest.approx(1.0 * 2 / 3 * 0.7, abs=1e-4)
    before = play.thread.figures[Phase.BEFORE].figures[0]
    assert before.impact == pytest.approx(0.9)
    assert (locked.share, locked.gap_closed) == (before.share, before.gap_closed)


@pytest.mark.rule("CRUX-1")
def test_an_excused_agent_counts_as_uncertain() -> None:
    """ANN, CAT for YES, BOB for NO; CAT commits, then falls silent and is excused (LOCK-7)."""
    play = Play(yes=(ANN, CAT), no=(BOB,))
    play.to_lock()
    play.commit_all()
    while play.serve(but=(CAT,)):
        pass
    play.tick(after_ms=31_000)
    while play.thread.stage is not Stage.EVIDENCE:
        assert play.serve(but=(CAT,))
    assert play.thread.excused == {CAT}
    locked = play.thread.figures[Phase.LOCKED].figures[0]
    assert locked.flips == (ANN, BOB)
    assert (locked.coverage, locked.polarity) == pytest.approx((2 / 3, 1.0), abs=1e-4)


@pytest.mark.rule("CRUX-1")
def test_the_devils_advocate_counts_in_no_figure() -> None:
    play = Play()
    play.talk(6)
    assert ADVOCATE in {seat.id for seat in play.debate.seats}
    play.to_weighing()
    row = only(play.probe_all(), DcgCalculated).figures[0]
    assert (row.coverage, row.flips) == (1.0, (ANN, BOB))


# ---- CRUX-2: who would flip


@pytest.mark.rule("CRUX-2")
def test_who_would_flip_is_probed_not_presumed() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    play.minds[CAT] = mind(0.9, 0.9, 0.6)
    play.minds[DAN] = mind(0.1, 0.4, 0.1)
    play.to_weighing()
    row = only(play.probe_all(), DcgCalculated).figures[0]
    assert row.flips == (ANN, BOB)
    assert row.coverage == 0.5


@pytest.mark.rule("CRUX-2")
def test_who_gave_no_answer_is_not_presumed_to_flip() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    play.to_weighing()
    row = only(play.probe(but=(CAT,)), DcgCalculated).figures[0]
    assert row.flips == (ANN, BOB, DAN)
    assert row.coverage == 0.75


# ---- CRUX-3: authentic


@pytest.mark.rule("CRUX-3")
@pytest.mark.parametrize(
    ("question", "measures"),
    [
        pytest.param("Will the correlation with equities stay above 0.6?", True, id="correlation"),
        pytest.param("Will volatility fall below that of gold?", True, id="volatility"),
        pytest.param("Will the price exceed 200,000 dollars?", True, id="price"),
        pytest.param("Will Bitcoin's 10-year correlation with the Nasdaq drop?", True, id="whose, and over what"),
        pytest.param("Will bitcoin’s realised volatility halve?", True, id="a curly apostrophe"),
        pytest.param("will house prices rise?", True, id="prices, lower case"),
        pytest.param("Is lasting demand there through a fixed supply?", False, id="why there is demand"),
        pytest.param("Will institutions hold it through a crash?", False, id="what people do"),
        pytest.param("Does the price reflect scarcity rather than hope?", False, id="what a price shows"),
        pytest.param("Is its correlation with equities an accident?", False, id="what a correlation means"),
        pytest.param("Will people trust money nobody can print?", False, id="no measure at all"),
    ],
)
def test_a_measurement_question_is_not_authentic(question: str, measures: bool) -> None:
    play = Play()
    play.to_lock((question,))
    play.to_closing()
    extracted = only(play.probe_all(), CruxExtracted)
    assert extracted.validated is not measures
    assert [r.rule for r in extracted.failures] == (["CRUX-3"] if measures else [])


@pytest.mark.rule("CRUX-3")
@pytest.mark.parametrize(
    ("flipping", "authentic"), [pytest.param(2, True, id="two flip"), pytest.param(1, False, id="one flips")]
)
def test_two_or_more_must_flip(flipping: int, authentic: bool) -> None:
    play = Play()
    if flipping == 1:
        play.minds[ANN] = mind(0.9, 0.9, 0.6)
    play.to_closing()
    extracted = only(play.probe_all(), CruxExtracted)
    assert extracted.validated is authentic
    assert ["would change their top claim" in r.reason for r in extracted.failures] == [True] * (not authentic)


@pytest.mark.rule("CRUX-3")
@pytest.mark.parametrize("vague", [True, False])
def test_every_falsifier_must_be_concrete(vague: bool) -> None:
    play = Play(settings=Settings(off=(RuleId("FALS-1"),)))
    play.to_lock()
    play.post(ANN, commit(ANN, YES, VAGUE if vague else FALSIFIER))
    play.to_closing()
    extracted = only(play.probe_all(), CruxExtracted)
    assert [r.reason for r in extracted.failures] == (["falsifier 1 of ann is vague"] if vague else [])


@pytest.mark.rule("CRUX-3")
def test_an_ablation_may_leave_authenticity_out() -> None:
    play = Play(settings=Settings(off=(RuleId("CRUX-3"),)))
    play.to_lock(("Will the price exceed 200,000 dollars?",))
    play.to_closing()
    assert only(play.probe_all(), CruxExtracted).validated


# ---- CRUX-4: validated


def closed() -> Play:
    play = Play()
    play.to_closing()
    play.probe_all()
    return play


def reasons(play: Play, thread: Thread) -> list[str]:
    return [f"{r.rule}: {r.reason}" for r in crux_quality.failures(play.debate, thread)]


@pytest.mark.rule("CRUX-4")
def test_an_authentic_two_sided_question_with_two_criteria_is_validated() -> None:
    play = Play()
    play.to_closing()
    extracted = only(play.probe_all(), CruxExtracted)
    assert (extracted.version, extracted.validated, extracted.failures) == (1, True, ())
    assert len(crux_quality.criteria(play.thread)) == 2
    assert all("falls below 40 percent (by June 2029)" in text for text in crux_quality.criteria(play.thread))


@pytest.mark.rule("CRUX-4")
@pytest.mark.parametrize(
    ("share", "valid"),
    [
        pytest.param(0.2, True, id="exactly .20"),
        pytest.param(0.1999, False, id="a little less"),
    ],
)
def test_the_share_must_be_at_least_a_fifth(share: float, valid: bool) -> None:
    play = closed()
    locked = play.thread.figures[Phase.LOCKED]
    changed = replace(locked, figures=(replace(locked.figures[0], share=share),))
    thread = replace(play.thread, figures={**play.thread.figures, Phase.LOCKED: changed})
    assert reasons(play, thread) == ([] if valid else ["CRUX-4: it explains 19.9% of the gap, 20% is the least"])


@pytest.mark.rule("CRUX-4")
@pytest.mark.parametrize(
    ("share", "told"),
    [
        pytest.param(0.78, "explains 78% of the gap", id="a part"),
        pytest.param(1.0, "explains 100% of the gap", id="exactly all"),
        pytest.param(1.004, "explains 100% of the gap", id="all, as it is shown"),
        pytest.param(1.34, "explains all of the gap, and more: another difference pulls the other way", id="more"),
    ],
)
def test_a_share_above_all_is_told_in_words(share: float, told: str) -> None:
    figures = replace(closed().thread.figures[Phase.LOCKED].figures[0], share=share)
    assert verdict.explain(figures, "Is it so?").startswith(f'"Is it so?" {told}; ')
    meaning = gauges_of(share, 0.5, Dcg(score=0.5, coverage=1, polarity=1, impact=0.5), 2, 3, "Ann and Ben")[0].meaning
    assert (meaning == "all of it, and more: another difference pulls the other way") == ("more" in told)


@pytest.mark.rule("CRUX-4")
def test_the_same_falsifier_twice_is_one_criterion() -> None:
    play = Play()
    play.to_lock()
    play.commit_all(FALSIFIER)
    play.to_closing()
    extracted = only(play.probe_all(), CruxExtracted)
    assert [r.rule for r in extracted.failures] == ["CRUX-4"]
    assert "1 concrete resolution criteria" in extracted.failures[0].reason
    assert only(play.judge(), ThreadConverged).verdict is Verdict.PARTIAL


@pytest.mark.rule("CRUX-4")
@pytest.mark.parametrize(
    ("sides", "valid"),
    [
        pytest.param((YES, NO), True, id="both sides"),
        pytest.param((YES, YES), False, id="YES only"),
        pytest.param((NO, UNSURE), False, id="NO and UNCERTAIN"),
    ],
)
def test_both_sides_must_be_present(sides: tuple[Side, Side], valid: bool) -> None:
    play = closed()
    held = {a: replace(play.thread.commitments[a], side=s) for a, s in zip((ANN, BOB), sides, strict=True)}
    found = reasons(play, replace(play.thread, commitments=held))
    assert found == ([] if valid else ["CRUX-4: nobody holds one of the sides"])
    excused = replace(play.thread, commitments=held, excused=frozenset({BOB}))
    assert reasons(play, excused) == ["CRUX-4: nobody holds one of the sides"]


@pytest.mark.rule("CRUX-4")
def test_every_failure_is_listed() -> None:
    play = closed()
    locked = play.thread.figures[Phase.LOCKED]
    poor = replace(locked, figures=(replace(locked.figures[0], share=0.05, flips=(ANN,)),))
    thread = replace(
        play.thread,
        figures={**play.thread.figures, Phase.LOCKED: poor},
        falsifiers={},
        commitments={a: replace(c, side=YES) for a, c in play.thread.commitments.items()},
    )
    found = [r.rule for r in crux_quality.failures(play.debate, thread)]
    assert found == ["CRUX-3", "CRUX-4", "CRUX-4", "CRUX-4"]
    assert all(r.remedy for r in crux_quality.failures(play.debate, thread))


# ---- CRUX-5: self-correction


MISTAKEN = Judged(objection="I am at YES, not at NO", side=YES, statement="Holders stay, I say")


@pytest.mark.rule("CRUX-5")
def test_a_crux_nobody_challenges_stands() -> None:
    play = closed()
    events = play.judge()
    assert of(events, CruxChallenged) == of(events, CruxExtracted) == ()
    assert only(events, ThreadConverged).verdict is Verdict.CRUX


@pytest.mark.rule("CRUX-5")
def test_an_objection_has_the_crux_extracted_again_with_it() -> None:
    play = closed()
    events = play.judge({BOB: MISTAKEN})
    objection = only(events, CruxChallenged)
    assert (objection.agent, objection.version, objection.stands) == (BOB, 1, False)
    assert crux_quality.positions_now(play.thread) == {ANN: YES, BOB: YES}
    assert crux_quality.positions(play.thread) == {
        ANN: YES,
        BOB: NO,
    }  # where it stood at the lock is no matter of opinion
    assert crux_quality.statement(play.thread, BOB) == "Holders stay, I say"
    assert crux_quality.statement(play.thread, ANN) == statement(ANN)
    assert only(events, CruxExtracted).version == 2
    assert due_in_thread(play.debate, play.thread) == Judgement(version=2)


@pytest.mark.rule("CRUX-5")
def test_it_is_extracted_again_twice_at_most_then_the_objection_stands_beside_it() -> None:
    play = closed()
    versions = [only(play.judge({BOB: Judged(objection="not what I hold")}), CruxExtracted).version for _ in range(2)]
    assert versions == [2, 3]
    events = play.judge({BOB: MISTAKEN})
    assert of(events, CruxExtracted) == ()
    assert only(events, CruxChallenged).stands
    assert only(events, ThreadConverged).verdict is Verdict.CRUX
    assert crux_quality.positions_now(play.thread) == {ANN: YES, BOB: NO}
    assert crux_quality.statement(play.thread, BOB) == statement(BOB)


@pytest.mark.rule("CRUX-5")
def test_a_correction_can_be_taken_back() -> None:
    play = closed()
    play.judge({BOB: MISTAKEN})
    events = play.judge({BOB: replace(MISTAKEN, side=NO, statement="Holders leave")})
    assert only(events, CruxExtracted).validated
    assert crux_quality.positions_now(play.thread)[BOB] is NO
    assert crux_quality.statement(play.thread, BOB) == "Holders leave"


@pytest.mark.rule("CRUX-5")
def test_everybody_is_asked_and_an_empty_objection_is_none() -> None:
    play = closed()
    events = play.judge({ANN: Judged(objection="   "), BOB: Judged(side=YES)})
    assert of(events, CruxChallenged) == ()
    assert only(events, ThreadConverged)


@pytest.mark.rule("CRUX-5")
def test_several_objections_are_one_extraction() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN), unsure=(EVE,))
    play.to_closing()
    play.probe_all()
    events = play.judge({BOB: MISTAKEN, EVE: replace(MISTAKEN, side=NO)})
    assert [e.agent for e in of(events, CruxChallenged)] == [BOB, EVE]
    assert only(events, CruxExtracted).version == 2
    assert crux_quality.positions_now(play.thread)[EVE] is NO
