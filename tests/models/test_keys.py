"""A key goes to its provider and nowhere else: no prompt, log, event or error holds it."""

import json
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.models.connection import ModelConnection
from cruxfinder.adapters.models.model_pool import ModelPool, RequestLimits
from cruxfinder.adapters.models.retries import ModelThinker
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import stored_runs
from cruxfinder.errors import BadInput, DebaterFault
from cruxfinder.kernel import wire
from cruxfinder.kernel.pack import Models
from cruxfinder.kernel.run_facts import AskFailed
from cruxfinder.kernel.settings import Settings
from cruxfinder.ports import Prompt, Usage
from tests import clock
from tests.models.models import RUN, Provider, completion, hold, response, table_of

KEY: Final = "zqx7keyQ5f2a9cB1"
OTHER: Final = "sk-proj-zqx7otherAAAA1111"  # a key the provider knows of, not ours
SAID: Final = json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}. Or Bearer {OTHER}"}})
FAULTS: Final = {
    "400": (400, SAID),
    "401": (401, SAID),
    "403 in words": (403, f"who is {KEY}?"),
    "500": (500, SAID),
    "200": (200, SAID),
    "200 in a field": (200, completion("{}", choices=[{"index": KEY, "message": KEY}])),
}
HEADERS: Final = {"429": response(SAID, 429, "Retry-After: 0", f"X-Key: {KEY}")}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRUX_API_KEY", KEY)


@pytest.mark.parametrize("fault", [*FAULTS, *HEADERS])
def test_a_key_the_provider_echoes_is_kept_nowhere(
    fault: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    provider = Provider(bodies=FAULTS, raw=HEADERS, faults=lambda n: fault if n > 5 else "")
    with closing(SqliteStore(tmp_path / "runs.db")) as store:
        found = clock.run(
            hold(provider, store=store, settings=Settings(max_messages=6), pace=RequestLimits(deadline_s=0.2))
        )
        entries = store.load(RUN)
        told = [wire.dumps(event) for event in found.finished.events]
        told += [entry.body for entry in entries]
        told += [call.system + call.user for call in provider.calls]
        told += [repr(found.finished.result), repr(stored_runs.load_run(RUN, store).result)]
        told += [store.text(json.loads(entries[0].body)["pack_sha"])]
    assert any(isinstance(event, AskFailed) for event in found.finished.events), "something was told of the failure"
    assert all(f"authorization: bearer {KEY}".casefold() in head.casefold() for head in provider.heads), "it is used"
    told += [*capfd.readouterr(), caplog.text]
    assert not [text for text in told if KEY in text or "zqx7other" in text]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files and not [path for path in files if KEY.encode() in path.read_bytes()]


@pytest.mark.parametrize("fault", [*FAULTS, *HEADERS])
def test_no_error_and_nothing_behind_it_shows_the_key(fault: str) -> None:
    """Not even to somebody who prints the whole chain of causes."""

    class Free:
        async def hold(self, key: str, worst: Usage) -> None: ...

        def settle(self, worst: Usage, taken: Usage) -> None: ...

    async def asked() -> BaseException:
        from bench.fake.server import running

        async with running(Provider(bodies=FAULTS, raw=HEADERS, faults=lambda n: fault)) as provider:
            connection = ModelConnection(model_names.read("fake", provider.url))
            thinker = ModelThinker(connection, deadline_s=0.1)
            with pytest.raises(DebaterFault) as raised:
                await thinker.think(Prompt(system="s", user="u", tokens_out=5), str, budget=Free())
            assert KEY not in repr(connection) and KEY not in repr(thinker)
            await connection.close()
        return raised.value

    error: BaseException | None = clock.run(asked())
    while error is not None:
        assert KEY not in str(error) and KEY not in repr(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


@pytest.mark.parametrize(("model", "variable"), [("openai:m", "OPENAI_API_KEY"), ("anthropic:m", "ANTHROPIC_API_KEY")])
def test_a_missing_key_is_told_before_anything_is_asked(
    model: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(BadInput, match=f"needs a key, and {variable} is not set") as raised:
        ModelPool(Models(dialogue=model)).thinker()
    assert "\n" not in str(raised.value)


def test_a_server_of_ones_own_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CRUX_API_KEY")
    found = clock.run(hold(Provider(), table_of(2), settings=Settings(max_messages=2)))
    assert found.provider.count > 0
