"""TURN-2 who speaks when: the rounds of a debate, the phases of a consensus, and whom a subject concerns most."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest

from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.debaters.scripted import FunctionDebater
from cruxfinder.kernel.pack import Agenda, Pack, Persona
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.run_facts import Failed, Seat, Silence
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, ProtocolName, Role, TopSide, Verdict
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk, AnyRecord, conversation_in
from cruxfinder.protocols.any_run import Finished
from cruxfinder.protocols.protocol_list import protocol_named
from cruxfinder.talk.asks import AskConsent, AskTurn, Consent, DueTurn, OfferedTurn, Spoken, TalkAnswer, TalkAsk
from cruxfinder.talk.events import SynthesisGiven, TurnSpoken
from cruxfinder.talk.forum import defer_last_speaker
from cruxfinder.talk.law.turn_order import FAIRNESS, PHASES, ROUNDS, concern, sort_by_relevance, speakers
from cruxfinder.talk.state import Conversation
from cruxfinder.talk.turns import CHAIRS, CONSENSUS, DEBATE, DISCUSSION, ROUNDTABLE, TurnDraft, TurnType
from tests.law.build import ANN, BOB, CAT, DAN, of, only
from tests.law.talk import FACILITATOR, TOPIC, Shared, Talking, fresh, order, seats_for, spoken

THREE_ROUNDS = [
    ("ann", "proposition"),
    ("bob", "proposition"),
    ("arbitrator", "reaction"),
    ("ann", "rebuttal"),
    ("bob", "rebuttal"),
    ("arbitrator", "reaction"),
    ("ann", "counter"),
    ("bob", "counter"),
    ("arbitrator", "ruling"),
]

# ---- whole runs, through the engine


def run(protocol: ProtocolName, *agents: AgentId, settings: Settings = Settings(embedder="keyword")) -> Finished:
    """A run in memory whose speakers always have something new to say about the last turn of somebody else."""
    said = iter(range(1, 1_000))

    def answering(ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
        match ask:
            case AskTurn():
                last = conversation_in(record).talk.speaker_turns[-1:]
                return spoken(ask, fresh(next(said), last[0].agent.title() if last else ""))
            case AskConsent():
                return Consent(agrees=True)
            case _:
                return Silence()

    personas = tuple(Persona(id=a, name=a.title(), about="a sailor") for a in agents)
    pack = Pack(name="quay", title="Quay", topic=TOPIC, summary="Boats.", propositions=(), personas=personas)
    chairs = ("arbitrator", "facilitator", "host", "voice-of-reason")
    debaters = {AgentId(id): FunctionDebater(answering) for id in (*agents, *chairs)}
    return asyncio.run(
        run_starts.start(pack, MemoryStore(), settings=settings, debaters=debaters, run="r1", protocol=protocol)
    )


@pytest.mark.rule("TURN-2")
def test_a_debate_has_three_rounds_and_the_arbitrator_speaks_last_in_each() -> None:
    finished = run(DEBATE, ANN, BOB)
    assert order(finished.events) == THREE_ROUNDS
    assert finished.minutes.verdict is Verdict.RULED


@pytest.mark.rule("TURN-2")
@pytest.mark.parametrize("agents", [(ANN, BOB), (ANN, BOB, CAT), (ANN, BOB, CAT, DAN)], ids=["two", "three", "four"])
def test_in_a_consensus_all_speak_in_each_phase_and_then_it_is_merged(agents: tuple[AgentId, ...]) -> None:
    settings = Settings(embedder="keyword", redundancy=Redundancy(synthesis_interval=100))
    finished = run(CONSENSUS, *agents, settings=settings)
    told = order(finished.events)
    size = len(agents)
    for place, phase in enumerate(("position", "exploration", "concession")):
        turns = told[place * size : (place + 1) * size]
        assert {type for _, type in turns} == {phase}
        assert sorted(agent for agent, _ in turns) == sorted(agents)
    assert told[3 * size :] == [("facilitator", "synthesis")]
    assert finished.minutes.verdict is Verdict.CONSENSUS


@pytest.mark.rule("TURN-2")
def test_in_a_discussion_the_facilitator_asks_one_answers_and_the_others_react() -> None:
    settings = Settings(embedder="keyword", redundancy=Redundancy(synthesis_interval=100))
    told = order(run(DISCUSSION, ANN, BOB, CAT, settings=settings).events)
    assert told[-1] == ("facilitator", "synthesis")
    rounds = [told[n : n + 4] for n in range(0, len(told) - 1, 4)]
    assert len(rounds) == 4
    for turns in rounds:
        assert turns[0] == ("facilitator", "question")
        assert [type for _, type in turns[1:]] == ["position", "reaction", "reaction"]
        assert {agent for agent, _ in turns[1:]} == {"ann", "bob", "cat"}


@pytest.mark.rule("TURN-2")
@pytest.mark.parametrize("protocol", [CONSENSUS, DISCUSSION, ROUNDTABLE])
def test_nobody_monopolises_a_conversation(protocol: ProtocolName) -> None:
    told = order(run(protocol, ANN, BOB, CAT).events)
    speaking = [agent for agent, _ in told if agent in {"ann", "bob", "cat"}]
    taken = Counter(speaking)
    assert max(taken.values()) - min(taken.values()) <= 3
    assert all(one != other or one not in taken for (one, _), (other, _) in pairwise(told))


def test_the_tables_are_those_of_the_protocol() -> None:
    assert [(step.role, step.type) for steps in ROUNDS for step in steps] == [
        (part, type)
        for type, closing in (("proposition", "reaction"), ("rebuttal", "reaction"), ("counter", "ruling"))
        for part, type in (("proponent", type), ("opponent", type), ("arbitrator", closing))
    ]
    assert PHASES == ("position", "exploration", "concession")


# ---- by relevance


def seat(id: AgentId, *interests: str, role: str = "") -> Seat:
    return Seat(id=id, name=id.title(), about=role, interests=interests)


def ranked(seats: Sequence[Seat], subject: str, spoken: dict[AgentId, int] | None = None) -> list[AgentId]:
    return [s.id for s in sort_by_relevance(seats, subject, spoken or {}, Shared())]


TIDES, TOLLS, OPERA = seat(ANN, "tides"), seat(BOB, "harbour tolls"), seat(CAT, "opera")


@pytest.mark.rule("TURN-2")
@pytest.mark.parametrize(
    ("subject", "found"),
    [
        ("Who counts the tides?", [ANN, BOB, CAT]),
        ("Who pays harbour tolls?", [BOB, ANN, CAT]),
        ("Who sings in the opera about tides?", [ANN, CAT, BOB]),
        ("Nothing of all this.", [ANN, BOB, CAT]),
    ],
    ids=["Ann's", "Bob's", "two are concerned alike", "nobody's: as they sit"],
)
def test_whom_a_subject_concerns_most_speaks_first(subject: str, found: list[AgentId]) -> None:
    assert ranked((TIDES, TOLLS, OPERA), subject) == found


@pytest.mark.rule("TURN-2")
@pytest.mark.parametrize(
    ("spoken", "first"),
    [
        pytest.param({ANN: 3}, ANN, id="three turns more: still concerned more"),
        pytest.param({ANN: 4}, BOB, id="four turns more are too many"),
        pytest.param({ANN: 5, BOB: 2, CAT: 2}, ANN, id="only what is more than the least counts"),
        pytest.param({ANN: 4, BOB: 4}, CAT, id="who has not spoken at all"),
    ],
)
def test_who_has_spoken_more_has_to_be_concerned_more(spoken: dict[AgentId, int], first: AgentId) -> None:
    """Ann is concerned by .5: the subject has four content words and she shares the one she has."""
    subject = "Tides lift cargo boats."
    assert concern(TIDES, subject, Shared()) == pytest.approx(0.5)
    assert FAIRNESS == 0.15
    assert ranked((TIDES, TOLLS, OPERA), subject, spoken)[0] == first


@pytest.mark.rule("TURN-2")
def test_without_interests_the_role_tells_and_without_a_role_the_name() -> None:
    like = Shared()
    assert concern(seat(ANN, role="tide reader"), "reader", like) > 0
    assert concern(seat(ANN, "opera", role="tide reader"), "reader", like) == 0
    assert concern(seat(ANN), "Ask Ann.", like) > 0
    assert concern(seat(ANN, "opera", "tides"), "tides", like) == 1.0, "the nearest of its interests"


@pytest.mark.rule("TURN-2")
def test_who_spoke_last_does_not_begin_the_next_phase() -> None:
    talk = Talking()
    talk.post(BOB, ANN)
    here = speakers(talk.debate.seats)
    assert [s.id for s in defer_last_speaker(here, talk.talk.turns)] == [BOB, ANN, CAT]
    assert defer_last_speaker(here, talk.talk.turns[:1]) == here
    assert defer_last_speaker(here[:1], talk.talk.turns) == here[:1], "but where it is alone"


def test_chairs_are_no_speakers() -> None:
    seats = seats_for(DEBATE, (ANN, BOB))
    assert [s.id for s in speakers(seats)] == [ANN, BOB]


@pytest.mark.rule("TURN-2")
def test_in_a_discussion_the_most_relevant_answers_each_question() -> None:
    seats = (TIDES, TOLLS, OPERA, *seats_for(DISCUSSION, ())[-1:])
    talk = Talking(protocol=DISCUSSION, seats=seats)
    subjects = ("Does the opera float?", "Do harbour tolls hurt?")

    def answering(ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        asks = isinstance(ask, AskTurn) and ask.type is TurnType.QUESTION
        return spoken(ask, ask.subject) if asks and isinstance(ask, AskTurn) else talk.well(ask, debate)

    told = order(talk.held(answering, agenda=Agenda(subjects=subjects)))
    assert [agent for agent, type in told if type == "position"] == [CAT, BOB]


@pytest.mark.rule("TURN-2")
def test_in_a_consensus_the_topic_decides_who_begins() -> None:
    seats = (OPERA, seat(BOB, "free ferries"), TIDES, *seats_for(CONSENSUS, ())[-1:])
    talk = Talking(protocol=CONSENSUS, seats=seats)
    assert [agent for agent, _ in order(talk.held())[:3]] == [BOB, CAT, ANN]


@pytest.mark.rule("TURN-2")
def test_whoever_has_spoken_alone_does_not_begin_the_next_phase() -> None:
    seats = (seat(ANN, "free ferries"), TOLLS, OPERA, *seats_for(CONSENSUS, ())[-1:])
    talk = Talking(protocol=CONSENSUS, seats=seats)

    def answering(ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        passes = isinstance(ask, AskTurn) and ask.type is TurnType.POSITION and ask.agent != ANN
        return Silence() if passes else talk.well(ask, debate)

    told = order(talk.held(answering))
    assert told[:4] == [("ann", "position"), ("bob", "exploration"), ("ann", "exploration"), ("cat", "exploration")]


@pytest.mark.rule("TURN-2")
def test_positions_and_concessions_are_thought_out_unheard() -> None:
    talk = Talking(protocol=CONSENSUS)
    heard: dict[TurnType, list[int]] = {}

    def answering(ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        if isinstance(ask, AskTurn):
            heard.setdefault(ask.type, []).append(len(talk.talk.turns))
        return talk.well(ask, debate)

    talk.held(answering)
    assert heard == {
        TurnType.POSITION: [0, 0, 0],
        TurnType.EXPLORATION: [3, 4, 5],
        TurnType.CONCESSION: [6, 6, 6],
        TurnType.SYNTHESIS: [9],
    }


# ---- what holds the order when somebody does not


def but(
    talk: Talking, agent: AgentId, at: int, answer: Callable[[AskTurn], TalkAnswer]
) -> Callable[[TalkAsk, Conversation], TalkAnswer]:
    """Good answers, but one of somebody's, by how many turns stood when it was asked for."""

    def answering(ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        if isinstance(ask, AskTurn) and ask.agent == agent and len(talk.talk.turns) == at:
            return answer(ask)
        return talk.well(ask, debate)

    return answering


def debate_between(settings: Settings = Settings()) -> Talking:
    return Talking(ANN, BOB, protocol=DEBATE, settings=settings)


@pytest.mark.rule("TURN-2")
@pytest.mark.parametrize("answer", [Silence(), Failed(reason="the line broke")], ids=["passes", "fails"])
def test_a_turn_let_pass_leaves_the_rest_in_order(answer: TalkAnswer) -> None:
    talk = debate_between()
    told = order(talk.held(but(talk, BOB, 4, lambda ask: answer)))
    assert told == [turn for turn in THREE_ROUNDS if turn != ("bob", "rebuttal")]


@pytest.mark.rule("TURN-2")
def test_without_a_ruling_a_debate_is_undecided() -> None:
    talk = debate_between()
    talk.held(but(talk, AgentId("arbitrator"), 8, lambda ask: Silence()))
    assert talk.debate.complete is not None
    assert talk.debate.complete.verdict is Verdict.UNDECIDED


@pytest.mark.rule("TURN-2")
@pytest.mark.parametrize(
    ("side", "words"),
    [
        (TopSide.YES, "for the claim: "),
        (TopSide.NO, "against the claim: "),
        (TopSide.NUANCED, "for neither side: "),
        pytest.param(None, "", id="one that names no side, whatever is asked"),
    ],
)
def test_the_ruling_decides_a_debate(side: TopSide | None, words: str) -> None:
    talk = debate_between()
    talk.held(but(talk, AgentId("arbitrator"), 8, lambda ask: spoken(ask, "So it is ruled.", side=side)))
    assert talk.debate.complete is not None
    assert talk.debate.complete.why == f"{words}So it is ruled."


@pytest.mark.rule("TURN-2")
def test_a_proponent_cannot_rule() -> None:
    talk = debate_between()

    def answering(ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        if not isinstance(ask, AskTurn) or ask.role is Role.ARBITRATOR:
            return Silence()
        return Spoken(turn=TurnDraft(type=TurnType.RULING, content=talk.fresh("Bob"), side=TopSide.YES))

    events = talk.held(answering)
    assert not [e for e in of(events, TurnSpoken) if e.turn.type is TurnType.RULING and e.role not in CHAIRS]


# ---- several turns in one reply


def offering(talk: Talking, *offers: tuple[AgentId, TurnType]) -> Callable[[TalkAsk, Conversation], TalkAnswer]:
    """Ann writes the turns of others along with her first."""

    def with_others(ask: AskTurn) -> TalkAnswer:
        also = tuple(
            OfferedTurn(agent=agent, turn=TurnDraft(type=type, content=fresh(90 + n)))
            for n, (agent, type) in enumerate(offers)
        )
        return Spoken(turn=TurnDraft(type=ask.type, content=fresh(80)), also=also)

    return but(talk, ANN, 0, with_others)


def contents(talk: Talking) -> list[str]:
    return [t.content for t in talk.talk.turns]


@pytest.mark.rule("TURN-2")
def test_a_reply_may_hold_the_turns_of_those_who_follow() -> None:
    talk = debate_between(Settings(together=True))
    held = talk.held(offering(talk, (BOB, TurnType.PROPOSITION), (AgentId("arbitrator"), TurnType.REACTION)))
    assert contents(talk)[:3] == [fresh(80), fresh(90), fresh(91)]
    assert order(held) == THREE_ROUNDS


@pytest.mark.rule("TURN-2")
@pytest.mark.parametrize(
    ("together", "offer"),
    [
        pytest.param(False, (BOB, TurnType.PROPOSITION), id="where that is not asked for"),
        pytest.param(True, (BOB, TurnType.COUNTER), id="of another type than is due"),
        pytest.param(True, (CAT, TurnType.PROPOSITION), id="of somebody who is not due"),
    ],
)
def test_turns_that_are_not_due_are_not_taken(together: bool, offer: tuple[AgentId, TurnType]) -> None:
    talk = debate_between(Settings(together=together))
    assert order(talk.held(offering(talk, offer))) == THREE_ROUNDS
    assert fresh(90) not in contents(talk)


@pytest.mark.rule("TURN-2")
def test_a_turn_written_for_somebody_is_not_taken_for_another_kind_of_turn() -> None:
    talk = debate_between(Settings(together=True, redundancy=Redundancy(synthesis_interval=3)))
    told = order(talk.held(offering(talk, (AgentId("arbitrator"), TurnType.REACTION))))
    assert told[2] == ("arbitrator", "synthesis"), "it is due, and nobody wrote it along"


@pytest.mark.rule("TURN-2")
def test_who_follows_is_told_to_whoever_may_write_for_them() -> None:
    talk = debate_between(Settings(together=True))
    asked: list[AskTurn] = []

    def answering(ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        if isinstance(ask, AskTurn):
            asked.append(ask)
        return talk.well(ask, debate)

    talk.held(answering)
    due = (DueTurn(BOB, TurnType.PROPOSITION), DueTurn(AgentId("arbitrator"), TurnType.REACTION))
    assert [ask.following for ask in asked[:3]] == [due, due[1:], ()]


# ---- what a consensus comes to


def consensus(**said: bool) -> tuple[Talking, SynthesisGiven]:
    """Who accepts the merged position; `concedes` says whether anybody gave something up."""
    talk = Talking(protocol=CONSENSUS)

    def answering(ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        match ask:
            case AskConsent():
                agrees = said.get(ask.agent, True)
                return Consent(agrees=agrees, why="" if agrees else "tides turn")
            case AskTurn(type=TurnType.CONCESSION) if not said.get("concedes", True):
                return spoken(ask, talk.fresh(), concedes=" ")
            case _:
                return talk.well(ask, debate)

    return talk, only(talk.held(answering), SynthesisGiven)


@pytest.mark.rule("TURN-2")
def test_a_merged_position_that_all_accept_is_a_consensus() -> None:
    talk, given = consensus()
    assert (given.accepted, given.dissent, given.closing) == ((ANN, BOB, CAT), (), True)
    assert talk.debate.complete is not None
    assert talk.debate.complete.verdict is Verdict.CONSENSUS


@pytest.mark.rule("TURN-2")
def test_whoever_dissents_is_named_and_there_is_no_consensus() -> None:
    talk, given = consensus(bob=False)
    assert [(d.agent, d.why) for d in given.dissent] == [(BOB, "tides turn")]
    assert given.accepted == (ANN, CAT)
    assert talk.talk.turns[-1].content.endswith("Still dissenting: Bob.")
    assert talk.debate.complete is not None
    assert (talk.debate.complete.verdict, "dissenting: Bob" in talk.debate.complete.why) == (Verdict.NO_CONSENSUS, True)


@pytest.mark.rule("TURN-2")
def test_where_nobody_gave_anything_up_there_is_no_consensus() -> None:
    talk, _ = consensus(concedes=False)
    assert talk.debate.complete is not None
    assert (talk.debate.complete.verdict, talk.debate.complete.why) == (
        Verdict.NO_CONSENSUS,
        "nobody conceded anything",
    )


@pytest.mark.rule("TURN-2")
def test_every_round_of_a_discussion_begins_with_a_question() -> None:
    limits = Redundancy(synthesis_interval=5)
    talk = Talking(protocol=DISCUSSION, settings=Settings(redundancy=limits))
    told = order(talk.held())
    positions = [place for place, (_, type) in enumerate(told) if type == "position"]
    assert all((FACILITATOR, "question") in told[max(0, place - 2) : place] for place in positions)


@pytest.mark.parametrize(
    ("protocol", "agents", "calls"),
    [
        pytest.param("debate", 2, 9, id="nine steps, whoever argues"),
        pytest.param("consensus", 3, 13, id="three phases and a last word for each, and the summary"),
        pytest.param("discussion", 3, 17, id="four subjects, each with its summary, and the end"),
        pytest.param("roundtable", 3, 48, id="as many turns as are allowed"),
    ],
)
def test_what_a_conversation_will_ask_is_known_before_it_begins(protocol: str, agents: int, calls: int) -> None:
    least, most = protocol_named(protocol).calls(agents, Settings())
    assert least == calls < most
