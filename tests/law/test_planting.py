"""PLUS-11: now and then a wrong steelman is put before the one it is said to be of."""

import pytest

from cruxfinder.crux.asks import Graded
from cruxfinder.crux.commands import RecordTest
from cruxfinder.crux.events import GradingTested
from cruxfinder.crux.law import planting
from cruxfinder.crux.metrics import metrics_of
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import Grade
from tests.law.build import ANN, BOB, Play, only, reason, statement


def locked(planted: int) -> Play:
    play = Play(settings=Settings(planted=planted))
    play.to_evidence()
    return play


@pytest.mark.rule("PLUS-11")
def test_it_is_due_once_the_question_is_locked_and_not_before() -> None:
    play = Play(settings=Settings(planted=1))
    play.to_lock()
    assert planting.next_plant(play.debate) is None
    play.to_evidence()
    plant = planting.next_plant(play.debate)
    assert plant is not None and plant.agent == ANN
    assert (plant.claim, plant.reason) == (statement(BOB), reason(ANN)), "an opponent's claim, one's own reason"
    assert plant.falsifier


@pytest.mark.rule("PLUS-11")
def test_nobody_asked_for_it_and_nothing_is_planted() -> None:
    assert planting.next_plant(locked(0).debate) is None


@pytest.mark.rule("PLUS-11")
@pytest.mark.parametrize(
    ("grade", "caught"),
    [(Grade.WRONG, 1), (Grade.INCOMPLETE, 1), (Grade.ACCURATE, 0), (None, 0)],
)
def test_what_was_caught_is_counted_and_one_a_thread_is_enough(grade: Grade | None, caught: int) -> None:
    play = locked(2)
    plant = planting.next_plant(play.debate)
    assert plant is not None
    graded = None if grade is None else Graded(grade=grade, missing="my claim")
    told = only(play.do(RecordTest(plant=plant, graded=graded)), GradingTested)
    assert told.grade is grade and told.is_caught == bool(caught)
    assert planting.next_plant(play.debate) is None
    found = metrics_of(play.events)
    assert (found.steelmans_planted, found.steelmans_planted_caught) == (1, caught)
