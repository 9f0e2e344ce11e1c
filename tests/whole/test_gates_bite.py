"""Unscripted debates: the gates send things back, locks fail and recover, and minds change."""

import asyncio
from random import Random

import pytest

import cruxfinder as cf
from bench.worlds import world
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import debate_runs
from cruxfinder.cli.debate_commands import DEMO_SEED
from cruxfinder.crux.events import (
    LockFailed,
    LockSucceeded,
    MessagePosted,
    SteelmanAttempt,
    SteelmanGraded,
)
from cruxfinder.crux.moves import Challenge, Commit, ProvideEvidence, UpdatePosition
from cruxfinder.kernel.vocabulary import Grade, Side
from cruxfinder.protocols.any_run import Finished

pytestmark = pytest.mark.slow  # some hundred and fifty debates

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
def test_first_steelmans_are_neither_rubber_stamped_nor_hopeless(debates: tuple[Finished, ...], pack: str) -> None:
    grades = [g for d in debates if d.run.startswith(pack) for g in first_grades(d)]
    inaccurate = sum(g is not Grade.ACCURATE for g in grades) / len(grades)
    assert 0.15 <= inaccurate <= 0.40


def test_refusals_failed_locks_extensions_and_changes_all_occur(debates: tuple[Finished, ...]) -> None:
    metrics = [d.result.system_metrics for d in debates]
    assert sum(m.falsifiers_refused for m in metrics) > 0
    assert sum(m.crux_lock_failures for m in metrics) > 0
    assert any(isinstance(e, LockFailed) and e.granted for d in debates for e in d.events)
    assert sum(sum(m.changes.values()) for m in metrics) > 0
    moves = [e.move for d in debates for e in d.events if isinstance(e, MessagePosted)]
    assert any(m.side_before is not m.side_after for m in moves if isinstance(m, UpdatePosition))


def test_every_pack_turns_on_the_same_question_whatever_the_seed(debates: tuple[Finished, ...]) -> None:
    for pack in PACKS:
        found = [d.result.primary_crux_question for d in debates if d.run.startswith(pack)]
        assert max(found.count(q) for q in set(found)) / len(found) >= 0.95


@pytest.mark.rule("LOCK-6")
@pytest.mark.parametrize("agents", [2, 3, 5, 8, 12])
def test_two_sided_threads_lock_within_their_rungs(agents: int) -> None:
    two_sided = locked = 0
    for seed in range(LOCK_RUNS):
        drawn = world("crux", Random(f"lock/{agents}/{seed}"), agents)
        events = asyncio.run(debate_runs.start(drawn.pack, MemoryStore(), seed=seed)).events
        sides = {e.move.side for e in events if isinstance(e, MessagePosted) and isinstance(e.move, Commit)}
        if {Side.YES, Side.NO} <= sides:
            two_sided += 1
            locked += any(isinstance(e, LockSucceeded) for e in events)
    assert two_sided >= LOCK_RUNS // 2
    assert locked / two_sided >= 0.97


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("seed", [DEMO_SEED, 1, 2])
def test_no_two_messages_are_the_same_and_each_names_its_object(pack: str, seed: int) -> None:
    said = [e for e in cf.debate(pack, seed=seed).events if isinstance(e, MessagePosted)]
    assert len({e.content for e in said}) == len(said)
    evidence = [e.move for e in said if isinstance(e.move, ProvideEvidence)]
    assert evidence
    assert len({m.evidence for m in evidence}) == len(evidence)
    assert all(m.falsifier_of and m.number >= 1 for m in evidence)
    challenges = [e.move for e in said if isinstance(e.move, Challenge)]
    assert challenges
    assert all(m.disputes and m.why for m in challenges)
