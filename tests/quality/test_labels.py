"""PLUS-2 against the truth: how often the label told from probes is the one the simulator knows to be right."""

import asyncio
from random import Random
from typing import Any

import pytest

from bench.worlds import world
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.crux.asks import Drafted
from cruxfinder.crux.events import MessagePosted, PositionUpdated
from cruxfinder.crux.moves import Concede
from cruxfinder.debaters.simulated.believer import exact_label
from cruxfinder.debaters.simulated.debater import SimulatedDebater
from cruxfinder.kernel.vocabulary import Label
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk
from tests.quality.shares import Judge, share_of

pytestmark = [pytest.mark.quality, pytest.mark.rule("PLUS-2")]

WORLDS = 40  # not those the rule was chosen on


class Known(SimulatedDebater):
    """A simulated debater that notes, whenever it would change sides, what really moved it."""

    def __init__(self, *made_of: object) -> None:
        super().__init__(*made_of)  # pyright: ignore[reportArgumentType]
        self.truth: dict[str, Label] = {}

    async def answer(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        found = self.reply(ask, record)
        if isinstance(found, Drafted) and isinstance(found.draft.move, Concede) and found.draft.move.top_changed:
            self.truth[found.draft.content] = exact_label(self.believer)
        return found


def labels(agents: int) -> list[tuple[Label, Label]]:
    """The truth and what was told, for every public change of side on the topic."""
    pairs: list[tuple[Label, Label]] = []
    for seed in range(WORLDS):
        drawn = world("crux", Random(f"fresh/{agents}/{seed}"), agents)
        debaters = {p.id: Known(p, drawn.pack.propositions, seed) for p in drawn.pack.personas}
        events = asyncio.run(run_starts.start(drawn.pack, MemoryStore(), seed=seed, debaters=debaters)).events
        said = {e.id: e.content for e in events if isinstance(e, MessagePosted)}
        truth = {content: label for d in debaters.values() for content, label in d.truth.items()}
        changes = [e for e in events if isinstance(e, PositionUpdated) and e.on == "topic"]
        pairs += [(truth[said[e.message]], e.label) for e in changes]
    return pairs


def test_labels_told_from_probes_are_mostly_right(judge: Judge) -> None:
    pairs = [pair for agents in (2, 3, 5) for pair in labels(agents)]
    assert len(pairs) >= 40
    right = share_of(truth is told for truth, told in pairs)
    believed = share_of(truth is Label.PERSUADED for truth, _ in pairs)  # right if each were taken at face value
    judge.at_least("changes of side: the label told from probes is right", right, 0.7)
    assert right.value > believed.value


def test_conformity_is_hardly_ever_taken_for_persuasion(judge: Judge) -> None:
    pairs = labels(2)
    mistaken = share_of(told is Label.PERSUADED and truth is Label.CONFORMED for truth, told in pairs)
    judge.at_most("changes of side: conformity taken for persuasion", mistaken, 0.1)
