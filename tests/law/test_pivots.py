"""RED-5 circling in one tension leads elsewhere; RED-9 an act has a dilemma or an anchor."""

import pytest

from cruxfinder.kernel.pack import Agenda, Anchor, Dilemma, Tension
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import RuleId
from cruxfinder.talk import turn_tasks
from cruxfinder.talk.asks import AskTurn, TalkAnswer, TalkAsk
from cruxfinder.talk.events import PivotForced, TurnSpoken
from cruxfinder.talk.law import pivots
from cruxfinder.talk.law.pivots import count_cycles, current_tension, is_circling, sides, substance_due, tension_name
from cruxfinder.talk.state import Conversation
from cruxfinder.talk.turns import CHAIRS, PivotKind, TurnType
from tests.law.build import ANN, BOB, CAT, of
from tests.law.talk import HOST, Talking, order, spoken

PRICE = Tension(sides=("price", "access"), words=(("fares", "toll gate"), ("reach", "doors")))
PACE = Tension(sides=("speed", "calm"))
DILEMMA = Dilemma(text="Should a late ferry leave a child behind?")
OTHER_DILEMMA = Dilemma(text="Should a full ferry turn back for one?")
ANCHOR = Anchor(text="The ferryman counted his coins and not his ferries.", source="fable.txt, line 3")
USUAL = Redundancy()
SHORT = Redundancy(max_total_turns=12)

# What says nothing new about either side, so that it carries no tag.
HOLLOW = {0: "Fares, I agree.", 1: "Access, I agree.", 2: "I agree with you."}


def said(*turns: int | str) -> Talking:
    """Ann and Bob in turn: a side of the tension and nothing new, or a text."""
    talk = Talking(ANN, BOB)
    for place, turn in enumerate(turns):
        content = HOLLOW[turn] if isinstance(turn, int) else turn
        assert of(talk.say((ANN, BOB)[place % 2], content, last=True), TurnSpoken)
    return talk


NEW = "If fares fall, then doors open for pensioners at dawn."


# ---- RED-5: counting


@pytest.mark.rule("RED-5")
@pytest.mark.parametrize(
    ("turns", "found"),
    [
        pytest.param((), 0, id="nothing said"),
        pytest.param((0,), 0, id="one turn"),
        pytest.param((0, 1), 1, id="both sides in two turns running"),
        pytest.param((0, 0, 0), 0, id="one side only"),
        pytest.param((0, 2, 1), 0, id="the sides are two turns apart"),
        pytest.param((0, 1, 0), 2, id="there and back"),
        pytest.param((0, 1, 0, 1), 3, id="and again"),
        pytest.param((0, 1, 2, 0, 1), 2, id="a pause does not undo it"),
        pytest.param((0, 1, NEW), 0, id="something new does"),
        pytest.param((0, 1, NEW, 1), 1, id="counted anew since"),
    ],
)
def test_a_cycle_is_both_sides_in_two_turns_without_anything_new(turns: tuple[int | str, ...], found: int) -> None:
    assert count_cycles(said(*turns).talk, PRICE) == found


def test_what_the_tests_take_for_hollow_and_for_new_is_so() -> None:
    assert [bool(t.entailments) for t in said(0, 1, 2, NEW).talk.turns] == [False, False, False, True]


@pytest.mark.rule("RED-5")
@pytest.mark.parametrize(("turns", "circles"), [((0, 1), False), ((0, 1, 0), True), ((0, 1, NEW), False)])
def test_two_cycles_are_circling(turns: tuple[int | str, ...], circles: bool) -> None:
    assert is_circling(said(*turns).talk, PRICE, USUAL) == circles
    assert is_circling(said(*turns).talk, PRICE, Redundancy(on_tension_cycles=1)) == (turns[-1] != NEW)


@pytest.mark.rule("RED-5")
def test_one_turn_that_speaks_of_both_sides_makes_a_cycle_with_any_other() -> None:
    assert count_cycles(said("Fares and access, I agree.", 2).talk, PRICE) == 1


@pytest.mark.rule("RED-5")
def test_without_a_tension_two_turns_without_anything_new_are_a_cycle() -> None:
    assert count_cycles(said(2, 2, 2).talk, None) == 2
    assert count_cycles(said(2, NEW, 2).talk, None) == 1


@pytest.mark.rule("RED-5")
@pytest.mark.parametrize(
    ("to", "found"),
    [
        (PivotKind.DILEMMA, 0),
        (PivotKind.ANCHOR, 0),
        (PivotKind.TENSION, 0),
        (PivotKind.SPEAKER, 1),
        (PivotKind.REASON, 1),
    ],
)
def test_another_subject_begins_anew_and_another_speaker_does_not(to: PivotKind, found: int) -> None:
    talk = said(0, 1)
    talk.turn_to(to)
    assert count_cycles(talk.talk, PRICE) == found
    talk.say(ANN, HOLLOW[0], last=True)
    assert count_cycles(talk.talk, PRICE) == 2 * found, "one turn since it began anew"


@pytest.mark.rule("RED-5")
def test_what_the_host_says_between_is_not_counted() -> None:
    talk = said(0)
    talk.say(HOST, "Access?", TurnType.QUESTION, last=True)
    assert count_cycles(talk.talk, PRICE) == 0
    talk.say(BOB, HOLLOW[1], last=True)
    assert count_cycles(talk.talk, PRICE) == 1


@pytest.mark.rule("RED-5")
@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("Prices rise.", {0}),
        ("The FARE is a toll.", {0}),
        ("Nobody reached the door.", {1}),
        ("A gate gives access.", {0, 1}),
        ("Accessory farewells.", set()),
        ("Ferries sail.", set()),
    ],
)
def test_a_side_is_known_by_its_name_and_its_words(content: str, found: set[int]) -> None:
    assert sides(said(content).talk.turns[0], PRICE) == found


@pytest.mark.rule("RED-5")
def test_the_tension_at_hand_is_the_one_last_led_to_else_the_first() -> None:
    talk = said(0)
    assert current_tension(talk.talk, ()) is None
    assert current_tension(talk.talk, (PRICE, PACE)) is PRICE
    talk.turn_to(PivotKind.TENSION, tension_name(PACE))
    talk.turn_to(PivotKind.DILEMMA, DILEMMA.text)
    assert current_tension(talk.talk, (PRICE, PACE)) is PACE
    assert tension_name(PACE) == "speed and calm"
    talk.turn_to(PivotKind.TENSION, tension_name(PRICE))
    assert current_tension(talk.talk, (PRICE, PACE)) is PRICE


# ---- RED-9


def with_pivot(turns: int, at: int | None, to: PivotKind = PivotKind.DILEMMA) -> Talking:
    """So many turns, and after so many of them a pivot."""
    talk = Talking(ANN, BOB)
    for number in range(turns + 1):
        if number == at:
            talk.turn_to(to)
        if number < turns:
            talk.post((ANN, BOB)[number % 2])
    return talk


@pytest.mark.rule("RED-9")
@pytest.mark.parametrize(
    ("turns", "pivot", "due"),
    [
        pytest.param(7, None, False, id="the act is young"),
        pytest.param(8, None, True, id="two thirds of it are over"),
        pytest.param(11, None, True, id="nearly all of it"),
        pytest.param(12, None, False, id="the next act begins"),
        pytest.param(20, None, True, id="two thirds of the second"),
        pytest.param(9, 0, False, id="a dilemma at the start"),
        pytest.param(9, 8, False, id="a dilemma just now"),
        pytest.param(20, 11, True, id="a dilemma in the act before"),
        pytest.param(20, 12, False, id="a dilemma at its very start"),
    ],
)
def test_an_act_without_a_case_or_a_text_wants_one(turns: int, pivot: int | None, due: bool) -> None:
    assert substance_due(with_pivot(turns, pivot).talk, USUAL) == due


@pytest.mark.rule("RED-9")
@pytest.mark.parametrize(
    ("to", "due"),
    [
        (PivotKind.DILEMMA, False),
        (PivotKind.ANCHOR, False),
        (PivotKind.TENSION, True),
        (PivotKind.SPEAKER, True),
        (PivotKind.REASON, True),
    ],
)
def test_only_a_dilemma_and_an_anchor_are_substance(to: PivotKind, due: bool) -> None:
    talk = with_pivot(9, 2, to).talk
    assert substance_due(talk, USUAL) == due
    assert pivots.acts_without_substance(with_pivot(12, 2, to).talk, USUAL) == ((1,) if due else ())


@pytest.mark.rule("RED-9")
@pytest.mark.parametrize(
    ("turns", "pivot", "bare"),
    [
        pytest.param(3, None, (), id="no whole act"),
        pytest.param(4, None, (1,), id="one act"),
        pytest.param(11, None, (1, 2), id="two"),
        pytest.param(8, 3, (2,), id="a case before the last turn of the first"),
        pytest.param(8, 4, (1,), id="a case before the first turn of the second"),
    ],
)
def test_acts_without_substance_are_known(turns: int, pivot: int | None, bare: tuple[int, ...]) -> None:
    found = pivots.acts_without_substance(with_pivot(turns, pivot).talk, Redundancy(synthesis_interval=4))
    assert found == bare


@pytest.mark.rule("RED-9")
def test_what_was_brought_up_is_not_brought_up_again() -> None:
    talk = said(0)
    assert pivots.unused_dilemmas(talk.talk, (DILEMMA, OTHER_DILEMMA)) == (DILEMMA, OTHER_DILEMMA)
    talk.turn_to(PivotKind.DILEMMA, DILEMMA.text)
    talk.turn_to(PivotKind.ANCHOR, ANCHOR.text)
    assert pivots.unused_dilemmas(talk.talk, (DILEMMA, OTHER_DILEMMA)) == (OTHER_DILEMMA,)
    assert pivots.unused_anchors(talk.talk, (ANCHOR,)) == ()


# ---- whole roundtables


class Hollow:
    """Speakers who go back and forth between the two sides of a tension; with a case before them they speak to it."""

    def __init__(self, talk: Talking) -> None:
        self.talk = talk
        self.asked: list[AskTurn] = []

    def __call__(self, ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        if not isinstance(ask, AskTurn):
            return self.talk.well(ask, debate)
        self.asked.append(ask)
        if ask.role in CHAIRS or ask.task in {turn_tasks.CASE, turn_tasks.PASSAGE} or self.talk.talk.pivots:
            return self.talk.well(ask, debate)
        return spoken(ask, HOLLOW[len(self.talk.talk.speaker_turns) % 2])


def forced(agenda: Agenda, limits: Redundancy = SHORT) -> tuple[Talking, Hollow, PivotForced]:
    """A roundtable of two that circles, and where it was first led."""
    talk = Talking(ANN, BOB, settings=Settings(redundancy=limits))
    answers = Hollow(talk)
    events = talk.held(answers, agenda=agenda)
    return talk, answers, of(events, PivotForced)[0]


@pytest.mark.rule("RED-5")
@pytest.mark.parametrize(
    ("agenda", "to", "text", "source"),
    [
        pytest.param(
            Agenda(tensions=(PRICE, PACE), dilemmas=(DILEMMA,), anchors=(ANCHOR,)),
            PivotKind.DILEMMA,
            DILEMMA.text,
            "",
            id="a dilemma first",
        ),
        pytest.param(
            Agenda(tensions=(PRICE, PACE), anchors=(ANCHOR,)),
            PivotKind.ANCHOR,
            ANCHOR.text,
            ANCHOR.source,
            id="an anchor with its source",
        ),
        pytest.param(Agenda(tensions=(PRICE, PACE)), PivotKind.TENSION, "speed and calm", "", id="another tension"),
    ],
)
def test_two_cycles_force_a_pivot(agenda: Agenda, to: PivotKind, text: str, source: str) -> None:
    pivot = forced(agenda)[2]
    assert (pivot.cause, pivot.to, pivot.text, pivot.source) == ("RED-5", to, text, source)
    assert pivot.number == 4, "after the host's question and three turns"


@pytest.mark.rule("RED-5")
def test_the_host_puts_the_case_and_everybody_says_one_sentence() -> None:
    talk, answers, pivot = forced(Agenda(tensions=(PRICE,), dilemmas=(DILEMMA,)))
    led = [ask for ask in answers.asked if ask.subject == DILEMMA.text and ask.task != turn_tasks.GO_ON]
    assert [(a.agent, a.type, a.sentences) for a in led[:3]] == [
        (HOST, TurnType.QUESTION, 0),
        (BOB, TurnType.REACTION, 1),  # who has spoken less
        (ANN, TurnType.REACTION, 1),
    ]
    after = [t.agent for t in talk.talk.turns if t.number > pivot.number]
    assert after[:3] == [HOST, BOB, ANN]


@pytest.mark.rule("RED-5")
def test_something_new_in_every_turn_forces_no_pivot() -> None:
    talk = Talking(ANN, BOB, settings=Settings(redundancy=Redundancy(max_total_turns=8)))
    events = talk.held(agenda=Agenda(tensions=(PRICE, PACE), dilemmas=(DILEMMA,)))
    assert of(events, PivotForced) == ()


@pytest.mark.rule("RED-5")
@pytest.mark.parametrize(
    ("limits", "to"),
    [
        (Redundancy(max_total_turns=12, inject_dilemma=False), PivotKind.ANCHOR),
        (Redundancy(max_total_turns=12, inject_dilemma=False, inject_retrieved_anchor=False), PivotKind.TENSION),
    ],
)
def test_what_a_user_does_not_want_is_not_brought_in(limits: Redundancy, to: PivotKind) -> None:
    agenda = Agenda(tensions=(PRICE, PACE), dilemmas=(DILEMMA,), anchors=(ANCHOR,))
    assert forced(agenda, limits)[2].to is to


@pytest.mark.rule("RED-9")
def test_an_act_of_a_roundtable_gets_its_case_though_nobody_circles() -> None:
    talk = Talking(ANN, BOB, CAT)
    events = talk.held(agenda=Agenda(dilemmas=(DILEMMA, OTHER_DILEMMA), anchors=(ANCHOR,)))
    led = [(p.cause, p.to, p.number) for p in of(events, PivotForced) if p.cause != "RED-1"]
    assert led[0] == (RuleId("RED-9"), PivotKind.DILEMMA, 8)
    assert led[1][1] is PivotKind.ANCHOR, "the kind used least so far comes first"
    assert pivots.acts_without_substance(talk.talk, USUAL) == (4,), "three were there to be brought"


@pytest.mark.rule("RED-9")
def test_a_roundtable_without_any_goes_on_without() -> None:
    events = Talking(settings=Settings(redundancy=Redundancy(max_total_turns=24))).held()
    assert {p.cause for p in of(events, PivotForced)} == {"RED-1"}
    assert len(of(events, TurnSpoken)) == 24


@pytest.mark.rule("RED-5")
def test_a_case_is_put_before_the_table_even_if_the_host_has_just_spoken() -> None:
    talk = Talking(ANN, BOB, settings=Settings(redundancy=Redundancy(max_total_turns=12)))
    off = ["Ferries.", "Violins.", "Lanterns."]

    def answering(ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        number = len(talk.talk.turns)
        drifts = isinstance(ask, AskTurn) and ask.role not in CHAIRS and 1 <= number <= len(off)
        return spoken(ask, off[number - 1]) if drifts and isinstance(ask, AskTurn) else talk.well(ask, debate)

    events = talk.held(answering, agenda=Agenda(dilemmas=(DILEMMA,)))
    pivot = next(p for p in of(events, PivotForced) if p.to is PivotKind.DILEMMA)
    assert order(events)[pivot.number] == (HOST, "question")
