"""Which answers of a debater can be used: the right kind for the ask, and chances that are chances."""

import math

import pytest

from cruxfinder.crux.asks import AskDraft, AskFirst, AskJudge, AskProbe, Credence, Drafted, First, Judged, Probed
from cruxfinder.crux.moves import Draft
from cruxfinder.kernel.run_facts import Failed, Silence
from cruxfinder.kernel.vocabulary import CandidateId, MoveKind, Phase, Side, TopSide
from cruxfinder.protocols.any_ask import AnyAsk, answer_fault
from tests.law.build import ANN, T1, claim

FIRST = AskFirst(agent=ANN)
DRAFT = AskDraft(agent=ANN, thread=T1, allowed=(MoveKind.CLAIM,), heard=0)
PROBE = AskProbe(agent=ANN, thread=T1, phase=Phase.BEFORE, round=1, heard=0, questions=())
JUDGE = AskJudge(agent=ANN, thread=T1, heard=0, question="Is it so?", side=Side.YES, statement="", version=1)


def first(p_top: float) -> First:
    return First(p_top=p_top, side=TopSide.YES, reason="why not")


def probed(c: float) -> Probed:
    return Probed(p_top=0.5, credences=(Credence(CandidateId("c1"), c, 0.9, 0.1),))


def drafted(confidence: float) -> Drafted:
    return Drafted(draft=Draft(move=claim(confidence), content="Something."))


@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        (FIRST, first(0.0)),
        (FIRST, first(1.0)),
        (PROBE, probed(0.3)),
        (DRAFT, drafted(0.7)),
        (DRAFT, drafted(7.0)),  # a rule's matter: it is sent back with its reason
        (DRAFT, Silence()),
        (JUDGE, Judged()),
        *((ask, Failed(reason="down")) for ask in (FIRST, DRAFT, PROBE, JUDGE)),
    ],
)
def test_a_sound_answer_is_taken(ask: AnyAsk, answer: object) -> None:
    assert answer_fault(ask, answer) == ""


@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        (FIRST, first(5.0)),
        (FIRST, first(-0.01)),
        (FIRST, first(math.nan)),
        (PROBE, probed(math.inf)),
        (PROBE, probed(1.2)),
        (DRAFT, drafted(math.nan)),
        (FIRST, Silence()),
        (DRAFT, first(0.5)),
        (PROBE, Judged()),
        (JUDGE, probed(0.5)),
        (DRAFT, "words"),
        (FIRST, None),
    ],
)
def test_an_answer_that_cannot_be_used_says_why(ask: AnyAsk, answer: object) -> None:
    assert answer_fault(ask, answer)
