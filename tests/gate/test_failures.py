"""DIA-6: how often a task failed, what is due, and what begins the count again."""

import pytest

from cruxfinder.gate.failures import Because, Due, Failure, Remembered, Reset, reset_by, standing

HOUR = 60 * 60 * 1000
NOW = 1_000 * HOUR


def failed(task: str = "t", at_ms: int = NOW, error: str = "Cannot find module", approach: str = "imports") -> Failure:
    return Failure(task_id=task, attempt=1, at_ms=at_ms, error=error, approach=approach, task="fix the auth test")


def again(because: Because, task: str = "t") -> Reset:
    return Reset(task_id=task, at_ms=NOW, because=because)


@pytest.mark.rule("DIA-6")
@pytest.mark.parametrize(
    ("entries", "count", "due"),
    [
        pytest.param([], 0, Due.NOTHING, id="none"),
        pytest.param([failed()], 1, Due.NOTHING, id="one"),
        pytest.param([failed(), failed()], 2, Due.DEBATE, id="two are debated"),
        pytest.param([failed(), failed(), failed()], 3, Due.ESCALATION, id="three escalate by themselves"),
        pytest.param([failed()] * 5, 5, Due.ESCALATION, id="and it stays so"),
        pytest.param([failed(), failed("u"), failed("u")], 1, Due.NOTHING, id="each task for itself"),
        pytest.param([failed(), failed(), again(Because.SUCCESS)], 0, Due.NOTHING, id="a success begins again"),
        pytest.param([failed(), again(Because.USER), failed()], 1, Due.NOTHING, id="the user's word begins again"),
        pytest.param([failed(), again(Because.CONTEXT), failed()], 1, Due.NOTHING, id="a change of context too"),
        pytest.param([failed(), again(Because.SUCCESS, "u"), failed()], 2, Due.DEBATE, id="another task's does not"),
    ],
)
def test_the_count_and_what_is_due(entries: list[Remembered], count: int, due: Due) -> None:
    found = standing(entries, "t", NOW)
    assert (found.count, found.due) == (count, due)


@pytest.mark.rule("DIA-6")
def test_time_alone_resets_nothing_and_staleness_is_told() -> None:
    old = [failed(at_ms=NOW - 30 * HOUR), failed(at_ms=NOW - 25 * HOUR)]
    found = standing(old, "t", NOW)
    assert (found.count, found.due, found.stale) == (2, Due.DEBATE, True)
    assert not standing([*old, failed(at_ms=NOW - HOUR)], "t", NOW).stale


@pytest.mark.rule("DIA-6")
@pytest.mark.parametrize(
    ("words", "because"),
    [
        ("start fresh", Because.USER),
        ("Let's try a different approach", Because.USER),
        ("ignore previous attempts please", Because.USER),
        ("I fixed the lock file", Because.CONTEXT),
        ("we've upgraded node", Because.CONTEXT),
        ("the server is back up now", Because.CONTEXT),
        ("It turns out the tests only fail on ARM when LANG is unset", Because.CONTEXT),
        ("try again", None),
        ("please fix the auth test", None),
        ("fix the auth test, the module cannot be found", None),
        ("why does this still not work?!", None),
        ("this is so annoying, just make it work already", None),
        ("", None),
    ],
)
def test_what_the_user_says_is_a_reason_or_it_is_not(words: str, because: Because | None) -> None:
    assert reset_by(words, standing([failed(), failed()], "t", NOW)) is because
