"""Is a falsifier concrete enough to be wrong? FALS-1 what is refused, FALS-2 how concrete, FALS-3 what is kept.

FALS-5: what can be observed is weighed by its reader, verb by no list, and one sentence is read as well as three parts.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cruxfinder.crux.law import forecasts
from cruxfinder.crux.moves import Commit, DeclareFalsifier, Draft
from cruxfinder.crux.state import Debate
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import RuleId
from cruxfinder.language.reading import OPEN_ENDED, DraftReading, FalsifierReading

VAGUE: Final = RuleId("FALS-1")
PAST: Final = RuleId("FALS-4")
NAMED_MIN: Final = 2  # things a concrete metric names


def faults(falsifier: Falsifier, reading: FalsifierReading, day: str = "") -> Iterator[Refusal]:
    """Every vague part, with what would mend it, and a deadline that lies before the day of the debate."""
    hedges: dict[str, str] = dict(reading.hedges)
    for name, text in parts(falsifier):
        if not text.strip():
            yield Refusal(rule=VAGUE, reason=f"the {name} is empty", remedy=f"name a {name}")
        elif (hedge := hedges.get(name)) is not None:
            yield Refusal(
                rule=VAGUE,
                reason=f'the {name} hedges: "{hedge}"',
                remedy=f"state the {name} so that it either happens or does not",
            )
    if falsifier.metric.strip() and not reading.named:
        yield Refusal(rule=VAGUE, reason="the metric names nothing", remedy="say what is measured or watched")
    if falsifier.threshold.strip() and not reading.sharpness and not reading.compares:
        yield Refusal(
            rule=VAGUE,
            reason="the threshold has no comparison, number or observable event",
            remedy='say how much or what happens, for example "falls below 0.3"',
        )
    if reading.no_such_day:
        reason = f'"{reading.no_such_day}" is no day of the calendar'
        yield Refusal(rule=VAGUE, reason=reason, remedy="name a day that comes")
    elif falsifier.deadline.strip() and not reading.nearness:
        yield Refusal(
            rule=VAGUE,
            reason="the deadline has no date, year, quarter, duration or named event",
            remedy='say by when, for example "by the end of 2029"',
        )
    if reading.due and reading.due < day:
        reason = f"the deadline ran out on {reading.due}, before the day of this debate"
        yield Refusal(rule=PAST, reason=reason, remedy=f"name a day that is not over on {day}")


def parts(falsifier: Falsifier) -> tuple[tuple[str, str], ...]:
    return ("metric", falsifier.metric), ("threshold", falsifier.threshold), ("deadline", falsifier.deadline)


def concreteness(reading: FalsifierReading) -> float:
    """Between 0 and 1: how well metric, threshold and deadline pin it down."""
    named = min(1.0, reading.named / NAMED_MIN)
    return round((named + reading.sharpness + reading.nearness) / 3, 2)


def is_open_ended(reading: FalsifierReading) -> bool:
    return reading.nearness == OPEN_ENDED


def proposed_falsifier(draft: Draft) -> Falsifier | None:
    match draft.move:
        case DeclareFalsifier(falsifier=falsifier):
            return falsifier
        case Commit(falsifier=falsifier):
            return falsifier
        case _:
            return None


def with_parts(draft: Draft) -> Draft:
    """A falsifier told in one sentence is taken apart: what is watched, what has to happen, and by when."""
    told = proposed_falsifier(draft)
    if told is None or told.threshold.strip() or told.deadline.strip() or not told.metric.strip():
        return draft
    parted = replace(forecasts.read(told.metric), reasoning=told.reasoning)
    assert isinstance(draft.move, DeclareFalsifier | Commit), "only these propose one"
    return replace(draft, move=replace(draft.move, falsifier=parted))


def check(debate: Debate, draft: Draft, reading: DraftReading) -> Iterator[Refusal]:
    """A move that is nothing but a vague falsifier is refused; a commitment only loses the falsifier (`stripped`)."""
    if isinstance(draft.move, DeclareFalsifier):
        yield from faults(draft.move.falsifier, read_of(reading), debate.started.day)


def commitment_faults(debate: Debate, draft: Draft, reading: DraftReading) -> tuple[Refusal, ...]:
    """Why a commitment is taken without its falsifier."""
    if not isinstance(draft.move, Commit) or draft.move.falsifier is None:
        return ()
    found = faults(draft.move.falsifier, read_of(reading), debate.started.day)
    return tuple(refusal for refusal in found if refusal.rule not in debate.settings.off)


def read_of(reading: DraftReading) -> FalsifierReading:
    """What was read of the falsifier a draft proposes."""
    assert reading.falsifier is not None, "a falsifier is read before it is decided on"
    return reading.falsifier
