"""The whole engine on disagreements whose answer is known: does it find the question, and does it name the ending?"""

import asyncio
from dataclasses import dataclass

import pytest

from bench.worlds import World, worlds
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.crux.law.probes import mean, top_side_of
from cruxfinder.crux.result import Result
from cruxfinder.debaters.simulated.believer import Believer
from cruxfinder.debaters.simulated.debater import SimulatedDebater
from cruxfinder.kernel.vocabulary import TopSide, Verdict
from tests.quality.shares import Judge, share_of

WORLDS = 300
GAP_MIN = 0.15


@dataclass(frozen=True)
class Outcome:
    world: World
    result: Result
    believers: tuple[Believer, ...]


pytestmark = pytest.mark.quality


@pytest.fixture(scope="module")
def outcomes() -> tuple[Outcome, ...]:
    return tuple(run(world, seed) for seed, world in enumerate(worlds(WORLDS)))


def run(world: World, seed: int) -> Outcome:
    debaters = {p.id: SimulatedDebater(p, world.pack.propositions, seed) for p in world.pack.personas}
    finished = asyncio.run(run_starts.start(world.pack, MemoryStore(), seed=seed, debaters=debaters))
    return Outcome(world, finished.result, tuple(d.believer for d in debaters.values()))


def question_of(world: World) -> str | None:
    return next((p.question for p in world.pack.propositions if p.id == world.crux), None)


def private_gap(outcome: Outcome, *, sunk: bool) -> float:
    """The distance between the camps of the start as the networks stand now, with or without what conformity left."""
    camps: dict[bool, list[float]] = {True: [], False: []}
    for believer in outcome.believers:
        network = believer.network
        start = network.chances(network.beta, network.bias).p_top
        now = network.chances(believer.beta, network.bias + (believer.sunk if sunk else 0.0)).p_top
        camps[start > 0.5].append(now)
    return abs(mean(camps[True]) - mean(camps[False])) if all(camps.values()) else 0.0


def named_rightly(outcome: Outcome) -> bool:
    """The ending the world's own networks call for: the verdict before EVIDENCE, unless the gap went since."""
    verdict, expected = outcome.result.verdict, outcome.world.verdict
    match verdict:
        case Verdict.RESOLVED:
            return private_gap(outcome, sunk=True) < GAP_MIN
        case Verdict.HOLLOW:
            stated = {a.public_side for a in outcome.result.agents}
            private = {top_side_of(b.private().p_top) for b in outcome.believers}
            gap = private_gap(outcome, sunk=True)
            closed_by_pressure = gap < GAP_MIN <= private_gap(outcome, sunk=False) + 0.05
            return closed_by_pressure or (len(stated) == 1 and {TopSide.YES, TopSide.NO} & private != stated)
        case _:
            return verdict is expected


def test_the_primary_crux_is_the_one_that_closes_most_of_the_gap(judge: Judge, outcomes: tuple[Outcome, ...]) -> None:
    with_crux = [o for o in outcomes if o.world.crux is not None]
    right = share_of(o.result.primary_crux_question == question_of(o.world) for o in with_crux)
    assert len(with_crux) == 2 * WORLDS // 3
    judge.at_least("debates in known worlds: the planted crux is the primary one", right, 0.95)


def test_worlds_without_a_crux_show_none(judge: Judge, outcomes: tuple[Outcome, ...]) -> None:
    without = [o for o in outcomes if o.world.crux is None]
    shown = share_of(o.result.primary_crux is not None for o in without)
    assert len(without) == WORLDS // 3
    judge.at_most("debates in known worlds without a crux: one is shown", shown, 0.02)


@pytest.mark.rule("PLUS-4")
def test_endings_are_named_rightly(judge: Judge, outcomes: tuple[Outcome, ...]) -> None:
    judge.at_least("debates in known worlds: the verdict is right", share_of(map(named_rightly, outcomes)), 0.95)


def test_the_sample_has_every_size_and_kind(outcomes: tuple[Outcome, ...]) -> None:
    sizes = {len(o.world.pack.personas) for o in outcomes}
    assert {2, 3, 5, 8, 12} <= sizes
    assert all(len(o.world.pack.propositions) >= 5 for o in outcomes)
    assert {o.world.kind for o in outcomes} == {"crux", "agreement", "values", "meanings"}
