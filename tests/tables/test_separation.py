"""When two groups are two coalitions: not for being real, but for standing apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxfinder.tables.separation import Counts, merge_undistinguished
from cruxfinder.tables.votes.vote_map import map_table
from tests.tables.chambers import chamber

QUESTIONS = 20


def group(size: int, *shares: float) -> list[Counts]:
    """So many people; of them this share says YES, on equal parts of the questions."""
    return [(size * share, size * (1 - share), 0) for share in shares for _ in range(QUESTIONS // len(shares))]


def merged(*groups: list[Counts]) -> list[int]:
    return merge_undistinguished(groups, [1.0] * QUESTIONS)


LEFT, RIGHT = (0.9, 0.9, 0.9, 0.9), (0.1, 0.1, 0.1, 0.1)


@pytest.mark.rule("COAL-1")
@pytest.mark.parametrize(
    ("groups", "home"),
    [
        pytest.param((group(50, *LEFT), group(50, *RIGHT)), [0, 1], id="two parties"),
        pytest.param((group(30, *LEFT), group(20, 0.9, 0.9, 0.9, 0.6), group(50, *RIGHT)), [0, 0, 1], id="a wing"),
        pytest.param(
            (group(30, *LEFT), group(20, *RIGHT), group(20, 0.9, 0.9, 0.9, 0.6), group(20, 0.1, 0.1, 0.1, 0.4)),
            [0, 1, 0, 1],
            id="a wing of each",
        ),
        pytest.param(
            (group(30, *LEFT), group(30, 0.9, 0.9, 0.1, 0.1), group(30, *RIGHT)), [0, 1, 2], id="a middle of its own"
        ),
        pytest.param((group(60, *LEFT), group(40, 0.9, 0.9, 0.9, 0.8)), [0, 0], id="one bloc"),
        pytest.param((group(60, 1, 1, 1, 1, 1), group(40, 1, 1, 1, 1, 0)), [0, 1], id="few questions, all opposed"),
        pytest.param((group(60, 1), group(40, 1)), [0, 0], id="the same answers"),
        pytest.param((group(60, *LEFT),), [0], id="one group"),
    ],
)
def test_groups_that_stand_too_close_are_one(groups: tuple[list[Counts], ...], home: list[int]) -> None:
    assert merged(*groups) == home


@given(st.lists(st.tuples(st.integers(1, 9), *[st.floats(0, 1)] * 4), min_size=1, max_size=5), st.integers(1, 30))
def test_groups_keep_their_order_and_silence_changes_nothing(rows: list, more: int) -> None:
    groups = [group(size, *shares) for size, *shares in rows]
    home = merge_undistinguished(groups, [1.0] * QUESTIONS)
    assert home[0] == 0 and set(home) == set(range(max(home) + 1))
    silent: list[list[Counts]] = [[*own, *[(0, 0, 0)] * more] for own in groups]
    assert merge_undistinguished(silent, [1.0] * (QUESTIONS + more)) == home


def test_uncertain_is_half_a_disagreement() -> None:
    sure: list[Counts] = [(10, 0, 0)] * QUESTIONS
    unsure: list[Counts] = [(0, 0, 10)] * QUESTIONS
    against: list[Counts] = [(0, 10, 0)] * QUESTIONS
    assert merged(sure, unsure, against) == [0, 1, 2]
    assert merged(sure, unsure) == [0, 1]


@pytest.mark.rule("COAL-1")
@pytest.mark.parametrize(
    ("kind", "members", "count"),
    [
        ("two parties with wings", 100, 2),
        ("two parties on a line", 30, 2),
        ("three blocs", 100, 3),
        ("five blocs", 100, 5),
        ("one bloc with a wing", 100, 1),
        ("one bloc with a wing", 30, 1),
    ],
)
def test_a_whole_chamber_has_as_many_coalitions_as_blocs(kind: str, members: int, count: int) -> None:
    found = map_table(chamber(kind, 1, members, 150).table)
    assert len(found.coalitions) == count
    assert bool(found.why) == (count == 1)
