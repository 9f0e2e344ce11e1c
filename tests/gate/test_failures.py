"""DIA-6: how often a task failed, what is due, and what begins the count again."""

import pytest

from cruxfinder.gate.failures import Failure, FollowUp, Remembered, Reset, ResetReason, failure_streak, reset_reason

HOUR = 60 * 60 * 1000
NOW = 1_000 * HOUR


def failed(task: str = "t", at_ms: int = NOW, error: str = "Cannot find module", approach: str = "imports") -> Failure:
    return Failure(task_id=task, attempt=1, at_ms=at_ms, error=error, approach=approach, task="fix the auth test")


def again(because: ResetReason, task: str = "t") -> Reset:
    return Reset(task_id=task, at_ms=NOW, because=because)


@pytest.mark.rule("DIA-6")
@pytest.mark.parametrize(
    ("entries", "count", "due"),
    [
        pytest.param([], 0, FollowUp.NOTHING, id="none"),
        pytest.param([failed()], 1, FollowUp.NOTHING, id="one"),
        pytest.param([failed(), failed()], 2, FollowUp.DEBATE, id="two are debated"),
        pytest.param([failed(), failed(), failed()], 3, FollowUp.ESCALATION, id="three escalate by themselves"),
        pytest.param([failed()] * 5, 5, FollowUp.ESCALATION, id="and it stays so"),
        pytest.param([failed(), failed("u"), failed("u")], 1, FollowUp.NOTHING, id="each task for itself"),
        pytest.param(
            [failed(), failed(), again(ResetReason.SUCCESS)], 0, FollowUp.NOTHING, id="a success begins again"
        ),
        pytest.param(
            [failed(), again(ResetReason.USER), failed()], 1, FollowUp.NOTHING, id="the user's word begins again"
        ),
        pytest.param(
            [failed(), again(ResetReason.CONTEXT), failed()], 1, FollowUp.NOTHING, id="a change of context too"
        ),
        pytest.param(
            [failed(), again(ResetReason.SUCCESS, "u"), failed()], 2, FollowUp.DEBATE, id="another task's does not"
        ),
    ],
)
def test_the_count_and_what_is_due(entries: list[Remembered], count: int, due: FollowUp) -> None:
    found = failure_streak(entries, "t", NOW)
    assert (found.count, found.due) == (count, due)


@pytest.mark.rule("DIA-6")
def test_time_alone_resets_nothing_and_staleness_is_told() -> None:
    old = [failed(at_ms=NOW - 30 * HOUR), failed(at_ms=NOW - 25 * HOUR)]
    found = failure_streak(old, "t", NOW)
    assert (found.count, found.due, found.stale) == (2, FollowUp.DEBATE, True)
    assert not failure_streak([*old, failed(at_ms=NOW - HOUR)], "t", NOW).stale


@pytest.mark.rule("DIA-6")
@pytest.mark.parametrize(
    ("words", "because"),
    [
        ("start fresh", ResetReason.USER),
        ("Let's try a different approach", ResetReason.USER),
        ("ignore previous attempts please", ResetReason.USER),
        ("I fixed the lock file", ResetReason.CONTEXT),
        ("we've upgraded node", ResetReason.CONTEXT),
        ("the server is back up now", ResetReason.CONTEXT),
        ("It turns out the tests only fail on ARM when LANG is unset", ResetReason.CONTEXT),
        ("try again", None),
        ("please fix the auth test", None),
        ("fix the auth test, the module cannot be found", None),
        ("why does this still not work?!", None),
        ("this is so annoying, just make it work already", None),
        ("", None),
    ],
)
def test_what_the_user_says_is_a_reason_or_it_is_not(words: str, because: ResetReason | None) -> None:
    assert reset_reason(words, failure_streak([failed(), failed()], "t", NOW)) is because
