"""How a debate branches: proposals, threads opened, split, merged and opened anew, the agenda, the coalitions."""

from cruxfinder.crux.debate_recorder import Recorder
from cruxfinder.crux.events import CruxPromoted, ThreadCreated, ThreadMerged, ThreadProposed
from cruxfinder.crux.interventions import intervene
from cruxfinder.crux.law import agenda, allies, candidates, crux_quality, horizons, moderator, stages, threads
from cruxfinder.crux.thread import Thread, find_candidate
from cruxfinder.kernel.vocabulary import AgentId, CandidateId, MessageId, Phase, Stage, ThreadId, Trigger
from cruxfinder.language.reading import DraftReading


def record_proposals(pen: Recorder, id: ThreadId, message: MessageId, reading: DraftReading) -> None:
    """What a message proposes, and which proposals it takes up."""
    here = pen.debate.threads[id]
    if here.stage is Stage.CRUX_LOCK:
        return
    said = here.messages[-1]
    assert said.id == message, "proposals are read off the message just said"
    for told in threads.renewed_proposals(pen.debate, said, reading):
        pen.write(told)
    new = threads.propose_from_message(pen.debate, here, said, reading)
    if new is not None:
        pen.write(new)
    if threads.is_stuck(here):
        unstick(pen, here)


def unstick(pen: Recorder, thread: Thread) -> None:
    """A long thread without convergence: put up the best question it left behind that two have spoken for."""
    before = thread.figures.get(Phase.BEFORE)
    for figure in () if before is None else before.figures:
        asked = find_candidate(thread, figure.candidate)
        if asked is None or asked.id == thread.crux or not crux_quality.explains_enough(figure):
            continue
        if threads.find_proposal(pen.debate, threads.words_as(asked.question)) is None:
            told = threads.propose_unlocked_candidate(pen.debate, thread, asked, figure.rank, Trigger.STUCK, pen.now_ms)
            if told is not None:
                pen.write(told)
                return


def propose_leftovers(pen: Recorder, thread: Thread, locked: CandidateId) -> None:
    """What was weighed and not locked, or spoken of and never asked, may go on in a thread of its own."""
    for figure in thread.figures[Phase.BEFORE].figures:
        asked = find_candidate(thread, figure.candidate)
        if asked is None or figure.candidate == locked or not crux_quality.explains_enough(figure):
            continue
        if len(candidates.sides(thread, asked.id)) == 2:
            three = candidates.is_three_way(pen.debate, thread, locked, asked.id)
            trigger = Trigger.THREE_WAY if three else Trigger.FRAMING
            told = threads.propose_unlocked_candidate(pen.debate, thread, asked, figure.rank, trigger, pen.now_ms)
            if told is not None:
                pen.write(told)
    while (told := threads.propose_shared_keyword(pen.debate, thread, pen.now_ms)) is not None:
        pen.write(told)


def open_thread(pen: Recorder, told: ThreadProposed, distances: tuple[tuple[ThreadId, float], ...]) -> None:
    """A proposal gets its thread, unless it asks what an active thread asks already."""
    nearest = min(((d, id) for id, d in distances if not pen.debate.threads[id].over), default=None)
    if nearest is not None and nearest[0] < threads.APART and threads.MERGE not in pen.debate.settings.off:
        into = pen.debate.threads[nearest[1]]
        pen.write(
            ThreadMerged(
                at_ms=pen.now_ms,
                into=into.id,
                proposal=told.proposal,
                distance=round(nearest[0], 4),
                adds=has_room_for_candidate(into),
            )
        )
        return
    pen.write(
        ThreadCreated(
            at_ms=pen.now_ms,
            thread=next_thread(pen),
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
            members=initial_members(pen, told),
        )
    )


def initial_members(pen: Recorder, told: ThreadProposed) -> tuple[AgentId, ...]:
    """Those who took it up; all of its parent's, where a rule split the disagreement."""
    if told.trigger in threads.RULED:
        return threads.members(pen.debate, pen.debate.threads[told.thread])
    return told.supporters


def has_room_for_candidate(thread: Thread) -> bool:
    return thread.stage is Stage.DISCOVERY and len(thread.candidates) < stages.CANDIDATES_MAX


def next_thread(pen: Recorder) -> ThreadId:
    return ThreadId(f"t{len(pen.debate.threads) + 1}")


def split(pen: Recorder, thread: Thread, question: CandidateId, parts: horizons.Split) -> None:
    """Those who think in longer spans get a thread of their own for the same question."""
    asked = find_candidate(thread, question)
    assert asked is not None, "a question of this thread is locked"
    text = horizons.split_text(parts)
    stay = tuple(a for a in threads.members(pen.debate, thread) if a not in parts.later)
    intervene(pen, thread, horizons.ALIGN, text, to=stay, horizon=parts.sooner_at, keeps=stay)
    pen.write(
        ThreadCreated(
            at_ms=pen.now_ms,
            thread=next_thread(pen),
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


def merge(pen: Recorder, source: Thread, target: Thread, distance: float) -> None:
    adds = target.stage is Stage.DISCOVERY
    adds = adds and len(target.candidates) + len(source.candidates) <= stages.CANDIDATES_MAX
    pen.write(ThreadMerged(at_ms=pen.now_ms, into=target.id, thread=source.id, distance=round(distance, 4), adds=adds))
    promote(pen)


def reopen(pen: Recorder) -> None:
    if threads.openable_proposals(pen.debate, pen.now_ms):
        return
    again = agenda.reopening(pen.debate, pen.now_ms)
    if again is not None:
        pen.write(
            ThreadCreated(
                at_ms=pen.now_ms,
                thread=next_thread(pen),
                topic=again.question.question,
                parent=again.thread.id,
                trigger=Trigger.REOPENED,
                question=again.question.question,
                yes_means=again.question.yes_means,
                no_means=again.question.no_means,
                by=again.question.by,
                message=again.question.message,
                members=pen.debate.agents,
            )
        )


def promote(pen: Recorder) -> None:
    """Bring the agenda up to date, and ask everybody for a side on what is new on it."""
    for step in agenda.promotions(pen.debate):
        assert step.thread.crux is not None, "a dispute has its question"
        pen.write(
            CruxPromoted(
                at_ms=pen.now_ms,
                thread=step.thread.id,
                candidate=step.thread.crux,
                rank=step.rank,
                replaces=step.replaces,
            )
        )
        missing = agenda.agents_to_invite(pen.debate, step.thread)
        if missing and step.thread.stage is Stage.CRUX_LOCK:
            question = threads.question_of(step.thread)
            text = agenda.invitation(moderator.join_names(pen.debate, missing), question)
            intervene(pen, pen.debate.threads[step.thread.id], agenda.ASKS, text, to=missing, invites=True)


def update_coalitions(pen: Recorder) -> None:
    """Who stands with whom, told whenever it changes."""
    found = allies.detect_coalitions(pen.debate, pen.now_ms)
    known = pen.debate.coalitions
    if found is None or (known is None and not found.groups):
        return
    if known is None or (found.groups, found.cruxes) != (known.groups, known.cruxes):
        pen.write(found)
