"""PLUS-6, blind: models see letters, never who spoke; what they answer about a letter is about the right agent."""

import json
from dataclasses import replace
from typing import Final

import pytest

from bench.fake.brain import believer
from cruxfinder.crux.events import MessagePosted
from cruxfinder.crux.law.blind import labels
from cruxfinder.crux.moves import ProvideEvidence, Steelman
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import ADVOCATE, MODERATOR, AgentId
from tests import clock
from tests.models.models import Provider, table_of, watch

NAMES: Final = ("Zebulon Quist", "Yrsa Plume", "Xanthe Orr", "Wolfram Nye", "Vashti Moe")
IDS: Final = ("zebulon-q", "yrsa-p", "xanthe-o", "wolfram-n", "vashti-m")


def strangers(count: int) -> Pack:
    pack = table_of(count)
    personas = tuple(
        replace(p, id=AgentId(id), name=name, about=f"{p.about}, number {len(name)}{id[-1]}")
        for p, id, name in zip(pack.personas, IDS, NAMES, strict=False)
    )
    return replace(pack, personas=personas)


@pytest.mark.parametrize("count", [2, 5])
@pytest.mark.rule("PLUS-6")
def test_prompts_of_a_blind_debate_name_nobody(count: int) -> None:
    provider = Provider(brain=believer(1))
    pack = strangers(count)
    finished, thoughts = clock.run(watch(provider, pack, Settings(blind=True)))
    assert sum(isinstance(e, MessagePosted) for e in finished.events) > 25
    words = {word for name in NAMES for word in name.casefold().split() if len(word) > 3} | {*IDS}
    for thought in thoughts:
        text = f"{thought.call.system}\n{thought.call.user}".casefold()
        assert not [word for word in words if word in text], thought.call.user
    letters = "ABCDE"[:count]
    assert all(any(f"\n{letter} " in f"\n{t.call.user}" for t in thoughts) for letter in letters)


@pytest.mark.rule("PLUS-6")
def test_prompts_of_an_open_debate_name_everybody() -> None:
    provider = Provider(brain=believer(1))
    clock.run(watch(provider, strangers(2), Settings()))
    told = "\n".join(call.user for call in provider.calls)
    assert all(id in told for id in IDS[:2])


@pytest.mark.rule("PLUS-6")
def test_what_is_said_of_a_letter_is_said_of_its_agent() -> None:
    provider = Provider(brain=believer(1))
    pack = strangers(3)
    finished, thoughts = clock.run(watch(provider, pack, Settings(blind=True)))
    meant = dict(zip("ABC", IDS, strict=False))
    posted = [e for e in finished.events if isinstance(e, MessagePosted)]
    evidence = {e.move.evidence: e.move.falsifier_of for e in posted if isinstance(e.move, ProvideEvidence)}
    steelmans = [(e.agent, e.move) for e in posted if isinstance(e.move, Steelman)]
    assert len(set(evidence.values())) > 1 and steelmans, "it is about several agents"
    said = 0
    for reply in provider_replies(provider):
        if reply.get("move") == "PROVIDE_EVIDENCE" and reply["evidence"] in evidence:
            assert evidence[str(reply["evidence"])] == meant[str(reply["falsifier_of"])]
            said += 1
    assert said == len(evidence)
    for author, move in steelmans:
        assert move.target != author and move.target in IDS
        owed = [t for t in thoughts if t.ask.agent == author and f"{letter_of(move.target)}'s position" in t.call.user]
        assert any(move.claim[:40] in t.call.user for t in owed), "whose position was shown is whose it is"


def letter_of(agent: AgentId) -> str:
    return "ABC"[IDS.index(agent)]


def provider_replies(provider: Provider) -> list[dict[str, object]]:
    """The brain is seeded: asked the same in the same order it says the same."""
    again = believer(1)
    return [json.loads(again(call.system, call.user)) for call in provider.calls]


@pytest.mark.rule("PLUS-6")
def test_letters_are_handed_out_by_seat_and_read_in_any_case() -> None:
    blind = labels((AgentId("b"), ADVOCATE, AgentId("a"), MODERATOR), blind=True)
    assert [blind.of(AgentId(a)) for a in ("b", "a")] == ["A", "B"]
    assert (blind.agent_of("a"), blind.agent_of(" B "), blind.agent_of("Z")) == ("b", "a", "Z")
    shown = labels((AgentId("b"), AgentId("a")), blind=False)
    assert (shown.of(AgentId("b")), shown.agent_of("A")) == ("b", "a")
