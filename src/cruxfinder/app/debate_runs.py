"""The only place where parts are joined: packs, debaters, stores and the engine become debates."""

import asyncio
import re
import secrets
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.adapters.models.allowance import NO_CAPS, NOTHING_NAMED, Allowance
from cruxfinder.app import roles
from cruxfinder.app.fork_changes import RunInputs, apply
from cruxfinder.app.people import NOBODY, Participation
from cruxfinder.app.seats import Debaters, away_people, check_debaters, seat_debaters, with_new_personas
from cruxfinder.errors import BadInput, BrokenChain, LogFault, NoSuchRun
from cruxfinder.kernel import wire
from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.journal import ForkedFrom, Journal, Log, RecordedAnswer, log_faults, read_log
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.loop import KERNEL
from cruxfinder.kernel.pack import Pack, Persona
from cruxfinder.kernel.protocol import AnyProtocol
from cruxfinder.kernel.run_facts import DebateComplete, DebateStarted, Fork, RunState
from cruxfinder.kernel.runner import ForkPoint, Listener, Runner
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AGENTS_MAX, AGENTS_MIN, CRUX, RESERVED, USER, AgentId, ProtocolName, Role
from cruxfinder.ports import NOTHING, Store, Usage
from cruxfinder.protocols.any_run import AnyEvent, Finished, Outcome
from cruxfinder.protocols.registry import fold, protocol_named, protocol_of, read_event

if TYPE_CHECKING:
    from cruxfinder.adapters.models.model_pool import ModelPool, RequestLimits

SLUG: Final = re.compile(r"[^a-z0-9]+")
RUN_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
SHA: Final = re.compile(r"[0-9a-f]{64}")
FORKS_MAX: Final = 100  # generations
NAME_MAX: Final = 60


def checked_run(run: str) -> str:
    if RUN_ID.fullmatch(run) is None:
        raise NoSuchRun(f"{run!r} is not a run id; `crux list` shows them")
    return run


def new_run_id(pack: Pack) -> str:
    return f"{SLUG.sub('-', pack.name.lower()).strip('-')[:40] or 'run'}-{secrets.token_hex(3)}"


def new_fork_id(parent: str) -> str:
    return f"{parent[:50]}-f{secrets.token_hex(3)}"


def with_agents(pack: Pack, agents: Sequence[str]) -> Pack:
    """The pack with only these personas, in this order; all of them if none are named."""
    known = {p.id: p for p in pack.personas}
    if unknown := [a for a in agents if a not in known]:
        raise BadInput(f"{pack.name} has no agent {unknown[0]!r}; it has {', '.join(known)}")
    if len(set(agents)) != len(agents):
        raise BadInput("an agent is named twice")
    chosen = tuple(known[AgentId(a)] for a in agents) if agents else pack.personas
    if not AGENTS_MIN <= len(chosen) <= AGENTS_MAX:
        raise BadInput(f"a debate takes {AGENTS_MIN} to {AGENTS_MAX} agents, not {len(chosen)}")
    return replace(pack, personas=chosen)


def with_people(pack: Pack, names: Sequence[str]) -> Pack:
    """The pack with the seats of these agents, by id or name, left to people."""
    wanted = {name.strip().casefold() for name in names}
    known = {word.casefold() for p in pack.personas for word in (p.id, p.name)}
    if strange := sorted(wanted - known):
        raise BadInput(f"{pack.name} has no seat {strange[0]!r}; it has {', '.join(p.id for p in pack.personas)}")
    return replace(
        pack,
        personas=tuple(
            replace(p, is_person=True) if wanted & {p.id.casefold(), p.name.casefold()} else p for p in pack.personas
        ),
    )


def with_guests(pack: Pack, names: Sequence[str]) -> Pack:
    """The pack with more people at the table, who bring their own views."""
    taken = {p.id for p in pack.personas} | RESERVED
    guests: list[Persona] = []
    for name in names:
        id = AgentId(SLUG.sub("-", name.lower()).strip("-")[:40].strip("-"))
        if not id or id in taken:
            raise BadInput(f"{name!r} cannot take a seat: {'it has no letters' if not id else 'the name is taken'}")
        taken |= {id}
        guests.append(Persona(id=id, name=name.strip()[:NAME_MAX], about="a person at the table", is_person=True))
    if len(pack.personas) + len(guests) > AGENTS_MAX:
        raise BadInput(f"a debate takes at most {AGENTS_MAX} agents, people included")
    return replace(pack, personas=(*pack.personas, *guests))


def load_embedder(settings: Settings) -> Likeness:
    """How this run tells what is alike."""
    return embedder(settings.embedder)


def make_started_event(
    pack: Pack, text: str, seed: int, settings: Settings, likeness: Likeness, protocol: AnyProtocol
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
    taking: Mapping[Role, AgentId] | None = None,
    user: Participation = NOBODY,
) -> Finished:
    """Run a debate from its beginning. What was `spent` to make it ready counts with the rest."""
    row = protocol_named(protocol)
    pack = roles.assign_roles(with_agents(pack, agents), row, taking or {})
    id = new_run_id(pack) if run is None else checked_run(run)
    text = wire.dumps(pack)
    likeness = load_embedder(settings)
    started = make_started_event(pack, text, seed, settings, likeness, row)
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
                store=store,
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


async def finish(runner: Runner, store: Store, run: str, heard: EventRecorder) -> Finished:
    debate = await runner.run()
    store.finish(run)
    events = tuple(heard.events)
    return Finished(run, events, outcome_of(events, debate, run, runner.usage))


def outcome_of(events: tuple[AnyEvent, ...], state: RunState, run: str, usage: Usage) -> Outcome:
    return protocol_of(state.started).outcome(events, state, run, usage)


def load_log(run: str, store: Store) -> Log:
    return read_log(store.load(checked_run(run)))


def events_of(log: Log) -> tuple[AnyEvent, ...]:
    return tuple(read_event(body) for body in log.events)


def load_run(run: str, store: Store) -> Finished:
    """A stored run, finished or not, without running anything."""
    log = load_log(run, store)
    if not log.events:
        raise NoSuchRun(f"run {run} has no events yet")
    return read_finished(run, log)


def read_finished(run: str, log: Log) -> Finished:
    """What a log came to. Raise LogFault where its events do not follow from each other."""
    events = events_of(log)
    with log_faults(f"the events of run {run}:"):
        return Finished(run, events, outcome_of(events, fold(events), run, log.usage))


async def resume(
    run: str,
    store: Store,
    *,
    debaters: Debaters | None = None,
    thinking: "ModelPool | RequestLimits | None" = None,
    listener: Listener | None = None,
    pace: float = 0,
    user: Participation = NOBODY,
    allowed: Allowance = NOTHING_NAMED,
) -> Finished:
    """Go on where the log ends: run again from the start with the answers of the log, comparing every event.

    Raise NotAllowed where the log names models or caps that are not `allowed` here.
    """
    with store.claim(checked_run(run)):
        log = load_log(run, store)
        if log.events and isinstance(read_event(log.events[-1]), DebateComplete):
            store.finish(run)
            return load_run(run, store)
        if debaters is None:
            check_allowed(run, log, store, allowed)
        heard = EventRecorder(listener)
        async with open_stored_runner(
            run, store, log, debaters, heard, thinking=thinking, pace=pace, user=user, ceiling=allowed.caps
        ) as runner:
            return await finish(runner, store, run, heard)


def check_allowed(run: str, log: Log, store: Store, allowed: Allowance) -> None:
    """Raise NotAllowed where a run would ask models, and may not do so here."""
    past = lineage(log, store)
    started = opening_of(run, past.root)
    changed = apply_forks(past.turns, RunInputs(pack_of(started, store), started.settings))
    if changed.pack.models is not None:
        allowed.check_models(run, changed.pack.models)
        allowed.check_prices(changed.pack, run)
        allowed.check_caps(run, changed.settings)


def apply_forks(turns: Sequence[ForkedFrom], changed: RunInputs) -> RunInputs:
    for step in turns:
        changed = apply(step.changes, changed.pack, changed.settings)
    return changed


async def replay(run: str, store: Store, *, debaters: Debaters | None = None) -> Finished:
    """Run a stored debate again and compare it, byte for byte; nothing is written."""
    log = load_log(run, store)
    heard = EventRecorder(None)
    if not log.events or not isinstance(read_event(log.events[-1]), DebateComplete):
        raise BadInput(f"run {run} is not finished; `crux resume {run}` goes on with it")
    async with open_stored_runner(run, store, log, debaters, heard, frozen=True) as runner:
        await runner.run()
    events = tuple(heard.events)
    return Finished(run, events, outcome_of(events, fold(events), run, log.usage))


async def fork(
    parent: str,
    at: int,
    changes: Sequence[str],
    store: Store,
    *,
    debaters: Debaters | None = None,
    thinking: "ModelPool | RequestLimits | None" = None,
    listener: Listener | None = None,
    pace: float = 0,
    run: str | None = None,
    user: Participation = NOBODY,
    allowed: Allowance = NOTHING_NAMED,
) -> Finished:
    """A new run that shares its parent's first events and goes on from there with something changed.

    Its caps are lowered to those `allowed` here. Raise NotAllowed where it would ask models that are not.
    """
    log = load_log(parent, store)
    past = lineage(log, store)
    started = opening_of(parent, past.root)
    last = len(log.events) - bool(log.events and isinstance(read_event(log.events[-1]), DebateComplete))
    if not 1 <= at <= last:
        raise BadInput(f"run {parent} has {len(log.events)} events; --at takes 1 to {last}")
    turn = ForkedFrom(parent, at, tuple(changes))
    changed = apply_forks((*past.turns, turn), RunInputs(pack_of(started, store), started.settings))
    if debaters is None and changed.pack.models is not None:
        allowed.check_models(parent, changed.pack.models)
        allowed.check_prices(changed.pack, parent)
        turn = replace(turn, changes=(*turn.changes, *allowed.cap_changes(changed.settings)))
    if debaters is not None:
        check_debaters(changed.pack, debaters)
    elif changed.pack.models is None and agents_with_answers(log, past, changed.pack):
        raise BadInput(f"run {parent} has answers that were paid for: hand in its debaters to fork it")
    id = new_fork_id(parent) if run is None else checked_run(run)
    user.people(changed.pack, store, id)  # whoever cannot be asked is told of before there is a run
    await asyncio.to_thread(store.create, id, topic=started.topic, pack=started.pack, parent=parent)
    with store.claim(id):
        journal = Journal(store, id, read_log(()))
        journal.fork(turn)
        await journal.settle()
        own = read_log(store.load(id))
        heard = EventRecorder(listener)
        async with open_stored_runner(
            id, store, own, debaters, heard, thinking=thinking, pace=pace, user=user, ceiling=allowed.caps
        ) as runner:
            return await finish(runner, store, id, heard)


def opening_of(run: str, log: Log) -> DebateStarted:
    if not log.events:
        raise BadInput(f"run {run} never began: start it again")
    first = read_event(log.events[0])
    if not isinstance(first, DebateStarted):
        raise LogFault(f"entry 1 of run {run} is {first.kind}, not debate_started")
    if first.kernel != KERNEL:
        raise LogFault(
            f"run {run} was made by kernel {first.kernel}, this is kernel {KERNEL}: it can be shown, not run again"
        )
    return first


def embedder_of_run(run: str, started: DebateStarted) -> Likeness:
    """The measure a run was made with; another one could lead elsewhere."""
    found = load_embedder(started.settings)
    if found.name != started.embedder:
        raise LogFault(
            f"run {run} rests on the embedder {started.embedder}, here is {found.name}: it can be shown, not run again"
        )
    return found


def pack_of(started: DebateStarted, store: Store) -> Pack:
    if SHA.fullmatch(started.pack_sha) is None:
        raise LogFault("the log names its pack by what is no digest")
    text = store.text(started.pack_sha)
    if wire.digest(text) != started.pack_sha:
        raise BrokenChain(f"the pack {started.pack} of this run was altered in the store")
    return wire.pack(text)


@dataclass(frozen=True, slots=True)
class Lineage:
    """Where a run comes from: the log it all began with, the turns taken since, and what it shares with its parent."""

    root: Log
    turns: tuple[ForkedFrom, ...]
    shared: tuple[str, ...]
    answers: tuple[dict[str, RecordedAnswer], ...]  # those that hold until the first turn, until the second, …


def lineage(log: Log, store: Store) -> Lineage:
    """Ancestors' turns count as far as they come before one's own."""
    turns: list[ForkedFrom] = []
    answers: list[dict[str, RecordedAnswer]] = []
    shared: tuple[str, ...] = ()
    here = log
    visited: set[str] = set()  # fewer turns than generations count, so those do not end a ring
    while here.fork is not None:
        if here.fork.parent in visited:
            raise LogFault(f"run {here.fork.parent} is a fork of itself: no Cruxfinder wrote that")
        if len(visited) >= FORKS_MAX:
            raise LogFault(f"the log is a fork of more than {FORKS_MAX} generations")
        visited.add(here.fork.parent)
        parent = load_log(here.fork.parent, store)
        if here is log:
            shared = parent.events[: here.fork.at]
        if not turns or here.fork.at < turns[0].at:
            turns.insert(0, here.fork)
            answers.insert(0, {})
        answers[0] = {**parent.answers, **answers[0]}
        here = parent
    return Lineage(here, tuple(turns), shared, tuple(answers))


def agents_with_answers(log: Log, past: Lineage, pack: Pack) -> frozenset[str]:
    """Whose answers the log holds; people are asked for theirs again by whoever goes on with the run."""
    given = frozenset(key.rpartition("#")[0] for known in (log.answers, *past.answers) for key in known)
    return given - {USER, *(p.id for p in pack.personas if p.is_person)}


@asynccontextmanager
async def open_stored_runner(
    run: str,
    store: Store,
    log: Log,
    debaters: Debaters | None,
    heard: EventRecorder,
    *,
    thinking: "ModelPool | RequestLimits | None" = None,
    pace: float = 0,
    frozen: bool = False,
    user: Participation = NOBODY,
    ceiling: Caps = NO_CAPS,
) -> AsyncGenerator[Runner]:
    """A runner over a stored log."""
    past = lineage(log, store)
    started = opening_of(run, past.root)
    changed = RunInputs(pack_of(started, store), started.settings)
    paid = agents_with_answers(log, past, changed.pack)
    if debaters is None and paid and not frozen and changed.pack.models is None:
        raise BadInput(f"run {run} has answers that were paid for: hand in its debaters to go on")
    first = changed.pack
    turns: list[ForkPoint] = []
    for step in past.turns:
        changed = apply(step.changes, changed.pack, changed.settings)
        command = Fork(parent=step.parent, at=step.at, changes=step.changes, settings=changed.settings)
        turns.append(ForkPoint(command, partial(with_new_personas, changed.pack)))
    likeness = embedder_of_run(run, started)
    async with seat_debaters(
        first,
        started.seed,
        started.settings,
        protocol_of(started),
        debaters=debaters,
        paid=paid,
        asking=not frozen,
        thinking=thinking,
        user=user.user(store, run),
        people=away_people(first) if frozen else user.people(first, store, run),
    ) as seats:
        yield Runner(
            protocol=protocol_of(started),
            started=started,
            debaters=seats,
            likeness=likeness,
            store=store,
            run=run,
            journal=Journal(store, run, log, past.shared),
            listener=heard.record,
            pace=pace,
            turns=tuple(turns),
            inherited=past.answers,
            frozen=frozen,
            agenda=first.agenda,
            ceiling=ceiling,
        )


async def stream(
    pack: Pack,
    store: Store,
    *,
    agents: Sequence[str] = (),
    seed: int = 0,
    settings: Settings = Settings(),
    debaters: Debaters | None = None,
    thinking: "ModelPool | RequestLimits | None" = None,
    spent: Usage = NOTHING,
    run: str | None = None,
    protocol: ProtocolName = CRUX,
    taking: Mapping[Role, AgentId] | None = None,
    user: Participation = NOBODY,
) -> AsyncGenerator[AnyEvent, None]:
    """The events of a debate as they happen. Leaving early ends the run where it stands; it can be resumed."""
    queue: asyncio.Queue[AnyEvent | None] = asyncio.Queue()
    task = asyncio.ensure_future(
        start(
            pack,
            store,
            agents=agents,
            seed=seed,
            settings=settings,
            debaters=debaters,
            thinking=thinking,
            spent=spent,
            listener=queue.put_nowait,
            run=run,
            protocol=protocol,
            taking=taking,
            user=user,
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
