"""What follows by itself in a thread once something was said: stages, locks, the moderator, the crux."""

from typing import Final

from cruxfinder.crux.branches import promote, propose_leftovers, split, update_coalitions
from cruxfinder.crux.debate_recorder import Recorder
from cruxfinder.crux.duties import open_duties
from cruxfinder.crux.events import (
    CruxExtracted,
    DcgCalculated,
    LockAttempted,
    LockFailed,
    LockSucceeded,
    StageTransition,
    SteelmanGraded,
    ThreadConverged,
    ThreadFailed,
    ThreadStale,
)
from cruxfinder.crux.interventions import intervene
from cruxfinder.crux.law import (
    candidates,
    crux_quality,
    horizons,
    lock,
    moderator,
    probes,
    several_facts,
    steelman,
    threads,
    verdict,
)
from cruxfinder.crux.private_questions import due_in_thread, is_closing, is_weighing
from cruxfinder.crux.thread import SteelmanTry, Thread, find_candidate
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import (
    ADVOCATE,
    MODERATOR,
    CandidateId,
    Grade,
    Phase,
    RuleId,
    Stage,
    ThreadId,
    Verdict,
)

STEPS_MAX: Final = 8  # transitions that can follow one another without a message in between


def advance_thread(recorder: Recorder, id: ThreadId) -> None:
    """Take every step that is ready."""
    for _ in range(STEPS_MAX):
        before = recorder.event_count
        here = recorder.debate.threads[id]
        if here.over:
            return
        match here.stage:
            case Stage.DISCOVERY:
                advance_discovery(recorder, here)
            case Stage.CRUX_LOCK:
                advance_lock(recorder, here)
            case Stage.EVIDENCE:
                advance_evidence(recorder, here)
        if recorder.event_count == before:
            return


def advance_discovery(recorder: Recorder, thread: Thread) -> None:
    asked = moderator.frame_question(recorder.debate, thread) if moderator.must_frame(recorder.debate, thread) else None
    if asked is not None:
        intervene(
            recorder,
            thread,
            moderator.FRAME,
            moderator.framing_text(asked),
            question=asked.question,
            yes_means=asked.yes_means,
            no_means=asked.no_means,
        )
    elif is_weighing(recorder.debate, thread):
        if due_in_thread(recorder.debate, thread) is None:
            (choose if Phase.BEFORE in thread.figures else weigh)(recorder, thread)
    elif thread.stale:
        recorder.write(ThreadStale(at_ms=recorder.now_ms, thread=thread.id, stage=thread.stage, ended=True))
    elif candidates.nobody_disputes(recorder.debate, thread):
        intervene(recorder, thread, candidates.IN_SIGHT, moderator.advocate_text(), joined=ADVOCATE)
    elif moderator.is_orbiting(recorder.debate, thread):
        intervene(recorder, thread, moderator.ORBIT, moderator.orbit_text(thread))
    elif moderator.is_adrift(recorder.debate, thread):
        align(recorder, thread, moderator.ADRIFT)


def weigh(recorder: Recorder, thread: Thread) -> None:
    """All first answers are in: draw the figures, and end here if there is nothing to lock."""
    figures = candidates.calculate_figures(recorder.debate, thread, Phase.BEFORE, recorder.now_ms)
    recorder.write(figures)
    reached = verdict.without_gap(recorder.debate, recorder.debate.threads[thread.id])
    if reached is not None:
        recorder.write(
            ThreadConverged(at_ms=recorder.now_ms, thread=thread.id, verdict=reached.verdict, why=reached.why)
        )


def choose(recorder: Recorder, thread: Thread) -> None:
    """All private answers are in: lock the best question, or say why there is none."""
    none = verdict.without_single_question(recorder.debate, thread)
    several = none is not None and none.verdict is Verdict.SEVERAL_FACTS
    if not several and several_facts.should_look_again(recorder.debate, thread):
        to = threads.members(recorder.debate, thread)
        intervene(recorder, thread, several_facts.SEVERAL, several_facts.LOOK_AGAIN, to=to, looks_again=True)
    elif none is None:
        choose_best(recorder, thread)
    else:
        recorder.write(ThreadConverged(at_ms=recorder.now_ms, thread=thread.id, verdict=none.verdict, why=none.why))


def choose_best(recorder: Recorder, thread: Thread) -> None:
    figures = thread.figures[Phase.BEFORE].figures
    leading = candidates.leading_candidate(thread, figures)
    best = next(f for f in figures if f.candidate == leading)
    asked = find_candidate(thread, leading)
    assert asked is not None, "figures name candidates of the thread"
    reached = verdict.after_wording(recorder.debate, thread)
    choice = candidates.choose(thread, figures)
    if reached is None and choice.lock is None:
        why = f"{verdict.explain(best, asked.question)}, but all stand on one side of it"
        reached = verdict.ReasonedVerdict(verdict=Verdict.PARTIAL, why=why)
    if reached is not None:
        recorder.write(
            ThreadConverged(at_ms=recorder.now_ms, thread=thread.id, verdict=reached.verdict, why=reached.why)
        )
        return
    assert choice.lock is not None
    if horizons.differ(recorder.debate, thread):
        parts = horizons.split(recorder.debate, thread, recorder.now_ms)
        if parts is None or not all(
            candidates.divides(thread, choice.lock, part) for part in (parts.sooner, parts.later)
        ):
            align(recorder, thread, horizons.ALIGN)
        else:
            split(recorder, thread, choice.lock, parts)
    enter(recorder, thread, Stage.CRUX_LOCK, choice.lock)
    propose_leftovers(recorder, recorder.debate.threads[thread.id], choice.lock)
    promote(recorder)


def align(recorder: Recorder, thread: Thread, cause: RuleId) -> None:
    """Everybody speaks of the span most spoke of."""
    held = horizons.stated_horizons(recorder.debate, thread)
    at = horizons.most_common_horizon(list(held.values())) if held else None
    text = moderator.ASK_SPAN if at is None else horizons.alignment_text(held, at)
    intervene(recorder, thread, cause, text, to=threads.members(recorder.debate, thread), horizon=at)


def enter(recorder: Recorder, thread: Thread, stage: Stage, question: CandidateId) -> None:
    recorder.write(
        StageTransition(at_ms=recorder.now_ms, thread=thread.id, left=thread.stage, entered=stage, candidate=question)
    )


def advance_lock(recorder: Recorder, thread: Thread) -> None:
    attempt = next((t for t in open_tries(thread) if steelman.grader(thread, t) == MODERATOR), None)
    if attempt is not None:
        grade(recorder, thread, attempt)
        return
    if next(lock.failures(recorder.debate, thread), None) is None:
        record_lock(recorder, thread)
        return
    lacking = moderator.agents_to_ask_for_falsifiers(recorder.debate, thread)
    if lacking:
        text = moderator.falsifier_text(recorder.debate, lacking)
        intervene(recorder, thread, moderator.ASK_FALSIFIERS, text, to=lacking)
        return
    duties = tuple(duty for owing in open_duties(recorder.debate, thread).values() for duty in owing)
    if lock.counts_as_try(recorder.debate, thread, duties):
        fail(recorder, thread, tuple(lock.failures(recorder.debate, thread)))


def open_tries(thread: Thread) -> list[SteelmanTry]:
    found = (steelman.open_try(thread, author, target) for author, target in thread.tries)
    return [attempt for attempt in found if attempt is not None]


def grade(recorder: Recorder, thread: Thread, attempt: SteelmanTry) -> None:
    """The moderator grades a contested steelman by the measure that guards ACCURATE grades."""
    share = attempt.carried
    accurate = share >= steelman.OVERLAP_MIN
    own = thread.commitments.get(attempt.target)
    missing = "" if accurate or own is None else f"{own.statement}, because {own.reason}"
    verdict_ = "I take it as accurate." if accurate else "It is not there yet."
    said = f"Three tries are enough: that steelman carries {share:.0%} of the recorded position. {verdict_}"
    message = intervene(recorder, thread, steelman.GRADER, said, to=(attempt.author,))
    recorder.write(
        SteelmanGraded(
            at_ms=recorder.now_ms,
            thread=thread.id,
            message=message,
            steelman=attempt.message,
            grade=Grade.ACCURATE if accurate else Grade.INCOMPLETE,
            by=MODERATOR,
            missing=missing,
        )
    )


def record_lock(recorder: Recorder, thread: Thread) -> None:
    assert thread.crux is not None, "a locking thread has its question"
    recorder.write(LockAttempted(at_ms=recorder.now_ms, thread=thread.id, attempt=thread.lock_failures + 1))
    recorder.write(LockSucceeded(at_ms=recorder.now_ms, thread=thread.id, candidate=thread.crux))
    recorder.write(committed_figures(recorder, thread, thread.crux))
    enter(recorder, thread, Stage.EVIDENCE, thread.crux)


def committed_figures(recorder: Recorder, thread: Thread, question: CandidateId) -> DcgCalculated:
    """The locked question's numbers with sides and confidences as committed."""
    before = thread.figures[Phase.BEFORE]
    given = probes.readings(thread, Phase.BEFORE)
    camps = probes.camps(recorder.debate.firsts)
    present = {a: c for a, c in thread.commitments.items() if a not in thread.excused}
    row = crux_quality.figures(question, given, camps, recorder.debate.agents, present)
    return DcgCalculated(
        at_ms=recorder.now_ms,
        thread=thread.id,
        phase=Phase.LOCKED,
        gap=before.gap,
        noise=before.noise,
        figures=(row,),
    )


def fail(recorder: Recorder, thread: Thread, missing: tuple[Refusal, ...]) -> None:
    """One rung up: ask for what is missing, put the question anew, draft falsifiers, give up."""
    attempt = thread.lock_failures + 1
    lost = lock.is_last_failure(thread)
    one_sided = any(m.rule in (lock.COMMITTED, lock.TWO_SIDES) for m in missing)
    present = tuple(a for a in threads.members(recorder.debate, thread) if a not in thread.excused)
    granted = 0 if lost else lock.extension_messages(missing, len(present) if one_sided else 0)
    recorder.write(LockAttempted(at_ms=recorder.now_ms, thread=thread.id, attempt=attempt))
    recorder.write(
        LockFailed(at_ms=recorder.now_ms, thread=thread.id, attempt=attempt, missing=missing, granted=granted)
    )
    if lost:
        recorder.write(ThreadFailed(at_ms=recorder.now_ms, thread=thread.id, missing=missing))
        promote(recorder)
        return
    question = find_candidate(thread, thread.crux)
    assert question is not None, "a locking thread has its question"
    drafted = tuple((a, moderator.draft_falsifier(thread, a)) for a in lock.agents_without_falsifier(thread))
    intervene(
        recorder,
        thread,
        lock.RUNGS,
        moderator.rung_text(question, missing, attempt),
        to=present,
        recommit=one_sided,
        drafted=drafted if attempt == lock.DRAFT_AT else (),
    )


def advance_evidence(recorder: Recorder, thread: Thread) -> None:
    attempt = next((t for t in open_tries(thread) if steelman.grader(thread, t) == MODERATOR), None)
    if attempt is not None:
        grade(recorder, thread, attempt)
    elif is_closing(recorder.debate, thread) and due_in_thread(recorder.debate, thread) is None:
        recorder.write(candidates.calculate_figures(recorder.debate, thread, Phase.AFTER, recorder.now_ms))
        extract(recorder, thread.id)
    elif not is_closing(recorder.debate, thread) and moderator.is_orbiting(recorder.debate, thread):
        intervene(recorder, thread, moderator.ORBIT, moderator.orbit_text(thread))


def extract(recorder: Recorder, id: ThreadId) -> None:
    """Publish the crux as it stands, with every reason it is not validated."""
    here = recorder.debate.threads[id]
    assert here.crux is not None, "only a locked thread has a crux"
    failures = tuple(crux_quality.failures(recorder.debate, here))
    recorder.write(
        CruxExtracted(
            at_ms=recorder.now_ms,
            thread=id,
            candidate=here.crux,
            version=1 if here.extracted is None else here.extracted.version + 1,
            validated=not failures,
            failures=failures,
        )
    )


def converge(recorder: Recorder, id: ThreadId) -> None:
    reached = verdict.final_verdict(recorder.debate, recorder.debate.threads[id])
    recorder.write(ThreadConverged(at_ms=recorder.now_ms, thread=id, verdict=reached.verdict, why=reached.why))
    promote(recorder)
    update_coalitions(recorder)
