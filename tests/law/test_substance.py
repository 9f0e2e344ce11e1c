"""What a turn is made of, and what that weighs."""

import pytest

from cruxfinder.kernel.redundancy_limits import Entailment
from cruxfinder.language.english import connectives
from cruxfinder.language.english.entailments import statement
from cruxfinder.language.english.substance import MakeUp, make_up, weigh_turn
from cruxfinder.language.english.substance_weights import BIAS, MAKE_UP, WORDS


def weigh(text: str) -> float:
    said = [statement(s) for s in connectives.sentences(text)]
    return weigh_turn(make_up(said, (), text, argues=False), said)


def test_a_turn_is_taken_apart() -> None:
    text = "I agree with Lena. Trams cut noise, because trams have no engines! Do you hear trams?"
    said = [statement(s) for s in connectives.sentences(text)]
    assert make_up(said, (Entailment.IMPLICATION, Entailment.TEST), text, argues=True) == MakeUp(
        own=5,  # Lena, trams, cut, noise, engines
        few=False,
        own_share=7 / 17,
        repeated=1 - 5 / 7,
        most_own=4,
        most_own_impersonal=4,
        states=True,
        first_person=1 / 17,
        second_person=1 / 17,
        marked=1 / 3,
        any_marked=True,
        any_turned=False,
        joints=1,
        argues=True,
        told=2,
        concedes=False,
        tests=True,
        asks=True,
    )


def test_each_figure_and_each_word_has_its_weight() -> None:
    assert len(MAKE_UP) == len(MakeUp._fields)
    assert all(weight for weight in WORDS.values()) and all(word == word.lower().strip() for word in WORDS)
    for word in ("please", "behind"):
        assert WORDS[word] < 0
    nothing = [statement("Oxen plough furrows.")]
    figures = make_up(nothing, (), "Oxen plough furrows.", argues=False)
    assert weigh_turn(figures, nothing) == pytest.approx(
        BIAS + sum(weight * figure for weight, figure in zip(MAKE_UP, figures, strict=True))
    )


def test_a_word_counts_once_however_often_it_is_said() -> None:
    said = [statement("Oxen plough behind barns.")]
    made = make_up(said, (), "", argues=False)
    assert weigh_turn(made, said) == weigh_turn(
        made, [statement("Oxen plough behind barns, behind barns, behind barns.")]
    )
    assert weigh_turn(made, said) - weigh_turn(made, [statement("Oxen plough barns.")]) == pytest.approx(
        WORDS["behind"]
    )


def test_nothing_said_carries_nothing() -> None:
    assert weigh("") < 0


def test_more_of_its_own_weighs_more_and_the_same_again_weighs_less() -> None:
    short = weigh("Trams cut noise.")
    assert weigh("Trams cut noise, dust and waiting near hospitals.") > short
    assert weigh("Trams cut noise. Trams cut noise. Trams cut noise.") < short
