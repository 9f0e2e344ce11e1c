"""A wish becomes facts, in one place: `decide` judges a command and says what follows from it."""

from dataclasses import replace
from typing import Final, assert_never

from cruxfinder.crux import advance, branches, finish
from cruxfinder.crux.commands import (
    Command,
    Judge,
    MergeThreads,
    OpenThread,
    RecordFirst,
    RecordProbe,
    RecordTest,
    Relate,
    Say,
    Tick,
)
from cruxfinder.crux.debate_recorder import Recorder
from cruxfinder.crux.draft_faults import ATTEMPTS_MAX, refusals, waived_rules
from cruxfinder.crux.duties import open_duties
from cruxfinder.crux.events import (
    AgentSilent,
    CommitmentMade,
    Conceded,
    CruxChallenged,
    Event,
    EvidenceProvided,
    FalsifierDeclared,
    FirstPosition,
    GradingTested,
    MessagePosted,
    MessageRefused,
    PositionUpdated,
    ProbeAnswered,
    RefusalOutcome,
    RelationAnswered,
    SteelmanAttempt,
    SteelmanGraded,
    ThreadCreated,
    ThreadStale,
)
from cruxfinder.crux.evolve import evolve, start
from cruxfinder.crux.law import (
    changes,
    concessions,
    crux_quality,
    dependencies,
    ending,
    falsifiers,
    flood,
    lock,
    messages,
    proposed_questions,
    stages,
    steelman,
    threads,
)
from cruxfinder.crux.moves import (
    Commit,
    Concede,
    DeclareFalsifier,
    Draft,
    GradeSteelman,
    ProvideEvidence,
    Steelman,
    UpdatePosition,
)
from cruxfinder.crux.private_questions import is_waiting
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.protocol import Decision
from cruxfinder.kernel.recorder import DecisionRecorder
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import Fork, NoteFailure, Start, Stop, failure_event, fork_event
from cruxfinder.kernel.vocabulary import AgentId, MessageId, Phase, ThreadId

FIRST_THREAD: Final = ThreadId("t1")


def decide(debate: Debate | None, command: Command, now_ms: int) -> Decision[Debate, Event]:
    """The events a command brings about, and the debate after them. A complete debate decides nothing more."""
    if debate is None:
        assert isinstance(command, Start), "a debate begins with Start"
        return begin(command)
    if debate.complete is not None:
        return Decision(events=(), debate=debate)
    recorder = DecisionRecorder(debate, now_ms, evolve)
    match command:
        case Start():
            raise AssertionError("this debate has begun already")
        case RecordFirst():
            for agent, first in command.firsts:
                recorder.write(
                    FirstPosition(
                        at_ms=now_ms,
                        agent=agent,
                        p_top=round(first.p_top, 4),
                        side=first.side,
                        reason=first.reason,
                    )
                )
        case Say():
            if not ending.time_is_up(debate, now_ms):  # a thought may end after the debate's time
                say(recorder, command)
        case RecordProbe():
            record_probe(recorder, command)
        case Judge():
            judge(recorder, command)
        case OpenThread():
            told = next((t for t in threads.openable_proposals(debate, now_ms) if t.proposal == command.proposal), None)
            if told is not None:
                branches.open_thread(recorder, told, command.distances)
        case MergeThreads():
            source, target = debate.threads[command.thread], debate.threads[command.into]
            if (target, source) in threads.mergeable_pairs(debate) and command.distance < threads.APART:
                branches.merge(recorder, source, target, command.distance)
                advance.advance_thread(recorder, target.id)
        case Relate():
            relate(recorder, command)
        case NoteFailure():
            recorder.write(failure_event(command, now_ms))
        case RecordTest():
            plant, graded = command.plant, command.graded
            recorder.write(
                GradingTested(
                    at_ms=now_ms,
                    thread=plant.thread,
                    agent=plant.agent,
                    claim=plant.claim,
                    reason=plant.reason,
                    grade=None if graded is None else graded.grade,
                )
            )
        case Tick():
            tick(recorder, command.thinking)
        case Fork():
            recorder.write(fork_event(command, now_ms))
        case Stop():
            finish.complete(recorder, command.ending)
        case _:
            assert_never(command)
    finish.end_if_over(recorder)
    return Decision(events=recorder.events, debate=recorder.debate)


def begin(command: Start) -> Decision[Debate, Event]:
    recorder = DecisionRecorder(start(command.started), command.started.at_ms, evolve)
    recorder.write(ThreadCreated(at_ms=command.started.at_ms, thread=FIRST_THREAD, topic=command.started.topic))
    return Decision(events=(command.started, *recorder.events), debate=recorder.debate)


def say(recorder: Recorder, command: Say) -> None:
    thread = recorder.debate.threads[command.thread]
    found = refusals(recorder.debate, thread, command)
    flags = waived_rules(found, command.attempt)
    if flags:
        found = ()
    timed = () if found else tuple(flood.check_time(recorder.debate, thread, command.agent, recorder.now_ms))
    if found or timed:
        again = command.waits if timed else command.attempt < ATTEMPTS_MAX
        outcome = "dropped" if not again else "held" if timed else "revise"
        refuse(recorder, thread, command, found or timed, outcome)
        return
    draft = strip_falsifier(recorder, thread, command)
    id = MessageId(f"m{recorder.debate.numbered + 1}")
    recorder.write(
        MessagePosted(
            at_ms=recorder.now_ms,
            id=id,
            agent=command.agent,
            thread=thread.id,
            move=draft.move,
            content=draft.content.strip(),
            topics=draft.topics,
            reply_to=draft.reply_to,
            refs=draft.refs,
            cooldown_ms=command.cooldown_ms,
            counted=stages.counts_towards_budget(thread, command.agent, draft.move.kind),
            attention=command.attention if draft.reply_to is not None and command.duty is None else None,
            flags=flags,
            joins=proposed_questions.joined_candidate(recorder.debate, thread, draft, command.reading),
            near_topic=proposed_questions.nearness_to_topic(thread, draft, command.reading),
        )
    )
    derive(recorder, thread, command, draft, id)
    branches.record_proposals(recorder, thread.id, id, command.reading)
    advance.advance_thread(recorder, thread.id)


def refuse(
    recorder: Recorder,
    thread: Thread,
    command: Say,
    refusals: tuple[Refusal, ...],
    outcome: RefusalOutcome,
) -> None:
    recorder.write(
        MessageRefused(
            at_ms=recorder.now_ms,
            agent=command.agent,
            thread=thread.id,
            move=command.draft.move.kind,
            refusals=refusals,
            outcome=outcome,
        )
    )


def strip_falsifier(recorder: Recorder, thread: Thread, command: Say) -> Draft:
    """A commitment whose falsifier is vague is taken without it; its agent then owes one."""
    vague = falsifiers.commitment_faults(recorder.debate, command.draft, command.reading)
    if not vague:
        return command.draft
    refuse(recorder, thread, command, vague, "stripped")
    assert isinstance(command.draft.move, Commit)
    return replace(command.draft, move=replace(command.draft.move, falsifier=None))


def derive(recorder: Recorder, thread: Thread, command: Say, draft: Draft, id: MessageId) -> None:
    """What a message means, beyond having been said. `thread` is the thread before it."""
    agent, at = command.agent, recorder.now_ms
    match draft.move:
        case Commit() as move:
            of_it = (t.message for t in steelman.tries_of(thread, agent))
            carried = tuple(zip(of_it, command.reading.carried, strict=True))
            recorder.write(CommitmentMade(at_ms=at, thread=thread.id, message=id, carried=carried))
            if move.falsifier is not None:
                declare(recorder, thread, command, move.falsifier, id)
        case DeclareFalsifier() as move:
            declare(recorder, thread, command, move.falsifier, id)
        case Steelman() as move:
            tries = thread.tries.get((agent, move.target), ())
            (share,) = command.reading.carried
            number = len(tries) + 1
            recorder.write(SteelmanAttempt(at_ms=at, thread=thread.id, message=id, attempt=number, carried=share))
        case GradeSteelman() as move:
            attempt = steelman.attempt_of(thread, draft)
            if attempt is not None:  # None only where an ablation lets anybody grade anything
                recorder.write(
                    SteelmanGraded(
                        at_ms=at,
                        thread=thread.id,
                        message=id,
                        steelman=attempt.message,
                        grade=move.grade,
                        by=agent,
                    )
                )
        case ProvideEvidence():
            recorder.write(EvidenceProvided(at_ms=at, thread=thread.id, message=id))
        case Concede() as move:
            cheap = concessions.is_cheap_concession(move)
            recorder.write(Conceded(at_ms=at, thread=thread.id, message=id, cheap=cheap))
        case _:
            pass


def declare(recorder: Recorder, thread: Thread, command: Say, falsifier: Falsifier, id: MessageId) -> None:
    held = recorder.debate.threads[thread.id].falsifiers.get(
        command.agent, ()
    )  # a change of side has dropped the old ones
    drafted = thread.drafted.get(command.agent)
    reading = falsifiers.read_of(command.reading)
    recorder.write(
        FalsifierDeclared(
            at_ms=recorder.now_ms,
            thread=thread.id,
            message=id,
            number=len(held) + 1,
            concreteness=falsifiers.concreteness(reading),
            open_ended=falsifiers.is_open_ended(reading),
            drafted=drafted is not None and replace(drafted, reasoning="") == replace(falsifier, reasoning=""),
            vague=any(falsifiers.faults(falsifier, reading, recorder.debate.started.day)),
        )
    )


def record_probe(recorder: Recorder, command: RecordProbe) -> None:
    probed, at = command.probed, recorder.now_ms
    answer = ProbeAnswered(
        at_ms=at,
        thread=command.thread,
        phase=command.phase,
        round=command.round,
        agent=command.agent,
        p_top=0.0 if probed is None else round(probed.p_top, 4),
        credences=()
        if probed is None
        else tuple(x._replace(c=round(x.c, 4), p1=round(x.p1, 4), p0=round(x.p0, 4)) for x in probed.credences),
        fixed=()
        if probed is None
        else tuple(x._replace(wording=round(x.wording, 4), horizon=round(x.horizon, 4)) for x in probed.fixed),
        links=()
        if probed is None
        else tuple(x._replace(if_yes=round(x.if_yes, 4), if_no=round(x.if_no, 4)) for x in probed.links),
        public_side=None if probed is None else probed.public_side,
        judged=None if probed is None else probed.judged,
        failed=probed is None,
    )
    recorder.write(answer)
    thread = recorder.debate.threads[command.thread]
    if command.phase is Phase.CHANGE and changes.is_fully_answered(thread, command.agent):
        label_change(recorder, thread, command.agent)
    advance.advance_thread(recorder, command.thread)


def label_change(recorder: Recorder, thread: Thread, agent: AgentId) -> None:
    change = next((m for m in thread.unlabelled if m.agent == agent), None)
    if change is None:
        return
    on_topic = isinstance(change.move, Concede)
    assert isinstance(change.move, Concede | UpdatePosition), "only these change a side"
    recorder.write(
        PositionUpdated(
            at_ms=recorder.now_ms,
            thread=thread.id,
            message=change.id,
            agent=agent,
            on="topic" if on_topic else "crux",
            before=str(change.move.side_before),
            after=str(change.move.side_after),
            label=changes.label(recorder.debate, thread, change),
        )
    )


def judge(recorder: Recorder, command: Judge) -> None:
    """Objections have the crux extracted anew, twice at most; after that they stand beside it."""
    thread = recorder.debate.threads[command.thread]
    assert thread.extracted is not None, "only an extracted crux is judged"
    again = crux_quality.may_extract_again(thread)
    objecting = [(a, j) for a, j in command.judgements if j is not None and j.objection.strip()]
    for agent, judged in objecting:
        recorder.write(
            CruxChallenged(
                at_ms=recorder.now_ms,
                thread=thread.id,
                agent=agent,
                version=thread.extracted.version,
                objection=judged.objection.strip()[: messages.FIELD_MAX],
                side=judged.side,
                statement=judged.statement.strip()[: messages.FIELD_MAX],
                stands=not again,
            )
        )
    if objecting and again:
        advance.extract(recorder, thread.id)
    else:
        advance.converge(recorder, thread.id)


def relate(recorder: Recorder, command: Relate) -> None:
    """Private answers about two cruxes, and what follows from them."""
    pair = (command.first, command.second)
    if pair not in dependencies.uncompared_pairs(recorder.debate):
        return
    for agent, answer in command.answers:
        recorder.write(
            RelationAnswered(
                at_ms=recorder.now_ms,
                first=command.first,
                second=command.second,
                agent=agent,
                second_if_yes=0.0 if answer is None else round(answer.second_if_yes, 4),
                second_if_no=0.0 if answer is None else round(answer.second_if_no, 4),
                first_if_yes=0.0 if answer is None else round(answer.first_if_yes, 4),
                first_if_no=0.0 if answer is None else round(answer.first_if_no, 4),
                sketch="" if answer is None else answer.sketch.strip()[: messages.FIELD_MAX],
                back="" if answer is None else answer.back.strip()[: messages.FIELD_MAX],
                failed=answer is None,
            )
        )
    found = dependencies.relate_cruxes(recorder.debate, pair, command.distance, recorder.now_ms)
    recorder.write(found)
    branches.promote(recorder)
    if found.same:
        branches.update_coalitions(recorder)


def tick(recorder: Recorder, thinking: frozenset[ThreadId]) -> None:
    """Excuse who owed something in silence for too long, and let the thread go on without them."""
    for id, thread in recorder.debate.threads.items():
        if thread.over:
            continue
        for agent, duties in open_duties(recorder.debate, thread).items():
            if agent not in thread.held and lock.is_silent_too_long(
                recorder.debate, thread, duties[0], agent, recorder.now_ms
            ):
                recorder.write(AgentSilent(at_ms=recorder.now_ms, thread=id, agent=agent, owed=duties[0].move))
        here = recorder.debate.threads[id]
        busy = id in thinking or is_waiting(recorder.debate, here)
        if not busy and threads.is_quiet(
            recorder.debate, here, recorder.now_ms, bool(open_duties(recorder.debate, here))
        ):
            recorder.write(ThreadStale(at_ms=recorder.now_ms, thread=id, stage=thread.stage))
        advance.advance_thread(recorder, id)
