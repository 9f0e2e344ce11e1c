"""Who must represent whom, who grades, and what a passed steelman opens. SPEC §3."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.crux.moves import Challenge, ChallengeEvidence, Draft, GradeSteelman, Steelman
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import SteelmanTry, Thread, find_message
from cruxfinder.kernel.frozen_copies import cache_on_value
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import name_of
from cruxfinder.kernel.vocabulary import MODERATOR, AgentId, Grade, RuleId, Side, Stage

FIRST: Final = RuleId("STEEL-1")
GRADER: Final = RuleId("STEEL-2")
NOT_CHEAP: Final = RuleId("STEEL-3")
OWED: Final = RuleId("STEEL-4")

OVERLAP_MIN: Final = 0.3
TRIES_MAX: Final = 3
ALL_UP_TO: Final = 2  # agents a side for which everybody steelmans every opponent
LENIENT_SHARE: Final = 0.9
LENIENT_FIRSTS: Final = 8

Pair = tuple[AgentId, AgentId]


@cache_on_value
def agents_on_side(thread: Thread, side: Side) -> tuple[AgentId, ...]:
    """Agents committed to a side, in the order of their commitments."""
    return tuple(a for a, c in thread.commitments.items() if c.side is side and a not in thread.excused)


@cache_on_value
def required_pairs(thread: Thread) -> tuple[Pair, ...]:
    """Every opposed pair in both directions while sides are small; else one opponent each, spread evenly.

    Who commits late joins by one steelman of the other side, and nobody owes one of them.
    """
    yes, no = agents_on_side(thread, Side.YES), agents_on_side(thread, Side.NO)
    if not (yes and no):
        return ()
    if max(len(yes), len(no)) > ALL_UP_TO:
        return (*assign_opponents(thread, yes, no), *assign_opponents(thread, no, yes))
    early = tuple((y, n) for y in yes for n in no if y not in thread.late and n not in thread.late)
    both_ways = tuple(pair for y, n in early for pair in ((y, n), (n, y)))
    late = [
        pair
        for side, other in ((yes, no), (no, yes))
        for pair in assign_opponents(thread, side, other)
        if pair[0] in thread.late
    ]
    return (*both_ways, *late)


def assign_opponents(thread: Thread, authors: tuple[AgentId, ...], others: tuple[AgentId, ...]) -> Iterator[Pair]:
    """A steelman begun or passed keeps its pair when the sides shift."""
    for place, author in enumerate(authors):
        begun = [o for o in others if (author, o) in thread.tries]
        passed_ = [o for o in begun if has_passed(thread, author, o)]
        early = [o for o in others if o not in thread.late] or others
        yield author, (*passed_, *begun, early[place % len(early)])[0]


def has_passed(thread: Thread, author: AgentId, target: AgentId) -> bool:
    """The last grade counts."""
    tries = thread.tries.get((author, target), ())
    return bool(tries) and tries[-1].grade is Grade.ACCURATE


def missing_pairs(thread: Thread) -> tuple[Pair, ...]:
    return tuple(pair for pair in required_pairs(thread) if not has_passed(thread, *pair))


def pending_try(thread: Thread, author: AgentId, target: AgentId) -> SteelmanTry | None:
    tries = thread.tries.get((author, target), ())
    return tries[-1] if tries and tries[-1].grade is Grade.PENDING else None


def is_contested(thread: Thread, author: AgentId, target: AgentId) -> bool:
    """Three tries and still not accurate: the target no longer has the last word."""
    tries = thread.tries.get((author, target), ())
    return (
        len(tries) >= TRIES_MAX
        and tries[-1].grade is not Grade.ACCURATE
        and (tries[-1].by == target or len(tries) > TRIES_MAX)
    )


def grader(thread: Thread, attempt: SteelmanTry) -> AgentId:
    """The target; once the pair is contested another agent of the target's side, or else the moderator."""
    if not is_contested(thread, attempt.author, attempt.target):
        return attempt.target
    own = thread.commitments.get(attempt.target)
    peers = () if own is None else agents_on_side(thread, own.side)
    return next((p for p in peers if p not in (attempt.target, attempt.author)), MODERATOR)


def open_try(thread: Thread, author: AgentId, target: AgentId) -> SteelmanTry | None:
    """The attempt somebody has to grade now: a pending one, or a contested one its target refused."""
    tries = thread.tries.get((author, target), ())
    if not tries:
        return None
    last = tries[-1]
    regrade = is_contested(thread, author, target) and last.by == target
    return last if last.grade is Grade.PENDING or regrade else None


def recorded_position(thread: Thread, target: AgentId) -> str:
    """What a steelman of somebody has to carry: statement and reason as committed to."""
    own = thread.commitments.get(target)
    return "" if own is None else f"{own.statement} {own.reason}"


def tries_of(thread: Thread, target: AgentId) -> tuple[SteelmanTry, ...]:
    """All steelmans there are of somebody."""
    return tuple(t for (_, of), tries in thread.tries.items() if of == target for t in tries)


def is_grading_lenient(thread: Thread) -> bool:
    """Nearly all of enough first attempts were waved through: the grading brief is tightened."""
    firsts = [tries[0].grade for tries in thread.tries.values() if tries[0].grade is not Grade.PENDING]
    accurate = sum(g is Grade.ACCURATE for g in firsts)
    return len(firsts) >= LENIENT_FIRSTS and accurate > LENIENT_SHARE * len(firsts)


def check(debate: Debate, thread: Thread, agent: AgentId, draft: Draft) -> Iterator[Refusal]:
    """Before a challenge comes an accurate steelman of somebody on the challenged side."""
    move = draft.move
    if thread.stage is Stage.DISCOVERY or not isinstance(move, Challenge | ChallengeEvidence):
        return
    said = find_message(thread, move.target)
    if said is None or said.agent in (agent, MODERATOR):
        return
    side = thread.sides.get(said.agent, Side.UNCERTAIN)
    own = thread.sides.get(agent, Side.UNCERTAIN)
    entry = {side} if own is not Side.UNCERTAIN and side is not Side.UNCERTAIN else {Side.YES, Side.NO}
    if not any(has_passed(thread, agent, other) for other, where in thread.sides.items() if where in entry):
        yield Refusal(
            rule=FIRST,
            reason=f"no accurate steelman yet of anybody on {name_of(debate, said.agent)}'s side",
            remedy=f"steelman {name_of(debate, said.agent)} and have it graded ACCURATE",
        )


def check_grade(debate: Debate, thread: Thread, agent: AgentId, draft: Draft) -> Iterator[Refusal]:
    """Only the target grades (or whoever stands in once the pair is contested)."""
    move = draft.move
    if isinstance(move, Steelman) and pending_try(thread, agent, move.target) is not None:
        yield Refusal(
            rule=GRADER,
            reason=f"your last steelman of {name_of(debate, move.target)} is not graded yet",
            remedy="wait for the grade",
        )
    if not isinstance(move, GradeSteelman):
        return
    attempt = attempt_of(thread, draft)
    if attempt is None:
        yield Refusal(rule=GRADER, reason=f"{move.target} is not an ungraded steelman", remedy="name one that is")
    elif (judge := grader(thread, attempt)) != agent:
        yield Refusal(
            rule=GRADER,
            reason=f"only {name_of(debate, judge)} grades this steelman",
            remedy="leave the grade to them",
        )
    if move.grade is Grade.PENDING:
        yield Refusal(rule=GRADER, reason="PENDING is not a grade", remedy="say ACCURATE, INCOMPLETE or WRONG")


def check_cheap(debate: Debate, thread: Thread, agent: AgentId, draft: Draft) -> Iterator[Refusal]:
    """An ACCURATE grade needs a representation that carries the target's own words."""
    move = draft.move
    if not isinstance(move, GradeSteelman) or move.grade is not Grade.ACCURATE:
        return
    attempt = attempt_of(thread, draft)
    if attempt is not None and (share := attempt.carried) < OVERLAP_MIN:
        yield Refusal(
            rule=NOT_CHEAP,
            reason=f"the steelman carries {share:.0%} of the recorded position, too little for ACCURATE",
            remedy="grade it INCOMPLETE or WRONG and say what is missing",
        )


def attempt_of(thread: Thread, draft: Draft) -> SteelmanTry | None:
    """The open attempt a grade is about."""
    move = draft.move
    if not isinstance(move, GradeSteelman):
        return None
    said = find_message(thread, move.target)
    if said is None or not isinstance(said.move, Steelman):
        return None
    attempt = open_try(thread, said.agent, said.move.target)
    return attempt if attempt is not None and attempt.message == said.id else None
