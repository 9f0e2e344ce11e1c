"""FALS-1, FALS-5: an occasion without a date is a deadline, a day that never comes is none."""

import pytest

from cruxfinder.crux.law import forecasts
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.language.english.named_deadlines import find_named_deadline, names_occasion
from tests.law.read_falsifiers import faults

DUE = (
    "by Orthodox Easter",
    "before her first birthday",
    "before my mother turns eighty",
    "by the time the snow melts",
    "the next time it rains",
    "in either of the next two harvests",
    "between now and the summer holidays",
    "before the clocks go back",
    "at the six-month check-up",
    "by chapter twelve",
    "three winters from now",
    "while the current mayor is in office",
    "on the first of the month",
    "before lambing",
    "by mid-May",
)
NEVER_DUE = (
    "in the fullness of time",
    "when hell freezes over",
    "the right moment",
    "the foreseeable future",
    "until the cows come home",
    "the day of reckoning",
    "in the first place",
    "before it is too late",
)


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize("deadline", DUE)
def test_an_occasion_is_found_in_a_sentence_and_accepted(deadline: str) -> None:
    text = f"If the clerk signs the lease {deadline}, I was wrong about him."
    assert find_named_deadline(f"the clerk signs the lease {deadline}.")
    assert list(faults(forecasts.read(text))) == []


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize("deadline", NEVER_DUE)
def test_a_day_that_never_comes_is_no_deadline(deadline: str) -> None:
    assert not names_occasion(deadline)
    assert find_named_deadline(f"the clerk signs the lease {deadline}.") == ""
    told = Falsifier(metric="the lease", threshold="is signed by the clerk", deadline=deadline)
    assert [refusal.reason for refusal in faults(told)] == [
        "the deadline has no date, year, quarter, duration or named event"
    ]


@pytest.mark.rule("FALS-5")
def test_what_is_compared_is_no_deadline() -> None:
    read = forecasts.read("If tea exports for 2027 exceed those for 2026, I would drop the claim.")
    assert read.deadline == "for 2027" and "those for 2026" in read.threshold


@pytest.mark.rule("FALS-4")
def test_figures_of_a_period_come_after_it() -> None:
    told = Falsifier(metric="price of bread", threshold="above 2 euros", deadline="release of the October 2026 figures")
    assert list(faults(told, "2026-11-19")) == []
    assert [refusal.rule for refusal in faults(told, "2028-01-01")] == ["FALS-4"]


@pytest.mark.rule("FALS-5")
@pytest.mark.parametrize(
    ("metric", "threshold", "concrete"),
    [
        ("the hamster", "still alive", True),
        ("the footbridge", "open to the public", True),
        ("rank of the choir", "anything but last", True),
        ("trust in the vicar", "still alive", False),
        ("the village", "a new page is turned", False),
        ("the agreement", "at least 50% of the spirit is gone", False),
    ],
)
def test_a_state_of_the_metric_is_seen_unless_it_is_a_figure_of_speech(
    metric: str, threshold: str, concrete: bool
) -> None:
    told = Falsifier(metric=metric, threshold=threshold, deadline="by June 2028")
    assert (list(faults(told)) == []) is concrete
