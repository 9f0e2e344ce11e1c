"""RED-6 every twelfth turn sums up in three sentences with a next step; RED-7 an end, with a closing word."""

from collections.abc import Callable

import pytest

from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.run_facts import Silence
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, Ending, ProtocolName
from cruxfinder.protocols.protocol_list import unknown_switches
from cruxfinder.talk import turn_tasks
from cruxfinder.talk.asks import AskTurn, TalkAnswer, TalkAsk
from cruxfinder.talk.events import SynthesisGiven, TurnSpoken
from cruxfinder.talk.law.acts import act_of, missed_syntheses, synthesis_due, turns_left
from cruxfinder.talk.state import Conversation
from cruxfinder.talk.turns import CONSENSUS, DEBATE, DISCUSSION, ROUNDTABLE, TurnType
from tests.law.build import ANN, BOB, CAT, of, only
from tests.law.talk import ARBITRATOR, FACILITATOR, HOST, REASON, Talking, flagged, fresh, order, refused, spoken

USUAL = Redundancy()
FOUR = Settings(redundancy=Redundancy(synthesis_interval=4))


def of_turns(count: int, settings: Settings = Settings()) -> Talking:
    """So many turns of three speakers who take them in order."""
    talk = Talking(settings=settings)
    talk.post(*([ANN, BOB, CAT] * (count // 3 + 1))[:count])
    return talk


# ---- RED-6: when


@pytest.mark.rule("RED-6")
@pytest.mark.parametrize(
    ("turns", "due"), [(0, False), (10, False), (11, True), (12, False), (22, False), (23, True), (35, True)]
)
def test_every_twelfth_turn_is_a_synthesis(turns: int, due: bool) -> None:
    assert synthesis_due(of_turns(turns).talk, USUAL) == due


@pytest.mark.rule("RED-6")
@pytest.mark.parametrize(("number", "act"), [(1, 1), (12, 1), (13, 2), (24, 2), (25, 3)])
def test_twelve_turns_are_an_act(number: int, act: int) -> None:
    assert act_of(number, USUAL) == act


@pytest.mark.rule("RED-6")
@pytest.mark.parametrize(("turns", "at"), [(3, ()), (4, (4,)), (7, (4,)), (9, (4, 8))])
def test_where_nobody_summed_up_it_is_known(turns: int, at: tuple[int, ...]) -> None:
    assert missed_syntheses(of_turns(turns).talk, Redundancy(synthesis_interval=4)) == at


@pytest.mark.rule("RED-6")
@pytest.mark.parametrize(("before", "at"), [(3, ()), (2, ()), (1, (4,))])
def test_a_synthesis_at_its_turn_or_right_before_is_none_missed(before: int, at: tuple[int, ...]) -> None:
    talk = of_turns(before)
    talk.sum_up()
    talk.post(*(CAT, ANN, CAT)[: 3 - before])
    assert missed_syntheses(talk.talk, Redundancy(synthesis_interval=4)) == at


@pytest.mark.rule("RED-6")
def test_one_that_was_just_given_is_not_due_again() -> None:
    talk = of_turns(2)
    assert synthesis_due(talk.talk, Redundancy(synthesis_interval=4), turns=2)
    talk.sum_up()
    assert not synthesis_due(talk.talk, Redundancy(synthesis_interval=4))


@pytest.mark.rule("RED-6")
def test_a_ruling_sums_up_too() -> None:
    talk = Talking(ANN, BOB, protocol=DEBATE)
    talk.post(ANN, BOB, ANN)
    talk.post(ARBITRATOR, type=TurnType.RULING)
    assert missed_syntheses(talk.talk, Redundancy(synthesis_interval=4)) == ()


# ---- RED-6: what


@pytest.mark.rule("RED-6")
@pytest.mark.parametrize("next_step", ["", "  \n"])
def test_a_synthesis_without_a_next_step_is_sent_back(next_step: str) -> None:
    talk = of_turns(2)
    assert refused(talk.say(REASON, type=TurnType.SYNTHESIS, next_step=next_step)) == {"RED-6"}


@pytest.mark.rule("RED-6")
def test_a_synthesis_with_a_next_step_is_taken_and_belongs_to_its_act() -> None:
    talk = of_turns(11)
    given = only(talk.say(REASON, type=TurnType.SYNTHESIS, next_step=" weigh it "), SynthesisGiven)
    assert (given.act, given.turn, given.next_step, given.closing) == (1, "n12", "weigh it", False)


@pytest.mark.rule("RED-6")
def test_where_no_draft_follows_one_without_a_next_step_is_taken_with_a_flag() -> None:
    assert flagged(of_turns(2).say(REASON, type=TurnType.SYNTHESIS, last=True)) == {"RED-6"}


@pytest.mark.rule("RED-6")
@pytest.mark.parametrize(("told", "no"), [(3, set()), (4, {"TURN-1"})], ids=["three sentences", "four"])
def test_a_synthesis_has_at_most_three_sentences(told: int, no: set[str]) -> None:
    content = " ".join(fresh(90 + n) for n in range(told))
    events = of_turns(2).say(REASON, content, TurnType.SYNTHESIS, sentences=3, next_step="weigh it")
    assert refused(events) == no


# ---- RED-6: whole conversations


@pytest.mark.rule("RED-6")
@pytest.mark.parametrize(
    ("protocol", "who"),
    [(ROUNDTABLE, REASON), (DISCUSSION, FACILITATOR)],
    ids=["roundtable", "forum"],
)
def test_the_twelfth_turn_is_taken_by_whoever_sums_up(protocol: ProtocolName, who: AgentId) -> None:
    talk = Talking(protocol=protocol)
    events = talk.held()
    assert order(events)[11] == (who, "synthesis")
    assert missed_syntheses(talk.talk, USUAL) == ()
    assert [s.act for s in of(events, SynthesisGiven)][:1] == [1]


@pytest.mark.rule("RED-6")
@pytest.mark.parametrize("protocol", [ROUNDTABLE, DISCUSSION, CONSENSUS, DEBATE])
@pytest.mark.parametrize("interval", [3, 4, 5, 7])
def test_no_synthesis_is_missed_whatever_the_interval(protocol: ProtocolName, interval: int) -> None:
    limits = Redundancy(synthesis_interval=interval, max_total_turns=20)
    speakers = (ANN, BOB) if protocol == DEBATE else (ANN, BOB, CAT)
    talk = Talking(*speakers, protocol=protocol, settings=Settings(redundancy=limits))
    talk.held()
    assert missed_syntheses(talk.talk, limits) == ()


@pytest.mark.rule("RED-6")
def test_one_of_too_many_sentences_and_no_next_step_is_revised_then_cut_and_flagged() -> None:
    talk = Talking(settings=FOUR)
    asked: list[AskTurn] = []

    def answering(ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        if isinstance(ask, AskTurn) and ask.type is TurnType.SYNTHESIS:
            asked.append(ask)
            return spoken(ask, "One is told. Two is told. Three is told. Four is told.", next_step="")
        return talk.well(ask, debate)

    given = next(t for t in of(talk.held(answering), TurnSpoken) if t.turn.type is TurnType.SYNTHESIS)
    assert [(ask.attempt, ask.sentences) for ask in asked[:3]] == [(1, 3), (2, 3), (3, 3)]
    assert given.turn.content == "One is told. Two is told. Three is told."
    assert {str(r.rule) for r in given.flags} == {"TURN-1", "RED-6"}


@pytest.mark.rule("RED-6")
def test_a_drift_just_before_it_does_not_cost_the_synthesis() -> None:
    talk = Talking(settings=FOUR)
    off = ["If comets melt, then glaciers sing softly.", "If violins warp, then luthiers weep loudly."]

    def answering(ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        number = len(talk.talk.turns)
        return spoken(ask, off[number - 1]) if isinstance(ask, AskTurn) and number in {1, 2} else talk.well(ask, debate)

    talk.held(answering)
    assert missed_syntheses(talk.talk, Redundancy(synthesis_interval=4)) == ()


# ---- RED-7


@pytest.mark.rule("RED-7")
def test_no_run_can_leave_its_end_out() -> None:
    assert unknown_switches(("RED-6", "RED-7")) == ("RED-7",)


@pytest.mark.rule("RED-7")
@pytest.mark.parametrize(("most", "turns", "left"), [(48, 0, 47), (6, 3, 2), (6, 5, 0), (3, 5, 0)])
def test_room_is_what_is_left_before_the_closing_word(most: int, turns: int, left: int) -> None:
    assert turns_left(of_turns(turns).talk, Redundancy(max_total_turns=most)) == left


@pytest.mark.rule("RED-7")
@pytest.mark.parametrize("last", [False, True])
def test_the_last_turn_is_kept_for_the_closing_word(last: bool) -> None:
    settings = Settings(redundancy=Redundancy(max_total_turns=5))
    talk = of_turns(3, settings)
    assert refused(talk.say(ANN, last=last)) == set()
    assert refused(talk.say(BOB, last=last)) == {"RED-7"}
    assert refused(talk.say(HOST, type=TurnType.QUESTION, last=last)) == {"RED-7"}
    talk.sum_up()
    assert len(talk.talk.turns) == 5


@pytest.mark.rule("RED-7")
def test_a_ruling_may_be_the_last_turn() -> None:
    talk = Talking(ANN, BOB, protocol=DEBATE, settings=Settings(redundancy=Redundancy(max_total_turns=3)))
    talk.post(ANN, BOB)
    assert refused(talk.say(ARBITRATOR, type=TurnType.RULING)) == set()


@pytest.mark.rule("RED-7")
def test_beyond_the_last_turn_nothing_is_taken() -> None:
    talk = of_turns(4, Settings(redundancy=Redundancy(max_total_turns=5)))
    talk.sum_up()
    assert refused(talk.say(HOST, type=TurnType.SYNTHESIS, next_step="weigh it", last=True)) == {"RED-7"}


@pytest.mark.rule("RED-7")
def test_a_roundtable_ends_at_48_turns_with_a_closing_word() -> None:
    talk = Talking()
    events = talk.held()
    assert len(of(events, TurnSpoken)) == 48
    assert order(events)[-1] == (REASON, "synthesis")
    assert [s.turn for s in of(events, SynthesisGiven) if s.closing] == ["n48"]


@pytest.mark.rule("RED-7")
@pytest.mark.parametrize("protocol", [ROUNDTABLE, DISCUSSION, CONSENSUS])
@pytest.mark.parametrize("most", [4, 5, 9, 13])
def test_however_short_it_is_it_has_a_closing_word(protocol: ProtocolName, most: int) -> None:
    talk = Talking(protocol=protocol, settings=Settings(redundancy=Redundancy(max_total_turns=most)))
    events = talk.held()
    assert len(of(events, TurnSpoken)) <= most
    assert of(events, SynthesisGiven)[-1].closing
    assert order(events)[-1][1] == "synthesis"


@pytest.mark.rule("RED-7")
@pytest.mark.parametrize(
    "most",
    [
        9,
        pytest.param(8),
        pytest.param(4),
    ],
)
def test_however_short_it_is_a_debate_is_ruled(most: int) -> None:
    talk = Talking(ANN, BOB, protocol=DEBATE, settings=Settings(redundancy=Redundancy(max_total_turns=most)))
    events = talk.held()
    assert len(of(events, TurnSpoken)) <= most
    assert order(events)[-1] == (ARBITRATOR, "ruling")


@pytest.mark.rule("RED-7")
def test_where_nobody_closes_it_it_ends_all_the_same() -> None:
    talk = Talking(settings=Settings(redundancy=Redundancy(max_total_turns=5)))

    def answering(ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        closes = isinstance(ask, AskTurn) and ask.task == turn_tasks.CLOSING
        return Silence() if closes else talk.well(ask, debate)

    assert len(of(talk.held(answering), TurnSpoken)) == 4
    assert talk.debate.complete is not None
    assert talk.debate.complete.why == "nobody closed it"


def test_the_other_ends_close_it_too() -> None:
    ends: dict[Ending, Callable[[], Settings]] = {
        Ending.MESSAGES: lambda: Settings(max_messages=5),
        Ending.TIME: lambda: Settings(max_ms=9_000),
    }
    for ending, settings in ends.items():
        talk = Talking(settings=settings())
        events = talk.held()
        assert of(events, SynthesisGiven)[-1].closing
        assert len(of(events, TurnSpoken)) == (5 if ending is Ending.MESSAGES else 4)
        assert talk.debate.complete is not None
        assert talk.debate.complete.ending is ending
