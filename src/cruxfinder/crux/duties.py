"""What each agent owes now, most urgent first. That is what makes a lock converge instead of hoping."""

from collections.abc import Mapping
from types import MappingProxyType

from cruxfinder.crux.asks import Duty
from cruxfinder.crux.law import lock, steelman, threads
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.frozen_copies import cache_on_value
from cruxfinder.kernel.vocabulary import MODERATOR, AgentId, Grade, MoveKind, Stage

STRICT = "Nearly every first steelman passed so far: grade this one strictly."

Owed = Mapping[AgentId, tuple[Duty, ...]]


_NOTHING: Owed = MappingProxyType({})


def open_duties(debate: Debate, thread: Thread) -> Owed:
    """Grades first, then commitments, then falsifiers, then steelmans."""
    if thread.stage is Stage.DISCOVERY or thread.over:
        return _NOTHING
    return find_duties(thread, threads.members(debate, thread), lock.STEELMANNED not in debate.settings.off)


@cache_on_value
def find_duties(thread: Thread, expected: tuple[AgentId, ...], steelmans: bool) -> Owed:
    found: dict[AgentId, list[Duty]] = {}
    for agent, duty in grade_duties(thread):
        found.setdefault(agent, []).append(duty)
    if thread.stage is Stage.CRUX_LOCK:
        waiting = [a for a in expected if a not in thread.commitments or a in thread.recommit]
        waiting = [a for a in waiting if a not in thread.excused]
        for agent in waiting:
            found.setdefault(agent, []).append(commitment_duty(thread, agent))
        for agent in lock.agents_without_falsifier(thread):
            found.setdefault(agent, []).append(falsifier_duty(thread, agent))
        if not waiting and steelmans:
            for author, target in steelman.missing_pairs(thread):
                if steelman.open_try(thread, author, target) is None:
                    found.setdefault(author, []).append(steelman_duty(thread, author, target))
    return {a: tuple(duties) for a, duties in found.items() if a not in thread.excused and a != MODERATOR}


def grade_duties(thread: Thread) -> list[tuple[AgentId, Duty]]:
    note = STRICT if steelman.is_grading_lenient(thread) else ""
    found: list[tuple[AgentId, Duty]] = []
    for author, target in thread.tries:
        attempt = steelman.open_try(thread, author, target)
        if attempt is not None:
            duty = Duty(
                move=MoveKind.GRADE_STEELMAN,
                thread=thread.id,
                about=author,
                message=attempt.message,
                since_ms=max(attempt.at_ms, attempt.graded_ms),
                note=note,
            )
            found.append((steelman.grader(thread, attempt), duty))
    return found


def commitment_duty(thread: Thread, agent: AgentId) -> Duty:
    asked = [i.at_ms for i in thread.interventions if agent in i.to]
    return Duty(
        move=MoveKind.COMMIT_POSITION,
        thread=thread.id,
        since_ms=max([thread.stage_ms, *asked]),
        note="commit anew: the moderator put the question again" if agent in thread.recommit else "",
    )


def falsifier_duty(thread: Thread, agent: AgentId) -> Duty:
    drafted = thread.drafted.get(agent)
    note = "" if drafted is None else f"drafted: {drafted.metric} | {drafted.threshold} | {drafted.deadline}"
    since = thread.commitments[agent].at_ms
    return Duty(move=MoveKind.DECLARE_FALSIFIER, thread=thread.id, since_ms=since, note=note)


def steelman_duty(thread: Thread, author: AgentId, target: AgentId) -> Duty:
    tries = thread.tries.get((author, target), ())
    corrected = tries[-1].missing if tries and tries[-1].grade is not Grade.PENDING else ""
    last_commitment = max(c.at_ms for c in thread.commitments.values())
    return Duty(
        move=MoveKind.STEELMAN,
        thread=thread.id,
        about=target,
        since_ms=max(last_commitment, thread.excused_ms, tries[-1].graded_ms if tries else 0),
        note=corrected,
    )
