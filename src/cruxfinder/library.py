"""The library's front door: debates from Python, kept in memory unless a store is given."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from cruxfinder import app
from cruxfinder.amend import switched_off
from cruxfinder.app import Finished
from cruxfinder.errors import BadInput
from cruxfinder.model.events import Event
from cruxfinder.model.pack import Pack
from cruxfinder.model.settings import Settings
from cruxfinder.model.words import AgentId
from cruxfinder.packs import shelf
from cruxfinder.ports import Debater, Store
from cruxfinder.store.memory import MemoryStore
from cruxfinder.store.sqlite import SqliteStore

T = TypeVar("T")


def opened(store: Store | str | Path | None) -> Store:
    """A store as it is, a path to an SQLite file, or one that lives in memory."""
    if store is None:
        return MemoryStore()
    return SqliteStore(Path(store)) if isinstance(store, str | Path) else store


def settings(max_messages: int | None, max_minutes: float | None, off: Sequence[str]) -> Settings:
    if max_messages is not None and not 1 <= max_messages <= 100_000:
        raise BadInput(f"max_messages must be 1 to 100000, not {max_messages}")
    if max_minutes is not None and not 0 < max_minutes <= 10_000:
        raise BadInput(f"max_minutes must be above 0 and at most 10000, not {max_minutes:g}")
    return Settings(
        max_messages=max_messages or 0,
        max_ms=round((max_minutes or 0) * 60_000),
        off=switched_off(off),
    )


def found(pack: str | Pack) -> Pack:
    return shelf.find(pack)[0] if isinstance(pack, str) else pack


async def adebate(
    pack: str | Pack,
    *,
    agents: Sequence[str] = (),
    seed: int = 0,
    max_messages: int | None = None,
    max_minutes: float | None = None,
    off: Sequence[str] = (),
    debaters: Mapping[AgentId, Debater] | None = None,
    store: Store | str | Path | None = None,
    run: str | None = None,
) -> Finished:
    """Run a debate: a pack's name, a path to one, or a Pack. `debaters` stand in for the simulated ones."""
    return await app.start(
        found(pack),
        opened(store),
        agents=agents,
        seed=seed,
        settings=settings(max_messages, max_minutes, off),
        debaters=debaters,
        run=run,
    )


def debate(
    pack: str | Pack,
    *,
    agents: Sequence[str] = (),
    seed: int = 0,
    max_messages: int | None = None,
    max_minutes: float | None = None,
    off: Sequence[str] = (),
    debaters: Mapping[AgentId, Debater] | None = None,
    store: Store | str | Path | None = None,
    run: str | None = None,
) -> Finished:
    """`adebate` for code that is not asynchronous."""
    return wait(
        adebate(
            pack,
            agents=agents,
            seed=seed,
            max_messages=max_messages,
            max_minutes=max_minutes,
            off=off,
            debaters=debaters,
            store=store,
            run=run,
        )
    )


async def stream(
    pack: str | Pack,
    *,
    agents: Sequence[str] = (),
    seed: int = 0,
    max_messages: int | None = None,
    max_minutes: float | None = None,
    debaters: Mapping[AgentId, Debater] | None = None,
    store: Store | str | Path | None = None,
) -> AsyncGenerator[Event, None]:
    """The events of a debate as they happen."""
    events = app.stream(
        found(pack),
        opened(store),
        agents=agents,
        seed=seed,
        settings=settings(max_messages, max_minutes, ()),
        debaters=debaters,
    )
    async for event in events:
        yield event


def resume(run: str, *, store: Store | str | Path, debaters: Mapping[AgentId, Debater] | None = None) -> Finished:
    return wait(app.resume(run, opened(store), debaters=debaters))


def replay(run: str, *, store: Store | str | Path, debaters: Mapping[AgentId, Debater] | None = None) -> Finished:
    return wait(app.replay(run, opened(store), debaters=debaters))


def fork(
    run: str,
    *,
    at: int,
    change: Sequence[str],
    store: Store | str | Path,
    debaters: Mapping[AgentId, Debater] | None = None,
) -> Finished:
    return wait(app.fork(run, at, change, opened(store), debaters=debaters))


def load(run: str, *, store: Store | str | Path) -> Finished:
    """A stored run, finished or not."""
    return app.shown(run, opened(store))


def wait(call: Coroutine[Any, Any, T]) -> T:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(call)
    call.close()
    raise BadInput("a debate is running in an event loop already: use `await cf.adebate(...)`")
