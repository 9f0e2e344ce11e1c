"""Disagreements whose answer is known, written down as a table: does the table name the planted question?"""

import csv
from pathlib import Path
from random import Random

import pytest

import cruxfinder as cf
from bench.worlds import World, chances, worlds
from cruxfinder.crux.asks import Credence
from cruxfinder.crux.events import DcgCalculated, FirstPosition, ProbeAnswered
from cruxfinder.crux.law import crux_quality, probes
from cruxfinder.crux.law.probes import ProbeReading
from cruxfinder.kernel.vocabulary import AgentId, CandidateId, Phase, Verdict
from cruxfinder.tables.credences.credence_map import CredenceMap
from tests.quality.shares import Judge, share_of

pytestmark = pytest.mark.quality

WORLDS = 200
COLUMNS: tuple[str, ...] = ("agent", "top", "proposition", "credence", "top_if_true", "top_if_false")


def clipped(chance: float) -> float:
    return min(1.0, max(0.0, chance))


def rows(world: World, noise: float = 0.0) -> list[dict[str, object]]:
    rng = Random(world.pack.personas[0].bias)
    told: list[dict[str, object]] = []
    for persona in world.pack.personas:
        known = chances(persona, world.pack)
        top = clipped(known.p_top + rng.gauss(0, noise))
        for n, p in enumerate(world.pack.propositions):
            answers = (clipped(x + rng.gauss(0, noise)) for x in (known.c[n], known.p1[n], known.p0[n]))
            told.append(dict(zip(COLUMNS, (persona.name, top, p.question, *answers), strict=True)))
    return told


def as_a_file(told: list[dict[str, object]], path: Path) -> CredenceMap:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(told)
    return cf.map_credences(path)


@pytest.fixture(scope="module")
def mapped(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[World, CredenceMap]]:
    folder = tmp_path_factory.mktemp("worlds")
    return [(world, as_a_file(rows(world), folder / f"{n}.csv")) for n, world in enumerate(worlds(WORLDS))]


def planted(world: World) -> str:
    return next(p.question for p in world.pack.propositions if p.id == world.crux)


def test_the_best_proposition_is_the_planted_crux(judge: Judge, mapped: list[tuple[World, CredenceMap]]) -> None:
    found = [planted(world) == told.tested[0].question for world, told in mapped if world.crux is not None]
    named = [planted(world) == told.primary_crux_question for world, told in mapped if world.crux is not None]
    assert len(found) > WORLDS / 2
    judge.at_least("tables of known worlds: the planted crux ranks first", share_of(found), 0.95)
    judge.at_least("tables of known worlds: the planted crux is named", share_of(named), 0.95)


def test_the_verdict_is_the_one_the_networks_call_for(judge: Judge, mapped: list[tuple[World, CredenceMap]]) -> None:
    """Except that a table cannot tell two meanings of a word from a crux."""
    judged = [(world, told) for world, told in mapped if world.verdict is not Verdict.DEFINITIONS]
    right = share_of(told.verdict is world.verdict for world, told in judged)
    judge.at_least("tables of known worlds: the verdict is right", right, 0.95)


def test_the_best_proposition_survives_noise(judge: Judge) -> None:
    """Each answer off by .1 (one standard deviation), asked once."""
    known = [world for world in worlds(WORLDS) if world.crux is not None]
    found = [planted(world) == cf.map_credences(rows(world, noise=0.1)).tested[0].question for world in known]
    judge.at_least("tables of known worlds, answers off by .1: the planted crux first", share_of(found), 0.95)


def test_the_figures_are_those_of_a_debate_with_the_same_answers(mapped: list[tuple[World, CredenceMap]]) -> None:
    for world, told in mapped:
        given: dict[AgentId, ProbeReading] = {}
        for persona in world.pack.personas:
            known = chances(persona, world.pack)
            credences = {
                CandidateId(p.question): Credence(CandidateId(p.question), known.c[n], known.p1[n], known.p0[n])
                for n, p in enumerate(world.pack.propositions)
            }
            given[AgentId(persona.name)] = ProbeReading(
                agent=AgentId(persona.name), p_top=known.p_top, credences=credences
            )
        camps = probes.camps_of({agent: reading.p_top for agent, reading in given.items()})
        assert told.camps.yes == camps.yes
        assert told.gap == pytest.approx(probes.gap(given, camps), abs=1e-4)
        for row in told.tested:
            figures = crux_quality.figures(CandidateId(row.question), given, camps, tuple(given), {})
            assert (row.rank, row.explained_share, row.gap_closed) == (figures.rank, figures.share, figures.gap_closed)
            assert row.would_flip == figures.flips


@pytest.mark.parametrize("pack", ["bitcoin", "monolith", "free-will"])
def test_the_probes_of_a_debate_written_down_rank_as_the_debate_ranked_them(pack: str) -> None:
    compared = 0
    for seed in range(6):
        events = cf.debate(pack, seed=seed).events
        ranked = next(e for e in events if isinstance(e, DcgCalculated) and e.phase is Phase.BEFORE)
        asked = [e for e in events if isinstance(e, ProbeAnswered) and e.phase is Phase.BEFORE]
        asked = [e for e in asked if e.thread == ranked.thread]
        firsts = {e.agent: e.p_top for e in events if isinstance(e, FirstPosition)}
        moved = any((firsts[e.agent] > 0.5) is not (e.p_top > 0.5) for e in asked)
        if moved or any(e.round > 1 or e.failed for e in asked):
            continue  # a table has one answer each, and takes its camps from it
        table = [dict(zip(COLUMNS, (e.agent, e.p_top, *x), strict=True)) for e in asked for x in e.credences]
        told = {row.question: row.rank for row in cf.map_credences(table).tested}
        assert told == {figures.candidate: figures.rank for figures in ranked.figures}
        compared += 1
    assert compared
