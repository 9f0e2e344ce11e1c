"""RED-1: two may keep a conversation to themselves for two rounds; then somebody else, or the Voice of Reason."""

from collections.abc import Callable

import pytest

from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.run_facts import Failed, Seat, Silence
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, ProtocolName, Role, RuleId
from cruxfinder.talk.asks import AskTurn, TalkAnswer, TalkAsk
from cruxfinder.talk.events import PivotForced, TurnSpoken
from cruxfinder.talk.law.volleys import exhausted_pair, longest_volley, volley
from cruxfinder.talk.state import Conversation
from cruxfinder.talk.turns import CONSENSUS, DISCUSSION, ROUNDTABLE, PivotKind, TurnType
from tests.law.build import ANN, BOB, CAT, DAN, of
from tests.law.talk import FACILITATOR, HOST, REASON, Talking, order, refused, seats_for, texts

ROUNDS = (ANN, BOB, ANN, BOB)
LIMITS = Redundancy()


def after_two_rounds(protocol: ProtocolName = ROUNDTABLE) -> Talking:
    talk = Talking(ANN, BOB, CAT, protocol=protocol)
    talk.post(*ROUNDS)
    return talk


# ---- what it blocks


@pytest.mark.rule("RED-1")
@pytest.mark.parametrize("last", [False, True], ids=["a draft", "the best draft"])
def test_the_third_volley_is_blocked(last: bool) -> None:
    talk = after_two_rounds()
    events = talk.say(ANN, last=last)
    assert refused(events) == {"RED-1"}
    assert "ann and bob have had 2 rounds between them" in texts(events)[0]
    assert len(talk.talk.turns) == 4


@pytest.mark.rule("RED-1")
@pytest.mark.parametrize("said", [ROUNDS[:n] for n in range(4)], ids=["nothing", "one", "two", "three"])
def test_up_to_two_rounds_are_free(said: tuple[AgentId, ...]) -> None:
    talk = Talking()
    talk.post(*said)
    assert exhausted_pair(talk.talk, LIMITS) == frozenset()
    assert refused(talk.say(BOB if said[-1:] == (ANN,) else ANN)) == set()


@pytest.mark.rule("RED-1")
@pytest.mark.parametrize("protocol", [CONSENSUS, DISCUSSION, ROUNDTABLE])
def test_it_holds_in_every_conversation_of_more_than_two(protocol: ProtocolName) -> None:
    assert refused(after_two_rounds(protocol).say(ANN)) == {"RED-1"}


@pytest.mark.rule("RED-1")
@pytest.mark.parametrize(
    ("rounds", "turns", "no"),
    [(1, 2, {"RED-1"}), (3, 4, set()), (3, 6, {"RED-1"})],
    ids=["one", "two of three", "three"],
)
def test_the_number_of_rounds_is_a_limit_of_the_user(rounds: int, turns: int, no: set[str]) -> None:
    talk = Talking(settings=Settings(redundancy=Redundancy(dyad_max_volleys=rounds)))
    talk.post(*([ANN, BOB] * 3)[:turns])
    assert refused(talk.say(ANN)) == no


# ---- what frees the two


@pytest.mark.rule("RED-1")
@pytest.mark.parametrize(
    "between",
    [
        pytest.param(lambda talk: talk.post(CAT), id="a new speaker"),
        pytest.param(lambda talk: talk.sum_up(), id="the Voice of Reason"),
        pytest.param(lambda talk: talk.turn_to(PivotKind.DILEMMA), id="a dilemma"),
        pytest.param(lambda talk: talk.turn_to(PivotKind.ANCHOR), id="an anchor"),
        pytest.param(lambda talk: talk.turn_to(PivotKind.TENSION), id="another tension"),
    ],
)
def test_the_two_are_free_after(between: Callable[[Talking], object]) -> None:
    talk = after_two_rounds()
    between(talk)
    assert refused(talk.say(ANN)) == set()


@pytest.mark.rule("RED-1")
@pytest.mark.parametrize(
    "between",
    [
        pytest.param(lambda talk: talk.post(HOST, type=TurnType.QUESTION), id="the host's question"),
        pytest.param(lambda talk: talk.post(HOST, type=TurnType.REACTION), id="the host's word"),
        pytest.param(lambda talk: talk.turn_to(PivotKind.SPEAKER), id="calling on somebody who has not spoken yet"),
        pytest.param(lambda talk: talk.turn_to(PivotKind.REASON), id="calling on the Voice of Reason"),
    ],
)
def test_the_two_are_not_free_after(between: Callable[[Talking], object]) -> None:
    talk = after_two_rounds()
    between(talk)
    assert refused(talk.say(ANN)) == {"RED-1"}


@pytest.mark.rule("RED-1")
def test_the_synthesis_of_a_facilitator_frees_them_too() -> None:
    talk = after_two_rounds(DISCUSSION)
    talk.sum_up(FACILITATOR)
    assert refused(talk.say(ANN)) == set()


@pytest.mark.rule("RED-1")
def test_host_turns_between_do_not_break_the_volley() -> None:
    talk = Talking()
    for agent in ROUNDS:
        talk.post(agent, HOST, type=TurnType.REACTION)
    assert volley(talk.talk) == ROUNDS
    assert refused(talk.say(ANN)) == {"RED-1"}


@pytest.mark.rule("RED-1")
def test_it_is_never_applied_where_only_two_speak() -> None:
    talk = Talking(ANN, BOB)
    talk.post(*ROUNDS, *ROUNDS)
    assert len(talk.talk.turns) == 8


@pytest.mark.rule("RED-1")
def test_chairs_of_the_pack_are_no_speakers() -> None:
    hosting = Seat(id=CAT, name="Cat", role=Role.HOST)
    talk = Talking(seats=(*seats_for(ROUNDTABLE, (ANN, BOB))[:2], hosting))
    talk.post(*ROUNDS, *ROUNDS)
    assert len(talk.talk.turns) == 8


@pytest.mark.rule("RED-1")
def test_switched_off_it_blocks_nothing() -> None:
    talk = Talking(settings=Settings(off=(RuleId("RED-1"),)))
    talk.post(*ROUNDS, *ROUNDS)
    assert len(talk.talk.turns) == 8


# ---- counting


@pytest.mark.parametrize(
    ("said", "found"),
    [
        pytest.param((), (), id="nobody"),
        pytest.param((ANN,), (ANN,), id="one"),
        pytest.param((ANN, BOB, CAT), (BOB, CAT), id="three are no two"),
        pytest.param((CAT, *ROUNDS), ROUNDS, id="whoever came before"),
        pytest.param((ANN, BOB, CAT, BOB, CAT, DAN), (CAT, DAN), id="a new one begins anew"),
        pytest.param((BOB, CAT, ANN, CAT), (CAT, ANN, CAT), id="one of the two with somebody else"),
        pytest.param((ANN, BOB, HOST, BOB), (BOB,), id="after oneself one begins anew"),
        pytest.param((*ROUNDS, REASON, BOB), (BOB,), id="since the Voice of Reason"),
    ],
)
def test_a_volley_goes_back_as_far_as_only_two_take_turns(
    said: tuple[AgentId, ...], found: tuple[AgentId, ...]
) -> None:
    talk = Talking(ANN, BOB, CAT, DAN)
    for agent in said:
        talk.post(agent, type=TurnType.REACTION)
    assert volley(talk.talk) == found


@pytest.mark.parametrize(
    ("said", "rounds"),
    [
        pytest.param((), 0, id="nothing"),
        pytest.param((ANN, BOB, CAT, ANN), 1, id="nobody keeps it"),
        pytest.param((CAT, *ROUNDS, CAT), 2, id="two in the middle"),
        pytest.param((*ROUNDS, CAT, ANN, BOB), 2, id="two at the start"),
        pytest.param((ANN, BOB, ANN), 1.5, id="a round and a half"),
    ],
)
def test_the_longest_is_the_most_rounds_two_had_anywhere(said: tuple[AgentId, ...], rounds: float) -> None:
    talk = Talking()
    talk.post(*said)
    assert longest_volley(talk.talk) == rounds


def test_the_longest_counts_what_came_before_a_pivot_and_what_came_after_apart() -> None:
    talk = after_two_rounds()
    talk.turn_to(PivotKind.DILEMMA)
    assert longest_volley(talk.talk) == 2, "a pivot does not undo what was before it"
    talk.post(ANN, BOB, ANN, BOB)
    assert longest_volley(talk.talk) == 2


def test_the_longest_of_two_alone_is_all_of_it() -> None:
    talk = Talking(ANN, BOB)
    talk.post(*ROUNDS, *ROUNDS)
    assert longest_volley(talk.talk) == 4


# ---- whole roundtables

SHORT = Settings(redundancy=Redundancy(max_total_turns=30, on_tension_cycles=20))


@pytest.mark.rule("RED-1")
def test_after_two_rounds_the_host_calls_on_somebody_new() -> None:
    talk = Talking(settings=SHORT)
    events = talk.held()
    assert [who for who, _ in order(events)[:6]] == ["host", "ann", "bob", "ann", "bob", "cat"]
    pivots = [p for p in of(events, PivotForced) if p.cause == "RED-1"]
    assert (pivots[0].to, pivots[0].text, pivots[0].number) == (PivotKind.SPEAKER, "Cat", 5)
    assert longest_volley(talk.talk) <= 2


@pytest.mark.rule("RED-1")
def test_a_roundtable_of_two_goes_on_between_them() -> None:
    talk = Talking(ANN, BOB, settings=SHORT)
    events = talk.held()
    assert [p for p in of(events, PivotForced) if p.cause == "RED-1"] == []
    assert len(of(events, TurnSpoken)) == 30
    assert longest_volley(talk.talk) > 2


def without(talk: Talking, agent: AgentId, answer: TalkAnswer) -> Callable[[TalkAsk, Conversation], TalkAnswer]:
    """Good answers, but for one speaker who has only this to say."""

    def answering(ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        return answer if isinstance(ask, AskTurn) and ask.agent == agent else talk.well(ask, debate)

    return answering


@pytest.mark.rule("RED-1")
def test_where_nobody_new_wants_to_speak_the_voice_of_reason_frees_the_two() -> None:
    talk = Talking(settings=SHORT)
    events = talk.held(without(talk, CAT, Silence()))
    assert [(p.to, p.text) for p in of(events, PivotForced)][:2] == [
        (PivotKind.SPEAKER, "Cat"),
        (PivotKind.REASON, "Voice of Reason"),
    ]
    assert order(events)[5:7] == [("voice-of-reason", "synthesis"), ("ann", "rebuttal")]
    assert len(of(events, TurnSpoken)) == 30, "the two go on after it"
    assert longest_volley(talk.talk) == 2


@pytest.mark.rule("RED-1")
def test_where_only_two_are_left_to_speak_they_go_on() -> None:
    talk = Talking(settings=SHORT)
    events = talk.held(without(talk, CAT, Failed(reason="the line broke")))
    assert len(of(events, TurnSpoken)) == 30
