"""Maps of votes, how right: of tables drawn from known camps, are the camps found, and who is in which?"""

from functools import cache

import pytest

from cruxfinder.tables.votes.vote_map import VoteMap, map_table
from cruxfinder.tables.votes.vote_table import Table
from tests.quality.shares import Judge, share_of
from tests.tables.tables import drawn

pytestmark = pytest.mark.quality

SIZES = ((4, 4), (6, 3), (5, 5, 5), (14, 10))
CROWDS = ((120, 80), (90, 60, 50))
SEEDS = 12


def camps_of(table: Table) -> set[frozenset[str]]:
    """The camps a table was drawn from: the agents' names tell."""
    names = {agent.split("-")[0] for agent in table.agents}
    return {frozenset(agent for agent in table.agents if agent.startswith(f"{name}-")) for name in names}


@cache
def crowd(seed: int, sizes: tuple[int, ...]) -> VoteMap:
    return map_table(drawn(seed, sizes, 60, noise=0.1, missing=0.6))


def test_clear_camps_are_found(judge: Judge) -> None:
    tables = [drawn(seed, sizes, 20, noise=0.05) for sizes in SIZES for seed in range(SEEDS)]
    found = [{frozenset(camp.members) for camp in map_table(table).coalitions} == camps_of(table) for table in tables]
    judge.at_least("votes, one in twenty off: exactly the camps are found", share_of(found), 0.95)


@pytest.mark.parametrize("sizes", CROWDS, ids=str)
def test_camps_of_a_crowd_that_left_most_cells_empty(judge: Judge, sizes: tuple[int, ...]) -> None:
    """Three cells of five empty, one vote in ten off."""
    counted = [len(crowd(seed, sizes).coalitions) == len(sizes) for seed in range(1, SEEDS + 1)]
    judge.at_least(f"crowds of {sum(sizes)} in {len(sizes)} camps: so many camps are found", share_of(counted), 0.9)
    homes = [[m.split("-")[0] for m in c.members] for n in range(1, SEEDS + 1) for c in crowd(n, sizes).coalitions]
    pure = [home == max(set(camp), key=camp.count) for camp in homes for home in camp]
    judge.at_least(f"crowds of {sum(sizes)} in {len(sizes)} camps: among their own", share_of(pure), 0.97)
