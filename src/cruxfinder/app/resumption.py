"""Goes on with a stored run: resume it where its log ends, replay it to compare, or fork it with something changed."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from cruxfinder.adapters.models.allowance import NO_CAPS, NOTHING_NAMED, Allowance
from cruxfinder.app.fork_changes import RunInputs, apply
from cruxfinder.app.lineage import Lineage, agents_with_answers, apply_forks, lineage_of
from cruxfinder.app.people import NOBODY, Participation
from cruxfinder.app.run_starts import EventRecorder, MakeReader, finish
from cruxfinder.app.seats import Debaters, away_people, check_debaters, seat_debaters, with_new_personas
from cruxfinder.app.stored_runs import (
    checked_run,
    embedder_of_run,
    is_over,
    load_log,
    load_run,
    opening_of,
    outcome_of,
    pack_of,
)
from cruxfinder.errors import BadInput
from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.journal import ForkedFrom, Journal, Log, read_log
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.run_facts import DebateStarted, Fork
from cruxfinder.kernel.runner import ForkPoint, Listener, Runner
from cruxfinder.language.english.english_reader import EnglishReader
from cruxfinder.ports import Store
from cruxfinder.protocols.any_run import Finished
from cruxfinder.protocols.registry import fold, protocol_of

if TYPE_CHECKING:
    from cruxfinder.adapters.models.model_pool import ModelPool, RequestLimits


def new_fork_id(parent: str) -> str:
    return f"{parent[:50]}-f{secrets.token_hex(3)}"


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
    make_reader: MakeReader = EnglishReader,
) -> Finished:
    """Go on where the log ends: run again from the start with the answers of the log, comparing every event.

    Raise NotAllowed where the log names models or caps that are not `allowed` here.
    """
    with store.claim(checked_run(run)):
        log = await asyncio.to_thread(load_log, run, store)
        if is_over(log):
            await asyncio.to_thread(store.finish, run)
            return await asyncio.to_thread(load_run, run, store)
        if debaters is None:
            await asyncio.to_thread(check_allowed, run, log, store, allowed)
        heard = EventRecorder(listener)
        async with open_stored_runner(
            run, store, log, debaters, heard, make_reader, thinking=thinking, pace=pace, user=user, ceiling=allowed.caps
        ) as runner:
            return await finish(runner, store, run, heard)


def check_allowed(run: str, log: Log, store: Store, allowed: Allowance) -> None:
    """Raise NotAllowed where a run would ask models, and may not do so here."""
    past, started, pack = origin_of(run, log, store)
    changed = apply_forks(past.turns, RunInputs(pack, started.settings))
    if changed.pack.models is not None:
        allowed.check_models(run, changed.pack.models)
        allowed.check_prices(changed.pack, run)
        allowed.check_caps(run, changed.settings)


def origin_of(run: str, log: Log, store: Store) -> tuple[Lineage, DebateStarted, Pack]:
    """Where a run comes from, how that began, and with which pack."""
    past = lineage_of(log, store)
    started = opening_of(run, past.root)
    return past, started, pack_of(started, store)


async def replay(
    run: str, store: Store, *, debaters: Debaters | None = None, make_reader: MakeReader = EnglishReader
) -> Finished:
    """Run a stored debate again and compare it, byte for byte; nothing is written."""
    log = await asyncio.to_thread(load_log, run, store)
    heard = EventRecorder(None)
    if not is_over(log):
        raise BadInput(f"run {run} is not finished; `crux resume {run}` goes on with it")
    async with open_stored_runner(run, store, log, debaters, heard, make_reader, frozen=True) as runner:
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
    make_reader: MakeReader = EnglishReader,
) -> Finished:
    """A new run that shares its parent's first events and goes on from there with something changed.

    Its caps are lowered to those `allowed` here. Raise NotAllowed where it would ask models that are not.
    """
    log = await asyncio.to_thread(load_log, parent, store)
    past, started, pack = await asyncio.to_thread(origin_of, parent, log, store)
    last = len(log.events) - is_over(log)
    if not 1 <= at <= last:
        raise BadInput(f"run {parent} has {len(log.events)} events; --at takes 1 to {last}")
    turn = ForkedFrom(parent, at, tuple(changes))
    changed = apply_forks((*past.turns, turn), RunInputs(pack, started.settings))
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
        own = await asyncio.to_thread(load_log, id, store)
        heard = EventRecorder(listener)
        async with open_stored_runner(
            id, store, own, debaters, heard, make_reader, thinking=thinking, pace=pace, user=user, ceiling=allowed.caps
        ) as runner:
            return await finish(runner, store, id, heard)


@asynccontextmanager
async def open_stored_runner(
    run: str,
    store: Store,
    log: Log,
    debaters: Debaters | None,
    heard: EventRecorder,
    make_reader: MakeReader,
    *,
    thinking: "ModelPool | RequestLimits | None" = None,
    pace: float = 0,
    frozen: bool = False,
    user: Participation = NOBODY,
    ceiling: Caps = NO_CAPS,
) -> AsyncGenerator[Runner]:
    """A runner over a stored log."""
    past, started, pack = await asyncio.to_thread(origin_of, run, log, store)
    changed = RunInputs(pack, started.settings)
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
            reader=make_reader(likeness),
            signals=store,
            run=run,
            journal=Journal(store, run, log, past.shared, past.readings),
            listener=heard.record,
            pace=pace,
            turns=tuple(turns),
            inherited=past.answers,
            frozen=frozen,
            agenda=first.agenda,
            ceiling=ceiling,
        )
