"""How a golden debate is played: a table of puppets or a pack in, its events out."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.debaters.scripted import FunctionDebater
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import RuleId
from cruxfinder.protocols.any_run import AnyEvent
from tests.golden.puppets import Puppet, pack_for

DAY = "2026-11-02"  # of every golden debate
Off = tuple[RuleId, ...]
Play = Callable[[Off], tuple[AnyEvent, ...]]
Table = Callable[[], list[Puppet]]


@dataclass(frozen=True)
class Scene:
    """One debate, and what it is kept for."""

    about: str
    play: Play


def of_pack(name: str, *agents: str, seed: int = 7) -> Play:
    def play(off: Off) -> tuple[AnyEvent, ...]:
        pack, settings = pack_finder.find(name)[0], Settings(off=off)
        return asyncio.run(
            run_starts.start(pack, MemoryStore(), agents=agents, seed=seed, settings=settings, day=DAY)
        ).events

    return play


def of_simulated(pack: Pack, seed: int = 7) -> Play:
    def play(off: Off) -> tuple[AnyEvent, ...]:
        return asyncio.run(run_starts.start(pack, MemoryStore(), seed=seed, settings=Settings(off=off), day=DAY)).events

    return play


def of_puppets(table: Table, settings: Settings = Settings(), seed: int = 3, *, paid: bool = False) -> Play:
    def play(off: Off) -> tuple[AnyEvent, ...]:
        puppets = table()
        return asyncio.run(
            run_starts.start(
                pack_for(puppets),
                MemoryStore(),
                seed=seed,
                settings=replace(settings, off=off),
                debaters={p.id: FunctionDebater(p.reply, paid=paid) for p in puppets},
                day=DAY,
            )
        ).events

    return play
