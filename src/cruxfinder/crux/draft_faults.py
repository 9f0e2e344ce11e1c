"""What stands against a draft, in the order of the law, and what is let pass with a flag."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.crux.commands import Say
from cruxfinder.crux.law import (
    candidates,
    concessions,
    evidence,
    falsifiers,
    flood,
    horizons,
    message_redundancy,
    messages,
    proposed_questions,
    stages,
    steelman,
)
from cruxfinder.crux.private_questions import is_waiting
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import RuleId
from cruxfinder.language import plain_speech

CHECKS: Final = (
    (stages.check, stages.check_budget, messages.check),
    (steelman.check, steelman.check_grade, steelman.check_cheap),
    (horizons.check, evidence.check, concessions.check),
)
ATTEMPTS_MAX: Final = 3  # a draft and two revisions


def draft_faults(debate: Debate, thread: Thread, say: Say) -> Iterator[Refusal]:
    """What stands against a draft by itself, in the order of the law."""
    form, representing, bearing = (
        [r for c in checks for r in c(debate, thread, say.agent, say.draft)] for checks in CHECKS
    )
    yield from form
    yield from plain_speech.check(say.reading)
    yield from representing
    yield from falsifiers.check(debate, say.draft, say.reading)
    yield from candidates.check(debate, thread, say.agent, say.draft, say.reading)
    yield from proposed_questions.check(debate, thread, say.agent, say.draft, say.reading)
    yield from bearing


def refusals(debate: Debate, thread: Thread, say: Say) -> tuple[Refusal, ...]:
    """Every rule that says no, those an ablation left out aside."""
    if thread.over or is_waiting(debate, thread):
        remedy = f"go on in {thread.merged_into}" if thread.merged_into else "wait for the next stage"
        over = Refusal(rule=stages.BUDGET, reason=f"{thread.stage} is over", remedy=remedy)
        return (over,)
    found = [*draft_faults(debate, thread, say)]
    found += flood.check_replies(thread, say.draft, say.duty)
    if say.duty is None:
        found += message_redundancy.check(debate, thread, say.agent, say.draft, say.reading)
    return tuple(r for r in found if r.rule not in debate.settings.off)


def waived_rules(found: tuple[Refusal, ...], attempt: int) -> tuple[RuleId, ...]:
    """The rules against a last draft that is taken all the same, and flagged: it only goes in message_redundancy."""
    rules = tuple(dict.fromkeys(r.rule for r in found))
    return rules if attempt >= ATTEMPTS_MAX and message_redundancy.WORDING.issuperset(rules) else ()
