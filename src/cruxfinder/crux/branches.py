"""How a debate branches: proposals, threads opened, split, merged and opened anew, the agenda, the coalitions."""

from cruxfinder.crux.debate_recorder import Recorder
from cruxfinder.crux.events import CruxPromoted, ThreadCreated, ThreadMerged, ThreadProposed
from cruxfinder.crux.interventions import intervene
from cruxfinder.crux.law import agenda, allies, candidates, crux_quality, horizons, moderator, stages, threads
from cruxfinder.crux.thread import Thread, find_candidate
from cruxfinder.kernel.vocabulary import AgentId, CandidateId, MessageId, Phase, Stage, ThreadId, Trigger
from cruxfinder.language.reading import DraftReading


def record_proposals(recorder: Recorder, id: ThreadId, message: MessageId, reading: DraftReading) -> None:
    """What a message proposes, and which proposals it takes up."""
    here = recorder.debate.threads[id]
    if here.stage is Stage.CRUX_LOCK:
        return
    said = here.messages[-1]
    assert said.id == message, "proposals are read off the message just said"
    for told in threads.renewed_proposals(recorder.debate, said, reading):
        recorder.write(told)
    new = threads.propose_from_message(recorder.debate, here, said, reading)
    if new is not None:
        recorder.write(new)
    if threads.is_stuck(here):
        unstick(recorder, here)


def unstick(recorder: Recorder, thread: Thread) -> None:
    """A long thread without convergence: put up the best question it left behind that two have spoken for."""
    before = thread.figures.get(Phase.BEFORE)
    for figure in () if before is None else before.figures:
        asked = find_candidate(thread, figure.candidate)
        if asked is None or asked.id == thread.crux or not crux_quality.explains_enough(figure):
            continue
        if threads.find_proposal(recorder.debate, threads.words_as(asked.question)) is None:
            told = threads.propose_unlocked_candidate(
                recorder.debate, thread, asked, figure.rank, Trigger.STUCK, recorder.now_ms
            )
            if told is not None:
                recorder.write(told)
                return


def propose_leftovers(recorder: Recorder, thread: Thread, locked: CandidateId) -> None:
    """What was weighed and not locked, or spoken of and never asked, may go on in a thread of its own."""
    for figure in thread.figures[Phase.BEFORE].figures:
        asked = find_candidate(thread, figure.candidate)
        if asked is None or figure.candidate == locked or not crux_quality.explains_enough(figure):
            continue
        if len(candidates.sides(thread, asked.id)) == 2:
            three = candidates.is_three_way(recorder.debate, thread, locked, asked.id)
            trigger = Trigger.THREE_WAY if three else Trigger.FRAMING
            told = threads.propose_unlocked_candidate(
                recorder.debate, thread, asked, figure.rank, trigger, recorder.now_ms
            )
            if told is not None:
                recorder.write(told)
    while (told := threads.propose_shared_keyword(recorder.debate, thread, recorder.now_ms)) is not None:
        recorder.write(told)


def open_thread(recorder: Recorder, told: ThreadProposed, distances: tuple[tuple[ThreadId, float], ...]) -> None:
    """A proposal gets its thread, unless it asks what an active thread asks already."""
    nearest = min(((d, id) for id, d in distances if not recorder.debate.threads[id].over), default=None)
    if nearest is not None and nearest[0] < threads.APART and threads.MERGE not in recorder.debate.settings.off:
        into = recorder.debate.threads[nearest[1]]
        recorder.write(
            ThreadMerged(
                at_ms=recorder.now_ms,
                into=into.id,
                proposal=told.proposal,
                distance=round(nearest[0], 4),
                adds=has_room_for_candidate(into),
            )
        )
        return
    recorder.write(
        ThreadCreated(
            at_ms=recorder.now_ms,
            thread=next_thread(recorder),
            topic=told.question,
            parent=told.thread,
            trigger=told.trigger,
            proposal=told.proposal,
            question=told.question,
            yes_means=told.yes_means,
            no_means=told.no_means,
            by=told.supporters[0] if told.supporters else None,
            message=told.mentions[0] if told.mentions else None,
            distance=None if nearest is None else round(nearest[0], 4),
            members=initial_members(recorder, told),
        )
    )


def initial_members(recorder: Recorder, told: ThreadProposed) -> tuple[AgentId, ...]:
    """Those who took it up; all of its parent's, where a rule split the disagreement."""
    if told.trigger in threads.RULED:
        return threads.members(recorder.debate, recorder.debate.threads[told.thread])
    return told.supporters


def has_room_for_candidate(thread: Thread) -> bool:
    return thread.stage is Stage.DISCOVERY and len(thread.candidates) < stages.CANDIDATES_MAX


def next_thread(recorder: Recorder) -> ThreadId:
    return ThreadId(f"t{len(recorder.debate.threads) + 1}")


def split(recorder: Recorder, thread: Thread, question: CandidateId, parts: horizons.Split) -> None:
    """Those who think in longer spans get a thread of their own for the same question."""
    asked = find_candidate(thread, question)
    assert asked is not None, "a question of this thread is locked"
    text = horizons.split_text(parts)
    stay = tuple(a for a in threads.members(recorder.debate, thread) if a not in parts.later)
    intervene(recorder, thread, horizons.ALIGN, text, to=stay, horizon=parts.sooner_at, keeps=stay)
    recorder.write(
        ThreadCreated(
            at_ms=recorder.now_ms,
            thread=next_thread(recorder),
            topic=f"{asked.question} ({parts.later_at})",
            parent=thread.id,
            trigger=Trigger.HORIZON,
            question=asked.question,
            yes_means=asked.yes_means,
            no_means=asked.no_means,
            by=asked.by,
            message=asked.message,
            members=parts.later,
            only=True,
            horizon=parts.later_at,
        )
    )


def merge(recorder: Recorder, source: Thread, target: Thread, distance: float) -> None:
    adds = target.stage is Stage.DISCOVERY
    adds = adds and len(target.candidates) + len(source.candidates) <= stages.CANDIDATES_MAX
    recorder.write(
        ThreadMerged(at_ms=recorder.now_ms, into=target.id, thread=source.id, distance=round(distance, 4), adds=adds)
    )
    promote(recorder)


def reopen(recorder: Recorder) -> None:
    if threads.openable_proposals(recorder.debate, recorder.now_ms):
        return
    again = agenda.reopening(recorder.debate, recorder.now_ms)
    if again is not None:
        recorder.write(
            ThreadCreated(
                at_ms=recorder.now_ms,
                thread=next_thread(recorder),
                topic=again.question.question,
                parent=again.thread.id,
                trigger=Trigger.REOPENED,
                question=again.question.question,
                yes_means=again.question.yes_means,
                no_means=again.question.no_means,
                by=again.question.by,
                message=again.question.message,
                members=recorder.debate.agents,
            )
        )


def promote(recorder: Recorder) -> None:
    """Bring the agenda up to date, and ask everybody for a side on what is new on it."""
    for step in agenda.promotions(recorder.debate):
        assert step.thread.crux is not None, "a dispute has its question"
        recorder.write(
            CruxPromoted(
                at_ms=recorder.now_ms,
                thread=step.thread.id,
                candidate=step.thread.crux,
                rank=step.rank,
                replaces=step.replaces,
            )
        )
        missing = agenda.agents_to_invite(recorder.debate, step.thread)
        if missing and step.thread.stage is Stage.CRUX_LOCK:
            question = threads.question_of(step.thread)
            text = agenda.invitation(moderator.join_names(recorder.debate, missing), question)
            intervene(recorder, recorder.debate.threads[step.thread.id], agenda.ASKS, text, to=missing, invites=True)


def update_coalitions(recorder: Recorder) -> None:
    """Who stands with whom, told whenever it changes."""
    found = allies.detect_coalitions(recorder.debate, recorder.now_ms)
    known = recorder.debate.coalitions
    if found is None or (known is None and not found.groups):
        return
    if known is None or (found.groups, found.cruxes) != (known.groups, known.cruxes):
        recorder.write(found)
