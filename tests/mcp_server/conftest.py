"""The server in this process, on a memory and a store of its own."""

from collections.abc import Generator
from pathlib import Path

import pytest

from cruxfinder.gate.gate import Gate
from cruxfinder.gate.memory import Memory
from cruxfinder.gate.place import rules_in_force
from cruxfinder.setup import Setup
from cruxfinder.store.sqlite import SqliteStore


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
