"""The speed the project promises, measured: one line a promise, with its target beside it."""

import asyncio
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import resumption, run_starts, seats, stored_runs
from cruxfinder.crux.events import MessagePosted
from cruxfinder.debaters.scripted import ScriptedDebater
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.settings import Settings
from cruxfinder.ports import Debater, Store
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk
from cruxfinder.protocols.any_run import AnyEvent

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command does, before numpy is there

from bench import crowd, embedding, gate, models, threads, turns, yardstick
from bench.endless import endless, lifted
from bench.table import Line, printed

REPEATS = 7  # the best of them counts: what disturbs a measurement only ever adds


def bitcoin() -> Pack:
    return pack_finder.find("bitcoin")[0]


class Recording:
    """Passes answers through and keeps them, so that a run can be repeated without its debaters."""

    is_paid = False

    def __init__(self, debater: Debater) -> None:
        self._debater = debater
        self.answers: list[AnyAnswer] = []

    async def answer(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        answer = await self._debater.answer(ask, record)
        self.answers.append(answer)
        return answer


def recorded(pack: Pack, seed: int) -> dict[str, list[AnyAnswer]]:
    debaters = {id: Recording(d) for id, d in seats.simulated_debaters(pack, seed).items()}
    asyncio.run(run_starts.start(pack, MemoryStore(), seed=seed, debaters=debaters))
    return {id: d.answers for id, d in debaters.items()}


def engine_ms(make: Callable[[Path], Store]) -> float:
    """CPU of a message with the debaters left out: their answers are on a list."""
    pack, best = bitcoin(), float("inf")
    answers = {seed: recorded(pack, seed) for seed in range(6)}
    with tempfile.TemporaryDirectory() as folder:
        for repeat in range(REPEATS):
            store = make(Path(folder) / f"{repeat}.db")
            spoken = 0
            gc.collect()
            begin = time.process_time()
            for seed, lists in answers.items():
                debaters = {p.id: ScriptedDebater(lists[p.id], paid=False) for p in pack.personas}
                finished = asyncio.run(run_starts.start(pack, store, seed=seed, debaters=debaters))
                spoken += finished.result.total_messages
            best = min(best, (time.process_time() - begin) * 1000 / spoken)
            store.close()
    return best


def growth() -> float:
    """What message 400 costs, against message 50, in one run with its limits lifted."""
    pack, ratios = bitcoin(), []
    for seed in range(REPEATS):
        stamps: list[float] = []

        def listen(event: AnyEvent, stamps: list[float] = stamps) -> None:
            if isinstance(event, MessagePosted):
                stamps.append(time.process_time())

        gc.collect()
        gc.disable()
        debaters = endless(pack, seed)
        asyncio.run(
            run_starts.start(pack, MemoryStore(), seed=seed, settings=lifted(440), debaters=debaters, listener=listen)
        )
        gc.enable()
        early, late = stamps[70] - stamps[30], stamps[420] - stamps[380]
        ratios.append(late / early)
    return sorted(ratios)[len(ratios) // 2]


def debates_a_second(settings: Settings) -> float:
    pack = bitcoin()
    asyncio.run(run_starts.start(pack, MemoryStore(), seed=0, settings=settings))
    best = 0.0
    for repeat in range(REPEATS):
        gc.collect()
        begin = time.process_time()
        for seed in range(20):
            asyncio.run(run_starts.start(pack, MemoryStore(), seed=repeat * 20 + seed, settings=settings))
        best = max(best, 20 / (time.process_time() - begin))
    return best


class Enough(Exception):
    pass


def resume_s(folder: Path) -> float:
    """Wall time from opening the store to the first event a resumed 200-message run adds."""
    pack, store, spoken = bitcoin(), SqliteStore(folder / "resume.db"), 0

    def interrupt(event: AnyEvent) -> None:
        nonlocal spoken
        spoken += isinstance(event, MessagePosted)
        if spoken >= 200:
            raise Enough

    settings, debaters = lifted(10_000), endless(pack, 0)
    with suppress(Enough):
        asyncio.run(run_starts.start(pack, store, settings=settings, debaters=debaters, listener=interrupt, run="long"))
    stored = len(stored_runs.load_log("long", store).events)
    begin, caught_up = time.perf_counter(), 0.0
    seen = 0

    def listen(_: AnyEvent) -> None:
        nonlocal seen, caught_up
        seen += 1
        if seen > stored:
            caught_up = time.perf_counter() - begin
            raise Enough

    with suppress(Enough):
        asyncio.run(resumption.resume("long", store, debaters=endless(pack, 0), listener=listen))
    store.close()
    return caught_up


def transcript_bytes(events: tuple[AnyEvent, ...]) -> int:
    said = [e for e in events if isinstance(e, MessagePosted)]
    lines = ({"agent": e.agent, "move": e.move.kind, "content": e.content} for e in said)
    return sum(len(json.dumps(line, ensure_ascii=False).encode()) + 1 for line in lines)


def log_ratio(folder: Path) -> float:
    """Bytes a run adds to the store's file, against its transcript: twenty more debates in a store that has one."""
    pack, path = bitcoin(), folder / "log.db"
    sizes: list[int] = []
    transcript = 0
    for first, last in ((0, 1), (1, 21)):
        store = SqliteStore(path)
        transcript = sum(
            transcript_bytes(asyncio.run(run_starts.start(pack, store, seed=seed)).events)
            for seed in range(first, last)
        )
        store.close()
        sizes.append(path.stat().st_size)
    return (sizes[1] - sizes[0]) / transcript


def json_ratio(messages: int) -> float:
    """The same log as JSON lines, each with its hash, in one long run."""
    pack, store = bitcoin(), MemoryStore()
    settings = lifted(messages) if messages else Settings()
    debaters = endless(pack, 0) if messages else None
    finished = asyncio.run(run_starts.start(pack, store, settings=settings, debaters=debaters, run="one"))
    log = sum(len(e.body.encode()) + 32 for e in store.load("one"))
    return log / transcript_bytes(finished.events)


def start_ms() -> float:
    command = [sys.executable, "-m", "cruxfinder", "--version"]
    times: list[float] = []
    for _ in range(7):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, timeout=30)
        times.append((time.perf_counter() - begin) * 1000)
    return sorted(times)[len(times) // 2]


def lines() -> list[Line]:
    with tempfile.TemporaryDirectory() as name:
        stored, resumed = log_ratio(Path(name)), resume_s(Path(name))
    log200, log400 = json_ratio(200), json_ratio(400)
    return [
        Line("engine, a message, in memory", engine_ms(lambda _: MemoryStore()), "ms CPU", 0.7),
        Line("engine, a message, SQLite", engine_ms(SqliteStore), "ms CPU", 1.2),
        Line("message 400 against message 50", growth(), "x", 1.5),
        Line("five-agent debates in one thread", debates_a_second(threads.ONE_THREAD), "a second", 20, at_most=False),
        Line("five-agent debates in two threads", debates_a_second(Settings()), "a second", 8, at_most=False),
        Line("twelve agents, four threads, whole", threads.twelve_agents_s(), "s CPU", 0.7),
        Line("a message there against one thread", threads.message_ratio(), "x", 1.3),
        Line("fifty debates at once against one", crowd.fifty_at_once(), "x wall", 1.5),
        Line("resume of a 200-message run", resumed, "s", 0.5),
        Line("log on disk against transcript", stored, "x", 3.0),
        Line("log as JSON lines, 400 messages", log400, "x", 3.0),
        Line("the same at 400 against 200 messages", log400 / log200, "x", 1.05),
        Line("crux --version", start_ms(), "ms", 300),
        Line("embedding a message", embedding.message_ms(), "ms CPU", 0.3),
        Line("a message against 72 interests", embedding.interests_us(), "µs CPU", 50),
        Line("all redundancy gates, turn 47", turns.gates_ms(), "ms CPU", 1.5),
        Line("crux inspect similarity", turns.lines_a_second(), "lines a s", 2000, at_most=False),
        Line("a gate call with the house critic", gate.call_ms(), "ms", 150),
        Line("an everyday action through the router", gate.route_ms(), "ms", 1.0),
        Line("crux gate hook, an everyday call", gate.hook_ms(), "ms", 300),
        Line("crux gate fingerprint", gate.fingerprints_a_second(), "lines a s", 20_000, at_most=False),
    ]


def model_lines() -> list[Line]:
    """Debates that think with models, against a provider of our own."""
    eighty, long, five, two = (models.debate(5, models.long(80)), models.debate(5, models.long(160)), *natural())
    above, library = models.cpu_above_library_ms()
    many = models.crowd_alone()
    print(f"CPU of pydantic-ai itself for the requests of a message: {library:.1f} ms.")
    print(f"Calls a second of fifty debates at once: {many.ours:.0f}; of the same requests, as many at a time,")
    print(f"by pydantic-ai alone: {many.library:.0f}, by a bare HTTP client: {many.bare:.0f}.")
    return [
        Line("calls of five agents, 80 messages", eighty.calls, "calls", 115),
        Line("their prompts", eighty.tokens_in, "tokens", 70_000),
        Line("calls at 160 messages against 80", long.calls / eighty.calls, "x", 2.0),
        Line("prompts at 160 messages", long.tokens_in, "tokens", 120_000),
        Line("overlap of five agents, 80 messages", models.overlap(5, models.long(80)), "of sum", 0.40),
        Line("overlap of two agents", models.overlap(2), "of sum", 0.75),
        Line("cost of five agents, a small model", models.dollars(five), "$", 0.40),
        Line("cost of two agents, a small model", models.dollars(two), "$", 0.10),
        Line("a message above pydantic-ai", above, "ms CPU", 1.5),
        Line("fifty at once against pydantic-ai", many.ours / many.library, "x calls", 0.9, at_most=False),
        Line("their memory", many.peak_mib, "MiB", 200),
    ]


def natural() -> tuple[models.Debated, models.Debated]:
    return models.debate(5), models.debate(2)


def main() -> int:
    before = yardstick.work_ms()
    found = [*lines(), *model_lines()]
    print(f"A fixed piece of work took {before:.2f} ms of CPU before, and {yardstick.work_ms():.2f} after.")
    return printed(found)


if __name__ == "__main__":
    raise SystemExit(main())
