"""The command line with models, against a provider of our own on loopback: what is told, asked, kept and resumed."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bench.fake.caster import PEOPLE, caster
from bench.fake.server import FakeProvider, served
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.cli import exits
from cruxfinder.exports.schemas import result_schema
from cruxfinder.kernel.journal import read_log
from tests.cli.conftest import Crux, Said

pytestmark = pytest.mark.slow

TOPIC = "We should split the monolith into services this year"
SHORT = ("--max-messages", "8")
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "CRUX_API_KEY")
PATIENCE_S = 20


@pytest.fixture(autouse=True)
def nothing_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name in {*KEYS, "OPENAI_BASE_URL"} or (name.startswith("CRUX_") and name != "CRUX_STORE"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def provider() -> Generator[FakeProvider]:
    with served(FakeProvider(caster())) as found:
        yield found


@pytest.fixture
def personas(tmp_path: Path) -> str:
    """A file of two, one with a model of its own."""
    file = tmp_path / "people.yaml"
    file.write_text(
        "personas:\n  - {name: Ann, about: engineer in favour of it}\n  - {name: Ben, about: operator, model: other}\n"
    )
    return str(file)


def spoken(who: str, side: str) -> str:
    return f"I am {side} of the split, since every release waits for {who}. The outage in May cost {who} nine days. "


def at(provider: FakeProvider, *more: str) -> tuple[str, ...]:
    """The options that name this provider."""
    return ("--model", "fake", "--base-url", provider.url, *SHORT, *more)


# ---- what a topic needs


def refused(said: Said, code: int = exits.BAD_INPUT) -> str:
    """One sentence, and nothing else on either stream but what was told before anything was asked."""
    assert said.code == code, said
    assert said.out == ""
    *before, last = said.err.splitlines()
    assert last.startswith("crux: ") and "Traceback" not in said.err
    assert all(line.startswith(("Estimate", "Claim: ", "  ")) for line in before)
    return last


def all_three_ways(told: str) -> bool:
    return all(way in told for way in ("a pack", "a local server", "a key", "OPENAI_API_KEY", "--base-url"))


def test_a_topic_without_a_model_names_all_three_ways(crux: Crux, store: Path) -> None:
    assert all_three_ways(refused(crux("debate", TOPIC)))
    assert not store.exists()


@pytest.mark.parametrize(
    ("named", "variable"),
    [("openai:gpt-5-mini", "OPENAI_API_KEY"), ("anthropic:claude-sonnet-4-5", "ANTHROPIC_API_KEY")],
)
@pytest.mark.parametrize("subject", [TOPIC, "bitcoin"])
def test_a_provider_without_its_key_is_told_before_anything_else(
    crux: Crux, store: Path, subject: str, named: str, variable: str
) -> None:
    said = refused(crux("debate", subject, "--model", named))
    assert f"{named} needs a key, and {variable} is not set" in said and all_three_ways(said)
    assert not store.exists()


@pytest.mark.parametrize(
    ("args", "told"),
    [
        pytest.param(("--model", "x", "--base-url", "localhost:11434"), "is not an address", id="no scheme"),
        pytest.param(
            ("--model", "x", "--base-url", "http://me:hush@here/v1"), "put it into CRUX_API_KEY", id="password"
        ),
        pytest.param(("--model", "gpt-5-mini"), "names no provider", id="no provider"),
        pytest.param(("--model", "acme:x"), "'acme' is not a provider", id="another provider"),
        pytest.param(("--model", "two words"), "is not a model", id="no model at all"),
        pytest.param(("--model", "openai:a", "--model", "openai:b"), "name one model for all", id="two general models"),
        pytest.param(("--model", "ada="), "--model lacks a model for 'ada'", id="an agent without a model"),
        pytest.param(("--model", "=openai:a"), "--model lacks a name", id="a model for nobody"),
        pytest.param(("--deadline", "0"), "--deadline takes a number from 0.05 to 3,600", id="no time"),
        pytest.param(
            ("--deadline", "nan"),
            "--deadline takes a number from 0.05 to 3,600, not nan",
            id="a time that is no number",
        ),
        pytest.param(("--deadline", "soon"), "--deadline", id="a time in words"),
        pytest.param(("--max-calls", "0"), "--max-calls takes a whole number from 1 to", id="no calls"),
        pytest.param(
            ("--max-cost", "-1"), "--max-cost takes a number from 0.000001 to 100,000", id="less than nothing"
        ),
        pytest.param(("--per-minute", "-2"), "--per-minute takes a whole number from 1 to", id="negative requests"),
    ],
)
def test_bad_wishes_are_told_in_one_sentence(crux: Crux, store: Path, args: tuple[str, ...], told: str) -> None:
    said = refused(crux("debate", TOPIC, *args))
    assert told in said and "hush" not in said
    assert not store.exists()


@pytest.mark.parametrize(
    ("args", "told"),
    [
        pytest.param(("--deadline", "0.001"), "from 0.05 to 3,600", id="too little time"),
        pytest.param(("--model", "ada=two words"), "is not a model", id="no model for one agent"),
        pytest.param(("--judge-model", "two words"), "is not a model", id="no model for judgements"),
        pytest.param(("--cast", "1"), "--cast takes a whole number from 2 to 12", id="one persona"),
        pytest.param(("--runs", "1"), "2 to 100 runs", id="one run"),
        pytest.param(("--persona", "nowhere.yaml"), "there is no file", id="no persona file"),
        pytest.param(("--position", "nowhere.md"), "there is no file", id="no memo"),
        pytest.param(("--transcript", "nowhere.txt"), "there is no file", id="no transcript"),
    ],
)
def test_what_cannot_be_debated_asks_nobody(
    crux: Crux, store: Path, provider: FakeProvider, args: tuple[str, ...], told: str
) -> None:
    assert told in refused(crux("debate", TOPIC, *at(provider, *args)))
    assert provider.count == 0 and not store.exists()


def test_an_agent_nobody_knows_gets_no_model(crux: Crux, provider: FakeProvider) -> None:
    said = refused(crux("debate", "bitcoin", *at(provider, "--model", "nobody=other")))
    assert "no agent 'nobody'" in said and "holder" in said
    assert provider.count == 0


def test_a_server_that_is_away_is_told(crux: Crux, store: Path) -> None:
    with served(FakeProvider(caster())) as gone:
        pass
    said = refused(crux("debate", TOPIC, *at(gone, "--deadline", "0.2")), exits.FAULT)
    assert "fake" in said and ("cannot be reached" in said or "no usable answer" in said)
    assert not store.exists()


# ---- debates


def result_in(said: Said) -> dict[str, Any]:
    """The result on standard output, as the schema has it."""
    assert said.code == 0, said
    found = json.loads(said.out)
    Draft202012Validator(json.loads(result_schema())).validate(found)
    return found


def counted(result: dict[str, Any], provider: FakeProvider) -> bool:
    """The result counts what the server did; a request dropped at the end may not have reached it, one an agent."""
    unseen = result["systemMetrics"]["calls"] - provider.count
    return 0 <= unseen <= len(result["agents"]) and provider.count > 0


def test_a_topic_runs_to_a_card(crux: Crux, provider: FakeProvider) -> None:
    said = crux("debate", f"{TOPIC}?".replace("We should", "Should we"), *at(provider))
    assert said.code == 0
    assert f"Topic: {TOPIC} (run we-should-split" in said.out and "8 messages in " in said.out
    assert re.search(r" · \d+ calls, [\d,]+ tokens Go on with", " ".join(said.out.split()))
    for name, _ in PEOPLE:
        assert f"  {name}, engineer: " in said.err and f"  {name}  " in said.out
    estimate, claim = said.err.splitlines()[:2]
    assert estimate.startswith("Estimate: about 16 calls, ") and claim == f"Claim: {TOPIC}"
    assert "\nWarning: all debaters think with fake" in said.err


@pytest.mark.rule("PLUS-5")
@pytest.mark.rule("PLUS-8")
def test_with_json_only_the_result_is_on_standard_output(crux: Crux, provider: FakeProvider) -> None:
    said = crux("debate", TOPIC, *at(provider), "--json")
    result = result_in(said)
    assert "Estimate: " in said.err and "Warning: " in said.err and "Estimate: " not in said.out
    assert result["ending"] == "messages" and result["topic"] == TOPIC
    assert "Draw up 4 people" in provider.calls[0].user
    assert counted(result, provider)
    assert result["systemMetrics"]["callsUnpriced"] == result["systemMetrics"]["calls"]
    assert any("all debaters think with fake" in warning for warning in result["warnings"])


def test_other_models_for_some_silence_the_warning(crux: Crux, provider: FakeProvider) -> None:
    said = crux("debate", TOPIC, *at(provider, "--model", "ada=other", "--judge-model", "judge"), "--json")
    result_in(said)
    assert "  Ada, engineer [other]: " in said.err and "Warning: " not in said.err
    used = {str(call.body["model"]) for call in provider.calls}
    assert used == {"fake", "other", "judge"}
    assert all(call.body["model"] != "fake" for call in provider.calls if call.system.startswith("You are «Ada,"))


def test_personas_come_from_a_file(crux: Crux, provider: FakeProvider, personas: str) -> None:
    said = crux("debate", TOPIC, *at(provider, "--persona", personas), "--json")
    result = result_in(said)
    assert [agent["id"] for agent in result["agents"]] == ["ann", "ben"]
    assert counted(result, provider) and not any("Draw up" in call.user for call in provider.calls)
    assert "  Ben, operator [other]\n" in said.err


def test_memos_become_personas_that_hold_what_they_say(crux: Crux, provider: FakeProvider, tmp_path: Path) -> None:
    memos = {name: tmp_path / f"{name}.md" for name in ("ada", "bo")}
    for (name, file), side in zip(memos.items(), ("in favour", "no friend"), strict=True):
        file.write_text(spoken(name, side))
    said = crux("debate", TOPIC, *at(provider, *(part for f in memos.values() for part in ("--position", str(f)))))
    assert said.code == 0
    assert "Holds: I am in favour of the split, since every release waits for ada" in said.err
    assert "I am no friend of the split" in said.err and "  ada  YES  80%" in said.out and "  bo   NO   30%" in said.out
    asked = [call for call in provider.calls if "What this person wrote" in call.user]
    assert len(asked) == 2


def test_quotes_that_stand_nowhere_make_no_persona(crux: Crux, store: Path, tmp_path: Path) -> None:
    memo = tmp_path / "ada.md"
    memo.write_text(spoken("ada", "in favour"))
    invented = {"role": "engineer", "claims": [{"claim": "It is late.", "quote": "words that she never wrote at all"}]}
    with served(FakeProvider(lambda system, user: json.dumps(invented))) as provider:
        said = refused(crux("debate", TOPIC, *at(provider, "--position", str(memo), "--position", str(memo))), 1)
    assert "ada.md gave no persona for ada" in said and "do not stand in the text" in said
    assert provider.count <= 6 and not store.exists()


def test_speakers_of_a_transcript_become_personas(crux: Crux, provider: FakeProvider, tmp_path: Path) -> None:
    file = tmp_path / "meeting.txt"
    file.write_text(
        "".join(f"{who}: {spoken(who, side) * 3}\n" for who, side in (("Ada", "in favour"), ("Bo", "afraid")))
    )
    said = crux("debate", TOPIC, *at(provider, "--transcript", str(file)), "--json")
    result = result_in(said)
    assert [agent["name"] for agent in result["agents"]] == ["Ada", "Bo"]
    assert "I am afraid of the split" in said.err
    assert counted(result, provider)


def test_a_pack_is_debated_by_models_on_request(crux: Crux, provider: FakeProvider) -> None:
    said = crux("debate", "bitcoin", *at(provider), "--json")
    result = result_in(said)
    assert counted(result, provider)
    assert all(f"  {agent['name']}, " in said.err for agent in result["agents"])


def test_a_pack_stays_with_its_believers_unless_a_model_is_named(
    crux: Crux, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUX_MODEL", "fake")
    monkeypatch.setenv("CRUX_BASE_URL", provider.url)
    said = crux("debate", "bitcoin", *SHORT, "--json")
    assert result_in(said)["systemMetrics"]["calls"] == provider.count == 0 and said.err == ""
    for more in (("--base-url", provider.url), ("--judge-model", "judge"), ("--grammar",)):
        assert f"{more[0]} goes with a model for all: add --model" in refused(crux("debate", "bitcoin", *more))


# ---- caps


@pytest.mark.rule("PLUS-5")
def test_calls_are_capped_casting_included(crux: Crux, provider: FakeProvider) -> None:
    said = crux("debate", TOPIC, *at(provider, "--max-calls", "10"), "--json")
    result = result_in(said)
    assert (result["ending"], result["confidence"]) == ("budget", "LOW")
    assert provider.count <= result["systemMetrics"]["calls"] <= 10
    assert "It ended early: its budget was spent." in crux("show", result["runId"]).out
    assert "byte for byte" in crux("replay", result["runId"]).out


def test_a_cap_that_casting_uses_up_is_one_sentence(crux: Crux, store: Path, provider: FakeProvider) -> None:
    assert "took the whole budget" in refused(crux("debate", TOPIC, *at(provider, "--max-calls", "1")))
    assert provider.count == 1 and not store.exists()


@pytest.mark.rule("PLUS-5")
@pytest.mark.rule("PLUS-7")
def test_a_cap_holds_for_all_runs_together(crux: Crux, provider: FakeProvider, personas: str) -> None:
    said = crux("debate", TOPIC, *at(provider, "--persona", personas, "--runs", "2", "--max-calls", "13"), "--json")
    assert said.code == 0 and json.loads(said.out)["endings"] == {"budget": 2}
    assert 10 <= provider.count <= 13
    assert "Estimate for each of 2 runs: " in said.err
    asked = provider.count
    told = refused(crux("debate", TOPIC, *at(provider, "--persona", personas, "--runs", "9", "--max-calls", "8")))
    assert "the budget leaves nothing for each of 9 runs" in told and provider.count == asked


def test_money_cannot_be_capped_where_there_is_no_price(crux: Crux, provider: FakeProvider, personas: str) -> None:
    said = crux("debate", TOPIC, *at(provider, "--persona", personas, "--max-cost", "0.01"), "--json")
    assert "price of this model is not known, so only calls and tokens can be capped" in said.err
    result = result_in(said)
    assert result["ending"] == "messages" and result["cost"] == 0
    assert any("price is not known" in warning for warning in result["warnings"])


# ---- repeated


@pytest.mark.rule("PLUS-7")
def test_a_pack_is_repeated_without_a_model(crux: Crux) -> None:
    said = crux("debate", "bitcoin", *SHORT, "--runs", "2")
    assert (said.code, said.err) == (0, "")
    assert "2 runs, seeds 0 to 1" in said.out and "PRIMARY CRUX" in said.out and "Ended early: 2 (messages)" in said.out
    again = crux("debate", "bitcoin", *SHORT, "--runs", "2", "--seed", "5", "--json")
    found = json.loads(again.out)
    assert [outcome["seed"] for outcome in found["outcomes"]] == [5, 6] and again.err == ""
    assert len(json.loads(crux("list", "--json").out)) == 4


# ---- where wishes come from


def test_the_environment_names_a_model_for_topics(
    crux: Crux, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUX_MODEL", "fake")
    monkeypatch.setenv("CRUX_BASE_URL", provider.url)
    assert counted(result_in(crux("debate", TOPIC, *SHORT, "--json")), provider)
    crux("debate", TOPIC, *SHORT, "--model", "flag", "--json")
    assert provider.calls[-1].body["model"] == "flag"


def test_a_settings_file_names_a_model_for_topics(
    crux: Crux, provider: FakeProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f'model = "filed"\nbase_url = "{provider.url}"\nmax_calls = 6\n')
    monkeypatch.setenv("CRUX_CONFIG", str(file))
    assert result_in(crux("debate", TOPIC, *SHORT, "--json"))["ending"] == "budget"
    assert provider.count <= 6 and provider.calls[0].body["model"] == "filed"
    monkeypatch.setenv("CRUX_MODEL", "environment")
    crux("debate", TOPIC, *SHORT, "--json")
    assert provider.calls[-1].body["model"] == "environment"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param('model = "x"\napi_key = "sk-hush-hush"\n', "says 'api_key'", id="a key"),
        pytest.param("model = 3\n", "model takes a text, not 3", id="a number"),
        pytest.param("model = \n", "cannot be read", id="no TOML"),
        pytest.param("", "no such file", id="no file"),
    ],
)
def test_a_settings_file_with_a_fault_is_told(
    crux: Crux, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, told: str
) -> None:
    file = tmp_path / "settings.toml"
    if text:
        file.write_text(text)
    monkeypatch.setenv("CRUX_CONFIG", str(file))
    said = refused(crux("debate", TOPIC))
    assert told in said and "hush" not in said
    assert not store.exists()


# ---- runs that are stored


def answers_of(store: Path, run: str) -> int:
    with closing(SqliteStore(store)) as kept:
        return len(read_log(kept.load(run)).answers)


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(signal.SIGTERM, id="SIGTERM"),
        pytest.param(signal.SIGINT, id="Ctrl-C", marks=pytest.mark.slow),
    ],
)
def test_a_run_that_was_ended_goes_on_and_asks_nothing_twice(
    crux: Crux, store: Path, personas: str, how: signal.Signals
) -> None:
    with served(FakeProvider(caster(), latency_s=0.05)) as provider:
        command = [sys.executable, "-m", "cruxfinder", "debate", TOPIC, *at(provider, "--persona", personas)]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + PATIENCE_S
        while provider.count < 5 and time.monotonic() < until:
            time.sleep(0.005)
        child.send_signal(how)
        _, err = child.communicate(timeout=PATIENCE_S)
        assert child.returncode == (exits.TERMINATED if how == signal.SIGTERM else exits.INTERRUPTED), err
        run, *named = shlex.split(err.rpartition("crux resume ")[2])
        assert named == ["--base-url", provider.url]
        asked, answered = provider.count, answers_of(store, run)
        assert 0 < answered <= asked and "The debate is not over." in crux("show", run).out
        result = result_in(crux("resume", run, *named, "--json"))
        assert result["ending"] == "messages"
        dropped = provider.count - asked - (answers_of(store, run) - answered)
        assert 0 <= dropped <= 2, "only asks under way when the debate ends come to nothing"
    assert "byte for byte" in crux("replay", run).out


def test_a_run_is_kept_and_replayed_while_the_server_is_away(crux: Crux, personas: str) -> None:
    with served(FakeProvider(caster())) as gone:
        result = result_in(crux("debate", TOPIC, *at(gone, "--persona", personas), "--json"))
        run, asked = result["runId"], gone.count
    replayed = crux("replay", run)
    assert replayed.code == 0 and "the same, byte for byte" in replayed.out
    shown = json.loads(crux("show", run, "--json").out)
    assert json.loads(crux("replay", run, "--json").out) == shown == result
    assert counted(shown, gone) and gone.count == asked
    assert f"{shown['systemMetrics']['calls']} calls, " in crux("show", run).out
    assert crux("list").out.splitlines()[1].startswith(f"{run}  complete")
    assert json.loads(crux("list", "--json").out)[0]["topic"] == TOPIC
    lines = crux("events", run).out.splitlines()
    assert "debate_started" in lines[0] and "debate_complete" in lines[-1]
    first, *_ = (json.loads(line) for line in crux("events", run, "--jsonl").out.splitlines())
    assert [seat.get("model") for seat in first["seats"]] == ["fake", "other"]
    assert json.loads(crux("resume", run, "--json").out) == shown, "what is over is shown, and nobody is asked"


def test_a_fork_asks_only_what_comes_after(crux: Crux, store: Path, provider: FakeProvider, personas: str) -> None:
    run = result_in(crux("debate", TOPIC, *at(provider, "--persona", personas), "--json"))["runId"]
    answered, asked = answers_of(store, run), provider.count
    named = ("--base-url", provider.url)
    fork = result_in(crux("fork", run, "--at", "8", "--set", "max-messages=10", *named, "--json"))
    assert fork["runId"].startswith(run) and fork["totalMessages"] == 10
    own = answers_of(store, fork["runId"])
    assert 0 <= provider.count - asked - own <= 2 and 0 < own < answered
    events = [crux("events", which, "--jsonl").out.splitlines() for which in (run, fork["runId"])]
    assert events[0][:8] == events[1][:8]
    asked = provider.count
    assert "byte for byte" in crux("replay", fork["runId"]).out
    assert "--at takes 1 to" in refused(crux("fork", run, "--at", "99"))
    assert provider.count == asked
