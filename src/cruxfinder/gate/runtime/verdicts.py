"""What the gate answers: verdicts, where a task stands, what was reset."""

from dataclasses import dataclass, replace

from cruxfinder.gate.csp import write
from cruxfinder.gate.failures import FollowUp
from cruxfinder.gate.forms import GateResolution, Synthesis
from cruxfinder.gate.planning import Dismissed
from cruxfinder.gate.records import Type
from cruxfinder.ports import NOTHING, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One round, as it was said."""

    advocate: str
    critic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GateVerdict:
    """What the gate answers. What does not apply is empty."""

    debate_id: str
    type: Type
    task: str
    resolution: GateResolution = GateResolution.ESCALATE  # until it is settled
    rationale: str = ""
    debated: bool = False
    thought_by: str = ""
    stakes: str = ""
    rules: tuple[str, ...] = ()
    modifications: tuple[str, ...] = ()
    next_approach: str = ""
    escalate_to: str = ""
    attempt_limit: int = 0
    dismissed: tuple[Dismissed, ...] = ()
    rounds: tuple[Exchange, ...] = ()
    task_id: str = ""
    failures: int = 0
    stale: bool = False
    resembles: str = ""
    calls: int = 0
    tokens: int = 0
    dollars: float = 0.0
    synthesis: str = ""  # CSP/1


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStatus:
    """Where a task stands."""

    task_id: str
    task: str
    failures: int
    due: FollowUp
    stale: bool
    resembles: str = ""
    resembled_task: str = ""
    fingerprint: str = ""
    same_error: int = 0  # how many of the failures have the fingerprint of this one


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetDone:
    task_id: str
    done: bool
    because: str
    why: str


def with_synthesis(verdict: GateVerdict, made: Synthesis, usage: Usage = NOTHING) -> GateVerdict:
    """The verdict with what a synthesis says, and what thinking took."""
    return replace(
        verdict,
        resolution=made.resolution,
        rationale=made.rationale,
        modifications=made.modifications,
        next_approach=made.next_approach,
        escalate_to=made.escalate_to,
        attempt_limit=made.attempt_limit,
        calls=usage.calls,
        tokens=usage.tokens,
        dollars=usage.dollars,
        synthesis=write(made),
    )
