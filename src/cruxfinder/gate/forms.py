"""What the gate's debates are made of: requests, answers and the synthesis, as values; their text is CSP/1."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

ROUNDS_MAX: Final = 3
LIMITS: Final = (1, 2)  # how many attempts a synthesis may grant
HUMAN: Final = "human"


class Stakes(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Severity(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class GateResolution(StrEnum):
    PROCEED = "PROCEED"
    MODIFY = "MODIFY"
    RETRY = "RETRY"
    PIVOT = "PIVOT"
    ESCALATE = "ESCALATE"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    proposal: str
    rounds: int
    stakes: Stakes


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureRequest:
    task: str
    attempts: tuple[str, ...]
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvocateClaim:
    """The advocate, before an action."""

    claim: str
    supports: tuple[str, ...]
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticObjection:
    """The critic, before an action. It has no way to approve: it can only find less."""

    objection: str
    risks: tuple[str, ...]
    counter: str  # what to do instead, or first; empty: nothing is offered
    severity: Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The advocate, after failures."""

    diagnosis: str
    fix: str
    difference: str  # from the attempts before


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """The critic, after failures. Empty: none is seen."""

    pattern: str
    blind_spot: str
    should_escalate: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesis:
    """What comes of a debate. What a resolution does not carry is empty, or zero."""

    resolution: GateResolution
    rationale: str
    modifications: tuple[str, ...] = ()  # MODIFY
    next_approach: str = ""  # RETRY, PIVOT
    escalate_to: str = ""  # ESCALATE
    attempt_limit: int = 0  # MODIFY, RETRY


Answer = AdvocateClaim | CriticObjection | Diagnosis | Pattern | bool  # bool: a judge's
Form = PlanRequest | FailureRequest | AdvocateClaim | CriticObjection | Diagnosis | Pattern | Synthesis
