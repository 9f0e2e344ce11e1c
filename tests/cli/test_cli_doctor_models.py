"""`crux doctor` on models: keys, reachability and structured output with one cheap call, and what to do."""

import json
import re
from collections.abc import Generator
from pathlib import Path

import pytest

from bench.fake.brain import believer
from cruxfinder.cli import doctor_models, exits
from tests.cli.conftest import Crux, Said
from tests.cli.test_cli_models import KEYS, nothing_configured, served
from tests.models.models import Provider, completion

pytestmark = pytest.mark.slow

__all__ = ["nothing_configured"]  # holds for every test here too

SECRET = "sk-proj-Zq81mNvc77TtLLw02"
NO_JSON = "answers, but not with the JSON it was asked for"


@pytest.fixture
def provider() -> Generator[Provider]:
    with served(Provider(brain=believer(1))) as found:
        assert isinstance(found, Provider)
        yield found


def at(provider: Provider, *more: str) -> tuple[str, ...]:
    return ("doctor", "--model", "fake", "--base-url", provider.url, *more)


def checks(said: Said, what: str = "model") -> list[tuple[str, str]]:
    """Status and finding of each check of a kind."""
    rows = [line.split(maxsplit=2) for line in said.out.splitlines()]
    return [(status, found) for status, kind, found in rows if kind == what]


def failing(provider: Provider, fault: str) -> None:
    provider.faults = lambda number: fault


# ---- nothing named


def test_without_a_model_nothing_is_asked(crux: Crux) -> None:
    said = crux("doctor")
    assert (said.code, said.err) == (0, "")
    assert [status for status, _ in checks(said)] == ["ok"] and "none named; packs need none" in said.out
    assert checks(said, "keys") == [("ok", "none is set; packs and most local servers need none")]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_keys_are_named_and_never_shown(crux: Crux, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    for key in KEYS[:count]:
        monkeypatch.setenv(key, f"{SECRET}{key}")
    for said in (crux("doctor"), crux("doctor", "--json")):
        assert said.code == 0 and not leaked(said)
    ((status, found),) = checks(crux("doctor"), "keys")
    there, _, absent = found.partition(" set")
    assert status == "ok" and all(key in there for key in KEYS[:count]) and all(key in absent for key in KEYS[count:])


def leaked(said: Said) -> bool:
    return any(part in said.out + said.err for part in (SECRET, SECRET[:12], SECRET[-8:]))


# ---- a model that is well


def test_a_model_that_answers_is_asked_once(crux: Crux, provider: Provider) -> None:
    said = crux(*at(provider))
    assert (said.code, said.err) == (0, "")
    ((status, found),) = checks(said)
    assert status == "ok" and re.match(rf"fake at {re.escape(provider.url)} answers with JSON in \d+\.\d s \(", found)
    assert "its price is not known" in found
    (call,) = provider.calls
    assert call.body["max_tokens"] == 300 and call.body["response_format"] == {"type": "json_object"}
    assert len(call.system) + len(call.user) < 500


def test_a_grammar_is_sent_instead_of_the_wish_for_json(crux: Crux, provider: Provider) -> None:
    assert crux(*at(provider, "--grammar")).code == 0
    (call,) = provider.calls
    assert str(call.body["grammar"]).startswith("root ::= ") and "response_format" not in call.body


def test_every_model_is_asked_once_whatever_it_is_for(crux: Crux, provider: Provider) -> None:
    more = ("--judge-model", "judge", "--fallback", "fake", "--fallback", "spare", "--model", "ada=judge")
    said = crux(*at(provider, *more))
    assert said.code == 0 and provider.by_model == {"fake": 1, "judge": 1, "spare": 1}
    assert [found.split()[0] for _, found in checks(said)] == ["fake", "judge", "spare"]


def test_one_that_fails_does_not_hide_the_others(crux: Crux, provider: Provider) -> None:
    provider.faults = lambda number: "server error" if provider.asked["model"] == "judge" else ""
    said = crux(*at(provider, "--judge-model", "judge", "--fallback", "two words"))
    assert said.code == exits.FAULT
    assert [status for status, _ in checks(said)] == ["wrong", "ok", "wrong"]
    assert "'two words' is not a model" in said.out and "judge failed (500): try again later" in said.out


def test_a_price_that_is_known_is_told(crux: Crux, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", provider.url)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    said = crux("doctor", "--model", "openai:gpt-5-mini")
    assert said.code == 0 and not leaked(said)
    assert checks(said)[0][1].endswith("; $0.25 for a million tokens in, $2 out") and provider.count == 1


def test_json_has_the_same_checks(crux: Crux, provider: Provider) -> None:
    failing(provider, "prose")
    said = crux(*at(provider, "--json"))
    found = json.loads(said.out)
    assert said.code == exits.FAULT and said.err == ""
    assert found[-1]["what"] == "model" and found[-1]["status"] == "wrong" and NO_JSON in found[-1]["found"]


# ---- where models are named


def test_flags_come_before_the_environment_and_that_before_the_file(
    crux: Crux, provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f'model = "filed"\nbase_url = "{provider.url}"\n')
    monkeypatch.setenv("CRUX_CONFIG", str(file))
    assert crux("doctor").code == 0
    monkeypatch.setenv("CRUX_MODEL", "environment")
    assert crux("doctor").code == 0
    assert crux("doctor", "--model", "flag").code == 0
    assert list(provider.by_model) == ["filed", "environment", "flag"]


def test_a_settings_file_with_a_fault_is_a_finding(crux: Crux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f'openai_key = "{SECRET}"\n')
    monkeypatch.setenv("CRUX_CONFIG", str(file))
    said = crux("doctor")
    assert said.code == exits.FAULT and not leaked(said)
    ((status, found),) = checks(said, "settings")
    assert status == "wrong" and "'openai_key'" in found and checks(said) == []


# ---- what fails says what to do


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        pytest.param("prose", f"{NO_JSON} (there is no JSON object in it): use another, or --grammar", id="prose"),
        pytest.param("malformed", f"{NO_JSON} (the JSON in it is broken", id="half of it"),
        pytest.param("wrong shape", f"{NO_JSON} (it lacks p_top, side, reason)", id="another shape"),
        pytest.param("empty", NO_JSON, id="nothing"),
        pytest.param("long", f"{NO_JSON} (it was cut off after 300 tokens): use one that does not think", id="cut off"),
        pytest.param("html", "and does it end in /v1?", id="a page"),
        pytest.param("other json", "and does it end in /v1?", id="another server's JSON"),
        pytest.param("nowhere", "there is nothing at {url} (404): is the address right", id="no such path"),
        pytest.param("no model", "there is no model fake at {url} for you (404): name another", id="no such model"),
        pytest.param("bad key", "wants a key (401): put it into CRUX_API_KEY", id="a key is missing"),
        pytest.param("rate limit", "is busy (429): wait a little", id="too many requests"),
        pytest.param("server error", "failed (500): try again later", id="a failure"),
        pytest.param("bad request", "refused the request (400): no such parameter", id="a refusal"),
        pytest.param("cut", "broke off: Connection error.: try again", id="a connection that breaks"),
    ],
)
def test_each_failure_says_what_to_do_after_one_request(crux: Crux, provider: Provider, fault: str, told: str) -> None:
    failing(provider, fault)
    stopped = {"index": 0, "message": {"role": "assistant", "content": '{"p_top": 0'}, "finish_reason": "length"}
    provider.bodies = {
        "long": (200, completion("", choices=[stopped])),
        "other json": (200, '{"hello": "world"}'),
        "nowhere": (404, "<h1>Not found</h1>"),
        "no model": (404, '{"error": {"message": "model fake not found"}}'),
        "bad request": (400, '{"error": {"message": "no such parameter"}}'),
    }
    said = crux(*at(provider))
    ((status, found),) = checks(said)
    assert (said.code, status, provider.count) == (exits.FAULT, "wrong", 1)
    assert told.format(url=provider.url) in found and "Traceback" not in said.err


def test_a_server_that_is_away_is_asked_for(crux: Crux) -> None:
    with served(Provider()) as gone:
        pass
    said = crux("doctor", "--model", "fake", "--base-url", gone.url)
    assert said.code == exits.FAULT
    assert checks(said) == [("wrong", f"fake cannot be reached: is the server running at {gone.url}?")]


def test_a_server_that_never_answers_is_not_waited_for(
    crux: Crux, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert doctor_models.DEADLINE_S == 20
    monkeypatch.setattr(doctor_models, "DEADLINE_S", 0.2)
    failing(provider, "hang")
    said = crux(*at(provider))
    assert said.code == exits.FAULT and f"fake at {provider.url} gave no answer in 0.2 s" in said.out


# ---- keys


@pytest.mark.parametrize(
    ("model", "key"), [("openai:gpt-5-mini", "OPENAI_API_KEY"), ("anthropic:claude-haiku-4-5", "ANTHROPIC_API_KEY")]
)
def test_a_missing_key_is_asked_for(crux: Crux, model: str, key: str) -> None:
    said = crux("doctor", "--model", model)
    assert said.code == exits.FAULT and checks(said) == [("wrong", f"{model} needs a key: set {key}")]


@pytest.mark.parametrize("odd", [f"{SECRET} {SECRET}", f"{SECRET}\n{SECRET}", f"{SECRET}ü"])
def test_what_is_no_key_is_not_sent(crux: Crux, provider: Provider, monkeypatch: pytest.MonkeyPatch, odd: str) -> None:
    monkeypatch.setenv("CRUX_API_KEY", odd)
    said = crux(*at(provider))
    assert said.code == exits.FAULT and not leaked(said) and provider.count == 0
    assert "CRUX_API_KEY holds what no key does" in said.out


@pytest.mark.parametrize(
    ("status", "told"), [(401, "refused the key in CRUX_API_KEY (401)"), (403, "(403)"), (400, "(400)"), (404, "(404)")]
)
def test_a_key_that_is_sent_back_is_not_shown(
    crux: Crux, provider: Provider, monkeypatch: pytest.MonkeyPatch, status: int, told: str
) -> None:
    monkeypatch.setenv("CRUX_API_KEY", SECRET)
    failing(provider, "echo")
    provider.bodies = {"echo": (status, json.dumps({"error": {"message": f"not with {SECRET}, my friend"}}))}
    for more in ((), ("--json",)):
        said = crux(*at(provider, *more))
        assert said.code == exits.FAULT and told in said.out and not leaked(said)


def test_keys_in_the_wrong_place_are_not_shown(crux: Crux, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    for args in (("--model", SECRET), ("--model", "x", "--base-url", f"http://me:{SECRET}@localhost/v1")):
        said = crux("doctor", *args)
        assert said.code == exits.FAULT and not leaked(said) and checks(said)[0][0] == "wrong"
