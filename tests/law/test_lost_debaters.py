"""END-1: the debate goes on while two debaters can still answer, and ends when they cannot."""

import pytest

from cruxfinder.crux.law import ending
from cruxfinder.kernel.run_facts import DebateComplete, NoteFailure
from cruxfinder.kernel.vocabulary import AgentId, Ending
from cruxfinder.talk.law import turn_order
from tests.law.build import ANN, BOB, CAT, Play, claim
from tests.law.talk import REASON, Talking


def fail(play: Play, agent: AgentId, times: int) -> None:
    for _ in range(times):
        play.do(NoteFailure(agent=agent, ask="draft", reason="the line broke"))


@pytest.mark.rule("END-1")
def test_who_fails_three_times_in_a_row_is_lost_and_the_others_go_on() -> None:
    play = Play(yes=(ANN,), no=(BOB, CAT))
    fail(play, CAT, 2)
    assert ending.lost_agents(play.debate) == frozenset()
    fail(play, CAT, 1)
    assert ending.lost_agents(play.debate) == {CAT}
    assert play.debate.complete is None


@pytest.mark.rule("END-1")
def test_an_answer_in_between_starts_the_count_anew() -> None:
    play = Play(yes=(ANN,), no=(BOB, CAT))
    fail(play, ANN, 2)
    play.post(ANN, claim())
    fail(play, ANN, 2)
    assert ending.lost_agents(play.debate) == frozenset()


@pytest.mark.rule("END-1")
def test_with_one_left_it_ends_and_says_so() -> None:
    play = Play(yes=(ANN,), no=(BOB, CAT))
    fail(play, CAT, 3)
    fail(play, ANN, 3)
    last = play.events[-1]
    assert isinstance(last, DebateComplete) and last.ending is Ending.FAULTS
    assert ending.is_early(last.ending)


@pytest.mark.rule("END-1")
@pytest.mark.parametrize(
    ("failing", "times", "here"),
    [
        pytest.param(CAT, 2, (ANN, BOB, CAT), id="failing"),
        pytest.param(CAT, 3, (ANN, BOB), id="lost"),
        pytest.param(REASON, 3, (ANN, BOB, CAT), id="a chair is no speaker"),
    ],
)
def test_who_is_lost_can_speak_no_more(failing: AgentId, times: int, here: tuple[AgentId, ...]) -> None:
    talk = Talking(ANN, BOB, CAT)
    for _ in range(times):
        talk.do(NoteFailure(agent=failing, ask="turn", reason="the line broke"))
    assert tuple(seat.id for seat in turn_order.present_speakers(talk.debate)) == here
