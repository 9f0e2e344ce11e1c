"""What counts as actionable and as substantial: the rule first, None where it cannot tell."""

import pytest

from cruxfinder.gate import judging
from cruxfinder.gate.forms import CriticObjection, Diagnosis, Severity

TRIED = ("updated the import path", "reinstalled the dependencies")


def countered(counter: str) -> bool | None:
    return judging.is_actionable(CriticObjection(objection="o", risks=(), counter=counter, severity=Severity.HIGH))


@pytest.mark.parametrize(
    "counter",
    [
        "Take a snapshot of the volume first",
        "Run it with --dry-run and read the list",
        "Use `git push --force-with-lease` instead",
        "Limit it to the rows of tenant 7 and count them before",
        "Move the folder aside and delete it next week",
        "Have a second person read the plan",
        "It might fail, so take a backup of config/app.yml and restore it once",
    ],
)
def test_a_counter_that_names_what_to_do_is_actionable(counter: str) -> None:
    assert countered(counter) is True


@pytest.mark.parametrize(
    "counter",
    ["", "none", "N/A", "might not work", "Be careful.", "This seems risky", "Think twice", "Consider the risks"],
)
def test_a_vague_concern_is_not(counter: str) -> None:
    assert countered(counter) is False


def test_what_names_a_thing_and_no_deed_is_left_to_a_judge() -> None:
    assert countered("A staging database in another region") is None


@pytest.mark.parametrize(
    ("difference", "fix", "substantial"),
    [
        ("use the compiled build instead of the sources", "run the tests on dist", True),
        ("a different library: parse with lxml", "switch the parser", True),
        ("everything about it", "mock the network in the fixture", True),
        ("none", "mock the network", False),
        ("", "mock the network", False),
        ("fixes a typo in the path", "correct the spelling", False),
        ("increase the timeout", "wait longer for the server", False),
        ("it is new", "updated the import path", False),
        ("try it again", "run it once more", False),
    ],
)
def test_a_fix_is_substantial_if_it_changes_the_approach(difference: str, fix: str, substantial: bool) -> None:
    made = Diagnosis(diagnosis="d", fix=fix, difference=difference)
    assert judging.is_substantial(made, TRIED) is substantial


def test_a_fix_half_alike_is_left_to_a_judge() -> None:
    made = Diagnosis(diagnosis="d", fix="the import path of the fixture", difference="the fixture too")
    assert judging.is_substantial(made, TRIED) is None
