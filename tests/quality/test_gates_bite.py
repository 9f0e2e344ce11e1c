"""Unscripted debates: the gates send things back, locks fail and recover, and minds change."""

import asyncio
from random import Random

import pytest

import cruxfinder as cf
from bench.worlds import world
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.crux.events import (
    LockFailed,
    LockSucceeded,
    MessagePosted,
    SteelmanAttempt,
    SteelmanGraded,
)
from cruxfinder.crux.moves import Commit, UpdatePosition
from cruxfinder.kernel.vocabulary import Grade, Side
from cruxfinder.protocols.any_run import Finished
from tests.quality.shares import Judge, share_of

pytestmark = pytest.mark.quality

PACKS = ("bitcoin", "monolith", "free-will")
SEEDS = 50
LOCK_RUNS = 40


@pytest.fixture(scope="module")
def debates() -> tuple[Finished, ...]:
    return tuple(cf.debate(pack, seed=seed) for pack in PACKS for seed in range(SEEDS))


def first_grades(debate: Finished) -> list[Grade]:
    firsts = {e.message for e in debate.events if isinstance(e, SteelmanAttempt) and e.attempt == 1}
    grades: dict[str, Grade] = {}
    for event in debate.events:
        if isinstance(event, SteelmanGraded) and event.steelman in firsts:
            grades.setdefault(event.steelman, event.grade)
    return list(grades.values())


@pytest.mark.rule("STEEL-2")
@pytest.mark.parametrize("pack", PACKS)
def test_first_steelmans_are_neither_rubber_stamped_nor_hopeless(
    judge: Judge, debates: tuple[Finished, ...], pack: str
) -> None:
    grades = [g for d in debates if d.run.startswith(pack) for g in first_grades(d)]
    inaccurate = share_of(g is not Grade.ACCURATE for g in grades)
    judge.between(f"first steelmans called inaccurate: {pack}", inaccurate, 0.15, 0.40)


def test_refusals_failed_locks_extensions_and_changes_all_occur(debates: tuple[Finished, ...]) -> None:
    metrics = [d.result.system_metrics for d in debates]
    assert sum(m.falsifiers_refused for m in metrics) > 0
    assert sum(m.crux_lock_failures for m in metrics) > 0
    assert any(isinstance(e, LockFailed) and e.granted for d in debates for e in d.events)
    assert sum(sum(m.changes.values()) for m in metrics) > 0
    moves = [e.move for d in debates for e in d.events if isinstance(e, MessagePosted)]
    assert any(m.side_before is not m.side_after for m in moves if isinstance(m, UpdatePosition))


def test_every_pack_turns_on_the_same_question_whatever_the_seed(judge: Judge, debates: tuple[Finished, ...]) -> None:
    for pack in PACKS:
        found = [d.result.primary_crux_question for d in debates if d.run.startswith(pack)]
        usual = max(set(found), key=found.count)
        judge.at_least(f"seeds that name the usual crux: {pack}", share_of(q == usual for q in found), 0.95)


@pytest.mark.rule("LOCK-6")
@pytest.mark.parametrize("agents", [2, 3, 5, 8, 12])
def test_two_sided_threads_lock_within_their_rungs(judge: Judge, agents: int) -> None:
    locked: list[bool] = []
    for seed in range(LOCK_RUNS):
        drawn = world("crux", Random(f"lock/{agents}/{seed}"), agents)
        events = asyncio.run(run_starts.start(drawn.pack, MemoryStore(), seed=seed)).events
        sides = {e.move.side for e in events if isinstance(e, MessagePosted) and isinstance(e.move, Commit)}
        if {Side.YES, Side.NO} <= sides:
            locked.append(any(isinstance(e, LockSucceeded) for e in events))
    assert len(locked) >= LOCK_RUNS // 2
    judge.at_least(f"two-sided threads that lock: {agents} agents", share_of(locked), 0.97)
