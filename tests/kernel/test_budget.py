"""A debate may be told how many answers it may pay for: END-1 of SPEC §14."""

import pytest

from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.kernel.run_facts import DebateComplete
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import Ending
from tests.kernel.runs import PAIR, counted, debated, lines, pack_of, replayed


@pytest.mark.rule("END-1")
@pytest.mark.parametrize("calls", [1, 5, 20])
def test_at_the_cap_nothing_more_is_asked_and_the_debate_ends(calls: int) -> None:
    pack = pack_of("bitcoin")
    debaters = counted(pack, 1, PAIR)
    finished = debated(pack, agents=PAIR, settings=Settings(max_calls=calls), debaters=debaters)
    last = finished.events[-1]
    assert isinstance(last, DebateComplete) and last.ending is Ending.BUDGET
    assert sum(len(d.asked) for d in debaters.values()) == calls


@pytest.mark.rule("END-1")
def test_a_cap_that_is_not_reached_changes_nothing() -> None:
    pack = pack_of("bitcoin")
    free = debated(pack, agents=PAIR, debaters=counted(pack, 1, PAIR))
    capped = debated(pack, agents=PAIR, settings=Settings(max_calls=10_000), debaters=counted(pack, 1, PAIR))
    assert lines(capped.events)[1:] == lines(free.events)[1:], "but for the setting itself"


@pytest.mark.rule("END-1")
def test_answers_that_cost_nothing_are_not_counted() -> None:
    pack = pack_of("bitcoin")
    finished = debated(pack, agents=PAIR, settings=Settings(max_calls=1))
    last = finished.events[-1]
    assert isinstance(last, DebateComplete) and last.ending is not Ending.BUDGET


@pytest.mark.rule("END-2")
def test_a_debate_cut_short_by_its_budget_replays_and_has_a_result_of_low_confidence() -> None:
    pack, store = pack_of("bitcoin"), MemoryStore()
    debaters = counted(pack, 1, PAIR)
    finished = debated(pack, store, agents=PAIR, settings=Settings(max_calls=20), debaters=debaters)
    assert (finished.result.ending, finished.result.confidence) == (Ending.BUDGET, "LOW")
    assert lines(replayed(store, debaters=counted(pack, 1, PAIR)).events) == lines(finished.events)
