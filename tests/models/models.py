"""What the tests of debaters with models share: a provider on loopback, packs that name it, debates held with it."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import pytest

from bench.fake.brain import believer
from bench.fake.server import Brain, Call, FakeProvider, running
from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.models.connection import ModelConnection
from cruxfinder.adapters.models.model_pool import RequestLimits
from cruxfinder.adapters.models.retries import ModelThinker
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import resumption, run_starts, stored_runs
from cruxfinder.app.people import NOBODY, Participation
from cruxfinder.debaters.modelled.modelled_debater import ModelDebater
from cruxfinder.kernel import wire
from cruxfinder.kernel.journal import Log, read_log
from cruxfinder.kernel.pack import Models, Pack, Persona
from cruxfinder.kernel.run_facts import DebateComplete
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import CRUX, AgentId, ProtocolName
from cruxfinder.ports import Store, Usage
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk
from cruxfinder.protocols.any_run import Finished
from tests import clock

TOPIC: Final = "We should split the monolith into services this year"
BRIEF: Final = "Has run the release train for three years and counts lead times."
SHORT: Final = Settings(max_messages=12)
SIDES: Final = ("in favour of the split", "against the split")
RUN: Final = "r1"


@dataclass
class Provider(FakeProvider):
    """The fake provider, with responses nobody planned for, and the time and body of what it was asked."""

    brain: Brain = field(default_factory=believer)
    raw: Mapping[str, bytes] = field(default_factory=dict[str, bytes])  # by fault: all bytes of the response
    bodies: Mapping[str, tuple[int, str]] = field(default_factory=dict[str, tuple[int, str]])  # or status and body
    asked: dict[str, object] = field(default_factory=dict[str, object])  # the request a fault is chosen for
    times: list[float] = field(default_factory=list[float])
    tokens_in: int = 0  # as billed
    tokens_out: int = 0
    by_model: dict[str, int] = field(default_factory=dict[str, int])
    heads: list[str] = field(default_factory=list[str])  # request lines and headers

    def __post_init__(self) -> None:
        counted = self.usage_of

        def billed(prompt: str, reply: str) -> tuple[int, int]:
            usage = counted(prompt, reply)
            self.tokens_in += usage[0]
            self.tokens_out += usage[1]
            return usage

        self.usage_of = billed

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        whole = reader.readuntil

        async def noted(separator: bytes = b"\n") -> bytes:
            head = await whole(separator)
            self.heads.append(head.decode("latin-1"))
            return head

        overheard: Any = reader
        overheard.readuntil = noted
        await super().serve(reader, writer)

    async def respond(self, raw: bytes, writer: asyncio.StreamWriter) -> bool:
        self.asked = json.loads(raw)
        self.times.append(asyncio.get_running_loop().time())
        model = str(self.asked["model"])
        self.by_model[model] = self.by_model.get(model, 0) + 1
        return await super().respond(raw, writer)

    async def sent(self, fault: str, system: str, user: str, writer: asyncio.StreamWriter) -> bool:
        data = self.raw.get(fault, b"")
        if fault in self.bodies:
            status, body = self.bodies[fault]
            data = response(body, status)
        if not data:
            return await super().sent(fault, system, user, writer)
        writer.write(data)
        await writer.drain()
        return False


def response(body: str, status: int = 200, *more: str) -> bytes:
    data = body.encode("utf-8", "surrogatepass")
    kept = ("Content-Type: application/json", f"Content-Length: {len(data)}", "Connection: close")
    return "\r\n".join((f"HTTP/1.1 {status} X", *kept, *more, "", "")).encode() + data


def completion(content: object, **more: object) -> str:
    """A response as a provider writes it, round whatever a model said."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    kept = {"id": "c", "object": "chat.completion", "created": 1, "model": "fake", "choices": [choice], "usage": usage}
    return json.dumps({**kept, **more})


# ---- packs


def persona(number: int, *, brief: str = BRIEF, model: str = "") -> Persona:
    return Persona(
        id=AgentId(f"a{number}"),
        name=f"Agent {number}",
        about=f"staff engineer, {SIDES[number % 2]}",
        brief=brief,
        model=model,
    )


def table_of(count: int, *, models: tuple[str, ...] = (), briefs: tuple[str, ...] = ()) -> Pack:
    """A free topic and so many agents, every other one in favour."""
    personas = tuple(
        persona(n, model=models[n] if models else "", brief=briefs[n] if briefs else BRIEF) for n in range(count)
    )
    return Pack(name="free", title="Split", topic=TOPIC, summary="", propositions=(), personas=personas)


def thought_by(pack: Pack, url: str, **wishes: Any) -> Pack:
    """The pack, with models of this provider."""
    return replace(pack, models=replace(Models(dialogue="fake", base_url=url), **wishes))


# ---- debates


@dataclass(frozen=True, kw_only=True)
class Held:
    """A debate that was held, where it is stored, and who was asked."""

    finished: Finished
    store: Store
    provider: Provider
    took_s: float

    @property
    def log(self) -> Log:
        return read_log(self.store.load(RUN))

    @property
    def usage(self) -> Usage:
        return self.log.usage

    def count(self, kind: str) -> int:
        return sum(event.kind == kind for event in self.finished.events)


async def hold(
    provider: Provider,
    pack: Pack | None = None,
    *,
    store: Store | None = None,
    settings: Settings = SHORT,
    pace: RequestLimits | None = None,
    seed: int = 0,
    protocol: ProtocolName = CRUX,
    user: Participation = NOBODY,
    **wishes: Any,
) -> Held:
    """A debate with every debater behind this provider."""
    where = MemoryStore() if store is None else store
    async with running(provider):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("OPENAI_BASE_URL", provider.url)  # a model with a price, at a provider that has none
            patch.setenv("OPENAI_API_KEY", "none")
            return await begun(provider, pack, where, settings, pace, seed, wishes, protocol, user)


async def begun(
    provider: Provider,
    pack: Pack | None,
    where: Store,
    settings: Settings,
    pace: RequestLimits | None,
    seed: int,
    wishes: Mapping[str, Any],
    protocol: ProtocolName,
    user: Participation,
) -> Held:
    named = thought_by(pack or table_of(2), provider.url, **wishes)
    loop = asyncio.get_running_loop()
    since = loop.time()
    finished = await run_starts.start(
        named, where, settings=settings, thinking=pace, run=RUN, seed=seed, protocol=protocol, user=user
    )
    return Held(finished=finished, store=where, provider=provider, took_s=loop.time() - since)


def held(provider: Provider, pack: Pack | None = None, **rest: Any) -> Held:
    return clock.run(hold(provider, pack, **rest))


async def check(held: Held) -> None:
    """It ended, its log is whole, it can be shown, and it replays byte for byte without asking anybody."""
    told = [wire.dumps(event) for event in held.finished.events]
    assert isinstance(held.finished.events[-1], DebateComplete)
    assert [event.kind for event in held.finished.events].count("debate_complete") == 1
    assert list(held.log.events) == told, "what was told is what was kept"
    shown = stored_runs.load_run(RUN, held.store)
    assert [wire.dumps(event) for event in shown.events] == told
    assert held.finished.outcome == shown.outcome
    asked = held.provider.count
    again = await resumption.replay(RUN, held.store)
    assert [wire.dumps(event) for event in again.events] == told
    assert held.provider.count == asked, "a replay asks nobody"
    assert again.outcome == shown.outcome


# ---- debates in which one looks over the debaters' shoulders


@dataclass(frozen=True, kw_only=True)
class Thought:
    """An ask, the public record it was made with, and the prompt the provider got for it."""

    ask: AnyAsk
    record: Any
    call: Call


class Watched(ModelDebater):
    """A debater that notes what it is asked."""

    def __init__(self, persona: Persona, pack: Pack, thinker: ModelThinker, *, blind: bool) -> None:
        super().__init__(persona, pack, thinker, blind=blind)
        self.asked: list[tuple[AnyAsk, Any]] = []

    async def answer(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        self.asked.append((ask, record))
        return await super().answer(ask, record)


async def watch(provider: Provider, pack: Pack, settings: Settings) -> tuple[Finished, list[Thought]]:
    """Every thought of a whole debate with the prompt it came to; prompts sent once more are left out."""
    async with running(provider):
        connection = ModelConnection(model_names.read("fake", provider.url))
        thinker = ModelThinker(connection, deadline_s=20)
        seats = {p.id: Watched(p, pack, thinker, blind=settings.blind) for p in pack.personas}
        finished = await run_starts.start(pack, MemoryStore(), settings=settings, debaters=seats)
        await connection.close()
    thoughts: list[Thought] = []
    for id, seat in seats.items():
        calls = [call for call in provider.calls if call.system == seat._system and AGAIN not in call.user]
        assert 0 <= len(seat.asked) - len(calls) <= 1, f"each ask of {id} is one prompt; the last may be broken off"
        thoughts += [Thought(ask=a, record=r, call=c) for (a, r), c in zip(seat.asked, calls, strict=False)]
    return finished, thoughts


AGAIN: Final = "Your last reply could not be used"
PRICED: Final[dict[str, object]] = {"dialogue": "openai:gpt-5-mini", "base_url": ""}


def failing_at(*numbers: int, fault: str) -> Callable[[int], str]:
    wanted = frozenset(numbers)
    return lambda number: fault if number in wanted else ""


def calls_by(provider: Provider, name: str) -> list[Call]:
    """The calls of one debater: its own name stands first in its prompts."""
    return [call for call in provider.calls if call.system.startswith(f"You are «{name},")]
