"""What models cost, how they are named, and where a wish for them comes from."""

from pathlib import Path

import pytest

from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.models.estimate import estimate
from cruxfinder.adapters.models.model_names import ModelName
from cruxfinder.adapters.models.model_pool import RequestLimits
from cruxfinder.adapters.models.prices import price_of, request_usage, worst_usage
from cruxfinder.app.model_request import ModelRequest
from cruxfinder.app.model_settings import with_model_settings
from cruxfinder.errors import BadInput
from cruxfinder.kernel.pack import Models
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import CRUX
from cruxfinder.ports import NANO
from cruxfinder.protocols.protocol_list import protocol_named
from tests import clock
from tests.models.models import PRICED, Provider, check, held, table_of

# ---- prices


@pytest.mark.parametrize(
    ("model", "fresh", "cached", "out"),
    [("openai:gpt-5-mini", 250, 25, 2000), ("anthropic:claude-haiku-4-5", 1000, 100, 5000)],
)
def test_known_models_have_their_price(model: str, fresh: float, cached: float, out: float) -> None:
    price = price_of(model_names.read(model))
    assert price is not None
    assert (price.fresh, price.cached, price.out) == pytest.approx((fresh, cached, out))
    used = request_usage(model_names.read(model), tokens_in=1000, cached=400, kept=0, tokens_out=100)
    assert used.nanodollars == round(600 * fresh + 400 * cached + 100 * out)
    assert used.unpriced == 0


@pytest.mark.parametrize(
    "name", [model_names.read("openai:gpt-99-nano"), model_names.read("gpt-5-mini", "http://localhost:1/v1")], ids=str
)
def test_what_the_table_does_not_know_has_no_price(name: ModelName) -> None:
    assert price_of(name) is None
    assert (
        worst_usage(name, tokens_in=5, tokens_out=5).nanodollars,
        worst_usage(name, tokens_in=5, tokens_out=5).unpriced,
    ) == (
        0,
        1,
    )


@pytest.mark.parametrize("model", ["openai:gpt-5-mini", "anthropic:claude-haiku-4-5", "openai:gpt-4o-mini"])
def test_the_worst_is_never_less_than_what_is_taken(model: str) -> None:
    name = model_names.read(model)
    for tokens in (0, 1, 7, 999, 100_000):
        for cached, kept in ((0, 0), (tokens, 0), (0, tokens), (tokens // 2, tokens // 3)):
            used = request_usage(name, tokens_in=tokens, cached=cached, kept=kept, tokens_out=tokens // 3)
            assert used.nanodollars <= worst_usage(name, tokens_in=tokens, tokens_out=tokens // 3).nanodollars


@pytest.mark.parametrize(("agents", "dollars"), [(2, 0.10), (5, 0.40)])
def test_a_whole_debate_is_cheap(agents: int, dollars: float) -> None:
    found = held(Provider(), table_of(agents), settings=Settings(), **PRICED)
    clock.run(check(found))
    provider = found.provider
    spent = provider.tokens_in * 250 + provider.tokens_out * 2000
    print(f"{agents} agents at gpt-5-mini: ${spent / NANO:.4f}, {provider.count} calls")
    assert found.usage.nanodollars == spent, "to the billionth of a dollar"
    assert found.usage.unpriced == 0
    assert 0 < spent < dollars * NANO


@pytest.mark.slow
def test_an_estimate_comes_near_to_what_a_debate_takes() -> None:
    for agents in (2, 5):
        told = estimate(agents, Models(dialogue="openai:gpt-5-mini"), Settings(), protocol_named(CRUX))
        found = held(Provider(), table_of(agents), settings=Settings(), **PRICED)
        assert told.calls[0] * 0.7 <= found.provider.count <= told.calls[1]
        assert told.dollars is not None
        assert told.dollars[0] * 0.3 <= found.usage.dollars <= told.dollars[1]
    free = estimate(
        2, Models(dialogue="m", base_url="http://localhost:1/v1"), Settings(max_calls=3), protocol_named(CRUX)
    )
    assert (free.calls, free.dollars) == ((3, 3), None)
    assert "not known" in free.summary()


# ---- names


@pytest.mark.parametrize(
    ("text", "url", "provider", "model"),
    [
        ("openai:gpt-5-mini", "", "openai", "gpt-5-mini"),
        ("anthropic:claude-haiku-4-5", "", "anthropic", "claude-haiku-4-5"),
        ("qwen3:8b", "http://localhost:11434/v1", "compatible", "qwen3:8b"),
        ("openai:gpt-oss", "http://localhost:8080/v1/", "compatible", "gpt-oss"),
        ("org/model-7b.Q4_K_M", "https://models.example/v1", "compatible", "org/model-7b.Q4_K_M"),
        ("openai:ft:gpt-4o:org::id", "", "openai", "ft:gpt-4o:org::id"),
    ],
)
def test_good_names(text: str, url: str, provider: str, model: str) -> None:
    found = model_names.read(text, url)
    assert (found.provider, found.model, found.base_url) == (provider, model, url.rstrip("/"))


@pytest.mark.parametrize(
    ("text", "url", "fault"),
    [
        ("", "", "is not a model"),
        ("gpt-5-mini", "", "names no provider: write openai:gpt-5-mini"),
        ("openai:", "", "openai"),
        ("mistral:large", "", "'mistral' is not a provider here"),
        ("a model", "", "is not a model"),
        ("openai:x\ny", "", "is not a model"),
        ("x" * 300, "", "is not a model"),
        ("m", "localhost:8080", "is not an address"),
        ("m", "ftp://host/v1", "is not an address"),
        ("m", "http://", "is not an address"),
        ("m", "http://host:99999/v1", "is not an address"),
        ("m", "http://[::1/v1", "is not an address"),
        ("m", "http://me:secret@host/v1", "may not hold a key or a password"),
        ("m", "http://host/v1?key=secret", "may not hold a key or a password"),
    ],
)
def test_bad_names_are_told_in_one_sentence(text: str, url: str, fault: str) -> None:
    with pytest.raises(BadInput) as raised:
        model_names.read(text, url)
    assert fault in str(raised.value)
    assert "\n" not in str(raised.value) and "secret" not in str(raised.value)


@pytest.mark.parametrize("deadline_s", [0.0, -1.0, 1e9, float("nan")])
def test_a_deadline_that_makes_no_sense_is_told(deadline_s: float) -> None:
    with pytest.raises(BadInput, match="must make sense"):
        RequestLimits(deadline_s=deadline_s)


@pytest.mark.parametrize(("per_minute", "at_once"), [(-1, 64), (0, 0), (0, -3)])
def test_limits_that_make_no_sense_are_told(per_minute: int, at_once: int) -> None:
    with pytest.raises(BadInput, match="must make sense"):
        RequestLimits(per_minute=per_minute, at_once=at_once)


# ---- flags over environment over file


def config(folder: Path, text: str) -> dict[str, str]:
    path = folder / "crux.toml"
    path.write_text(text, "utf-8")
    return {"CRUX_CONFIG": str(path)}


def test_each_wish_comes_from_the_first_place_that_says_it(tmp_path: Path) -> None:
    env = config(tmp_path, 'model = "openai:file"\njudge_model = "openai:file"\nmax_calls = 7\nfallback = ["a", "b"]\n')
    env |= {"CRUX_MODEL": "openai:env", "CRUX_JUDGE_MODEL": "openai:env", "CRUX_DEADLINE": "2.5", "CRUX_GRAMMAR": "yes"}
    found = with_model_settings(ModelRequest(model="openai:flag", per_minute=9), env)
    assert found == ModelRequest(
        model="openai:flag",
        judge_model="openai:env",
        max_calls=7,
        fallbacks=("a", "b"),
        deadline_s=2.5,
        grammar=True,
        per_minute=9,
    )
    assert with_model_settings(ModelRequest(), {}) == ModelRequest()


def test_a_file_is_found_where_such_files_live(tmp_path: Path) -> None:
    place = tmp_path / ".config" / "cruxfinder"
    place.mkdir(parents=True)
    (place / "config.toml").write_text('base_url = "http://localhost:1/v1"', "utf-8")
    assert with_model_settings(ModelRequest(), {"HOME": str(tmp_path)}).base_url == "http://localhost:1/v1"
    assert with_model_settings(ModelRequest(), {"HOME": "/", "XDG_CONFIG_HOME": str(tmp_path / ".config")}).base_url


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("model = 3", "model takes a text, not 3"),
        ("max_calls = 2.5", "max_calls takes a whole number from 1 to 1,000,000,000, not 2.5"),
        ("max_calls = true", "max_calls takes a whole number from 1 to 1,000,000,000, not true"),
        ("deadline = nan", "deadline takes a number from 0.05 to 3,600, not nan"),
        ('grammar = "perhaps"', "grammar takes true or false, not 'perhaps'"),
        ('api_key = "x"', "says 'api_key'; it may say"),
        ("model = ", "cannot be read"),
        ("#" * 70_000, "too large"),
    ],
)
def test_faults_of_a_file_are_told_in_one_sentence(text: str, fault: str, tmp_path: Path) -> None:
    folder = tmp_path / "in {braces}"
    folder.mkdir()
    with pytest.raises(BadInput) as raised:
        with_model_settings(ModelRequest(), config(folder, text))
    assert fault in str(raised.value) and str(folder) in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("env", "fault"),
    [
        ({"CRUX_MAX_CALLS": "many"}, "CRUX_MAX_CALLS takes a whole number from 1 to 1,000,000,000, not 'many'"),
        ({"CRUX_DEADLINE": "inf"}, "CRUX_DEADLINE takes a number from 0.05 to 3,600, not inf"),
        ({"CRUX_CONFIG": "/nowhere/at/all.toml"}, "there is no such file"),
    ],
)
def test_faults_of_the_environment_are_told_in_one_sentence(env: dict[str, str], fault: str) -> None:
    with pytest.raises(BadInput) as raised:
        with_model_settings(ModelRequest(), env)
    assert fault in str(raised.value) and "\n" not in str(raised.value)
