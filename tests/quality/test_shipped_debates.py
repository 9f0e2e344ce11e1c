"""Debates from the packs that ship end in a map: cruxes in threads of their own, coalitions, common ground."""

import asyncio
from functools import cache

import pytest

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.crux.result import Result
from cruxfinder.kernel.vocabulary import Ending, Verdict
from tests.quality.shares import Judge, share_of

pytestmark = pytest.mark.quality

SEEDS = range(10)
FIRST = {
    "bitcoin": "Is lasting demand for Bitcoin there",
    "free-will": "Is it our deliberating",
    "monolith": "Are our teams slow",
}
CRUXES = {"bitcoin": 2, "free-will": 1, "monolith": 2}


@cache
def results(name: str) -> tuple[Result, ...]:
    pack = pack_finder.find(name)[0]
    return tuple(asyncio.run(run_starts.start(pack, MemoryStore(), seed=seed)).result for seed in SEEDS)


@pytest.mark.parametrize("name", pack_finder.names())
def test_a_debate_comes_to_its_end_and_names_the_same_question_first(name: str) -> None:
    for result in results(name):
        assert (result.ending, result.verdict) == (Ending.NATURAL, Verdict.CRUX), result.seed
        assert (result.primary_crux_question or "").startswith(FIRST[name]), result.seed
        assert result.camps.yes and result.camps.no


@pytest.mark.parametrize("name", pack_finder.names())
def test_it_finds_as_many_cruxes_as_the_pack_holds(judge: Judge, name: str) -> None:
    """In nine debates of ten: what nobody names cannot be found."""
    found = [sum(thread.verdict is Verdict.CRUX for thread in result.threads) for result in results(name)]
    right = share_of(count == CRUXES[name] for count in found)
    judge.at_least(f"debates of a pack that find all its cruxes: {name}", right, 0.9)


def test_the_bitcoin_debate_ends_in_a_whole_map(judge: Judge) -> None:
    whole = share_of(bool(r.coalitions and r.common_ground and len(r.threads) >= 2) for r in results("bitcoin"))
    judge.at_least("debates of a pack that end in a whole map: bitcoin", whole, 0.9)
