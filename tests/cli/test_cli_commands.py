"""What the commands print: JSON and nothing else, or plain lines and a card."""

import json
import re
from pathlib import Path

import pytest

from cruxfinder import api
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.cli import debate_commands
from cruxfinder.crux.result import Result
from cruxfinder.kernel import wire
from cruxfinder.kernel.vocabulary import Verdict
from tests.cli.conftest import Crux

QUICK = ("debate", "bitcoin", "--max-messages", "6")
LINE = re.compile(r" *\d+\.\ds  (?:t\d+ +)?[A-Z]\w+ +[A-Z0-9_ -]{5,18} +\S.*")

REFUSED = re.compile(r"[A-Z_]+ (refused|held|dropped|taken without): [A-Z]+-\d")


def fields(result: Result) -> set[str]:
    shown = wire.camel(result)
    assert isinstance(shown, dict)
    return set(shown)


def test_json_is_the_result_and_nothing_else(crux: Crux, store: Path) -> None:
    said = crux("debate", "bitcoin", "--seed", "6", "--json")
    result = json.loads(said.out)
    assert (said.code, said.err) == (0, "")
    assert result["runId"].startswith("bitcoin-") and result["seed"] == 6
    assert set(result) == fields(api.load(result["runId"], store=store).result)


def test_the_stored_run_shows_the_same(crux: Crux, run: str) -> None:
    assert json.loads(crux("show", run, "--json").out) == json.loads(crux("resume", run, "--json").out)
    assert json.loads(crux("replay", run, "--json").out) == json.loads(crux("watch", run, "--json").out)


@pytest.mark.parametrize(
    "args",
    [
        ("list",),
        ("packs",),
        ("packs", "show", "monolith"),
        ("packs", "check", "monolith"),
        ("doctor",),
        ("demo",),
        QUICK,
    ],
)
def test_every_command_with_a_result_has_json(crux: Crux, args: tuple[str, ...]) -> None:
    said = crux(*args, "--json")
    assert (said.code, said.err) == (0, "")
    json.loads(said.out)


def test_piped_it_prints_a_line_a_message_and_the_card(crux: Crux) -> None:
    said = crux("debate", "bitcoin", "--seed", "6", "--off", "THR-1")
    head, *lines = said.out.splitlines()
    card = lines.index("")
    assert head.startswith("Bitcoin is a good store of value (pack bitcoin, seed 6, run bitcoin-")
    assert all(LINE.fullmatch(line) or "  ---- " in line for line in lines[:card])
    assert not any(re.match(r" *\d+\.\ds  t1 ", line) for line in lines)
    assert sum("  ---- CRUX_LOCK: " in line for line in lines) == 1
    assert sum("  ---- LOCKED: " in line for line in lines) == 1
    assert "\x1b" not in said.out and "│" not in said.out
    assert max(len(line) for line in lines[card:]) <= 100


def test_refusals_are_shown_on_request(crux: Crux) -> None:
    quiet, loud = (crux("demo", *more).out for more in ((), ("--verbose",)))
    assert REFUSED.search(quiet) is None
    assert REFUSED.search(loud) is not None


def test_the_card_says_what_it_turns_on(crux: Crux, run: str, store: Path) -> None:
    said = crux("show", run).out
    result = api.load(run, store=store).result
    words = " ".join(said.split())
    assert result.verdict is Verdict.CRUX and words.startswith("CRUX: The disagreement turns on ")
    assert result.primary_crux_question and result.primary_crux_question in words
    crux_ = next(t.crux for t in result.threads if t.crux is not None and t.crux.id == result.primary_crux)
    assert crux_.yes_means in words and crux_.no_means in words
    for agent in result.agents:
        assert f"{agent.name} " in said
    for position in crux_.positions.values():
        assert position.falsifier is not None and position.falsifier.deadline in words
    for tested in (tested for thread in result.threads for tested in thread.tested):
        assert tested.question in words
    assert f"crux replay {run}" in said


def test_messages_come_with_the_card_on_request(crux: Crux, run: str) -> None:
    without, with_ = crux("show", run).out, crux("show", run, "--messages").out
    assert with_.endswith(without) and " CLAIM " in with_


def test_the_store_option_may_stand_anywhere(crux: Crux, store: Path, tmp_path: Path) -> None:
    other = str(tmp_path / "other file.db")
    said = crux("--store", other, *QUICK)
    assert f"--store '{other}'" in said.out
    assert len(json.loads(crux("list", "--json", "--store", other).out)) == 1
    assert len(json.loads(crux("list", f"--store={other}", "--json").out)) == 1
    assert not store.exists()


def test_events_are_printed_as_stored(crux: Crux, run: str, store: Path) -> None:
    kept = SqliteStore(store)
    bodies = [e.body for e in kept.load(run) if e.kind == "event"]
    kept.close()
    assert crux("events", run, "--jsonl").out.splitlines() == bodies
    assert crux("events", run, "--jsonl", "--follow").out.splitlines() == bodies
    told = crux("events", run).out.splitlines()
    assert len(told) == len(bodies) and "debate_started" in told[0] and "debate_complete" in told[-1]


def test_replay_finds_the_run_the_same(crux: Crux, run: str) -> None:
    assert "the same, byte for byte" in crux("replay", run).out
    assert "CRUX: " in crux("replay", run, "--pace", "fast").out


def test_a_fork_is_a_run_that_differs(crux: Crux, run: str) -> None:
    result = json.loads(crux("fork", run, "--at", "20", "--set", "max-messages=14", "--json").out)
    fork = result["runId"]
    assert fork.startswith(run) and result["ending"] == "messages"
    said = crux("diff", run, fork).out
    assert said.startswith(f"--- {run}\n+++ {fork}\n") and "ending\n  - natural\n  + messages" in said
    found = json.loads(crux("diff", run, fork, "--json").out)
    assert {"what", "before", "after"} == set(found[0])
    assert "the same" in crux("diff", run, run).out
    assert "byte for byte" in crux("replay", fork).out


def test_a_stopped_run_ends_with_what_it_has(crux: Crux, run: str, store: Path) -> None:
    assert "is over already" in crux("stop", run).err
    kept = SqliteStore(store)
    entries = kept.load(run)
    kept.create("half", topic="t", pack="bitcoin")
    kept.append("half", entries[:30]).result()
    kept.close()
    assert "not over" in crux("show", "half").out and "crux resume half" in crux("show", "half").out
    assert crux("replay", "half").code == 2
    assert json.loads(crux("stop", "half", "--json").out) == {"runId": "half", "stopRequested": True}
    assert json.loads(crux("resume", "half", "--json").out)["ending"] in ("stopped", "natural")


def test_a_run_that_nobody_writes_is_not_watched_for_ever(
    crux: Crux, run: str, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cruxfinder.cli import follow

    monkeypatch.setattr(follow, "IDLE_S", 0.0)
    kept = SqliteStore(store)
    kept.create("half", topic="t", pack="bitcoin")
    kept.append("half", kept.load(run)[:30]).result()
    kept.close()
    for args in (("watch", "half", "--json"), ("events", "half", "--jsonl", "--follow")):
        said = crux(*args)
        assert said.code == 1 and "nobody is writing run half; go on with: crux resume half" in said.err


def test_no_runs_yet(crux: Crux, store: Path) -> None:
    assert crux("list").out == "There are no runs yet; start one with: crux demo\n"
    assert json.loads(crux("list", "--json").out) == []
    assert not store.exists()


def test_the_list_is_newest_first(crux: Crux) -> None:
    for _ in range(2):
        crux(*QUICK)
    head, *rows = crux("list").out.splitlines()
    listed = [row["id"] for row in json.loads(crux("list", "--json").out)]
    assert head.split() == ["run", "state", "updated", "entries", "topic"]
    assert [row.split()[0] for row in rows] == listed and len(set(listed)) == 2


def test_packs_are_listed_and_shown(crux: Crux) -> None:
    assert "Bitcoin is a good store of value" in crux("packs").out
    said = crux("packs", "show", "bitcoin").out
    assert "Ines" in said and "anchored-demand" in said and "crux debate bitcoin" in said


def test_a_pack_is_checked_with_every_error_and_its_line(crux: Crux, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("pack: 1\nname: Mine!\ncolour: red\n")
    said = crux("packs", "check", str(file))
    assert said.code == 2 and said.err == ""
    assert all(re.match(rf"{re.escape(str(file))}:\d+: \S", line) for line in said.out.splitlines())
    assert f"{file}:2: " in said.out and f"{file}:3: " in said.out
    faults = json.loads(crux("packs", "check", str(file), "--json").out)["faults"]
    assert len(faults) == len(said.out.splitlines())
    assert crux("packs", "check", "bitcoin").code == 0


def test_the_doctor_finds_everything_in_its_place(crux: Crux, store: Path) -> None:
    said = crux("doctor")
    assert said.code == 0 and str(store) in said.out and "wrong" not in said.out
    assert not store.exists()


def test_the_doctor_finds_a_foreign_store(crux: Crux, store: Path) -> None:
    store.write_text("dear diary\n" * 100)
    said = crux("doctor")
    assert said.code == 1 and "wrong store" in " ".join(said.out.split())
    assert any(c["what"] == "store" and c["status"] == "wrong" for c in json.loads(crux("doctor", "--json").out))


def test_without_a_command_the_help_is_shown(crux: Crux) -> None:
    said = crux()
    assert said.code == 0 and "demo" in said.out and "Exit codes" in said.out


def test_the_demo_shows_the_gates_biting(crux: Crux) -> None:
    """If a pack or a believer changed, choose another DEMO_SEED that ends like this."""
    result = json.loads(crux("demo", "--json").out)
    metrics = result["systemMetrics"]
    assert result["verdict"] == "crux" and result["threads"][0]["crux"]["validated"]
    assert metrics["cruxLockFailures"] >= 1 and metrics["steelmanRetries"] >= 1
    assert 25 <= result["duration"] / 1000 * debate_commands.DEMO_PACE <= 40
