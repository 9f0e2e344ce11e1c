"""The caps of a server hold for all it pays for: debates it begins, forks, and runs it goes on with."""

import asyncio
import json
import os
from bisect import bisect_left
from collections.abc import Generator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest

from bench.fake.server import running, served
from cruxfinder.adapters.models.allowance import allow_addresses
from cruxfinder.adapters.models.model_pool import ModelPool, RequestLimits
from cruxfinder.adapters.models.rate_limits import RateLimiter
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import resumption, run_starts
from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.model_request import ModelRequest
from cruxfinder.app.server_setup import Setup, open_configured_chooser
from cruxfinder.errors import CruxfinderError
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.journal import read_log
from cruxfinder.kernel.pack import Models
from cruxfinder.kernel.settings import Settings
from cruxfinder.ports import NANO
from tests import clock
from tests.attack.foreign_store import RUN, Listener, foreign_run, serving_store
from tests.kernel.runs import bodies_of, chained, store_with
from tests.models.models import Provider, table_of, thought_by
from tests.server.hosting import ended

MOST: Final = 8
ASKED: Final = {"at": 3, "pace": "fast"}


@pytest.fixture(autouse=True)
def nothing_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("CRUX_", "OPENAI_", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def provider() -> Generator[Listener]:
    with served(Listener()) as found:
        yield found


def server_of(provider: Listener, **caps: Any) -> ModelRequest:
    return ModelRequest(model="fake", base_url=provider.url, **(caps or {"max_calls": MOST}))


def forked(client: httpx2.Client, *changes: str) -> dict[str, Any]:
    answer = client.post(f"/api/debates/{RUN}/fork", json={**ASKED, "changes": list(changes)})
    assert answer.status_code == 201, answer.text
    return ended(client, answer.json()["id"])


@pytest.mark.parametrize("own", [Settings(max_messages=14), Settings(max_messages=14, max_calls=100_000)])
def test_a_fork_cannot_raise_the_calls_of_its_server(tmp_path: Path, provider: Listener, own: Settings) -> None:
    """Neither by what it asks for nor by what its parent was allowed elsewhere."""
    foreign_run(tmp_path / "runs.db", provider.url, settings=own, over=True)
    with serving_store(tmp_path / "runs.db", server_of(provider)) as (client, setup):
        for changes in (("max-calls=100000",), ("max-messages=40",), ("max-calls=5", "max-calls=100000")):
            provider.forget()
            found = forked(client, *changes)
            assert found["state"] == "complete" and found["settings"]["maxCalls"] == MOST
            assert 0 < provider.count <= MOST
            assert json.loads(setup.store.load(found["id"])[0].body)["changes"][-1] == f"max-calls={MOST}"
        provider.forget()
        assert forked(client, "max-calls=3")["settings"]["maxCalls"] == 3, "lowering is what a caller may do"
        assert provider.count <= 3


def test_tokens_and_cost_hold_for_forks_too(tmp_path: Path, provider: Listener) -> None:
    foreign_run(tmp_path / "runs.db", provider.url, over=True)
    with serving_store(tmp_path / "runs.db", server_of(provider, max_tokens=9_000, max_cost=0.25)) as (client, _):
        settings = forked(client, "max-tokens=1000000000", "max-cost=100000")["settings"]
    assert (settings["maxTokens"], settings["maxNanodollars"]) == (9_000, NANO // 4)


@pytest.mark.parametrize("own", [Settings(max_messages=14), Settings(max_messages=14, max_calls=100_000)])
def test_a_run_that_could_pass_a_cap_of_the_server_is_not_gone_on_with(
    tmp_path: Path, provider: Listener, own: Settings
) -> None:
    foreign_run(tmp_path / "runs.db", provider.url, settings=own)
    provider.forget()
    with serving_store(tmp_path / "runs.db", server_of(provider)) as (client, setup):
        found = client.get(f"/api/debates/{RUN}").json()
        assert found["state"] == "open" and f"max-calls={MOST}" in found["why"]
        answer = client.post(f"/api/debates/{RUN}/resume", json={"pace": "fast"})
        assert answer.status_code == 422 and "crux resume" in answer.json()["detail"]
        assert [run for run, _ in setup.store.hosted_runs()] == [RUN]
    assert provider.count == 0


def test_a_run_within_the_caps_goes_on_and_keeps_to_them(tmp_path: Path, provider: Listener) -> None:
    foreign_run(tmp_path / "runs.db", provider.url, settings=Settings(max_messages=14, max_calls=MOST))
    provider.forget()
    with serving_store(tmp_path / "runs.db", server_of(provider)) as (client, _):
        found = ended(client, RUN)
    assert found["state"] == "complete" and found["usage"]["calls"] <= MOST
    assert provider.count <= MOST


@pytest.mark.parametrize("asked", [None, 100_000, 3])
def test_a_debate_that_is_begun_keeps_to_the_caps(tmp_path: Path, provider: Listener, asked: int | None) -> None:
    wish: dict[str, Any] = {"pack": "monolith", "withModel": True, "pace": "fast", "maxMessages": 30}
    with serving_store(tmp_path / "runs.db", server_of(provider)) as (client, _):
        answer = client.post("/api/debates", json=wish if asked is None else {**wish, "maxCalls": asked})
        assert answer.status_code == 201, answer.text
        found = ended(client, answer.json()["id"])
    assert found["settings"]["maxCalls"] == min(asked or MOST, MOST)
    assert 0 < provider.count <= found["settings"]["maxCalls"]


# ---- a cap in dollars where nothing has a price


DOLLARS: Final[dict[str, Any]] = {"max_cost": 0.25}
PRICED: Final = "openai:gpt-5-mini"
BEGIN: Final[dict[str, Any]] = {"pack": "monolith", "withModel": True, "pace": "fast", "maxMessages": 14}
ON_A_TOPIC: Final[dict[str, Any]] = {"topic": "We should split the monolith into services this year", "pace": "fast"}
UNPRICED: Final[dict[str, dict[str, Any]]] = {
    "the model": {},
    "the judge": {"dialogue": PRICED, "judgement": "openai:nobody-sells-this", "base_url": ""},
    "what stands in": {"dialogue": PRICED, "fallbacks": (PRICED, "anthropic:nobody-sells-this"), "base_url": ""},
    "one agent's own": {"dialogue": PRICED, "base_url": "", "agent": "openai:nobody-sells-this"},
}

FORKED: Final = ("the model", "one agent's own")


@pytest.fixture
def sold(provider: Listener, monkeypatch: pytest.MonkeyPatch) -> Listener:
    """The provider under the names of those whose models have prices."""
    for name in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{name}_BASE_URL", provider.url)
        monkeypatch.setenv(f"{name}_API_KEY", "none")
    return provider


def refused_for_its_price(answer: httpx2.Response) -> bool:
    told = str(answer.json().get("detail"))
    return answer.status_code == 422 and "is not known" in told and "calls or tokens" in told and "\n" not in told


@pytest.mark.parametrize("asked", [BEGIN, {**BEGIN, "maxCalls": 1_000_000}, ON_A_TOPIC])
def test_nothing_is_begun_under_a_cap_in_dollars_that_cannot_hold(
    tmp_path: Path, provider: Listener, asked: dict[str, Any]
) -> None:
    with serving_store(tmp_path / "runs.db", server_of(provider, **DOLLARS)) as (client, setup):
        assert refused_for_its_price(client.post("/api/debates", json=asked))
        assert setup.store.rows() == ()
    assert provider.count == 0


def test_a_caller_is_told_where_a_cap_of_their_own_in_dollars_cannot_hold(tmp_path: Path, provider: Listener) -> None:
    with serving_store(tmp_path / "runs.db", ModelRequest(model="fake", base_url=provider.url)) as (client, _):
        assert refused_for_its_price(client.post("/api/debates", json={**BEGIN, "maxCost": 1}))
        assert provider.count == 0
        answer = client.post("/api/debates", json={**BEGIN, "maxCost": 1, "maxCalls": MOST})
        assert answer.status_code == 201 and ended(client, answer.json()["id"])["usage"]["calls"] <= MOST


@pytest.mark.parametrize("models", UNPRICED.values(), ids=UNPRICED.keys())
def test_nothing_goes_on_under_a_cap_in_dollars_that_cannot_hold(
    tmp_path: Path, sold: Listener, models: dict[str, Any]
) -> None:
    """Whichever of its models a log gives no price: the server's own has one."""
    named = {**models}
    own = {"own": (named.pop("agent"),) * 2} if "agent" in named else {}
    url = named.pop("base_url", sold.url)
    cheap = Settings(max_messages=14, max_nanodollars=NANO // 100)
    foreign_run(tmp_path / "runs.db", url, settings=cheap, **own, **named)
    sold.forget()
    wished = ModelRequest(model=PRICED, base_url=url, **DOLLARS)
    with serving_store(tmp_path / "runs.db", wished) as (client, setup):
        found = client.get(f"/api/debates/{RUN}").json()
        assert found["state"] == "open" and "calls or tokens" in found["why"] and RUN in found["why"]
        assert refused_for_its_price(client.post(f"/api/debates/{RUN}/resume", json={"pace": "fast"}))
        assert [run for run, _ in setup.store.hosted_runs()] == [RUN], "it is left for a server that may go on with it"
    assert sold.count == 0


@pytest.mark.parametrize(
    "models",
    [
        pytest.param(models, id=name, marks=() if name in FORKED else pytest.mark.slow)
        for name, models in UNPRICED.items()
    ],
)
def test_nothing_is_forked_under_a_cap_in_dollars_that_cannot_hold(
    tmp_path: Path, sold: Listener, models: dict[str, Any]
) -> None:
    named = {**models}
    own = {"own": (named.pop("agent"),) * 2} if "agent" in named else {}
    url = named.pop("base_url", sold.url)
    foreign_run(tmp_path / "runs.db", url, over=True, **own, **named)
    sold.forget()
    with serving_store(tmp_path / "runs.db", ModelRequest(model=PRICED, base_url=url, **DOLLARS)) as (client, setup):
        for change in ("max-messages=9", "max-cost=0.0001", "max-calls=1000000"):
            answer = client.post(f"/api/debates/{RUN}/fork", json={**ASKED, "changes": [change]})
            assert refused_for_its_price(answer), answer.text
        assert [row.id for row in setup.store.rows()] == [RUN]
    assert sold.count == 0


@pytest.mark.parametrize("caps", [DOLLARS, {**DOLLARS, "max_calls": MOST}], ids=["dollars", "dollars and calls"])
def test_models_with_a_price_are_asked_under_a_cap_in_dollars(
    tmp_path: Path, sold: Listener, caps: dict[str, Any]
) -> None:
    foreign_run(tmp_path / "runs.db", "", over=True, dialogue=PRICED)
    sold.forget()
    with serving_store(tmp_path / "runs.db", ModelRequest(model=PRICED, **caps)) as (client, _):
        assert forked(client, "max-messages=9")["state"] == "complete"
        answer = client.post("/api/debates", json=BEGIN)
        assert answer.status_code == 201 and ended(client, answer.json()["id"])["state"] == "complete"
    assert sold.count > 0


def test_a_cap_in_calls_beside_one_in_dollars_lets_any_model_be_asked(tmp_path: Path, provider: Listener) -> None:
    with serving_store(tmp_path / "runs.db", server_of(provider, **DOLLARS, max_calls=MOST)) as (client, _):
        answer = client.post("/api/debates", json=BEGIN)
        assert answer.status_code == 201 and ended(client, answer.json()["id"])["state"] == "complete"
    assert 0 < provider.count <= MOST


def test_the_house_thinks_for_the_gate_where_no_cap_would_bind_the_model(tmp_path: Path, provider: Listener) -> None:
    async def minds(wished: ModelRequest) -> bool:
        gate = Gate(rules=rules_in_force(), memory=Memory(tmp_path / "memory"), disabled=False)
        async with open_configured_chooser(Setup(gate=gate, store=MemoryStore(), wished=wished)) as choose:
            return choose(()) is not None

    assert not asyncio.run(minds(server_of(provider, **DOLLARS)))
    assert asyncio.run(minds(server_of(provider, **DOLLARS, max_tokens=9_000)))


# ---- how hard a provider is pressed


DEBATES: Final = 2


def test_requests_at_once_are_counted_over_all_debates_of_a_server(tmp_path: Path, provider: Listener) -> None:
    """Begun, forked or gone on with: the provider sees one server."""
    foreign_run(tmp_path / "runs.db", provider.url, settings=Settings(max_messages=14))
    provider.forget()
    provider.latency_s = 0.02
    wished = ModelRequest(model="fake", base_url=f"{provider.url}/", at_once=2)
    with serving_store(tmp_path / "runs.db", wished) as (client, _):
        begun = [client.post("/api/debates", json=BEGIN).json()["id"] for _ in range(DEBATES)]
        assert all(ended(client, run)["state"] == "complete" for run in (RUN, *begun))
    assert provider.most_open == 2


def test_requests_a_minute_are_counted_over_all_debates_of_a_server() -> None:
    """Also over debates that come one after the other."""

    async def times(provider: Provider, per_minute: int) -> list[float]:
        async with running(provider):
            for _ in range(2):
                debates = (
                    run_starts.start(
                        thought_by(table_of(2), provider.url),
                        MemoryStore(),
                        settings=Settings(max_messages=6),
                        thinking=RequestLimits(per_minute=per_minute),
                    )
                    for _ in range(DEBATES)
                )
                await asyncio.gather(*debates)
        return provider.times

    found = clock.run(times(Provider(), 20))
    assert len(found) > 25
    for first, since in enumerate(found):
        assert bisect_left(found, since + 59.9) - first <= 20


def test_another_address_and_another_key_have_limits_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    async def connected(url: str, key: str = "one", at_once: int = 2) -> RateLimiter:
        monkeypatch.setenv("CRUX_API_KEY", key)
        crew = ModelPool(Models(dialogue="fake", base_url=url), RequestLimits(at_once=at_once))
        return crew.connection_of("fake").limits

    async def scenario() -> None:
        first = await connected("http://127.0.0.1:9/v1")
        assert await connected("http://127.0.0.1:9/v1/") is first, "the same place written otherwise"
        assert await connected("http://127.0.0.1:8/v1") is not first
        assert await connected("http://127.0.0.1:9/v1", "two") is not first
        assert await connected("http://127.0.0.1:9/v1", at_once=3) is not first

    asyncio.run(scenario())


# ---- caps themselves


def test_a_log_that_lacks_its_answers_pays_for_no_more_than_the_caps(provider: Listener) -> None:
    """A fork asks again what its parent's log does not hold: before its own changes count, too."""
    whole = MemoryStore()
    pack = thought_by(table_of(4), provider.url)
    asyncio.run(run_starts.start(pack, whole, settings=Settings(max_messages=14), run=RUN))
    events = chained(body for body in bodies_of(whole.load(RUN)) if body[0] == "event")
    bare = store_with(events, whole, RUN)
    provider.forget()
    allowed = allow_addresses([provider.url], Caps(calls=2))  # four are asked for their first position
    with suppress(CruxfinderError):  # it may come to something else than its parent; what counts is what was paid
        asyncio.run(resumption.fork(RUN, len(read_log(events).events) - 1, [], bare, allowed=allowed))
    assert 0 < provider.count <= 2


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (Caps(), Caps(), Caps()),
        (Caps(calls=8), Caps(), Caps(calls=8)),
        (Caps(), Caps(tokens=8), Caps(tokens=8)),
        (Caps(calls=8, nanodollars=1), Caps(calls=5, nanodollars=7), Caps(calls=5, nanodollars=1)),
    ],
)
def test_of_two_caps_the_lower_one_holds_and_none_is_no_cap(one: Caps, other: Caps, both: Caps) -> None:
    assert one.within(other) == other.within(one) == both, asdict(both)
