"""The debate before an action (DIA-2): advocate, then critic, for some rounds; then a decision by rule, never by prose.

At high stakes the worst that was said in any round decides, below that the last round: what a critic once held against
an action of high stakes is not talked away. Who judges a counter is never the critic itself. Objections that stand
whatever is said are weighed in every case.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

from cruxfinder.gate import judging
from cruxfinder.gate.forms import (
    HUMAN,
    AdvocateClaim,
    Answer,
    CriticObjection,
    GateResolution,
    PlanRequest,
    Severity,
    Stakes,
    Synthesis,
)

CONFIDENT: Final = 0.8
ROUNDS: Final = {Stakes.LOW: 1, Stakes.MEDIUM: 2, Stakes.HIGH: 3}
RANK: Final = {Severity.LOW: 0, Severity.MEDIUM: 1, Severity.HIGH: 2}
ATTEMPTS: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    claim: AdvocateClaim
    objection: CriticObjection
    actionable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AskClaim:
    """The advocate is asked; it sees what was said so far, and what the caller notes: reasons, things checked."""

    request: PlanRequest
    rounds: tuple[Round, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskObjection:
    """The critic is asked; it sees the advocate's answer."""

    request: PlanRequest
    rounds: tuple[Round, ...]
    claim: AdvocateClaim
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskActionable:
    """A judge is asked, where the rule cannot tell."""

    request: PlanRequest
    objection: CriticObjection


@dataclass(frozen=True, slots=True, kw_only=True)
class Dismissed:
    objection: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDecision:
    request: PlanRequest
    rounds: tuple[Round, ...]
    deciding: Round
    synthesis: Synthesis
    dismissed: tuple[Dismissed, ...] = ()


PlanAsk = AskClaim | AskObjection | AskActionable


def debate(
    request: PlanRequest, notes: tuple[str, ...] = (), standing: tuple[CriticObjection, ...] = ()
) -> Generator[PlanAsk, Answer, PlanDecision]:
    """Ask, in turn, and decide. It ends early when nothing is held against the action, or nothing new is."""
    rounds: tuple[Round, ...] = ()
    while len(rounds) < request.rounds:
        claim = yield AskClaim(request=request, rounds=rounds, notes=notes)
        assert isinstance(claim, AdvocateClaim)
        objection = yield AskObjection(request=request, rounds=rounds, claim=claim, notes=notes)
        assert isinstance(objection, CriticObjection)
        told = judging.is_actionable(objection)
        if told is None:
            judged = yield AskActionable(request=request, objection=objection)
            assert isinstance(judged, bool)
            told = judged
        if any(r.objection == objection for r in rounds):
            break  # it says the same again
        low = objection.severity is Severity.LOW
        if rounds and low and request.stakes is Stakes.HIGH:
            break  # at high stakes what was said before stands
        rounds = (*rounds, Round(claim=claim, objection=objection, actionable=told))
        if low and (len(rounds) > 1 or claim.confidence >= CONFIDENT):
            break
    return decide(request, rounds, standing)


def is_contested(severity: Severity, confidence: float) -> bool:
    return severity is not Severity.LOW or confidence < CONFIDENT


def resolve(stakes: Stakes, severity: Severity, confidence: float, actionable: bool) -> GateResolution:
    """The first that fits."""
    amended = GateResolution.MODIFY if actionable else GateResolution.ESCALATE
    if severity is Severity.HIGH:
        return amended
    if is_contested(severity, confidence) and stakes is Stakes.HIGH:
        return amended
    if not is_contested(severity, confidence):
        return GateResolution.PROCEED
    return GateResolution.PROCEED if stakes is Stakes.LOW and not actionable else amended


def decide(request: PlanRequest, rounds: tuple[Round, ...], standing: tuple[CriticObjection, ...] = ()) -> PlanDecision:
    kept = tuple(
        Round(claim=rounds[-1].claim, objection=held, actionable=judging.is_actionable(held) is not False)
        for held in standing
    )
    weighed = (*(rounds if request.stakes is Stakes.HIGH else rounds[-1:]), *kept)
    severity = max((r.objection.severity for r in weighed), key=lambda s: RANK[s])
    confidence = min(r.claim.confidence for r in weighed)
    worst = tuple(r for r in weighed if r.objection.severity is severity)
    actionable = all(r.actionable for r in worst)
    deciding = next((r for r in worst if r.actionable is actionable), worst[0])
    resolution = resolve(request.stakes, severity, confidence, actionable)
    changes = tuple(dict.fromkeys(r.objection.counter for r in (*rounds, *kept) if r.actionable))
    why = rationale(resolution, severity, confidence, request.stakes, deciding)
    synthesis = Synthesis(
        resolution=resolution,
        rationale=f"{why} (the house critic's, until it is checked)" if deciding in kept and changes else why,
        modifications=changes if resolution is GateResolution.MODIFY else (),
        escalate_to=HUMAN if resolution is GateResolution.ESCALATE else "",
        attempt_limit=ATTEMPTS if resolution is GateResolution.MODIFY else 0,
    )
    return PlanDecision(
        request=request,
        rounds=rounds,
        deciding=deciding,
        synthesis=synthesis,
        dismissed=tuple(dismissal(r, rounds, synthesis, request.stakes) for r in rounds if is_left_out(r, synthesis)),
    )


def rationale(
    resolution: GateResolution, severity: Severity, confidence: float, stakes: Stakes, deciding: Round
) -> str:
    held = f"severity {severity} and confidence {confidence:.2f} at {stakes} stakes"
    match resolution:
        case GateResolution.MODIFY:
            return f"With {held}, and a counter that can be done: {deciding.objection.objection}"
        case GateResolution.ESCALATE:
            return f"With {held}, and no counter that can be done: {deciding.objection.objection}"
        case _:
            return f"With {held}, nothing stands in the way."


def is_left_out(held: Round, synthesis: Synthesis) -> bool:
    """Was the objection not taken up? A human is handed all of them."""
    return synthesis.resolution is not GateResolution.ESCALATE and held.objection.counter not in synthesis.modifications


def dismissal(held: Round, rounds: tuple[Round, ...], synthesis: Synthesis, stakes: Stakes) -> Dismissed:
    last = rounds[-1]
    now = last.objection.severity
    if RANK[held.objection.severity] > RANK[now]:
        reason = f"the critic came down from {held.objection.severity} to {now} after: {last.claim.claim}"
    elif not held.actionable and held.objection.severity is not Severity.LOW:
        reason = f"its counter names nothing that can be done, and the stakes are {stakes}"
    elif synthesis.resolution is GateResolution.PROCEED and held.claim.confidence >= CONFIDENT:
        reason = f"its severity is low, and the advocate is {held.claim.confidence:.2f} confident"
    else:
        reason = f"its severity is {held.objection.severity}, and what it asks for is not needed beside the rest"
    return Dismissed(objection=held.objection.objection, reason=reason)
