"""Facts into the state of one thread. No rules here, only every case once."""

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from cruxfinder.crux.events import (
    AgentSilent,
    CommitmentMade,
    CruxChallenged,
    DcgCalculated,
    EvidenceProvided,
    FalsifierDeclared,
    JoinedCandidate,
    LockAttempted,
    LockFailed,
    LockSucceeded,
    MessageRefused,
    PositionUpdated,
    ProbeAnswered,
    StageTransition,
    SteelmanAttempt,
    SteelmanGraded,
    ThreadConverged,
    ThreadEvent,
    ThreadFailed,
    ThreadStale,
)
from cruxfinder.crux.moves import (
    Challenge,
    ChallengeEvidence,
    Claim,
    Clarify,
    Commit,
    Concede,
    DeclareFalsifier,
    GradeSteelman,
    ProposeCrux,
    Steelman,
    UpdatePosition,
)
from cruxfinder.crux.thread import (
    AcceptedFalsifier,
    Candidate,
    Commitment,
    Message,
    Seconding,
    SteelmanTry,
    Thread,
    find_message,
)
from cruxfinder.kernel.frozen_copies import copy_with
from cruxfinder.kernel.vocabulary import (
    AgentId,
    CandidateId,
    MessageId,
    Side,
    Stage,
    Status,
    Verdict,
)


def evolve_thread(thread: Thread, event: ThreadEvent) -> Thread:
    match event:
        case MessageRefused():
            held = {a: at for a, at in thread.held.items() if a != event.agent}
            if event.outcome == "held":
                held[event.agent] = max(r.until_ms for r in event.refusals)
            return copy_with(thread, held=held) if held != thread.held else thread
        case DcgCalculated():
            return copy_with(thread, figures={**thread.figures, event.phase: event})
        case CommitmentMade():
            return add_commitment(thread, event)
        case FalsifierDeclared():
            return add_falsifier(thread, event)
        case SteelmanAttempt():
            return add_steelman_try(thread, event)
        case SteelmanGraded():
            return apply_grade(thread, event)
        case LockAttempted():
            return thread
        case LockSucceeded():
            return copy_with(thread, status=Status.LOCKED)
        case LockFailed():
            return copy_with(thread, lock_failures=event.attempt, granted=thread.granted + event.granted)
        case AgentSilent():
            sides = {**thread.sides, event.agent: Side.UNCERTAIN}
            return copy_with(
                thread,
                excused=thread.excused | {event.agent},
                excused_ms=event.at_ms,
                recommit=thread.recommit - {event.agent},
                sides=sides,
            )
        case EvidenceProvided():
            return copy_with(thread, evidence=(*thread.evidence, thread.messages[-1]))
        case PositionUpdated():
            rest = tuple(m for m in thread.unlabelled if m.id != event.message)
            return copy_with(thread, changes=(*thread.changes, event), unlabelled=rest)
        case ProbeAnswered():
            key = (event.phase, event.round)
            return copy_with(thread, probes={**thread.probes, key: {**thread.probes.get(key, {}), event.agent: event}})
        case CruxChallenged():
            return copy_with(thread, objections=(*thread.objections, event))
        case ThreadConverged():
            return copy_with(
                thread, status=Status.CONVERGED, outcome=event.verdict, why=event.why, ended_ms=event.at_ms
            )
        case ThreadStale(ended=True):
            why = "nobody had anything more to say before a question could be weighed"
            return copy_with(thread, status=Status.STALE, outcome=Verdict.UNDECIDED, why=why, ended_ms=event.at_ms)
        case ThreadStale():
            return copy_with(thread, stale=True)
        case ThreadFailed():
            why = "; ".join(m.reason for m in event.missing)
            return copy_with(
                thread, status=Status.FAILED_LOCK, outcome=Verdict.FAILED_LOCK, why=why, ended_ms=event.at_ms
            )
        case _:
            assert_never(event)


def add_message(
    thread: Thread, message: Message, joins: JoinedCandidate | None = None, near_topic: float = 0.0
) -> Thread:
    move = message.move
    thread = copy_with(
        thread,
        messages=(*thread.messages, message),
        counted=thread.counted + message.counted,
        held={a: at for a, at in thread.held.items() if a != message.agent} if thread.held else thread.held,
        speakers=thread.speakers if message.agent in thread.speakers else thread.speakers | {message.agent},
    )
    match move:
        case Claim():
            horizons = thread.horizons if move.horizon is None else {**thread.horizons, message.agent: move.horizon}
            return copy_with(thread, claims=(*thread.claims, message), horizons=horizons)
        case Challenge(target=target):
            return copy_with(thread, challenged=thread.challenged | {target})
        case Clarify():
            return copy_with(thread, clarified=thread.clarified | {message.agent})
        case ProposeCrux() if joins is not None:
            return copy_with(thread, candidates=tuple(second_if_asked(c, joins, message) for c in thread.candidates))
        case ProposeCrux() if thread.stage is Stage.DISCOVERY:
            return copy_with(thread, candidates=(*thread.candidates, new_candidate(thread, move, message, near_topic)))
        case ChallengeEvidence(target=target):
            return copy_with(thread, answered=thread.answered | {target})
        case Concede():
            answered = thread.answered if message.reply_to is None else thread.answered | {message.reply_to}
            changed = (message,) if move.top_changed else ()
            return copy_with(
                thread,
                answered=answered,
                concessions=(*thread.concessions, message),
                unlabelled=(*thread.unlabelled, *changed),
                side_changed_at=len(thread.messages) - 1 if changed else thread.side_changed_at,
            )
        case UpdatePosition():
            changed = move.side_before is not move.side_after
            return copy_with(
                thread,
                answered=thread.answered | {move.moved_by},
                sides={**thread.sides, message.agent: move.side_after},
                unlabelled=(*thread.unlabelled, message) if changed else thread.unlabelled,
                side_changed_at=len(thread.messages) - 1 if changed else thread.side_changed_at,
            )
        case _:
            return thread


def second_if_asked(known: Candidate, joins: JoinedCandidate, message: Message) -> Candidate:
    if known.id != joins.candidate:
        return known
    seconding = Seconding(agent=message.agent, message=message.id, turned=joins.turned)
    return replace(known, seconded=(*known.seconded, seconding))


def new_candidate(thread: Thread, move: ProposeCrux, message: Message, near_topic: float = 0.0) -> Candidate:
    return Candidate(
        id=CandidateId(f"c{len(thread.candidates) + 1}"),
        question=move.question,
        yes_means=move.yes_means,
        no_means=move.no_means,
        by=message.agent,
        message=message.id,
        near_topic=near_topic,
    )


def enter_stage(thread: Thread, event: StageTransition) -> Thread:
    left = (thread.stage, thread.counted, event.at_ms - thread.stage_ms)
    return copy_with(
        thread,
        stage=event.entered,
        status=Status.LOCKING if event.entered is Stage.CRUX_LOCK else Status.LOCKED,
        crux=event.candidate,
        stage_from=len(thread.messages),
        stage_ms=event.at_ms,
        stages=(*thread.stages, left),
        counted=0,
        clarified=frozenset[AgentId](),
        stale=False,
        held={},
    )


def add_commitment(thread: Thread, event: CommitmentMade) -> Thread:
    message = thread.messages[-1]
    move = message.move
    assert isinstance(move, Commit) and message.id == event.message
    commitment = Commitment(
        agent=message.agent,
        side=move.side,
        statement=move.statement,
        reason=move.reason,
        confidence=move.confidence,
        horizon=move.horizon,
        message=message.id,
        at_ms=event.at_ms,
    )
    before = thread.commitments.get(message.agent)
    if before is not None and before.side is not move.side:
        thread = without_old_position(thread, message.agent)
    elif event.carried:
        thread = measure_tries_anew(thread, dict(event.carried))
    return copy_with(
        thread,
        commitments={**thread.commitments, message.agent: commitment},
        sides={**thread.sides, message.agent: move.side},
        recommit=thread.recommit - {message.agent},
        excused=thread.excused - {message.agent},
        late=thread.late | ({message.agent} & thread.excused),
    )


def measure_tries_anew(thread: Thread, carried: Mapping[MessageId, float]) -> Thread:
    """What each steelman carries of a position that was committed to in other words."""
    tries = {
        pair: tuple(replace(t, carried=carried.get(t.message, t.carried)) for t in tries)
        for pair, tries in thread.tries.items()
    }
    return copy_with(thread, tries=tries)


def without_old_position(thread: Thread, agent: AgentId) -> Thread:
    """Falsifiers of a side one has left, and steelmans of it, say nothing about the new one."""
    return copy_with(
        thread,
        falsifiers={a: held for a, held in thread.falsifiers.items() if a != agent},
        tries={pair: tries for pair, tries in thread.tries.items() if pair[1] != agent},
    )


def add_falsifier(thread: Thread, event: FalsifierDeclared) -> Thread:
    message = thread.messages[-1]
    move = message.move
    assert isinstance(move, Commit | DeclareFalsifier) and move.falsifier is not None
    held = thread.falsifiers.get(message.agent, ())
    accepted = AcceptedFalsifier(
        number=event.number,
        falsifier=move.falsifier,
        concreteness=event.concreteness,
        open_ended=event.open_ended,
        drafted=event.drafted,
        message=event.message,
        vague=event.vague,
    )
    return copy_with(thread, falsifiers={**thread.falsifiers, message.agent: (*held, accepted)})


def add_steelman_try(thread: Thread, event: SteelmanAttempt) -> Thread:
    message = thread.messages[-1]
    move = message.move
    assert isinstance(move, Steelman) and message.id == event.message
    attempt = SteelmanTry(
        message=message.id,
        author=message.agent,
        target=move.target,
        claim=move.claim,
        reason=move.reason,
        falsifier=move.falsifier,
        at_ms=event.at_ms,
        carried=event.carried,
    )
    pair = (message.agent, move.target)
    return copy_with(thread, tries={**thread.tries, pair: (*thread.tries.get(pair, ()), attempt)})


def apply_grade(thread: Thread, event: SteelmanGraded) -> Thread:
    steelman = find_message(thread, event.steelman)
    assert steelman is not None and isinstance(steelman.move, Steelman)
    pair = (steelman.agent, steelman.move.target)
    *earlier, last = thread.tries[pair]
    said = thread.messages[-1].move
    missing = said.missing if isinstance(said, GradeSteelman) else event.missing
    last = replace(last, grade=event.grade, by=event.by, missing=missing, graded_ms=event.at_ms)
    return copy_with(thread, tries={**thread.tries, pair: (*earlier, last)})
