"""`crux ledger`: what was staked, what is due, how it came out, and every slip on the way."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cruxfinder.cli import exits
from cruxfinder.crux.ledger import read_mark
from tests.cli.conftest import Crux
from tests.cli.terminal import in_terminal, plainly

FAR = "2999-01-01"
NOTHING = "There are no falsifiers yet; a debate that locks a question has some: crux debate bitcoin"


def listed(crux: Crux, *args: str) -> list[dict[str, str]]:
    return json.loads(crux("ledger", *args, "--json").out)["falsifiers"]


@pytest.fixture
def first(crux: Crux, run: str) -> dict[str, str]:
    """The first falsifier of the run."""
    return listed(crux)[0]


@pytest.mark.rule("PLUS-9")
def test_every_falsifier_of_a_run_is_listed_with_what_to_copy(crux: Crux, run: str) -> None:
    said, held = crux("ledger").out, listed(crux)
    result = json.loads(crux("show", run, "--json").out)
    staked = [p["falsifiers"] for t in result["threads"] if t["crux"] for p in t["crux"]["positions"].values()]
    assert len(held) == sum(map(len, staked)) > 4
    assert said.startswith(f"{len(held)} falsifiers in 1 run  {len(held)} waiting\n")
    for stake in held:
        assert stake["run"] == run and read_mark(stake["reference"]) is not None
        assert re.search(
            rf"^    {stake['reference']} +{stake['name']} +{stake['side']} +{stake['due']}  –$", said, re.M
        )
    assert "WHO WAS RIGHT" not in said


@pytest.mark.rule("PLUS-9")
def test_what_is_due_is_resolved_and_scored(crux: Crux, run: str, first: dict[str, str]) -> None:
    assert crux("ledger", "due", "--on", "2026-01-01").out.startswith("Nothing is due on 2026-01-01; the next is t")
    due = json.loads(crux("ledger", "due", "--on", FAR, "--json").out)["falsifiers"]
    assert [s["due"] for s in due] == sorted(s["due"] for s in listed(crux))
    said = crux("ledger", "resolve", run, first["reference"], "met", "--on", FAR, "--note", "see the\n report").out
    other = {"YES": "NO", "NO": "YES"}[first["side"]]
    assert f"it refutes {first['name']}'s {first['side']}, so the answer is taken to be {other}" in " ".join(
        said.split()
    )
    left = json.loads(crux("ledger", "due", "--on", FAR, "--json").out)["falsifiers"]
    assert [s["reference"] for s in left] == [s["reference"] for s in due if s["reference"] != first["reference"]]
    after = crux("ledger").out
    assert f"met → {other} ({FAR})" in after and "Note: see the report" in after
    scores = json.loads(crux("ledger", "--json").out)["scores"]
    assert [s["brier"] for s in scores] == sorted(s["brier"] for s in scores) and len(scores) == 5
    for score in scores:
        row = f"  {score['name']} +{score['brier']:.3f}  right {score['right']} of 1"
        assert re.search(row, after)


def test_an_outcome_told_anew_replaces_the_old_one_and_says_so(crux: Crux, run: str, first: dict[str, str]) -> None:
    ref = first["reference"]
    assert "replaces" not in crux("ledger", "resolve", run, ref, "met", "--on", FAR).out
    said = crux("ledger", "resolve", run, ref, "void", "--on", FAR).out
    assert "it counts for nobody" in said and f"This replaces met on {FAR}." in said
    again = json.loads(crux("ledger", "resolve", run, ref, "UNMET", "--on", FAR, "--json").out)
    assert again["replaced"] == {"outcome": "void", "resolved": FAR}
    assert (again["falsifier"]["outcome"], again["falsifier"]["answer"]) == ("unmet", first["side"])
    assert [s["outcome"] for s in listed(crux) if s["outcome"]] == ["unmet"]


def test_one_run_can_be_asked_for(crux: Crux, run: str) -> None:
    other = json.loads(crux("debate", "bitcoin", "--seed", "3", "--json").out)["runId"]
    assert {s["run"] for s in listed(crux)} == {run, other}
    assert {s["run"] for s in listed(crux, "--run", other)} == {other}
    due = json.loads(crux("ledger", "due", "--on", FAR, "--run", other, "--json").out)["falsifiers"]
    assert {s["run"] for s in due} == {other}


@pytest.mark.parametrize("args", [(), ("due",), ("due", "--on", FAR)])
def test_without_falsifiers_one_sentence_helps(crux: Crux, args: tuple[str, ...], store: Path) -> None:
    said = crux("ledger", *args)
    assert (said.code, said.out, said.err) == (exits.OK, f"{NOTHING}\n", "")
    assert not store.exists()


def test_a_run_that_staked_nothing_says_so(crux: Crux) -> None:
    run = json.loads(crux("debate", "bitcoin", "--max-messages", "4", "--json").out)["runId"]
    assert crux("ledger", "--run", run).out == f"Run {run} has no falsifiers.\n"
    said = crux("ledger", "resolve", run, "t1.kofi.1", "met")
    assert (
        said.code == exits.BAD_INPUT and said.err == f"crux: run {run} has no falsifier t1.kofi.1; it has none at all\n"
    )


@pytest.mark.parametrize(
    ("args", "told"),
    [
        pytest.param(("resolve", "RUN", "REF", "perhaps"), "'perhaps' is no outcome", id="outcome"),
        pytest.param(("resolve", "RUN", "kofi", "met"), "'kofi' is no reference", id="reference"),
        pytest.param(("resolve", "RUN", "t9.kofi.1", "met"), "has no falsifier t9.kofi.1; it has t1.", id="falsifier"),
        pytest.param(("resolve", "nope", "REF", "met"), "there is no run nope", id="run"),
        pytest.param(("resolve", "RUN", "REF", "unmet"), "it cannot be unmet on", id="before its day"),
        pytest.param(("resolve", "RUN", "REF", "met", "--on", "2001-01-01"), "nothing of it came out", id="past"),
        pytest.param(("resolve", "RUN", "REF", "met", "--on", "2027-02-29"), "'2027-02-29' is no day", id="day"),
        pytest.param(("due", "--on", "soon"), "'soon' is no day; write it as 2027-06-30", id="word for a day"),
        pytest.param(("--run", "nope"), "there is no run nope", id="list of no run"),
        pytest.param(("--json", "due"), "options go after the command", id="misplaced option"),
    ],
)
def test_a_slip_gets_one_sentence_and_records_nothing(
    crux: Crux, run: str, first: dict[str, str], args: tuple[str, ...], told: str
) -> None:
    said = crux("ledger", *({"RUN": run, "REF": first["reference"]}.get(word, word) for word in args))
    assert (said.code, said.out) == (exits.BAD_INPUT, "")
    assert said.err.startswith("crux: ") and said.err.count("\n") == 1 and told in said.err
    assert not any(s["outcome"] for s in listed(crux))


def altered(store: Path, statement: str, *values: str) -> None:
    with closing(sqlite3.connect(store)) as connection, connection:
        assert connection.execute(statement, values).rowcount == 1


def test_a_run_that_is_not_over_cannot_be_resolved(crux: Crux, run: str, first: dict[str, str], store: Path) -> None:
    altered(store, "UPDATE runs SET state = 'open' WHERE id = ?", run)
    said = crux("ledger", "resolve", run, first["reference"], "met")
    assert said.code == exits.BAD_INPUT and f"run {run} is not over" in said.err
    assert len(listed(crux)) > 4


def test_a_log_that_was_altered_hides_no_other_run(crux: Crux, run: str, store: Path) -> None:
    other = json.loads(crux("debate", "bitcoin", "--seed", "3", "--json").out)["runId"]
    altered(
        store, "UPDATE entries SET body = x'00' WHERE seq = 5 AND run = (SELECT number FROM runs WHERE id = ?)", run
    )
    said = crux("ledger", "--json")
    assert {s["run"] for s in json.loads(said.out)["falsifiers"]} == {other}
    assert said.code == exits.FAULT
    assert said.err.startswith(f"crux: run {run} is left out: ") and said.err.count("\n") == 1


def test_a_pipe_gets_no_colour_and_a_terminal_is_kept_to(
    crux: Crux, run: str, first: dict[str, str], store: Path
) -> None:
    crux("ledger", "resolve", run, first["reference"], "met", "--on", FAR)
    plain = crux("ledger").out
    assert "\x1b" not in plain and max(map(len, plain.splitlines())) <= 96
    with in_terminal(store, "ledger", columns=80) as terminal:
        assert terminal.end() == exits.OK
    shown = plainly(terminal.seen)
    assert "\x1b[" in terminal.seen and max(map(len, shown.splitlines())) <= 80
    assert f"({FAR})" in shown and "1 sure and wrong" in shown
    assert not any(line.endswith("…") for line in shown.splitlines())
