"""Several questions that carry a disagreement together, and a second try at discovery: CRUX-13."""

from dataclasses import replace
from typing import Any

import pytest

from cruxfinder.crux.events import (
    CandidateFigures,
    DcgCalculated,
    ModeratorIntervention,
    ProbeAnswered,
    ThreadConverged,
)
from cruxfinder.crux.law import several_facts
from cruxfinder.crux.private_questions import Probes, due_in_thread
from cruxfinder.crux.result import result_of
from cruxfinder.kernel.run_facts import DebateComplete
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import CandidateId, Phase, RuleId, Stage, Verdict
from tests.law.build import ANN, BOB, OTHER_QUESTIONS, QUESTION, Mind, Play, of, only, propose

QUESTIONS = (QUESTION, *OTHER_QUESTIONS[:2])


def shares(*given: float) -> tuple[CandidateFigures, ...]:
    rest: dict[str, Any] = {"gap_closed": 0.0, "coverage": 0.0, "polarity": 0.0, "impact": 0.0, "dcg": 0.0, "flips": ()}
    return tuple(
        CandidateFigures(candidate=CandidateId(f"c{n}"), share=share, rank=share, **rest)
        for n, share in enumerate(given, start=1)
    )


def pairs(*numbers: tuple[int, int]) -> frozenset[tuple[CandidateId, CandidateId]]:
    return frozenset((CandidateId(f"c{a}"), CandidateId(f"c{b}")) for a, b in numbers)


@pytest.mark.rule("CRUX-13")
@pytest.mark.parametrize(
    ("given", "linked", "line", "several"),
    [
        pytest.param((0.18, 0.17, 0.16), pairs(), 0.20, True, id="none reaches .20, together .51"),
        pytest.param((0.14, 0.13, 0.13), pairs(), 0.20, True, id="exactly .40"),
        pytest.param((0.13, 0.13, 0.13), pairs(), 0.20, False, id="together less than .40"),
        pytest.param((0.18, 0.17, 0.16), pairs((1, 2)), 0.20, False, id="two are counted once: .18 and .16"),
        pytest.param((0.18, 0.17, 0.16, 0.15), pairs((2, 1)), 0.20, True, id="two are counted once, three are left"),
        pytest.param((0.18, 0.17, 0.16, 0.15), pairs((1, 2), (3, 2), (4, 3)), 0.20, False, id="all hang together"),
        pytest.param((0.60, 0.17, 0.16), pairs(), 0.20, False, id="one carries it alone"),
        pytest.param((0.22, 0.19, 0.18, 0.17), pairs(), 0.30, True, id="the best is above .20 by no more than noise"),
        pytest.param((0.22, 0.19, 0.02), pairs(), 0.30, False, id="only two are alike"),
        pytest.param((0.36, 0.19, 0.19, 0.19), pairs(), 0.30, False, id="above the line one is argued alone"),
        pytest.param((0.19, 0.04, 0.04, 0.04, 0.04, 0.04), pairs(), 0.20, False, id="below .05 is nothing"),
    ],
)
def test_several_questions_explain_a_gap_together(
    given: tuple[float, ...], linked: frozenset[tuple[CandidateId, CandidateId]], line: float, several: bool
) -> None:
    assert several_facts.explain_jointly(shares(*given), linked, line) is several


@pytest.mark.rule("CRUX-13")
def test_of_questions_that_bear_on_each_other_the_best_is_counted() -> None:
    found = several_facts.joint_roots(shares(0.12, 0.18, 0.16), pairs((1, 2)))
    assert [f.candidate for f in found] == ["c2", "c3"]
    assert several_facts.joint_share(shares(0.12, 0.18, 0.16), pairs((1, 2))) == pytest.approx(0.34)


# ---- in a debate


def holding(p_top: float, c: float, slope: float, count: int = 3) -> Mind:
    """The same of each question; P(top) follows from each."""
    row = (c, p_top + (1 - c) * slope, p_top - c * slope)
    return Mind(p_top=p_top, c=row[0], p1=row[1], p0=row[2], about={f"c{n + 1}": row for n in range(count)})


def facts(
    share: float = 0.18, links: dict[tuple[str, str], tuple[float, float]] | None = None, off: bool = False
) -> Play:
    """Two people .6 apart, and three questions that explain so much each: .4 apart on each, slope .6 · share / .4."""
    slope = 0.6 * share / 0.4
    play = Play(firsts=False, settings=Settings(off=(RuleId("CRUX-13"),) if off else ()))
    play.minds = {
        ANN: replace(holding(0.8, 0.7, slope), links=links or {}),
        BOB: replace(holding(0.2, 0.3, slope), links=links or {}),
    }
    play.take_firsts()
    play.to_weighing(QUESTIONS)
    return play


@pytest.mark.rule("CRUX-13")
def test_three_questions_of_eighteen_percent_are_several_facts() -> None:
    play = facts()
    events = play.probe_all()
    assert {(e.phase, e.round) for e in of(events, ProbeAnswered)} == {(Phase.BEFORE, 1), (Phase.LINKS, 1)}
    found = only(events, ThreadConverged)
    assert found.verdict is Verdict.SEVERAL_FACTS
    assert found.why == "3 questions explain 54% of the gap together, 18% each; none carries it alone"
    assert only(events, DebateComplete).verdict is Verdict.SEVERAL_FACTS
    result = result_of(play.events)
    assert [t.question for t in result.threads[0].tested if t.joint] == list(QUESTIONS)
    assert [t.sides for t in result.threads[0].tested] == [{"ann": "YES", "bob": "NO"}] * 3
    assert (result.primary_crux, result.regime, result.confidence) == (None, "polarized", "HIGH")


@pytest.mark.rule("CRUX-13")
def test_everybody_is_asked_how_the_questions_bear_on_each_other() -> None:
    play = facts()
    play.probe()
    wanted = due_in_thread(play.debate, play.thread)
    assert isinstance(wanted, Probes)
    assert (wanted.phase, wanted.agents, [c.id for c in wanted.candidates]) == (
        Phase.LINKS,
        (ANN, BOB),
        ["c1", "c2", "c3"],
    )


@pytest.mark.rule("CRUX-13")
@pytest.mark.parametrize(
    ("apart", "expected"),
    [
        pytest.param(0.16, None, id="three questions that are one: looked for once more"),
        pytest.param(0.14, Verdict.SEVERAL_FACTS, id="a difference below .15 is no link"),
    ],
)
def test_questions_that_bear_on_each_other_are_counted_once(apart: float, expected: Verdict | None) -> None:
    chances = (0.5 + apart / 2, 0.5 - apart / 2)
    play = facts(links={("c1", "c2"): chances, ("c1", "c3"): chances, ("c2", "c3"): chances})
    play.probe_all()
    assert play.thread.outcome is expected


@pytest.mark.rule("CRUX-13")
def test_discovery_is_tried_once_more_before_values_is_said() -> None:
    play = facts(share=0.05)
    events = play.probe_all()
    asked = only(events, ModeratorIntervention)
    assert (asked.cause, asked.looks_again, asked.to) == ("CRUX-13", True, (ANN, BOB))
    assert play.thread.stage is Stage.DISCOVERY and play.thread.outcome is None
    assert due_in_thread(play.debate, play.thread) is None, "there is time to name something"
    before = len(play.thread.messages)
    while play.thread.outcome is None:
        play.talk(1)
    assert len([m for m in play.thread.messages[before:] if m.counted]) == 6
    assert only(play.events, ThreadConverged).verdict is Verdict.VALUES
    assert [i.looks_again for i in of(play.events, ModeratorIntervention)].count(True) == 1, "once more, and no more"


@pytest.mark.rule("CRUX-13")
def test_what_is_named_at_the_second_look_is_asked_about_and_can_be_the_crux() -> None:
    play = facts(share=0.05)
    play.probe_all()
    for agent, c in ((ANN, 0.9), (BOB, 0.1)):
        held = play.minds[agent]
        play.minds[agent] = replace(
            held, about={**held.about, "c4": (c, held.p_top + (1 - c) * 0.6, held.p_top - c * 0.6)}
        )
    named = OTHER_QUESTIONS[2]
    play.post(ANN, propose(named), content=named)
    play.talk_on()
    wanted = due_in_thread(play.debate, play.thread)
    assert isinstance(wanted, Probes)
    assert (wanted.phase, wanted.round, [c.id for c in wanted.candidates]) == (Phase.BEFORE, 2, ["c4"])
    drawn = of(play.probe_all(), DcgCalculated)
    assert {f.candidate for f in drawn[-1].figures} == {"c1", "c2", "c3", "c4"}
    assert (play.thread.stage, play.thread.crux) == (Stage.CRUX_LOCK, "c4")


@pytest.mark.rule("CRUX-13")
@pytest.mark.parametrize(
    ("stray", "looks"),
    [
        pytest.param(0.0, False, id="exact answers: .25 is above .20"),
        pytest.param(0.15, True, id="answers that contradict themselves: it may as well be below"),
    ],
)
def test_discovery_is_tried_once_more_before_little_is_argued(stray: float, looks: bool) -> None:
    play = Play(firsts=False)
    for agent, p_top, c, up in ((ANN, 0.8, 0.7, -stray), (BOB, 0.2, 0.3, stray)):
        held = holding(p_top, c, 0.6 * 0.25 / 0.4, 1)
        play.minds[agent] = replace(held, about={}, p1=held.p1 + up, p0=held.p0 + up)
    play.take_firsts()
    play.to_weighing()
    play.probe_all()
    assert (play.thread.second_look is not None, play.thread.stage is Stage.DISCOVERY) == (looks, looks)
    while play.thread.stage is Stage.DISCOVERY:
        play.talk(1)
        play.probe_all()
    assert play.thread.crux == "c1", "nothing better was named"


@pytest.mark.rule("CRUX-13")
def test_without_the_rule_the_first_discovery_is_the_last_and_facts_are_not_added_up() -> None:
    play = facts(off=True)
    found = only(play.probe_all(), ThreadConverged)
    assert found.verdict is Verdict.VALUES
    assert found.why.startswith("no question tested explains the gap of 0.60 (the best of 3 explains 18%)")


# ---- how sure a verdict is


@pytest.mark.rule("CRUX-13")
@pytest.mark.parametrize(
    ("share", "confidence"),
    [
        pytest.param(0.18, "HIGH", id="together .54: .14 above the line"),
        pytest.param(0.145, "MEDIUM", id="together .435: within .05 of it"),
    ],
)
def test_a_verdict_near_its_line_is_not_of_high_confidence(share: float, confidence: str) -> None:
    play = facts(share=share)
    play.probe_all()
    found = result_of(play.events)
    assert (found.verdict, found.confidence) == (Verdict.SEVERAL_FACTS, confidence)


@pytest.mark.rule("CRUX-13")
@pytest.mark.parametrize(
    ("stray", "confidence"),
    [
        pytest.param(0.0, "HIGH", id="exact answers"),
        pytest.param(0.3, "MEDIUM", id="answers that contradict themselves say little of a share of .33"),
    ],
)
def test_a_verdict_that_noise_could_turn_is_not_of_high_confidence(stray: float, confidence: str) -> None:
    """Camps .6 apart, .5 apart on the question: a share of .33 by a slope of .4, which straying leaves as it is."""
    play = Play(firsts=False)
    for agent, p_top, c in ((ANN, 0.8, 0.75), (BOB, 0.2, 0.25)):
        held = holding(p_top, c, 0.4, 1)
        up = -stray if agent == ANN else stray
        play.minds[agent] = replace(held, about={}, p1=held.p1 + up, p0=held.p0 + up)
    play.take_firsts()
    play.to_end()
    found = result_of(play.events)
    assert found.threads[0].tested[0].explained_share == pytest.approx(0.3333, abs=1e-3)
    assert found.confidence == confidence
