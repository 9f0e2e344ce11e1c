"""People on a plane: those who vote alike stand together, whatever the order and however much is missing."""

import numpy as np
import pytest

from cruxfinder.tables.votes import projection
from cruxfinder.tables.votes.vote_table import MISSING, Votes

CAMPS: np.ndarray = np.array([[1, 1, -1, -1]] * 5 + [[-1, -1, 1, 1]] * 4, np.int8)


def sparse(people: int, questions: int, given: float) -> Votes:
    dice = np.random.default_rng(7)
    camp = dice.integers(0, 2, people) * 2 - 1
    side = dice.integers(0, 2, questions) * 2 - 1
    votes = (camp[:, None] * side[None, :]).astype(np.int8)
    votes[dice.random(votes.shape) > given] = MISSING
    return votes


def test_two_camps_stand_on_two_sides() -> None:
    first = projection.positions(CAMPS)[:, 0]
    assert len(set(first[:5])) == 1 and len(set(first[5:])) == 1
    assert first[0] * first[5] < 0
    assert np.abs(first).max() == 1.0


def test_votes_that_differ_in_one_way_only_leave_the_second_axis_empty() -> None:
    assert not projection.positions(CAMPS)[:, 1].any()


@pytest.mark.parametrize("shape", [(200, 12), (30, 90)], ids=["more people", "more questions"])
def test_camps_stay_apart_with_half_of_the_votes_missing(shape: tuple[int, int]) -> None:
    votes = sparse(*shape, given=0.5)
    side = np.where(votes == MISSING, 0, votes) @ np.where(votes == MISSING, 0, votes)[0]
    first = projection.positions(votes)[:, 0]
    told = np.sign(first) == np.sign(first[0])
    assert (told == (side > 0))[np.abs(side) > 1].mean() > 0.95


def test_both_ways_of_computing_agree_on_a_square_table() -> None:
    votes = sparse(40, 40, given=0.8)
    wide = np.hstack([votes, np.full((40, 1), MISSING, np.int8)])  # a question nobody answered adds nothing
    assert np.allclose(projection.positions(votes), projection.positions(wide), atol=2e-4)


def test_the_order_of_people_changes_nobodys_place() -> None:
    votes = sparse(60, 20, given=0.7)
    turned = projection.positions(votes[::-1])[::-1]
    assert np.allclose(projection.positions(votes), turned, atol=2e-4)


@pytest.mark.parametrize(
    "votes",
    [
        np.zeros((0, 0), np.int8),
        np.zeros((3, 0), np.int8),
        np.full((3, 2), MISSING, np.int8),
        np.ones((4, 3), np.int8),
        np.ones((1, 1), np.int8),
    ],
    ids=["nobody", "no questions", "no votes", "all agree", "one vote"],
)
def test_who_does_not_differ_stands_in_the_middle(votes: Votes) -> None:
    found = projection.positions(votes)
    assert found.shape == (len(votes), 2)
    assert not found.any()
