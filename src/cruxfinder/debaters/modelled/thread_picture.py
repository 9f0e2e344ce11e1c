"""How a thread stands, in a few lines: its question, who stands where with which falsifier, and what was said last."""

from collections.abc import Iterator, Sequence
from typing import Final

from cruxfinder.crux.law import crux_quality
from cruxfinder.crux.law.blind import HOUSE, Labels
from cruxfinder.crux.thread import AcceptedFalsifier, Commitment, Message, Thread, find_candidate, find_message
from cruxfinder.kernel.vocabulary import AgentId, MessageId, Stage
from cruxfinder.language.quoted_data import mark_as_data

STATEMENT_MAX: Final = 60
FALSIFIER_MAX: Final = 64
MESSAGE_MAX: Final = 240
QUESTION_MAX: Final = 130
MEANING_MAX: Final = 70
MESSAGES: Final = 2


def describe_thread(
    thread: Thread, labels: Labels, *, messages: int = MESSAGES, answers: MessageId | None = None
) -> str:
    lines = [*questions(thread), *positions(thread, labels), *message_lines(thread, labels, messages, answers)]
    return "\n".join(lines)


def questions(thread: Thread) -> Iterator[str]:
    """The locked question, or those that may be."""
    locked = find_candidate(thread, thread.crux)
    if locked is not None:
        meant = f"YES: {mark_as_data(locked.yes_means, MEANING_MAX)} NO: {mark_as_data(locked.no_means, MEANING_MAX)}"
        yield f"{thread.stage} on the question {mark_as_data(locked.question, QUESTION_MAX)} {meant}"
        return
    about = f" of {mark_as_data(thread.topic, QUESTION_MAX)}" if thread.parent is not None else ""
    if not thread.candidates:
        yield f"{Stage.DISCOVERY}{about}: no yes/no question proposed yet"
        return
    proposed = " ".join(f"{c.id} {mark_as_data(c.question, QUESTION_MAX)}" for c in thread.candidates)
    yield f"{thread.stage}{about}. Proposed: {proposed}"


def positions(thread: Thread, labels: Labels) -> Iterator[str]:
    sides = crux_quality.positions_now(thread) if thread.commitments else {}
    for agent, commitment in thread.commitments.items():
        side = sides.get(agent, commitment.side)
        held = thread.falsifiers.get(agent, ())
        tests = "".join(f" F{f.number} {falsifier(f)}" for f in held[-1:])
        yield (
            f"{labels.of(agent)} {side} {percent(commitment)} "
            f"{mark_as_data(commitment.statement, STATEMENT_MAX)}{tests}"
        )


def percent(commitment: Commitment) -> str:
    return f"{commitment.confidence:.2f}".lstrip("0")


def falsifier(accepted: AcceptedFalsifier, most: int = FALSIFIER_MAX) -> str:
    f = accepted.falsifier
    return mark_as_data(f"{f.metric} {f.threshold} {f.deadline}", most)


def message_lines(thread: Thread, labels: Labels, count: int, answers: MessageId | None) -> Iterator[str]:
    """The last messages, and the one to be answered if it is not among them."""
    last: Sequence[Message] = thread.messages[-count:] if count else ()
    wanted = None if answers is None else find_message(thread, answers)
    if wanted is not None and wanted not in last:
        last = (wanted, *(last if thread.stage is Stage.DISCOVERY else last[1:]))
    for message in last:
        yield describe_message(message, labels)


def describe_message(message: Message, labels: Labels, most: int = MESSAGE_MAX) -> str:
    content = labels.without_names(message.content) if message.agent in HOUSE else message.content
    return f"{message.id} {labels.of(message.agent)} {message.move.kind} {mark_as_data(content, most)}"


def full_position(thread: Thread, agent: AgentId) -> str:
    """One agent's position with everything that belongs to it, for a steelman or a grade."""
    commitment = thread.commitments.get(agent)
    if commitment is None:
        return "no position"
    held = thread.falsifiers.get(agent, ())
    test = f" falsifier {falsifier(held[-1], 160)}" if held else ""
    return (
        f"{commitment.side} {mark_as_data(commitment.statement, 200)} reason "
        f"{mark_as_data(commitment.reason, 200)}{test}"
    )
