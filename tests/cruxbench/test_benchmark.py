"""The benchmark from plan to table: the same again, several at once, resumed, and refused where it cannot be."""

from pathlib import Path
from typing import Any

import pytest

import cruxfinder as cf
from cruxfinder.adapters.embeddings.keyword import Keywords
from cruxfinder.cruxbench.answer_scoring import Measure, score_answer
from cruxfinder.cruxbench.bench_report import BenchReport, share_of_worlds
from cruxfinder.cruxbench.finder_answers import FinderAnswer
from cruxfinder.cruxbench.planted_subjects import WorldSet
from cruxfinder.cruxbench.planted_worlds import draw_world
from cruxfinder.cruxbench.simple_finders import BASELINES
from cruxfinder.cruxbench.world_sketches import Kind
from cruxfinder.errors import BadInput

FEW: dict[str, Any] = {
    "worlds": 1,
    "kinds": ["one crux", "values"],
    "noise": [0.0, 0.1],
    "runs": 2,
    "of": "development",
}


@pytest.fixture(scope="module")
def report() -> BenchReport:
    return cf.bench(**FEW)


def test_the_table_has_a_row_for_every_finder_kind_and_noise(report: BenchReport) -> None:
    rows = {(r.finder, r.kind, r.noise) for r in report.rows}
    kinds, noises = ("all", "one crux", "values"), (None, 0.0, 0.1)
    assert rows == {(f, k, n) for f in ("cruxfinder", *BASELINES) for k in kinds for n in noises}
    assert report.row(kind="one crux", noise=0.0).measures["primary right"].share == 1.0
    assert "primary right" not in report.row(kind="values").measures


def test_several_processes_come_to_the_same_table(report: BenchReport) -> None:
    assert cf.bench(**FEW, jobs=2) == report


def test_what_is_kept_is_not_run_again(report: BenchReport, tmp_path: Path) -> None:
    kept = tmp_path / "runs.jsonl"
    assert cf.bench(**FEW, keep=kept) == report
    lines = kept.read_text().splitlines()
    assert len(lines) == 1 + 2 * 2 * 2
    kept.write_text("\n".join(lines[:5]) + "\n" + lines[5][:40])  # killed while it wrote
    assert cf.bench(**FEW, keep=kept) == report
    assert sorted(kept.read_text().splitlines()) == sorted(lines)


@pytest.mark.parametrize(
    ("text", "told"),
    [("a shopping list\n", "is not a file of benchmark runs"), ('{"benchmark":"cruxbench","code":"old"}\n', "another")],
)
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str, told: str) -> None:
    kept = tmp_path / "runs.jsonl"
    kept.write_text(text)
    with pytest.raises(BadInput, match=told):
        cf.bench(**FEW, keep=kept)
    assert kept.read_text() == text


def test_a_rule_switched_off_has_rows_of_its_own() -> None:
    found = cf.bench(worlds=1, kinds=["one crux"], noise=[0], runs=1, of="development", ablate=["CRUX-8"])
    assert {row.off for row in found.rows} == {(), ("CRUX-8",)}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"kinds": ["two crux"]}, "no kind of world 'two crux'"),
        ({"of": "hidden"}, "no set of worlds 'hidden'"),
        ({"worlds": 0}, "1 to 10000 worlds"),
        ({"noise": [0.9]}, "between 0 and 0.5"),
        ({"ablate": ["CRUX-99"]}, "no rule CRUX-99"),
        ({"jobs": -1}, "processes"),
    ],
)
def test_what_cannot_be_run_is_refused_in_a_sentence(given: dict[str, object], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        cf.bench(**given)  # type: ignore[arg-type]


def answer(*cruxes: str, ending: str = "crux") -> FinderAnswer:
    return FinderAnswer(primary=cruxes[0] if cruxes else "", cruxes=cruxes, ending=ending, sides={}, crux_sides={})


def test_an_answer_is_scored_by_what_the_world_holds() -> None:
    world = draw_world(WorldSet.DEVELOPMENT, 1, Kind.ONE_CRUX, 0)
    asked = {p.id: p for p in world.pack.propositions}
    right = asked[world.truth.primary[0]]
    wrong = next(p for id, p in asked.items() if id not in (*world.truth.cruxes, *world.truth.allowed))
    endings = frozenset({"crux"})

    def scored(given: FinderAnswer) -> dict[Measure, tuple[int, int]]:
        return score_answer(world.answer_key, given, endings, Keywords())[0]

    good = scored(answer(right.question))
    assert (good[Measure.PRIMARY], good[Measure.FALSE_CRUX], good[Measure.ENDING]) == ((1, 1), (0, 1), (1, 1))
    assert scored(answer(right.denial))[Measure.PRIMARY] == (1, 1)  # the question turned round is the same
    mixed = scored(answer(right.question, wrong.question, ending="values"))
    assert (mixed[Measure.PRIMARY], mixed[Measure.FALSE_CRUX], mixed[Measure.ENDING]) == ((1, 1), (1, 1), (0, 1))
    assert scored(answer("Is the moon made of cheese?"))[Measure.FALSE_CRUX] == (1, 1)
    nothing = scored(answer())
    assert (nothing[Measure.PRIMARY], nothing[Measure.FALSE_CRUX]) == ((0, 1), (0, 1))


def test_facts_of_a_world_of_several_are_no_cruxes_alone() -> None:
    world = draw_world(WorldSet.DEVELOPMENT, 1, Kind.SEVERAL_FACTS, 0)
    facts = [p.question for p in world.pack.propositions if p.id in world.truth.facts]
    told = frozenset({"several facts"})
    named, _ = score_answer(world.answer_key, answer(*facts, ending="several facts"), told, Keywords())
    assert (named[Measure.RECALL], named[Measure.FALSE_CRUX]) == ((5, 5), (0, 1))
    alone, _ = score_answer(world.answer_key, answer(facts[0]), told, Keywords())
    assert (alone[Measure.RECALL], alone[Measure.FALSE_CRUX]) == ((0, 5), (1, 1))


def test_runs_of_one_world_are_no_observations_of_their_own() -> None:
    once = share_of_worlds([("a", 1, 1), ("b", 0, 1)], pooled=False)
    thrice = share_of_worlds([("a", 1, 1), ("b", 0, 1)] * 3, pooled=False)
    assert (once.share, once.low, once.high) == (thrice.share, thrice.low, thrice.high)
    assert (thrice.of, thrice.runs) == (2, 6)
