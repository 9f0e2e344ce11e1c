"""Claims that somebody takes back or changes."""

import pytest

from cruxfinder.language.english.own_words import words_of
from cruxfinder.language.english.revising import revises

ABOUT = "the winter ferry to the outer islands"


def heard(text: str) -> bool:
    lowered = text.lower()
    return revises(lowered, words_of(lowered))


@pytest.mark.rule("RED-2")
@pytest.mark.parametrize(
    "text",
    [
        f"I take back what I said about {ABOUT}.",
        f"I'll withdraw my objection to {ABOUT}.",
        f"We must retract our figures for {ABOUT}.",
        f"I should revise my estimate for {ABOUT}.",
        f"I now drop the claim about {ABOUT}.",
        f"I abandon my opposition to {ABOUT}.",
        f"We're giving up our argument about {ABOUT}.",
        f"I am withdrawing that remark about {ABOUT}.",
        f"We are taking back all we said about {ABOUT}.",
        f"I'm retracting my charge about {ABOUT}.",
        f"I'm revising my view of {ABOUT}.",
        f"I'm dropping my objection to {ABOUT}.",
        f"I take that back about {ABOUT}.",
        f"I was simply wrong about {ABOUT}.",
        f"I may have been mistaken on {ABOUT}.",
        f"I made a mistake about {ABOUT}.",
        f"I now see that {ABOUT} pays its way.",
        f"I see now that {ABOUT} pays its way.",
        f"I no longer believe that {ABOUT} runs at a loss.",
        f"I've come round on {ABOUT}.",
        f"I have changed my position on {ABOUT}.",
        f"I stand corrected on {ABOUT}.",
        f"My view on fares has shifted since {ABOUT} opened.",
        f"My own thinking did change about {ABOUT}.",
        f"My mind did shift on {ABOUT}.",
        f"My position did move on {ABOUT}.",
        f"My position has moved on {ABOUT}.",
        f"My stance has softened on {ABOUT}.",
        f"It costs me little to give up my point about {ABOUT}.",
        f"Not for the first time, I was wrong about {ABOUT}.",
    ],
)
def test_a_claim_is_taken_back_or_changed(text: str) -> None:
    assert heard(text)


@pytest.mark.rule("RED-2")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("I was wrong about that.", id="it is not named"),
        pytest.param(f"Nobody has shown that I was wrong about {ABOUT}.", id="nobody says so"),
        pytest.param(f"I won't say that I was wrong about {ABOUT}.", id="it is refused"),
        pytest.param(f"Why should I withdraw my objection to {ABOUT}?", id="it is asked"),
        pytest.param(f"If I was wrong about {ABOUT}, tell me.", id="it is supposed"),
        pytest.param(f"I was wrong about nothing, least of all {ABOUT}.", id="it is nothing"),
        pytest.param("I take back my coat and hat from the wonderful lady.", id="it is no claim"),
        pytest.param("I must withdraw now, as the babysitter leaves at eight.", id="somebody leaves"),
        pytest.param("I've come around to say hello to Priya and Marcus.", id="somebody comes"),
        pytest.param("I stand corrected by our learned friend, with delight and humility.", id="it is a bow"),
        pytest.param("My view has not changed on the winter ferry to the islands.", id="it has not changed"),
    ],
)
def test_no_claim_is(text: str) -> None:
    assert not heard(text)
