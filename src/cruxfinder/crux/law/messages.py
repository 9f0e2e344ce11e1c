"""Is a draft a message at all? SPEC §1: VOC-1 (a move with all its fields) and VOC-2 (a message's form)."""

import math
import re
from collections.abc import Iterator
from typing import Final

from cruxfinder.crux.moves import Clarify, Draft, Move, Steelman
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread, find_message
from cruxfinder.kernel.field_meanings import CONTENT_MAX, FIELD_MAX, MeantField, meant_fields
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import MODERATOR, AgentId, MessageId, RuleId

FIELDS: Final = RuleId("VOC-1")
FORM: Final = RuleId("VOC-2")
CONTROL: Final = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def required_texts(move: Move) -> tuple[tuple[str, str], ...]:
    """The fields that must say something, by name."""
    return tuple(
        (field.name, getattr(move, field.name))
        for field in meant_fields(type(move))
        if field.kind == "text" and is_needed(field, move)
    )


def is_needed(field: MeantField, move: Move) -> bool:
    needed = field.meaning.needed_if
    return not field.may_lack if needed is None else getattr(move, needed.field) in needed.values


def target_of(move: Move) -> MessageId | None:
    """The message a move is aimed at."""
    return next((getattr(move, f.name) for f in meant_fields(type(move)) if f.kind == "message"), None)


def confidences(move: Move) -> tuple[float, ...]:
    return tuple(getattr(move, f.name) for f in meant_fields(type(move)) if f.kind == "chance")


def check(debate: Debate, thread: Thread, agent: AgentId, draft: Draft) -> Iterator[Refusal]:
    move = draft.move
    empty = [name for name, text in required_texts(move) if not text.strip()]
    if empty:
        yield Refusal(
            rule=FIELDS,
            reason=f"{move.kind} lacks {', '.join(empty)}",
            remedy=f"give {', '.join(empty)}",
        )
    if any(not (math.isfinite(c) and 0 <= c <= 1) for c in confidences(move)):
        yield Refusal(rule=FIELDS, reason="a confidence lies outside 0…1", remedy="give it as a share of 1")
    if isinstance(move, Steelman) and (move.target == agent or move.target not in debate.agents):
        yield Refusal(rule=FIELDS, reason="a steelman is of another agent", remedy="name an opponent as target")
    target = target_of(move)
    for named in (n for n in (target, draft.reply_to, *draft.refs) if n is not None):
        said = find_message(thread, named)
        if said is None:
            yield Refusal(rule=FIELDS, reason=f"there is no message {named}", remedy="name a message of this thread")
        elif named == target and said.agent == agent and not isinstance(move, Clarify):
            yield Refusal(rule=FIELDS, reason=f"{named} is your own message", remedy="answer somebody else")
    yield from check_form(thread, draft)


def check_form(thread: Thread, draft: Draft) -> Iterator[Refusal]:
    content = draft.content.strip()
    if not content:
        yield Refusal(rule=FORM, reason="the message is empty", remedy="say it in one or two sentences")
    if len(content) > CONTENT_MAX:
        yield Refusal(
            rule=FORM,
            reason=f"{len(content)} characters, {CONTENT_MAX} is the limit",
            remedy="say it in one or two sentences of 200–400 characters",
        )
    if any(len(text) > FIELD_MAX for _, text in required_texts(draft.move)):
        yield Refusal(rule=FORM, reason=f"a field is longer than {FIELD_MAX}", remedy="shorten it")
    if any(CONTROL.search(text) for text in (content, *(text for _, text in required_texts(draft.move)))):
        yield Refusal(rule=FORM, reason="line breaks or control characters", remedy="write plain sentences")
    if any(m.content == content for m in thread.messages[-40:] if m.agent != MODERATOR):
        yield Refusal(rule=FORM, reason="this was said before, word for word", remedy="add something new")
