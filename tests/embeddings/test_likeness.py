"""What every embedder promises, tried on each of them."""

from itertools import combinations_with_replacement, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxfinder.adapters.embeddings.embedders import CHOICES, embedder
from cruxfinder.adapters.embeddings.keyword import Keywords
from cruxfinder.adapters.embeddings.vectors import StaticModel
from cruxfinder.kernel.likeness import Likeness

HEDGE = "Bitcoin's correlation with tech stocks proves it's not a hedge"
ODD = (
    "",
    "   \n",
    "?!…",
    "😀🎉",
    "great😀",
    "Crème brûlée, naïve façade",
    "機械学習は日本の経済を変える",
    "\ud800 half a pair",
    "\x00\ufffd\u200b",
    HEDGE,
    f"{HEDGE}.",
    "a" * 5000,
    "long " * 30_000,
)


@pytest.fixture(params=CHOICES)
def measure(request: pytest.FixtureRequest) -> Likeness:
    return embedder(request.param)


def test_each_choice_is_the_embedder_it_names() -> None:
    assert isinstance(embedder("static"), StaticModel) and isinstance(embedder("keyword"), Keywords)
    assert [embedder(choice).name for choice in CHOICES] == ["static-minilm-v3", "keyword-v1"]


def test_figures_of_odd_texts_are_symmetric_and_within_bounds(measure: Likeness) -> None:
    for a, b in combinations_with_replacement(ODD, 2):
        assert 0.0 <= measure.likeness(a, b) == measure.likeness(b, a) <= 1.0
        assert 0.0 <= measure.distance(a, b) == measure.distance(b, a) <= 1.0


@pytest.mark.parametrize("text", ODD, ids=lambda text: repr(text[:20]))
def test_a_text_is_like_itself(measure: Likeness, text: str) -> None:
    assert measure.likeness(text, text) == 1.0
    assert measure.distance(text, text) == 0.0
    assert measure.likenesses(text, (text, "gardening"))[0] == 1.0


def test_a_text_without_words_is_like_no_other(measure: Likeness) -> None:
    assert measure.likenesses("", ("?!", HEDGE, "😀")) == (0.0, 0.0, 0.0)
    assert measure.distance("", HEDGE) == 1.0


@pytest.mark.parametrize("choice", CHOICES)
@given(text=st.text(max_size=60), others=st.lists(st.text(max_size=60) | st.just(HEDGE), max_size=6))
def test_many_at_once_are_the_same_as_one_by_one(choice: str, text: str, others: list[str]) -> None:
    measure = embedder("static" if choice == "static" else "keyword")
    assert measure.likenesses(text, others) == tuple(measure.likeness(text, other) for other in others)


def test_the_order_of_asking_changes_nothing(measure: Likeness) -> None:
    texts = (HEDGE, "gardening", "Tech stocks fell with Bitcoin.")
    fresh = {pair: measure.likeness(*pair) for pair in permutations(texts, 2)}
    assert fresh == {pair: measure.likeness(*pair) for pair in reversed(list(permutations(texts, 2)))}


def test_case_accents_and_punctuation_do_not_matter() -> None:
    assert embedder("static").distance("Crème brûlée!", "CREME   BRULEE") == 0.0


def test_a_message_is_nearer_to_the_interests_it_touches(measure: Likeness) -> None:
    macro, correlation, institutional, gardening = measure.likenesses(
        HEDGE, ("macro", "correlation", "institutional", "gardening")
    )
    assert max(macro, correlation, institutional) >= 0.75
    assert gardening == 0.0


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Nuclear power is safe.", "Nuclear power is not safe."),
        ("Zoos help rare species survive.", "Zoos do nothing to help rare species survive."),
        ("Social media harms teenagers.", "Social media is harmless to teenagers."),
    ],
)
def test_opposites_are_alike_because_only_the_topic_is_heard(measure: Likeness, a: str, b: str) -> None:
    assert measure.likeness(a, b) >= 0.9


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Will Bitcoin's volatility prevent institutional adoption?", "Is Bitcoin a hedge against inflation?"),
        ("Will institutional adoption happen within 5 years?", "Will a carbon tax pass before 2030?"),
        ("Do school uniforms improve discipline?", "Do school uniforms save parents money?"),
    ],
)
def test_different_questions_are_apart(measure: Likeness, a: str, b: str) -> None:
    assert measure.distance(a, b) >= 0.3


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Will Bitcoin's volatility prevent adoption?", "Does the volatility of Bitcoin prevent its adoption?"),
        ("Do school uniforms improve discipline?", "Is discipline improved by school uniforms?"),
    ],
)
def test_one_question_in_another_order_is_not_apart(measure: Likeness, a: str, b: str) -> None:
    assert measure.distance(a, b) < 0.3
    assert measure.same_point(a, b) >= measure.repetition
