"""Planted worlds: their truth is what the networks give, counted another way, and they are what their kind says."""

from collections import Counter

import pytest

from cruxfinder.crux.events import MessageRefused
from cruxfinder.crux.law.probes import CampMeans, explained_share, gap_closed, mean
from cruxfinder.cruxbench.planted_runs import hold_debate
from cruxfinder.cruxbench.planted_subjects import PlantedSubject, WorldSet, read_subjects, subjects
from cruxfinder.cruxbench.planted_worlds import PlantedWorld, draw_world
from cruxfinder.cruxbench.world_sketches import Kind
from cruxfinder.cruxbench.world_truth import figures_of
from cruxfinder.cruxbench.world_wording import is_turned
from cruxfinder.debaters.simulated.hearing import normalise_text
from cruxfinder.debaters.simulated.network import Network

NUMBERS = 4
ENDINGS = {
    Kind.SEVERAL_FACTS: {"several facts"},
    Kind.VALUES: {"values"},
    Kind.DEFINITIONS: {"definitions"},
    Kind.HORIZON: {"horizon"},
    Kind.NO_DISAGREEMENT: {"no real disagreement"},
}


@pytest.fixture(scope="module", params=list(Kind), ids=str)
def worlds(request: pytest.FixtureRequest) -> list[PlantedWorld]:
    return [draw_world(WorldSet.DEVELOPMENT, 1, request.param, number) for number in range(NUMBERS)]


def test_a_world_ends_as_its_kind_says(worlds: list[PlantedWorld]) -> None:
    for world in worlds:
        assert world.truth.ending in ENDINGS.get(world.kind, {"crux", "partial crux"})
        assert bool(world.truth.primary) is (world.kind not in ENDINGS)
        assert len(world.truth.facts) == (5 if world.kind is Kind.SEVERAL_FACTS else 0)


def test_the_name_of_a_world_is_all_it_takes_to_draw_it_again(worlds: list[PlantedWorld]) -> None:
    world = worlds[-1]
    assert draw_world(WorldSet.DEVELOPMENT, 1, world.kind, world.number) == world
    assert draw_world(WorldSet.DEVELOPMENT, 2, world.kind, world.number).pack != world.pack
    assert draw_world(WorldSet.OPEN, 1, world.kind, world.number).pack != world.pack


def test_the_truth_is_what_the_networks_of_the_debaters_give(worlds: list[PlantedWorld]) -> None:
    """Counted by the arithmetic of simulated debaters, which shares nothing with that of the truth."""
    for world in worlds:
        networks = [Network(p, world.pack.propositions) for p in world.pack.personas]
        known = [n.chances(n.beta, n.bias) for n in networks]
        found = figures_of(world.pack)
        assert found.tops == pytest.approx([k.p_top for k in known])
        camps = [[k for k in known if (k.p_top > 0.5) is side] for side in (True, False)]
        if not all(camps):
            continue
        gap = mean([k.p_top for k in camps[0]]) - mean([k.p_top for k in camps[1]])
        for n in range(len(world.pack.propositions)):
            bars = [
                CampMeans(
                    c=mean([k.c[n] for k in camp]), p1=mean([k.p1[n] for k in camp]), p0=mean([k.p0[n] for k in camp])
                )
                for camp in camps
            ]
            assert found.share[n] == pytest.approx(explained_share(bars[0], bars[1], gap))
            assert found.closed[n] == pytest.approx(gap_closed(bars[0], bars[1], gap))
            assert found.joint_share([n]) == pytest.approx(found.share[n], abs=0.02)


def test_sizes_go_from_two_to_twelve() -> None:
    sizes = {len(draw_world(WorldSet.OPEN, 0, Kind.VALUES, n).pack.personas) for n in range(11)}
    assert sizes == set(range(2, 13))


def test_the_worlds_to_tune_on_and_those_to_report_share_no_sentence() -> None:
    groups = read_subjects()
    assert set(groups) == {"development", "reported"}
    texts = [
        {text for s in group for p in s.propositions for text in (p.statement, p.denial, p.question, p.yes_means)}
        | {s.topic for s in group}
        for group in groups.values()
    ]
    assert not texts[0] & texts[1]
    assert len(subjects(WorldSet.OPEN)) == sum(map(len, groups.values()))


@pytest.mark.parametrize("subject", subjects(WorldSet.OPEN), ids=lambda s: s.topic)
def test_every_subject_can_be_put_into_words(subject: PlantedSubject) -> None:
    questions = [p.question for p in subject.propositions]
    assert len(questions) >= 8 and len(set(map(normalise_text, questions))) == len(questions)
    assert {is_turned(q) for q in subject.again} == {True, False}
    for p in subject.propositions:
        assert all((p.statement, p.denial, p.yes_means, p.no_means)) and p.question.endswith("?")


def test_a_believer_names_a_question_once_that_is_sent_back() -> None:
    """In a world of careless words: as many refusals as it has such questions, and not one each time it speaks."""
    world = draw_world(WorldSet.DEVELOPMENT, 6, Kind.CARELESS, 1)
    events = hold_debate(world.pack, 0).finished.events
    sent_back = Counter(
        e.agent for e in events if isinstance(e, MessageRefused) for r in e.refusals if r.rule.startswith("CRUX-1")
    )
    assert sent_back and max(sent_back.values()) <= len(world.pack.propositions)
