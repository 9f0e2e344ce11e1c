"""How the floor is given where somebody cannot, must not or will not speak, and how a conversation then ends."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from cruxfinder.kernel.pack import Agenda, Tension
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.run_facts import Failed, Silence
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, Ending, ProtocolName, TopSide, Verdict
from cruxfinder.talk import turn_tasks
from cruxfinder.talk.asks import AskConsent, AskTurn, AskUser, Consent, OfferedTurn, Spoken, TalkAnswer, TalkAsk
from cruxfinder.talk.events import PivotForced, SynthesisGiven, TurnRefused, TurnSpoken
from cruxfinder.talk.law import pivots
from cruxfinder.talk.state import Conversation
from cruxfinder.talk.turns import CONSENSUS, DEBATE, DISCUSSION, ROUNDTABLE, PivotKind, TurnDraft, TurnType
from tests.law.build import ANN, BOB, CAT, of
from tests.law.talk import ARBITRATOR, FACILITATOR, REASON, Talking, order, refused, spoken

Answering = Callable[[AskTurn], TalkAnswer | None]


class Asked:
    """Good answers, but for the asks that `instead` answers; every ask is kept."""

    def __init__(self, talk: Talking, instead: Answering) -> None:
        self._talk = talk
        self._instead = instead
        self.asks: list[TalkAsk] = []

    def __call__(self, ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        self.asks.append(ask)
        other = self._instead(ask) if isinstance(ask, AskTurn) else None
        return self._talk.well(ask, debate) if other is None else other

    def of(self, agent: AgentId) -> list[AskTurn]:
        return [ask for ask in self.asks if isinstance(ask, AskTurn) and ask.agent == agent]


def silent(*agents: AgentId) -> Answering:
    return lambda ask: Silence() if ask.agent in agents else None


# ---- two who keep it to themselves


@pytest.mark.rule("RED-1")
def test_a_roundtable_ends_where_the_voice_of_reason_cannot_speak() -> None:
    talk = Talking()
    broken = Failed(reason="the line broke")
    asked = Asked(talk, lambda ask: Silence() if ask.agent == CAT else broken if ask.agent == REASON else None)
    talk.held(asked)
    assert len(asked.of(REASON)) <= 3


@pytest.mark.rule("RED-1")
@pytest.mark.parametrize("protocol", [DISCUSSION, CONSENSUS])
def test_where_two_have_had_their_rounds_it_is_summed_up_and_they_go_on(protocol: ProtocolName) -> None:
    talk = Talking(protocol=protocol, settings=Settings(redundancy=Redundancy(dyad_max_volleys=1)))
    events = talk.held(Asked(talk, silent(CAT)))
    assert "RED-1" not in refused(events)
    reasoned = [p for p in of(events, PivotForced) if p.to is PivotKind.REASON]
    assert reasoned and {p.text for p in reasoned} == {"Facilitator"}
    told = order(events)
    assert told.count(("ann", "concession" if protocol == CONSENSUS else "position")) >= 1


@pytest.mark.rule("TURN-3")
def test_nobody_is_asked_for_a_turn_that_no_wording_could_make_legal() -> None:
    talk = Talking(protocol=DISCUSSION)
    asked = Asked(talk, silent(ANN, BOB, CAT))
    events = talk.held(asked)
    assert order(events) == [("facilitator", "question"), ("facilitator", "synthesis")]
    assert of(events, TurnRefused) == () and len(asked.of(FACILITATOR)) == 2


@pytest.mark.rule("TURN-3")
def test_the_arbitrator_who_speaks_next_anyway_does_not_lead_back_first() -> None:
    talk = Talking(ANN, BOB, protocol=DEBATE)
    astray = lambda ask: spoken(ask, f"If cellos{len(talk.talk.turns)} hum, oboes{len(talk.talk.turns)} sulk.")  # noqa: E731
    events = talk.held(Asked(talk, lambda ask: astray(ask) if len(talk.talk.turns) < 2 else None))
    told = order(events)
    assert [t.off_topic for t in of(events, TurnSpoken)[:2]] == [True, True]
    assert told[2:4] == [("arbitrator", "reaction"), ("ann", "rebuttal")]


# ---- summing up


@pytest.mark.rule("RED-6")
@pytest.mark.parametrize("protocol", [DISCUSSION, ROUNDTABLE])
@pytest.mark.parametrize("interval", [3, 4, 5, 7, 12])
def test_nothing_is_summed_up_between_a_question_and_its_answers(protocol: ProtocolName, interval: int) -> None:
    limits = Redundancy(synthesis_interval=interval, max_total_turns=30)
    talk = Talking(protocol=protocol, settings=Settings(redundancy=limits))
    events = talk.held(agenda=Agenda(subjects=("The quay?", "The toll?", "The crew?", "The tide?")))
    closing = {s.turn for s in of(events, SynthesisGiven) if s.closing}
    said = of(events, TurnSpoken)
    for asked, after in pairwise(said):
        if asked.turn.type is TurnType.QUESTION and after.id not in closing:
            assert after.turn.type is not TurnType.SYNTHESIS, asked.id
    assert not any(
        one.turn.type is other.turn.type is TurnType.SYNTHESIS and other.id not in closing
        for one, other in pairwise(said)
    )


@pytest.mark.rule("RED-5")
def test_every_tension_comes_up_before_one_comes_up_again() -> None:
    tensions = tuple(Tension(sides=(f"quays{n}", f"tolls{n}")) for n in range(3))
    talk, led = Talking(), list[str]()
    for _ in range(5):
        now = pivots.current_tension(talk.talk, tensions)
        led.append(pivots.tension_name(pivots.other_tensions(talk.talk, tensions, now)[0]))
        talk.turn_to(PivotKind.TENSION, led[-1])
    assert led == [pivots.tension_name(tensions[n]) for n in (1, 2, 0, 1, 2)]


# ---- a merged position


class Merging(Asked):
    """The facilitator writes these merged positions, one after the other; each can be lived with but for Cat."""

    def __init__(self, talk: Talking, *drafts: TurnDraft) -> None:
        left = list(drafts)
        super().__init__(talk, lambda ask: Spoken(turn=left.pop(0)) if ask.task == turn_tasks.MERGE else None)

    def __call__(self, ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        answer = super().__call__(ask, debate)
        return Consent(agrees=ask.agent != CAT, why="too dear") if isinstance(ask, AskConsent) else answer


MERGED = TurnDraft(
    type=TurnType.SYNTHESIS, content="Ferries are free at night.", side=TopSide.NUANCED, next_step="count them"
)


@pytest.mark.rule("TURN-2")
def test_a_merged_position_is_revised_before_anybody_is_asked_to_sign_it() -> None:
    talk = Talking(protocol=CONSENSUS)
    merging = Merging(talk, replace(MERGED, next_step=""), MERGED)
    events = talk.held(merging)
    assert refused(events) == {"RED-6"}
    assert {ask.proposal for ask in merging.asks if isinstance(ask, AskConsent)} == {MERGED.content}
    assert of(events, TurnSpoken)[-1].turn.content == f"{MERGED.content} Still dissenting: Cat."


@pytest.mark.rule("TURN-1")
def test_what_is_said_is_what_was_signed_however_long_the_writer_went_on() -> None:
    talk = Talking(protocol=CONSENSUS)
    long = replace(MERGED, content=" ".join(f"Boat{n} is free." for n in range(120)))
    merging = Merging(talk, long, long, long)
    said = of(talk.held(merging), TurnSpoken)[-1].turn.content
    (signed,) = {ask.proposal for ask in merging.asks if isinstance(ask, AskConsent)}
    assert said == f"{signed} Still dissenting: Cat." and len(said.split()) <= 200


# ---- turns written along with another


def with_next(ask: AskTurn, content: str, *others: tuple[AgentId, TurnDraft]) -> Spoken:
    answer = spoken(ask, content)
    return replace(answer, also=tuple(OfferedTurn(agent=agent, turn=draft) for agent, draft in others))


def test_what_was_written_before_the_user_answered_is_thought_anew() -> None:
    talk = Talking(ANN, BOB, protocol=DEBATE, settings=Settings(together=True, asks_user=True))
    early = TurnDraft(type=TurnType.PROPOSITION, content="If nobody answers, then quays rot early.")

    def asking(ask: AskTurn) -> TalkAnswer | None:
        if ask.agent != ANN or talk.talk.turns:
            return None
        put = with_next(ask, "Which ferry did you take?", (BOB, early))
        return replace(put, turn=replace(put.turn, type=TurnType.QUESTION, to_user=True))

    asked = Asked(talk, asking)
    events = talk.held(asked)
    assert any(isinstance(ask, AskUser) for ask in asked.asks)
    assert early.content not in {t.turn.content for t in of(events, TurnSpoken)}


# ---- what an arbitrator is asked, and what ends a debate


def test_an_arbitrator_answers_neither_side() -> None:
    talk = Talking(ANN, BOB, protocol=DEBATE)
    asked = Asked(talk, lambda ask: None)
    talk.held(asked)
    assert {ask.answers for ask in asked.of(ARBITRATOR)} == {None}
    assert all(ask.owed for ask in asked.of(ARBITRATOR))


@pytest.mark.rule("TURN-2")
def test_an_arbitrator_who_cannot_rule_is_asked_once_and_that_is_a_fault() -> None:
    talk = Talking(ANN, BOB, protocol=DEBATE)
    broken = Failed(reason="the line broke")
    asked = Asked(talk, lambda ask: broken if ask.type is TurnType.RULING else None)
    talk.held(asked)
    assert talk.debate.complete is not None
    assert (talk.debate.complete.verdict, talk.debate.complete.ending) == (Verdict.UNDECIDED, Ending.FAULTS)
    assert sum(ask.type is TurnType.RULING for ask in asked.of(ARBITRATOR)) == 1


@pytest.mark.rule("TURN-2")
def test_a_side_that_was_never_heard_is_not_ruled_against() -> None:
    talk = Talking(ANN, BOB, protocol=DEBATE)
    talk.held(Asked(talk, silent(BOB)))
    assert talk.debate.complete is not None and talk.debate.complete.verdict is Verdict.UNDECIDED
    assert talk.debate.complete.why == "Bob never spoke, so there is nothing to rule on"


@pytest.mark.rule("TURN-1")
def test_a_ruling_that_names_no_side_is_sent_back() -> None:
    talk = Talking(ANN, BOB, protocol=DEBATE)
    talk.post(ANN, BOB)
    assert refused(talk.say(ARBITRATOR, "Ann carried it.", TurnType.RULING, side=None)) == {"TURN-1"}


@pytest.mark.rule("TURN-2")
def test_where_all_stay_silent_nobody_is_said_to_have_run_out_of_turns() -> None:
    talk = Talking(protocol=CONSENSUS)
    quiet = Asked(talk, lambda ask: Silence() if ask.type is TurnType.CONCESSION else None)
    talk.held(quiet)
    assert talk.debate.complete is not None and talk.debate.complete.why.startswith("nobody conceded anything")


@pytest.mark.rule("RED-7")
def test_a_discussion_whose_closing_word_fails_does_not_pass_an_older_one_off_as_it() -> None:
    limits = Redundancy(synthesis_interval=5)
    talk = Talking(protocol=DISCUSSION, settings=Settings(redundancy=limits))
    talk.held(Asked(talk, lambda ask: Failed(reason="gone") if ask.task == turn_tasks.CLOSING else None))
    assert talk.debate.complete is not None and talk.debate.complete.why == "nobody closed it"
