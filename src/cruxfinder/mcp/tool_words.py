"""What the tools say to whoever reads their answers, beside the structure."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.gate.records import Metric, Report
from cruxfinder.gate.runtime.verdicts import GateVerdict, TaskStatus
from cruxfinder.protocols.any_run import Finished
from cruxfinder.telling import gate_words
from cruxfinder.telling.brief import brief_of

LAST: Final = 5
TASK_SHOWN: Final = 60


def join_lines(lines: Iterator[str]) -> str:
    return "\n".join(lines)


def verdict_lines(verdict: GateVerdict) -> Iterator[str]:
    yield gate_words.resolution_line(verdict.resolution)
    yield verdict.rationale
    if verdict.resembles:
        yield gate_words.resemblance(verdict.resembles, "say so with same_as.")
    for lead, text in gate_words.advice_lines(verdict):
        yield f"{lead}{text}"
    if gate_words.asks_for_checks(verdict):
        yield "Then call gate_plan again with `checked`: what you saw, for each name in brackets."
    if verdict.debated:
        yield f"{gate_words.grounds(verdict)}. Tell gate_outcome {verdict.debate_id} what came of it."


def known_lines(known: TaskStatus, *, succeeded: bool) -> Iterator[str]:
    if succeeded:
        yield f"The count of {known.task_id} begins again."
        return
    yield gate_words.failures_line(known, "call gate_failure before you try again")
    if known.fingerprint:
        yield gate_words.fingerprint_line(known)
    if known.stale:
        yield f"{gate_words.STALE}."
    if known.resembles:
        yield f"{gate_words.resemblance(known.resembles, 'use same_as')}: {known.resembled_task}"


def report_lines(report: Report, metrics: tuple[Metric, ...]) -> Iterator[str]:
    told = gate_words.brief_of_gate(report)
    yield f"{told.span}."
    for figure in told.figures:
        yield figure.line
    for metric in metrics[-LAST:]:
        yield f"{metric.debate_id} {metric.resolution} {metric.outcome or 'open'}: {metric.task[:TASK_SHOWN]}"


def outcome_text(finished: Finished) -> str:
    outcome = finished.outcome
    told = brief_of(outcome)
    lines = [outcome.topic, f"{told.verdict}: {told.headline}. {told.why}".rstrip()]
    if told.question:
        lines.append(f"It turns on: {told.question}")
        lines += [f"{one.name}: {one.figure} {one.meaning}" for one in told.gauges]
    lines += [text for text in (told.ending, f"{told.length}.") if text]
    lines += [f"Warning: {warning}" for warning in outcome.warnings]
    return "\n".join(lines)
