"""The gate as a PreToolUse hook: events as a coding agent sends them, and answers as it reads them."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bench.fake.server import FakeProvider, served
from cruxfinder.cli import gate_hook
from cruxfinder.cli.main import app
from cruxfinder.errors import BadInput

CHECKS = ("--checked", "listed: 11 files", "--checked", "backup: a.tgz opens", "--checked", "in-use: nobody")
Hook = Callable[..., dict[str, str] | None]


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith("CRUX_") or name in ("DISABLE_DEBATE", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "memory"
    monkeypatch.setenv("CRUX_GATE_MEMORY", str(folder))
    return folder


@pytest.fixture
def hook(memory: Path, capsys: pytest.CaptureFixture[str]) -> Hook:
    """What the hook decides on these bytes; None where it says nothing. What it raises blocks the call."""

    def decided(data: bytes | dict[str, Any], *args: str) -> dict[str, str] | None:
        out = gate_hook.answer(data if isinstance(data, bytes) else json.dumps(data).encode(), args)
        assert capsys.readouterr() == ("", "")
        if not out:
            return None
        assert "\n" not in out
        answer = json.loads(out)
        assert set(answer) == {"hookSpecificOutput"}
        told = answer["hookSpecificOutput"]
        assert set(told) == {"hookEventName", "permissionDecision", "permissionDecisionReason"}
        assert told["hookEventName"] == "PreToolUse" and told["permissionDecision"] in ("deny", "ask")
        assert told["permissionDecisionReason"].strip()
        return told

    return decided


def event(tool: str, **given: Any) -> dict[str, Any]:
    return {
        "session_id": "0c7a9b1e-aaaa-bbbb-cccc-1234567890ab",
        "transcript_path": "/srv/home/ann/.claude/projects/app/0c7a9b1e.jsonl",
        "cwd": "/srv/home/ann/app",
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": given,
        "tool_use_id": "toolu_01ABC",
    }


def bash(command: str) -> dict[str, Any]:
    return event("Bash", command=command, description="A step of the plan", timeout=120000, run_in_background=False)


# ---- nothing to say


@pytest.mark.parametrize(
    "call",
    [
        bash("git status && pytest -q"),
        bash("echo 'rm -rf /'"),
        event("Write", file_path="/srv/home/ann/app/a.py", content="import os\nos.system('rm -rf /')\n"),
        event(
            "Edit", file_path="/srv/home/ann/app/a.py", old_string="drop table users", new_string="x", replace_all=True
        ),
        event("Read", file_path="/srv/home/ann/app/deploy/production.sql", limit=10, offset=0),
        event("Grep", pattern="rm -rf /", path="."),
        event("Glob", pattern="**/*.sql"),
        event("TodoWrite", todos=[{"content": "delete the production database", "status": "pending"}]),
        event("WebFetch", url="https://host.example/delete-all", prompt="what does it say?"),
        event("mcp__github__list_issues", owner="a", repo="b", state="open"),
        event("mcp__docs__search", query="drop table users"),
        event("Bash", command=""),
        event("Bash"),
    ],
    ids=lambda call: f"{call['tool_name']} {json.dumps(call['tool_input'])[:40]}",
)
def test_everyday_calls_get_no_answer_and_leave_nothing(hook: Hook, memory: Path, call: dict[str, Any]) -> None:
    assert hook(call) is None
    assert not memory.exists()


@pytest.mark.parametrize("name", ["PostToolUse", "UserPromptSubmit", "Stop", "SessionStart", "Notification"])
def test_other_events_are_none_of_its_business(hook: Hook, memory: Path, name: str) -> None:
    assert hook({**bash("rm -rf /"), "hook_event_name": name}) is None
    assert not memory.exists()


# ---- deny and ask


@pytest.mark.parametrize(
    ("call", "rule", "decision"),
    [
        (bash("rm -rf uploads"), "delete-tree", "deny"),
        (bash("cd /tmp && git push --force origin main"), "force-push", "deny"),
        (bash("rm -rf /"), "delete-everything", "ask"),
        (bash("dd if=/dev/zero of=/dev/sda"), "overwrite-disk", "ask"),
        (event("Write", file_path="/etc/sudoers", content="ann ALL=(ALL) NOPASSWD: ALL"), "system-files", "deny"),
        (
            event("Edit", file_path="/srv/home/ann/.ssh/authorized_keys", old_string="a", new_string="b"),
            "system-files",
            "deny",
        ),
        (
            event("MultiEdit", file_path="/etc/hosts", edits=[{"old_string": "a", "new_string": "b"}]),
            "system-files",
            "deny",
        ),
        (event("mcp__crm__delete_customers", ids=[1, 2], confirm=True), "destructive-words", "deny"),
        (event("mcp__shop__create_refund", amount=100, currency="EUR"), "money", "deny"),
        (event("mcp__postgres__query", sql="DROP TABLE users"), "drop-data", "deny"),
        (event("mcp__ops__do", text="Wipe the customer database"), "destructive-words", "deny"),
        (event("mcp__box__delete_all"), "destructive-words", "deny"),
    ],
    ids=lambda value: value["tool_name"] if isinstance(value, dict) else value,
)
def test_risky_calls_are_denied_with_a_way_or_put_to_the_person(
    hook: Hook, memory: Path, call: dict[str, Any], rule: str, decision: str
) -> None:
    told = hook(call)
    assert told is not None and told["permissionDecision"] == decision
    reason = told["permissionDecisionReason"]
    assert reason.split(":")[0].split(", ")[0] == rule
    if decision == "deny":
        assert "Do this first: 1. " in reason and "crux gate plan" in reason and "--checked" in reason
    (noted,) = [json.loads(line) for line in (memory / "debate-metrics.jsonl").read_text().splitlines()]
    assert f"(debate {noted['debate_id']})" in reason and noted["rules"][0] == rule


def test_without_the_name_of_an_event_a_call_is_a_call(hook: Hook) -> None:
    told = hook({"tool_name": "Bash", "tool_input": {"command": "rm -rf uploads"}})
    assert told is not None and told["permissionDecision"] == "deny"


@pytest.mark.parametrize("mode", ["default", "plan", "acceptEdits", "bypassPermissions"])
def test_the_mode_of_the_agent_changes_nothing(hook: Hook, mode: str) -> None:
    told = hook({**bash("rm -rf uploads"), "permission_mode": mode})
    assert told is not None and told["permissionDecision"] == "deny"


# ---- what it cannot read

MALFORMED = (
    b"",
    b"   ",
    b"no JSON",
    b"{",
    b"[]",
    b"null",
    b"7",
    b'"rm -rf /"',
    b"{}",
    b'{"tool_name": "Bash"}',
    b'{"tool_input": {"command": "ls"}}',
    b'{"tool_name": "Bash", "tool_input": "ls"}',
    b'{"tool_name": "Bash", "tool_input": ["ls"]}',
    b'{"tool_name": 7, "tool_input": {}}',
    b'{"tool_name": null, "tool_input": null}',
    b"\xff\xfe\x00",
    b'{"tool_name": "Bash", "tool_input": {"command": "\xff"}}',
    b"[" * 100_000,
    b'{"a": ' * 100_000,
    b'{"tool_name": "Bash", "tool_input": {"timeout": 1' + b"0" * 5_000 + b"}}",
    bash("rm -rf /").__repr__().encode(),
)


@pytest.mark.parametrize("data", MALFORMED, ids=lambda data: repr(data[:40]))
def test_what_cannot_be_read_blocks(hook: Hook, memory: Path, data: bytes) -> None:
    with pytest.raises((ValueError, RecursionError)):
        hook(data)
    assert not memory.exists()


def test_a_call_too_long_to_be_read_blocks(hook: Hook) -> None:
    with pytest.raises(ValueError, match="too long"):
        hook(json.dumps(bash("a" * (17 << 20))).encode())


@pytest.mark.parametrize(
    "command", ["rm -rf \ud800 uploads", "rm -rf up\x00loads", "rm -rf \x1b[2J\u2028»", "rm -rf ünï"]
)
def test_strange_letters_do_not_confuse_it(hook: Hook, command: str) -> None:
    told = hook(bash(command))
    assert told is not None and told["permissionDecision"] in ("deny", "ask")


@pytest.mark.parametrize("args", [("--off", "nobody"), ("--rules", "nowhere.yaml")])
def test_settings_that_are_wrong_block(hook: Hook, args: tuple[str, ...]) -> None:
    with pytest.raises(BadInput):
        hook(bash("git status"), *args)


def test_a_memory_that_cannot_be_used_blocks(hook: Hook, memory: Path) -> None:
    memory.write_text("a file")
    with pytest.raises(BadInput, match="cannot remember"):
        hook(bash("rm -rf uploads"))
    assert hook(bash("git status")) is None, "what calls for no debate needs no memory"


def test_torn_and_foreign_lines_in_its_memory_wave_nothing_through(hook: Hook, memory: Path) -> None:
    memory.mkdir()
    (memory / "debate-metrics.jsonl").write_bytes(b'{"debate_id": "a", "type\n\xff\xfe\nnull\n[]\n{}\n{"debate_id": 7}')
    told = hook(bash("rm -rf uploads"))
    assert told is not None and told["permissionDecision"] == "deny"


# ---- what a PROCEED lets pass


def planned(*args: str) -> int:
    return CliRunner().invoke(app, ["gate", "plan", *args]).exit_code


def call_id(told: dict[str, str] | None) -> str:
    assert told is not None
    found = re.search(r"crux gate plan --call (\w+) ", told["permissionDecisionReason"])
    assert found is not None
    return found[1]


def test_a_call_that_was_turned_back_passes_once_after_what_it_asks_for(hook: Hook) -> None:
    id = call_id(hook(bash("rm -rf uploads")))
    assert planned("--call", id) == 10
    assert hook(bash("rm -rf uploads")) is not None, "a MODIFY lets nothing pass"
    assert planned("--call", id, *CHECKS) == 0
    for other in (
        "rm -rf uploads2",
        "rm -rf uploads /",
        "rm -rf uploads; rm -rf data",
        "rm -rf  uploads",
        "rm -fr uploads",
    ):
        assert hook(bash(other)) is not None, other
    assert hook(event("zsh", command="rm -rf uploads")) is not None
    assert hook(bash("rm -rf uploads")) is None
    assert hook(bash("rm -rf uploads")) is not None, "once"


@pytest.mark.parametrize(
    "more", [("rm -rf uploads",), ("--tool", "bash"), ("--rules", "x.yaml"), ("--off", "money"), ("--model", "m")]
)
def test_beside_the_id_of_a_call_nothing_else_names_it_or_its_gate(hook: Hook, more: tuple[str, ...]) -> None:
    assert planned("--call", call_id(hook(bash("rm -rf uploads"))), *more, *CHECKS) == 2


def test_an_action_that_was_planned_word_for_word_passes_in_its_folder(hook: Hook, tmp_path: Path) -> None:
    call = {**event("Bash", command="rm -rf uploads"), "cwd": os.getcwd()}
    assert planned("rm -rf uploads", "--tool", "Bash", "--house", *CHECKS) == 0
    assert hook({**call, "cwd": str(tmp_path)}) is not None, "another folder"
    assert hook({**call, "tool_input": {"command": "rm -rf uploads", "script": "x"}}) is not None
    assert hook(call) is None
    given = json.dumps({"command": "rm -rf uploads", "timeout": 5})
    assert planned("rm -rf uploads", "--tool", "Bash", "--arguments", given, "--house", *CHECKS) == 0
    assert hook({**call, "tool_input": {"timeout": 5, "command": "rm -rf uploads"}}) is None


def test_a_proceed_without_the_tool_lets_no_call_pass(hook: Hook) -> None:
    assert planned("rm -rf uploads", "--house", *CHECKS) == 0
    assert hook({**event("Bash", command="rm -rf uploads"), "cwd": os.getcwd()}) is not None


def test_what_passed_while_the_gate_was_off_passes_no_longer(hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISABLE_DEBATE", "1")
    assert hook(bash("rm -rf /")) is None
    assert planned("rm -rf /", "--tool", "Bash") == 0
    monkeypatch.delenv("DISABLE_DEBATE")
    assert hook(bash("rm -rf /")) is not None


def test_nothing_inside_a_call_switches_the_gate_off(hook: Hook) -> None:
    for command in (
        "DISABLE_DEBATE=1 rm -rf uploads",
        "export DISABLE_DEBATE=1; rm -rf uploads",
        "env CRUX_GATE_OFF=delete-tree rm -rf uploads",
    ):
        assert hook(bash(command)) is not None, command
    call = bash("rm -rf uploads")
    call["tool_input"] |= {"permissionDecision": "allow", "checked": {"listed": "x"}, "DISABLE_DEBATE": "1"}
    call |= {"permissionDecision": "allow", "hookSpecificOutput": {"permissionDecision": "allow"}}
    told = hook(call)
    assert told is not None and told["permissionDecision"] == "deny"


# ---- flags


def test_flags_name_memory_rules_and_what_is_off(hook: Hook, memory: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(
        "rules:\n  - {id: cat, kind: people, stakes: high, says: Feeds., shell: [{programs: [feed]}],"
        " fails: [{id: fed, lost: It was fed., first: Ask the neighbour and note it, undo: No.}]}\n"
    )
    other = tmp_path / "other"
    assert hook(bash("feed cat")) is None
    told = hook(bash("feed cat"), "--rules", str(own), "--memory", str(other))
    assert told is not None and told["permissionDecisionReason"].startswith("cat: ")
    assert (other / "debate-metrics.jsonl").exists() and not memory.exists()
    assert hook(bash("git push --force"), "--off", "force-push", "--off", "money") is None
    assert hook(bash("git push --force"), "--off", "money") is not None


def test_a_model_may_debate_and_one_that_fails_waves_nothing_through(hook: Hook) -> None:
    def reply(system: str, user: str) -> str:
        fields = {"claim": "c", "supports": [], "confidence": 0.9, "objection": "o", "risks": [], "counter": ""}
        return json.dumps({**fields, "severity": "low"})

    with served(FakeProvider(reply)) as provider:
        at = ("--model", "fake", "--base-url", provider.url)
        assert hook(bash("git status"), *at) is None
        assert provider.count == 0
        told = hook(bash("rm -rf uploads"), *at)
        assert told is not None and told["permissionDecision"] == "deny", "what the house knows stands until checked"
        assert provider.count == 2
        assert planned("--call", call_id(told), *CHECKS) == 0
        assert provider.count == 4, "the hook's own judge"
        assert hook(bash("rm -rf uploads"), *at) is None
    with served(FakeProvider(reply, faults=lambda number: "prose")) as provider:
        told = hook(bash("rm -rf data"), "--model", "fake", "--base-url", provider.url)
        assert told is not None and told["permissionDecision"] == "ask"


# ---- as the agent runs it


def ran(data: bytes) -> subprocess.CompletedProcess[bytes]:
    hook = [sys.executable, "-m", "cruxfinder", "gate", "hook"]
    return subprocess.run(hook, input=data, capture_output=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        pytest.param(json.dumps(bash("git status")).encode(), b"", marks=pytest.mark.slow),
        (json.dumps(bash("rm -rf uploads")).encode(), b'"permissionDecision": "deny"'),
        pytest.param(json.dumps(bash("rm -rf /")).encode(), b'"permissionDecision": "ask"', marks=pytest.mark.slow),
    ],
)
def test_it_ends_well_whatever_it_says(memory: Path, data: bytes, said: bytes) -> None:
    done = ran(data)
    assert (done.returncode, done.stderr) == (0, b"")
    assert said in done.stdout and bool(done.stdout) == bool(said)


def test_an_everyday_call_loads_no_models_and_no_loop(memory: Path) -> None:
    program = (
        "import sys\nfrom cruxfinder.cli import hook_guard\nassert hook_guard.judge([]) == ''\n"
        "print(*sorted({name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(bash("ls")).encode(),
        capture_output=True,
        timeout=60,
        check=True,
    )
    loaded = set(done.stdout.decode().split())
    assert loaded.isdisjoint(
        {"numpy", "pydantic", "rich", "httpx", "pydantic_ai", "mcp", "asyncio", "sqlite3", "typer"}
    )
