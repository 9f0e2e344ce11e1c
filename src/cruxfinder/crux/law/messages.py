"""Is a draft a message at all? SPEC §1: VOC-1 (a move with all its fields) and VOC-2 (a message's form)."""

import math
import re
from collections.abc import Iterator
from typing import Final

from cruxfinder.crux.moves import (
    Challenge,
    ChallengeEvidence,
    Claim,
    Clarify,
    Commit,
    Concede,
    DeclareFalsifier,
    Draft,
    GradeSteelman,
    Move,
    ProposeCrux,
    ProvideEvidence,
    Reframe,
    Steelman,
    UpdatePosition,
)
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread, find_message
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import MODERATOR, AgentId, Grade, MessageId, RuleId

FIELDS: Final = RuleId("VOC-1")
FORM: Final = RuleId("VOC-2")
CONTENT_MAX: Final = 600
FIELD_MAX: Final = 400
CONTROL: Final = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def required_texts(move: Move) -> tuple[tuple[str, str], ...]:
    """The fields that must say something, by name."""
    match move:
        case Claim():
            return ("proposition", move.proposition), ("reason", move.reason)
        case Challenge():
            return ("disputes", move.disputes), ("why", move.why)
        case Clarify() | DeclareFalsifier() | UpdatePosition():
            return ()
        case Reframe():
            return ("question", move.question), ("why", move.why)
        case ProposeCrux():
            return ("question", move.question), ("yes_means", move.yes_means), ("no_means", move.no_means)
        case Commit():
            return ("statement", move.statement), ("reason", move.reason)
        case Steelman():
            return ("claim", move.claim), ("reason", move.reason)
        case GradeSteelman():
            return () if move.grade is Grade.ACCURATE else (("missing", move.missing),)
        case ProvideEvidence():
            return ("evidence", move.evidence), ("source", move.source)
        case ChallengeEvidence():
            return (("why", move.why),)
        case Concede():
            return (("proposition", move.proposition),)


def target_of(move: Move) -> MessageId | None:
    """The message a move is aimed at."""
    match move:
        case Challenge() | Clarify() | GradeSteelman() | ChallengeEvidence():
            return move.target
        case UpdatePosition():
            return move.moved_by
        case _:
            return None


def confidences(move: Move) -> tuple[float, ...]:
    match move:
        case Claim() | Commit():
            return (move.confidence,)
        case UpdatePosition():
            return move.confidence_before, move.confidence_after
        case _:
            return ()


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
