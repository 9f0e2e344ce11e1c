"""The server in this process, on a memory and a store of its own."""

from collections.abc import Generator
from pathlib import Path

import pytest

from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.server_setup import Setup
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "memory")


@pytest.fixture
def setup(tmp_path: Path, memory: Memory) -> Generator[Setup]:
    store = SqliteStore(tmp_path / "runs.db")
    yield Setup(gate=Gate(rules=rules_in_force(), memory=memory, disabled=False), store=store)
    store.close()
