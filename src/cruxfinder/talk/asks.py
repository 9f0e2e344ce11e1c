"""What a conversation asks of those who take part, and the types of their answers."""

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

from cruxfinder.kernel.field_meanings import CONTENT_MAX, Meaning, When
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import Failed, Silence
from cruxfinder.kernel.vocabulary import AgentId, Role, TopSide
from cruxfinder.talk.turns import TurnDraft, TurnId, TurnType


class DueTurn(NamedTuple):
    """Whose turn it is, and which kind of turn. A row on the wire."""

    agent: AgentId
    type: TurnType


@dataclass(frozen=True, slots=True, kw_only=True)
class AskTurn:
    """Take a turn, or let it pass if it is not owed."""

    kind: Literal["turn"] = "turn"
    agent: AgentId
    number: int = 0  # the n-th ask of this agent
    role: Role
    type: TurnType
    words: int  # at most
    heard: int  # how many turns stood when the thought began
    task: str  # what the turn is for
    subject: str = ""  # what is talked about now: a question, a tension, a case, a passage
    answers: TurnId | None = None
    sentences: int = 0  # at most; 0: as many as the words allow
    may_ask: bool = False  # a question to the user may take its place
    owed: bool = False
    following: tuple[DueTurn, ...] = ()  # who comes next, for a reply that may hold several turns
    refused: tuple[Refusal, ...] = ()  # why the last draft was sent back
    attempt: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class AskConsent:
    """Can you live with this? Answered in private, so that nobody agrees out of politeness."""

    kind: Literal["consent"] = "consent"
    agent: AgentId
    number: int = 0  # the n-th ask of this agent
    heard: int
    proposal: str
    side: TopSide | None = None  # what it says of the topic


@dataclass(frozen=True, slots=True, kw_only=True)
class AskUser:
    """A question of the conversation to the person who watches."""

    kind: Literal["user"] = "user"
    agent: AgentId
    number: int = 0  # the n-th ask of this agent
    turn: TurnId
    question: str


TalkAsk = AskTurn | AskConsent | AskUser


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTurn:
    """A turn somebody wrote for another speaker along with its own."""

    agent: AgentId
    turn: TurnDraft


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    kind: Literal["spoken"] = "spoken"
    turn: TurnDraft
    also: tuple[OfferedTurn, ...] = ()  # for those who follow, where that is allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    kind: Literal["consented"] = "consented"
    agrees: Annotated[
        bool, Meaning("true only if you would sign it", "Can you live with it?", words=("Yes, I would sign it", "No"))
    ]
    why: Annotated[
        str,
        Meaning(
            "what stands against it, if you disagree",
            "What stands against it?",
            needed_if=When("agrees", (False,)),
        ),
    ] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserSaid:
    kind: Literal["user_said"] = "user_said"
    text: Annotated[str, Meaning("the answer", "Your answer?", most=CONTENT_MAX, rows=3)] = ""  # empty: none in time


TalkAnswer = Spoken | Silence | Consent | UserSaid | Failed
