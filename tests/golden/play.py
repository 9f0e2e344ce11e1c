"""How a golden debate is played: a table of puppets or a pack in, its events out."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from cruxfinder import app
from cruxfinder.debaters.scripted import Deciding
from cruxfinder.model.events import Event
from cruxfinder.model.pack import Pack
from cruxfinder.model.settings import Settings
from cruxfinder.model.words import RuleId
from cruxfinder.packs import shelf
from cruxfinder.store.memory import MemoryStore
from tests.golden.puppets import Puppet, pack_for

Off = tuple[RuleId, ...]
Play = Callable[[Off], tuple[Event, ...]]
Table = Callable[[], list[Puppet]]


@dataclass(frozen=True)
class Scene:
    """One debate, and what it is kept for."""

    about: str
    play: Play


def of_pack(name: str, *agents: str, seed: int = 7) -> Play:
    def play(off: Off) -> tuple[Event, ...]:
        pack, settings = shelf.find(name)[0], Settings(off=off)
        return asyncio.run(app.start(pack, MemoryStore(), agents=agents, seed=seed, settings=settings)).events

    return play


def of_simulated(pack: Pack, seed: int = 7) -> Play:
    def play(off: Off) -> tuple[Event, ...]:
        return asyncio.run(app.start(pack, MemoryStore(), seed=seed, settings=Settings(off=off))).events

    return play


def of_puppets(table: Table, settings: Settings = Settings(), seed: int = 3, *, paid: bool = False) -> Play:
    def play(off: Off) -> tuple[Event, ...]:
        puppets = table()
        return asyncio.run(
            app.start(
                pack_for(puppets),
                MemoryStore(),
                seed=seed,
                settings=replace(settings, off=off),
                debaters={p.id: Deciding(p.reply, paid=paid) for p in puppets},
            )
        ).events

    return play
