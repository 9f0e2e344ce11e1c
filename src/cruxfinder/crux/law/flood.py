"""How fast people may talk, on debate time: FLOOD-1 replies, FLOOD-2 cooldown, FLOOD-3 rate, FLOOD-5 held drafts.

And in how many threads at one time: FLOOD-4.
"""

from collections.abc import Iterator
from typing import Final

from cruxfinder.crux.asks import Duty
from cruxfinder.crux.moves import Draft
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread, find_message
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import MODERATOR, AgentId, MessageId, RuleId

REPLIES: Final = RuleId("FLOOD-1")
COOLDOWN: Final = RuleId("FLOOD-2")
RATE: Final = RuleId("FLOOD-3")
THREADS: Final = RuleId("FLOOD-4")

REPLIES_MAX: Final = 2
COOLDOWN_MS: Final = (6_000, 12_000)
RATE_MESSAGES: Final = 12
RATE_MS: Final = 30_000
THREADS_MAX: Final = 4


def check_replies(thread: Thread, draft: Draft, duty: Duty | None) -> Iterator[Refusal]:
    """Two direct replies a message; what is owed and answers to the moderator are exempt."""
    if draft.reply_to is None or (duty is not None and duty.move == draft.move.kind):
        return
    if not is_open_to_reply(thread, draft.reply_to):
        yield Refusal(
            rule=REPLIES,
            reason=f"{draft.reply_to} has had its {REPLIES_MAX} replies",
            remedy="answer another message, or speak to the thread",
        )


def is_open_to_reply(thread: Thread, target: MessageId) -> bool:
    said = find_message(thread, target)
    if said is None or said.agent == MODERATOR:
        return True
    replies = 0
    for message in reversed(thread.messages):
        if message.id == said.id:
            break
        replies += message.reply_to == said.id
    return replies < REPLIES_MAX


def ready_ms(debate: Debate, agent: AgentId) -> int:
    """When the agent's cooldown ends."""
    return 0 if COOLDOWN in debate.settings.off else debate.ready_ms.get(agent, 0)


def slot_ms(debate: Debate, thread: Thread, agent: AgentId, now_ms: int) -> int:
    """The first moment from now at which the thread takes one more message; held drafts keep their places."""
    if RATE in debate.settings.off:
        return now_ms
    promised = [at for holder, at in thread.held.items() if holder != agent and at > ready_ms(debate, holder)]
    queue = agent not in thread.held and bool(promised)
    said = [m.at_ms for m in thread.messages[-RATE_MESSAGES - 24 :] if m.agent != MODERATOR]
    earlier = sorted([*said, *(at for at in promised if queue or at <= now_ms)])
    if len(earlier) < RATE_MESSAGES:
        return max(now_ms, *promised) if queue else now_ms
    return max(now_ms, earlier[-RATE_MESSAGES] + RATE_MS, *(promised if queue else ()))


def has_slot(debate: Debate, thread: Thread, at_ms: int, reserved: int) -> bool:
    """Will there be room at that moment, with so many drafts promised a slot before?"""
    if RATE in debate.settings.off:
        return True
    recent = [m for m in thread.messages[-RATE_MESSAGES - 24 :] if m.agent != MODERATOR]
    window = sum(m.at_ms > at_ms - RATE_MS for m in recent)
    return window + reserved + len(thread.held) < RATE_MESSAGES


def check_time(debate: Debate, thread: Thread, agent: AgentId, now_ms: int) -> Iterator[Refusal]:
    """Reasons that time alone will mend: the draft is held until then, never asked for again."""
    if (ready := ready_ms(debate, agent)) > now_ms:
        yield Refusal(
            rule=COOLDOWN,
            reason=f"cooling down for {ready - now_ms} ms",
            remedy="held until then",
            until_ms=ready,
        )
    if (slot := slot_ms(debate, thread, agent, now_ms)) > now_ms:
        yield Refusal(
            rule=RATE,
            reason=f"{RATE_MESSAGES} messages in {RATE_MS // 1000} s",
            remedy="held for the next slot",
            until_ms=slot,
        )


def active_threads_max(debate: Debate) -> int:
    """Active threads at one time: four, or half the agents where that is less, but one always."""
    if THREADS in debate.settings.off:
        return THREADS_MAX
    return max(1, min(THREADS_MAX, len(debate.agents) // 2))
