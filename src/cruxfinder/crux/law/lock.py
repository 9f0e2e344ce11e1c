"""When a question is locked, the only way into EVIDENCE (STAGE-4), and what happens each time it is not. SPEC §4."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.crux.asks import Duty
from cruxfinder.crux.law import stages, steelman
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import name_of
from cruxfinder.kernel.vocabulary import AgentId, RuleId, Side, Stage

COMMITTED: Final = RuleId("LOCK-1")
TWO_SIDES: Final = RuleId("LOCK-2")
STEELMANNED: Final = RuleId("LOCK-3")
FALSIFIABLE: Final = RuleId("LOCK-4")
RUNGS: Final = RuleId("LOCK-6")
EXCUSED: Final = RuleId("LOCK-7")

FAILURES_MAX: Final = 4
REFRAME_AT: Final = 2
DRAFT_AT: Final = 3
GRANT_MIN: Final = 4


def failures(debate: Debate, thread: Thread) -> Iterator[Refusal]:
    """Yield every reason the crux cannot lock yet; nothing yielded means it locks."""
    off = debate.settings.off
    committed = [a for a in thread.commitments if a not in thread.excused]
    if len(committed) < 2 and COMMITTED not in off:
        yield Refusal(
            rule=COMMITTED,
            reason=f"{len(committed)} committed, two are needed",
            remedy="commit to YES, NO or UNCERTAIN",
        )
    if TWO_SIDES not in off and not all(steelman.agents_on_side(thread, s) for s in (Side.YES, Side.NO)):
        yield Refusal(rule=TWO_SIDES, reason="the question has only one side", remedy="commit to YES and to NO")
    if STEELMANNED not in off:
        for author, target in steelman.missing_pairs(thread):
            yield Refusal(
                rule=STEELMANNED,
                reason=f"{name_of(debate, author)} has no accurate steelman of {name_of(debate, target)}",
                remedy=f"{name_of(debate, author)} steelmans {name_of(debate, target)}",
            )
    if FALSIFIABLE not in off:
        for agent in agents_without_falsifier(thread):
            yield Refusal(
                rule=FALSIFIABLE,
                reason=f"{name_of(debate, agent)} has no accepted falsifier",
                remedy=f"{name_of(debate, agent)} says what would change their mind, by how much and by when",
            )


def agents_without_falsifier(thread: Thread) -> tuple[AgentId, ...]:
    """Agents committed to YES or NO without an accepted falsifier."""
    firm = (*steelman.agents_on_side(thread, Side.YES), *steelman.agents_on_side(thread, Side.NO))
    return tuple(a for a in firm if not thread.falsifiers.get(a))


def counts_as_try(debate: Debate, thread: Thread, owed: tuple[Duty, ...]) -> bool:
    """LOCK-5: a failed try counts at the stage's max, at the end of each extension, and when nobody owes anything."""
    return stages.messages_left(debate, thread) <= 0 or not owed


def extension_messages(missing: tuple[Refusal, ...], anew: int) -> int:
    """What an extension gives: two messages a steelman, one for anything else (a commitment made anew, too), four
    at least."""
    return max(GRANT_MIN, anew + sum(2 if m.rule == STEELMANNED else 1 for m in missing))


def is_last_failure(thread: Thread) -> bool:
    return thread.lock_failures + 1 >= FAILURES_MAX


def is_silent_too_long(debate: Debate, thread: Thread, duty: Duty, agent: AgentId, now_ms: int) -> bool:
    """Has an agent owed something in silence for too long? Then it is excused and counts as UNCERTAIN."""
    if EXCUSED in debate.settings.off or thread.stage is not Stage.CRUX_LOCK:
        return False
    since = max(duty.since_ms, debate.spoke_ms.get(agent, 0), debate.ready_ms.get(agent, 0), thread.stage_ms)
    return now_ms - since >= debate.settings.silence_ms
