"""What the vector of a turn says for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.adapters.embeddings.points import SAYING
from cruxfinder.adapters.embeddings.substance_vector_weights import FINE
from tests.embeddings.test_likeness import ODD

ARGUED = "Night trains lose money because every carriage is idle through the day."
ASSENT = "I could not agree more with everything that has been said here."


def said(text: str) -> int:
    found = embedder("static").substance_score(text)
    assert found is not None
    return found


def test_words_alone_have_no_vector() -> None:
    assert embedder("keyword").substance_score(ARGUED) is None


def test_a_reason_has_more_said_for_it_than_assent() -> None:
    assert said(ARGUED) > said(ASSENT) + 300


@pytest.mark.parametrize(("text", "figure"), [(ARGUED, -225), (ASSENT, -708), ("", -254), ("😀 ?!", -254)])
def test_figures_are_the_same_everywhere(text: str, figure: int) -> None:
    assert said(text) == figure


def test_there_is_a_whole_weight_for_every_entry() -> None:
    assert SAYING.shape == (128,)
    assert (SAYING.round() == SAYING).all() and SAYING.any()


@pytest.mark.parametrize("text", ODD, ids=lambda text: repr(text[:20]))
def test_case_and_marks_do_not_matter(text: str) -> None:
    assert said(f"{text} !") == said(text)
    if text.isascii():
        assert said(text.upper()) == said(text.lower())


@given(st.text(max_size=200))
def test_no_text_says_more_than_the_weights_hold(text: str) -> None:
    assert abs(said(text)) <= float((SAYING**2).sum() ** 0.5) / FINE + 1
