"""Debates from the packs that ship come to their end and name the planted question, each in words of its own."""

import pytest

import cruxfinder as cf
from cruxfinder.adapters.packs import pack_finder
from cruxfinder.cli.debate_commands import DEMO_SEED
from cruxfinder.crux.events import MessagePosted
from cruxfinder.crux.moves import Challenge, ProvideEvidence
from cruxfinder.kernel.vocabulary import Ending, Verdict

FIRST = {
    "bitcoin": "Is lasting demand for Bitcoin there",
    "free-will": "Is it our deliberating",
    "monolith": "Are our teams slow",
}
PACKS = pack_finder.names()


@pytest.mark.parametrize("name", PACKS)
def test_a_debate_comes_to_its_end_and_names_the_planted_question(name: str) -> None:
    result = cf.debate(name, seed=DEMO_SEED).result
    assert (result.ending, result.verdict) == (Ending.NATURAL, Verdict.CRUX)
    assert (result.primary_crux_question or "").startswith(FIRST[name])
    assert result.camps.yes and result.camps.no


@pytest.mark.slow
@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("seed", [DEMO_SEED, 1, 2])
def test_no_two_messages_are_the_same_and_each_names_its_object(pack: str, seed: int) -> None:
    said = [e for e in cf.debate(pack, seed=seed).events if isinstance(e, MessagePosted)]
    assert len({e.content for e in said}) == len(said)
    evidence = [e.move for e in said if isinstance(e.move, ProvideEvidence)]
    assert evidence
    assert len({m.evidence for m in evidence}) == len(evidence)
    assert all(m.falsifier_of and m.number >= 1 for m in evidence)
    challenges = [e.move for e in said if isinstance(e.move, Challenge)]
    assert challenges
    assert all(m.disputes and m.why for m in challenges)
