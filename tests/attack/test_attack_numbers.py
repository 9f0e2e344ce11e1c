"""Numbers from outside are numbers: what no float can hold is refused in a sentence wherever one comes in, and the JSON
that is printed holds none of it."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

import cruxfinder as cf
from bench.fake.server import FakeProvider, served
from cruxfinder.app import fork_changes
from cruxfinder.cli import exits
from cruxfinder.cli.main import app
from cruxfinder.debaters.modelled import field_reading
from cruxfinder.errors import BadInput, BadTable, LogFault
from cruxfinder.gate import csp
from cruxfinder.gate.runtime import gate_prompts
from cruxfinder.kernel import wire
from cruxfinder.language import numerals
from cruxfinder.ports import UnreadableReply
from cruxfinder.protocols.any_ask import read_answer
from tests.cli.conftest import Said

LONG: Final = "9" * 400
ENDLESS: Final = "9" * 5_000
NO_NUMBERS: Final = ("NaN", "Infinity", "-Infinity", "1e999", "-1e999", LONG, f"-{LONG}", ENDLESS, f"1.{LONG}e{LONG}")
Crux = Callable[..., Said]
GROWTH_MAX: Final = (
    30  # of the time for a table ten times as long; one that is looked at again for every column takes 100
)


@pytest.fixture
def crux(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Crux:
    """The command, away from everybody's settings; a traceback fails the test."""
    for name in list(os.environ):
        if name.startswith("CRUX_") or name in ("DISABLE_DEBATE", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CRUX_STORE", str(tmp_path / "runs.db"))
    monkeypatch.setenv("CRUX_GATE_MEMORY", str(tmp_path / "memory"))

    def say(*args: str) -> Said:
        result = CliRunner().invoke(app, list(args))
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Said(result.exit_code, result.stdout, result.stderr)

    return say


def strictly(text: str) -> dict[str, object]:
    """JSON as everybody but Python reads it."""

    def refuse(name: str) -> object:
        raise AssertionError(f"{name} was printed")

    return json.loads(text, parse_constant=refuse)


# ---- replies of models


@pytest.mark.parametrize(
    "confidence", [*NO_NUMBERS, f'"{LONG}"', f'"{LONG}%"', '"nan"', '"1e999"', "true", "[1]"], ids=numerals.short_repr
)
def test_a_confidence_that_is_no_number_leaves_the_plan_undecided(crux: Crux, confidence: str) -> None:
    reply = f'{{"claim": "c", "supports": [], "confidence": {confidence}, "objection": "o", "severity": "low"}}'
    with served(FakeProvider(lambda system, user: reply)) as provider:
        said = crux("gate", "plan", "rm -rf data", "--model", "fake", "--base-url", provider.url, "--json")
    assert said.code == exits.UNDECIDED
    assert strictly(said.out)["resolution"] is None


@pytest.mark.parametrize("written", [*NO_NUMBERS, LONG + "%", "", "²", "٠"], ids=numerals.short_repr)
def test_a_share_in_a_reply_lies_between_0_and_1(written: str) -> None:
    for value in (written, *(value for value in [json_value(written)] if value is not None)):
        with pytest.raises(UnreadableReply):
            field_reading.read_chance("p_top", value)
        with pytest.raises(UnreadableReply):
            gate_prompts.share({"confidence": value}, "confidence")


def json_value(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


@pytest.mark.parametrize(("written", "share"), [(1, 1.0), (0.25, 0.25), ("0.25", 0.25), ("85%", 0.85), (" 1e-1 ", 0.1)])
def test_an_ordinary_share_is_read_as_ever(written: object, share: float) -> None:
    assert gate_prompts.share({"confidence": written}, "confidence") == share


# ---- lines, logs and texts


def test_a_report_on_lines_with_any_numbers_is_json(crux: Crux, tmp_path: Path) -> None:
    seed = '"debate_id": "d{n}", "type": "planning", "task": "t", "resolution": "PROCEED", "ts": "2026-01-01T00:00:00Z"'
    figures = [f'"dollars": {n}' for n in NO_NUMBERS] + [f'"calls": {n}, "tokens": {n}' for n in NO_NUMBERS]
    figures += ['"dollars": 1e308', '"dollars": 1e308', '"dollars": 0.5, "calls": 2, "tokens": 30']
    lines = [f"{{{seed.replace('{n}', str(n))}, {figure}}}" for n, figure in enumerate(figures)]
    (tmp_path / "memory").mkdir(mode=0o700)
    (tmp_path / "memory" / "debate-metrics.jsonl").write_text("\n".join(lines) + "\n")
    said = crux("gate", "report", "--json")
    found = strictly(said.out)
    assert (found["dollars"], found["calls"], found["tokens"]) == (0.5, 2, 30)
    assert "$0.5000" in crux("gate", "report").out
    strictly(crux("gate", "outcome", "d0", "success", "--json").out)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", LONG, ENDLESS], ids=numerals.short_repr)
def test_a_log_holds_finite_numbers(number: str) -> None:
    body = f'{{"candidate": "c1", "c": {number}, "p1": 0.5, "p0": 0.5}}'
    for text in (
        f'{{"kind": "probed", "p_top": {number}}}',
        f'{{"kind": "probed", "p_top": 0.5, "credences": [{body}]}}',
    ):
        with pytest.raises(LogFault):
            read_answer(text)


def test_what_is_written_holds_finite_numbers() -> None:
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="JSON compliant"):
            wire.dumps([value])
        with pytest.raises(ValueError, match="JSON compliant"):
            numerals.json_text([value])
        assert wire.camel({"a": [value]}) == {"a": [None]}


@pytest.mark.parametrize("number", [*NO_NUMBERS, "-0.5", "1.0000001", "٠"], ids=numerals.short_repr)
def test_a_text_of_the_protocol_holds_shares(number: str) -> None:
    with pytest.raises(csp.BadText):
        csp.read(f"CLAIM:c\nSUPPORTS:[]\nCONFIDENCE:{number}")
    with pytest.raises(csp.BadText):
        csp.read(f"DEBATE REQ:r ROUNDS:{number} STAKES:low")


@pytest.mark.parametrize("number", [*NO_NUMBERS, "[" * 100_000, ""], ids=numerals.short_repr)
def test_json_from_outside_holds_numbers(number: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        numerals.read_json(f'{{"a": {number}}}')
    assert numerals.read_json(b'{"a": [1, 0.5, -2e3]}') == {"a": [1, 0.5, -2000.0]}


# ---- options, settings and changes


@pytest.mark.parametrize(
    "option",
    ["--max-cost", "--deadline", "--per-minute", "--at-once", "--max-calls", "--max-tokens"],
    ids=numerals.short_repr,
)
@pytest.mark.parametrize("number", ["nan", "inf", "1e999", LONG, ENDLESS, "-1"], ids=numerals.short_repr)
def test_an_option_takes_a_number_that_can_be_meant(crux: Crux, option: str, number: str) -> None:
    said = crux("debate", "free-will", option, number)
    assert said.code in (exits.BAD_INPUT, 2)
    assert said.err.count("\n") <= 6 and "Traceback" not in said.err


@pytest.mark.parametrize("number", ["nan", "inf", "1e999", LONG, ENDLESS, "٣", "1_0"], ids=numerals.short_repr)
def test_a_change_takes_a_finite_number(number: str) -> None:
    with pytest.raises(BadInput) as refused:
        fork_changes.number(number, 0, 10, f"persona.ada.bias={number}")
    assert len(str(refused.value)) < 300


# ---- tables


@pytest.mark.parametrize(
    "vote", [float("nan"), float("inf"), 10**400, 10**5_000, -(10**5_000), 2, True], ids=numerals.short_repr
)
def test_a_vote_made_in_python_is_one_of_the_words(vote: object) -> None:
    with pytest.raises(BadTable, match="is no vote"):
        cf.map_votes({"ada": {"q": vote}, "ben": {"q": 1}})


@pytest.mark.parametrize(
    "chance", [float("nan"), float("inf"), 10**400, 10**5_000, 1e308, "1e999", LONG, ENDLESS], ids=numerals.short_repr
)
def test_a_credence_made_in_python_lies_between_0_and_1(chance: object) -> None:
    row = {"agent": "ada", "proposition": "p", "top": 0.5, "credence": chance, "top_if_true": 1, "top_if_false": 0}
    with pytest.raises(BadInput):
        cf.map_credences([row])


@pytest.mark.parametrize(
    ("agents", "questions"), [(6, 4_000), (3, 1_500), (600, 4)], ids=["wide", "three agents", "long"]
)
def test_a_table_ten_times_as_large_takes_about_ten_times_as_long(
    crux: Crux, tmp_path: Path, agents: int, questions: int
) -> None:
    sizes = ((agents, questions), (agents * 10, questions) if agents > questions else (agents, questions * 10))
    small, large = (vote_table(tmp_path / f"{n}.csv", *size) for n, size in enumerate(sizes))
    assert seconds_of(crux, large) < GROWTH_MAX * max(0.05, seconds_of(crux, small))


@pytest.mark.slow
def test_a_table_of_a_hundred_thousand_columns_is_mapped(crux: Crux, tmp_path: Path) -> None:
    table = vote_table(tmp_path / "wide.csv", 6, 100_000)
    began = time.process_time()
    assert crux("votes", str(table)).code == exits.OK
    assert len(strictly(crux("votes", str(table), "--json").out)) > 3
    assert time.process_time() - began < 40  # it was a minute and grew with the square


def vote_table(path: Path, agents: int, questions: int) -> Path:
    words = ("yes", "no", "", "uncertain", "no", "yes", "yes")
    rows = [["agent", *(f"q{n}" for n in range(questions))]]
    rows += [[f"a{row}", *(words[(row * n + row + n) % 7] for n in range(questions))] for row in range(agents)]
    path.write_text("".join(",".join(row) + "\n" for row in rows))
    return path


def seconds_of(crux: Crux, table: Path) -> float:
    began = time.process_time()
    assert crux("votes", str(table)).code == exits.OK
    return time.process_time() - began
