"""DIA-2: the decision before an action is a total function of the structured answers; high stakes forgive nothing."""

from itertools import product

import pytest

from cruxfinder.gate import planning_debate
from cruxfinder.gate.debate_limits import DEBATER_TOKENS, JUDGE_TOKENS
from cruxfinder.gate.forms import AdvocateClaim, Answer, CriticObjection, GateResolution, PlanRequest, Severity, Stakes
from cruxfinder.gate.planning_debate import AskActionable, AskClaim, AskObjection, PlanAsk, PlanDecision, resolve

LOW, MEDIUM, HIGH = Severity.LOW, Severity.MEDIUM, Severity.HIGH
PROCEED, MODIFY, ESCALATE = GateResolution.PROCEED, GateResolution.MODIFY, GateResolution.ESCALATE
COUNTER = "Take a dump with `pg_dump -t orders` and read it back first"
VAGUE = "Be careful."


def expected(stakes: Stakes, severity: Severity, confident: bool, actionable: bool) -> GateResolution:
    """The rows of the specification, in their order, written down once more."""
    disagreement = severity in (MEDIUM, HIGH) or not confident
    rows = [
        (severity is HIGH and actionable, MODIFY),
        (severity is HIGH, ESCALATE),
        (disagreement and stakes is Stakes.HIGH, MODIFY if actionable else ESCALATE),
        (severity is LOW and confident, PROCEED),
        (actionable, MODIFY),
        (stakes is Stakes.LOW, PROCEED),
        (True, ESCALATE),
    ]
    return next(resolution for fits, resolution in rows if fits)


ALL = list(product(Stakes, Severity, (0.0, 0.5, 0.79, 0.8, 0.81, 1.0), (False, True)))


@pytest.mark.rule("DIA-2")
@pytest.mark.parametrize(("stakes", "severity", "confidence", "actionable"), ALL)
def test_every_combination_has_the_resolution_of_the_table(
    stakes: Stakes, severity: Severity, confidence: float, actionable: bool
) -> None:
    found = resolve(stakes, severity, confidence, actionable)
    assert found is expected(stakes, severity, confidence >= 0.8, actionable)
    assert found in (PROCEED, MODIFY, ESCALATE)


@pytest.mark.rule("DIA-2")
def test_high_stakes_with_any_disagreement_never_proceed() -> None:
    for severity, confidence, actionable in product(Severity, (0.0, 0.79, 0.8, 1.0), (False, True)):
        if severity is not LOW or confidence < 0.8:
            assert resolve(Stakes.HIGH, severity, confidence, actionable) is not PROCEED


# ---- whole debates, driven by hand


def claim(confidence: float = 0.9, text: str = "it is safe") -> AdvocateClaim:
    return AdvocateClaim(claim=text, supports=(), confidence=confidence)


def objection(severity: Severity, counter: str = COUNTER, text: str = "") -> CriticObjection:
    return CriticObjection(objection=text or f"{severity} thing", risks=(), counter=counter, severity=severity)


def held(stakes: Stakes, answers: list[Answer], rounds: int = 3) -> tuple[PlanDecision, list[PlanAsk]]:
    debate = planning_debate.debate(PlanRequest(proposal="drop it", rounds=rounds, stakes=stakes))
    asks: list[PlanAsk] = [next(debate)]
    try:
        for answer in answers:
            asks.append(debate.send(answer))
    except StopIteration as end:
        return end.value, asks
    raise AssertionError(f"the debate goes on with {asks[-1]}")


@pytest.mark.rule("DIA-9")
def test_the_advocate_speaks_first_and_the_critic_sees_its_answer() -> None:
    first = claim(0.9)
    _, asks = held(Stakes.LOW, [first, objection(LOW)], rounds=1)
    assert isinstance(asks[0], AskClaim)
    assert isinstance(asks[1], AskObjection) and asks[1].claim is first


@pytest.mark.rule("DIA-9")
def test_a_debater_has_500_tokens_and_a_judge_200_and_lower_stakes_have_fewer_rounds() -> None:
    assert (DEBATER_TOKENS, JUDGE_TOKENS) == (500, 200)
    assert [planning_debate.ROUNDS[stakes] for stakes in Stakes] == [1, 2, 3]


def test_it_ends_as_soon_as_nothing_is_held_against_the_action() -> None:
    decision, asks = held(Stakes.HIGH, [claim(0.8), objection(LOW)])
    assert decision.synthesis.resolution is PROCEED
    assert len(asks) == 2


@pytest.mark.rule("DIA-2")
def test_at_high_stakes_what_was_once_held_against_it_is_not_talked_away() -> None:
    answers: list[Answer] = [claim(0.6), objection(HIGH), claim(0.95, "it was checked"), objection(LOW, "")]
    decision, _ = held(Stakes.HIGH, answers)
    assert decision.synthesis.resolution is MODIFY
    assert decision.synthesis.modifications == (COUNTER,)


def test_below_high_stakes_a_critic_may_come_down_and_it_is_said_why() -> None:
    answers: list[Answer] = [claim(0.6), objection(MEDIUM), claim(0.95, "a dump was taken"), objection(LOW, "")]
    decision, _ = held(Stakes.MEDIUM, answers, rounds=2)
    assert decision.synthesis.resolution is PROCEED
    reasons = {one.objection: one.reason for one in decision.dismissed}
    assert "a dump was taken" in reasons["medium thing"]
    assert set(reasons) == {"medium thing", "low thing"}, "every objection set aside has a reason"


@pytest.mark.rule("DIA-2")
def test_of_several_grave_objections_one_without_a_remedy_is_enough_to_escalate() -> None:
    answers: list[Answer] = [claim(0.5), objection(HIGH, "", "no way back"), claim(0.5), objection(HIGH), claim(0.5)]
    decision, _ = held(Stakes.HIGH, [*answers, objection(HIGH, COUNTER, "a third")])
    assert decision.synthesis.resolution is ESCALATE
    assert "no way back" in decision.synthesis.rationale
    assert decision.synthesis.escalate_to == "human"
    assert decision.dismissed == (), "a human is handed all of them"


def test_a_critic_who_repeats_itself_ends_the_debate() -> None:
    decision, asks = held(Stakes.HIGH, [claim(0.5), objection(HIGH), claim(0.5), objection(HIGH)])
    assert len(decision.rounds) == 1
    assert len(asks) == 4


def test_a_judge_is_asked_only_where_the_rule_cannot_tell() -> None:
    unclear = objection(MEDIUM, "A staging database in another region")
    decision, asks = held(Stakes.MEDIUM, [claim(0.9), unclear, True], rounds=1)
    assert isinstance(asks[2], AskActionable)
    assert decision.synthesis.resolution is MODIFY
    decision, _ = held(Stakes.MEDIUM, [claim(0.9), unclear, False], rounds=1)
    assert decision.synthesis.resolution is ESCALATE
    _, asks = held(Stakes.MEDIUM, [claim(0.9), objection(MEDIUM, VAGUE)], rounds=1)
    assert len(asks) == 2


def test_every_objection_is_taken_up_or_set_aside_with_a_reason() -> None:
    levels = (objection(LOW, ""), objection(LOW), objection(MEDIUM, VAGUE), objection(MEDIUM), objection(HIGH))
    for stakes, confidence, one, two in product(Stakes, (0.5, 0.9), levels, levels):
        debate = planning_debate.debate(PlanRequest(proposal="x", rounds=2, stakes=stakes))
        ask, left = next(debate), [one, two]
        try:
            while True:
                ask = debate.send(claim(confidence) if isinstance(ask, AskClaim) else left.pop(0))
        except StopIteration as end:
            decision: PlanDecision = end.value
        if decision.synthesis.resolution is ESCALATE:
            continue
        aside = {d.objection for d in decision.dismissed}
        for held_round in decision.rounds:
            taken = held_round.objection.counter in decision.synthesis.modifications
            assert taken or held_round.objection.objection in aside
        assert all(d.reason for d in decision.dismissed)
        if decision.synthesis.resolution is MODIFY:
            assert decision.synthesis.modifications and decision.synthesis.attempt_limit == 1
