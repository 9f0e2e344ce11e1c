"""Files of the gate's own: links, pipes, second names and very long logs put where the gate expects its own files."""

import json
import os
import stat
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cruxfinder.adapters.packs.rule_file import shipped_rules
from cruxfinder.errors import CruxfinderError
from cruxfinder.gate.failures import FollowUp
from cruxfinder.gate.runtime import gate_memory as memory_files
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import FAILURES, METRICS, TAIL_MAX, Memory
from tests.attack.working_tree import WorkingTree

RM = "rm -rf uploads"
DAY = f"{datetime.now():%Y-%m-%d}.md"


@pytest.mark.slow
@pytest.mark.parametrize("name", [METRICS, DAY])
def test_a_pipe_in_place_of_a_log_hangs_nothing(tree: WorkingTree, name: str) -> None:
    tree.memory.mkdir()
    os.mkfifo(tree.memory / name)
    assert tree.hook(command=RM).decision == "blocked"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["key", "key.lock", "approvals", "calls"])
def test_a_pipe_in_the_state_folder_hangs_nothing(tree: WorkingTree, name: str) -> None:
    tree.state.mkdir(parents=True, mode=0o700)
    os.mkfifo(tree.state / name)
    assert tree.hook(command=RM).decision in ("blocked", "deny")


@pytest.mark.slow
@pytest.mark.parametrize("link", ["soft", "hard"])
def test_a_linked_log_writes_into_no_other_file(tree: WorkingTree, link: str) -> None:
    bashrc = tree.home / ".bashrc"
    bashrc.write_text("alias ll='ls -l'\n")
    tree.memory.mkdir()
    for name in (DAY, METRICS, FAILURES):
        (tree.memory / name).symlink_to(bashrc) if link == "soft" else os.link(bashrc, tree.memory / name)
    assert tree.hook(command="rm -rf uploads # $(touch pwned)").decision == "blocked"
    assert tree.crux("gate", "attempt", "fix it", "--error", "x", "--memory", ".gate").returncode != 0
    assert bashrc.read_text() == "alias ll='ls -l'\n"


@pytest.mark.slow
def test_a_linked_folder_is_written_into_by_nobody(tree: WorkingTree) -> None:
    (tree.home / ".config").mkdir()
    tree.memory.symlink_to(tree.home / ".config")
    assert tree.hook(command=RM).decision == "blocked"
    assert list((tree.home / ".config").iterdir()) == []


@pytest.mark.slow
def test_everything_the_gate_writes_is_its_owners_alone(tree: WorkingTree) -> None:
    before = os.umask(0)
    try:
        tree.hook(command=RM)
        tree.crux("gate", "attempt", "fix it", "--error", "x", "--memory", ".gate")
    finally:
        os.umask(before)
    found = [path for place in (tree.memory, tree.state) for path in (place, *place.rglob("*"))]
    assert {path.name for path in found} >= {DAY, METRICS, FAILURES, "key"}
    for path in found:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


# ---- long logs


def long_log(path: Path, size: int) -> None:
    line = {"debate_id": "a" * 8, "type": "planning", "task": "x" * 200, "resolution": "MODIFY", "dollars": 0.1}
    block = "".join(f"{json.dumps({**line, 'debate_id': f'{n:08x}'})}\n" for n in range(4_000))
    with path.open("w") as file:
        while file.tell() < size:
            file.write(block)


@pytest.mark.parametrize("name", [METRICS, FAILURES])
def test_of_a_very_long_log_the_tail_is_read(tmp_path: Path, name: str) -> None:
    def seconds(folder: str, size: int) -> float:
        memory = Memory(tmp_path / folder)
        memory.folder.mkdir()
        long_log(memory.folder / name, size)
        began = time.process_time()
        memory.metrics()
        memory.failures()
        memory.torn_line_count()
        return time.process_time() - began

    usual = seconds("usual", TAIL_MAX + 1)
    assert seconds("long", 12 * TAIL_MAX) < 4 * usual


@pytest.fixture
def tail_max(monkeypatch: pytest.MonkeyPatch) -> int:
    """A short tail, so that a log is soon too long for it."""
    monkeypatch.setattr(memory_files, "TAIL_MAX", 64 << 10)
    return 64 << 10


def gate(folder: Path) -> Gate:
    return Gate(rules=shipped_rules(), memory=Memory(folder), disabled=False)


def noise(task: str, number: int, **more: object) -> str:
    told = {"task_id": task, "attempt": 1, "ts": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}", "error": "e" * 900}
    return json.dumps({**told, "approach": f"try {number}", **more}) + "\n"


def test_what_failed_before_the_tail_is_not_forgotten(tmp_path: Path, tail_max: int) -> None:
    here = gate(tmp_path)
    for number in range(2):
        here.attempt("fix the login", error=f"error {number}", approach=f"approach {number}")
        here.attempt("mended since", error="e")
    here.success("mended since")
    with (tmp_path / FAILURES).open("a") as file:
        file.writelines(noise(f"{number:016x}", number) for number in range(2 * tail_max // 1_000))
    here.attempt("another task", error="x")  # a writer takes what is new into the index
    known = here.attempt("fix the login")
    assert (known.failures, known.due) == (2, FollowUp.DEBATE)
    assert here.attempt("mended since").failures == 0
    assert here.attempt("fix the login", error="error 3").due is FollowUp.ESCALATION


@pytest.mark.parametrize(
    "forged", ["no JSON", "[]", '{"end": -1}', '{"end": 1e999, "tasks": {"a": [0]}}', '{"end": 5}']
)
def test_an_index_that_is_none_is_made_anew(tmp_path: Path, tail_max: int, forged: str) -> None:
    (tmp_path / f"{FAILURES}.index").write_text(forged)
    test_what_failed_before_the_tail_is_not_forgotten(tmp_path, tail_max)


def test_an_index_that_points_into_the_middle_of_a_line_invents_nothing(tmp_path: Path, tail_max: int) -> None:
    here = gate(tmp_path)
    with (tmp_path / FAILURES).open("a") as file:
        file.writelines(noise(f"{number:016x}", number) for number in range(2 * tail_max // 1_000))
    size = (tmp_path / FAILURES).stat().st_size
    (tmp_path / f"{FAILURES}.index").write_text(json.dumps({"end": size, "tasks": {"f" * 16: [7, 300, 5_000]}}))
    assert all(entry.task_id != "f" * 16 for entry in here.memory.failures())


def test_a_log_that_is_somebody_elses_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / METRICS).mkdir()
    with pytest.raises(CruxfinderError, match="no regular file"):
        Memory(tmp_path).metrics()
