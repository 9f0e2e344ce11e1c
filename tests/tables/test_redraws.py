"""How far a map depends on who happened to vote: places and coalitions with people drawn anew."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxfinder.tables.votes import redraws
from cruxfinder.tables.votes.vote_map import map_table
from cruxfinder.tables.votes.vote_table import Table
from tests.tables.tables import drawn


def test_clear_camps_stand_as_they_are_and_tossed_ones_do_not() -> None:
    clear, tossed = (map_table(drawn(3, (60, 50), 20, noise=noise)).spread for noise in (0.05, 0.42))
    assert clear is not None and clear.index > 0.95 and clear.pairs > 0.95
    assert tossed is None or tossed.index < clear.index - 0.2


def test_one_coalition_has_no_grouping_that_could_change() -> None:
    assert map_table(drawn(2, (60,), 30, noise=0.1)).spread is None


def test_a_question_that_stands_out_keeps_the_first_place() -> None:
    """Everybody votes on the first as their camp does, on the others by the toss of a coin."""
    table = drawn(4, (20, 20), 12, noise=0.45)
    votes = table.votes.copy()
    votes[:, :3] = np.repeat([1, -1], 20)[:, None]
    first, *_, last = map_table(replace(table, votes=votes)).cruxes
    assert first.id in {"q0", "q1", "q2"} and first.rank.top > 0.9 and first.rank.high <= 3
    assert last.rank.top < 0.1 and last.rank.low > 3


@pytest.mark.parametrize("shape", [(4, 4), (9, 6), (30, 30)], ids=str)
def test_places_are_in_order_within_the_list_and_the_same_each_time(shape: tuple[int, int]) -> None:
    table = drawn(6, shape, 10, noise=0.3, missing=0.1)
    one, other = map_table(table), map_table(table)
    assert one.to_json() == other.to_json()
    for crux in one.cruxes:
        assert 1 <= crux.rank.low <= crux.rank.high <= len(one.cruxes) and 0 <= crux.rank.top <= 1
    assert sum(crux.rank.top for crux in one.cruxes) <= redraws.TOP + 1e-9


def test_the_order_of_the_rows_changes_no_figure() -> None:
    table = drawn(7, (8, 7), 10, noise=0.25)
    turned = Table(
        source=table.source, agents=table.agents[::-1], questions=table.questions, votes=table.votes[::-1].copy()
    )
    one, other = map_table(table), map_table(turned)
    assert {c.id: c.rank for c in one.cruxes} == {c.id: c.rank for c in other.cruxes}


@given(st.lists(st.integers(0, 3), min_size=2, max_size=12))
def test_the_same_groups_under_other_numbers_are_the_same(labels: list[int]) -> None:
    one = np.array(labels, np.intp)
    assert redraws.compare_groupings(one, 3 - one) == pytest.approx((1.0, 1.0))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([0, 0, 1, 1], [0, 1, 0, 1], (-0.5, 1 / 3)),
        ([0, 0, 1, 1], [0, 0, 1, 2], (4 / 7, 5 / 6)),
        ([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2], (0.24242424, 2 / 3)),
    ],
)
def test_groupings_are_compared_as_the_index_is_defined(
    one: list[int], other: list[int], expected: tuple[float, float]
) -> None:
    assert redraws.compare_groupings(np.array(one), np.array(other)) == pytest.approx(expected)


def test_a_large_table_is_drawn_less_often() -> None:
    assert redraws.count_groupings(drawn(1, (6, 6), 10)) == redraws.GROUPINGS
    assert redraws.count_groupings(drawn(1, (20, 20), 400)) == redraws.GROUPINGS_MIN
