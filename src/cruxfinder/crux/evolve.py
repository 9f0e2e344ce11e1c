"""Facts into state. No rules here, only every case once."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import assert_never

from cruxfinder.crux import events
from cruxfinder.crux.evolve_thread import add_message, enter_stage, evolve_thread, new_candidate
from cruxfinder.crux.merging import join_threads, renumber_candidate
from cruxfinder.crux.moves import (
    Claim,
    Clarify,
    Concede,
    ProposeCrux,
)
from cruxfinder.crux.state import Debate, Proposal, TopClaim
from cruxfinder.crux.thread import (
    Candidate,
    Intervention,
    Message,
    SecondLook,
    Thread,
    count_rounds,
)
from cruxfinder.kernel.frozen_copies import copy_with
from cruxfinder.kernel.run_facts import AskFailed, DebateComplete, DebateForked, DebateStarted, Seat
from cruxfinder.kernel.vocabulary import (
    ADVOCATE,
    MODERATOR,
    AgentId,
    CandidateId,
    MessageId,
    Phase,
    ProposalId,
    Stage,
    Status,
    ThreadId,
    TopSide,
)


def fold(log: Iterable[events.Event]) -> Debate:
    """The debate a log describes. The log starts with its `debate_started`."""
    rest = iter(log)
    first = next(rest)
    assert isinstance(first, DebateStarted), "a log starts with debate_started"
    debate = start(first)
    for event in rest:
        debate = evolve(debate, event)
    return debate


def start(event: DebateStarted) -> Debate:
    return Debate(started=event, settings=event.settings, seats=event.seats)


def evolve(debate: Debate, event: events.Event) -> Debate:
    if debate.failing:
        debate = clear_failing(debate, event)
    match event:
        case DebateStarted():
            return start(event)
        case DebateForked():
            return copy_with(debate, settings=event.settings, now_ms=event.at_ms)
        case events.FirstPosition():
            return copy_with(debate, firsts={**debate.firsts, event.agent: event}, now_ms=event.at_ms)
        case events.ThreadCreated():
            if event.proposal is not None:
                debate = copy_with(debate, proposals=settle_proposal(debate, event.proposal))
            debate = copy_with(debate, fresh_at=debate.spoken)
            return with_thread(debate, new_thread(event), event.at_ms)
        case events.ThreadProposed():
            proposals = {**debate.proposals, event.proposal: Proposal(told=event)}
            return copy_with(debate, proposals=proposals, now_ms=event.at_ms)
        case events.ThreadMerged():
            return apply_merge(debate, event)
        case events.CruxPromoted():
            on = (id for id in debate.agenda if id != event.replaces and not debate.threads[id].over)
            return copy_with(debate, agenda=(*on, event.thread), now_ms=event.at_ms)
        case events.RelationAnswered():
            pair = (event.first, event.second)
            given = {**debate.relations.get(pair, {}), event.agent: event}
            return copy_with(debate, relations={**debate.relations, pair: given}, now_ms=event.at_ms)
        case events.CruxesRelated():
            related = {**debate.related, (event.first, event.second): event}
            return copy_with(debate, related=related, related_at=debate.spoken, now_ms=event.at_ms)
        case events.CoalitionDetected():
            return copy_with(debate, coalitions=event, now_ms=event.at_ms)
        case events.MessagePosted():
            return apply_message(debate, event)
        case events.ModeratorIntervention():
            return apply_intervention(debate, event)
        case events.StageTransition():
            debate = copy_with(debate, fresh_at=debate.spoken)
            return with_thread(debate, enter_stage(debate.threads[event.thread], event), event.at_ms)
        case events.CruxExtracted():
            debate = copy_with(debate, fresh_at=debate.spoken)
            thread = copy_with(debate.threads[event.thread], extracted=event)
            return with_thread(debate, thread, event.at_ms)
        case AskFailed():
            failing = {**debate.failing, event.agent: debate.failing.get(event.agent, 0) + 1}
            return copy_with(debate, failing=failing, now_ms=event.at_ms)
        case events.GradingTested():
            return copy_with(debate, tested=(*debate.tested, event), now_ms=event.at_ms)
        case events.Conceded() | events.GlobalConvergence():
            return copy_with(debate, now_ms=event.at_ms)
        case DebateComplete():
            return copy_with(debate, complete=event, now_ms=event.at_ms)
        case (
            events.MessageRefused()
            | events.DcgCalculated()
            | events.CommitmentMade()
            | events.FalsifierDeclared()
            | events.SteelmanAttempt()
            | events.SteelmanGraded()
            | events.LockAttempted()
            | events.LockSucceeded()
            | events.LockFailed()
            | events.AgentSilent()
            | events.EvidenceProvided()
            | events.PositionUpdated()
            | events.ProbeAnswered()
            | events.CruxChallenged()
            | events.ThreadConverged()
            | events.ThreadFailed()
            | events.ThreadStale()
        ):
            return with_thread(debate, evolve_thread(debate.threads[event.thread], event), event.at_ms)
        case _:
            assert_never(event)


def clear_failing(debate: Debate, event: events.Event) -> Debate:
    """Who answers again is no longer failing."""
    match event:
        case (
            events.MessagePosted(agent=agent)
            | events.MessageRefused(agent=agent)
            | events.ProbeAnswered(agent=agent, failed=False)
        ):
            return copy_with(debate, failing={a: n for a, n in debate.failing.items() if a != agent})
        case _:
            return debate


def with_thread(debate: Debate, thread: Thread, at_ms: int) -> Debate:
    threads: dict[ThreadId, Thread] = {**debate.threads, thread.id: thread}
    return copy_with(debate, threads=threads, now_ms=at_ms)


def new_thread(event: events.ThreadCreated) -> Thread:
    asked = Candidate(
        id=CandidateId("c1"),
        question=event.question,
        yes_means=event.yes_means,
        no_means=event.no_means,
        by=event.by or MODERATOR,
        message=event.message or MessageId(""),
    )
    return Thread(
        id=event.thread,
        topic=event.topic,
        created_ms=event.at_ms,
        stage_ms=event.at_ms,
        candidates=(asked,) if event.question else (),
        parent=event.parent,
        trigger=event.trigger,
        members=frozenset(event.members),
        only=event.only,
        horizon=event.horizon,
    )


def settle_proposal(debate: Debate, proposal: ProposalId) -> dict[ProposalId, Proposal]:
    return {**debate.proposals, proposal: replace(debate.proposals[proposal], settled=True)}


def apply_merge(debate: Debate, event: events.ThreadMerged) -> Debate:
    """A proposal that joins a thread, or a thread that joins another with all that was said and held in it."""
    target = debate.threads[event.into]
    if event.proposal is not None:
        told = debate.proposals[event.proposal].told
        debate = copy_with(debate, proposals=settle_proposal(debate, event.proposal))
        if event.adds:
            asked = ProposeCrux(question=told.question, yes_means=told.yes_means, no_means=told.no_means)
            new = renumber_candidate(asked, len(target.candidates) + 1, told.supporters[0], told.mentions[0])
            target = copy_with(target, candidates=(*target.candidates, new))
        return with_thread(debate, target, event.at_ms)
    assert event.thread is not None, "a proposal is merged, or a thread"
    source = debate.threads[event.thread]
    gone = copy_with(
        source, status=Status.MERGED, merged_into=target.id, why=f"it asked what {target.id} asks", ended_ms=event.at_ms
    )
    debate = with_thread(debate, gone, event.at_ms)
    return with_thread(debate, join_threads(target, source, event.adds), event.at_ms)


def apply_message(debate: Debate, event: events.MessagePosted) -> Debate:
    thread = debate.threads[event.thread]
    message = Message(
        id=event.id,
        at_ms=event.at_ms,
        agent=event.agent,
        thread=event.thread,
        move=event.move,
        content=event.content,
        topics=event.topics,
        reply_to=event.reply_to,
        refs=event.refs,
        counted=event.counted,
    )
    debate = copy_with(
        debate,
        spoken=debate.spoken + 1,
        numbered=debate.numbered + 1,
        fresh_at=debate.spoken + 1 if thread.stage is Stage.CRUX_LOCK else debate.fresh_at,
        ready_ms={**debate.ready_ms, event.agent: event.at_ms + event.cooldown_ms},
        spoke_ms={**debate.spoke_ms, event.agent: event.at_ms},
        tops=public_top_claims(debate, event),
    )
    return with_thread(debate, add_message(thread, message, event.joins, event.near_topic), event.at_ms)


def public_top_claims(debate: Debate, event: events.MessagePosted) -> Mapping[AgentId, TopClaim]:
    """The public top claims after a message: a claim states one, a concession may change it."""
    match event.move:
        case Claim() as move:
            side, confidence, statement = move.top_side, move.confidence, move.proposition
        case Concede(top_changed=True, side_after=TopSide() as after) as move:
            side, confidence, statement = after, 0.5, move.proposition
        case _:
            return debate.tops
    top = TopClaim(statement=statement, side=side, confidence=confidence, updated_ms=event.at_ms)
    return {**debate.tops, event.agent: top}


def begin_second_look(thread: Thread) -> Thread:
    """What is named now is asked about in rounds of its own, and everything weighed anew."""
    weighed = SecondLook(
        messages=thread.counted,
        candidates=len(thread.candidates),
        rounds=count_rounds(thread, Phase.BEFORE),
        links=count_rounds(thread, Phase.LINKS),
    )
    return copy_with(
        thread,
        second_look=weighed,
        stale=False,
        figures={phase: told for phase, told in thread.figures.items() if phase is not Phase.BEFORE},
    )


def apply_intervention(debate: Debate, event: events.ModeratorIntervention) -> Debate:
    thread = debate.threads[event.thread]
    asked = ProposeCrux(question=event.question, yes_means=event.yes_means, no_means=event.no_means)
    message = Message(
        id=event.id,
        at_ms=event.at_ms,
        agent=MODERATOR,
        thread=thread.id,
        move=asked if event.question else Clarify(target=event.id, asks=True),
        content=event.content,
        counted=False,
    )
    step = Intervention(cause=event.cause, at_ms=event.at_ms, message=event.id, to=event.to)
    thread = copy_with(
        thread,
        messages=(*thread.messages, message),
        interventions=(*thread.interventions, step),
        recommit=thread.recommit | frozenset(event.to) if event.recommit else thread.recommit,
        drafted={**thread.drafted, **dict(event.drafted)},
        candidates=(*thread.candidates, new_candidate(thread, asked, message)) if event.question else thread.candidates,
        members=frozenset(event.keeps) or (thread.members | frozenset(event.to) if event.invites else thread.members),
        only=thread.only or bool(event.keeps),
        horizon=event.horizon or thread.horizon,
    )
    if event.looks_again:
        thread = begin_second_look(thread)
    seats = debate.seats
    if event.joined is not None:
        seats = (
            *seats,
            Seat(id=ADVOCATE, name="Devil's advocate", about="argues the other side; has no vote"),
        )
    return with_thread(copy_with(debate, seats=seats, numbered=debate.numbered + 1), thread, event.at_ms)
