"""Real people in two known camps who told their credences: does the map find the camps, and what it is worth to ask?

The table is read as its authors published it. Its answers are not part of this repository.
"""

from pathlib import Path
from typing import Any

import pytest

import cruxfinder as cf
from bench.forecasters import CAMPS_MATCHED_MIN, TABLE, camps_matched, published_worths, rank_agreement, spearman
from cruxfinder.kernel import wire
from tests.quality.shares import Judge, share_of

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "fri" / "dev"  # beside the repository, where it is at all
AGREEMENT_MIN = (
    0.4  # with the value of discrimination; a ranking by chance passes it once in 60 times over 29 questions
)

pytestmark = pytest.mark.quality
present = pytest.mark.skipif(not FOLDER.is_dir(), reason="the forecasters' answers are not here")


@pytest.fixture(scope="module")
def found() -> Any:
    return wire.camel(cf.map_credences(FOLDER / TABLE))


@present
@pytest.mark.rule("VOC-6")
def test_the_camps_found_are_the_known_ones(judge: Judge, found: Any) -> None:
    matched, known = camps_matched(found, FOLDER)
    told = share_of(n < matched for n in range(known))
    judge.at_least("forecasters: in the camp they are known to be of", told, CAMPS_MATCHED_MIN / known)


@present
def test_the_ranking_agrees_with_the_published_value_of_discrimination(found: Any) -> None:
    agreement = rank_agreement(found, published_worths(FOLDER)["value of discrimination"])
    assert agreement.of >= 25
    assert agreement.rho >= AGREEMENT_MIN


@present
def test_what_was_read_for_what_is_told_and_the_camps_are_not_read(found: Any) -> None:
    assert '"Camp" is not read' in found["notes"]
    assert any('"PUc" is read as top_if_true' in note for note in found["notes"])


def test_rho_is_that_of_the_textbook() -> None:
    assert spearman([1, 2, 3, 4, 5], [10, 20, 30, 40, 50]) == pytest.approx(1.0)
    assert spearman([1, 2, 3], [3, 2, 1]) == pytest.approx(-1.0)
    assert spearman([86, 97, 99, 100, 101, 103, 106, 110, 112, 113], [2, 20, 28, 27, 50, 29, 7, 17, 6, 12]) == (
        pytest.approx(-29 / 165)
    )
    assert spearman([1, 1, 2], [5, 6, 6]) == pytest.approx(0.5)
    assert spearman([1, 1], [2, 3]) == 0.0
