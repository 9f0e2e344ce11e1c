"""What the engine's tests share: debaters that cost something, logs cut short, altered or chained anew."""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import participants, resumption, run_starts, seats
from cruxfinder.debaters.scripted import ScriptedDebater
from cruxfinder.errors import DebaterFault
from cruxfinder.kernel import wire
from cruxfinder.kernel.journal import START, Log, chain_hash, read_log
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId
from cruxfinder.ports import Debater, Entry, EntryKind, Store
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk, read_answer
from cruxfinder.protocols.any_run import AnyEvent, Finished

PACKS: Final = pack_finder.names()
PAIR: Final = ("holder", "economist")  # two of the Bitcoin pack who disagree


def pack_of(name: str) -> Pack:
    return pack_finder.find(name)[0]


def lines(events: Iterable[AnyEvent]) -> list[str]:
    """Events as a log has them; two runs are the same when these are."""
    return [wire.dumps(event) for event in events]


def debated(
    pack: Pack,
    store: Store | None = None,
    *,
    run: str = "r1",
    seed: int = 1,
    agents: Sequence[str] = (),
    settings: Settings = Settings(),
    debaters: Mapping[AgentId, Debater] | None = None,
) -> Finished:
    return asyncio.run(
        run_starts.start(
            pack,
            MemoryStore() if store is None else store,
            agents=agents,
            seed=seed,
            settings=settings,
            debaters=debaters,
            run=run,
        )
    )


def resumed(store: Store, run: str = "r1", debaters: Mapping[AgentId, Debater] | None = None) -> Finished:
    return asyncio.run(resumption.resume(run, store, debaters=debaters))


def replayed(store: Store, run: str = "r1", debaters: Mapping[AgentId, Debater] | None = None) -> Finished:
    return asyncio.run(resumption.replay(run, store, debaters=debaters))


# ---- debaters


class Counted:
    """Another debater's answers at a price, and a list of what it was asked."""

    is_paid = True

    def __init__(self, debater: Debater) -> None:
        self._debater = debater
        self.asked: list[AnyAsk] = []

    async def answer(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        self.asked.append(ask)
        return await self._debater.answer(ask, record)


class Failing:
    """Another debater that fails at some of its asks, counted from 1."""

    def __init__(self, debater: Debater, fails: Callable[[int], bool], *, paid: bool = True) -> None:
        self._debater = debater
        self._fails = fails
        self._asked = 0
        self.is_paid = paid

    async def answer(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        self._asked += 1
        if self._fails(self._asked):
            raise DebaterFault(f"the line broke at ask {self._asked}")
        return await self._debater.answer(ask, record)


class Mute:
    """Never asked for anything, or the test fails."""

    is_paid = True

    async def answer(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        raise AssertionError(f"{ask.agent} was asked again: {ask}")


class Hanging:
    """Another debater that stops answering after so many asks, its call under way for ever."""

    def __init__(self, debater: Debater, answers: int) -> None:
        self._debater = debater
        self._left = answers

    @property
    def is_paid(self) -> bool:
        return self._debater.is_paid

    async def answer(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        if self._left == 0:
            await asyncio.get_running_loop().create_future()
        self._left -= 1
        return await self._debater.answer(ask, record)


class Then:
    """What a script has, and after its end a call that stays under way for ever."""

    is_paid = True

    def __init__(self, answers: Iterable[AnyAnswer]) -> None:
        self._script = ScriptedDebater(answers)

    async def answer(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        try:
            return await self._script.answer(ask, record)
        except DebaterFault:
            await asyncio.get_running_loop().create_future()
            raise


def counted(pack: Pack, seed: int, agents: Sequence[str] = ()) -> dict[AgentId, Counted]:
    return {id: Counted(d) for id, d in seats.simulated_debaters(participants.with_agents(pack, agents), seed).items()}


def answers_of(log: Log, agent: AgentId, after: int = 0) -> list[AnyAnswer]:
    """The answers of one agent in the order of asking, those up to number `after` left out."""
    found: list[AnyAnswer] = []
    number = after + 1
    while (kept := log.answers.get(f"{agent}#{number}")) is not None:
        found.append(read_answer(kept.body))
        number += 1
    return found


def given_again(log: Log, agents: Iterable[AgentId], known: Log | None = None) -> dict[AgentId, Debater]:
    """Debaters that give the answers of a log; those another log knows are not theirs to give."""
    return {a: Then(answers_of(log, a, 0 if known is None else len(answers_of(known, a)))) for a in agents}


# ---- logs


def chained(bodies: Iterable[tuple[EntryKind, str]]) -> tuple[Entry, ...]:
    """Entries with hashes that follow, whatever they say."""
    head, found = START, list[Entry]()
    for seq, (kind, body) in enumerate(bodies, start=1):
        head = chain_hash(head, kind, body)
        found.append(Entry(seq=seq, kind=kind, body=body, hash=head))
    return tuple(found)


def bodies_of(entries: Iterable[Entry]) -> list[tuple[EntryKind, str]]:
    return [(entry.kind, entry.body) for entry in entries]


def changed_start(entries: tuple[Entry, ...], **fields: object) -> tuple[Entry, ...]:
    """The log as another version would have written it: other fields in `debate_started`, the chain intact."""
    return chained(
        (e.kind, json.dumps({**json.loads(e.body), **fields}) if '"debate_started"' in e.body else e.body)
        for e in entries
    )


def store_with(entries: Sequence[Entry], like: Store, run: str = "r1") -> MemoryStore:
    """A store that holds these entries as the run, and the pack its first event names."""
    store = MemoryStore()
    row = like.row(run)
    store.create(run, topic=row.topic, pack=row.pack, parent=row.parent)
    store.append(run, entries).result()
    for other in like.rows():
        first = next((e for e in like.load(other.id) if e.kind == "event"), None)
        if first is not None:
            sha = json.loads(first.body)["pack_sha"]
            store.put_text(sha, like.text(sha))
        if other.id != run:
            store.create(other.id, topic=other.topic, pack=other.pack, parent=other.parent)
            store.append(other.id, like.load(other.id)).result()
    return store


def log_of(store: Store, run: str = "r1") -> Log:
    return read_log(store.load(run))
