"""Where a gate could be slipped past, broken open or worn down."""

import asyncio
import fcntl
import json
from pathlib import Path

import pytest

from cruxfinder.adapters.packs.rule_file import shipped_rules
from cruxfinder.cli.gate_hook import read_action as read_event
from cruxfinder.errors import StoreFault
from cruxfinder.gate.actions import Action
from cruxfinder.gate.forms import GateResolution
from cruxfinder.gate.router import route
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import FAILURES, METRICS, Memory
from cruxfinder.gate.runtime.gate_prompts import share
from cruxfinder.kernel import private_files
from tests import pace


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(rules=shipped_rules(), memory=Memory(tmp_path), disabled=False)


# ---- worn down


NASTY = [
    "cat .ssh ",
    "grant ",
    "alter table ",
    "revoke ",
    "update ",
    "delete from ",
    "aws s3 ",
    "eval $(",
    "git push ",
    "rm -r ",
    "(",
    "\n",
    "a=b ",
    "curl -k ",
    "scp -i x ",
    "db drop ",
    "for rm ",
    "x() { ",
    '"$(',
    "kubectl get secret ",
]


LONG = 8_000
EVERYDAY = (
    "git status && ls -la src/app{0} | grep -v test > out{0}.txt; make build{0}\n"  # what is the same is read once
)


@pytest.mark.rule("DIA-8")
@pytest.mark.parametrize("seed", NASTY)
@pytest.mark.parametrize("tool", ["bash", "sql"])
def test_a_nasty_action_is_routed_about_as_fast_as_others(seed: str, tool: str) -> None:
    """A hook that takes too long is passed over by those who wait for it."""

    def routed(text: str) -> None:
        route(Action(text=text, tool=tool), shipped_rules())

    usual = "".join(EVERYDAY.format(number) for number in range(200))[:LONG]
    assert pace.times(routed, (seed * LONG)[:LONG], usual, enough=10) < 10


def test_many_known_tasks_do_not_slow_an_attempt_down(gate: Gate) -> None:
    line = {"attempt": 1, "ts": "2026-01-01T00:00:00Z", "error": "e", "approach": "a"}

    def attempted(known: str) -> None:
        (gate.memory.folder / FAILURES).write_text(known)
        gate.attempt("something else entirely")

    def tasks(many: int) -> str:
        told = [json.dumps({**line, "task_id": f"{n:016x}", "task": f"do thing number {n}"}) for n in range(many)]
        return "\n".join(["", *told, ""])

    assert pace.times(attempted, tasks(600), tasks(100), enough=15) < 15


def test_a_file_that_somebody_holds_for_ever_is_told(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private_files, "LOCK_S_MAX", 0.05)
    gate.attempt("a task", error="e")
    with (gate.memory.folder / FAILURES).open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(StoreFault, match="another process holds"):
            gate.attempt("a task", error="e")


# ---- broken open


@pytest.mark.rule("DIA-7")
@pytest.mark.parametrize(
    "line",
    [
        {"debate_id": "a", "type": "planning", "resolution": []},
        {"debate_id": "a", "type": [], "resolution": "PROCEED"},
        {"debate_id": {}, "type": "planning", "resolution": "PROCEED"},
        {"debate_id": "a", "type": "planning", "resolution": "PROCEED", "dollars": 10**400, "calls": "x", "rules": 7},
    ],
)
def test_strange_lines_of_the_figures_break_nothing(gate: Gate, line: dict[str, object]) -> None:
    (gate.memory.folder / METRICS).write_text(json.dumps(line) + "\n")
    gate.report()


@pytest.mark.rule("DIA-6")
def test_strange_lines_of_failures_break_nothing(gate: Gate) -> None:
    lines = [{"task_id": "t", "ts": "2026-01-01T00:00:00Z", "reset": []}, {"task_id": [], "ts": {}}, {"attempt": {}}]
    (gate.memory.folder / FAILURES).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert gate.attempt("a task", error="e").failures == 1


@pytest.mark.rule("DIA-7")
def test_every_line_of_the_figures_has_the_six_fields(gate: Gate) -> None:
    verdict = asyncio.run(gate.plan(Action(text="git push --force", tool="bash")))
    gate.outcome(verdict.debate_id, "success")
    lines = [json.loads(line) for line in (gate.memory.folder / METRICS).read_text().splitlines()]
    assert len(lines) == 2
    assert all({"debate_id", "type", "task", "resolution", "outcome", "helped"} <= set(line) for line in lines)


# ---- slipped past


@pytest.mark.rule("DIA-8")
@pytest.mark.parametrize(
    "tool",
    [
        "mcp__planetscale__delete_branch",
        "mcp__mongodb__drop-database",
        "mcp__postgres__drop_table",
        "mcp__credit__refund",
        "mcp__todo__delete_everything",
        "mcp__listmonk__send_campaign",
        "deleteAllRecords",
        "SendEmail",
    ],
)
def test_a_tool_is_known_by_its_own_name(tool: str) -> None:
    assert route(Action(text="x", tool=tool), shipped_rules()).debate


@pytest.mark.parametrize(
    "tool",
    ["mcp__github__list_issues", "Read", "Grep", "Glob", "TodoWrite", "mcp__db__get_schema", "WebFetch", "readFile"],
)
def test_reading_is_not_denied(tool: str) -> None:
    action = Action(text="/usr/lib/python3/x.py", tool=tool, arguments=(("path", "/etc/passwd"),))
    assert not route(action, shipped_rules()).debate


def test_a_command_given_as_a_list_and_words_in_any_argument_are_seen() -> None:
    event = {"tool_name": "shell", "tool_input": {"command": ["bash", "-lc", "rm -rf /srv/x"]}}
    action = read_event(json.dumps(event).encode())
    assert action is not None and route(action, shipped_rules()).rule == "delete-tree"
    event = {"tool_name": "mcp__ops__do", "tool_input": {"path": "a", "action": "delete all production databases"}}
    action = read_event(json.dumps(event).encode())
    assert action is not None and route(action, shipped_rules()).debate


# ---- said clearly


@pytest.mark.parametrize("text", ["git branch -D topic", "apt-get purge x", "kubectl get secret db -o yaml"])
def test_a_rule_of_medium_stakes_names_what_to_check(gate: Gate, text: str) -> None:
    verdict = asyncio.run(gate.plan(Action(text=text, tool="bash")))
    assert verdict.resolution is GateResolution.MODIFY and verdict.modifications


def test_all_that_a_pass_needs_is_asked_for(gate: Gate) -> None:
    verdict = asyncio.run(gate.plan(Action(text="find . -name 'x*' -delete", tool="bash")))
    asked = {step.rpartition("[")[2].rstrip("]") for step in verdict.modifications}
    again = asyncio.run(gate.plan(Action(text=verdict.task, tool="bash"), checked=dict.fromkeys(asked, "seen")))
    assert again.resolution is GateResolution.PROCEED


def test_confidence_is_not_rounded_up() -> None:
    assert share({"confidence": 0.796}, "confidence") < 0.8


def test_a_secret_on_a_line_of_its_own_is_taken_out(gate: Gate) -> None:
    hidden = "hunter2" + "Zq9x"
    gate.attempt(f"deploy with\npassword: |\n  {hidden}\n", error="e")
    assert hidden not in (gate.memory.folder / FAILURES).read_text()


@pytest.mark.rule("DIA-6")
@pytest.mark.parametrize(
    "words",
    [
        "this is the 3rd time, come on, hurry up already, ridiculous nonsense",
        "don't start over, keep going",
        "why did you say it was fixed?",
    ],
)
def test_impatience_denials_and_questions_reset_nothing(gate: Gate, words: str) -> None:
    gate.attempt("a task", error="e")
    assert not gate.reset("a task", said=words).done
    assert gate.reset("a task", said="I have fixed it").done
