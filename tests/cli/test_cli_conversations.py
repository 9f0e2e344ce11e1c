"""Conversations on the command line: every protocol, roles, limits, anchors, what is shown and what is refused."""

import asyncio
import json
import os
import re
from contextlib import closing
from pathlib import Path

import pytest

from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import preparing
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.cli import exits, model_options
from tests.cli.conftest import Crux

LIMITS = """
limits:
  dyad_max_volleys: 2
  synthesis_interval: 12
  max_total_turns: 14
novelty:
  similarity_threshold: 0.85
  require_entailment: true
  claim_graph_required: true
entailment_types: [implication, application, counterexample, test]
pivots:
  on_tension_cycles: 2
  inject_dilemma: true
  inject_retrieved_anchor: true
"""


@pytest.mark.parametrize("protocol", ["debate", "consensus", "discussion", "roundtable"])
def test_a_conversation_is_shown_in_blocks_and_ends_with_the_checklist(crux: Crux, protocol: str) -> None:
    said = crux("debate", "free-will", "--protocol", protocol)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"Human beings have free will ({protocol}, pack free-will, seed 0, run ")
    assert said.out.count("[TURN: ") == said.out.count("[/TURN]") >= 9
    assert "TURN_START" not in said.out
    assert "Editor's checklist" in said.out and "[x] At most 48 turns" in said.out
    assert max(len(line) for line in said.out.splitlines()) <= 100


def test_the_minutes_as_json_are_all_that_is_printed(crux: Crux) -> None:
    said = crux("debate", "free-will", "--protocol", "debate", "--json")
    told = json.loads(said.out)
    assert (said.code, said.err) == (0, "")
    assert told["protocol"] == "debate" and told["verdict"] == "ruling" and told["totalTurns"] == 9
    assert told["checklist"][0]["line"].startswith("No two speakers")


def test_what_is_stored_is_shown_again(crux: Crux) -> None:
    run = json.loads(crux("debate", "free-will", "--protocol", "consensus", "--json").out)["runId"]
    shown = crux("show", run)
    assert "Editor's checklist" in shown.out and "[TURN" not in shown.out
    assert crux("show", run, "--messages").out.count("[/TURN]") >= 13
    assert json.loads(crux("show", run, "--json").out) == json.loads(crux("watch", run, "--json").out)
    assert "byte for byte" in crux("replay", run).out
    told = crux("events", run).out
    assert told.count("turn_spoken") >= 13
    assert "Kleon POSITION My view" in told and "  END no consensus: " in told, "lines for people, not JSON"
    assert run in crux("list").out


def test_roles_are_given_by_flags(crux: Crux) -> None:
    args = ("--protocol", "debate", "--roles", "proponent=stoic", "--roles", "opponent=monk", "--json")
    told = json.loads(crux("debate", "free-will", *args).out)
    parts = {a["role"]: a["id"] for a in told["agents"]}
    assert parts == {"proponent": "stoic", "opponent": "monk", "arbitrator": "arbitrator"}
    args = ("--protocol", "roundtable", "--roles", "host=monk", "--json")
    told = json.loads(crux("debate", "free-will", *args).out)
    assert {a["id"]: a["role"] for a in told["agents"]}["monk"] == "host"


def test_limits_come_from_a_file(crux: Crux, tmp_path: Path) -> None:
    (tmp_path / "limits.yaml").write_text(LIMITS)
    args = ("--protocol", "roundtable", "--limits", str(tmp_path / "limits.yaml"), "--json")
    assert json.loads(crux("debate", "free-will", *args).out)["totalTurns"] == 14


def test_passages_are_quoted_from_a_folder_word_for_word(crux: Crux, tmp_path: Path) -> None:
    passage = "A ferryman asked the tide whether it was free, and the tide was late for its answer."
    (tmp_path / "fables.txt").write_text(f"Fables\n\n{passage}\n")
    args = ("--protocol", "roundtable", "--anchors", str(tmp_path), "--json")
    told = json.loads(crux("debate", "free-will", *args).out)
    quoted = [p for p in told["pivots"] if p["to"] == "anchor"]
    assert [(p["text"], p["source"]) for p in quoted] == [(passage, "fables.txt, line 3")]


def test_icons_can_be_left_out(crux: Crux) -> None:
    args = ("debate", "free-will", "--protocol", "debate")
    assert "⚖ **Mr Ross**" in crux(*args).out
    plain = crux(*args, "--no-icons").out
    assert "⚖" not in plain and "\n**Mr Ross**" in plain


def test_refused_drafts_are_shown_on_request(crux: Crux) -> None:
    args = ("debate", "free-will", "--protocol", "roundtable")
    assert "draft was sent back: RED-" in crux(*args, "-v").out
    assert "draft was sent back" not in crux(*args).out


def test_a_crux_debate_can_be_held_to_the_limits(crux: Crux) -> None:
    told = json.loads(crux("debate", "bitcoin", "--seed", "2", "--redundancy", "--json").out)
    assert any(rule.startswith("RED") for rule in told["systemMetrics"]["reasonsBlocked"])


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("--protocol", "shouting"), "shouting"),
        (("--roles", "host=monk"), "--roles goes with a conversation"),
        (("--anchors", "."), "--anchors goes with a conversation"),
        (("--protocol", "debate", "--anchors", "."), "--anchors goes with a roundtable: add --protocol roundtable"),
        (("--protocol", "roundtable", "--anchors", "no-such-folder"), "takes a folder"),
        (("--protocol", "roundtable", "--roles", "host"), "--roles 'host' is not ROLE=AGENT"),
        (("--protocol", "roundtable", "--roles", "host=nobody"), "no agent 'nobody'"),
        (("--protocol", "roundtable", "--roles", "king=monk"), "'king' is no role; those of a roundtable are host, v"),
        (
            ("--protocol", "debate", "--roles", "king=monk"),
            "no role; those of a debate are arbitrator, proponent, opponent",
        ),
        (("--protocol", "roundtable", "--roles", "arbitrator=monk"), "a roundtable has no arbitrator"),
        (("--protocol", "debate", "--roles", "proponent=monk", "--roles", "opponent=monk"), "somebody takes two roles"),
        (("--protocol", "debate", "--roles", "proponent=monk", "--roles", "proponent=scot"), "gives 'proponent' twice"),
        (("--protocol", "roundtable", "--limits", "no-such-file.yaml"), "there is no file"),
        (("--protocol", "roundtable", "--wait", "-1"), "--wait takes a number from 0 to 86,400"),
        (("--wait", "0"), "--wait goes with a conversation"),
        (("--protocol", "roundtable", "--plant", "1"), "--plant goes with a debate for its crux"),
        (("--protocol", "roundtable", "--plant", "0"), "--plant goes with a debate for its crux"),
        (("--together",), "--together goes with a conversation"),
        (("--protocol", "debate", "--agents", "monk,stoic,scot"), "a debate is argued by two: leave stoic out"),
        (("--protocol", "roundtable", "--limits", ""), "--limits lacks a name"),
        (("--protocol", "roundtable", "--anchors", ""), "--anchors lacks a name"),
        (("--protocol", "roundtable", "--runs", "3"), "only debates for their crux"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(crux: Crux, args: tuple[str, ...], reason: str) -> None:
    said = crux("debate", "free-will", *args)
    assert said.code == 2 and said.out == ""
    assert reason in said.err and said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("protocol", "told"),
    [
        ("debate", {"Mr Ross": "(proponent)", "Baron Corvin": "(opponent)"}),
        ("discussion", dict.fromkeys(("Kleon", "Baron Corvin", "Mr Ross", "Brother Suda"), "")),
        ("crux", dict.fromkeys(("Kleon", "Baron Corvin", "Mr Ross", "Brother Suda"), "")),
    ],
)
def test_models_are_announced_for_those_who_will_speak(
    protocol: str, told: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    request = DebateRequest("free-will", model="any", base_url="http://127.0.0.1:9/v1", protocol=protocol)
    model_options.announce(asyncio.run(preparing.prepare(request)))
    named = [line.strip() for line in capsys.readouterr().err.splitlines() if line.startswith("  ")]
    assert {line.partition(",")[0]: "".join(re.findall(r"\((?:pro|op)ponent\)", line)) for line in named} == told


def test_faults_of_a_limits_file_are_told_with_their_line(crux: Crux, tmp_path: Path) -> None:
    (tmp_path / "limits.yaml").write_text("limits:\n  max_total_turn: 14\n")
    said = crux("debate", "free-will", "--protocol", "roundtable", "--limits", str(tmp_path / "limits.yaml"))
    assert said.code == 2 and "2:" in said.err and "did you mean 'max_total_turns'" in said.err


def test_answering_a_run_that_asks_nothing(crux: Crux) -> None:
    run = json.loads(crux("debate", "free-will", "--protocol", "debate", "--json").out)["runId"]
    said = crux("answer", run, "yes")
    assert said.code == 2 and "waits for no answer" in said.err


def left_at(crux: Crux, store: Path, event: str) -> str:
    """A run that was left with this event as its last."""
    args = ("--protocol", "discussion", "--ask", "--wait", "0.1", "--json")
    whole = json.loads(crux("debate", "free-will", *args).out)["runId"]
    with closing(SqliteStore(store)) as kept:
        entries = kept.load(whole)
        until = next(n for n, entry in enumerate(entries, 1) if f'"{event}"' in entry.body)
        kept.create("left", topic="Free will", pack="free-will")
        kept.append("left", entries[:until]).result()
    return "left"


@pytest.fixture
def waiting(crux: Crux, store: Path) -> str:
    """A run that was left while it waited for an answer."""
    return left_at(crux, store, "user_question")


def test_a_question_that_is_open_is_shown_as_one(crux: Crux, waiting: str) -> None:
    shown = crux("show", waiting).out
    assert "answer: it is waited for" in shown and f"crux answer {waiting}" in shown


def test_one_that_nobody_answered_is_not(crux: Crux, store: Path) -> None:
    shown = crux("show", left_at(crux, store, "user_answered")).out
    assert "answer: nobody answered" in shown and "crux answer" not in shown and "crux resume left" in shown


def test_the_first_answer_stands_and_a_second_is_told_so(crux: Crux, waiting: str) -> None:
    assert crux("answer", waiting, "both \udcff bad").code == exits.BAD_INPUT
    assert crux("answer", waiting, "first").code == exits.OK
    second = crux("answer", waiting, "second")
    assert second.code == exits.BAD_INPUT and "has an answer to its question already" in second.err


def test_a_passage_may_stand_in_a_file_whose_name_is_no_text(crux: Crux, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    text = "The self that deliberates is a committee which votes after the deed is done."
    (folder / os.fsdecode(b"b\xffd.txt")).write_text(text)
    args = ("--protocol", "roundtable", "--anchors", str(folder), "--json")
    assert crux("debate", "free-will", *args).code == exits.OK


def test_unattended_a_question_is_recorded_and_it_goes_on(crux: Crux) -> None:
    args = ("--protocol", "discussion", "--ask", "--wait", "0.1", "--json")
    told = json.loads(crux("debate", "free-will", *args).out)
    assert [(q["open"], q["answer"]) for q in told["questions"]] == [(False, "")]
    assert told["questions"][0]["question"].startswith("A question to you who listen.")


def test_commands_for_cruxes_say_that_a_conversation_has_none(crux: Crux) -> None:
    run = json.loads(crux("debate", "free-will", "--protocol", "debate", "--json").out)["runId"]
    said = crux("diff", run, run)
    assert said.code == 2 and "it has minutes and no crux" in said.err
    assert crux("ledger", "due").code == 0
