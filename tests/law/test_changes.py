"""What moved somebody who changed sides in public: PLUS-2, by the rules of BELIEFS."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cruxfinder.crux.asks import Credence
from cruxfinder.crux.events import PositionUpdated, ProbeAnswered
from cruxfinder.crux.law import changes
from cruxfinder.crux.private_questions import Probes, due_in_thread
from cruxfinder.crux.result import result_of
from cruxfinder.crux.state import TopClaim
from cruxfinder.kernel.vocabulary import AgentId, CandidateId, Label, Phase, Side, TopSide
from tests.law.build import (
    ANN,
    BOB,
    C1,
    CAT,
    DAN,
    EVE,
    T1,
    Mind,
    Play,
    claim,
    concede,
    evidence,
    mind,
    of,
    only,
    update,
)

YES, NO, NUANCED = TopSide.YES, TopSide.NO, TopSide.NUANCED
CHANCE = st.floats(0.01, 0.99)


def held(p_top: float, c: float, p1: float = 0.9, p0: float = 0.1, public: TopSide | None = None) -> Mind:
    return Mind(p_top=p_top, c=c, p1=p1, p0=p0, public_side=public)


def turned(before: Mind, now: Mind, others: tuple[TopSide, ...], failed: bool = False) -> PositionUpdated:
    """BOB, at NO in public, goes over to YES; `others` is what ANN, CAT, DAN … say of the topic in public."""
    rest = (ANN, CAT, DAN, EVE)[: len(others)]
    play = Play(yes=rest, no=(BOB,))
    play.minds[BOB] = before
    play.post(BOB, claim(top_side=NO))
    play.to_evidence()
    tops = {
        a: TopClaim(statement="so", side=s, confidence=0.7, updated_ms=0) for a, s in zip(rest, others, strict=True)
    }
    play.debate = replace(play.debate, tops={**play.debate.tops, **tops})
    shown = play.post(ANN, evidence(BOB))
    play.minds[BOB] = now
    play.post(BOB, concede(NO, YES), reply_to=shown)
    return only(play.probe(but=(BOB,) if failed else ()), PositionUpdated)


NO_BEFORE = held(0.2, 0.1)


@pytest.mark.rule("PLUS-2")
@pytest.mark.parametrize(
    ("now", "others", "label"),
    [
        pytest.param(held(0.8, 0.85), (YES,), Label.PERSUADED, id="over to YES, and the credence explains it"),
        pytest.param(
            held(0.8, 0.475), (YES,), Label.PERSUADED, id="the credence explains exactly half: .375 · .8 of .6"
        ),
        pytest.param(held(0.8, 0.474), (YES,), Label.CONFORMED, id="it explains a little less than half"),
        pytest.param(held(0.8, 0.1), (YES,), Label.CONFORMED, id="over to YES, and no credence moved"),
        pytest.param(held(0.8, 0.01), (YES,), Label.CONFORMED, id="the credence moved the other way"),
        pytest.param(
            held(0.8, 0.85, 0.15, 0.9), (YES,), Label.CONFORMED, id="the credence moved, but counts for nothing"
        ),
        pytest.param(held(0.2, 0.1, public=YES), (YES,), Label.CONFORMED, id="still NO, repeated, the other opposed"),
        pytest.param(
            held(0.2, 0.1, public=YES), (YES, NO), Label.CONFORMED, id="still NO, repeated, half of the others opposed"
        ),
        pytest.param(
            held(0.2, 0.1, public=YES), (YES, NO, NO), Label.NOISE, id="still NO, repeated, fewer than half opposed"
        ),
        pytest.param(
            held(0.2, 0.1, public=YES), (YES, NUANCED, NUANCED), Label.NOISE, id="who is NUANCED is not opposed"
        ),
        pytest.param(held(0.2, 0.1, public=NO), (YES, YES), Label.NOISE, id="still NO, and does not repeat it"),
        pytest.param(held(0.2, 0.1, public=NUANCED), (YES, YES), Label.CONFORMED, id="still NO, and not back to it"),
        pytest.param(held(0.5, 0.4, public=YES), (YES,), Label.CONFORMED, id="in between is not on the new side"),
    ],
)
def test_a_change_on_the_topic_is_labelled(now: Mind, others: tuple[TopSide, ...], label: Label) -> None:
    change = turned(NO_BEFORE, now, others)
    assert (change.agent, change.on, change.before, change.after) == (BOB, "topic", "NO", "YES")
    assert change.label is label


@pytest.mark.rule("PLUS-2")
def test_a_change_nobody_could_be_asked_about_is_noise() -> None:
    assert turned(NO_BEFORE, held(0.8, 0.85), (YES,), failed=True).label is Label.NOISE


@pytest.mark.rule("PLUS-2")
def test_owning_up_to_what_one_held_all_along_is_no_persuasion() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB,))
    play.post(ANN, claim(top_side=NO))  # privately at .82
    play.to_evidence()
    play.debate = replace(
        play.debate, tops={**play.debate.tops, ANN: TopClaim(statement="", side=NO, confidence=1, updated_ms=0)}
    )
    shown = play.post(BOB, evidence(ANN))
    play.post(ANN, concede(NO, YES), reply_to=shown)
    assert only(play.probe(), PositionUpdated).label is Label.NOISE


# ---- the same by brute force


@cache
def stage() -> Play:
    play = Play()
    play.post(BOB, claim(top_side=NO))
    play.to_evidence()
    shown = play.post(ANN, evidence(BOB))
    play.post(BOB, concede(NO, YES), reply_to=shown)
    return play


def probed(p_top: float, answers: list[tuple[float, float, float]], public: TopSide | None = None) -> ProbeAnswered:
    return ProbeAnswered(
        at_ms=0,
        thread=T1,
        phase=Phase.CHANGE,
        round=1,
        agent=BOB,
        p_top=p_top,
        credences=tuple(
            Credence(candidate=CandidateId(f"c{n}"), c=c, p1=p1, p0=p0) for n, (c, p1, p0) in enumerate(answers)
        ),
        public_side=public,
    )


Answers = st.lists(st.tuples(CHANCE, CHANCE, CHANCE), min_size=2, max_size=2)


def private_side(p_top: float) -> TopSide:
    return YES if p_top > 0.55 else NO if p_top < 0.45 else NUANCED


@pytest.mark.rule("PLUS-2")
@settings(max_examples=80, deadline=None, derandomize=True)
@given(
    st.floats(0.01, 0.44),
    CHANCE,
    Answers,
    Answers,
    st.lists(st.sampled_from(TopSide), min_size=1, max_size=5),
    st.sampled_from(TopSide),
)
def test_the_label_is_the_one_beliefs_gives(
    p_before: float,
    p_now: float,
    before: list[tuple[float, float, float]],
    now: list[tuple[float, float, float]],
    others: list[TopSide],
    public: TopSide,
) -> None:
    moved = p_now - p_before
    explained = sum(
        (c - c_) * ((p1 - p0) + (p1_ - p0_)) / 2 for (c, p1, p0), (c_, p1_, p0_) in zip(now, before, strict=True)
    )
    if p_now > 0.55:
        assume(abs(explained - moved / 2) > 1e-6)
        expected = Label.PERSUADED if explained >= moved / 2 else Label.CONFORMED
    elif public is not private_side(p_now) and others.count(YES) >= len(others) / 2:
        expected = Label.CONFORMED
    else:
        expected = Label.NOISE

    play = stage()
    agents = tuple(AgentId(f"o{n}") for n in range(len(others)))
    seats = (*play.debate.seats, *(replace(play.debate.seats[0], id=a) for a in agents))
    tops = {a: TopClaim(statement="", side=s, confidence=1, updated_ms=0) for a, s in zip(agents, others, strict=True)}
    debate = replace(play.debate, seats=seats, tops={**tops, BOB: play.debate.tops[BOB]})
    first = replace(probed(p_before, before), phase=Phase.BEFORE)
    thread = replace(play.thread, probes={(Phase.BEFORE, 1): {BOB: first}})
    change = play.thread.unlabelled[0]
    assert changes.label(debate, thread, change, probed(p_now, now, public)) is expected


@pytest.mark.rule("PLUS-2")
def test_nobody_conforms_to_people_who_have_said_nothing() -> None:
    play = stage()
    debate = replace(play.debate, tops={BOB: play.debate.tops[BOB]})
    first = replace(probed(0.2, [(0.1, 0.9, 0.1)]), phase=Phase.BEFORE)
    thread = replace(play.thread, probes={(Phase.BEFORE, 1): {BOB: first}})
    answer = probed(0.2, [(0.1, 0.9, 0.1)], public=YES)
    assert changes.label(debate, thread, play.thread.unlabelled[0], answer) is Label.NOISE


# ---- changes of side on the crux


@pytest.mark.rule("PLUS-2")
@pytest.mark.parametrize(
    ("c", "others", "label"),
    [
        pytest.param(0.7, (Side.NO,), Label.PERSUADED, id="the credence is on the new side"),
        pytest.param(0.5, (Side.YES,), Label.CONFORMED, id="it is not, and the other stands there"),
        pytest.param(0.1, (Side.YES, Side.NO), Label.CONFORMED, id="it is not, and half of the others stand there"),
        pytest.param(0.1, (Side.YES, Side.NO, Side.NO), Label.NOISE, id="it is not, and fewer stand there"),
        pytest.param(0.1, (Side.NO, Side.UNCERTAIN), Label.NOISE, id="it is not, and nobody stands there"),
    ],
)
def test_a_change_on_the_crux_is_labelled(c: float, others: tuple[Side, ...], label: Label) -> None:
    play = stage()
    rest = (ANN, CAT, DAN)[: len(others)]
    sides: dict[AgentId, Side] = {BOB: Side.YES, **dict(zip(rest, others, strict=True))}
    thread = replace(play.thread, sides=sides)
    change = replace(play.thread.unlabelled[0], move=update("m1", Side.NO, Side.YES))
    answer = replace(probed(0.5, []), credences=(Credence(candidate=C1, c=c, p1=0.9, p0=0.1),))
    assert changes.label(play.debate, thread, change, answer) is label
    assert changes.label(play.debate, thread, change, replace(answer, failed=True)) is Label.NOISE


# ---- when the question is asked


@pytest.mark.rule("PLUS-2")
def test_who_changed_sides_is_asked_in_private_and_nobody_else() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB,))
    play.to_evidence()
    shown = play.post(ANN, evidence(BOB))
    play.post(BOB, update(shown, Side.NO, Side.YES))
    wanted = due_in_thread(play.debate, play.thread)
    assert isinstance(wanted, Probes)
    assert (wanted.phase, wanted.agents) == (Phase.CHANGE, (BOB,))
    assert wanted.candidates == play.thread.candidates
    play.minds[BOB] = mind(0.8)
    change = only(play.probe(), PositionUpdated)
    assert (change.on, change.before, change.after, change.label) == ("crux", "NO", "YES", Label.PERSUADED)
    assert due_in_thread(play.debate, play.thread) is None
    assert [(c.agent, c.label) for c in result_of(play.events).threads[0].changes] == [(BOB, Label.PERSUADED)]


@pytest.mark.rule("PLUS-2")
@pytest.mark.parametrize(
    "cheap", [pytest.param(True, id="a cheap concession"), pytest.param(False, id="a change of confidence only")]
)
def test_what_leaves_the_side_as_it_was_is_no_change(cheap: bool) -> None:
    play = Play()
    play.to_evidence()
    shown = play.post(ANN, evidence(BOB))
    play.post(BOB, concede() if cheap else update(shown, Side.NO, Side.NO), reply_to=shown)
    assert not changes.is_change(play.thread.messages[-1])
    assert play.thread.unlabelled == ()
    assert due_in_thread(play.debate, play.thread) is None


@pytest.mark.rule("PLUS-2")
def test_each_change_is_labelled_in_turn() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    play.to_evidence()
    shown = play.post(ANN, evidence(BOB))
    play.minds |= {BOB: mind(0.8), DAN: mind(0.1)}
    play.post(BOB, update(shown, Side.NO, Side.YES))
    play.post(DAN, update(shown, Side.NO, Side.YES))
    found = of(play.probe_all(), PositionUpdated)
    assert [(c.agent, c.label) for c in found] == [(BOB, Label.PERSUADED), (DAN, Label.CONFORMED)]
    assert play.thread.unlabelled == ()
