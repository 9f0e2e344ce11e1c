"""A store from elsewhere: its runs ask their models at an address that its log names, and that listens to headers."""

import asyncio
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import httpx2

from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import run_starts, stored_runs
from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.model_request import ModelRequest
from cruxfinder.app.server_setup import Setup
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.kernel.journal import read_log
from cruxfinder.kernel.pack import Models
from cruxfinder.kernel.settings import Settings
from cruxfinder.server.guard import GuardPolicy
from tests.models.models import Provider, table_of
from tests.server.hosting import WAIT_S, hosted

KEY: Final = "zqx7keyQ5f2a9cB1"
RUN: Final = "from-elsewhere"
KEPT: Final = 12  # entries of a run that was cut off
SHORT: Final = Settings(max_messages=6)


@dataclass
class Listener(Provider):
    """A provider that answers as any other, and remembers every header it was sent."""

    def forget(self) -> None:
        self.heads.clear()
        self.count = 0

    @property
    def keys(self) -> list[str]:
        """The headers that hold the key."""
        return [head for head in self.heads if KEY in head]


def foreign_run(
    path: Path,
    url: str,
    *,
    settings: Settings = SHORT,
    over: bool = False,
    hosted: bool = True,
    own: tuple[str, ...] = (),
    **models: Any,
) -> None:
    """Keep a run in a store at this path: one that is over, or one that a server held when it was cut off.

    `own` names the models of its two agents, where they have any.
    """
    pack = replace(table_of(2, models=own), models=replace(Models(dialogue="fake", base_url=url), **models))
    whole = MemoryStore()
    asyncio.run(run_starts.start(pack, whole, settings=settings, run=RUN))
    entries = whole.load(RUN)
    started = stored_runs.opening_of(RUN, read_log(entries))
    with closing(SqliteStore(path)) as store:
        store.put_text(started.pack_sha, whole.text(started.pack_sha))
        store.create(RUN, topic=pack.topic, pack=pack.name)
        store.append(RUN, entries if over else entries[:KEPT]).result()
        if over:
            store.finish(RUN)
        elif hosted:
            store.host(RUN, '{"pace": 0.0, "wait_s": 0.0, "seat_s": 0.0}')


@contextmanager
def serving_store(
    path: Path, wished: ModelRequest, *, house: bool = False, guard: GuardPolicy | None = None
) -> Generator[tuple[httpx2.Client, Setup]]:
    """A server on this store, and somebody who talks to it."""
    with closing(SqliteStore(path)) as store:
        gate = Gate(rules=rules_in_force(), memory=Memory(path.parent / "memory"), disabled=False)
        setup = Setup(gate=gate, store=store, wished=wished, house=house)
        with hosted(setup, guard) as address, httpx2.Client(base_url=address, timeout=WAIT_S) as client:
            yield client, setup
