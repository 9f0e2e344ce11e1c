"""Content words: what steelmans are measured by and repeated questions are found by."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxfinder.rules.text import carried, content_words, same_question, stem

WORDS = st.lists(st.sampled_from("demand supply winter reserve merchant regulator savings energy".split()), max_size=6)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("The demand is not what it was", {"demand"}, id="stop words go"),
        pytest.param("Prices, priced and pricing", {"pric"}, id="inflections fold"),
        pytest.param("Bitcoin's reserve; bitcoin’s reserves", {"bitcoin", "reserv"}, id="possessives fold"),
        pytest.param("an EU law of 5 in 2027", {"law", "5", "2027"}, id="short words go, numbers stay"),
        pytest.param("risk_asset and risk-asset", {"risk", "asset"}, id="underscores and hyphens part words"),
        pytest.param("Žižek naïve Straße", {"žižek", "naïv", "straß"}, id="letters of any alphabet"),
        pytest.param("—…!?", set[str](), id="punctuation is nothing"),
        pytest.param("", set[str](), id="nothing"),
    ],
)
def test_content_words(text: str, words: set[str]) -> None:
    assert content_words(text) == words


@pytest.mark.parametrize(
    ("words", "stemmed"),
    [
        pytest.param("regulate regulates regulated regulation regulations", {"regulat", "regul"}, id="near enough"),
        pytest.param("holding holdings holdingly", {"hold"}, id="the longest ending goes"),
        pytest.param("policies policied", {"polic"}, id="ies and ied"),
        pytest.param("used uses user", {"used", "uses", "user"}, id="less than four letters are never left"),
        pytest.param("gas bus yes", {"gas", "bus", "yes"}, id="short words stay whole"),
    ],
)
def test_inflections_fold_together(words: str, stemmed: set[str]) -> None:
    assert {stem(word) for word in words.split()} == stemmed


@pytest.mark.parametrize(
    ("recorded", "represented", "share"),
    [
        pytest.param("reserve demand winter", "winter reserve demand", 1.0, id="all of it in any order"),
        pytest.param("reserve demand winter energy", "energy and demand", 0.5, id="half of it"),
        pytest.param("reserve demand", "merchant savings", 0.0, id="nothing of it"),
        pytest.param("reserve demand", "reserve demand merchant savings", 1.0, id="more than it is no loss"),
        pytest.param("and so it is", "anything", 1.0, id="nothing to carry"),
    ],
)
def test_the_share_that_is_carried(recorded: str, represented: str, share: float) -> None:
    assert carried(recorded, represented) == share


@settings(max_examples=60, deadline=None, derandomize=True)
@given(WORDS, WORDS)
def test_carried_is_the_share_of_the_recorded_words(recorded: list[str], represented: list[str]) -> None:
    own, other = set(recorded), set(represented)
    expected = sum(w in other for w in own) / len(own) if own else 1.0
    assert carried(" ".join(recorded), " ".join(represented)) == expected


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        pytest.param("Is demand anchored?", "Is demand anchored?", True, id="word for word"),
        pytest.param("Is demand anchored?", "is the demand anchored", True, id="but for stop words and marks"),
        pytest.param("Are demands anchored?", "Is the demand anchored?", True, id="but for inflections"),
        pytest.param("Is demand anchored?", "Is demand not anchored?", True, id="a denial asks the same"),
        pytest.param("Is demand anchored?", "Is supply anchored?", False, id="another subject"),
        pytest.param("Above 5 percent by 2030?", "Above 6 percent by 2030?", False, id="another number"),
        pytest.param(
            "Do savings anchor reserve demand through winter?",
            "Do savings anchor reserve demand through winter energy?",
            True,
            id="five words of six",
        ),
        pytest.param(
            "Do savings anchor reserve demand?",
            "Do savings anchor reserve demand in winter, and energy?",
            False,
            id="four words of six",
        ),
    ],
)
def test_two_questions_are_the_same_by_their_words(first: str, second: str, same: bool) -> None:
    assert same_question(first, second) is same
    assert same_question(second, first) is same
