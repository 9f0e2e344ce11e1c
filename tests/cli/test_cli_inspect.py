"""`crux inspect`: what the rules see in a text, for a person and as a filter."""

import json
import shlex
import subprocess
import time
from typing import Any

import pytest
from typer.testing import CliRunner

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.cli import exits, json_filter
from cruxfinder.cli.json_filter import TOGETHER
from cruxfinder.cli.main import app
from cruxfinder.language.english.polarity import are_opposed
from tests.cli.conftest import Crux, Said
from tests.cli.terminal import CRUX

COMMANDS = ("similarity", "repetition", "entailments", "claims", "falsifier")
SAFE, UNSAFE = "The old ferry is safe.", "The old ferry is not safe."
FALLS = {"metric": "the share of trains on time", "threshold": "falls below 80 %", "deadline": "by the end of 2029"}


def fed(command: str, *lines: object, options: tuple[str, ...] = ()) -> Said:
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    result = CliRunner().invoke(app, ["inspect", command, "--jsonl", *options], input=text)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return Said(result.exit_code, result.stdout, result.stderr)


def answers(said: Said) -> list[dict[str, Any]]:
    return [json.loads(line) for line in said.out.splitlines()]


# ---- each command as a filter


@pytest.mark.parametrize("embedder", ["static", "keyword"])
def test_similarity_of_pairs(embedder: str) -> None:
    again, denied, other = answers(
        fed(
            "similarity",
            {"a": SAFE, "b": SAFE},
            {"a": SAFE, "b": UNSAFE},
            {"a": SAFE, "b": "Two cooks run the kitchen of the new hotel on the hill."},
            options=("--embedder", embedder),
        )
    )
    assert again == {"similarity": 1.0, "repetition": True}
    assert denied["repetition"] is False and denied["similarity"] <= 0.5
    assert other["repetition"] is False and other["similarity"] < 0.5


def test_a_turn_is_held_against_everything_its_speaker_said() -> None:
    other = "Two cooks run the kitchen of the new hotel on the hill."
    own = [SAFE, other, "Toll roads paid for the second bridge.", "Wool was shipped from the northern pier."]
    again, denied, new, first = answers(
        fed(
            "repetition",
            {"text": SAFE, "own": own, "others": ["Is the ferry safe?"]},
            {"text": UNSAFE, "own": own},
            {"text": "Beavers felled four willows upstream last week.", "own": own},
            {"text": SAFE},
        )
    )
    assert (again["nearest"], again["repetition"]) == (0, True) and again["score"] > 0.5
    assert denied["repetition"] is new["repetition"] is first["repetition"] is False
    assert new["score"] < again["score"] and first == {"score": 0.0, "nearest": None, "again": 0.0, "repetition": False}


def test_a_negation_is_less_similar_than_a_restatement() -> None:
    denied, restated = answers(
        fed("similarity", {"a": SAFE, "b": UNSAFE}, {"a": SAFE, "b": "Nobody is in danger on the old ferry."})
    )
    assert denied["similarity"] < restated["similarity"]


def test_a_turn_is_heard_by_its_vector_unless_told_otherwise() -> None:
    image = {"text": "An elephant walks miles and miles a day and you gave her a car park."}
    assert answers(fed("entailments", image)) == [{"entailments": ["implication"]}]
    assert answers(fed("entailments", image, options=("--embedder", "keyword"))) == [{"entailments": []}]


def test_entailments_of_a_turn_with_and_without_what_came_before() -> None:
    text = "If the toll doubles, then traffic moves to the village. For example, the pass emptied in 1998."
    alone, later = answers(fed("entailments", {"text": text}, {"text": text, "before": [text]}))
    assert isinstance(alone["entailments"], list) and alone["entailments"]
    assert set(later) == {"entailments"}


def test_claims_and_how_they_hang_together() -> None:
    (found,) = answers(fed("claims", {"text": "The tram should be built because the buses are full."}))
    assert [set(claim) for claim in found["claims"]] == [{"text", "words"}] * len(found["claims"])
    assert all(claim["words"] == sorted(claim["words"]) for claim in found["claims"])
    assert len(found["claims"]) == 2 and [edge["kind"] for edge in found["edges"]] == ["because"]
    assert set(found["edges"][0]) == {"from", "to", "kind"}


def test_falsifiers_in_three_parts_and_in_one() -> None:
    sharp, vague, whole = answers(
        fed(
            "falsifier",
            FALLS,
            {"metric": "the mood", "threshold": "gets a bit worse, maybe", "deadline": "someday"},
            {"text": "The share of trains on time falls below 80 % by the end of 2029."},
        )
    )
    assert sharp["accepted"] is True and sharp["reasons"] == [] and sharp["concreteness"] > 0.8
    assert vague["accepted"] is False and vague["reasons"] and vague["concreteness"] < sharp["concreteness"]
    assert whole["accepted"] is True


def test_a_denial_halves_the_similarity_only_where_most_words_are_the_same() -> None:
    longer = "The ferry is safe, since its crew trains every month and its engines were replaced last spring."
    other = "The ferry is not safe at night, since its crew is tired and its engines were replaced by cheaper ones."
    denied, apart = answers(fed("similarity", {"a": SAFE, "b": UNSAFE}, {"a": longer, "b": other}))
    same_point = embedder("static").same_point
    assert denied["similarity"] == same_point(SAFE, UNSAFE) / 2
    assert apart["similarity"] == same_point(longer, other) and are_opposed(longer, other)
    assert not denied["repetition"] and not apart["repetition"]


def test_a_text_is_a_repetition_as_far_as_its_sentences_are() -> None:
    sand = "Sand fills the harbour, and the ferry cannot run."
    bridge = "A bridge would cost the town less than the ferry does."
    both = f"{sand} {bridge}"
    part, more = answers(fed("similarity", {"a": both, "b": bridge}, {"a": bridge, "b": both}))
    assert part["similarity"] == more["similarity"] == embedder("static").same_point(both, bridge)
    assert (part["repetition"], more["repetition"]) == (True, False)


# ---- as a filter should be


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("line", ["", "not JSON", "[]", "{}", '{"a": 1, "b": "x"}', '{"text": null}', "\x00"])
def test_a_bad_line_is_told_and_hides_no_other(command: str, line: str) -> None:
    good = {"a": SAFE, "b": SAFE, "text": SAFE}
    said = fed(command, good, line, good)
    first, bad, last = answers(said)
    assert first == last and "error" not in first
    assert bad["line"] == 2 and str(bad["error"]).startswith("line 2 is not an object with")
    assert said.code == exits.BAD_INPUT
    assert said.err.startswith("crux: line 2 ") and said.err.count("\n") == 1


def test_a_line_that_is_too_long_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_filter, "LINE_MAX", 3 * json_filter.CHUNK)
    huge, good = "x" * (5 * json_filter.CHUNK), {"text": SAFE}
    for lines in ([good, huge, good], [huge, good], [good, huge]):
        said = fed("claims", *lines)
        found = answers(said)
        assert len(found) == len(lines) and said.code == exits.BAD_INPUT
        for n, line in enumerate(lines):
            assert ("longer than" in str(found[n].get("error"))) == (line is huge)


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_closed_stream_is_no_fault_of_ours(closed: str) -> None:
    command = f"{shlex.join([*CRUX, 'inspect', 'claims', '--jsonl'])} {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, input="", check=False, timeout=60)
    assert done.returncode == (exits.OK if closed == "<&-" else exits.BAD_INPUT)
    assert "Traceback" not in done.stderr and done.stderr.count("\n") <= 1


def test_many_lines_are_answered_in_their_order_whatever_stands_between() -> None:
    pairs = [{"a": f"Line {n % 37} of the ferry is late.", "b": SAFE} for n in range(3 * TOGETHER)]
    lines: list[object] = [{} if n % 100 == 99 else pair for n, pair in enumerate(pairs)]
    found = answers(fed("similarity", *lines))
    alone = answers(fed("similarity", *pairs[:37]))
    assert len(found) == len(lines)
    for n, answer in enumerate(found):
        assert answer["line"] == n + 1 if n % 100 == 99 else answer == alone[n % 37]


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_in_nothing_out(command: str) -> None:
    assert fed(command) == Said(exits.OK, "", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_huge_odd_and_foreign_texts_are_answered_soon(command: str) -> None:
    odd = ("", "ja", "機械学習は日本の経済を変える", "😀" * 50, "no " * 40_000, "a" * 100_000, "Well, not so. " * 8_000)
    started = time.process_time()
    said = fed(command, *({"a": text, "b": f"{text}!", "text": text} for text in odd))
    assert said.code == exits.OK and len(answers(said)) == len(odd)
    assert time.process_time() - started < 20


def test_the_last_line_needs_no_end() -> None:
    result = CliRunner().invoke(app, ["inspect", "claims", "--jsonl"], input=json.dumps({"text": SAFE}))
    assert len(result.stdout.splitlines()) == 1 and result.exit_code == exits.OK


def test_a_line_is_answered_before_the_next_one_comes() -> None:
    with subprocess.Popen(
        [*CRUX, "inspect", "similarity", "--jsonl", "--embedder", "keyword"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        for _ in range(3):
            process.stdin.write(json.dumps({"a": SAFE, "b": SAFE}) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["repetition"] is True
        process.stdin.close()
        assert process.wait(30) == exits.OK


# ---- for a person


@pytest.mark.parametrize(
    ("args", "told"),
    [
        pytest.param(("similarity", SAFE, SAFE), "similarity 1.00: a repetition\n", id="the same"),
        pytest.param(("similarity", SAFE, UNSAFE), ": no repetition\n", id="the opposite"),
        pytest.param(("entailments", "Hm."), "nothing new\n", id="no entailment"),
        pytest.param(("claims", "Trams are loud because they are old."), "1. ", id="claims"),
        pytest.param(("claims", "Trams are loud because wheels wear."), "\n1 because 2\n", id="a reason is read last"),
        pytest.param(("claims", "If wheels wear, trams get loud."), "\n1 implies 2\n", id="a condition first"),
        pytest.param(("falsifier", *FALLS.values()), "accepted, concreteness 0.97\n", id="a sharp falsifier"),
        pytest.param(("falsifier", "Things get worse someday."), "refused, concreteness", id="a vague one"),
    ],
)
def test_texts_on_the_command_line_get_a_short_answer(crux: Crux, args: tuple[str, ...], told: str) -> None:
    said = crux("inspect", *args)
    assert said.code == exits.OK and told in said.out


@pytest.mark.parametrize(
    ("args", "told"),
    [
        pytest.param(("similarity", "one"), "give 2 texts, or JSON lines on stdin with --jsonl", id="one of two"),
        pytest.param(("claims",), "give one text", id="none"),
        pytest.param(("entailments",), "give a text", id="no turn"),
        pytest.param(("falsifier", "a", "b"), "a metric, a threshold and a deadline", id="two of three"),
        pytest.param(("claims", "text", "--jsonl"), "not both", id="texts and lines"),
        pytest.param(("similarity", "a", "b", "--embedder", "tarot"), "tarot", id="an unknown embedder"),
    ],
)
def test_bad_input_gets_one_sentence(crux: Crux, args: tuple[str, ...], told: str) -> None:
    said = crux("inspect", *args)
    assert (said.code, said.out) == (exits.BAD_INPUT, "")
    assert told in said.err and said.err.count("\n") == 1


def test_a_text_cannot_move_the_cursor(crux: Crux) -> None:
    assert "\x1b" not in crux("inspect", "claims", "Trams \x1b[2J are loud because they are old.").out
