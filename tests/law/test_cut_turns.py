"""TURN-1: what is too long to the last is cut, and what stands against it is what stands against what is left."""

import pytest

from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import RuleId
from cruxfinder.talk.events import TurnSpoken
from cruxfinder.talk.turns import TurnType
from tests.law.build import ANN, BOB, only
from tests.law.talk import REASON, Talking, flagged, fresh

HOLLOW = "I agree with Bob."
NEW = fresh(77)
ANSWER = fresh(78, "Bob")


def after_bob(settings: Settings = Settings()) -> Talking:
    talk = Talking(settings=settings)
    talk.post(BOB)
    return talk


@pytest.mark.rule("TURN-1")
@pytest.mark.rule("RED-2")
@pytest.mark.rule("RED-4")
@pytest.mark.parametrize(
    ("content", "type", "flags"),
    [
        pytest.param(f"{NEW} {ANSWER}", TurnType.PROPOSITION, {"TURN-1"}, id="what is left adds something"),
        pytest.param(
            f"{HOLLOW} {NEW}", TurnType.PROPOSITION, {"TURN-1", "RED-2", "RED-4"}, id="what it added is cut away"
        ),
        pytest.param(f"{NEW} Thanks, great point.", TurnType.PROPOSITION, {"TURN-1"}, id="so is a pleasantry"),
        pytest.param(
            f"{NEW} As I said before, ferries pay.", TurnType.PROPOSITION, {"TURN-1"}, id="so is a turn it leant on"
        ),
        pytest.param(f"{NEW} {ANSWER}", TurnType.REBUTTAL, {"TURN-1", "TURN-3"}, id="so is whom it answered"),
        pytest.param(f"{ANSWER} {NEW}", TurnType.REBUTTAL, {"TURN-1"}, id="whom it answers is left"),
    ],
)
def test_flags_are_those_of_what_is_said(content: str, type: TurnType, flags: set[str]) -> None:
    events = after_bob().say(ANN, content, type, sentences=1, last=True)
    assert flagged(events) == flags


@pytest.mark.rule("TURN-1")
def test_the_length_of_the_draft_is_told_once() -> None:
    flags = only(after_bob().say(ANN, f"{HOLLOW} {NEW}", sentences=1, last=True), TurnSpoken).flags
    assert [f.reason for f in flags if f.rule == "TURN-1"] == ["at most 1 sentences, not 2"]


@pytest.mark.rule("TURN-1")
@pytest.mark.parametrize("rule", ["RED-2", "RED-4"])
def test_a_rule_that_is_switched_off_does_not_stand_against_what_is_left(rule: str) -> None:
    talk = after_bob(Settings(off=(RuleId(rule),)))
    events = talk.say(ANN, f"{HOLLOW} {NEW}", sentences=1, last=True)
    assert flagged(events) == {"TURN-1", "RED-2", "RED-4"} - {rule}


@pytest.mark.rule("RED-3")
def test_a_repetition_is_told_by_the_figures_of_the_draft() -> None:
    """Nothing else was measured."""
    events = after_bob().say(ANN, f"{NEW} {ANSWER}", near=[(0.9, 0.9)], drawn=0.8, sentences=1, last=True)
    assert flagged(events) == {"TURN-1", "RED-3"}


@pytest.mark.rule("RED-6")
def test_a_synthesis_that_is_cut_still_lacks_its_next_step() -> None:
    events = after_bob().say(REASON, f"{NEW} {ANSWER}", TurnType.SYNTHESIS, sentences=1, last=True)
    assert flagged(events) == {"TURN-1", "RED-6"}
