"""What a debate comes to that ends before its threads do, and what a side thread may decide: CRUX-14."""

from dataclasses import replace

import pytest

from cruxfinder.crux.law.verdict import debate_verdict
from cruxfinder.crux.result import result_of
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Candidate, Thread
from cruxfinder.kernel.run_facts import DebateComplete, Stop
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import Ending, RuleId, Status, ThreadId, Verdict
from tests.law.build import ANN, QUESTION, T1, Play, only

SIDE = ThreadId("t2")


def in_evidence(off: bool = False) -> Play:
    play = Play(settings=Settings(off=(RuleId("CRUX-14"),) if off else ()))
    play.to_evidence()
    return play


def with_side_thread(debate: Debate, outcome: Verdict, questions: int) -> Debate:
    """A spawned thread beside the first that came to this, having tested so many questions."""
    first = debate.threads[T1]
    asked = Candidate(id=first.candidates[0].id, question="Is it?", yes_means="y", no_means="n", by=ANN,
                      message=first.messages[0].id)  # fmt: skip
    side = Thread(
        id=SIDE,
        topic="Is it?",
        created_ms=0,
        parent=T1,
        status=Status.CONVERGED,
        outcome=outcome,
        why="so",
        candidates=(asked,) * questions,
    )
    return replace(debate, threads={T1: first, SIDE: side})


@pytest.mark.rule("CRUX-14")
def test_a_locked_question_counts_though_the_debate_ended_before_its_thread_did() -> None:
    play = in_evidence()
    over = only(play.do(Stop(ending=Ending.MESSAGES)), DebateComplete)
    assert over.verdict is Verdict.UNRESOLVED
    assert over.why == (
        f'"{QUESTION}" explains 100% of the gap; 2 would change their top claim with it; '
        "the debate ended before its evidence was heard out"
    )
    found = result_of(play.events)
    assert (found.verdict, found.threads[0].verdict, found.confidence) == (
        Verdict.UNRESOLVED,
        Verdict.UNRESOLVED,
        "LOW",
    )
    assert found.primary_crux_question == QUESTION


@pytest.mark.rule("CRUX-14")
def test_a_question_that_was_chosen_and_not_locked_is_a_partial_crux() -> None:
    play = Play()
    play.to_lock()
    over = only(play.do(Stop()), DebateComplete)
    assert over.verdict is Verdict.PARTIAL
    assert over.why.endswith("the debate ended before positions on it were locked")


@pytest.mark.rule("CRUX-14")
@pytest.mark.parametrize(
    ("outcome", "questions", "expected"),
    [
        pytest.param(Verdict.VALUES, 1, Verdict.UNRESOLVED, id="values by one question: nothing"),
        pytest.param(Verdict.NO_DISAGREEMENT, 1, Verdict.UNRESOLVED, id="no disagreement by one question: nothing"),
        pytest.param(Verdict.VALUES, 2, Verdict.UNRESOLVED, id="the locked question says more than values"),
        pytest.param(Verdict.CRUX, 1, Verdict.CRUX, id="a crux found in a side thread is a crux"),
    ],
)
def test_a_side_thread_that_tested_one_question_decides_nothing(
    outcome: Verdict, questions: int, expected: Verdict
) -> None:
    assert debate_verdict(with_side_thread(in_evidence().debate, outcome, questions)).verdict is expected


@pytest.mark.rule("CRUX-14")
@pytest.mark.parametrize(
    ("questions", "expected"),
    [pytest.param(1, Verdict.UNDECIDED, id="one question"), pytest.param(2, Verdict.DEFINITIONS, id="two questions")],
)
def test_what_a_side_thread_says_of_the_debate_without_a_crux(questions: int, expected: Verdict) -> None:
    """The first thread is in DISCOVERY still."""
    assert debate_verdict(with_side_thread(spoken(), Verdict.DEFINITIONS, questions)).verdict is expected


def spoken() -> Debate:
    play = Play()
    play.to_weighing()
    return play.debate


@pytest.mark.rule("CRUX-14")
def test_without_the_rule_only_ended_threads_count() -> None:
    over = only(in_evidence(off=True).do(Stop()), DebateComplete)
    assert (over.verdict, over.why) == (Verdict.UNDECIDED, "it ended before a verdict was reached")
    debate = with_side_thread(in_evidence(off=True).debate, Verdict.VALUES, 1)
    assert debate_verdict(debate).verdict is Verdict.VALUES
