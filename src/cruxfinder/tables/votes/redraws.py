"""How much of a map would be the same with other people: people are drawn anew, and the map is made again.

As many people as there are, with replacement, from a fixed seed and in the order of their names, so that a table always
gives the same figures. Of a crowd a part is drawn: that bounds the time, and makes the intervals wider, never narrower.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from cruxfinder.tables.votes import grouping, ranking
from cruxfinder.tables.votes.vote_table import Table

SEED: Final = 20_261
RANKINGS: Final = 100
GROUPINGS: Final = 20
GROUPINGS_MIN: Final = 5
PEOPLE_MAX: Final = 300
PAIRS_MAX: Final = 2_000_000  # compared in all groupings of a panel
CELLS_MAX: Final = 5_000_000  # looked at in all rankings, and a fifth of it in all groupings of a crowd
RANKINGS_MIN: Final = 20
TOP: Final = 3
TAIL: Final = 5  # percent on each side, so that nine in ten lie between

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankSpread:
    """Between which places a question came out nine times in ten, and how often among the first three."""

    low: int
    high: int
    top: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupingSpread:
    """How like the map's the coalitions of other draws are: adjusted Rand index, and pairs kept together or apart."""

    index: float
    pairs: float
    draws: int


def draw_people(table: Table, times: int) -> list[Rows]:
    dice = np.random.default_rng(SEED)
    order = np.array(sorted(range(len(table.agents)), key=table.agents.__getitem__), np.intp)
    size = min(len(order), PEOPLE_MAX)
    return [order[np.sort(dice.integers(0, len(order), size))] for _ in range(times)] if size else []


def rank_spreads(table: Table, columns: Sequence[int]) -> list[RankSpread]:
    """For each of these questions, in their order. One that nobody disputes in a draw comes last there."""
    if not columns:
        return []
    cells = max(1, min(len(table.agents), PEOPLE_MAX) * len(table.questions))
    times = max(RANKINGS_MIN, min(RANKINGS, CELLS_MAX // cells))
    places = np.empty((times, len(table.questions)))
    for n, rows in enumerate(draw_people(table, times)):
        figures = ranking.division_scores(table.votes[rows])
        places[n] = len(columns)
        found = ranking.ranked_columns(figures)
        places[n, found] = np.arange(1, len(found) + 1)
    places = places[:, list(columns)]
    low, high = np.percentile(places, [TAIL, 100 - TAIL], axis=0, method="nearest")
    top = (places <= TOP).mean(0)
    return [
        RankSpread(low=int(a), high=int(b), top=float(share))
        for a, b, share in zip(low.tolist(), high.tolist(), top.tolist(), strict=True)
    ]


def grouping_spread(table: Table, found: grouping.AgentGroups) -> GroupingSpread | None:
    """Over the people that a draw has, each counted once; nothing where there are fewer than two coalitions."""
    if len(found.groups) < 2:
        return None
    home = home_of_rows(found, len(table.agents))
    figures: list[tuple[float, float]] = []
    for rows in draw_people(table, count_groupings(table)):
        again = grouping.group_agents(draw_table(table, rows))
        people, first = np.unique(rows, return_index=True)
        figures.append(compare_groupings(home[people], home_of_rows(again, len(rows))[first]))
    index, pairs = np.mean(np.array(figures), axis=0).tolist()
    return GroupingSpread(index=index, pairs=pairs, draws=len(figures))


def count_groupings(table: Table) -> int:
    """Fewer of a table that takes long."""
    people, questions = min(len(table.agents), PEOPLE_MAX), max(1, len(table.questions))
    panel = len(table.agents) <= grouping.PANEL_MAX
    fitting = PAIRS_MAX // (people * people * questions) if panel else CELLS_MAX // 5 // (people * questions)
    return max(GROUPINGS_MIN, min(GROUPINGS, fitting))


def draw_table(table: Table, rows: Rows) -> Table:
    """Who was drawn twice sits there twice, under two names."""
    names = tuple(f"{n:04d} {table.agents[row]}" for n, row in enumerate(rows.tolist()))
    return replace(table, agents=names, votes=table.votes[rows])


def home_of_rows(found: grouping.AgentGroups, people: int) -> Rows:
    """The coalition of each row; who is in none stands alone."""
    home = np.arange(people) + len(found.groups)
    for number, group in enumerate(found.groups):
        home[list(group)] = number
    return home


def compare_groupings(one: Rows, other: Rows) -> tuple[float, float]:
    """The adjusted Rand index, 1 for the same groups and 0 for chance, and the share of pairs treated alike."""
    first, second = (np.unique(labels, return_inverse=True)[1] for labels in (one, other))
    both = np.zeros((first.max() + 1, second.max() + 1))
    np.add.at(both, (first, second), 1)
    together, mine, yours = (float((n * (n - 1) / 2).sum()) for n in (both, both.sum(1), both.sum(0)))
    pairs = len(one) * (len(one) - 1) / 2
    if not pairs:
        return 1.0, 1.0
    expected = mine * yours / pairs
    most = (mine + yours) / 2
    index = (together - expected) / (most - expected) if most > expected else 1.0
    return index, (pairs + 2 * together - mine - yours) / pairs
