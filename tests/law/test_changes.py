"""What moved somebody who changed sides in public: PLUS-2, by the rules of BELIEFS."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cruxfinder.crux.asks import Credence
from cruxfinder.crux.events import PositionUpdated, ProbeAnswered
from cruxfinder.crux.law import changes
from cruxfinder.crux.moves import Claim
from cruxfinder.crux.private_questions import Probes, due_in_thread
from cruxfinder.crux.result import result_of
from cruxfinder.crux.state import Debate, TopClaim
from cruxfinder.crux.thread import Message, Thread
from cruxfinder.kernel.vocabulary import AgentId, CandidateId, Label, MessageId, Phase, Side, TopSide
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
    for agent, side in zip(rest, others, strict=True):
        play.post(agent, claim(top_side=side))
    play.to_evidence()
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
        pytest.param(held(0.5, 0.475), (YES,), Label.PERSUADED, id="in between: off the old side, and explained"),
        pytest.param(held(0.5, 0.1), (YES,), Label.CONFORMED, id="in between: off the old side, and not explained"),
        pytest.param(held(0.8, 0.1), (YES, NO, NO), Label.PERSUADED, id="not explained, and no majority to follow"),
        pytest.param(held(0.449, 0.6), (YES,), Label.NOISE, id="nearer, and still on the old side"),
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


def label_of(debate: Debate, thread: Thread, change: Message, answer: ProbeAnswered) -> Label:
    """With one private answer about the change."""
    return changes.label(
        debate, replace(thread, probes={**thread.probes, (Phase.CHANGE, 1): {answer.agent: answer}}), change
    )


def with_claims(thread: Thread, sides: Mapping[AgentId, TopSide]) -> Thread:
    """As if these had said so before anything else."""
    first = thread.messages[0]
    said = tuple(
        replace(first, id=MessageId(f"m0{'0' * n}"), agent=a, move=claim(top_side=s))
        for n, (a, s) in enumerate(sides.items())
    )
    return replace(thread, messages=(*said, *thread.messages))


Answers = st.lists(st.tuples(CHANCE, CHANCE, CHANCE), min_size=2, max_size=2)


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
    residuals = [
        (p_before - (c * p1 + (1 - c) * p0)) ** 2 / (1 + c * c + (1 - c) ** 2 + (p1 - p0) ** 2) for c, p1, p0 in before
    ]
    noise = (sum(residuals) / len(residuals)) ** 0.5
    assume(abs(moved - max(0.08, 2 * noise)) > 1e-6)
    explained = sum(
        (c - c_) * ((p1 - p0) + (p1_ - p0_)) / 2
        for n, ((c, p1, p0), (c_, p1_, p0_)) in enumerate(zip(now, before, strict=True))
        if CandidateId(f"c{n}") == C1 or abs(c - c_) >= 2 * 2**0.5 * noise
    )
    opposed = others.count(YES) >= len(others) / 2
    if p_now >= 0.45 and moved >= max(0.08, 2 * noise):
        assume(abs(explained - moved / 2) > 1e-6)
        expected = Label.PERSUADED if explained >= moved / 2 or not opposed else Label.CONFORMED
    elif public is not NO and opposed:
        expected = Label.CONFORMED
    else:
        expected = Label.NOISE

    play = stage()
    agents = tuple(AgentId(f"o{n}") for n in range(len(others)))
    seats = tuple(replace(play.debate.seats[0], id=a) for a in (BOB, *agents))
    first = replace(probed(p_before, before), phase=Phase.BEFORE)
    thread = replace(play.thread, probes={(Phase.BEFORE, 1): {BOB: first}})
    thread = with_claims(thread, dict(zip(agents, others, strict=True)))
    debate = replace(play.debate, seats=seats, threads={T1: thread})
    assert label_of(debate, thread, play.thread.unlabelled[0], probed(p_now, now, public)) is expected


@pytest.mark.rule("PLUS-2")
def test_nobody_conforms_to_people_who_have_said_nothing() -> None:
    play = stage()
    first = replace(probed(0.2, [(0.1, 0.9, 0.1)]), phase=Phase.BEFORE)
    silent = tuple(m for m in play.thread.messages if m.agent == BOB or not isinstance(m.move, Claim))
    thread = replace(play.thread, probes={(Phase.BEFORE, 1): {BOB: first}}, messages=silent)
    answer = probed(0.2, [(0.1, 0.9, 0.1)], public=YES)
    debate = replace(play.debate, threads={T1: thread})
    assert label_of(debate, thread, play.thread.unlabelled[0], answer) is Label.NOISE


@pytest.mark.rule("PLUS-2")
def test_who_comes_over_after_the_change_was_not_there_to_be_followed() -> None:
    """Opposition is counted at the time of the message."""
    play = Play(yes=(ANN,), no=(BOB, CAT, DAN))
    for agent in (BOB, CAT, DAN):
        play.post(agent, claim(top_side=NO))
    play.to_evidence()
    shown = play.post(ANN, evidence(BOB))
    play.minds[BOB] = replace(NO_BEFORE, public_side=YES)
    play.post(BOB, concede(NO, YES), reply_to=shown)
    play.post(CAT, concede(NO, YES))
    play.post(DAN, concede(NO, YES))
    found = {c.agent: c.label for c in of(play.probe_all(), PositionUpdated)}
    assert found[BOB] is Label.NOISE


@pytest.mark.rule("PLUS-2")
@pytest.mark.parametrize(("noise", "rounds"), [pytest.param(0.0, 1, id="exact"), pytest.param(0.2, 3, id="noisy")])
def test_a_change_is_asked_about_as_often_as_what_it_is_compared_with(noise: float, rounds: int) -> None:
    play = Play()
    play.minds[BOB] = replace(NO_BEFORE, p_top=0.18 + noise)
    play.post(BOB, claim(top_side=NO))
    play.to_evidence()
    shown = play.post(ANN, evidence(BOB))
    play.minds[BOB] = held(0.8, 0.85)
    play.post(BOB, concede(NO, YES), reply_to=shown)
    events = play.probe_all()
    asked = [e for e in of(events, ProbeAnswered) if e.phase is Phase.CHANGE]
    assert [(e.agent, e.round) for e in asked] == [(BOB, n) for n in range(1, rounds + 1)]
    assert only(events, PositionUpdated).label is Label.PERSUADED


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
    assert label_of(play.debate, thread, change, answer) is label
    assert label_of(play.debate, thread, change, replace(answer, failed=True)) is Label.NOISE


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
