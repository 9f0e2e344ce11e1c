"""RED-3 a turn repeats no recent one, RED-4 it adds to the claim graph; and what of RED-2 a user may set."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.kernel.redundancy_limits import Entailment, Redundancy
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import RuleId
from cruxfinder.language.english.english_reader import EnglishReader
from cruxfinder.language.english.repetition import DRAWN_AT, measure_nearness, repeats, repetition_line
from cruxfinder.language.reading import DraftReading, Nearness, Passage, Retelling
from cruxfinder.language.redundancy import check_repetition, is_retold, wanted_types
from cruxfinder.talk.asks import AskTurn, TalkAnswer, TalkAsk
from cruxfinder.talk.commands import Speak
from cruxfinder.talk.events import TurnRefused, TurnSpoken
from cruxfinder.talk.law.novelty import texts_said
from cruxfinder.talk.state import Conversation
from cruxfinder.talk.turn_passage import turn_passage
from cruxfinder.talk.turns import TurnDraft, TurnType
from tests import pace
from tests.law.build import ANN, BOB, CAT, only
from tests.law.talk import HOST, Talking, flagged, fresh, refused, spoken

SAID = "If the harbour silts up, then ferries must anchor outside."
AGAIN = "Once the harbour silts up, ferries have to anchor outside."
LINE = 0.6  # where some embedder draws its line
SAME = Nearness(1.0, 1.0, opposed=False)


def as_near(figure: float) -> tuple[float, float]:
    """As near sentence by sentence as it is as a whole."""
    return figure, figure


def after(*contents: str, settings: Settings = Settings()) -> Talking:
    """Bob and Cat have said this, in turn, whatever stood against it."""
    talk = Talking(settings=settings)
    for place, content in enumerate(contents):
        assert not refused(talk.say((BOB, CAT)[place % 2], content, last=True))
    return talk


# ---- RED-3


@pytest.mark.rule("RED-3")
@pytest.mark.parametrize(
    ("figures", "repeats"),
    [
        pytest.param((), False, id="nothing to repeat"),
        pytest.param((LINE - 0.01,), False, id="just below the line"),
        pytest.param((LINE,), True, id="on the line"),
        pytest.param((1.0,), True, id="the same"),
        pytest.param((0.0, 0.0, LINE), True, id="any of them"),
        pytest.param((0.59, 0.59, 0.59), False, id="near to all and like none"),
    ],
)
def test_a_turn_that_makes_a_recent_point_again_is_sent_back(figures: tuple[float, ...], repeats: bool) -> None:
    talk = after(*(fresh(90 + n) for n in range(len(figures))))
    events = talk.say(ANN, near=[*map(as_near, figures)], drawn=LINE)
    assert refused(events) == ({"RED-3"} if repeats else set())


@pytest.mark.rule("RED-3")
def test_the_refusal_quotes_the_turn_that_is_repeated_once() -> None:
    talk = after("One two three four five six seven eight nine.", "Another one.")
    refusals = only(talk.say(ANN, near=[as_near(0.9), as_near(1.0)], drawn=LINE), TurnRefused).refusals
    assert [r.reason for r in refusals] == ['it makes the point of "One two three four five six seven eight…" again']


@pytest.mark.rule("RED-3")
def test_where_no_draft_follows_a_repetition_is_taken_with_a_flag_and_its_figure() -> None:
    events = after(SAID, fresh(90)).say(ANN, near=[as_near(0.71234), as_near(0.4)], drawn=LINE, last=True)
    assert flagged(events) == {"RED-3"}
    assert only(events, TurnSpoken).similarity == 0.712


@pytest.mark.rule("RED-3")
def test_a_repetition_is_sent_back_twice_and_then_weighed() -> None:
    talk = after(SAID)
    outcomes = [
        only(talk.say(ANN, fresh(1), near=[as_near(1.0)], drawn=LINE, attempt=attempt), TurnRefused).outcome
        for attempt in (1, 2, 3)
    ]
    assert outcomes == ["revise", "revise", "weighed"]


@pytest.mark.rule("RED-3")
def test_a_chair_may_say_again_what_was_said() -> None:
    talk = after(SAID)
    near = [as_near(1.0)]
    assert refused(talk.say(HOST, SAID, TurnType.REACTION, near=near, drawn=LINE)) == set()


@pytest.mark.rule("RED-3")
def test_a_question_is_no_repetition() -> None:
    near = [as_near(1.0)]
    events = after(SAID).say(ANN, "Must ferries anchor outside?", TurnType.QUESTION, near=near, drawn=LINE)
    assert refused(events) == set()


@pytest.mark.rule("RED-3")
def test_a_draft_is_compared_with_the_last_three_turns_of_speakers() -> None:
    talk = Talking()
    talk.post(ANN, BOB, CAT, HOST, ANN, HOST)
    assert texts_said(talk.talk)[-3:] == (fresh(2), fresh(3), fresh(5))
    assert texts_said(Talking().talk) == ()


@pytest.mark.rule("RED-3")
def test_what_denies_the_point_does_not_repeat_it() -> None:
    denied = "If the harbour silts up, then ferries must not anchor outside."
    talk = after(SAID)
    assert "RED-3" not in refused(talk.say(ANN, denied, near=[as_near(1.0)], drawn=LINE))
    assert "RED-3" in refused(talk.say(ANN, AGAIN, near=[as_near(1.0)], drawn=LINE))


# ---- the written scale


@pytest.mark.rule("RED-3")
@pytest.mark.parametrize("calibrated", [0.2, 0.5, 0.63, 0.85, 0.99])
def test_the_written_threshold_of_85_is_the_embedders_own_line(calibrated: float) -> None:
    assert repetition_line(0.85, calibrated) == pytest.approx(calibrated)
    assert repetition_line(1.0, calibrated) == pytest.approx(1.0)
    assert repetition_line(0.0, calibrated) == pytest.approx(0.0)


@pytest.mark.rule("RED-3")
@pytest.mark.parametrize(
    ("written", "drawn"),
    [(0.425, 0.3), (0.17, 0.12), (0.925, 0.8), (0.88, 0.68)],
    ids=["half the way up to it", "a fifth of the way", "half the way beyond", "a fifth beyond"],
)
def test_between_the_ends_the_scale_is_even(written: float, drawn: float) -> None:
    assert repetition_line(written, LINE) == pytest.approx(drawn)


def test_the_scale_rises_from_end_to_end() -> None:
    drawn = [repetition_line(n / 100, LINE) for n in range(101)]
    assert drawn == sorted(drawn) and len(set(drawn)) == 101


@pytest.mark.parametrize(("threshold", "revised"), [(0.85, True), (0.999, False)])
@pytest.mark.rule("RED-3")
def test_the_threshold_of_the_user_decides_in_a_conversation(threshold: float, revised: bool) -> None:
    """The third to speak says nearly what the first said; in the words the two share lies the embedder's figure."""
    limits = Redundancy(similarity_threshold=threshold, require_entailment=False, claim_graph_required=False)
    talk = Talking(settings=Settings(redundancy=limits))
    firm = "If winter harbours silt, then heavy ferries anchor outside."

    def answering(ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        number = len(talk.talk.turns)
        if isinstance(ask, AskTurn) and number in {1, 2} and not ask.refused:
            return spoken(ask, firm if number == 1 else f"{firm[:-1]} gladly.")
        return talk.well(ask, debate)

    refusals = [e for e in talk.held(answering) if isinstance(e, TurnRefused)]
    assert [{str(r.rule) for r in e.refusals} for e in refusals] == ([{"RED-3"}] if revised else [])


# ---- RED-4


@pytest.mark.rule("RED-4")
@pytest.mark.parametrize(
    ("content", "no"),
    [
        pytest.param("If piers rot, then dockers strike.", set(), id="new claims"),
        pytest.param("Ferries must anchor outside.", {"RED-4"}, id="a claim that stands already"),
        pytest.param(SAID, {"RED-4"}, id="its claims and its link stand already"),
        pytest.param(
            "The harbour silts up because ferries must anchor outside.", set(), id="a link that is not there yet"
        ),
        pytest.param("I agree with Bob.", {"RED-4"}, id="no claim"),
        pytest.param("The harbour does not silt up.", set(), id="a claim denied"),
    ],
)
def test_a_turn_adds_a_claim_or_a_link(content: str, no: set[str]) -> None:
    only_graph = Settings(redundancy=Redundancy(require_entailment=False))
    assert refused(after(SAID, settings=only_graph).say(ANN, content)) == no


@pytest.mark.rule("RED-4")
def test_what_is_added_is_counted_and_is_in_the_graph_from_then_on() -> None:
    talk = Talking()
    spoke = only(talk.say(ANN, SAID), TurnSpoken)
    assert (spoke.claims, spoke.links) == (2, 1)
    again = only(talk.say(BOB, SAID, last=True), TurnSpoken)
    assert (again.claims, again.links) == (0, 0)
    assert {"RED-4"} <= {str(r.rule) for r in again.flags}


@pytest.mark.rule("RED-4")
def test_what_a_chair_says_is_no_claim_of_the_conversation() -> None:
    talk = Talking()
    spoke = only(talk.say(HOST, SAID, TurnType.REACTION), TurnSpoken)
    assert (spoke.claims, spoke.links, spoke.entailments) == (0, 0, ())
    assert refused(talk.say(ANN, SAID)) == set(), "so a speaker may make it"


@pytest.mark.rule("RED-4")
def test_the_claim_graph_need_not_be_added_to_where_the_user_says_so() -> None:
    talk = after(SAID, settings=Settings(redundancy=Redundancy(require_entailment=False, claim_graph_required=False)))
    assert refused(talk.say(ANN, SAID)) == set()


@pytest.mark.rule("RED-4")
def test_of_three_drafts_the_one_with_least_against_it_is_taken_and_flagged() -> None:
    talk = Talking(settings=Settings(redundancy=Redundancy(max_total_turns=4)))
    drafts = [
        "I agree, thanks.",
        "I agree.",
        "Thanks, great point, I agree.",
    ]  # three, two and three rules against them

    def answering(ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        if isinstance(ask, AskTurn) and len(talk.talk.turns) == 1:
            return spoken(ask, drafts[ask.attempt - 1])
        return talk.well(ask, debate)

    events = talk.held(answering)
    outcomes = [(e.outcome, len({r.rule for r in e.refusals})) for e in events if isinstance(e, TurnRefused)]
    assert outcomes == [("revise", 3), ("revise", 2), ("weighed", 3)]
    turn = talk.talk.turns[1]
    assert turn.content == drafts[1]
    assert {str(r.rule) for r in turn.flags} == {"RED-2", "RED-4"}


# ---- what of RED-2 is set here

CONCEDED = "I grant that winter crews deserve bonuses."
TESTED = "A survey of dockers would show whether wages fell."


@pytest.mark.rule("RED-2")
@pytest.mark.parametrize(
    ("types", "content", "no"),
    [
        pytest.param(("implication",), SAID, set(), id="an implication is asked for"),
        pytest.param(("test",), SAID, {"RED-2"}, id="a test is, and an implication is none"),
        pytest.param(("test",), TESTED, set(), id="a test is, and brought"),
        pytest.param(("counterexample",), CONCEDED, set(), id="a concession counts as a counterexample does"),
        pytest.param(("concession",), CONCEDED, set(), id="a concession by its name"),
    ],
)
def test_the_types_asked_for_are_a_setting(types: tuple[str, ...], content: str, no: set[str]) -> None:
    limits = Redundancy(entailment_types=tuple(Entailment(t) for t in types), claim_graph_required=False)
    events = Talking(settings=Settings(redundancy=limits)).say(ANN, content)
    assert refused(events) == no


@pytest.mark.rule("RED-2")
def test_a_concession_counts_with_counterexamples_only() -> None:
    assert Entailment.CONCESSION in wanted_types(Redundancy())
    asked = Redundancy(entailment_types=(Entailment.IMPLICATION, Entailment.TEST))
    assert wanted_types(asked) == {Entailment.IMPLICATION, Entailment.TEST}


@pytest.mark.rule("RED-2")
def test_a_turn_is_tagged_with_what_is_asked_for_only() -> None:
    limits = Redundancy(entailment_types=(Entailment.TEST,))
    talk = Talking(settings=Settings(redundancy=limits))
    both = f"{TESTED} {SAID}"
    assert only(talk.say(ANN, both), TurnSpoken).entailments == (Entailment.TEST,)


@pytest.mark.rule("RED-2")
def test_an_entailment_need_not_be_brought_where_the_user_says_so() -> None:
    hollow = "I agree with Bob."
    assert "RED-2" in refused(Talking().say(ANN, hollow))
    limits = Redundancy(require_entailment=False)
    assert "RED-2" not in refused(Talking(settings=Settings(redundancy=limits)).say(ANN, hollow))


# ---- off


@pytest.mark.parametrize("rule", ["RED-2", "RED-3", "RED-4"])
def test_a_rule_that_is_switched_off_says_nothing(rule: str) -> None:
    hollow = "I agree with Bob."
    all_three = {"RED-2", "RED-3", "RED-4"}
    near = [as_near(1.0)]
    assert refused(after(hollow).say(ANN, hollow, near=near, drawn=LINE)) == all_three
    talk = after(hollow, settings=Settings(off=(RuleId(rule),)))
    assert refused(talk.say(ANN, hollow, near=near, drawn=LINE)) == all_three - {rule}
    off = tuple(RuleId(r) for r in sorted(all_three))
    assert refused(after(hollow, settings=Settings(off=off)).say(ANN, hollow, near=near, drawn=LINE)) == set()


@pytest.mark.rule("RED-3")
def test_a_turn_repeats_another_as_far_as_its_sentences_do() -> None:
    """Long turns on one subject share many words; what counts is whether each of them says the same."""
    like = embedder("static")
    silt = "If the harbour silts up, then the ferry stops."
    mill = "The mill sends its flour by water, so it must close within a winter."
    oysters = "Dredged mud settles on the oyster beds, which choke before spring."
    drawn = repetition_line(0.8, like.repetition)
    assert measure_nearness(like, silt, (silt,), drawn) == (SAME,)
    turned, other = measure_nearness(like, f"{silt} {mill}", (f"{mill} {silt}", f"{silt} {oysters}"), drawn)
    assert turned == SAME
    whole = like.same_point(f"{silt} {mill}", f"{silt} {oysters}")
    assert other.again < drawn < other.whole == pytest.approx(whole, abs=1e-9)
    line = repetition_line(0.85, like.repetition)
    (not_near,) = measure_nearness(like, f"{silt} {mill}", (f"{silt} {oysters}",), line)
    assert not_near.again == not_near.whole == other.whole, "sentences are compared only beyond the line"


SAND = "Sand fills the harbour, and the ferry cannot run."
BRIDGE = "A bridge would cost the town less than the ferry does."


@pytest.mark.rule("RED-3")
@pytest.mark.parametrize(
    ("said", "draft", "again"),
    [
        pytest.param(BRIDGE, BRIDGE, True, id="the same"),
        pytest.param(f"{SAND} {BRIDGE}", BRIDGE, True, id="a part of it"),
        pytest.param(BRIDGE, f"{SAND} {BRIDGE}", False, id="it and more"),
        pytest.param(BRIDGE, "A bridge would not cost the town less than the ferry does.", False, id="denied"),
        pytest.param(BRIDGE, SAND, False, id="another point"),
    ],
)
def test_one_text_repeats_another_exactly_where_a_turn_would_be_sent_back(said: str, draft: str, again: bool) -> None:
    like = embedder("static")
    assert repeats(like, draft, said) is again
    talk = after(said)
    reading = EnglishReader(like).read(Passage(text=draft, before=texts_said(talk.talk), threshold=DRAWN_AT))
    near = [(n.whole, n.again) for n in reading.near]
    assert ("RED-3" in refused(talk.say(ANN, draft, near=near, drawn=reading.drawn))) is again


@pytest.mark.rule("RED-3")
@pytest.mark.parametrize("text", ["I do. You do not.", "Yes. It is. No.", "是的. 好."])
def test_the_same_text_is_a_repetition_though_it_has_no_content_words(text: str) -> None:
    like = embedder("static")
    assert measure_nearness(like, text, (text,), like.repetition) == (SAME,)


@pytest.mark.rule("RED-3")
def test_very_many_sentences_are_compared_about_as_fast_as_prose() -> None:
    like = embedder("static")

    def compared(text: str) -> None:
        measure_nearness(like, text, (text, f"{text} Pilots leave.", text[::-1]), drawn=0.0)

    compared(pace.PROSE)  # the vectors are loaded at their first use
    assert pace.times_prose(compared, " ".join(f"Ferry {n} stops." for n in range(1_000)), enough=25) < 25


OWN = "The mole shelters the ferry from the swell."


def heard_again(draft: str, before: Sequence[str], own: Sequence[int]) -> Retelling:
    passage = Passage(text=draft, before=tuple(before), own=tuple(own), threshold=DRAWN_AT)
    return EnglishReader(embedder("static")).read(passage).retold


@pytest.mark.rule("RED-3")
@pytest.mark.parametrize(
    ("retold", "repeats"),
    [
        pytest.param(Retelling(), False, id="its speaker said nothing before"),
        pytest.param(Retelling(score=0.59, drawn=0.6, turn=0, again=0.79), False, id="below both lines"),
        pytest.param(Retelling(score=0.1, drawn=0.6, turn=0, again=0.8), True, id="the point of one turn again"),
        pytest.param(Retelling(score=0.6, drawn=0.6, turn=0, again=0.1), True, id="the whole case again"),
        pytest.param(Retelling(score=0.9, drawn=0.6, turn=0, again=1.0, opposed=True), False, id="against it"),
    ],
)
def test_a_turn_may_not_repeat_anything_its_speaker_said(retold: Retelling, repeats: bool) -> None:
    found = [*check_repetition(DraftReading(drawn=0.8, retold=retold), [OWN, *(fresh(n) for n in range(9))])]
    assert [r.rule for r in found] == (["RED-3"] if repeats else [])
    assert all(OWN.split(maxsplit=1)[0] in r.reason for r in found)


@pytest.mark.rule("RED-3")
def test_of_its_speaker_all_turns_count_and_of_others_the_last_three() -> None:
    between = [fresh(n) for n in range(9)]
    draft = "The ferry is sheltered from the swell by the mole."
    mine = heard_again(draft, [OWN, *between], own=(0, 4))
    assert (mine.turn, mine.opposed) == (0, False) and mine.again >= embedder("static").repetition
    assert heard_again(draft, [OWN, *between], own=()) == Retelling()
    theirs = heard_again(draft, [OWN, *between], own=(4,))
    assert theirs.turn == 4 and theirs.again < embedder("static").repetition


@pytest.mark.rule("RED-3")
def test_who_changed_sides_repeats_nothing() -> None:
    denied = heard_again("The mole does not shelter the ferry from the swell.", [OWN, fresh(1)], own=(0,))
    assert denied.opposed and not is_retold(denied, embedder("static").repetition)


@pytest.mark.rule("RED-3")
def test_a_heading_is_no_turn_to_repeat() -> None:
    found = heard_again("The harbour silts up and the harbour master knows it.", ["Harbour.", fresh(1)], own=(0,))
    assert found.again == 0.0


@pytest.mark.rule("RED-3")
def test_a_speaker_comes_back_to_the_same_case_after_others_spoke() -> None:
    talk = Talking()
    for agent, text in ((ANN, OWN), (BOB, fresh(1)), (CAT, fresh(2)), (BOB, fresh(3)), (CAT, fresh(4))):
        talk.say(agent, text, last=True)
    draft = TurnDraft(type=TurnType.PROPOSITION, content=OWN)
    passage = turn_passage(talk.debate, ANN, draft, 0, (talk.debate.started.topic,))
    reading = EnglishReader(embedder("static")).read(passage)
    assert "RED-3" in refused(talk.do(Speak(agent=ANN, draft=draft, reading=reading)))
    assert "RED-3" not in refused(talk.do(Speak(agent=ANN, draft=draft, reading=replace(reading, retold=Retelling()))))
