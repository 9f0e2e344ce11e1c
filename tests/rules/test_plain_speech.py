"""TURN-5: no filler, no pleasantries, no emoji."""

import pytest

from tests.rules.build import ANN, Play, claim, refused


@pytest.mark.rule("TURN-5")
@pytest.mark.parametrize(
    "content",
    [
        "Great point, the tolls fell in May.",
        "Thank you for raising the tolls.",
        "I appreciate your view of the tolls.",
        "With all due respect, the tolls fell.",
        "It's worth noting that the tolls fell.",
        "At the end of the day the tolls fell.",
        "As an AI, I see that the tolls fell.",
        "In conclusion, the tolls fell.",
        "The tolls fell \U0001f642.",
        "The tolls fell ✅.",
    ],
)
def test_what_is_not_plain_is_sent_back(content: str) -> None:
    assert refused(Play().say(ANN, claim(), content=content)) == {"TURN-5"}


@pytest.mark.rule("TURN-5")
@pytest.mark.parametrize(
    "content",
    [
        "The tolls fell by 12 % in May, and nobody counted the ferries.",
        "The point of greatest weight is the toll; a fair price would be 40.",
        "I thanked nobody. The question is good for one thing only: the toll.",
        "We respect the limit of 40 ships; ships → tolls → dredging.",
        "Temperatures above 30 °C close the lock №2 (§ 4).",
    ],
)
def test_plain_words_pass(content: str) -> None:
    assert refused(Play().say(ANN, claim(), content=content)) == set()
