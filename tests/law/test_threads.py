"""A stage in which nobody speaks is over: THR-3 of SPEC §10."""

import pytest

from cruxfinder.crux.commands import Tick
from cruxfinder.crux.events import Event, MessageRefused, ProbeAnswered, ThreadStale
from cruxfinder.crux.law.threads import QUIET
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import MoveKind, Stage, Status, ThreadId, Verdict
from tests.law.build import (
    ANN,
    BOB,
    CAT,
    DAN,
    OTHER_QUESTIONS,
    T1,
    T2,
    Play,
    claim,
    evidence,
    of,
    only,
    steelman,
)

QUIET_MS = 30_000


@pytest.mark.rule("THR-3")
@pytest.mark.parametrize(
    ("silence_ms", "stale"),
    [
        pytest.param(QUIET_MS - 1, False, id="almost thirty seconds are not too long"),
        pytest.param(QUIET_MS, True, id="thirty seconds are"),
    ],
)
def test_evidence_ends_when_nobody_has_anything_more_to_say(silence_ms: int, stale: bool) -> None:
    play = Play()
    play.to_evidence()
    play.wait(silence_ms - (play.now_ms - play.thread.stage_ms))
    events = play.tick()
    assert bool(of(events, ThreadStale)) is stale
    assert play.waiting is stale, "the last probes are due once it is over"


@pytest.mark.rule("THR-3")
def test_a_quiet_discovery_with_a_claim_is_given_its_question() -> None:
    play = Play()
    for agent in (ANN, BOB):
        play.post(agent, claim())
    play.tick(after_ms=QUIET_MS)
    assert play.thread.candidates
    play.probe_all()
    assert of(play.events, ProbeAnswered)


@pytest.mark.rule("THR-3")
def test_a_thread_in_which_nobody_speaks_is_stale() -> None:
    play = Play()
    play.tick(after_ms=QUIET_MS)
    assert play.thread.status is Status.STALE
    assert play.thread.outcome is Verdict.UNDECIDED
    assert [e.ended for e in of(play.events, ThreadStale)] == [False, True]


@pytest.mark.rule("THR-3")
def test_silence_under_the_lock_is_another_matter() -> None:
    play = Play()
    play.to_lock()
    play.tick(after_ms=QUIET_MS)
    assert not of(play.events, ThreadStale)


@pytest.mark.rule("THR-3")
def test_left_out_of_an_ablation_silence_ends_nothing() -> None:
    play = Play(settings=Settings(off=(QUIET,)))
    play.to_evidence()
    play.tick(after_ms=2 * QUIET_MS)
    assert play.thread.stage is Stage.EVIDENCE and not play.waiting


@pytest.mark.rule("THR-3")
def test_the_stage_that_went_quiet_is_named() -> None:
    play = Play()
    play.to_evidence()
    assert only(play.tick(after_ms=QUIET_MS), ThreadStale).stage is Stage.EVIDENCE


@pytest.mark.rule("THR-3")
def test_the_silence_of_the_lock_does_not_count_for_the_evidence_after_it() -> None:
    play = Play(yes=(ANN,), no=(BOB, CAT))
    play.to_lock()
    while play.serve(but=(CAT,) if CAT in play.thread.commitments else ()):
        pass
    play.tick(after_ms=QUIET_MS)
    assert play.thread.stage is Stage.EVIDENCE and CAT in play.thread.excused
    assert not of(play.tick(after_ms=QUIET_MS - 1), ThreadStale)
    assert of(play.tick(after_ms=1), ThreadStale)


# ---- several threads


def two() -> Play:
    """Two threads in DISCOVERY; the last message was said in the first, at the same moment as the second's birth."""
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    play.spawn(OTHER_QUESTIONS[0])
    return play


def gone_quiet(events: tuple[Event, ...]) -> set[ThreadId]:
    return {e.thread for e in of(events, ThreadStale)}


@pytest.mark.rule("THR-3")
@pytest.mark.parametrize(
    ("silence_ms", "quiet"),
    [
        pytest.param(2 * QUIET_MS - 1, set[ThreadId](), id="almost a minute is not too long"),
        pytest.param(2 * QUIET_MS, {T1, T2}, id="a minute is"),
    ],
)
def test_with_two_threads_active_it_takes_twice_as_long(silence_ms: int, quiet: set[ThreadId]) -> None:
    assert gone_quiet(two().tick(after_ms=silence_ms)) == quiet


@pytest.mark.rule("THR-3")
def test_a_message_in_one_thread_keeps_that_one_alone_awake() -> None:
    play = two()
    play.post(ANN, claim(), after_ms=1)
    assert gone_quiet(play.tick(after_ms=2 * QUIET_MS - 1)) == {T2}


@pytest.mark.rule("THR-3")
def test_a_thread_that_is_over_makes_the_others_go_quiet_sooner() -> None:
    play = two()
    play.merge(T2, T1)
    assert gone_quiet(play.tick(after_ms=QUIET_MS)) == {T1}


@pytest.mark.rule("THR-3")
def test_a_thread_somebody_thinks_about_is_not_quiet() -> None:
    play = two()
    play.wait(2 * QUIET_MS)
    assert gone_quiet(play.do(Tick(thinking=frozenset({T2})))) == {T1}


@pytest.mark.rule("THR-3")
def test_a_thread_a_draft_waits_for_is_not_quiet() -> None:
    play = two()
    play.post(ANN, claim(), cooldown_ms=4 * QUIET_MS)
    play.at = T2
    assert only(play.say(ANN, claim(), after_ms=0), MessageRefused).outcome == "held"
    assert gone_quiet(play.tick(after_ms=2 * QUIET_MS)) == {T1}


@pytest.mark.rule("THR-3")
def test_a_thread_that_waits_for_private_answers_is_not_quiet() -> None:
    play = two()
    play.to_weighing()
    assert play.waiting and gone_quiet(play.tick(after_ms=2 * QUIET_MS)) == {T2}


@pytest.mark.rule("THR-3")
def test_a_thread_in_which_something_is_owed_is_not_quiet() -> None:
    play = Play()
    play.to_evidence()
    play.post(ANN, evidence(BOB))
    play.post(ANN, steelman(BOB))
    assert [duty.move for duty in play.owed(BOB)] == [MoveKind.GRADE_STEELMAN]
    assert not of(play.tick(after_ms=QUIET_MS), ThreadStale)
