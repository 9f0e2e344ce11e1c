"""What a model is shown and asked for a turn, and how its reply is read: passes, markers on one line, concessions."""

import json
from dataclasses import replace

import pytest

from cruxfinder.crux.law.blind import Labels
from cruxfinder.debaters.modelled import turn_prompts, turn_reading
from cruxfinder.kernel.run_facts import Silence
from cruxfinder.kernel.vocabulary import AgentId, TopSide
from cruxfinder.ports import Prompt, UnreadableReply
from cruxfinder.protocols.any_ask import AnyAnswer
from cruxfinder.talk import turn_tasks
from cruxfinder.talk.asks import AskTurn, DueTurn, Spoken
from cruxfinder.talk.law import markers
from cruxfinder.talk.turns import CONSENSUS, DEBATE, TurnDraft, TurnId, TurnType
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
    return turn_reading.read_turn(text, ask or asked(talk), talk.debate, Labels({}))


PASSES = (
    "PASS",
    " pass.\n",
    f"{HEAD}\nPASS\n{END}",
    f"{HEAD} **PASS** {END}",
    '{"type": "PASS"}',
    '{"content": "pass"}',
)


@pytest.mark.parametrize("reply", PASSES)
def test_a_pass_is_one_wherever_it_stands(reply: str) -> None:
    assert read(reply) == Silence(why="nothing new to say")
    with pytest.raises(UnreadableReply, match="cannot be passed over"):
        read(reply, replace(asked(Talking()), owed=True))


@pytest.mark.parametrize(("owed", "offered"), [(True, False), (False, True)])
def test_a_pass_is_offered_and_held_to_where_there_may_be_one(owed: bool, offered: bool) -> None:
    talk = Talking()
    told = prompt(talk, replace(asked(talk), owed=owed))
    assert ('{"type": "PASS"}' in told.user) == (r"\"type\":\"PASS\"" in told.grammar) == offered
    assert ('{"const": "PASS"}' in json.dumps(told.schema)) == offered


def test_a_name_cannot_end_the_grammar_or_the_object_it_stands_in() -> None:
    seats = (replace(seat, name='An"n \\') if seat.id == ANN else seat for seat in Talking().debate.seats)
    talk = Talking(seats=tuple(seats))
    told = prompt(talk, replace(asked(talk), following=(DueTurn(BOB, TurnType.REBUTTAL),)))
    assert r"\"agent\":\"An\\\"n \\\\\",\"type\"" in told.grammar
    assert r'{"agent": "An\"n \\", "type": "rebuttal"' in told.user


# ---- an object by the schema


@pytest.mark.parametrize("type", TurnType)
@pytest.mark.parametrize("owed", [True, False])
def test_a_turn_is_asked_for_as_one_object_in_three_ways(type: TurnType, owed: bool) -> None:
    talk = Talking()
    talk.post(BOB)
    ask = replace(asked(talk, type=type), owed=owed, answers=TurnId("n1"))
    told = prompt(talk, ask)
    shape = told.schema if owed else told.schema["oneOf"][0]  # type: ignore[index,call-overload]
    names = set(shape["properties"])  # type: ignore[index,call-overload,arg-type]
    assert {"type", "content", "reply_to"} <= names
    assert all(rf"\"{name}\":" in told.grammar for name in names)
    assert f'JSON: {{"type": "{type}", content (' in told.user and all(f"{name}" in told.user for name in names)


def test_all_that_an_object_says_is_read() -> None:
    talk = Talking()
    talk.post(BOB)
    said = {"type": "concession", "content": POINT, "reply_to": "n1", "side": "NO", "concedes": "the night ferry"}
    ask = asked(talk, type=TurnType.CONCESSION)
    answer = turn_reading.read_turn(json.dumps(said), ask, talk.debate, Labels({}))
    wanted = TurnDraft(
        type=TurnType.CONCESSION,
        content=POINT,
        reply_to=TurnId("n1"),
        side=TopSide.NO,
        concedes="the night ferry",
    )
    assert answer == Spoken(turn=wanted)
    synthesis = {"content": "Both want it.", "next_step": "count the boats", "side": "maybe", "concedes": "nothing"}
    told = turn_reading.read_turn(json.dumps(synthesis), asked(talk, type=TurnType.SYNTHESIS), talk.debate, Labels({}))
    assert told == Spoken(turn=TurnDraft(type=TurnType.SYNTHESIS, content="Both want it.", next_step="count the boats"))


def test_a_question_to_the_user_is_one_only_where_it_may_be() -> None:
    said = json.dumps({"type": "question", "to_user": True, "content": "How long?"})
    ask = asked(Talking())
    may = read(said, replace(ask, may_ask=True))
    assert may == Spoken(turn=TurnDraft(type=TurnType.QUESTION, content="How long?", to_user=True))
    assert read(said, ask) == Spoken(turn=TurnDraft(type=TurnType.REBUTTAL, content="How long?"))


def test_turns_of_those_who_follow_are_read_and_no_others() -> None:
    turns = [
        {"agent": "Ann", "type": "rebuttal", "content": POINT},
        {"agent": "Bob", "type": "rebuttal", "content": "If it falls, it goes."},
        {"agent": "Bob", "type": "ruling", "content": "Ann is right."},
        {"agent": "Cy", "type": "rebuttal", "content": "Who am I?"},
    ]
    ask = replace(asked(Talking()), following=(DueTurn(BOB, TurnType.REBUTTAL),))
    answer = read(json.dumps({"turns": turns}), ask)
    assert isinstance(answer, Spoken) and answer.turn.content == POINT
    assert [(o.agent, o.turn.content) for o in answer.also] == [(BOB, "If it falls, it goes.")]
    with pytest.raises(UnreadableReply, match="there is no turn of Ann"):
        read(json.dumps({"turns": turns[1:]}), ask)


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ('{"type": "rebuttal", "content": "If the bar', "broken or incomplete"),
        ('```json\n{"content": ["x"]}\n```', "content must be a text"),
        ('{"turns": "none"}', "turns must be a list of objects"),
        ('{"type": "rebuttal"}', "there are no words"),
        ('{"agent": ' + "[" * 900 + "]" * 900 + ', "content": "x"}', "agent must be a text"),
    ],
)
def test_an_object_that_is_none_is_told_so(reply: str, fault: str) -> None:
    with pytest.raises(UnreadableReply, match=fault):
        read(reply)


def test_nothing_in_an_object_looks_like_the_end_of_a_turn() -> None:
    answer = read(json.dumps({"content": f"{POINT} {END} [/TURN]", "next_step": f"{HEAD} go"}))
    assert isinstance(answer, Spoken)
    assert (answer.turn.content, answer.turn.next_step) == (f"{POINT} (/TURN)", "go")


@pytest.mark.parametrize("said", [POINT, f'{POINT} {{"a": 1}} is a set.', f"{POINT}\nSIDE: NO\nNEXT: measure it"])
def test_plain_words_are_a_turn_where_a_model_knows_no_better(said: str) -> None:
    answer = read(said)
    assert isinstance(answer, Spoken) and answer.turn.content.startswith(POINT)
    assert (answer.turn.side is TopSide.NO) == ("SIDE" in said) == (answer.turn.next_step == "measure it")


# ---- turns between markers, which a model may send unasked


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
