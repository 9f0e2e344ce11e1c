"""How near a thread seems to its crux: THR-2 of SPEC §10."""

import pytest

from cruxfinder.crux.law import threads
from cruxfinder.kernel.vocabulary import Stage, TopSide
from tests.law.build import ANN, BOB, CAT, DAN, QUESTION, Play, challenge, claim, clarify, concede, evidence, propose

ANSWER = "Anchored demand survives a winter easily."


def four() -> Play:
    return Play(yes=(ANN, CAT), no=(BOB, DAN))


@pytest.mark.rule("THR-2")
def test_a_thread_gives_no_signal_at_first() -> None:
    play = four()
    assert threads.convergence_signal(play.thread) == 0.0
    play.talk(4)
    assert threads.convergence_signal(play.thread) == 0.0


# ---- a question proposed and acknowledged


@pytest.mark.rule("THR-2")
@pytest.mark.parametrize(
    ("between", "signal"),
    [
        pytest.param(0, 0.95, id="in the next message"),
        pytest.param(2, 0.95, id="in the third message after it"),
        pytest.param(3, 0.0, id="in the fourth: too late"),
    ],
)
def test_a_question_proposed_and_acknowledged_gives_095(between: int, signal: float) -> None:
    play = four()
    play.post(ANN, propose(), content=QUESTION)
    play.talk(between)
    assert threads.convergence_signal(play.thread) == 0.0, "nobody has answered"
    play.post(BOB, claim(), content=ANSWER)
    assert threads.convergence_signal(play.thread) == signal


@pytest.mark.rule("THR-2")
def test_a_reply_in_other_words_acknowledges_a_question() -> None:
    play = four()
    asked = play.post(ANN, propose())
    play.post(BOB, claim(), reply_to=asked)
    assert threads.convergence_signal(play.thread) == 0.95


@pytest.mark.rule("THR-2")
def test_its_author_does_not_acknowledge_a_question() -> None:
    play = four()
    asked = play.post(ANN, propose())
    play.post(ANN, claim(), content=ANSWER, reply_to=asked)
    assert threads.convergence_signal(play.thread) == 0.0


@pytest.mark.rule("THR-2")
def test_a_signal_fades_as_the_talk_goes_on() -> None:
    play = four()
    asked = play.post(ANN, propose())
    play.post(BOB, claim(), reply_to=asked)
    play.talk(7)
    assert threads.convergence_signal(play.thread) == 0.0, "the question is nine messages old"


@pytest.mark.rule("THR-2")
def test_two_commitments_under_the_lock_are_an_acknowledgement() -> None:
    play = four()
    play.to_lock()
    assert threads.convergence_signal(play.thread) == 0.0
    play.serve()
    assert threads.convergence_signal(play.thread) == 0.0, "one commitment"
    play.serve()
    assert threads.convergence_signal(play.thread) == 0.95


@pytest.mark.rule("THR-2")
def test_a_crux_extracted_is_one_and_evidence_before_it_is_not() -> None:
    play = four()
    play.to_evidence()
    assert threads.convergence_signal(play.thread) == 0.0
    play.to_closing()
    play.probe_all()
    assert play.thread.extracted is not None and threads.convergence_signal(play.thread) == 0.95


# ---- concessions


@pytest.mark.rule("THR-2")
@pytest.mark.parametrize(
    ("conceding", "cheap", "signal"),
    [
        pytest.param(3, 0, 0.75, id="three that changed a top claim"),
        pytest.param(2, 1, 0.0, id="two, and a cheap one"),
        pytest.param(0, 3, 0.0, id="three cheap ones"),
    ],
)
def test_three_concessions_that_are_not_cheap_give_075(conceding: int, cheap: int, signal: float) -> None:
    play = four()
    play.to_evidence()
    for agent in (ANN, BOB, CAT)[:conceding]:
        play.post(agent, concede(TopSide.YES, TopSide.NO))
        play.probe_all()
    for agent in (DAN, CAT, BOB)[:cheap]:
        play.post(agent, concede())
    assert play.thread.stage is Stage.EVIDENCE
    assert threads.convergence_signal(play.thread) == signal


# ---- a shrinking circle


@pytest.mark.rule("THR-2")
@pytest.mark.parametrize(
    ("messages", "signal"),
    [
        pytest.param(8, 0.6, id="the last eight by two of three"),
        pytest.param(7, 0.0, id="the third spoke eight messages ago"),
    ],
)
def test_a_circle_that_shrank_to_two_gives_06(messages: int, signal: float) -> None:
    play = four()
    play.post(ANN, challenge(play.post(CAT, claim())))
    for place in range(messages - 1):
        play.post((BOB, ANN)[place % 2], claim())
    assert threads.convergence_signal(play.thread) == signal


@pytest.mark.rule("THR-2")
def test_two_who_were_alone_from_the_start_are_no_shrinking_circle() -> None:
    play = Play()
    play.post(BOB, challenge(play.post(ANN, claim())))
    play.talk(7)
    assert threads.convergence_signal(play.thread) == 0.0


@pytest.mark.rule("THR-2")
def test_the_stronger_signal_counts() -> None:
    play = four()
    play.to_evidence()
    for agent in (ANN, BOB, ANN, BOB):
        play.post(agent, evidence(CAT))
    there, back = (TopSide.YES, TopSide.NO), (TopSide.NO, TopSide.YES)
    for agent, sides in ((ANN, there), (BOB, there), (ANN, back), (BOB, back)):
        play.post(agent, concede(*sides))
        play.probe_all()
    assert threads.convergence_signal(play.thread) == 0.75


@pytest.mark.rule("THR-2")
def test_what_the_moderator_says_is_no_part_of_it() -> None:
    play = four()
    play.post(CAT, claim())
    for place in range(8):
        play.post((BOB, ANN)[place % 2], clarify("m1") if place in (0, 1) else claim())
    assert play.thread.interventions, "a devil's advocate was announced"
    assert threads.convergence_signal(play.thread) == 0.6
