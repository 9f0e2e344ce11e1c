"""One server for the tests that leave it as they find it, on a store and a memory of its own."""

from collections.abc import Generator
from pathlib import Path

import httpx2
import pytest

from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.server_setup import Setup
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.server.guard import GuardPolicy
from tests.server.hosting import WAIT_S, begun, ended, hosted


def standing(folder: Path) -> Generator[Setup]:
    store = SqliteStore(folder / "runs.db")
    yield Setup(gate=Gate(rules=rules_in_force(), memory=Memory(folder / "memory"), disabled=False), store=store)
    store.close()


@pytest.fixture
def setup(tmp_path: Path) -> Generator[Setup]:
    yield from standing(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Generator[Setup]:
    yield from standing(tmp_path_factory.mktemp("shared"))


@pytest.fixture(scope="module")
def client(shared: Setup) -> Generator[httpx2.Client]:
    with (
        hosted(shared, GuardPolicy(writes_a_minute=10_000)) as address,
        httpx2.Client(base_url=address, timeout=WAIT_S) as found,
    ):
        yield found


@pytest.fixture(scope="module")
def over(client: httpx2.Client) -> str:
    """A run that is over."""
    run = begun(client)
    ended(client, run)
    return run
