"""The devil's advocate in whole debates: whoever is asked to argue the other side has to be let speak. CRUX-7."""

import asyncio
from random import Random

import pytest

from bench.worlds import world
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.crux.events import MessagePosted, ModeratorIntervention
from cruxfinder.kernel.vocabulary import ADVOCATE
from cruxfinder.protocols.any_run import AnyEvent

DEBATES = 24


def debates() -> list[tuple[AnyEvent, ...]]:
    """Those among some debates of like-minded people in which the advocate was called."""
    found: list[tuple[AnyEvent, ...]] = []
    for seed in range(DEBATES):
        pack = world("agreement", Random(f"advocate/{seed}")).pack
        events = asyncio.run(run_starts.start(pack, MemoryStore(), seed=seed)).events
        if any(isinstance(e, ModeratorIntervention) and e.joined == ADVOCATE for e in events):
            found.append(events)
    return found


@pytest.mark.rule("CRUX-7")
def test_a_devils_advocate_who_joins_has_its_say() -> None:
    called = debates()
    assert called
    spoke = sum(any(isinstance(e, MessagePosted) and e.agent == ADVOCATE for e in events) for events in called)
    assert spoke >= len(called) / 2, f"{spoke} of {len(called)} advocates said anything"
