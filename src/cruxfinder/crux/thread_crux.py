"""What one thread came to. SPEC §13, CRY-1: its crux with positions, falsifiers, evidence and figures.

Structured moves are the source: nothing that is structured already is asked for again.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cruxfinder.crux.events import CandidateFigures
from cruxfinder.crux.law import candidates, crux_quality, evidence, probes, several_facts
from cruxfinder.crux.moves import Concede, ProvideEvidence
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import AcceptedFalsifier, Message, Thread, find_candidate
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.ranges import Count, Rank, Share
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import (
    AgentId,
    CandidateId,
    Direction,
    Grade,
    Horizon,
    Phase,
    Side,
    Stage,
    Status,
    Verdict,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceItem:
    message: str
    agent: str
    evidence: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FalsifierItem:
    """A falsifier with what was gathered for and against it being met."""

    number: Count
    metric: str
    threshold: str
    deadline: str
    reasoning: str
    concreteness: Share
    open_ended: bool
    drafted_by_moderator: bool
    evidence_for: tuple[EvidenceItem, ...]
    evidence_against: tuple[EvidenceItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    side: Side
    side_after: Side
    confidence: Share
    statement: str
    reason: str
    falsifier: Falsifier | None
    falsifiers: tuple[FalsifierItem, ...]
    concessions: tuple[str, ...]
    excused: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterfactual:
    would_flip: bool  # as the crux counts it: who takes no side of the question does not
    why: str
    credence: Share
    if_yes: Share
    if_no: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Dcg:
    coverage: Share
    polarity: Share
    impact: Share
    score: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class SteelmanPair:
    from_: str
    to: str
    grade: Grade
    attempts: Count
    graded_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CruxObjection:
    agent: str
    objection: str
    stands: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TestedCandidate:
    """A candidate and what the private answers said of it."""

    id: str
    question: str
    yes_means: str
    no_means: str
    proposed_by: str
    explained_share: float
    gap_closed: float
    dcg: Dcg
    rank: Rank
    would_flip: tuple[str, ...]
    sides: dict[str, Side]  # in private, before EVIDENCE
    joint: bool  # one of several that explain the gap together
    partial: bool
    chosen: bool  # to be locked
    locked: bool
    repeats_topic: bool = False  # the topic in other words, by its text and everybody's answers: no crux


@dataclass(frozen=True, slots=True, kw_only=True)
class CruxResult:
    id: str
    question: str
    yes_means: str
    no_means: str
    positions: dict[str, Position]
    would_flip: tuple[str, ...]
    counterfactual: dict[str, Counterfactual]
    resolution_criteria: tuple[str, ...]
    evidence_provided: tuple[EvidenceItem, ...]
    supporting_messages: tuple[str, ...]
    explained_share: float
    gap_closed: float
    dcg: Dcg
    rank: Rank
    horizon_by_agent: dict[str, Horizon]
    dominant_horizon: Horizon | None
    steelman_pairs: tuple[SteelmanPair, ...]
    confidence: Share
    validated: bool
    validation_failures: tuple[Refusal, ...]
    objections: tuple[CruxObjection, ...]


Clarity = Literal["CLEAR", "NEEDS_CLARIFICATION"]


def clarity(thread: Thread) -> Clarity:
    """A thread is incoherent where most private answers contradict themselves, most object to its crux, or it ended
    without a question anybody could be asked about."""
    before = thread.figures.get(Phase.BEFORE)
    answered = probes.readings(thread, Phase.BEFORE)
    muddled = before is not None and 2 * len(before.incoherent) > len(answered)
    standing = {o.agent for o in thread.objections if o.stands}
    objected = bool(standing) and 2 * len(standing) >= len(thread.commitments)
    return "NEEDS_CLARIFICATION" if muddled or objected or thread.status is Status.STALE else "CLEAR"


def locked_id(thread: Thread) -> str:
    """The name of the crux a thread locked."""
    assert thread.crux is not None, "only a locked thread has a crux"
    return crux_id(thread, thread.crux)


def crux_id(thread: Thread, id: str) -> str:
    return f"{thread.id}.{id}"


def dcg_of(found: CandidateFigures) -> Dcg:
    return Dcg(coverage=found.coverage, polarity=found.polarity, impact=found.impact, score=found.dcg)


def tested_candidates(thread: Thread) -> tuple[TestedCandidate, ...]:
    """Every candidate that was weighed, best rank first."""
    before = thread.figures.get(Phase.BEFORE)
    if before is None:
        return ()
    partial = candidates.choose(thread, before.figures).partial
    locked = thread.figures.get(Phase.LOCKED)
    joint = several_facts.joint_roots(before.figures, several_facts.linked_pairs(thread))
    several = {f.candidate for f in joint} if thread.outcome is Verdict.SEVERAL_FACTS else set[str]()
    given = probes.readings(thread, Phase.BEFORE)
    as_locked = {} if locked is None else {figures.candidate: figures for figures in locked.figures}
    rows: list[TestedCandidate] = []
    for weighed in before.figures:
        found = as_locked.get(weighed.candidate, weighed)  # a question has one set of figures
        asked = find_candidate(thread, found.candidate)
        assert asked is not None, "figures name candidates of the thread"
        rows.append(
            TestedCandidate(
                id=crux_id(thread, asked.id),
                question=asked.question,
                yes_means=asked.yes_means,
                no_means=asked.no_means,
                proposed_by=asked.by,
                explained_share=found.share,
                gap_closed=found.gap_closed,
                dcg=dcg_of(found),
                rank=found.rank,
                would_flip=found.flips,
                sides={a: probes.side_of(r.credences[asked.id].c) for a, r in given.items() if asked.id in r.credences},
                joint=asked.id in several,
                partial=asked.id in partial,
                chosen=asked.id == thread.crux,
                locked=asked.id == thread.crux and thread.stage is Stage.EVIDENCE,
                repeats_topic=weighed.repeats_topic,
            )
        )
    return tuple(rows)


def crux_of(debate: Debate, thread: Thread) -> CruxResult | None:
    """The thread's locked question with everything known about it; None where no question was locked."""
    asked = find_candidate(thread, thread.crux)
    before = thread.figures.get(Phase.BEFORE)
    if asked is None or before is None or thread.stage is Stage.DISCOVERY:
        return None
    figured = thread.figures.get(Phase.LOCKED, before)
    found = next(f for f in figured.figures if f.candidate == asked.id)
    horizons = {str(a): c.horizon for a, c in thread.commitments.items()}
    common = Counter(horizons.values()).most_common(1)
    return CruxResult(
        id=crux_id(thread, asked.id),
        question=asked.question,
        yes_means=asked.yes_means,
        no_means=asked.no_means,
        positions={str(a): position(thread, a) for a in thread.commitments},
        would_flip=found.flips,
        counterfactual=counterfactuals(thread, asked.id, found.flips),
        resolution_criteria=crux_quality.criteria(thread),
        evidence_provided=tuple(item for m in thread.evidence for item in items((m,))),
        supporting_messages=supporting_messages(thread),
        explained_share=found.share,
        gap_closed=found.gap_closed,
        dcg=dcg_of(found),
        rank=found.rank,
        horizon_by_agent=horizons,
        dominant_horizon=common[0][0] if common else None,
        steelman_pairs=pairs(thread),
        confidence=round(crux_quality.confidence(thread), 4),
        validated=thread.extracted is not None and thread.extracted.validated,
        validation_failures=() if thread.extracted is None else thread.extracted.failures,
        objections=tuple(
            CruxObjection(agent=o.agent, objection=o.objection, stands=o.stands) for o in thread.objections
        ),
    )


def position(thread: Thread, agent: AgentId) -> Position:
    held = thread.commitments[agent]
    accepted = thread.falsifiers.get(agent, ())
    granted = [m.move.proposition for m in thread.concessions if m.agent == agent and isinstance(m.move, Concede)]
    return Position(
        side=crux_quality.positions(thread)[agent],
        side_after=crux_quality.positions_now(thread).get(agent, held.side),
        confidence=held.confidence,
        statement=crux_quality.statement(thread, agent),
        reason=held.reason,
        falsifier=accepted[-1].falsifier if accepted else None,
        falsifiers=tuple(falsifier_item(thread, agent, a) for a in accepted),
        concessions=tuple(granted),
        excused=agent in thread.excused,
    )


def falsifier_item(thread: Thread, agent: AgentId, held: AcceptedFalsifier) -> FalsifierItem:
    found = evidence.evidence_by_direction(thread, agent, held.number)
    return FalsifierItem(
        number=held.number,
        metric=held.falsifier.metric,
        threshold=held.falsifier.threshold,
        deadline=held.falsifier.deadline,
        reasoning=held.falsifier.reasoning,
        concreteness=held.concreteness,
        open_ended=held.open_ended,
        drafted_by_moderator=held.drafted,
        evidence_for=items(found[Direction.FOR]),
        evidence_against=items(found[Direction.AGAINST]),
    )


def items(messages: tuple[Message, ...]) -> tuple[EvidenceItem, ...]:
    return tuple(
        EvidenceItem(message=m.id, agent=m.agent, evidence=m.move.evidence, source=m.move.source)
        for m in messages
        if isinstance(m.move, ProvideEvidence)
    )


def counterfactuals(thread: Thread, id: CandidateId, flips: Sequence[AgentId]) -> dict[str, Counterfactual]:
    found: dict[str, Counterfactual] = {}
    for agent, reading in probes.readings(thread, Phase.BEFORE).items():
        answer = reading.credences.get(id)
        if answer is None:
            continue
        if_yes, if_no = probes.top_side_of(answer.p1), probes.top_side_of(answer.p0)
        found[agent] = Counterfactual(
            would_flip=agent in flips,
            why=f"{if_yes} on the topic if the answer is YES ({answer.p1:.2f}), {if_no} if it is NO ({answer.p0:.2f})",
            credence=round(answer.c, 4),
            if_yes=round(answer.p1, 4),
            if_no=round(answer.p0, 4),
        )
    return found


def supporting_messages(thread: Thread) -> tuple[str, ...]:
    """The messages the crux rests on: the proposal, the commitments, the falsifiers."""
    asked = find_candidate(thread, thread.crux)
    rests = [] if asked is None else [asked.message]
    rests += [c.message for c in thread.commitments.values()]
    rests += [a.message for helds in thread.falsifiers.values() for a in helds]
    return tuple(dict.fromkeys(rests))


def pairs(thread: Thread) -> tuple[SteelmanPair, ...]:
    return tuple(
        SteelmanPair(
            from_=author, to=target, grade=tries[-1].grade, attempts=len(tries), graded_by=str(tries[-1].by or "")
        )
        for (author, target), tries in thread.tries.items()
    )
