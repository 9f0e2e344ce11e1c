"""The thirteen moves, each its own type, so that a move without its fields cannot exist."""

from dataclasses import dataclass
from typing import Literal

from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.vocabulary import (
    AgentId,
    Attack,
    Direction,
    Grade,
    Horizon,
    MessageId,
    MoveKind,
    Side,
    TopSide,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A proposition with its reason, and the side of the topic it is put forward for (the public top claim)."""

    kind: Literal[MoveKind.CLAIM] = MoveKind.CLAIM
    proposition: str
    reason: str
    confidence: float
    top_side: TopSide
    horizon: Horizon | None = None  # the span it speaks of, where it says so


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    kind: Literal[MoveKind.CHALLENGE] = MoveKind.CHALLENGE
    target: MessageId
    disputes: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Clarify:
    kind: Literal[MoveKind.CLARIFY] = MoveKind.CLARIFY
    target: MessageId
    asks: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reframe:
    kind: Literal[MoveKind.REFRAME] = MoveKind.REFRAME
    question: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposeCrux:
    kind: Literal[MoveKind.PROPOSE_CRUX] = MoveKind.PROPOSE_CRUX
    question: str
    yes_means: str
    no_means: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    kind: Literal[MoveKind.COMMIT_POSITION] = MoveKind.COMMIT_POSITION
    side: Side
    statement: str
    reason: str
    confidence: float
    horizon: Horizon
    falsifier: Falsifier | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareFalsifier:
    kind: Literal[MoveKind.DECLARE_FALSIFIER] = MoveKind.DECLARE_FALSIFIER
    falsifier: Falsifier


@dataclass(frozen=True, slots=True, kw_only=True)
class Steelman:
    """Another agent's claim, strongest reason and falsifier, as its author represents them."""

    kind: Literal[MoveKind.STEELMAN] = MoveKind.STEELMAN
    target: AgentId
    claim: str
    reason: str
    falsifier: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeSteelman:
    kind: Literal[MoveKind.GRADE_STEELMAN] = MoveKind.GRADE_STEELMAN
    target: MessageId
    grade: Grade
    missing: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvideEvidence:
    kind: Literal[MoveKind.PROVIDE_EVIDENCE] = MoveKind.PROVIDE_EVIDENCE
    evidence: str
    source: str
    falsifier_of: AgentId
    number: int
    direction: Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeEvidence:
    kind: Literal[MoveKind.CHALLENGE_EVIDENCE] = MoveKind.CHALLENGE_EVIDENCE
    target: MessageId
    attacks: Attack
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdatePosition:
    """A changed mind on the crux."""

    kind: Literal[MoveKind.UPDATE_POSITION] = MoveKind.UPDATE_POSITION
    side_before: Side
    side_after: Side
    confidence_before: float
    confidence_after: float
    moved_by: MessageId


@dataclass(frozen=True, slots=True, kw_only=True)
class Concede:
    """A point granted; the sides of the topic are given exactly when the top claim changed."""

    kind: Literal[MoveKind.CONCEDE] = MoveKind.CONCEDE
    proposition: str
    top_changed: bool
    side_before: TopSide | None = None
    side_after: TopSide | None = None


Move = (
    Claim
    | Challenge
    | Clarify
    | Reframe
    | ProposeCrux
    | Commit
    | DeclareFalsifier
    | Steelman
    | GradeSteelman
    | ProvideEvidence
    | ChallengeEvidence
    | UpdatePosition
    | Concede
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a debater would like to say."""

    move: Move
    content: str
    topics: tuple[str, ...] = ()
    reply_to: MessageId | None = None
    refs: tuple[MessageId, ...] = ()
