"""THR-3 as far as one thread needs it: a stage in which nobody speaks is over."""

import pytest

from cruxfinder.model.events import ProbeAnswered, ThreadStale
from cruxfinder.model.settings import Settings
from cruxfinder.model.words import Stage, Status, Verdict
from cruxfinder.rules.threads import QUIET, QUIET_MS
from tests.rules.build import ANN, BOB, Play, claim, of, only


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
