"""Replies as turns: an object by the schema, turns between markers, or plain words where a model knows no better."""

import re
from collections.abc import Mapping
from typing import Final, cast

from cruxfinder.crux.law.blind import Labels
from cruxfinder.debaters.modelled.field_reading import is_nested
from cruxfinder.debaters.modelled.turn_prompts import PASS, Names
from cruxfinder.kernel.run_facts import Silence
from cruxfinder.kernel.vocabulary import TopSide
from cruxfinder.language.json_replies import REPLY_MAX, Reply, find_object
from cruxfinder.ports import UnreadableReply
from cruxfinder.protocols.any_ask import AnyAnswer
from cruxfinder.talk.asks import AskTurn, OfferedTurn, Spoken
from cruxfinder.talk.decide import talk_of
from cruxfinder.talk.law import markers
from cruxfinder.talk.state import Conversation, find_turn
from cruxfinder.talk.turns import TurnDraft, TurnId, TurnType

LINE: Final = re.compile(r"^[ \t]*\**(SIDE|CONCEDES|NEXT|USER|ANSWERS)\**[ \t]*:[ \t]*(.*)$", re.MULTILINE)
LINES: Final = {"SIDE": "side", "CONCEDES": "concedes", "NEXT": "next_step", "ANSWERS": "reply_to"}
TURN_ID: Final = re.compile(r"\bn(\d{1,4})\b")
FENCE: Final = re.compile(r"\A\s*(?:```[a-z]{0,9}\s*)?")
OWN: Final = frozenset({"turns", "type", "content"})  # an object with one of these is meant as a reply
TYPES: Final = frozenset(TurnType)


def read_turn(text: str, ask: AskTurn, record: Conversation, labels: Labels) -> AnyAnswer:
    """The turn that was asked for, and those of others where they were asked for too."""
    names = Names(record, labels)
    turns = turns_in(text[:REPLY_MAX])
    own = next((t for t in turns if "agent" in t and names.find_agent(read_words(t, "agent")) == ask.agent), None)
    if own is None and "agent" in turns[0]:
        raise UnreadableReply(f"there is no turn of {names.of(ask.agent)} in it")
    said = turns[0] if own is None else own
    if is_pass(said):
        if ask.owed:
            raise UnreadableReply("this turn cannot be passed over")
        return Silence(why="nothing new to say")
    also: list[OfferedTurn] = []
    for other in turns:
        agent, type = names.find_agent(read_words(other, "agent")), read_words(other, "type")
        if agent is not None and any(due == (agent, type) for due in ask.following):
            also.append(OfferedTurn(agent=agent, turn=read_draft(other, TurnType(type), None, record)))
    return Spoken(turn=read_draft(said, ask.type, ask, record), also=tuple(also))


# ---- where the turns stand


def turns_in(text: str) -> tuple[Reply, ...]:
    """The turns of a reply, one at least, each as an object."""
    if FENCE.sub("", text, count=1).startswith("{"):
        return turns_of_object(find_object(text))
    found = markers.parse(text) or markers.parse(markers.separate_markers(text))
    if found:
        return tuple({"agent": t.agent, "type": t.type, **fields_of_lines(t.content)} for t in found)
    try:
        reply = find_object(text)
    except UnreadableReply:
        return (fields_of_lines(markers.strip_markers(text)),)
    return turns_of_object(reply) if OWN & set(reply) else (fields_of_lines(markers.strip_markers(text)),)


def turns_of_object(reply: Reply) -> tuple[Reply, ...]:
    rows = reply.get("turns")
    if rows is None:
        return (reply,)
    given = cast("list[object]", rows) if isinstance(rows, list) else []
    turns = tuple(cast("Reply", row) for row in given[: markers.TURNS_MAX] if isinstance(row, dict))
    if not turns:
        raise UnreadableReply("turns must be a list of objects")
    return turns


def fields_of_lines(text: str) -> Reply:
    """Words with the lines after them that say more, as a model that was not asked for an object writes them."""
    lines = {name: value.strip() for name, value in LINE.findall(text)}
    fields = {LINES[name]: value for name, value in lines.items() if name in LINES}
    if user := lines.get("USER", ""):
        return {**fields, "content": user, "to_user": True, "words": LINE.sub("", text)}
    return {**fields, "content": LINE.sub("", text)}


def is_pass(turn: Reply) -> bool:
    words = (turn.get("content"), turn.get("type"))
    return any(isinstance(word, str) and word.strip(" .*\"'\n").upper() == PASS for word in words)


# ---- what they say


def read_draft(turn: Reply, type: TurnType, ask: AskTurn | None, record: Conversation) -> TurnDraft:
    if turn.get("to_user") in (True, "true") and ask is not None and ask.may_ask:
        return TurnDraft(type=TurnType.QUESTION, content=read_words(turn, "content"), to_user=True)
    concedes = read_words(turn, "concedes")
    return TurnDraft(
        type=type,
        content=read_content(turn),
        reply_to=read_target(read_words(turn, "reply_to"), ask, record),
        side=read_side(read_words(turn, "side")),
        concedes="" if is_nothing(concedes) else concedes,
        next_step=read_words(turn, "next_step"),
    )


def read_content(turn: Reply) -> str:
    """A question that may not be put to the user leaves the words that stood with it."""
    content = read_words(turn, "words" if "words" in turn else "content")
    if not content:
        raise UnreadableReply("there are no words in the turn")
    return content


def read_words(turn: Mapping[str, object], name: str) -> str:
    value = turn.get(name)
    if is_nested(value):
        raise UnreadableReply(f"{name} must be a text")
    return (
        "" if value is None else " ".join(markers.strip_markers(str(value)).encode(errors="replace").decode().split())
    )


def read_target(said: str, ask: AskTurn | None, record: Conversation) -> TurnId | None:
    named = TURN_ID.search(said)
    id = None if named is None else TurnId(f"n{int(named[1])}")
    if id is not None and find_turn(talk_of(record), id) is not None:
        return id
    return None if ask is None else ask.answers


def read_side(said: str) -> TopSide | None:
    word = said.strip(" .*").upper().split(" ")[0].strip(".,;:")
    return TopSide(word) if word in set(TopSide) else None


def is_nothing(said: str) -> bool:
    return said.strip(" .\"'*").casefold() in {"", "nothing", "none", "no", "n/a", "-", "—"}
