"""Debates that think with models, against a provider of our own in another process: what we add to what the provider's
library costs, how calls overlap, and what fifty debates at once come to."""

import asyncio
import json
import resource
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from bench.fake.brain import believer
from bench.fake.server import FakeProvider, running
from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.models.connection import ModelConnection
from cruxfinder.adapters.models.prices import request_usage
from cruxfinder.adapters.models.retries import ModelThinker
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.crux.events import MessagePosted
from cruxfinder.debaters.modelled.modelled_debater import ModelDebater
from cruxfinder.kernel.pack import Pack, Persona
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import MODERATOR, AgentId

ROOT: Final = Path(__file__).resolve().parent.parent
TOPIC: Final = "We should split the monolith into services this year"
LATENCY_S: Final = 0.2
DEBATES: Final = 50
REPEATS: Final = 3
SMALL_MODEL: Final = model_names.ModelName(provider="openai", model="gpt-5-mini")


def table(agents: int) -> Pack:
    personas = tuple(
        Persona(
            id=AgentId(f"a{n}"),
            name=f"Agent {n}",
            about=f"staff engineer, {'against' if n % 2 else 'in favour of'} the split",
            brief="Has run the release train for three years and counts lead times.",
        )
        for n in range(agents)
    )
    return Pack(name="split", title="", topic=TOPIC, summary="", propositions=(), personas=personas)


def long(messages: int) -> Settings:
    return Settings(max_messages=messages, max_ms=3_600_000, stagnation_messages=10_000, lifted=True)


@dataclass(frozen=True)
class Debated:
    """What one debate came to."""

    messages: int
    calls: int
    tokens_in: int
    tokens_out: int
    wall_s: float
    prompts: tuple[tuple[str, str], ...]


async def debated(agents: int, settings: Settings, provider: FakeProvider) -> Debated:
    pack = table(agents)
    connection = ModelConnection(model_names.read("fake", provider.url))
    thinker = ModelThinker(connection)
    seats = {p.id: ModelDebater(p, pack, thinker) for p in pack.personas}
    begin = time.perf_counter()
    finished = await run_starts.start(pack, MemoryStore(), debaters=seats, settings=settings)
    wall = time.perf_counter() - begin
    await connection.close()
    metrics = finished.result.system_metrics
    return Debated(
        messages=sum(isinstance(e, MessagePosted) and e.agent != MODERATOR for e in finished.events),
        calls=metrics.calls,
        tokens_in=sum(c.characters for c in provider.calls) // 4,
        tokens_out=metrics.tokens_out,
        wall_s=wall,
        prompts=tuple((c.system, c.user) for c in provider.calls),
    )


def debate(agents: int, settings: Settings = Settings(), latency_s: float = 0.0) -> Debated:
    async def alone() -> Debated:
        async with running(FakeProvider(believer(1), latency_s=latency_s)) as provider:
            return await debated(agents, settings, provider)

    return asyncio.run(alone())


def dollars(one: Debated) -> float:
    """What a debate would cost at the prices of a small current model."""
    return request_usage(SMALL_MODEL, tokens_in=one.tokens_in, cached=0, kept=0, tokens_out=one.tokens_out).dollars


# ---- CPU, and many at once: the provider in a process of its own


@contextmanager
def provider_process(latency_s: float) -> Generator[str]:
    command = [sys.executable, "-m", "bench.fake", str(latency_s)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.communicate("", timeout=30)


def overlap(agents: int, settings: Settings = Settings()) -> float:
    """Wall time against what the same calls would take one after another."""
    with provider_process(LATENCY_S) as url:
        found = asyncio.run(debated(agents, settings, FakeProvider(believer(1), url=url)))
    return found.wall_s / (found.calls * LATENCY_S)


async def asked_by_library(url: str, prompts: tuple[tuple[str, str], ...], at_once: int = 1) -> None:
    """The same requests through an agent of pydantic-ai, as it is meant to be used."""
    from openai import AsyncOpenAI
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    client = AsyncOpenAI(base_url=url, api_key="none", max_retries=0)
    model = OpenAIChatModel("fake", provider=OpenAICompatibleProvider("fake", openai_client=client))
    slots = asyncio.Semaphore(at_once)
    agents = {system: Agent(model, system_prompt=system) for system, _ in prompts}

    async def one(system: str, user: str) -> None:
        async with slots:
            await agents[system].run(user, model_settings={"max_tokens": 400})

    await asyncio.gather(*(one(*prompt) for prompt in prompts))
    await client.close()


async def asked_bare(url: str, prompts: tuple[tuple[str, str], ...], at_once: int) -> None:
    import httpx2

    slots = asyncio.Semaphore(at_once)
    limits = httpx2.Limits(max_connections=1000, max_keepalive_connections=1000)
    async with httpx2.AsyncClient(limits=limits, timeout=60) as client:

        async def one(system: str, user: str) -> None:
            messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
            async with slots:
                await client.post(f"{url}/chat/completions", json={"model": "fake", "messages": messages})

        await asyncio.gather(*(one(*prompt) for prompt in prompts))


def cpu_above_library_ms() -> tuple[float, float]:
    """CPU a message above what the library takes for the same requests, and what those take, in the same run."""
    ours: list[float] = []
    theirs: list[float] = []
    prompts = debate(5, long(80)).prompts
    with provider_process(0) as url:
        silent = FakeProvider(believer(1), url=url)
        for _ in range(REPEATS):
            begin = time.process_time()
            found = asyncio.run(debated(5, long(80), silent))
            ours.append((time.process_time() - begin) / found.messages * 1000)
            begin = time.process_time()
            asyncio.run(asked_by_library(url, prompts))
            theirs.append((time.process_time() - begin) / found.messages * 1000)
    return min(ours) - min(theirs), min(theirs)


@dataclass(frozen=True)
class Crowd:
    """Calls a second of fifty debates at once, and of the library and a bare client for the same requests."""

    ours: float
    library: float
    bare: float
    peak_mib: float


def crowd() -> Crowd:
    settings = long(20)
    prompts = debate(5, settings).prompts
    with provider_process(LATENCY_S) as url:
        silent = FakeProvider(believer(1), url=url)

        async def ours() -> tuple[int, float]:
            begin = time.perf_counter()
            found = await asyncio.gather(*(debated(5, settings, silent) for _ in range(DEBATES)))
            return sum(f.calls for f in found), time.perf_counter() - begin

        calls, wall = asyncio.run(ours())
        at_once = max(1, round(calls * LATENCY_S / wall))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        begin = time.perf_counter()
        asyncio.run(asked_by_library(url, prompts * DEBATES, at_once))
        library = len(prompts) * DEBATES / (time.perf_counter() - begin)
        begin = time.perf_counter()
        asyncio.run(asked_bare(url, prompts * DEBATES, at_once))
        bare = len(prompts) * DEBATES / (time.perf_counter() - begin)
    return Crowd(calls / wall, library, bare, peak)


def crowd_alone() -> Crowd:
    """The same in a process of its own, so that its peak of memory is its own."""
    done = subprocess.run([sys.executable, "-m", "bench.models"], check=True, capture_output=True, text=True, cwd=ROOT)
    return Crowd(**json.loads(done.stdout))


if __name__ == "__main__":
    print(json.dumps(asdict(crowd())))
