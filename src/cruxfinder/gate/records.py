"""What is kept of a debate (DIA-7): the lines of the daily log, and the figures its report is made of."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from cruxfinder.gate.csp import write
from cruxfinder.gate.failure_debate import FailureDecision
from cruxfinder.gate.forms import AdvocateClaim, GateResolution, Synthesis
from cruxfinder.gate.planning_debate import PlanDecision

SUMMARY_MAX: Final = 120
TEXT_MAX: Final = 300
FIGURE_MAX: Final = 10**12
TAKEOVER: Final = "human takeover"
Type = Literal["planning", "failure"]
Outcome = Literal["success", "failure"]
Figure = TypeVar("Figure", int, float)


# ---- the daily log


def planning_lines(clock: str, decision: PlanDecision) -> str:
    """A planning debate in the layout of the log; `clock` is HH:MM."""
    held = decision.deciding
    changes = decision.synthesis.modifications
    return (
        f"{clock} DEBATE_PLANNING task:{quote_line(decision.request.proposal, SUMMARY_MAX)}\n"
        f"  Stakes: {decision.request.stakes}\n"
        f"  Advocate: CLAIM:{quote_line(held.claim.claim)} CONFIDENCE:{confidence(held.claim)}\n"
        f"  Critic: OBJECTION:{quote_line(held.objection.objection)} SEVERITY:{held.objection.severity}\n"
        f"  Resolution: {decision.synthesis.resolution}\n"
        f"  Modifications: {quote_list(changes) if changes else 'none'}\n"
    )


def failure_lines(clock: str, decision: FailureDecision, attempt: int) -> str:
    """A failure debate in the layout of the log; `attempt` is how many have failed."""
    return (
        f"{clock} DEBATE_FAILURE task:{quote_line(decision.request.task, SUMMARY_MAX)} attempt:{attempt}\n"
        f"  Errors: {quote_list(decision.request.errors)}\n"
        f"  Advocate: FIX:{quote_line(decision.diagnosis.fix)} DIFF:{quote_line(decision.diagnosis.difference)}\n"
        f"  Critic: PATTERN:{quote_line(decision.pattern.pattern)}"
        f" SHOULD_ESCALATE:{'true' if decision.pattern.should_escalate else 'false'}\n"
        f"  Resolution: {decision.synthesis.resolution}\n"
        f"  Next approach: {next_approach(decision.synthesis)}\n"
    )


def escalation_lines(clock: str, task: str, attempt: int, errors: tuple[str, ...]) -> str:
    """An escalation that comes by itself, in the same layout."""
    return (
        f"{clock} DEBATE_FAILURE task:{quote_line(task, SUMMARY_MAX)} attempt:{attempt}\n"
        f"  Errors: {quote_list(errors)}\n"
        f"  Resolution: {GateResolution.ESCALATE}\n"
        f"  Next approach: {quote_line(TAKEOVER)}\n"
    )


def next_approach(synthesis: Synthesis) -> str:
    return quote_line(synthesis.next_approach or TAKEOVER)


def confidence(claim: AdvocateClaim) -> str:
    return write(claim).rpartition(":")[2]


def quote_line(text: str, most: int = TEXT_MAX) -> str:
    line = " ".join(text.split())
    return json.dumps(line if len(line) <= most else f"{line[: most - 1]}…", ensure_ascii=False)


def quote_list(items: Iterable[str]) -> str:
    return f"[{', '.join(quote_line(item) for item in items)}]"


# ---- the figures


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A line of debate-metrics.jsonl. A later line with the same id brings the outcome."""

    debate_id: str
    type: Type
    task: str
    resolution: GateResolution
    ts: str = ""
    outcome: Outcome | None = None
    helped: bool | None = None
    task_id: str = ""
    stakes: str = ""
    rules: tuple[str, ...] = ()
    by: str = ""
    automatic: bool = False  # an escalation without a debate
    disabled: bool = False
    calls: int = 0
    tokens: int = 0
    dollars: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What came of a debate: a line of its own, in the same layout."""

    debate_id: str
    type: Type
    task: str
    resolution: GateResolution
    outcome: Outcome
    helped: bool


def did_help(resolution: GateResolution, outcome: Outcome) -> bool:
    """Did the debate change something for the better? Going on as planned is no help, whatever came of it."""
    return outcome == "success" and resolution is not GateResolution.PROCEED


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What came of one kind of resolution."""

    resolution: GateResolution
    debates: int
    known: int  # of which the outcome is known
    succeeded: int
    share: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFigures:
    rule: str
    debates: int
    known: int
    needless: int  # it went on as planned, and that was well
    false_positives: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    debates: int
    planning: int
    failure: int
    first: str
    last: str
    days: int
    effects: tuple[Effect, ...]
    rules: tuple[RuleFigures, ...]
    escalations: int
    automatic: int  # of these, those that came by themselves
    helped: int
    known: int
    disabled: int
    calls: int
    tokens: int
    dollars: float


def report(metrics: Iterable[Metric]) -> Report:
    every = list(metrics)
    held = [m for m in every if not m.disabled]
    stamps = sorted(m.ts for m in held if m.ts)
    by_rule: dict[str, list[Metric]] = defaultdict(list)
    for metric in held:
        for rule in metric.rules:
            by_rule[rule].append(metric)
    return Report(
        debates=len(held),
        planning=sum(m.type == "planning" for m in held),
        failure=sum(m.type == "failure" for m in held),
        first=stamps[0] if stamps else "",
        last=stamps[-1] if stamps else "",
        days=len({stamp[:10] for stamp in stamps}),
        effects=tuple(effect(resolution, held) for resolution in GateResolution),
        rules=tuple(figures(rule, by_rule[rule]) for rule in sorted(by_rule, key=lambda r: (-len(by_rule[r]), r))),
        escalations=sum(m.resolution is GateResolution.ESCALATE for m in held),
        automatic=sum(m.automatic for m in held),
        helped=sum(m.helped is True for m in held),
        known=sum(m.outcome is not None for m in held),
        disabled=len(every) - len(held),
        calls=sum(plausible_figure(m.calls) for m in held),
        tokens=sum(plausible_figure(m.tokens) for m in held),
        dollars=sum(plausible_figure(m.dollars) for m in held),
    )


def plausible_figure(figure: Figure) -> Figure | Literal[0]:
    """What a debate can have taken; a line that others wrote may hold any number, and what is none."""
    return figure if 0 <= figure <= FIGURE_MAX else 0


def effect(resolution: GateResolution, metrics: list[Metric]) -> Effect:
    mine = [m for m in metrics if m.resolution is resolution]
    outcomes = Counter(m.outcome for m in mine)
    known = outcomes["success"] + outcomes["failure"]
    succeeded = outcomes["success"]
    share = succeeded / known if known else None
    return Effect(resolution=resolution, debates=len(mine), known=known, succeeded=succeeded, share=share)


def figures(rule: str, metrics: list[Metric]) -> RuleFigures:
    known = [m for m in metrics if m.outcome is not None]
    needless = [m for m in known if m.resolution is GateResolution.PROCEED and m.outcome == "success"]
    rate = len(needless) / len(known) if known else None
    return RuleFigures(rule=rule, debates=len(metrics), known=len(known), needless=len(needless), false_positives=rate)
