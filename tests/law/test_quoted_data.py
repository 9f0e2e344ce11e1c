"""What others wrote reaches a model between marks, on one line, and no longer than asked for."""

import pytest

from cruxfinder.language.quoted_data import mark_as_data


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        pytest.param("They fell.", "«They fell.»", id="as it is"),
        pytest.param(" They\t\n\nfell. ", "«They fell.»", id="on one line"),
        pytest.param("It » « so", '«It " " so»', id="without the marks that end it"),
        pytest.param("1234567890", "«1234567890»", id="just as long as it may be"),
        pytest.param("12345678901", "«123456789…»", id="a letter too long"),
        pytest.param("12345678 01", "«12345678…»", id="no blank before the end"),
        pytest.param("", "«»", id="nothing"),
    ],
)
def test_a_text_is_marked_as_data(text: str, marked: str) -> None:
    assert mark_as_data(text, most=10) == marked


def test_a_long_text_is_cut_by_itself() -> None:
    assert len(mark_as_data("a" * 700)) == len("«»") + 600
