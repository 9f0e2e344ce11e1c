"""Which moves a stage allows (STAGE-1), its budget (STAGE-2), and when it may be left (STAGE-3, STAGE-5)."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.crux.law import steelman
from cruxfinder.crux.moves import (
    Draft,
    ProvideEvidence,
)
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import ADVOCATE, MODERATOR, AgentId, MoveKind, RuleId, Stage

MOVES: Final = RuleId("STAGE-1")
BUDGET: Final = RuleId("STAGE-2")

ALLOWED: Final = {
    Stage.DISCOVERY: (
        MoveKind.CLAIM,
        MoveKind.CHALLENGE,
        MoveKind.CLARIFY,
        MoveKind.REFRAME,
        MoveKind.PROPOSE_CRUX,
    ),
    Stage.CRUX_LOCK: (
        MoveKind.STEELMAN,
        MoveKind.GRADE_STEELMAN,
        MoveKind.COMMIT_POSITION,
        MoveKind.DECLARE_FALSIFIER,
        MoveKind.CLARIFY,
    ),
    Stage.EVIDENCE: (
        MoveKind.PROVIDE_EVIDENCE,
        MoveKind.CHALLENGE_EVIDENCE,
        MoveKind.UPDATE_POSITION,
        MoveKind.CONCEDE,
        MoveKind.PROPOSE_CRUX,
        MoveKind.STEELMAN,
        MoveKind.GRADE_STEELMAN,
    ),
}
RANGE: Final = {Stage.DISCOVERY: (6, 10), Stage.CRUX_LOCK: (6, 8), Stage.EVIDENCE: (12, 16)}
UNBOUNDED: Final = 1_000_000
SETTLED: Final = 3  # messages without a new candidate
SETTLED_CANDIDATES: Final = 2  # fewer are not worth stopping for before the max
CANDIDATES_MAX: Final = 5
NAMED_AGAIN_MAX: Final = 3  # more, where discovery is tried once more
NAMED_AGAIN_MESSAGES: Final = 6
CALM: Final = 5  # messages without a change of side or unanswered evidence
REMEDIES: Final = (MoveKind.STEELMAN, MoveKind.GRADE_STEELMAN)


def check(debate: Debate, thread: Thread, agent: AgentId, draft: Draft) -> Iterator[Refusal]:
    allowed = ALLOWED[thread.stage]
    if draft.move.kind not in allowed:
        yield Refusal(
            rule=MOVES,
            reason=f"{draft.move.kind} is not a {thread.stage} move",
            remedy=f"use one of: {', '.join(allowed)}",
        )


def check_budget(debate: Debate, thread: Thread, agent: AgentId, draft: Draft) -> Iterator[Refusal]:
    if counts_towards_budget(thread, agent, draft.move.kind) and messages_left(debate, thread) <= 0:
        yield Refusal(
            rule=BUDGET,
            reason=f"{thread.stage} has had its {messages_max(debate, thread)} messages",
            remedy="wait for the next stage",
        )


def counts_towards_budget(thread: Thread, agent: AgentId, move: MoveKind) -> bool:
    """Does a message count towards the budget of its stage?"""
    if agent == MODERATOR:
        return False
    if thread.stage is Stage.EVIDENCE and move in REMEDIES:
        return False
    return move is not MoveKind.CLARIFY or agent in thread.clarified


def messages_max(debate: Debate, thread: Thread) -> int:
    """The stage's max, with what lock extensions granted."""
    if BUDGET in debate.settings.off or (debate.settings.lifted and thread.stage is Stage.EVIDENCE):
        return UNBOUNDED
    if thread.stage is Stage.DISCOVERY and thread.second_look is not None:
        return thread.second_look.messages + NAMED_AGAIN_MESSAGES
    if thread.stage is not Stage.CRUX_LOCK:
        return RANGE[thread.stage][1]
    return lock_messages_max(thread) + thread.granted


def lock_messages_max(thread: Thread) -> int:
    committed = len(thread.commitments)
    if committed <= 2:
        return RANGE[Stage.CRUX_LOCK][1]
    return max(RANGE[Stage.CRUX_LOCK][1], committed + 3 * len(steelman.required_pairs(thread)) + 2)


def messages_left(debate: Debate, thread: Thread) -> int:
    return messages_max(debate, thread) - thread.counted


def discovery_over(debate: Debate, thread: Thread) -> bool:
    """From the min on once the candidates are settled, at the max in any case."""
    if thread.stage is not Stage.DISCOVERY:
        return False
    if thread.stale or thread.counted >= messages_max(debate, thread):
        return True
    if thread.second_look is not None:
        return len(thread.candidates) >= candidates_max(thread)
    if thread.counted >= RANGE[Stage.DISCOVERY][1]:  # also where an ablation lifts the budget
        return True
    if thread.counted < RANGE[Stage.DISCOVERY][0] or not ready_for_lock(thread):
        return False
    recent = [m for m in thread.stage_messages if m.counted][-SETTLED:]
    quiet = {c.message for c in thread.candidates}.isdisjoint(m.id for m in recent)  # of new questions
    enough = SETTLED_CANDIDATES if thread.parent is None else 1  # a spawned thread began with its question
    return len(thread.candidates) >= (enough if quiet else CANDIDATES_MAX)


def candidates_max(thread: Thread) -> int:
    return CANDIDATES_MAX + (NAMED_AGAIN_MAX if thread.second_look is not None else 0)


def ready_for_lock(thread: Thread) -> bool:
    """A candidate question, and two participants who spoke."""
    return bool(thread.candidates) and len(thread.speakers - {ADVOCATE}) >= 2


def evidence_over(debate: Debate, thread: Thread) -> bool:
    """Stable from the min on, or at the max, or once nobody has anything more to say."""
    if thread.stage is not Stage.EVIDENCE or debate.settings.lifted:
        return False
    least, most_ = RANGE[Stage.EVIDENCE]
    if thread.counted >= most_ or thread.stale:
        return True
    return thread.counted >= least and is_stable(thread)


def is_stable(thread: Thread) -> bool:
    recent = tuple(m for m in thread.stage_messages if m.thread == thread.id)[-CALM:]
    if len(recent) < CALM or thread.side_changed_at >= len(thread.messages) - CALM:
        return False
    return all(m.id in thread.answered for m in recent if isinstance(m.move, ProvideEvidence))
