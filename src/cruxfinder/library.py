"""The library's front door: debates from Python, kept in memory unless a store is given."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Generator, Iterable, Mapping, Sequence
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cruxfinder import amend, app
from cruxfinder.app import Finished
from cruxfinder.debate.evolve import fold
from cruxfinder.errors import BadInput
from cruxfinder.insight import reading
from cruxfinder.insight.reading import MessageFilter
from cruxfinder.model.events import Event
from cruxfinder.model.pack import Pack
from cruxfinder.model.settings import Settings
from cruxfinder.model.thread import Message
from cruxfinder.model.words import PROPOSITIONS_MAX, RESERVED, AgentId
from cruxfinder.packs import shelf
from cruxfinder.ports import Debater, Store
from cruxfinder.store.memory import MemoryStore
from cruxfinder.store.sqlite import SqliteStore
from cruxfinder.survey.map import CredenceMap, map_of
from cruxfinder.survey.table import read, read_rows

if TYPE_CHECKING:
    from cruxfinder.votes.map import VoteMap

T = TypeVar("T")


def settings(
    max_messages: int | None,
    max_minutes: float | None,
    off: Sequence[str],
    *,
    max_calls: int | None = None,
    embedder: str = "static",
) -> Settings:
    messages, ms, calls = 0, 0, 0  # the rules' own limits
    if max_messages is not None:
        messages = amend.whole_number(str(max_messages), *amend.MESSAGES, "max_messages")
    if max_minutes is not None:
        ms = amend.minutes(amend.number(str(max_minutes), *amend.MINUTES, "max_minutes"))
    if max_calls is not None:
        calls = amend.whole_number(str(max_calls), *amend.CALLS, "max_calls")
    return Settings(
        max_messages=messages,
        max_ms=ms,
        max_calls=calls,
        embedder=amend.measure(embedder),
        off=amend.switched_off(off),
    )


def found(pack: str | Pack) -> Pack:
    """A pack by name or path, or one made in Python, which has not been through the reader's checks."""
    match pack:
        case str():
            return shelf.find(pack)[0]
        case Pack():
            return checked_pack(pack)
        case _:  # pyright: ignore[reportUnnecessaryComparison]
            raise BadInput(f"a pack is a name, a path or a Pack, not {type(pack).__name__}")


def checked_pack(pack: Pack) -> Pack:
    ids = [p.id for p in pack.personas]
    known = {p.id for p in pack.propositions}
    if taken := [id for id in ids if id in RESERVED]:
        raise BadInput(f"the id {taken[0]!r} is taken by the engine")
    if len(set(ids)) != len(ids):
        raise BadInput("two personas have the same id")
    if not 1 <= len(known) <= PROPOSITIONS_MAX or len(known) != len(pack.propositions):
        raise BadInput(f"a pack has 1 to {PROPOSITIONS_MAX} propositions, each with its own id")
    if strange := [b.proposition for p in pack.personas for b in p.beliefs if b.proposition not in known]:
        raise BadInput(f"there is no proposition {strange[0]!r}")
    return pack


def checked_seed(seed: int) -> int:
    if not isinstance(seed, int) or isinstance(seed, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise BadInput(f"a seed is a whole number, not {seed!r}")
    return seed


@contextmanager
def opened(store: Store | str | Path | None) -> Generator[Store]:
    """A store as it is, a path to an SQLite file (closed again afterwards), or one that lives in memory."""
    if not isinstance(store, str | Path):
        yield MemoryStore() if store is None else store
        return
    own = SqliteStore(Path(store))
    try:
        yield own
    finally:
        own.close()


async def adebate(
    pack: str | Pack,
    *,
    agents: Sequence[str] = (),
    seed: int = 0,
    max_messages: int | None = None,
    max_minutes: float | None = None,
    max_calls: int | None = None,
    embedder: str = "static",
    off: Sequence[str] = (),
    debaters: Mapping[AgentId, Debater] | None = None,
    store: Store | str | Path | None = None,
    run: str | None = None,
) -> Finished:
    """Run a debate: a pack's name, a path to one, or a Pack. `debaters` stand in for the simulated ones.

    `max_calls` caps the answers that are paid for; `embedder` tells what is alike: "static" or "keyword".
    """
    with opened(store) as place:
        return await app.start(
            found(pack),
            place,
            agents=agents,
            seed=checked_seed(seed),
            settings=settings(max_messages, max_minutes, off, max_calls=max_calls, embedder=embedder),
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
    max_calls: int | None = None,
    embedder: str = "static",
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
            max_calls=max_calls,
            embedder=embedder,
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
    max_calls: int | None = None,
    embedder: str = "static",
    off: Sequence[str] = (),
    debaters: Mapping[AgentId, Debater] | None = None,
    store: Store | str | Path | None = None,
    run: str | None = None,
    only: MessageFilter | None = None,
) -> AsyncGenerator[Event, None]:
    """The events of a debate as they happen; with `only`, those of its messages that match.

    A run left early, in a store of yours, can be resumed by its id.
    """
    chosen = found(pack)
    if only is not None:
        only = reading.resolved(only, app.seats_of(app.seated(chosen, agents)))
    with opened(store) as place:
        events = app.stream(
            chosen,
            place,
            agents=agents,
            seed=checked_seed(seed),
            settings=settings(max_messages, max_minutes, off, max_calls=max_calls, embedder=embedder),
            debaters=debaters,
            run=run,
        )
        async with aclosing(events):
            async for event in events:
                if only is None or only.passes(event):
                    yield event


def resume(run: str, *, store: Store | str | Path, debaters: Mapping[AgentId, Debater] | None = None) -> Finished:
    with opened(store) as place:
        return wait(app.resume(run, place, debaters=debaters))


def replay(run: str, *, store: Store | str | Path, debaters: Mapping[AgentId, Debater] | None = None) -> Finished:
    with opened(store) as place:
        return wait(app.replay(run, place, debaters=debaters))


def fork(
    run: str,
    *,
    at: int,
    change: Sequence[str],
    store: Store | str | Path,
    debaters: Mapping[AgentId, Debater] | None = None,
) -> Finished:
    with opened(store) as place:
        return wait(app.fork(run, at, change, place, debaters=debaters))


def load(run: str, *, store: Store | str | Path) -> Finished:
    """A stored run, finished or not."""
    with opened(store) as place:
        return app.shown(run, place)


def messages(
    run: str | Finished,
    *,
    store: Store | str | Path | None = None,
    threads: Sequence[str] = (),
    topics: Sequence[str] = (),
    since_ms: int = 0,
    agents: Sequence[str] = (),
    mentions: str = "",
) -> tuple[Message, ...]:
    """What was said in a run, all of it or what matches: everything given must hold, within a list one is enough."""
    if isinstance(run, str):
        if store is None:
            raise BadInput("a run given by its id needs the store it lies in")
        run = load(run, store=store)
    debate = fold(run.events)
    wanted = MessageFilter(
        threads=tuple(threads), topics=tuple(topics), since_ms=since_ms, agents=tuple(agents), mentions=mentions
    )
    only = reading.resolved(wanted, debate.seats, debate.threads)
    return tuple(message for message in reading.messages(debate) if only.matches(message))


def map_credences(table: str | Path | Iterable[Mapping[str, object]]) -> CredenceMap:
    """What a disagreement turns on, from a table of credences: the path of a CSV file, or rows as mappings."""
    return map_of(read(table) if isinstance(table, str | Path) else read_rows(table))


def map_votes(votes: str | Path | Mapping[str, Mapping[str, object]]) -> "VoteMap":
    """Coalitions, what divides and what unites them: a CSV, a Polis folder, or {agent: {question: vote}}."""
    from cruxfinder.votes import map

    return map.map_votes(votes)


def wait(call: Coroutine[Any, Any, T]) -> T:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(call)
    call.close()
    raise BadInput("a debate is running in an event loop already: use `await cf.adebate(...)`")
