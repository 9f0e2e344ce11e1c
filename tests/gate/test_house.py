"""The house critic: it argues from what is known to go wrong, and from nothing an action says of itself."""

import pytest

from cruxfinder.adapters.packs.rule_file import shipped_rules
from cruxfinder.gate import failure_debate, planning_debate
from cruxfinder.gate.actions import Action
from cruxfinder.gate.failure_debate import FailureDecision
from cruxfinder.gate.forms import FailureRequest, GateResolution, PlanRequest, Severity, Stakes
from cruxfinder.gate.house_critic import House
from cruxfinder.gate.planning_debate import PlanDecision
from cruxfinder.gate.router import route

ENOENT = "ENOENT: no such file or directory, open '{}'"


def planned(text: str, **checked: str) -> PlanDecision:
    routing = route(Action(text=text, tool="bash"), shipped_rules())
    house = House(fired=routing.fired, checked={id.replace("_", "-"): seen for id, seen in checked.items()})
    debate = planning_debate.debate(
        PlanRequest(proposal=text, rounds=planning_debate.ROUNDS[routing.stakes], stakes=routing.stakes)
    )
    ask = next(debate)
    try:
        while True:
            ask = debate.send(house.answer(ask))
    except StopIteration as end:
        return end.value


def failed(attempts: tuple[str, ...], errors: tuple[str, ...], next_approach: str = "") -> FailureDecision:
    house = House(errors=shipped_rules().errors, next_approach=next_approach)
    debate = failure_debate.debate(FailureRequest(task="fix it", attempts=attempts, errors=errors))
    ask = next(debate)
    try:
        while True:
            ask = debate.send(house.answer(ask))
    except StopIteration as end:
        return end.value


def test_it_raises_one_known_failure_a_round_with_its_undoing_and_what_to_do_first() -> None:
    decision = planned("git push --force origin main")
    rule = shipped_rules().rule("force-push")
    assert rule is not None
    assert [r.objection.objection for r in decision.rounds] == [mode.lost for mode in rule.fails]
    for held, mode in zip(decision.rounds, rule.fails, strict=True):
        assert mode.undo in held.objection.risks[0]
        assert held.objection.counter == f"{mode.first} [{mode.id}]"
    assert decision.synthesis.resolution is GateResolution.MODIFY
    assert len(decision.synthesis.modifications) == len(rule.fails)


def test_what_was_checked_is_not_raised_again_and_all_of_it_lets_the_action_pass() -> None:
    decision = planned("git push --force origin main", fetched="nothing new there")
    assert len(decision.synthesis.modifications) == 1
    decision = planned("git push --force origin main", fetched="nothing new there", branch="it is mine")
    assert decision.synthesis.resolution is GateResolution.PROCEED
    assert decision.rounds[-1].claim.confidence >= 0.8
    assert "checked fetched: nothing new there" in decision.rounds[-1].claim.supports


def test_what_has_no_remedy_goes_to_a_human_whatever_is_said_to_be_checked() -> None:
    decision = planned("rm -rf /", nothing_left="trust me", listed="yes", backup="yes", in_use="no")
    assert decision.synthesis.resolution is GateResolution.ESCALATE


def test_checks_of_other_rules_do_not_count() -> None:
    assert planned("git push --force", backup="taken", plan="read").synthesis.resolution is GateResolution.MODIFY


def test_an_action_no_rule_knows_is_asked_how_it_is_undone() -> None:
    house = House()
    debate = planning_debate.debate(PlanRequest(proposal="frobnicate", rounds=2, stakes=Stakes.MEDIUM))
    ask = next(debate)
    answers = []
    try:
        while True:
            answers.append(house.answer(ask))
            ask = debate.send(answers[-1])
    except StopIteration as end:
        decision: PlanDecision = end.value
    assert decision.synthesis.resolution is GateResolution.MODIFY
    assert decision.rounds[0].objection.severity is Severity.MEDIUM


@pytest.mark.parametrize(
    ("attempts", "errors", "next_approach", "resolution"),
    [
        pytest.param(
            ("updated the import path", "reinstalled all dependencies"),
            (ENOENT.format("/a/x"), ENOENT.format("/b/y")),
            "",
            GateResolution.ESCALATE,
            id="two different approaches, the same error, nothing new named",
        ),
        pytest.param(
            ("updated the import path", "reinstalled all dependencies"),
            (ENOENT.format("/a/x"), ENOENT.format("/b/y")),
            "mock the file system in the fixture",
            GateResolution.PIVOT,
            id="a new approach is named, but the error came back: look first",
        ),
        pytest.param(
            ("updated the import path", "updated the import path again"),
            (ENOENT.format("/a/x"), ENOENT.format("/b/y")),
            "",
            GateResolution.PIVOT,
            id="the same approach twice is the blind spot",
        ),
        pytest.param(
            ("updated the import path", "reinstalled all dependencies"),
            (ENOENT.format("/a/x"), "SyntaxError: unexpected token in config"),
            "mock the file system in the fixture",
            GateResolution.RETRY,
            id="the error changed and the approach is new",
        ),
        pytest.param(
            ("updated the import path", "reinstalled all dependencies"),
            (ENOENT.format("/a/x"), "SyntaxError: unexpected token in config"),
            "update the import path",
            GateResolution.PIVOT,
            id="the approach is one that was tried",
        ),
        pytest.param(
            ("ran it", "ran it as another user"),
            ("EACCES: permission denied, open '/a'", "EACCES: permission denied, open '/b'"),
            "run it from another folder",
            GateResolution.ESCALATE,
            id="a missing right is for a human",
        ),
    ],
)
def test_after_failures(
    attempts: tuple[str, ...], errors: tuple[str, ...], next_approach: str, resolution: GateResolution
) -> None:
    assert failed(attempts, errors, next_approach).synthesis.resolution is resolution


def test_every_rule_that_ships_knows_what_goes_wrong_and_how_to_undo_it() -> None:
    for rule in shipped_rules().rules:
        assert rule.fails, rule.id
        assert len({mode.id for mode in rule.fails}) == len(rule.fails), rule.id
        assert all(mode.lost and mode.undo for mode in rule.fails), rule.id
