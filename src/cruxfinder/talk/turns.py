"""Conversations that go in turns: who takes which part, what kind of turn it is, and what was said."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, NewType

from cruxfinder.kernel.field_meanings import Meaning
from cruxfinder.kernel.redundancy_limits import Entailment
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import AgentId, ProtocolName, Role, TopSide

TurnId = NewType("TurnId", str)

DEBATE: Final = ProtocolName("debate")
CONSENSUS: Final = ProtocolName("consensus")
DISCUSSION: Final = ProtocolName("discussion")
ROUNDTABLE: Final = ProtocolName("roundtable")


TURN_MAX: Final = 4_000  # characters
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
    content: Annotated[str, Meaning("your words", "What do you say?", most=TURN_MAX, rows=5)]
    reply_to: Annotated[TurnId | None, Meaning("the turn you answer", "Which turn do you answer?")] = None
    to_user: Annotated[
        bool,
        Meaning(
            "true for a question to the user",
            "Do you take the turn, or ask the person who watches instead?",
            words=("Ask the person who watches", "Take the turn"),
        ),
    ] = False
    side: Annotated[
        TopSide | None, Meaning("where you now stand on the topic", "Where do you stand on the topic now?")
    ] = None  # of a ruling: for which side
    concedes: Annotated[
        str,
        Meaning('the point of others you grant, or ""', "Which point of theirs do you grant?", may_be_empty=True),
    ] = ""
    next_step: Annotated[str, Meaning("the next step", "What is the next step?")] = ""  # of a synthesis


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
