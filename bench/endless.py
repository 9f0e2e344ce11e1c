"""Debaters who never run out of things to say in EVIDENCE, so that long threads can be measured."""

from typing import Any

from cruxfinder.app import seats
from cruxfinder.crux.asks import AskDraft, Drafted
from cruxfinder.crux.law.steelman import has_passed
from cruxfinder.crux.moves import ChallengeEvidence, Draft, ProvideEvidence
from cruxfinder.crux.thread import Thread
from cruxfinder.debaters.scripted import FunctionDebater
from cruxfinder.debaters.simulated.debater import SimulatedDebater
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, Attack, Direction, Stage
from cruxfinder.ports import Debater
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk

WORDS = (
    "the figure for the period was taken from the public ledger and compared with the one before it, region by region"
)


def endless(pack: Pack, seed: int, *, paid: bool = False) -> dict[AgentId, Debater]:
    return {
        id: FunctionDebater(going_on(debater), paid=paid)
        for id, debater in seats.simulated_debaters(pack, seed).items()
    }


def going_on(debater: Debater):
    assert isinstance(debater, SimulatedDebater)

    def decide(ask: AnyAsk, record: Any) -> AnyAnswer:
        if isinstance(ask, AskDraft) and ask.duty is None:
            thread = record.threads[ask.thread]
            if thread.stage is Stage.EVIDENCE:
                return Drafted(draft=next_draft(ask, thread))
        return debater.reply(ask, record)

    return decide


def next_draft(ask: AskDraft, thread: Thread) -> Draft:
    """Evidence, and every other time a challenge to the latest piece one may challenge."""
    number = len(thread.messages)
    targets = [m for m in thread.evidence[-3:] if m.agent != ask.agent and m.id not in thread.answered]
    if targets and number % 2 and has_passed(thread, ask.agent, targets[-1].agent):
        why = f"entry {number} was read off one day late"
        move = ChallengeEvidence(target=targets[-1].id, attacks=Attack.MEASUREMENT, why=why)
        return Draft(move=move, content=f"Not so fast: {why}; {WORDS}, {ask.agent} {number}.", reply_to=targets[-1].id)
    owner, held = next((a, f) for a, f in thread.falsifiers.items() if f)
    move = ProvideEvidence(
        evidence=f"Reading {number} by {ask.agent}",
        source=f"ledger page {number}",
        falsifier_of=owner,
        number=held[0].number,
        direction=Direction.FOR,
    )
    return Draft(move=move, content=f"Reading {number}, {ask.agent}: {WORDS}, and the one after it too.")


def lifted(messages: int) -> Settings:
    return Settings(lifted=True, max_messages=messages, max_ms=10**9, stagnation_messages=10**9)
