"""DIA-3: the decision after failures is a total function of the structured answers."""

from itertools import product

import pytest

from cruxfinder.gate import failure_debate
from cruxfinder.gate.failure_debate import AskSubstantial, FailureDecision, decide, matches_previous, resolve
from cruxfinder.gate.forms import Answer, Diagnosis, FailureRequest, GateResolution, Pattern

RETRY, PIVOT, ESCALATE = GateResolution.RETRY, GateResolution.PIVOT, GateResolution.ESCALATE
MODULE = "Cannot find module './auth'"
REQUEST = FailureRequest(
    task="fix the auth test", attempts=("updated import path", "reinstalled deps"), errors=(MODULE, MODULE)
)
NEW = Diagnosis(
    diagnosis="the alias is unknown to the runner",
    fix="teach it the alias",
    difference="the config instead of the code",
)


@pytest.mark.rule("DIA-3")
@pytest.mark.parametrize(("should", "repeated", "blind", "substantial"), list(product((False, True), repeat=4)))
def test_every_combination_has_the_resolution_of_the_table(
    should: bool, repeated: bool, blind: bool, substantial: bool
) -> None:
    rows = [(should, ESCALATE), (repeated, ESCALATE), (blind, PIVOT), (substantial, RETRY), (True, PIVOT)]
    wanted = next(resolution for fits, resolution in rows if fits)
    found = resolve(should_escalate=should, repeated=repeated, blind_spot=blind, substantial=substantial)
    assert found is wanted


def seen(pattern: str = "", blind_spot: str = "", *, should_escalate: bool = False) -> Pattern:
    return Pattern(pattern=pattern, blind_spot=blind_spot, should_escalate=should_escalate)


@pytest.mark.rule("DIA-3")
@pytest.mark.parametrize(
    ("pattern", "substantial", "resolution"),
    [
        pytest.param(seen("x", "y", should_escalate=True), True, ESCALATE, id="the critic's word has no override"),
        pytest.param(seen(MODULE), True, ESCALATE, id="the pattern is an error that came before"),
        pytest.param(seen("", "nobody read the config"), True, PIVOT, id="a blind spot is named"),
        pytest.param(seen("none", "none"), True, RETRY, id="the fix is new and nothing was missed"),
        pytest.param(seen(), False, PIVOT, id="the fix is the old one"),
    ],
)
def test_each_row(pattern: Pattern, substantial: bool, resolution: GateResolution) -> None:
    made = decide(REQUEST, NEW, pattern, substantial).synthesis
    assert made.resolution is resolution
    assert (made.attempt_limit == 1) == (resolution is RETRY), "one more attempt after the debate"
    assert bool(made.next_approach) == (resolution in (RETRY, PIVOT))
    assert (made.escalate_to == "human") == (resolution is ESCALATE)


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        (MODULE, True),
        ("Cannot find module '/other/place/x.js'", True),
        ("it says again and again that it cannot find the module it is asked for", True),
        ("the permission is missing", False),
        ("module", False),
        ("", False),
        ("None.", False),
    ],
)
def test_a_pattern_matches_by_its_fingerprint_or_by_all_its_words(pattern: str, matches: bool) -> None:
    assert matches_previous(pattern, REQUEST.errors) is matches


def driven(answers: list[Answer]) -> tuple[FailureDecision, list[failure_debate.FailureAsk]]:
    debate = failure_debate.debate(REQUEST)
    asks: list[failure_debate.FailureAsk] = [next(debate)]
    try:
        for answer in answers:
            asks.append(debate.send(answer))
    except StopIteration as end:
        return end.value, asks
    raise AssertionError("the debate goes on")


def test_the_critic_sees_the_diagnosis_and_a_judge_only_what_is_unclear() -> None:
    decision, asks = driven([NEW, seen()])
    assert isinstance(asks[1], failure_debate.AskPattern) and asks[1].diagnosis is NEW
    assert decision.synthesis.resolution is RETRY
    unclear = Diagnosis(diagnosis="d", fix="the import path and the alias too", difference="the alias as well")
    _, asks = driven([unclear, seen(), True])
    assert isinstance(asks[2], AskSubstantial)


def test_by_itself_it_escalates_after_the_third() -> None:
    made = failure_debate.automatic_escalation(3)
    assert made.resolution is ESCALATE and made.escalate_to == "human" and "3 attempts" in made.rationale
