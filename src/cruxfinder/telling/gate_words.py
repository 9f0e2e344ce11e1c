"""What the gate decided and what it has done, in lines and figures that terminal, tools and page lay out.

How to go on is a command in a terminal and a call for an agent, so that alone is said by each.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from cruxfinder.gate.failures import FollowUp
from cruxfinder.gate.forms import GateResolution
from cruxfinder.gate.records import Metric, Report
from cruxfinder.gate.runtime.verdicts import GateVerdict, TaskStatus
from cruxfinder.language.counts import count_phrase
from cruxfinder.telling.wording import RESOLUTIONS

STALE: Final = "The last failure is more than a day old; that alone begins no count again"
DUE: Final = {
    FollowUp.NOTHING: "go on",
    FollowUp.DEBATE: "a failure debate is due",
    FollowUp.ESCALATION: "no further attempt: a human has to look at it",
}


class LedLine(NamedTuple):
    """A line, and what stands before it, below which its other lines begin."""

    lead: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFigure:
    """A figure of the gate and what it counts; one after the other they make a sentence."""

    name: str
    figure: str
    words: str

    @property
    def line(self) -> str:
        return f"{self.figure} {self.words}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateBrief:
    """What the gate has done, in a few strings; no figures where nothing was debated."""

    span: str
    figures: tuple[GateFigure, ...]


# ---- a verdict


def resolution_line(resolution: GateResolution) -> str:
    """What was decided, and what to do now."""
    return f"{resolution}: {RESOLUTIONS[resolution][0]}"


def advice_lines(verdict: GateVerdict) -> Iterator[LedLine]:
    """What to do, in order, and what was set aside."""
    for number, step in enumerate(verdict.modifications, 1):
        yield LedLine(f"{number}. ", step)
    if verdict.next_approach:
        yield LedLine("Next: ", verdict.next_approach)
    for one in verdict.dismissed:
        yield LedLine("Set aside: ", f"{one.objection} ({one.reason})")


def asks_for_checks(verdict: GateVerdict) -> bool:
    """Is one of the steps to look at something, by a name in brackets?"""
    return any("[" in step for step in verdict.modifications)


def grounds(verdict: GateVerdict) -> str:
    """By which rules it was debated, by whom, and what that took."""
    rules = f"{', '.join(verdict.rules)} at {verdict.stakes} stakes; " if verdict.rules else ""
    cost = f", {model_cost(verdict.calls, verdict.tokens, verdict.dollars)}" if verdict.calls else ""
    return f"{rules}debated by the {verdict.thought_by}{cost}"


def model_cost(calls: int, tokens: int, dollars: float) -> str:
    return f"{count_phrase(calls, 'call')} of models, {tokens:,} tokens, ${dollars:.4f}"


def resemblance(task: str, hint: str) -> str:
    """`hint` says how to tell that it is the same."""
    return f"It resembles the known task {task}; if it is that one, {hint}"


# ---- a task


def failures_line(known: TaskStatus, hint: str) -> str:
    """How often it failed and what is due; `hint` says how a debate is begun."""
    due = f"{DUE[known.due]}: {hint}" if known.due is FollowUp.DEBATE else DUE[known.due]
    return f"{count_phrase(known.failures, 'failure')} of {known.task_id}: {due}"


def fingerprint_line(known: TaskStatus) -> str:
    mark = known.fingerprint or "(nothing in it stays the same)"
    return f"fingerprint: {mark}, seen {count_phrase(known.same_error, 'time')}"


def outcome_line(metric: Metric) -> str:
    helped = "the debate helped" if metric.helped else "the debate did not help"
    return f"{metric.debate_id} ({metric.resolution}): {metric.outcome}, {helped}"


# ---- the report


def brief_of_gate(report: Report) -> GateBrief:
    return GateBrief(span=span_of(report), figures=tuple(figures_of_gate(report)) if report.debates else ())


def span_of(report: Report) -> str:
    if not report.debates:
        return "No debate is noted yet"
    first, last = report.first[:10], report.last[:10]
    days = f"{first} to {last}" if first != last else first
    return f"{count_phrase(report.debates, 'debate')} on {count_phrase(report.days, 'day')}, {days}"


def figures_of_gate(report: Report) -> Iterator[GateFigure]:
    alone = f", {report.automatic} of them without a debate" if report.automatic else ""
    yield figure_of(
        "planning",
        report.planning,
        "action was debated before it was taken",
        "actions were debated before they were taken",
    )
    yield figure_of(
        "failure",
        report.failure,
        "task was debated after it had failed",
        "tasks were debated after they had failed",
    )
    yield figure_of(
        "escalations", report.escalations, f"was handed to a human{alone}", f"were handed to a human{alone}"
    )
    if report.known:
        helped = f"{report.helped} of {report.known}"
        yield GateFigure(name="helped", figure=helped, words="with a known outcome changed something for the better")
    if waiting := report.debates - report.known:
        yield figure_of("open", waiting, "waits for its outcome", "wait for their outcome")
    if report.calls:
        figure, _, words = model_cost(report.calls, report.tokens, report.dollars).partition(" ")
        yield GateFigure(name="calls", figure=figure, words=words)
    if report.disabled:
        switched = "passed while DISABLE_DEBATE was set"
        yield figure_of("disabled", report.disabled, f"action {switched}", f"actions {switched}")


def figure_of(name: str, number: int, one: str, many: str) -> GateFigure:
    figure, _, words = count_phrase(number, one, many).partition(" ")
    return GateFigure(name=name, figure=figure, words=words)
