"""Whole chambers as one table: as many coalitions as there are blocs, however many wings a party has."""

import pytest

from cruxfinder.tables.votes.vote_map import map_table
from tests.quality.shares import Judge, share_of
from tests.tables.chambers import CHAMBERS, chamber

pytestmark = pytest.mark.quality

SHAPES = ((100, 300), (30, 200), (100, 60))  # members, questions
SEEDS = range(900, 906)  # seen by no choice of a constant


@pytest.mark.parametrize("kind", CHAMBERS)
def test_as_many_coalitions_as_blocs_and_everybody_in_their_own(judge: Judge, kind: str) -> None:
    drawn = [chamber(kind, seed, *shape) for shape in SHAPES for seed in SEEDS]
    found = [map_table(whole.table).coalitions for whole in drawn]
    counted = [len(camps) == len(whole.homes) for whole, camps in zip(drawn, found, strict=True)]
    judge.at_least(f"whole chambers, {kind}: so many coalitions", share_of(counted), 0.9)
    homes = [(whole, set(camp.members)) for whole, camps in zip(drawn, found, strict=True) for camp in camps]
    among = [max(len(home & camp) for home in whole.homes) for whole, camp in homes]
    own = [n < most for (_, camp), most in zip(homes, among, strict=True) for n in range(len(camp))]
    judge.at_least(f"whole chambers, {kind}: among their own", share_of(own), 0.97)
