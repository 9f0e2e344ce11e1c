"""The gate's memory on disk: many writers at once, writers that die, lines of others, logs as people read them."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from cruxfinder.adapters.packs.rule_file import rules
from cruxfinder.errors import BadInput, CruxfinderError, StoreFault
from cruxfinder.gate.actions import Action
from cruxfinder.gate.failures import Failure, Reset, ResetReason, failure_streak
from cruxfinder.gate.forms import GateResolution
from cruxfinder.gate.records import Feedback, Metric, Outcome
from cruxfinder.gate.runtime.failure_index import FailureIndex
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import FAILURES, METRICS, Memory

WRITERS = 6
TASKS = 3
EACH = 4
NOON = datetime(2026, 1, 29, 12, 0, tzinfo=UTC)
SEED_LINES = (
    '{"task_id":"fix-auth-test","attempt":1,"ts":"2026-01-29T14:30:00Z","error":"Cannot find module",'
    '"approach":"updated import path"}\n'
    '{"task_id":"fix-auth-test","attempt":2,"ts":"2026-01-29T14:32:00Z","error":"Cannot find module",'
    '"approach":"reinstalled deps"}\n'
)
SEED_METRICS = (
    '{"debate_id": "abc123", "type": "planning", "task": "delete-cache", "resolution": "PROCEED", '
    '"outcome": "success", "helped": false}\n'
    '{"debate_id": "def456", "type": "failure", "task": "fix-auth", "resolution": "PIVOT", '
    '"outcome": "success", "helped": true}\n'
)
SIX = ["debate_id", "type", "task", "resolution", "outcome", "helped"]


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "memory")


def gate(memory: Memory, at: datetime = NOON) -> Gate:
    return Gate(rules=rules(), memory=memory, disabled=False, clock=lambda: at)


def fail(memory: Memory, task: str = "t", error: str = "boom", now: datetime = NOON) -> Failure:
    _, made = memory.add_failure(task_id=task, task=f"the task {task}", error=error, approach="as before", now=now)
    return made


def lines(memory: Memory, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (memory.folder / name).read_text().splitlines()]


# ---- many writers


WRITING = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from cruxfinder.gate.runtime.gate_memory import Memory
folder, number, each, tasks = sys.argv[1], *map(int, sys.argv[2:])
memory = Memory(Path(folder))
for turn in range(each):
    error = f"writer {number}, turn {turn}: größe «{'x' * 3000}»"
    memory.add_failure(task_id=f"t{(number + turn) % tasks}", task="", error=error, approach="", now=datetime.now(UTC))
"""
DYING = """
import os, signal, sys
from pathlib import Path
from cruxfinder.gate.runtime.gate_memory import FAILURES, Memory
with Memory(Path(sys.argv[1]))._open(FAILURES) as file:  # under the lock, as a writer holds it
    os.write(file.descriptor, b'{"task_id":"t0","attempt":1,"ts":"2026-01-29T12:00:00Z","error":"half a gr\\xc3')
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.rule("DIA-6")
def test_writers_at_once_lose_nothing_but_the_line_of_the_one_that_was_killed(memory: Memory) -> None:
    def begun(program: str, *args: object) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", program, str(memory.folder), *map(str, args)])

    first = [begun(WRITING, number, EACH, TASKS) for number in range(WRITERS // 2)]
    killed = begun(DYING)
    rest = [begun(WRITING, number, EACH, TASKS) for number in range(WRITERS // 2, WRITERS)]
    assert [process.wait(120) for process in (*first, *rest)] == [0] * WRITERS
    assert killed.wait(120) == -signal.SIGKILL

    fail(memory, "after")  # ends the torn line, if nobody has
    kept = [entry for entry in memory.failures() if isinstance(entry, Failure)]
    assert memory.torn_line_count() == 1
    assert len(kept) == WRITERS * EACH + 1
    told = {entry.error.partition(":")[0] for entry in kept if entry.task_id != "after"}
    assert told == {f"writer {number}, turn {turn}" for number in range(WRITERS) for turn in range(EACH)}
    assert all(entry.error.endswith(f"größe «{'x' * 3000}»") for entry in kept if entry.task_id != "after")

    attempts: dict[str, list[int]] = defaultdict(list)
    for entry in kept:
        attempts[entry.task_id].append(entry.attempt)
    for task in range(TASKS):
        assert attempts[f"t{task}"] == list(range(1, len(attempts[f"t{task}"]) + 1)), "each number once, in order"


@pytest.mark.rule("DIA-6")
@pytest.mark.parametrize("name", [FAILURES, METRICS])
def test_the_next_writer_ends_a_torn_line_and_readers_step_over_it(memory: Memory, name: str) -> None:
    fail(memory)
    memory.add_metric(metric("a"))
    path = memory.folder / name
    before = path.read_bytes()
    path.write_bytes(before + before[: len(before) // 2])
    assert memory.torn_line_count() == 1
    assert len(memory.failures()) == 1 and len(memory.metrics()) == 1

    fail(memory)
    memory.add_metric(metric("b"))
    assert memory.torn_line_count() == 1
    assert [entry.attempt for entry in memory.failures() if isinstance(entry, Failure)] == [1, 2]
    assert [held.debate_id for held in memory.metrics()] == ["a", "b"]
    assert path.read_bytes().startswith(before + before[: len(before) // 2] + b"\n")


def test_a_torn_log_is_ended_too(memory: Memory) -> None:
    path = memory.log("12:00 one", NOON)
    path.write_text("12:00 on")
    memory.log("12:01 two", NOON)
    assert path.read_text() == "12:00 on\n12:01 two\n"


def test_nothing_that_was_written_is_ever_changed(memory: Memory) -> None:
    seen = b""
    for number in range(5):
        fail(memory, error=f"error {number}")
        if number == 2:
            memory.reset("t", ResetReason.USER, "start fresh", NOON)
        now = (memory.folder / FAILURES).read_bytes()
        assert now.startswith(seen) and now.endswith(b"\n") and len(now) > len(seen)
        seen = now


# ---- what others wrote


@pytest.mark.rule("DIA-6")
def test_lines_in_the_agreed_shape_are_read_whoever_wrote_them(memory: Memory) -> None:
    memory.folder.mkdir()
    (memory.folder / FAILURES).write_text(SEED_LINES)
    (memory.folder / METRICS).write_text(SEED_METRICS)
    first, second = memory.failures()
    assert isinstance(first, Failure) and isinstance(second, Failure)
    assert (first.task_id, first.attempt, first.error) == ("fix-auth-test", 1, "Cannot find module")
    assert (second.attempt, second.approach) == (2, "reinstalled deps")
    assert second.at_ms - first.at_ms == 120_000
    assert fail(memory, "fix-auth-test").attempt == 3
    assert [(m.debate_id, m.resolution, m.outcome, m.helped) for m in memory.metrics()] == [
        ("abc123", GateResolution.PROCEED, "success", False),
        ("def456", GateResolution.PIVOT, "success", True),
    ]


@pytest.mark.rule("DIA-6")
def test_a_line_of_the_gate_has_the_agreed_fields_first(memory: Memory) -> None:
    fail(memory, error="Cannot find module")
    (line,) = lines(memory, FAILURES)
    assert list(line)[:5] == ["task_id", "attempt", "ts", "error", "approach"]
    assert line["ts"] == "2026-01-29T12:00:00Z" and line["attempt"] == 1


JUNK = (
    b"not JSON at all",
    b"\xff\xfe\x00 no UTF-8 either \xc3",
    b"[1, 2, 3]",
    b'"a string"',
    b"null",
    b"[" * 50_000,
    b'{"cut": "off',
    b"\x00" * 64,
)
STRANGE = (
    b"{}",
    b'{"task_id": 7, "ts": "2026-01-29T12:00:00Z", "error": "e"}',
    b'{"task_id": "t", "ts": "yesterday", "error": "e"}',
    b'{"task_id": "t", "ts": 17, "error": "e"}',
    b'{"task_id": "t", "ts": "2026-01-29T12:00:00Z"}',
    b'{"task_id": "t", "ts": "2026-01-29T12:00:00Z", "error": ["e"]}',
    b'{"task_id": "t", "ts": "2026-01-29T12:00:00Z", "error": "e", "attempt": "two"}',
    b'{"task_id": "t", "ts": "2026-01-29T12:00:00Z", "error": "e", "approach": {}}',
)


@pytest.mark.rule("DIA-6")
@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: repr(junk[:20]))
def test_junk_is_counted_and_hides_no_other_line(memory: Memory, junk: bytes) -> None:
    fail(memory)
    memory.add_metric(metric("a"))
    for name in (FAILURES, METRICS):
        with (memory.folder / name).open("ab") as file:
            file.write(junk + b"\n")
    assert fail(memory).attempt == 2
    memory.add_metric(metric("b"))
    assert memory.torn_line_count() == 2
    assert len(memory.failures()) == 2
    assert [held.debate_id for held in memory.metrics()] == ["a", "b"]


@pytest.mark.rule("DIA-6")
def test_objects_that_are_no_failures_count_as_none(memory: Memory) -> None:
    fail(memory)
    with (memory.folder / FAILURES).open("ab") as file:
        file.write(b"\n".join((*STRANGE, b"", b"   ", b"\r")) + b"\n")
    assert len(memory.failures()) == 1 and memory.torn_line_count() == 0
    assert fail(memory).attempt == 2


@pytest.mark.parametrize(
    "line",
    [
        {"debate_id": 5, "type": "planning", "resolution": "PROCEED"},
        {"debate_id": "x", "type": "sport", "resolution": "PROCEED"},
        {"debate_id": "x", "type": "planning", "resolution": "GO"},
        {"debate_id": "x", "outcome": "success", "helped": True},
    ],
    ids=str,
)
def test_objects_that_are_no_debates_are_none(memory: Memory, line: dict[str, object]) -> None:
    memory.add_metric(metric("a"))
    with (memory.folder / METRICS).open("a") as file:
        file.write(json.dumps(line) + "\n")
    assert [held.debate_id for held in memory.metrics()] == ["a"]


def test_fields_of_another_kind_become_nothing(memory: Memory) -> None:
    memory.folder.mkdir()
    odd = {
        **dict.fromkeys(("outcome", "helped", "rules", "automatic", "disabled", "calls", "tokens", "dollars"), "odd"),
        **{"debate_id": "x", "type": "planning", "resolution": "PROCEED"},
    }
    (memory.folder / METRICS).write_text(json.dumps(odd) + "\n")
    (held,) = memory.metrics()
    assert (held.outcome, held.rules, held.automatic, held.disabled) == (None, (), False, False)
    assert (held.calls, held.tokens, held.dollars) == (0, 0, 0.0)


def test_a_huge_line_is_kept_and_read(memory: Memory) -> None:
    long = "é" * 2_000_000
    fail(memory, error=long)
    assert fail(memory).attempt == 2
    first = memory.failures()[0]
    assert isinstance(first, Failure) and first.error == long


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "a\u2028b", "\x00\x1b[31m", '"}\n{"task_id":"t"}', "\ud800 alone"])
def test_no_text_breaks_out_of_its_line(memory: Memory, text: str) -> None:
    fail(memory, error=text)
    memory.reset("other", ResetReason.USER, text, NOON)
    assert (memory.folder / FAILURES).read_bytes().count(b"\n") == 2
    first = memory.failures()[0]
    assert isinstance(first, Failure) and first.error == text.replace("\ud800", "?")
    assert memory.torn_line_count() == 0


# ---- a place that is none


@pytest.mark.parametrize(
    "place", ["a file where the folder should be", "a file above it", "a folder in place of a file"]
)
def test_a_place_that_cannot_be_used_is_told_in_one_sentence(tmp_path: Path, place: str) -> None:
    file = tmp_path / "taken"
    file.write_text("mine")
    folder = file if place == "a file where the folder should be" else file / "deeper"
    if place == "a folder in place of a file":
        folder = tmp_path / "memory"
        (folder / FAILURES).mkdir(parents=True)
        (folder / METRICS).mkdir()
    memory = Memory(folder)
    for call in (lambda: fail(memory), lambda: memory.add_metric(metric("a"))):
        with pytest.raises(CruxfinderError, match="cannot remember in") as told:
            call()
        assert isinstance(told.value, BadInput) and "\n" not in str(told.value)
    for read in (memory.failures, memory.metrics, memory.torn_line_count):
        with pytest.raises(StoreFault, match=r"cannot be read|no regular file"):
            read()
    assert file.read_text() == "mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir(mode=0o500)
    with pytest.raises(BadInput, match="cannot remember in"):
        fail(Memory(folder))


def test_what_was_never_written_is_empty(memory: Memory) -> None:
    assert memory.failures() == () and memory.metrics() == () and memory.torn_line_count() == 0
    assert not memory.folder.exists(), "reading makes no folder"


# ---- resets


@pytest.mark.rule("DIA-6")
def test_the_index_begins_with_the_first_line(tmp_path: Path) -> None:
    line = json.dumps({"task_id": "a"}).encode() + b"\n"
    (file := tmp_path / FAILURES).write_bytes(line)
    index = FailureIndex(tmp_path / "index", every=1)
    with file.open("rb") as opened:
        index.catch_up(opened.fileno())
        assert index.lines_before(opened.fileno(), len(line)) == line


def test_after_a_reset_the_numbers_begin_again_and_the_old_lines_stay(memory: Memory) -> None:
    assert [fail(memory).attempt for _ in range(3)] == [1, 2, 3]
    fail(memory, "other")
    memory.reset("t", ResetReason.CONTEXT, "ops restarted the database", NOON)
    assert fail(memory).attempt == 1
    assert fail(memory, "other").attempt == 2, "the reset of one task is none of another"
    assert len(memory.failures()) == 7
    (reset,) = (entry for entry in memory.failures() if isinstance(entry, Reset))
    assert (reset.because, reset.told) == (ResetReason.CONTEXT, "ops restarted the database")
    assert failure_streak(memory.failures(), "t", int(NOON.timestamp() * 1000)).count == 1


# ---- the log of the day

RISKY = Action(text='rm -rf "uploads of customers"', tool="bash")


def log_of(memory: Memory, at: datetime) -> str:
    return (memory.folder / f"{at.astimezone():%Y-%m-%d}.md").read_text()


@pytest.mark.rule("DIA-7")
def test_a_planning_debate_is_logged_in_the_agreed_layout(memory: Memory) -> None:
    verdict = asyncio.run(gate(memory).plan(RISKY))
    assert sorted(path.name for path in memory.folder.iterdir()) == [f"{NOON.astimezone():%Y-%m-%d}.md", METRICS]
    head, stakes, advocate, critic, resolution, changes, end, last = log_of(memory, NOON).split("\n")
    assert head == rf'{NOON.astimezone():%H:%M} DEBATE_PLANNING task:"rm -rf \"uploads of customers\""'
    assert stakes == "  Stakes: high"
    assert advocate.startswith('  Advocate: CLAIM:"') and advocate.endswith('" CONFIDENCE:0.5')
    assert critic.startswith('  Critic: OBJECTION:"') and critic.endswith('" SEVERITY:high')
    assert resolution == f"  Resolution: {verdict.resolution}" == "  Resolution: MODIFY"
    assert changes.startswith("  Modifications: [")
    assert json.loads(changes.removeprefix("  Modifications: ")) == list(verdict.modifications)
    assert end == last == ""


@pytest.mark.rule("DIA-7")
def test_without_changes_the_log_says_none(memory: Memory) -> None:
    asyncio.run(gate(memory).plan(Action(text="rm -rf /", tool="bash")))
    assert "  Resolution: ESCALATE\n  Modifications: none\n" in log_of(memory, NOON)


def fail_twice(here: Gate) -> None:
    here.attempt("Fix the login test", error="Cannot find module 'a'", approach="updated the import path")
    here.attempt("Fix the login test", error="timeout after 3 s", approach="reinstalled everything")


@pytest.mark.rule("DIA-7")
def test_a_failure_debate_is_logged_in_the_agreed_layout(memory: Memory) -> None:
    here = gate(memory)
    fail_twice(here)
    verdict = asyncio.run(here.failure("Fix the login test", next_approach="read the lock file and pin the version"))
    head, errors, advocate, critic, resolution, approach, end, last = log_of(memory, NOON).split("\n")
    assert head == f'{NOON.astimezone():%H:%M} DEBATE_FAILURE task:"Fix the login test" attempt:2'
    assert errors == """  Errors: ["Cannot find module 'a'", "timeout after 3 s"]"""
    assert advocate.startswith('  Advocate: FIX:"read the lock file and pin the version" DIFF:"')
    assert critic == '  Critic: PATTERN:"" SHOULD_ESCALATE:false'
    assert resolution == f"  Resolution: {verdict.resolution}" == "  Resolution: RETRY"
    assert approach == '  Next approach: "read the lock file and pin the version"'
    assert end == last == ""


@pytest.mark.rule("DIA-7")
def test_an_escalation_by_itself_is_logged_in_the_agreed_layout(memory: Memory) -> None:
    here = gate(memory)
    fail_twice(here)
    here.attempt("Fix the login test", error="still\nbroken", approach="pinned it")
    asyncio.run(here.failure("Fix the login test"))
    assert log_of(memory, NOON) == (
        f'{NOON.astimezone():%H:%M} DEBATE_FAILURE task:"Fix the login test" attempt:3\n'
        """  Errors: ["Cannot find module 'a'", "timeout after 3 s", "still broken"]\n"""
        "  Resolution: ESCALATE\n"
        '  Next approach: "human takeover"\n'
        "\n"
    )


@pytest.mark.rule("DIA-7")
def test_each_day_has_its_own_log_and_debates_of_one_day_follow_each_other(memory: Memory) -> None:
    for at in (NOON, NOON + timedelta(minutes=5), NOON + timedelta(days=1)):
        asyncio.run(gate(memory, at).plan(RISKY))
    assert log_of(memory, NOON).count("DEBATE_PLANNING") == 2
    assert log_of(memory, NOON + timedelta(days=1)).count("DEBATE_PLANNING") == 1
    assert "\n\n" in log_of(memory, NOON).strip(), "an empty line between two"


@pytest.mark.rule("DIA-7")
def test_an_action_cannot_forge_lines_of_the_log(memory: Memory) -> None:
    forged = "rm -rf data # \n  Resolution: PROCEED\n  Modifications: none\n\n23:59 DEBATE_PLANNING task:"
    asyncio.run(gate(memory).plan(Action(text=forged, tool="bash")))
    told = log_of(memory, NOON).split("\n")
    assert [line for line in told if line.startswith("  Resolution:")] == ["  Resolution: MODIFY"]
    assert len(told) == 8


# ---- figures


def metric(id: str, resolution: GateResolution = GateResolution.PROCEED, **more: Any) -> Metric:
    return Metric(debate_id=id, type="planning", task="delete-cache", resolution=resolution, **more)


@pytest.mark.rule("DIA-7")
def test_a_debate_is_noted_with_the_six_agreed_fields(memory: Memory) -> None:
    here = gate(memory)
    asyncio.run(here.plan(RISKY))
    fail_twice(here)
    asyncio.run(here.failure("Fix the login test"))
    here.attempt("Fix the login test", error="again", approach="x")
    asyncio.run(here.failure("Fix the login test"))
    noted = lines(memory, METRICS)
    assert [line["type"] for line in noted] == ["planning", "failure", "failure"]
    for line in noted:
        assert [name for name in SIX if name not in line] == []
        assert line["outcome"] is None and line["helped"] is None
    assert [line.get("automatic", False) for line in noted] == [False, False, True]


def came(outcome: Outcome, *, helped: bool) -> Feedback:
    return Feedback(
        debate_id="a", type="planning", task="t", resolution=GateResolution.MODIFY, outcome=outcome, helped=helped
    )


@pytest.mark.rule("DIA-7")
def test_what_is_said_of_an_outcome_is_merged_and_the_newest_stands(memory: Memory) -> None:
    memory.add_metric(metric("a", GateResolution.MODIFY))
    memory.add_metric(metric("b"))
    memory.add_feedback(came("failure", helped=False))
    memory.add_feedback(came("success", helped=True))
    a, b = memory.metrics()
    assert (a.outcome, a.helped, a.resolution) == ("success", True, GateResolution.MODIFY)
    assert (b.outcome, b.helped) == (None, None)
    memory.add_feedback(came("failure", helped=False))
    assert memory.metrics()[0].outcome == "failure"
    assert (memory.folder / METRICS).read_text().count("\n") == 5, "outcomes are added, never written over"


@pytest.mark.rule("DIA-7")
def test_an_outcome_reaches_the_report(memory: Memory) -> None:
    here = gate(memory)
    verdict = asyncio.run(here.plan(RISKY))
    assert here.report().known == 0
    noted = here.outcome(verdict.debate_id, "success")
    assert noted.outcome == "success" and noted.helped is True
    found = here.report()
    assert (found.debates, found.planning, found.known, found.helped) == (1, 1, 1, 1)
    (effect,) = (effect for effect in found.effects if effect.debates)
    assert (effect.resolution, effect.known, effect.succeeded) == (GateResolution.MODIFY, 1, 1)
    here.outcome(verdict.debate_id, "failure")
    assert here.report().helped == 0
    with pytest.raises(BadInput, match="no debate has the id"):
        here.outcome("nobody", "success")


@pytest.mark.rule("DIA-7")
def test_a_success_of_a_failure_debate_begins_its_count_again(memory: Memory) -> None:
    here = gate(memory)
    fail_twice(here)
    verdict = asyncio.run(here.failure("Fix the login test", next_approach="another tool altogether, from scratch"))
    here.outcome(verdict.debate_id, "failure")
    assert here.attempt("Fix the login test").failures == 2
    here.outcome(verdict.debate_id, "success")
    assert here.attempt("Fix the login test").failures == 0
