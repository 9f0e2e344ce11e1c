"""What the tools say to whoever reads their answers, beside the structure."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.gate.failures import FollowUp
from cruxfinder.gate.records import Metric, Report
from cruxfinder.gate.runtime.verdicts import GateVerdict, TaskStatus
from cruxfinder.protocols.any_run import Finished
from cruxfinder.telling.brief import brief_of
from cruxfinder.telling.wording import RESOLUTIONS

LAST: Final = 5
TASK_SHOWN: Final = 60
DUE: Final = {
    FollowUp.NOTHING: "go on",
    FollowUp.DEBATE: "call gate_failure before you try again",
    FollowUp.ESCALATION: "no further attempt: a human has to look at it",
}


def join_lines(lines: Iterator[str]) -> str:
    return "\n".join(lines)


def verdict_lines(verdict: GateVerdict) -> Iterator[str]:
    yield f"{verdict.resolution}: {RESOLUTIONS[verdict.resolution][0]}"
    yield verdict.rationale
    if verdict.resembles:
        yield f"It resembles the known task {verdict.resembles}; if it is that one, say so with same_as."
    for number, step in enumerate(verdict.modifications, 1):
        yield f"{number}. {step}"
    if verdict.next_approach:
        yield f"Next: {verdict.next_approach}"
    for one in verdict.dismissed:
        yield f"Set aside: {one.objection} ({one.reason})"
    if any("[" in step for step in verdict.modifications):
        yield "Then call gate_plan again with `checked`: what you saw, for each name in brackets."
    if verdict.debated:
        rules = f"{', '.join(verdict.rules)} at {verdict.stakes} stakes; " if verdict.rules else ""
        yield f"{rules}debated by the {verdict.thought_by}. Tell gate_outcome {verdict.debate_id} what came of it."


def known_lines(known: TaskStatus, *, succeeded: bool) -> Iterator[str]:
    if succeeded:
        yield f"The count of {known.task_id} begins again."
        return
    yield f"{known.failures} failures of {known.task_id}: {DUE[known.due]}"
    if known.fingerprint:
        yield f"Fingerprint: {known.fingerprint}, seen {known.same_error} times"
    if known.stale:
        yield "The last one is more than a day old; that alone begins no count again."
    if known.resembles:
        yield f"It resembles the known task {known.resembles} ({known.resembled_task}); if it is that one, use same_as."


def outcome_lines(metric: Metric) -> Iterator[str]:
    helped = "the debate helped" if metric.helped else "the debate did not help"
    yield f"{metric.debate_id} ({metric.resolution}): {metric.outcome}, {helped}"


def report_lines(report: Report, metrics: tuple[Metric, ...]) -> Iterator[str]:
    if not report.debates:
        yield "No debate is noted yet."
        return
    yield f"{report.debates} debates: {report.planning} before an action, {report.failure} after failures"
    yield f"{report.escalations} escalations, {report.automatic} of them without a debate"
    yield f"{report.helped} of {report.known} with a known outcome helped"
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
