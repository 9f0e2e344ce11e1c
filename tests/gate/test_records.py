"""DIA-7: the daily log in the layout asked for, and a report whose figures can be checked by hand."""

from dataclasses import replace

import pytest

from cruxfinder.gate.failure_debate import decide as after_failures
from cruxfinder.gate.forms import (
    AdvocateClaim,
    CriticObjection,
    Diagnosis,
    FailureRequest,
    GateResolution,
    Pattern,
    PlanRequest,
    Severity,
    Stakes,
)
from cruxfinder.gate.planning_debate import Round
from cruxfinder.gate.planning_debate import decide as before_action
from cruxfinder.gate.records import (
    Metric,
    Outcome,
    did_help,
    escalation_lines,
    failure_lines,
    planning_lines,
    report,
)

REQUEST = PlanRequest(proposal='delete "the"\ncache', rounds=1, stakes=Stakes.HIGH)
CLAIM = AdvocateClaim(claim="it is rebuilt", supports=(), confidence=0.85)


def objected(severity: Severity, counter: str) -> Round:
    held = CriticObjection(objection="sessions live in it", risks=(), counter=counter, severity=severity)
    return Round(claim=CLAIM, objection=held, actionable=bool(counter))


@pytest.mark.rule("DIA-7")
def test_a_planning_debate_in_the_log() -> None:
    decision = before_action(REQUEST, (objected(Severity.HIGH, "delete /pages only, then look"),))
    assert planning_lines("14:05", decision) == (
        '14:05 DEBATE_PLANNING task:"delete \\"the\\" cache"\n'
        "  Stakes: high\n"
        '  Advocate: CLAIM:"it is rebuilt" CONFIDENCE:0.85\n'
        '  Critic: OBJECTION:"sessions live in it" SEVERITY:high\n'
        "  Resolution: MODIFY\n"
        '  Modifications: ["delete /pages only, then look"]\n'
    )
    let_through = before_action(REQUEST, (objected(Severity.LOW, ""),))
    assert "  Resolution: PROCEED\n  Modifications: none\n" in planning_lines("00:00", let_through)


@pytest.mark.rule("DIA-7")
def test_a_failure_debate_in_the_log() -> None:
    request = FailureRequest(task="fix auth", attempts=("a", "b"), errors=("E1: x", "E2: y"))
    diagnosis = Diagnosis(diagnosis="d", fix="use the build", difference="dist instead of src")
    retried = after_failures(request, diagnosis, Pattern(pattern="", blind_spot="", should_escalate=False), True)
    assert failure_lines("09:30", retried, 2) == (
        '09:30 DEBATE_FAILURE task:"fix auth" attempt:2\n'
        '  Errors: ["E1: x", "E2: y"]\n'
        '  Advocate: FIX:"use the build" DIFF:"dist instead of src"\n'
        '  Critic: PATTERN:"" SHOULD_ESCALATE:false\n'
        "  Resolution: RETRY\n"
        '  Next approach: "use the build"\n'
    )
    handed = after_failures(request, diagnosis, Pattern(pattern="p", blind_spot="", should_escalate=True), True)
    assert failure_lines("09:30", handed, 2).endswith('Resolution: ESCALATE\n  Next approach: "human takeover"\n')
    assert escalation_lines("09:31", "fix auth", 3, ("E1: x",)).endswith('  Next approach: "human takeover"\n')


def noted(id: str, resolution: GateResolution, outcome: Outcome | None = None) -> Metric:
    return Metric(
        debate_id=id,
        type="planning",
        task="t",
        resolution=resolution,
        ts=f"2026-01-0{id}T10:00:00Z",
        outcome=outcome,
        helped=None if outcome is None else did_help(resolution, outcome),
        rules=("drop-data",),
    )


@pytest.mark.rule("DIA-7")
def test_the_figures_of_a_report() -> None:
    found = report(
        [
            replace(noted("1", GateResolution.PROCEED, "success"), calls=2, tokens=100, dollars=0.5),
            noted("2", GateResolution.PROCEED, "failure"),
            replace(noted("3", GateResolution.MODIFY, "success"), rules=("drop-data", "deploy")),
            noted("4", GateResolution.MODIFY),
            replace(noted("5", GateResolution.ESCALATE), type="failure", rules=(), automatic=True),
            replace(noted("6", GateResolution.PROCEED), disabled=True),
        ]
    )
    assert (found.debates, found.planning, found.failure, found.disabled, found.days) == (5, 4, 1, 1, 5)
    assert (found.escalations, found.automatic, found.helped, found.known) == (1, 1, 1, 3)
    assert (found.calls, found.tokens, found.dollars) == (2, 100, 0.5)
    effects = {e.resolution: (e.debates, e.known, e.share) for e in found.effects}
    assert effects[GateResolution.PROCEED] == (2, 2, 0.5)
    assert effects[GateResolution.MODIFY] == (2, 1, 1.0)
    assert effects[GateResolution.PIVOT] == (0, 0, None)
    rules = {r.rule: (r.debates, r.known, r.false_positives) for r in found.rules}
    assert rules == {"drop-data": (4, 3, 1 / 3), "deploy": (1, 1, 0.0)}
    assert (found.first[:10], found.last[:10]) == ("2026-01-01", "2026-01-05")


def test_going_on_as_planned_is_no_help_whatever_came_of_it() -> None:
    assert not did_help(GateResolution.PROCEED, "success")
    assert all(did_help(r, "success") for r in GateResolution if r is not GateResolution.PROCEED)
    assert not any(did_help(r, "failure") for r in GateResolution)


def test_a_report_of_nothing() -> None:
    found = report([])
    assert (found.debates, found.rules, found.first) == (0, (), "")
