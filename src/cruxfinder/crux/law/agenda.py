"""Which disputes everybody should attend to. SPEC §12: AGE-1 the two ranked highest, AGE-2 what it asks, AGE-3 ties."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cruxfinder.crux.law import candidates, crux_quality, probes, threads
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Candidate, Thread, find_candidate
from cruxfinder.kernel.frozen_copies import cache_on_value
from cruxfinder.kernel.vocabulary import AgentId, Phase, RuleId, Side, Stage, ThreadId, Trigger, Verdict
from cruxfinder.language.english.texts import same_question

DISPUTES: Final = RuleId("AGE-1")
ASKS: Final = RuleId("AGE-2")

DISPUTES_MAX: Final = 2
TIE: Final = 0.05
SETTLED: Final = frozenset(
    {
        *(Verdict.CRUX, Verdict.PARTIAL, Verdict.RESOLVED, Verdict.HOLLOW),
        *(Verdict.DEFINITIONS, Verdict.HORIZON, Verdict.NO_DISAGREEMENT, Verdict.SEVERAL_FACTS),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion:
    thread: Thread
    rank: float
    replaces: ThreadId | None


def rank(thread: Thread) -> float:
    """The rank of the question a thread is about to lock, or has locked."""
    figured = thread.figures.get(Phase.LOCKED, thread.figures.get(Phase.BEFORE))
    rows = () if figured is None else figured.figures
    return next((f.rank for f in rows if f.candidate == thread.crux), 0.0)


@cache_on_value
def disputes(debate: Debate) -> tuple[Thread, ...]:
    """The questions chosen in threads still open, best rank first, at most two."""
    open_ = [t for t in debate.active if t.stage is not Stage.DISCOVERY and t.crux is not None]
    return order_disputes(debate, open_)[:DISPUTES_MAX]


def order_disputes(debate: Debate, found: list[Thread]) -> tuple[Thread, ...]:
    """By rank; where ranks lie within .05, fewest clear positions, then varied confidence, then no dependency."""
    by_rank = sorted(found, key=lambda t: (-rank(t), t.id))
    placed: list[Thread] = []
    while by_rank:
        tied = [t for t in by_rank if rank(by_rank[0]) - rank(t) <= TIE]
        by_rank = by_rank[len(tied) :]
        placed += sorted(
            tied,
            key=lambda t: (
                count_clear_positions(t),
                -confidence_variance(t),
                depends_on_unresolved(debate, t),
                -rank(t),
                t.id,
            ),
        )
    return tuple(placed)


def sort_by_rank(found: Iterable[Thread]) -> tuple[Thread, ...]:
    return tuple(sorted(found, key=lambda t: (-rank(t), t.created_ms, t.id)))


def count_clear_positions(thread: Thread) -> int:
    return sum(c.side is not Side.UNCERTAIN for c in thread.commitments.values())


def confidence_variance(thread: Thread) -> float:
    held = [c.confidence for c in thread.commitments.values()]
    middle = probes.mean(held)
    return probes.mean([(c - middle) ** 2 for c in held])


def depends_on_unresolved(debate: Debate, thread: Thread) -> bool:
    """Does an unresolved dispute bear on this one?"""
    bearing = (d for found in debate.related.values() for d in found.dependencies if d.to_crux == thread.id)
    return any(debate.threads[d.from_crux].outcome is not Verdict.RESOLVED for d in bearing)


def promotions(debate: Debate) -> tuple[Promotion, ...]:
    """Who comes onto the agenda now, and for whom. A dispute gives way only to one that ranks clearly higher."""
    if DISPUTES in debate.settings.off:
        return ()
    best = disputes(debate)
    on = active_disputes(debate)
    leaving = sorted((t for t in on if t not in best), key=rank)
    free = DISPUTES_MAX - len(on)
    found: list[Promotion] = []
    for entering in (t for t in best if t not in on):
        if free > 0:
            free -= 1
            found.append(Promotion(thread=entering, rank=rank(entering), replaces=None))
        elif leaving and rank(entering) - rank(leaving[0]) > TIE:
            found.append(Promotion(thread=entering, rank=rank(entering), replaces=leaving.pop(0).id))
    return tuple(found)


def active_disputes(debate: Debate) -> tuple[Thread, ...]:
    """The disputes on the agenda that are still open."""
    return tuple(t for id in debate.agenda if not (t := debate.threads[id]).over)


def agents_to_invite(debate: Debate, thread: Thread) -> tuple[AgentId, ...]:
    """Who has not been asked to take a position on an active dispute."""
    if ASKS in debate.settings.off or thread.only:
        return ()
    taking = threads.members(debate, thread)
    return tuple(a for a in debate.agents if a not in taking)


def invitation(names: str, question: str) -> str:
    return f"{names}: much of the disagreement hangs on this question. Take a side: {question}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reopening:
    thread: Thread
    question: Candidate
    rank: float


def reopening(debate: Debate, now_ms: int) -> Reopening | None:
    """Every thread has stalled: the best question nobody locked gets another chance, once."""
    if ASKS in debate.settings.off or debate.active or not threads.has_room(debate, now_ms):
        return None
    if any(t.outcome in SETTLED for t in debate.threads.values()):
        return None
    asked = [threads.question_of(t) for t in debate.threads.values() if t.trigger is Trigger.REOPENED or t.crux]
    found = [
        Reopening(thread=t, question=c, rank=figure.rank)
        for t in debate.threads.values()
        if Phase.BEFORE in t.figures
        for figure in t.figures[Phase.BEFORE].figures
        if crux_quality.explains_enough(figure) and len(candidates.sides(t, figure.candidate)) == 2
        if (c := find_candidate(t, figure.candidate)) is not None
        if not any(same_question(c.question, other) for other in asked)
    ]
    return max(found, key=lambda r: (r.rank, r.thread.id), default=None)
