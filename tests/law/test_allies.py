"""Who stands with whom, live and at the end: COAL-2."""

from dataclasses import replace
from functools import cache

import pytest

from bench.many import many
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.api import run_blocking
from cruxfinder.app import run_starts
from cruxfinder.crux.events import CoalitionDetected, Event, ThreadConverged
from cruxfinder.crux.evolve import fold
from cruxfinder.crux.law import allies, crux_quality, dependencies
from cruxfinder.crux.law.threads import question_of
from cruxfinder.crux.result import result_of
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import RuleId, Side
from cruxfinder.protocols.any_run import Finished
from tests.slices import crux_events


@cache
def debated(*off: RuleId) -> Finished:
    return run_blocking(run_starts.start(many(8), MemoryStore(), seed=0, settings=Settings(off=off)))


def told(events: tuple[Event, ...]) -> list[CoalitionDetected]:
    return [e for e in events if isinstance(e, CoalitionDetected)]


@pytest.mark.rule("COAL-2")
def test_coalitions_are_told_once_two_cruxes_have_been_found_and_again_when_they_change() -> None:
    events = crux_events(debated().events)
    converged = [n for n, e in enumerate(events) if isinstance(e, ThreadConverged)]
    detected = [n for n, e in enumerate(events) if isinstance(e, CoalitionDetected)]
    assert detected and detected[0] > converged[1]
    assert len({(e.groups, e.cruxes) for e in told(events)}) == len(told(events))
    for place in detected:
        debate = fold(events[:place])
        assert allies.detect_coalitions(debate, events[place].at_ms) == events[place]


@pytest.mark.rule("COAL-2")
def test_before_two_cruxes_there_are_none() -> None:
    events = crux_events(debated().events)
    first = next(n for n, e in enumerate(events) if isinstance(e, ThreadConverged))
    assert allies.detect_coalitions(fold(events[: first + 1]), 0) is None


@pytest.mark.rule("COAL-2")
def test_an_ablation_may_leave_them_out() -> None:
    assert told(crux_events(debated(allies.LIVE).events)) == []
    assert debated(allies.LIVE).result.coalitions == ()


def test_a_shared_position_is_held_by_every_member_who_took_a_side() -> None:
    debate = fold(crux_events(debated().events))
    last = told(crux_events(debated().events))[-1]
    found = {t.id: crux_quality.positions_now(t) for t in dependencies.distinct_cruxes(debate)}
    assert any(group.positions for group in last.groups)
    for group in last.groups:
        assert len(group.members) > 1
        named = {f'{side} on "{question_of(debate.threads[thread])}"' for thread, side in group.positions}
        assert group.label in (named or {"loose alliance"})
        for thread, side in group.positions:
            sides = [found[thread].get(a, Side.UNCERTAIN) for a in group.members]
            assert set(sides) - {Side.UNCERTAIN} == {side} and sides.count(side) > 1


def test_coalitions_of_an_early_end_are_preliminary() -> None:
    events = crux_events(debated().events)
    cut = next(n for n, e in enumerate(events) if isinstance(e, CoalitionDetected))
    early = (*events[:cut], replace(told(events)[0], preliminary=False))
    assert all(c.preliminary for c in result_of(early).coalitions)
