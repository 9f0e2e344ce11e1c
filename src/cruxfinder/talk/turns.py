"""Conversations that go in turns: who takes which part, what kind of turn it is, and what was said."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NewType

from cruxfinder.kernel.redundancy_limits import Entailment
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import AgentId, ProtocolName, Role, TopSide

TurnId = NewType("TurnId", str)

DEBATE: Final = ProtocolName("debate")
CONSENSUS: Final = ProtocolName("consensus")
DISCUSSION: Final = ProtocolName("discussion")
ROUNDTABLE: Final = ProtocolName("roundtable")


CHAIRS: Final = frozenset({Role.ARBITRATOR, Role.FACILITATOR, Role.HOST, Role.REASON})


class TurnType(StrEnum):
    PROPOSITION = "proposition"
    REBUTTAL = "rebuttal"
    COUNTER = "counter"
    RULING = "ruling"
    POSITION = "position"
    EXPLORATION = "exploration"
    CONCESSION = "concession"
    SYNTHESIS = "synthesis"
    REACTION = "reaction"
    QUESTION = "question"


class PivotKind(StrEnum):
    """Where a conversation is led when it turns in circles."""

    DILEMMA = "dilemma"
    ANCHOR = "anchor"
    TENSION = "tension"
    SPEAKER = "speaker"  # somebody who was not part of the volley
    REASON = "voice of reason"  # where nobody else is left to speak


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDraft:
    """What somebody would like to say, before the rules have looked at it."""

    type: TurnType
    content: str
    reply_to: TurnId | None = None
    to_user: bool = False  # a question to the person who watches
    side: TopSide | None = None  # where the speaker now stands on the topic, or how the arbitrator rules
    concedes: str = ""  # the point of others that is granted
    next_step: str = ""  # of a synthesis


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    id: TurnId
    number: int  # from 1, chairs counted too
    agent: AgentId
    role: Role
    draft: TurnDraft
    entailments: tuple[Entailment, ...] = ()
    similarity: float = 0.0  # to the nearest of the last turns
    flags: tuple[Refusal, ...] = ()  # what still stood against it when it was taken
    off_topic: bool = False

    @property
    def content(self) -> str:
        return self.draft.content

    @property
    def type(self) -> TurnType:
        return self.draft.type

    @property
    def is_chair_turn(self) -> bool:
        return self.role in CHAIRS
