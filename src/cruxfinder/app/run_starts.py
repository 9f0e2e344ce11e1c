"""Starts a run: the debaters are seated, the first event is written, and the kernel carries it to its end."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.app import roles
from cruxfinder.app.participants import slug, with_agents
from cruxfinder.app.people import NOBODY, Participation
from cruxfinder.app.seats import Debaters, seat_debaters
from cruxfinder.app.stored_runs import checked_run, outcome_of
from cruxfinder.kernel import wire
from cruxfinder.kernel.journal import Journal, read_log
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.loop import KERNEL
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.protocol import AnyProtocol
from cruxfinder.kernel.run_facts import DebateStarted
from cruxfinder.kernel.runner import Listener, Runner
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import CRUX, ProtocolName, Role
from cruxfinder.language.english.english_reader import EnglishReader
from cruxfinder.ports import NOTHING, Reader, RunLogs, Store, Usage
from cruxfinder.protocols.any_run import AnyEvent, Finished
from cruxfinder.protocols.protocol_list import protocol_named

if TYPE_CHECKING:
    from cruxfinder.adapters.models.model_pool import ModelPool, RequestLimits


MakeReader = Callable[[Likeness], Reader]  # for a run that measures likeness like this


def new_run_id(name: str) -> str:
    """An id for a run of a pack or on a topic."""
    return f"{slug(name) or 'run'}-{secrets.token_hex(3)}"


def make_started_event(
    pack: Pack,
    text: str,
    seed: int,
    settings: Settings,
    likeness: Likeness,
    reader: Reader,
    protocol: AnyProtocol,
    day: str = "",
) -> DebateStarted:
    return DebateStarted(
        at_ms=0,
        topic=pack.topic,
        seats=roles.seats(pack, protocol),
        seed=seed,
        pack=pack.name,
        pack_sha=wire.digest(text),
        settings=settings,
        format=wire.FORMAT,
        kernel=KERNEL,
        embedder=likeness.name,
        protocol=protocol.name,
        reader=reader.name,
        day=day,
    )


async def start(
    pack: Pack,
    store: Store,
    *,
    agents: Sequence[str] = (),
    seed: int = 0,
    settings: Settings = Settings(),
    debaters: Debaters | None = None,
    thinking: "ModelPool | RequestLimits | None" = None,
    spent: Usage = NOTHING,
    listener: Listener | None = None,
    pace: float = 0,
    run: str | None = None,
    protocol: ProtocolName = CRUX,
    taking: Mapping[Role, str] | None = None,
    user: Participation = NOBODY,
    make_reader: MakeReader = EnglishReader,
    day: str = "",
) -> Finished:
    """Lay the table for a pack, and run a debate from its beginning."""
    row = protocol_named(protocol)
    return await start_laid(
        roles.assign_roles(with_agents(pack, agents), row, taking or {}),
        row,
        store,
        seed=seed,
        settings=settings,
        debaters=debaters,
        thinking=thinking,
        spent=spent,
        listener=listener,
        pace=pace,
        run=run,
        user=user,
        make_reader=make_reader,
        day=day,
    )


async def start_laid(
    pack: Pack,
    row: AnyProtocol,
    store: Store,
    *,
    seed: int,
    settings: Settings,
    debaters: Debaters | None,
    thinking: "ModelPool | RequestLimits | None",
    spent: Usage,
    listener: Listener | None,
    pace: float,
    run: str | None,
    user: Participation,
    make_reader: MakeReader = EnglishReader,
    day: str = "",
) -> Finished:
    """Run a debate of those at the table. What was `spent` to make it ready counts with the rest."""
    id = new_run_id(pack.name) if run is None else checked_run(run)
    text = wire.dumps(pack)
    likeness = embedder(settings.embedder)
    reader = make_reader(likeness)
    started = make_started_event(pack, text, seed, settings, likeness, reader, row, day)
    async with seat_debaters(
        pack,
        seed,
        settings,
        row,
        debaters=debaters,
        thinking=thinking,
        user=user.user(store, id),
        people=user.people(pack, store, id),
    ) as seats:
        # Beside the loop, as another program may keep the store locked for a while.
        await asyncio.to_thread(store.put_text, started.pack_sha, text)
        await asyncio.to_thread(store.create, id, topic=pack.topic, pack=pack.name)
        with store.claim(id):
            journal = Journal(store, id, read_log(()))
            heard = EventRecorder(listener)
            runner = Runner(
                protocol=row,
                started=started,
                debaters=seats,
                likeness=likeness,
                reader=reader,
                signals=store,
                run=id,
                journal=journal,
                listener=heard.record,
                pace=pace,
                spent=spent,
                agenda=pack.agenda,
            )
            return await finish(runner, store, id, heard)


class EventRecorder:
    """Keeps the events of a run as they come, and passes them on."""

    def __init__(self, listener: Listener | None) -> None:
        self.events: list[AnyEvent] = []
        self._listener = listener

    def record(self, event: AnyEvent) -> None:
        self.events.append(event)
        if self._listener is not None:
            self._listener(event)


async def finish(runner: Runner, store: RunLogs, run: str, heard: EventRecorder) -> Finished:
    debate = await runner.run()
    await asyncio.to_thread(store.finish, run)
    events = tuple(heard.events)
    return Finished(run, events, outcome_of(events, debate, run, runner.usage))


async def stream(begin: Callable[[Listener], Awaitable[Finished]]) -> AsyncGenerator[AnyEvent, None]:
    """The events of a run as they happen. Leaving early ends the run where it stands; it can be resumed.

    `begin` starts the run, and hands what it is given to it as its listener.
    """
    queue: asyncio.Queue[AnyEvent | None] = asyncio.Queue()
    task = asyncio.ensure_future(begin(queue.put_nowait))
    task.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (event := await queue.get()) is not None:
            yield event
        await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
