"""The facts of a conversation in turns, what was said, sent back, led elsewhere, summed up, asked."""

from dataclasses import dataclass
from typing import Literal

from cruxfinder.kernel.redundancy_limits import Entailment
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import RunEvent
from cruxfinder.kernel.vocabulary import AgentId, Role, RuleId
from cruxfinder.talk.turns import PivotKind, TurnDraft, TurnId, TurnType


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSpoken:
    """A turn of a conversation, with what it added and what still stood against it."""

    kind: Literal["turn_spoken"] = "turn_spoken"
    at_ms: int
    id: TurnId
    agent: AgentId
    role: Role
    turn: TurnDraft
    entailments: tuple[Entailment, ...] = ()
    claims: int = 0  # nodes that are new in the claim graph
    links: int = 0  # edges that are
    similarity: float = 0.0  # to the nearest of the last turns
    flags: tuple[Refusal, ...] = ()
    off_topic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRefused:
    kind: Literal["turn_refused"] = "turn_refused"
    at_ms: int
    agent: AgentId
    type: TurnType
    refusals: tuple[Refusal, ...]
    outcome: Literal["revise", "weighed", "dropped"] = "revise"  # weighed: the best of all drafts is taken


@dataclass(frozen=True, slots=True, kw_only=True)
class PivotForced:
    """The conversation is led elsewhere: to a case, a text, another tension, or somebody else."""

    kind: Literal["pivot_forced"] = "pivot_forced"
    at_ms: int
    cause: RuleId
    to: PivotKind
    text: str  # the dilemma, the quotation, the tension, the name
    source: str = ""  # of an anchor
    number: int = 0  # the turn it came after


@dataclass(frozen=True, slots=True, kw_only=True)
class Dissent:
    agent: AgentId
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesisGiven:
    """What advanced so far and what comes next; in a consensus also who cannot live with it."""

    kind: Literal["synthesis_given"] = "synthesis_given"
    at_ms: int
    turn: TurnId
    act: int
    next_step: str
    closing: bool = False
    accepted: tuple[AgentId, ...] = ()
    dissent: tuple[Dissent, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UserQuestion:
    kind: Literal["user_question"] = "user_question"
    at_ms: int
    turn: TurnId
    agent: AgentId
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UserAnswered:
    kind: Literal["user_answered"] = "user_answered"
    at_ms: int
    turn: TurnId
    answer: str = ""  # empty: nobody answered in time


TalkEvent = RunEvent | TurnSpoken | TurnRefused | PivotForced | SynthesisGiven | UserQuestion | UserAnswered
