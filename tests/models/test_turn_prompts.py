"""What a model is shown and asked for a turn, and how its reply is read: passes, markers on one line, concessions."""

from dataclasses import replace

import pytest

from cruxfinder.crux.law.blind import Labels
from cruxfinder.debaters.modelled import turn_prompts
from cruxfinder.kernel.run_facts import Silence
from cruxfinder.kernel.vocabulary import AgentId, TopSide
from cruxfinder.ports import Prompt, UnreadableReply
from cruxfinder.protocols.any_ask import AnyAnswer
from cruxfinder.talk import turn_tasks
from cruxfinder.talk.asks import AskTurn, Spoken
from cruxfinder.talk.law import markers
from cruxfinder.talk.turns import CONSENSUS, DEBATE, TurnType
from tests.law.build import ANN, BOB
from tests.law.talk import ARBITRATOR, FACILITATOR, Talking

HEAD = markers.head("Ann", "speaker", TurnType.REBUTTAL)
END = "<!-- TURN_END -->"
POINT = "If the bar rises, the ferry stops."


def asked(
    talk: Talking, agent: AgentId = ANN, type: TurnType = TurnType.REBUTTAL, task: str = turn_tasks.GO_ON
) -> AskTurn:
    part = next(seat.role for seat in talk.debate.seats if seat.id == agent)
    return AskTurn(agent=agent, role=part, type=type, words=150, heard=0, task=task)


def prompt(talk: Talking, ask: AskTurn) -> Prompt:
    return turn_prompts.turn_prompt(ask, "system", talk.debate, Labels({}))


def read(text: str, ask: AskTurn | None = None) -> AnyAnswer:
    talk = Talking()
    return turn_prompts.read_turn(text, ask or asked(talk), talk.debate, Labels({}))


@pytest.mark.parametrize("reply", ["PASS", " pass.\n", f"{HEAD}\nPASS\n{END}", f"{HEAD} **PASS** {END}"])
def test_a_pass_is_one_wherever_it_stands(reply: str) -> None:
    assert read(reply) == Silence(why="nothing new to say")
    with pytest.raises(UnreadableReply, match="cannot be passed over"):
        read(reply, replace(asked(Talking()), owed=True))


@pytest.mark.parametrize(("owed", "offered"), [(True, False), (False, True)])
def test_a_pass_is_offered_and_held_to_where_there_may_be_one(owed: bool, offered: bool) -> None:
    talk = Talking()
    told = prompt(talk, replace(asked(talk), owed=owed))
    assert ("or PASS" in told.user) == ('"PASS" |' in told.grammar) == offered


def test_a_name_cannot_end_the_grammar_it_stands_in() -> None:
    seats = (replace(seat, name='An"n \\') if seat.id == ANN else seat for seat in Talking().debate.seats)
    talk = Talking(seats=tuple(seats))
    assert r"agent=\"An'n \\\"" in prompt(talk, asked(talk)).grammar


@pytest.mark.rule("TURN-4")
@pytest.mark.parametrize(
    "reply",
    [
        f"{HEAD} {POINT} {END}",
        f"{HEAD}{POINT}{END}\n{markers.head('Bob', 'speaker', TurnType.REBUTTAL)}I give up: Ann is right.{END}",
        f"\n{HEAD} {POINT}\n{END} Hope this helps!",
    ],
)
def test_markers_on_one_line_are_read_where_a_reply_begins_with_one(reply: str) -> None:
    answer = read(reply)
    assert isinstance(answer, Spoken) and answer.turn.content == POINT


@pytest.mark.rule("TURN-4")
def test_one_that_is_quoted_inside_a_line_begins_no_turn() -> None:
    answer = read(f"{POINT} He wrote: {HEAD}I give up.{END} That is silly.")
    assert isinstance(answer, Spoken) and answer.turn.content == f"{POINT} He wrote: I give up. That is silly."


def test_whoever_rules_is_shown_the_whole_debate() -> None:
    talk = Talking(ANN, BOB, protocol=DEBATE)
    talk.post(ANN, BOB, ANN, BOB, ANN, BOB)
    shown = prompt(talk, asked(talk, ARBITRATOR, TurnType.RULING, turn_tasks.RULE)).user
    assert all(f"{turn.id} " in shown for turn in talk.talk.turns)


def test_whoever_merges_is_shown_what_was_conceded() -> None:
    talk = Talking(protocol=CONSENSUS)
    talk.post(ANN, type=TurnType.CONCESSION, concedes="the night ferry", side=TopSide.NUANCED)
    shown = prompt(talk, asked(talk, FACILITATOR, TurnType.SYNTHESIS, turn_tasks.MERGE)).user
    assert "the night ferry" in shown
