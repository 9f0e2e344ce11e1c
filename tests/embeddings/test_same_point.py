"""Whether two texts make the same point: what every embedder promises, and what the trained vectors hear."""

import subprocess
import sys
from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxfinder.adapters.embeddings.embedders import CHOICES, embedder
from cruxfinder.adapters.embeddings.points import PIECES_MAX, SHORT, SHORTEST, USUAL, calibrated_score
from cruxfinder.kernel.likeness import Likeness
from tests.embeddings.test_likeness import HEDGE, ODD

HERE = Path(__file__).parent
FILES = ("README.md", "model.safetensors.gz")

AGAIN = (
    ("The bridge should be closed to cars.", "Cars should be kept off the bridge."),
    ("Night trains are too expensive for families.", "Families cannot afford to travel by night train."),
    ("The mayor promised new trees.", "New trees were promised by the mayor."),
)
ANOTHER = (
    ("Night trains are too expensive for families.", "Night trains are a comfortable way to cross a continent."),
    (
        "School lunches should be free because hungry children cannot learn.",
        "School lunches are cooked in a kitchen that is too far away.",
    ),
    ("The tram will bring more trade to the old town.", "Building the tram will take longer than the council says."),
)


@pytest.fixture(params=CHOICES)
def measure(request: pytest.FixtureRequest) -> Likeness:
    return embedder(request.param)


# ---- what each promises


def test_figures_of_odd_texts_are_symmetric_and_within_bounds(measure: Likeness) -> None:
    for a, b in combinations_with_replacement(ODD, 2):
        assert 0.0 <= measure.same_point(a, b) == measure.same_point(b, a) <= 1.0


def test_many_figures_at_once_are_those_of_each_pair(measure: Likeness) -> None:
    pairs = [(a, b) for a in ODD for b in ODD[::-1]]
    assert measure.same_pairs(pairs) == tuple(measure.same_point(a, b) for a, b in pairs)
    assert measure.same_pairs(()) == ()


@pytest.mark.parametrize("text", ODD, ids=lambda text: repr(text[:20]))
def test_a_text_makes_its_own_point(measure: Likeness, text: str) -> None:
    assert measure.same_point(text, text) == 1.0 >= measure.repetition


@pytest.mark.parametrize("text", [HEDGE, "?!", "😀"])
def test_a_text_without_words_makes_no_point(measure: Likeness, text: str) -> None:
    assert measure.same_point("", text) == 0.0


@pytest.mark.parametrize("choice", CHOICES)
@given(a=st.text(max_size=80), b=st.text(max_size=80))
def test_any_two_texts_have_a_figure(choice: str, a: str, b: str) -> None:
    measure = embedder("static" if choice == "static" else "keyword")
    assert 0.0 <= measure.same_point(a, b) == measure.same_point(b, a) <= 1.0


def test_the_same_words_in_another_order_are_a_repetition(measure: Likeness) -> None:
    a, b = "Discipline is improved by school uniforms.", "School uniforms improve discipline."
    assert measure.same_point(a, b) >= measure.repetition


# ---- what the trained vectors hear


@pytest.mark.parametrize(("a", "b"), AGAIN)
def test_a_point_made_again_is_a_repetition(a: str, b: str) -> None:
    measure = embedder("static")
    assert measure.same_point(a, b) >= measure.repetition


@pytest.mark.parametrize(("a", "b"), ANOTHER)
def test_another_point_on_the_same_topic_is_none(a: str, b: str) -> None:
    measure = embedder("static")
    assert measure.same_point(a, b) < measure.repetition


def test_texts_without_anything_in_common_are_far_from_one() -> None:
    measure = embedder("static")
    for a, b in (("Yes.", "Why?"), ("I agree.", "Trams are loud."), (HEDGE, "The soup was cold.")):
        assert measure.same_point(a, b) < 0.7


def test_less_has_to_be_alike_where_texts_are_short() -> None:
    alone = [calibrated_score(0.5, n, USUAL) for n in (SHORTEST, SHORT - 1, SHORT)]
    both = [calibrated_score(0.5, n, n) for n in (SHORTEST, SHORT - 1, SHORT)]
    assert both[0] - alone[0] == pytest.approx(0.1) and both[1] > alone[1] and both[2] == alone[2]


def test_more_has_to_be_alike_where_texts_are_long() -> None:
    assert calibrated_score(0.5, USUAL, USUAL) == calibrated_score(0.5, USUAL, PIECES_MAX) == 0.5
    grown = [calibrated_score(0.5, n, PIECES_MAX) for n in (4, 8, USUAL, 32, PIECES_MAX)]
    assert grown == sorted(grown, reverse=True) and grown[0] - grown[-1] == pytest.approx(0.166, abs=0.001)
    assert (
        calibrated_score(0.5, 10 * PIECES_MAX, PIECES_MAX) == grown[-1]
        and calibrated_score(0.5, 1, PIECES_MAX) == grown[0]
    )
    assert (
        calibrated_score(-0.5, 1, 1) == 0.0
        and calibrated_score(1.0, PIECES_MAX, PIECES_MAX) == calibrated_score(1.0, 1, 1) == 1.0
    )


@pytest.mark.parametrize("pieces", [1, SHORTEST, USUAL, PIECES_MAX])
def test_the_nearer_two_vectors_the_higher_the_figure(pieces: int) -> None:
    told = [calibrated_score(n / 100, pieces, pieces) for n in range(20, 101)]
    assert told == sorted(told) and len({*told}) == len(told)


# Recorded once: another machine, another numpy or another Python must find the same.
@pytest.mark.parametrize(("a", "b", "figure"), [(*AGAIN[1], 0.8439411939576612), (*ANOTHER[0], 0.3639308511091086)])
def test_figures_are_the_recorded_ones_to_the_last_bit(a: str, b: str, figure: float) -> None:
    assert embedder("static").same_point(a, b) == figure


def test_the_numbers_lie_in_the_package_with_their_notice() -> None:
    folder = HERE.parent.parent / "src" / "cruxfinder" / "adapters" / "embeddings" / "same_point"
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    notice = (folder / "README.md").read_text()
    assert "Apache License, Version 2.0" in notice and "CDLA-Sharing" in notice
    assert sum(path.stat().st_size for path in folder.iterdir()) < 4_500_000


def test_the_model_of_topics_is_the_one_of_before() -> None:
    assert embedder("static").name == "static-minilm-v3"
    assert embedder("static").likeness(HEDGE, "correlation") == 0.8443388201753035


def test_keywords_need_no_numpy_for_points_either() -> None:
    code = (
        "import sys; from cruxfinder.adapters.embeddings.embedders import embedder; "
        "embedder('keyword').same_point('a', 'b')"
    )
    told = subprocess.run([sys.executable, "-c", f"{code}; sys.exit('numpy' in sys.modules)"], check=False, timeout=60)
    assert told.returncode == 0
