"""The gate's commands: what they print, their JSON, their exit codes, and what they say to wrong input."""

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
from cruxfinder.adapters.packs.rule_file import shipped_rules
from cruxfinder.cli import exits
from cruxfinder.cli.main import app
from tests.cli.conftest import Said

VERDICT = {
    *("debateId", "type", "task", "resolution", "rationale", "debated", "thoughtBy", "stakes", "rules"),
    *("modifications", "nextApproach", "escalateTo", "attemptLimit", "dismissed", "rounds", "taskId", "failures"),
    *("stale", "resembles", "calls", "tokens", "dollars", "synthesis"),
}
KNOWN = {
    *("taskId", "task", "failures", "due", "stale", "resembles", "resembledTask", "fingerprint", "sameError"),
}
RESET = {"taskId", "done", "because", "why"}
METRIC = {
    *("debateId", "type", "task", "resolution", "ts", "outcome", "helped", "taskId", "stakes", "rules"),
    *("by", "automatic", "disabled", "calls", "tokens", "dollars"),
}
REPORT = {
    *("debates", "planning", "failure", "first", "last", "days", "effects", "rules", "escalations", "automatic"),
    *("helped", "known", "disabled", "calls", "tokens", "dollars"),
}
CHECKS = ("--checked", "listed: 11 files", "--checked", "backup: a.tgz opens", "--checked", "in-use: nobody")
RISKY = ("rm -rf uploads", "--tool", "bash")
COMMANDS = ("route", "plan", "failure", "attempt", "outcome", "reset", "report", "rules", "fingerprint", "csp", "hook")

Gate = Callable[..., Said]


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith("CRUX_") or name in ("DISABLE_DEBATE", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("COLUMNS", "100")
    folder = tmp_path / "memory"
    monkeypatch.setenv("CRUX_GATE_MEMORY", str(folder))
    return folder


@pytest.fixture
def gate(memory: Path) -> Gate:
    def say(*args: str, stdin: str | bytes = "") -> Said:
        result = CliRunner().invoke(app, ["gate", *args], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Said(result.exit_code, result.stdout, result.stderr)

    return say


def told(said: Said, code: int) -> dict[str, Any]:
    assert said.code == code, said
    assert said.err == ""
    found: dict[str, Any] = json.loads(said.out)
    return found


def refused(said: Said) -> str:
    """One sentence on stderr, and nothing else."""
    assert said.code == exits.BAD_INPUT, said
    assert said.out == "" and said.err.startswith("crux: ") and said.err.count("\n") == 1
    assert "Traceback" not in said.err
    return said.err


def fail(gate: Gate, times: int, task: str = "fix the login test", error: str = "Cannot find module 'a'") -> list[Said]:
    return [gate("attempt", task, "--error", error, "--approach", f"way {n}", "--json") for n in range(times)]


# ---- help


def test_the_group_lists_its_commands(gate: Gate) -> None:
    said = gate()
    assert said.code == exits.OK
    assert all(re.search(rf"\b{name}\b", said.out) for name in COMMANDS)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "hook"])
def test_every_command_explains_itself(gate: Gate, name: str) -> None:
    said = gate(name, "--help")
    assert said.code == exits.OK and said.err == ""
    assert f" gate {name} [OPTIONS]" in said.out and "--json" in said.out


def test_the_exit_codes_are_told_in_the_help(memory: Path) -> None:
    said = " ".join(CliRunner().invoke(app, ["--help"]).stdout.split())
    assert (exits.UNDECIDED, exits.MODIFY, exits.PIVOT, exits.ESCALATE) == (3, 10, 11, 20)
    assert all(word in said for word in ("PROCEED", "10 MODIFY", "11 PIVOT", "20 ESCALATE"))


# ---- route


@pytest.mark.rule("DIA-8")
def test_route_says_which_rule_calls_for_a_debate(gate: Gate, memory: Path) -> None:
    found = told(gate("route", *RISKY, "--json"), exits.OK)
    assert set(found) == {"stakes", "rule", "debate", "why", "rules"}
    assert (found["stakes"], found["rule"], found["debate"]) == ("high", "delete-tree", True)
    everyday = told(gate("route", "git status", "--json"), exits.OK)
    assert (everyday["stakes"], everyday["rule"], everyday["debate"]) == ("low", "", False)
    assert gate("route", *RISKY).out.startswith("debate: high stakes, delete-tree: Deletes whole folders")
    assert gate("route", "git status").out == "no debate: no rule fired\n"
    assert "dry-run" in gate("route", "git push --force --dry-run").out
    assert not memory.exists()


@pytest.mark.rule("DIA-8")
def test_route_reads_stdin_paths_and_the_environment(gate: Gate) -> None:
    assert told(gate("route", "-", "--json", stdin="rm -rf uploads\n"), exits.OK)["rule"] == "delete-tree"
    write = ("route", "change it", "--tool", "Write", "--json")
    assert not told(gate(*write, "--path", "src/a.py"), exits.OK)["debate"]
    assert told(gate(*write, "--path", "/etc/sudoers"), exits.OK)["rule"] == "system-files"
    apply = ("route", "kubectl apply -f app.yaml", "--tool", "bash", "--json")
    assert not told(gate(*apply), exits.OK)["debate"]
    assert told(gate(*apply, "--env", "production"), exits.OK)["rule"] == "kubernetes-production"


@pytest.mark.rule("DIA-8")
def test_route_answers_line_by_line_and_tells_bad_ones(gate: Gate) -> None:
    lines = [
        '{"action": "rm -rf uploads", "tool": "bash"}',
        '{"action": "git status"}',
        "no JSON",
        "",
        '{"tool": "bash"}',
        '{"action": 7}',
        '{"action": "git push --force", "more": [1]}\r',
        '{"action": ""}',
    ]
    said = gate("route", "--jsonl", stdin="\n".join(lines))
    assert said.code == exits.BAD_INPUT
    found = [json.loads(line) for line in said.out.splitlines()]
    assert [one.get("debate") for one in found] == [True, False, None, None, None, None, True, False]
    assert [one["line"] for one in found if "error" in one] == [3, 4, 5, 6]
    assert {"stakes", "rule", "debate"} <= set(found[0])
    assert said.err.count("\n") == 4 and "crux: line 3 is not" in said.err
    clean = gate("route", "--jsonl", stdin="\n".join(lines[:2]) + "\n")
    assert (clean.code, clean.err, clean.out.count("\n")) == (exits.OK, "", 2)


def test_route_heeds_off_switches(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    push = ("route", "git push --force", "--json")
    assert not told(gate(*push, "--off", "force-push"), exits.OK)["debate"]
    monkeypatch.setenv("CRUX_GATE_OFF", "force-push")
    assert not told(gate(*push), exits.OK)["debate"]
    monkeypatch.delenv("CRUX_GATE_OFF")
    monkeypatch.setenv("DISABLE_DEBATE", "1")
    found = told(gate(*push), exits.OK)
    assert (found["debate"], found["why"], found["rule"]) == (False, "DISABLE_DEBATE is set", "force-push")


# ---- plan


@pytest.mark.rule("DIA-2")
def test_plan_ends_with_the_code_of_its_resolution(gate: Gate) -> None:
    go = told(gate("plan", "ls -la", "--json"), exits.OK)
    assert set(go) == VERDICT and (go["resolution"], go["debated"]) == ("PROCEED", False)
    modify = told(gate("plan", *RISKY, "--json"), exits.MODIFY)
    assert set(modify) == VERDICT and modify["resolution"] == "MODIFY"
    assert [step.rpartition(" ")[2] for step in modify["modifications"]] == ["[listed]", "[backup]", "[in-use]"]
    assert set(modify["rounds"][0]) == {"advocate", "critic"} and modify["thoughtBy"] == "house"
    assert modify["synthesis"].startswith("RESOLUTION MODIFY\nRATIONALE ")
    done = told(gate("plan", *RISKY, *CHECKS, "--json"), exits.OK)
    assert (done["resolution"], done["debated"]) == ("PROCEED", True)
    human = told(gate("plan", "rm -rf /", *CHECKS, "--json"), exits.ESCALATE)
    assert (human["resolution"], human["escalateTo"]) == ("ESCALATE", "human")


def test_plan_tells_a_person_what_to_do_first(gate: Gate, memory: Path) -> None:
    said = gate("plan", *RISKY)
    assert said.code == exits.MODIFY and said.err == ""
    assert said.out.startswith("MODIFY: go on with changes\n  rm -rf uploads\n")
    for words in ("1. ", "[listed]", "[backup]", "crux gate plan 'rm -rf uploads'", "--checked", str(memory)):
        assert words in said.out.replace("\n     ", "") or words in said.out
    assert re.search(r"crux gate outcome [0-9a-f]{8} success\|failure", said.out)
    assert gate("plan", "ls").out == "PROCEED: go on\n  ls\nno rule fired\n"


def test_plan_reads_stdin(gate: Gate) -> None:
    found = told(gate("plan", "-", "--tool", "bash", "--json", stdin="rm -rf \\\n  uploads\n"), exits.MODIFY)
    assert found["rules"] == ["delete-tree"]
    assert told(gate("plan", "-", "--tool", "bash", "--json", stdin=b"rm -rf \xff\xfe up"), exits.MODIFY)["debated"]
    assert "no action" in refused(gate("plan", "-", stdin=""))


def test_plan_writes_where_it_is_told_to(gate: Gate, memory: Path, tmp_path: Path) -> None:
    gate("plan", *RISKY, "--memory", str(tmp_path / "other"))
    assert (tmp_path / "other" / "debate-metrics.jsonl").exists() and not memory.exists()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("plan", " "), "no action"),
        (("plan",), "say what is to be done"),
        (("plan", *RISKY, "--checked", "listed"), "say what was seen: --checked 'listed: …'"),
        (("plan", *RISKY, "--checked", "listed:  "), "say what was seen"),
        (("plan", *RISKY, "--stakes", "huge"), "huge"),
        (("plan", *RISKY, "--rounds", "0"), "rounds"),
        (("plan", *RISKY, "--rounds", "4"), "rounds"),
        (("plan", *RISKY, "--off", "nobody"), "no rule 'nobody'"),
        (("plan", *RISKY, "--rules", "nowhere.yaml"), "nowhere.yaml"),
        (("plan", *RISKY, "--bogus"), "--bogus"),
        (("route",), "say what is to be done"),
        (("route", "ls", "--jsonl"), "not both"),
        (("attempt", "?!"), "a task needs words"),
        (("attempt", "x y", "--error", "e", "--ok"), "cannot have failed and succeeded"),
        (("attempt", "x y", "--same-as", "nobody"), "no task is known as 'nobody'"),
        (("failure", "x y", "--attempt", "a"), "an --error for each --attempt"),
        (("outcome", "nobody", "success"), "no debate has the id 'nobody'"),
        (("outcome", "nobody", "perhaps"), "perhaps"),
        (("reset", ""), "a task needs words"),
        (("rules", "nobody"), "no rule 'nobody'"),
        (("fingerprint",), "give an error"),
        (("fingerprint", "x", "--jsonl"), "not both"),
        (("csp", "HELLO"), "line 1, column 1: expected one of DEBATE"),
        (("nobody",), "nobody"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else "",
)
def test_wrong_input_is_told_in_one_sentence(gate: Gate, args: tuple[str, ...], words: str) -> None:
    assert words in refused(gate(*args))
    assert words in refused(gate(*args, *(() if args[0] == "nobody" else ("--json",))))


def test_a_memory_that_cannot_be_used_is_told(gate: Gate, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("mine")
    assert "cannot remember in" in refused(gate("plan", *RISKY, "--memory", str(taken)))
    said = gate("report", "--memory", str(taken))
    assert (said.code, said.out) == (exits.FAULT, "") and "cannot be read" in said.err
    assert taken.read_text() == "mine"


# ---- attempts and failures


@pytest.mark.rule("DIA-6")
def test_attempt_counts_and_ends_with_twenty_after_the_third(gate: Gate) -> None:
    said = fail(gate, 3)
    assert [one.code for one in said] == [exits.OK, exits.OK, exits.ESCALATE]
    found = [json.loads(one.out) for one in said]
    assert all(set(one) == KNOWN for one in found)
    assert [(one["failures"], one["due"], one["sameError"]) for one in found] == [
        (1, "nothing", 1),
        (2, "debate", 2),
        (3, "escalation", 3),
    ]
    seen = gate("attempt", "fix the login test")
    assert seen.code == exits.ESCALATE and "3 failures of " in seen.out and "a human has to look at it" in seen.out
    ok = told(gate("attempt", "Fixing the login test", "--ok", "--json"), exits.OK)
    assert set(ok) == RESET and ok["because"] == "success"
    assert told(gate("attempt", "fix the login test", "--json"), exits.OK)["failures"] == 0


def test_attempt_reads_its_error_from_stdin_and_tells_a_person(gate: Gate) -> None:
    said = gate("attempt", "fix the login test", "--error", "-", stdin="ENOENT: no such file, open '/a/b'\n")
    assert said.code == exits.OK
    assert "1 failure of " in said.out and "fingerprint: enoent no such file open, seen 1 time" in said.out


@pytest.mark.rule("DIA-4")
def test_attempt_tells_which_task_it_resembles(gate: Gate) -> None:
    known = json.loads(fail(gate, 1, task="Fix the authentication test")[0].out)["taskId"]
    said = gate("attempt", "Fix the failing authentication test")
    assert f"It resembles the known task {known}; if it is that one, say it again with --same-as {known}:" in said.out
    assert "Fix the authentication test" in said.out
    assert told(gate("attempt", "Mend it", "--same-as", known, "--json"), exits.OK)["failures"] == 1


@pytest.mark.rule("DIA-3")
def test_failure_ends_with_the_code_of_its_resolution(gate: Gate) -> None:
    assert told(gate("failure", "fix the login test", "--json"), exits.OK)["debated"] is False
    fail(gate, 2)
    pivot = told(gate("failure", "fix the login test", "--json"), exits.PIVOT)
    assert set(pivot) == VERDICT and (pivot["resolution"], pivot["failures"]) == ("PIVOT", 2)
    assert pivot["nextApproach"]
    fail(gate, 1)
    human = told(gate("failure", "fix the login test", "--json"), exits.ESCALATE)
    assert (human["resolution"], human["debated"]) == ("ESCALATE", False)
    tried = ("--attempt", "raised the memory", "--error", "boom", "--attempt", "other import", "--error", "bang 3 != 4")
    retry = told(gate("failure", "sort it out", *tried, "--next", "rewrite the fixture", "--json"), exits.OK)
    assert (retry["resolution"], retry["attemptLimit"], retry["nextApproach"]) == ("RETRY", 1, "rewrite the fixture")
    assert gate("failure", "fix the login test").out.startswith("ESCALATE: stop and ask a human\n")


@pytest.mark.rule("DIA-6")
def test_reset_needs_a_reason_or_a_word(gate: Gate) -> None:
    fail(gate, 2)
    no = told(gate("reset", "fix the login test", "--said", "come on", "--json"), exits.UNDECIDED)
    assert set(no) == RESET and no["done"] is False
    assert gate("reset", "fix the login test", "--said", "come on").out.startswith("not reset: ")
    yes = told(gate("reset", "fix the login test", "--said", "I fixed the registry", "--json"), exits.OK)
    assert (yes["done"], yes["because"]) == (True, "context")
    assert gate("reset", "fix the login test").out.startswith("begun again: ")


# ---- outcomes and the report


@pytest.mark.rule("DIA-7")
def test_an_outcome_is_noted_and_reported(gate: Gate) -> None:
    assert gate("report").out.startswith("No debate is noted yet in ")
    empty = told(gate("report", "--json"), exits.OK)
    assert set(empty) == REPORT and empty["debates"] == 0
    id = told(gate("plan", *RISKY, "--json"), exits.MODIFY)["debateId"]
    noted = told(gate("outcome", id, "success", "--json"), exits.OK)
    assert set(noted) == METRIC and (noted["outcome"], noted["helped"]) == ("success", True)
    assert gate("outcome", id, "success", "--not-helped").out == f"{id} (MODIFY): success, the debate did not help\n"
    again = told(gate("plan", *RISKY, *CHECKS, "--json"), exits.OK)["debateId"]
    gate("outcome", again, "success")
    found = told(gate("report", "--json"), exits.OK)
    assert (found["debates"], found["planning"], found["known"], found["helped"]) == (2, 2, 2, 0)
    assert found["rules"] == [
        {"rule": "delete-tree", "debates": 2, "known": 2, "needless": 1, "falsePositives": 0.5},
    ]
    assert {row["resolution"]: row["share"] for row in found["effects"] if row["debates"]} == {
        "PROCEED": 1,
        "MODIFY": 1,
    }
    said = gate("report").out
    assert "2 debates on 1 day" in said and "delete-tree" in said and "50" in said and id in said


@pytest.mark.rule("DIA-8")
def test_while_it_is_switched_off_everything_goes_on_and_is_counted(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISABLE_DEBATE", "1")
    found = told(gate("plan", "rm -rf /", "--json"), exits.OK)
    assert (found["resolution"], found["rationale"]) == ("PROCEED", "DISABLE_DEBATE is set")
    report = told(gate("report", "--json"), exits.OK)
    assert (report["debates"], report["disabled"]) == (0, 1)


def test_torn_lines_are_told_in_the_report(gate: Gate, memory: Path) -> None:
    gate("plan", *RISKY)
    with (memory / "debate-metrics.jsonl").open("a") as file:
        file.write('{"debate_id": "ab')
    assert "1 line could not be read" in gate("report").out


# ---- rules


@pytest.mark.rule("DIA-8")
def test_rules_are_listed_and_shown(gate: Gate) -> None:
    found = json.loads(gate("rules", "--json", "--off", "money").out)
    assert [one["id"] for one in found] == [rule.id for rule in shipped_rules().rules]
    assert all(set(one) == {"id", "stakes", "kind", "off", "says", "checks"} for one in found)
    assert [one["id"] for one in found if one["off"]] == ["money"]
    assert len(gate("rules").out.splitlines()) == len(found) + 1
    one = gate("rules", "delete-tree").out
    assert one.startswith("delete-tree: destructive, high stakes\n")
    assert all(word in one for word in ("[listed]", "Lost:", "First:", "Undo:"))
    assert "it goes to a human" in gate("rules", "fork-bomb").out


# ---- fingerprints


@pytest.mark.rule("DIA-5")
def test_a_fingerprint(gate: Gate) -> None:
    error = "ENOENT: no such file or directory, open '/path/to/file.txt'"
    assert gate("fingerprint", error).out == "enoent no such file or directory open\n"
    assert gate("fingerprint", "-", stdin=error + "\n").out == "enoent no such file or directory open\n"
    assert told(gate("fingerprint", error, "--json"), exits.OK) == {
        "fingerprint": "enoent no such file or directory open"
    }


@pytest.mark.rule("DIA-5")
def test_fingerprints_line_by_line_one_out_for_each_in(gate: Gate) -> None:
    error = "EACCES: permission denied"
    lines = [
        error,
        json.dumps(error),
        json.dumps({"message": error, "level": "warn"}),
        json.dumps({"level": 3, "error": error}),
        json.dumps({"text": error}),
        error + "\r",
        json.dumps(error) + "\r",
        "",
        "\r",
        '"an open quote: permission denied',
        "{not JSON: permission denied",
        '{"code": 13}',
        "[" * 20_000,
        '{"a":' * 20_000,
    ]
    said = gate("fingerprint", "--jsonl", stdin="\n".join(lines).encode() + b"\n\xff\xfe EACCES \xff\nlast")
    assert said.code == exits.OK and said.err == ""
    found = [json.loads(line) for line in said.out.splitlines()]
    assert len(found) == len(lines) + 2
    assert all(list(one) == ["fingerprint"] for one in found)
    assert [one["fingerprint"] for one in found[:9]] == ["eacces permission denied"] * 7 + ["", ""]
    assert found[-1] == {"fingerprint": "last"}
    assert gate("fingerprint", "--jsonl", stdin="").out == ""


# ---- CSP/1

FORMS = (
    "DEBATE REQ:drop the cache ROUNDS:2 STAKES:high",
    'DEBATE_FAILURE REQ:fix auth ATTEMPTS:[a, "b, c"] ERRORS:[]',
    'CLAIM:"two\\nlines" SUPPORTS:[x] CONFIDENCE:0.85',
    "OBJECTION:o RISKS:[] COUNTER:none SEVERITY:low",
    "DIAGNOSIS:d FIX:f DIFF_FROM_PREVIOUS:none",
    "PATTERN:none BLIND_SPOT:none SHOULD_ESCALATE:false",
    "RESOLUTION MODIFY\nRATIONALE why not\nMODIFICATIONS [one, two]\nNEXT_ATTEMPT_LIMIT 1",
    "RESOLUTION ESCALATE\nRATIONALE r\nESCALATE_TO human",
)


@pytest.mark.rule("DIA-1")
@pytest.mark.parametrize("text", FORMS)
def test_csp_comes_back_as_it_is_written(gate: Gate, text: str) -> None:
    once = gate("csp", text)
    assert once.code == exits.OK and once.err == ""
    again = gate("csp", stdin=once.out)
    assert again.out == once.out
    assert gate("csp", "-", stdin=text).out == once.out
    assert "form" in told(gate("csp", text, "--json"), exits.OK)


@pytest.mark.rule("DIA-1")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("DEBATE REQ:x ROUNDS:4 STAKES:high", "line 1, column 21: expected ROUNDS to be a whole number from 1 to 3"),
        ("DEBATE REQ:x ROUNDS:1", "expected STAKES"),
        ("CLAIM:x SUPPORTS:y CONFIDENCE:1", "expected SUPPORTS to be a list in brackets"),
        ("RESOLUTION PROCEED\nRATIONALE r\nESCALATE_TO me", "line 3"),
        ("RESOLUTION GO\nRATIONALE r", "PROCEED, MODIFY, RETRY, PIVOT or ESCALATE"),
        ("", "line 1, column 1: expected one of"),
    ],
)
def test_csp_says_what_it_expected_and_where(gate: Gate, text: str, words: str) -> None:
    assert words in refused(gate("csp", stdin=text))


# ---- models


def reply(system: str, user: str) -> str:
    fields = {"claim": "c", "supports": [], "confidence": 0.9, "objection": "o", "risks": [], "counter": ""}
    return json.dumps({**fields, "severity": "low"})


def test_a_model_debates_where_one_is_named_and_the_house_where_it_is_asked_for(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(FakeProvider(reply)) as provider:
        at = ("--model", "fake", "--base-url", provider.url, "--json")
        found = told(gate("plan", *RISKY, *CHECKS, *at), exits.OK)
        assert (found["thoughtBy"], found["calls"], found["resolution"]) == ("model fake", 2, "PROCEED")
        monkeypatch.setenv("CRUX_MODEL", "fake")
        monkeypatch.setenv("CRUX_BASE_URL", provider.url)
        assert told(gate("plan", *RISKY, "--json"), exits.MODIFY)["thoughtBy"] == "model fake"
        assert told(gate("plan", *RISKY, "--json", "--house"), exits.MODIFY)["thoughtBy"] == "house"
        assert provider.count == 4
        assert "debated by the model fake, 2 calls of models, " in gate("plan", *RISKY).out


@pytest.mark.parametrize(
    ("fault", "environment", "reason"),
    [("bad key", {}, "model"), ("prose", {}, "model"), ("", {"CRUX_MAX_CALLS": "1"}, "budget")],
)
def test_what_a_model_cannot_decide_ends_with_three_and_a_reason(
    gate: Gate, memory: Path, monkeypatch: pytest.MonkeyPatch, fault: str, environment: dict[str, str], reason: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with served(FakeProvider(reply, faults=lambda number: fault)) as provider:
        at = ("--model", "fake", "--base-url", provider.url)
        said = gate("plan", *RISKY, *at, "--json")
        assert said.code == exits.UNDECIDED
        found = json.loads(said.out)
        assert found["resolution"] is None
        assert set(found["error"]) == {"reason", "message"} and found["error"]["reason"] == reason
        plain = gate("plan", *RISKY, *at)
        assert (plain.code, plain.out) == (exits.UNDECIDED, "")
        assert plain.err.startswith(f"crux: the gate could not decide ({reason}): ") and plain.err.count("\n") == 1
        assert "sk-secret" not in said.out + said.err + plain.err
    assert not memory.exists()


# ---- as a process


def test_the_command_answers_as_a_process_of_its_own(memory: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cruxfinder", "gate", "plan", "-", "--tool", "bash", "--json"],
        input=b"rm -rf \xff\xfe uploads",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == exits.MODIFY and done.stderr == b""
    assert json.loads(done.stdout)["rules"] == ["delete-tree"]
