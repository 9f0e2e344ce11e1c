"""A question may ask what somebody feels: FALS-1 hears a hedge in what a falsifier adds, not in what is asked."""

from dataclasses import replace

import pytest

from cruxfinder.crux.events import LockSucceeded, MessageRefused
from cruxfinder.cruxbench.planted_runs import hold_debate
from cruxfinder.cruxbench.planted_subjects import WorldSet
from cruxfinder.cruxbench.planted_worlds import draw_world
from cruxfinder.cruxbench.world_sketches import Kind
from cruxfinder.kernel.pack import Falsifier
from tests.law.build import ANN, Play, declare, refused

FEELING = "Do night nurses feel safe on the ward?"


def felt(metric: str = "the nurses' survey", threshold: str = "falls below 40 percent") -> Falsifier:
    return Falsifier(metric=metric, threshold=threshold, deadline="by June 2029")


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize(
    ("falsifier", "vague"),
    [
        pytest.param(
            felt("share of night nurses who feel safe on the ward"), False, id="the feeling that is asked about"
        ),
        pytest.param(felt(threshold="fewer than 40 percent of night nurses feel safe"), False, id="counted"),
        pytest.param(felt("how the mood feels"), True, id="another feeling"),
        pytest.param(felt("whether night nurses probably feel safe"), True, id="a hedge beside it"),
        pytest.param(felt(threshold="night nurses seem to feel safe below 40 percent"), True, id="what it seems"),
    ],
)
def test_a_word_of_the_question_is_no_hedge(falsifier: Falsifier, vague: bool) -> None:
    play = Play()
    play.to_lock((FEELING,))
    assert refused(play.say(ANN, declare(falsifier))) == ({"FALS-1"} if vague else set())


def test_simulated_believers_lock_a_question_of_feeling() -> None:
    """What would change their minds is told in the question's words, and was sent back for them each time."""
    world = draw_world(WorldSet.DEVELOPMENT, 0, Kind.ONE_CRUX, 1)
    (crux,) = world.truth.primary
    asked = {
        "statement": "Night nurses feel safe on the ward",
        "denial": "Night nurses feel threatened on the ward",
        "question": FEELING,
        "yes_means": "nine of ten night nurses say in the survey that they feel safe",
        "no_means": "more than half of the night nurses say in the survey that they feel threatened",
    }
    propositions = tuple(replace(p, **asked) if p.id == crux else p for p in world.pack.propositions)
    events = hold_debate(replace(world.pack, propositions=propositions), 0).finished.events
    assert any(isinstance(e, LockSucceeded) for e in events)
    told = [r.reason for e in events if isinstance(e, MessageRefused) for r in e.refusals if r.rule == "FALS-1"]
    assert not [reason for reason in told if '"feel"' in reason], told
