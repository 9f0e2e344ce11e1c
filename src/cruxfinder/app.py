"""The only place where parts are joined: packs, debaters, stores and the engine become debates."""

import asyncio
import re
import secrets
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cruxfinder import wire
from cruxfinder.amend import Changed, apply
from cruxfinder.debate.commands import Fork
from cruxfinder.debaters.advocate import Advocate
from cruxfinder.engine.journal import ForkedFrom, Journal, Log, read_log
from cruxfinder.engine.kernel import KERNEL
from cruxfinder.engine.runner import Listener, Runner, Turn
from cruxfinder.errors import BadInput, LogFault, NoSuchRun
from cruxfinder.insight.result import Result, result_of
from cruxfinder.model.events import DebateComplete, DebateStarted, Event, Seat
from cruxfinder.model.pack import Pack
from cruxfinder.model.settings import Settings
from cruxfinder.model.words import ADVOCATE, AGENTS_MAX, AGENTS_MIN, AgentId
from cruxfinder.ports import Debater, Store

RUN_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
Debaters = Mapping[AgentId, Debater]


@dataclass(frozen=True, slots=True)
class Finished:
    """A run and everything that happened in it."""

    run: str
    events: tuple[Event, ...]
    result: Result


def checked_run(run: str) -> str:
    if RUN_ID.fullmatch(run) is None:
        raise NoSuchRun(f"{run!r} is not a run id; `crux list` shows them")
    return run


def new_run_id(pack: Pack) -> str:
    return f"{pack.name[:40]}-{secrets.token_hex(3)}"


def new_fork_id(parent: str) -> str:
    return f"{parent[:50]}-f{secrets.token_hex(2)}"


def seated(pack: Pack, agents: Sequence[str]) -> Pack:
    """The pack with only these personas, in this order; all of them if none are named."""
    known = {p.id: p for p in pack.personas}
    if unknown := [a for a in agents if a not in known]:
        raise BadInput(f"{pack.name} has no agent {unknown[0]!r}; it has {', '.join(known)}")
    if len(set(agents)) != len(agents):
        raise BadInput("an agent is named twice")
    chosen = tuple(known[AgentId(a)] for a in agents) if agents else pack.personas
    if not AGENTS_MIN <= len(chosen) <= AGENTS_MAX:
        raise BadInput(f"a debate takes {AGENTS_MIN} to {AGENTS_MAX} agents, not {len(chosen)}")
    return Pack(
        name=pack.name,
        title=pack.title,
        topic=pack.topic,
        summary=pack.summary,
        propositions=pack.propositions,
        personas=chosen,
    )


def simulated(pack: Pack, seed: int) -> dict[AgentId, Debater]:
    """Each debater gets its own persona and the propositions everybody knows, and nothing of the others."""
    from cruxfinder.debaters.simulated import Simulated  # brings numpy, which showing a run does without

    return {p.id: Simulated(p, pack.propositions, seed) for p in pack.personas}


def table(debaters: Debaters) -> dict[AgentId, Debater]:
    return {ADVOCATE: Advocate(), **debaters}


def begun(pack: Pack, seed: int, settings: Settings) -> DebateStarted:
    return DebateStarted(
        at_ms=0,
        topic=pack.topic,
        seats=tuple(Seat(id=p.id, name=p.name, role=p.role) for p in pack.personas),
        seed=seed,
        pack=pack.name,
        pack_sha=wire.digest(wire.dumps(pack)),
        settings=settings,
        format=wire.FORMAT,
        kernel=KERNEL,
    )


async def start(
    pack: Pack,
    store: Store,
    *,
    agents: Sequence[str] = (),
    seed: int = 0,
    settings: Settings = Settings(),
    debaters: Debaters | None = None,
    listener: Listener | None = None,
    pace: float = 0,
    run: str | None = None,
) -> Finished:
    """Run a debate from its beginning."""
    pack = seated(pack, agents)
    id = new_run_id(pack) if run is None else checked_run(run)
    started = begun(pack, seed, settings)
    store.put_text(started.pack_sha, wire.dumps(pack))
    store.create(id, topic=pack.topic, pack=pack.name)
    with store.claim(id):
        journal = Journal(store, id, read_log(()))
        heard = Heard(listener)
        runner = Runner(
            started=started,
            debaters=table(simulated(pack, seed) if debaters is None else debaters),
            store=store,
            run=id,
            journal=journal,
            listener=heard.hear,
            pace=pace,
        )
        return await finish(runner, store, id, heard)


class Heard:
    """Keeps the events of a run as they come, and passes them on."""

    def __init__(self, listener: Listener | None) -> None:
        self.events: list[Event] = []
        self._listener = listener

    def hear(self, event: Event) -> None:
        self.events.append(event)
        if self._listener is not None:
            self._listener(event)


async def finish(runner: Runner, store: Store, run: str, heard: Heard) -> Finished:
    await runner.run()
    store.finish(run)
    events = tuple(heard.events)
    return Finished(run, events, result_of(events, run_id=run, calls=runner.calls))


def stored(run: str, store: Store) -> Log:
    return read_log(store.load(checked_run(run)))


def events_of(log: Log) -> tuple[Event, ...]:
    return tuple(wire.event(body) for body in log.events)


def shown(run: str, store: Store) -> Finished:
    """A stored run, finished or not, without running anything."""
    log = stored(run, store)
    if not log.events:
        raise NoSuchRun(f"run {run} has no events yet")
    events = events_of(log)
    return Finished(run, events, result_of(events, run_id=run, calls=len(log.answers)))


async def resume(
    run: str,
    store: Store,
    *,
    debaters: Debaters | None = None,
    listener: Listener | None = None,
    pace: float = 0,
) -> Finished:
    """Go on where the log ends: run again from the start with the answers of the log, comparing every event."""
    with store.claim(checked_run(run)):
        log = stored(run, store)
        if log.events and isinstance(wire.event(log.events[-1]), DebateComplete):
            store.finish(run)
            return shown(run, store)
        heard = Heard(listener)
        runner = again(run, store, log, debaters, heard, pace=pace)
        return await finish(runner, store, run, heard)


async def replay(run: str, store: Store, *, debaters: Debaters | None = None) -> Finished:
    """Run a stored debate again and compare it, byte for byte; nothing is written."""
    log = stored(run, store)
    heard = Heard(None)
    if not log.events or not isinstance(wire.event(log.events[-1]), DebateComplete):
        raise BadInput(f"run {run} is not finished; `crux resume {run}` goes on with it")
    runner = again(run, store, log, debaters, heard, pace=0)
    await runner.run()
    events = tuple(heard.events)
    return Finished(run, events, result_of(events, run_id=run, calls=len(log.answers)))


async def fork(
    parent: str,
    at: int,
    changes: Sequence[str],
    store: Store,
    *,
    debaters: Debaters | None = None,
    listener: Listener | None = None,
    pace: float = 0,
    run: str | None = None,
) -> Finished:
    """A new run that shares its parent's first events and goes on from there with something changed."""
    log = stored(parent, store)
    started = opening_of(parent, log)
    if not 1 <= at <= len(log.events):
        raise BadInput(f"run {parent} has {len(log.events)} events; --at takes 1 to {len(log.events)}")
    turn = ForkedFrom(parent, at, tuple(changes))
    changed_by(turn, store, started)
    id = new_fork_id(parent) if run is None else checked_run(run)
    store.create(id, topic=started.topic, pack=started.pack, parent=parent)
    with store.claim(id):
        journal = Journal(store, id, read_log(()))
        journal.fork(turn)
        await journal.settle()
        own = read_log(store.load(id))
        heard = Heard(listener)
        runner = again(id, store, own, debaters, heard, pace=pace)
        return await finish(runner, store, id, heard)


def opening_of(run: str, log: Log) -> DebateStarted:
    if not log.events:
        raise BadInput(f"run {run} never began: start it again")
    first = wire.event(log.events[0])
    if not isinstance(first, DebateStarted):
        raise LogFault(f"entry 1 of run {run} is {first.kind}, not debate_started")
    if first.kernel != KERNEL:
        raise LogFault(
            f"run {run} was made by kernel {first.kernel}, this is kernel {KERNEL}: it can be shown, not run again"
        )
    return first


def changed_by(turn: ForkedFrom, store: Store, started: DebateStarted) -> Changed:
    return apply(turn.changes, wire.pack(store.text(started.pack_sha)), started.settings)


def again(run: str, store: Store, log: Log, debaters: Debaters | None, heard: Heard, *, pace: float) -> Runner:
    """A runner over a stored log."""
    parent = None if log.fork is None else stored(log.fork.parent, store)
    source = log if parent is None else parent
    started = opening_of(run, source)
    pack = wire.pack(store.text(started.pack_sha))
    first = table(simulated(pack, started.seed) if debaters is None else debaters)
    turn = None
    if log.fork is not None and parent is not None:
        changed = changed_by(log.fork, store, started)
        command = Fork(parent=log.fork.parent, at=log.fork.at, changes=log.fork.changes, settings=changed.settings)
        then = table(simulated(changed.pack, started.seed) if debaters is None else debaters)
        turn = Turn(command, then, Journal(store, log.fork.parent, parent))
    return Runner(
        started=started,
        debaters=first,
        store=store,
        run=run,
        journal=Journal(store, run, log),
        listener=heard.hear,
        pace=pace,
        turn=turn,
    )


async def stream(
    pack: Pack,
    store: Store,
    *,
    agents: Sequence[str] = (),
    seed: int = 0,
    settings: Settings = Settings(),
    debaters: Debaters | None = None,
) -> AsyncGenerator[Event, None]:
    """The events of a debate as they happen. Leaving early ends the run where it stands; it can be resumed."""
    queue: asyncio.Queue[Event | None] = asyncio.Queue()
    task = asyncio.ensure_future(
        start(
            pack,
            store,
            agents=agents,
            seed=seed,
            settings=settings,
            debaters=debaters,
            listener=queue.put_nowait,
        )
    )
    task.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (event := await queue.get()) is not None:
            yield event
        await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
