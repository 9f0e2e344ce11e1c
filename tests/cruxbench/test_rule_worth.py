"""What a rule is worth: pairs of the same run, worlds for observations, and an interval even where nothing differs."""

from dataclasses import replace

import pytest

from cruxfinder.cruxbench.answer_scoring import Measure
from cruxfinder.cruxbench.planted_runs import RunKey, ScoredRun
from cruxfinder.cruxbench.rule_worth import worth_of
from cruxfinder.kernel.intervals import paired_interval

KEY = RunKey(of="open", seed=0, kind="one crux", number=0, noise=0.0, run=0)


def run(number: int, seed: int, right: bool, *off: str, course: str = "") -> ScoredRun:
    return ScoredRun(
        key=replace(KEY, number=number, run=seed, off=off),
        size=2,
        scores={Measure.PRIMARY: (int(right), 1)},
        primary="p1" if right else "p2",
        ending="crux",
        expected="crux",
        baselines={},
        course=course,
    )


def test_the_worth_of_a_rule_is_the_difference_over_worlds() -> None:
    """Two worlds, two runs each: the rule saves both runs of the one, and nothing in the other."""
    whole = [run(world, seed, True) for world in (0, 1) for seed in (0, 1)]
    without = [run(world, seed, world == 1, "X-1") for world in (0, 1) for seed in (0, 1)]
    (worth,) = worth_of([*whole, *without])
    found = worth.measures["primary right"]
    assert (worth.off, worth.runs, worth.changed, worth.kinds) == (("X-1",), 4, 2, ("one crux",))
    assert (found.difference, found.of) == (0.5, 2)
    assert found.low < 0 < found.difference < found.high


def test_a_run_that_says_something_else_is_diverted_though_it_ends_alike() -> None:
    (worth,) = worth_of([run(0, 0, True, course="a"), run(0, 0, True, "X-1", course="b")])
    assert (worth.changed, worth.diverted, worth.kinds) == (0, 1, ("one crux",))


def test_a_run_without_its_pair_says_nothing() -> None:
    (worth,) = worth_of([run(0, 0, True), run(0, 0, False, "X-1"), run(5, 0, False, "X-1")])
    assert worth.runs == 1


@pytest.mark.parametrize(("gained", "lost", "of"), [(0, 0, 10), (3, 1, 10), (10, 0, 10), (0, 1, 1), (2.5, 0.5, 40)])
def test_an_interval_of_pairs_holds_the_difference(gained: float, lost: float, of: int) -> None:
    low, high = paired_interval(gained, lost, of)
    assert -1 <= low < (gained - lost) / of <= high <= 1 or (gained - lost) / of == -1 == low
    assert paired_interval(lost, gained, of) == pytest.approx((-high, -low))
    wide, narrow = paired_interval(gained, lost, of), paired_interval(gained * 9, lost * 9, of * 9)
    assert narrow[1] - narrow[0] < wide[1] - wide[0]
