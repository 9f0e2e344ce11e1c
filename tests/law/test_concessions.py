"""What a concession must name, CONC-1, and which concessions are cheap, CONC-2."""

from dataclasses import replace

import pytest

from cruxfinder.crux.events import Conceded
from cruxfinder.crux.law.concessions import is_cheap_concession
from cruxfinder.crux.law.stages import is_stable
from cruxfinder.crux.moves import Concede
from cruxfinder.crux.result import result_of
from cruxfinder.crux.state import TopClaim
from cruxfinder.kernel.vocabulary import Side, TopSide, Verdict
from tests.law.build import ANN, BOB, Play, attack, claim, concede, evidence, of, only, refused, update

YES, NO, NUANCED = TopSide.YES, TopSide.NO, TopSide.NUANCED


def at_evidence() -> tuple[Play, str]:
    """BOB said NO of the topic in public; ANN has brought a piece of evidence."""
    play = Play()
    play.post(BOB, claim(top_side=NO))
    play.to_evidence()
    return play, play.post(ANN, evidence(BOB))


def granting(top_changed: bool, before: TopSide | None, after: TopSide | None) -> Concede:
    return Concede(proposition="One fund did sell", top_changed=top_changed, side_before=before, side_after=after)


# ---- CONC-1


@pytest.mark.rule("CONC-1")
@pytest.mark.parametrize(
    ("move", "allowed"),
    [
        pytest.param(granting(False, None, None), True, id="the top claim stands"),
        pytest.param(granting(True, NO, YES), True, id="it changed, from NO to YES"),
        pytest.param(granting(True, NO, NUANCED), True, id="it changed, from NO to NUANCED"),
        pytest.param(granting(False, NO, NO), True, id="it stands, at NO"),
        pytest.param(granting(True, None, None), False, id="it changed, nobody knows how"),
        pytest.param(granting(True, NO, None), False, id="it changed, to what?"),
        pytest.param(granting(True, None, YES), False, id="it changed, from what?"),
        pytest.param(granting(True, NO, NO), False, id="it changed from NO to NO"),
        pytest.param(granting(True, YES, NO), False, id="it changed from a side it was not on"),
        pytest.param(granting(False, NO, YES), False, id="it stands, from NO to YES"),
        pytest.param(granting(False, NO, None), False, id="it stands, with half a change"),
    ],
)
def test_a_concession_names_whether_the_top_claim_changed_and_how(move: Concede, allowed: bool) -> None:
    play, _ = at_evidence()
    events = play.say(BOB, move)
    assert refused(events) == (set() if allowed else {"CONC-1"})
    assert len(of(events, Conceded)) == allowed


@pytest.mark.rule("CONC-1")
def test_a_concession_names_the_exact_proposition() -> None:
    play, _ = at_evidence()
    assert refused(play.say(BOB, replace(concede(), proposition="  "))) == {"VOC-1"}
    play.post(BOB, replace(concede(), proposition="Fund 3 sold in June"))
    crux = result_of(play.events).threads[0].crux
    assert crux is not None and crux.positions[BOB].concessions == ("Fund 3 sold in June",)


@pytest.mark.rule("CONC-1")
def test_who_never_spoke_of_the_topic_may_have_stood_anywhere() -> None:
    play = Play()
    play.to_evidence()
    play.post(ANN, evidence(BOB))
    assert BOB not in play.debate.tops
    assert refused(play.say(BOB, concede(YES, NO))) == set()


@pytest.mark.rule("CONC-1")
@pytest.mark.parametrize(
    ("before", "after", "confidence", "allowed"),
    [
        pytest.param(Side.NO, Side.YES, (0.8, 0.6), True, id="from its side to another"),
        pytest.param(Side.NO, Side.NO, (0.8, 0.6), True, id="less sure of the same side"),
        pytest.param(Side.YES, Side.NO, (0.8, 0.6), False, id="from a side it was not on"),
        pytest.param(Side.NO, Side.NO, (0.8, 0.8), False, id="nothing changed"),
    ],
)
def test_an_update_names_the_side_it_leaves_and_what_changed(
    before: Side, after: Side, confidence: tuple[float, float], allowed: bool
) -> None:
    play, shown = at_evidence()
    events = play.say(BOB, update(shown, before, after, confidence))
    assert refused(events) == (set() if allowed else {"CONC-1"})


@pytest.mark.rule("VOC-5")
def test_a_top_claim_is_stated_by_a_claim_and_changed_by_a_concession() -> None:
    play, shown = at_evidence()
    stated = play.debate.tops[BOB]
    assert (stated.statement, stated.side, stated.confidence) == ("Demand is anchored", NO, 0.7)
    play.post(BOB, concede(NO, YES), reply_to=shown)
    changed = play.debate.tops[BOB]
    assert (changed.side, changed.updated_ms) == (YES, play.now_ms)
    assert changed.updated_ms > stated.updated_ms


@pytest.mark.rule("VOC-5")
def test_a_cheap_concession_leaves_the_top_claim_as_it_was() -> None:
    play, shown = at_evidence()
    before: TopClaim = play.debate.tops[BOB]
    play.post(BOB, concede(), reply_to=shown)
    assert play.debate.tops[BOB] is before


# ---- CONC-2


@pytest.mark.rule("CONC-2")
@pytest.mark.parametrize(
    ("move", "is_cheap"),
    [
        pytest.param(granting(False, None, None), True, id="the top claim stands"),
        pytest.param(granting(False, NO, NO), True, id="it stands, at NO"),
        pytest.param(granting(True, NO, YES), False, id="it changed"),
    ],
)
def test_one_that_leaves_the_top_claim_is_cheap(move: Concede, is_cheap: bool) -> None:
    assert is_cheap_concession(move) is is_cheap
    play, _ = at_evidence()
    assert only(play.say(BOB, move), Conceded).cheap is is_cheap


def calm(play: Play, concession: Concede) -> Play:
    """Five messages, each piece of evidence answered, the concession among them."""
    for _ in range(2):
        play.post(BOB, attack(play.post(ANN, evidence(BOB))))
    play.post(BOB, concession)
    return play


@pytest.mark.rule("CONC-2")
def test_a_cheap_one_has_no_weight_for_convergence() -> None:
    play = calm(at_evidence()[0], concede())
    assert play.thread.side_changed_at == -1
    assert is_stable(play.thread)
    assert play.thread.unlabelled == ()


@pytest.mark.rule("CONC-2")
def test_one_that_changes_the_top_claim_has() -> None:
    play = calm(at_evidence()[0], concede(NO, YES))
    assert play.thread.side_changed_at == len(play.thread.messages) - 1
    assert not is_stable(play.thread)
    assert [m.agent for m in play.thread.unlabelled] == [BOB]


@pytest.mark.rule("CONC-2")
def test_cheap_ones_are_recorded_and_resolve_nothing() -> None:
    play, shown = at_evidence()
    play.post(BOB, concede(), reply_to=shown)
    play.post(BOB, concede())
    play.to_end()
    found = result_of(play.events)
    assert found.verdict is Verdict.CRUX
    assert (found.system_metrics.concessions, found.system_metrics.cheap_concessions) == (2, 2)
    assert found.threads[0].changes == ()
