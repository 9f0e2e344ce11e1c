"""What everybody shares: CRY-4 of SPEC §13."""

import pytest

from cruxfinder.crux.law import shared_ground
from cruxfinder.crux.private_questions import GroundProbes, due_across_threads
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import ADVOCATE, MessageId, Phase
from tests.law.build import (
    ANN,
    BOB,
    CAT,
    DAN,
    OTHER_QUESTIONS,
    T1,
    T2,
    Play,
    challenge,
    claim,
    clarify,
    propose,
)

SNOW, RAIN, HAIL = "Winter brings snow", "Autumn brings rain", "Summer storms bring hail"


def asked(play: Play) -> list[str]:
    return [q.question for q in shared_ground.undisputed_questions(play.debate)]


def framed(statement: str) -> str:
    return f"Is it true that {statement}?"


# ---- what is asked about


@pytest.mark.rule("CRY-4")
def test_claims_nobody_challenged_are_asked_about_in_the_order_they_were_made() -> None:
    play = Play()
    for agent, said in ((ANN, SNOW), (BOB, RAIN), (ANN, HAIL)):
        play.post(agent, claim(proposition=said))
    assert asked(play) == [framed(SNOW), framed(RAIN), framed(HAIL)]
    assert [q.id for q in shared_ground.undisputed_questions(play.debate)] == ["g1", "g2", "g3"]


@pytest.mark.rule("CRY-4")
def test_a_claim_somebody_challenged_is_not_asked_about_whoever_makes_it_again() -> None:
    play = Play()
    play.post(BOB, challenge(play.post(ANN, claim(proposition=SNOW))))
    play.post(ANN, claim(proposition=SNOW))
    play.post(BOB, claim(proposition=RAIN))
    assert asked(play) == [framed(RAIN)]


@pytest.mark.rule("CRY-4")
def test_a_claim_a_candidate_asks_for_is_not_asked_about_again() -> None:
    play = Play()
    play.post(ANN, claim(proposition=SNOW))
    play.post(BOB, claim(proposition=RAIN))
    play.post(ANN, propose("Does winter bring snow every year?"))
    assert asked(play) == [framed(RAIN)]


@pytest.mark.rule("CRY-4")
def test_the_same_claim_is_asked_about_once_in_whatever_thread() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    play.post(ANN, claim(proposition=SNOW))
    play.spawn(OTHER_QUESTIONS[0])
    play.at = T2
    play.post(BOB, claim(proposition=SNOW))
    play.post(BOB, claim(proposition=RAIN))
    assert asked(play) == [framed(SNOW), framed(RAIN)]


@pytest.mark.rule("CRY-4")
def test_what_the_devils_advocate_says_is_not_asked_about() -> None:
    play = Play()
    for place in range(6):
        play.post((ANN, BOB)[place % 2], claim(proposition=SNOW))
    play.post(ADVOCATE, claim(proposition=HAIL))
    assert asked(play) == [framed(SNOW)]


@pytest.mark.rule("CRY-4")
def test_eight_are_asked_about_at_most() -> None:
    play = Play()
    for place in range(9):
        play.post((ANN, BOB)[place % 2], claim(proposition=f"Matter{place} holds{place}"))
    assert len(asked(play)) == 8


# ---- when


def ended(settings: Settings = Settings()) -> Play:
    """Converged, with a claim that nobody challenged."""
    play = Play(settings=settings)
    play.post(BOB, claim(proposition=RAIN))
    play.to_end()
    return play


@pytest.mark.rule("CRY-4")
def test_everybody_is_asked_in_private_once_nobody_speaks_any_more() -> None:
    play = ended()
    wanted = due_across_threads(play.debate)
    assert isinstance(wanted, GroundProbes) and wanted.agents == (ANN, BOB)
    assert [q.question for q in wanted.questions] == [framed(RAIN)]
    assert play.debate.complete is None, "the debate waits for it"
    play.across()
    assert set(play.debate.threads[T1].probes[Phase.GROUND, 1]) == {ANN, BOB}
    assert play.debate.complete is not None


@pytest.mark.rule("CRY-4")
def test_nobody_is_asked_while_a_thread_is_active() -> None:
    play = Play()
    play.post(BOB, claim(proposition=RAIN))
    play.post(ANN, clarify(MessageId("m1")))
    assert due_across_threads(play.debate) is None


@pytest.mark.rule("CRY-4")
def test_left_out_of_an_ablation_nothing_is_asked() -> None:
    play = ended(Settings(off=(shared_ground.GROUND,)))
    assert due_across_threads(play.debate) is None and play.debate.complete is not None


# ---- what is shared


@pytest.mark.rule("CRY-4")
@pytest.mark.parametrize(
    ("credences", "shared"),
    [
        pytest.param([0.75, 0.99, 0.8], True, id="every one is .75 or more"),
        pytest.param([0.74, 0.99, 0.99], None, id="one is less"),
        pytest.param([0.25, 0.01, 0.1], False, id="every one is .25 or less"),
        pytest.param([0.26, 0.01, 0.01], None, id="one is more"),
        pytest.param([0.9, 0.1], None, id="they differ"),
        pytest.param([0.9], None, id="one answer is not everybody's"),
        pytest.param([], None, id="no answers"),
    ],
)
def test_a_proposition_is_common_ground_when_every_private_credence_agrees(
    credences: list[float], shared: bool | None
) -> None:
    assert shared_ground.shared_answer(credences) is shared


@pytest.mark.rule("CRY-4")
@pytest.mark.parametrize(
    ("statement", "type"),
    [
        pytest.param("The state should tolerate coins", "value", id="a judgement of worth"),
        pytest.param("It would be unfair.", "value", id="at the end of a sentence"),
        pytest.param("The supply ends at 21 million", "factual", id="a figure"),
        pytest.param("The reserve was founded in 2008", "factual", id="a year"),
        pytest.param("Demand survives another winter", "empirical", id="something to be found out"),
        pytest.param("Good years in 2008", "value", id="worth before figures"),
    ],
)
def test_common_ground_is_factual_empirical_or_a_value(statement: str, type: str) -> None:
    assert shared_ground.type_of(statement) == type
