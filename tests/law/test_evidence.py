"""What evidence and a challenge to it must name, EVID-1, and what each falsifier has gathered, EVID-2."""

from dataclasses import replace

import pytest

from cruxfinder.crux.events import EvidenceProvided, MessagePosted
from cruxfinder.crux.law.evidence import check, evidence_by_direction
from cruxfinder.crux.moves import Draft, ProvideEvidence
from cruxfinder.crux.result import result_of
from cruxfinder.kernel.vocabulary import AgentId, Attack, Direction, Side, Stage
from tests.law.build import (
    ANN,
    BOB,
    CAT,
    Play,
    attack,
    declare,
    evidence,
    of,
    only,
    own_falsifier,
    refusal_texts,
    refused,
    update,
)

FOR, AGAINST = Direction.FOR, Direction.AGAINST


@pytest.fixture
def play() -> Play:
    """EVIDENCE, with one falsifier each of ANN (YES) and BOB (NO)."""
    found = Play()
    found.to_evidence()
    return found


# ---- EVID-1


@pytest.mark.rule("EVID-1")
@pytest.mark.parametrize(
    ("owner", "number", "allowed"),
    [
        pytest.param(BOB, 1, True, id="an opponent's falsifier"),
        pytest.param(ANN, 1, True, id="one's own"),
        pytest.param(BOB, 2, False, id="a number nobody declared"),
        pytest.param(BOB, 0, False, id="number 0"),
        pytest.param(CAT, 1, False, id="somebody who is not here"),
    ],
)
def test_evidence_names_a_falsifier_that_stands(play: Play, owner: AgentId, number: int, allowed: bool) -> None:
    events = play.say(ANN, evidence(owner, number))
    assert refused(events) == (set() if allowed else {"EVID-1"})
    assert len(of(events, EvidenceProvided)) == allowed


@pytest.mark.rule("EVID-1")
def test_the_refusal_lists_the_falsifiers_that_stand(play: Play) -> None:
    events = play.say(ANN, evidence(BOB, 7))
    assert refusal_texts(events) == [
        "EVID-1: there is no falsifier 7 of bob; name one that stands: ann 1, bob 1",
    ]


@pytest.mark.rule("EVID-1")
@pytest.mark.parametrize("direction", [FOR, AGAINST])
def test_evidence_carries_its_direction(play: Play, direction: Direction) -> None:
    event = only(play.say(ANN, evidence(BOB, direction=direction)), EvidenceProvided)
    shown = play.thread.evidence[-1]
    assert (event.message, shown.agent) == (shown.id, ANN)
    assert isinstance(shown.move, ProvideEvidence)
    assert (shown.move.falsifier_of, shown.move.number, shown.move.direction) == (BOB, 1, direction)


@pytest.mark.rule("EVID-1")
def test_a_second_falsifier_can_be_named_by_its_number() -> None:
    play = Play()
    play.to_lock()
    play.commit_all()
    play.post(BOB, declare(replace(own_falsifier(BOB), metric="Bob export volumes")))
    play.to_evidence()
    assert refused(play.say(ANN, evidence(BOB, 2))) == set()


@pytest.mark.rule("EVID-1")
@pytest.mark.parametrize("attacks", list(Attack))
def test_a_challenge_names_the_evidence_and_what_is_attacked(play: Play, attacks: Attack) -> None:
    shown = play.post(ANN, evidence(BOB))
    events = play.say(BOB, attack(shown, attacks))
    assert refused(events) == set()
    move = only(events, MessagePosted).move
    assert move == attack(shown, attacks)
    assert shown in play.thread.answered


@pytest.mark.rule("EVID-1")
def test_a_challenge_of_something_that_is_no_evidence_is_refused(play: Play) -> None:
    shown = play.post(ANN, evidence(BOB))
    said = play.post(BOB, update(shown, Side.NO, Side.NO))
    assert refused(play.say(ANN, attack(said))) == {"EVID-1"}
    assert "EVID-1" in refused(play.say(ANN, attack("m999")))


@pytest.mark.rule("EVID-1")
def test_the_same_evidence_twice_is_refused(play: Play) -> None:
    play.post(ANN, evidence(BOB, text="The fund sold"))
    assert refused(play.say(BOB, evidence(ANN, text="The fund sold"))) == {"EVID-1"}
    assert refused(play.say(BOB, evidence(ANN, text="The fund bought"))) == set()


@pytest.mark.rule("EVID-1")
def test_before_evidence_the_rule_is_silent() -> None:
    play = Play()
    play.to_lock()
    draft = Draft(move=evidence(BOB), content="Early.")
    assert play.thread.stage is Stage.CRUX_LOCK
    assert list(check(play.debate, play.thread, ANN, draft)) == []
    assert refused(play.say(ANN, evidence(BOB))) == {"STAGE-1"}


# ---- EVID-2


@pytest.mark.rule("EVID-2")
def test_each_falsifier_keeps_the_evidence_for_and_against_it(play: Play) -> None:
    first = play.post(ANN, evidence(BOB, direction=FOR))
    second = play.post(BOB, evidence(BOB, direction=AGAINST))
    third = play.post(ANN, evidence(BOB, direction=FOR))
    other = play.post(BOB, evidence(ANN, direction=FOR))
    found = evidence_by_direction(play.thread, BOB, 1)
    assert [m.id for m in found[FOR]] == [first, third]
    assert [m.id for m in found[AGAINST]] == [second]
    assert [m.id for m in evidence_by_direction(play.thread, ANN, 1)[FOR]] == [other]
    assert evidence_by_direction(play.thread, ANN, 1)[AGAINST] == ()


@pytest.mark.rule("EVID-2")
def test_evidence_that_names_no_falsifier_is_kept_for_none(play: Play) -> None:
    play.say(ANN, evidence(BOB, 9))
    assert play.thread.evidence == ()
    assert evidence_by_direction(play.thread, BOB, 9) == {FOR: (), AGAINST: ()}


@pytest.mark.rule("EVID-2")
def test_the_result_shows_it_beside_the_falsifier(play: Play) -> None:
    met = play.post(ANN, evidence(BOB, direction=FOR, text="Fund A sold"))
    missed = play.post(BOB, evidence(BOB, direction=AGAINST, text="Fund B bought"))
    crux = result_of(play.events).threads[0].crux
    assert crux is not None
    item = crux.positions[BOB].falsifiers[0]
    assert [(e.message, e.agent, e.evidence) for e in item.evidence_for] == [(met, ANN, "Fund A sold")]
    assert [(e.message, e.agent, e.evidence) for e in item.evidence_against] == [(missed, BOB, "Fund B bought")]
    assert crux.positions[ANN].falsifiers[0].evidence_for == ()
    assert [e.message for e in crux.evidence_provided] == [met, missed]
    assert all(e.source == "its filings" for e in crux.evidence_provided)
