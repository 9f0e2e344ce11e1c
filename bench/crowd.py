"""Many debates in one process: while one waits for its answers, the others go on."""

import asyncio
import time
from typing import Final

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts, seats
from cruxfinder.debaters.scripted import DelayedDebater

DELAY_S: Final = 0.2
DEBATES: Final = 50
SEED: Final = 1  # the same for all, so that they are equally long


def wall_s(debates: int) -> float:
    """Wall time of so many five-agent debates at once, every answer of which takes 200 ms; one store holds them all."""
    pack, store = pack_finder.find("bitcoin")[0], MemoryStore()

    async def one(number: int) -> None:
        table = {a: DelayedDebater(d, lambda: DELAY_S) for a, d in seats.simulated_debaters(pack, SEED).items()}
        await run_starts.start(pack, store, seed=SEED, debaters=table, run=f"run-{number}")

    async def all_of_them() -> None:
        await asyncio.gather(*(one(n) for n in range(debates)))

    begin = time.perf_counter()
    asyncio.run(all_of_them())
    return time.perf_counter() - begin


def fifty_at_once() -> float:
    """The wall time of fifty debates at once against that of one alone."""
    asyncio.run(
        run_starts.start(pack_finder.find("bitcoin")[0], MemoryStore(), seed=SEED)
    )  # what is loaded once is loaded
    alone = wall_s(1)
    return wall_s(DEBATES) / alone
