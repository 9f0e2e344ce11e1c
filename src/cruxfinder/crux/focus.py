"""What one agent attends to between its messages: which message it answers, or where it speaks up unasked."""

from dataclasses import dataclass
from typing import Final

from cruxfinder.crux.events import MessagePosted
from cruxfinder.crux.law import agenda, attention, dependencies, flood, threads
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Message, Thread, find_message
from cruxfinder.kernel.effects import Dice, Observation
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.vocabulary import ADVOCATE, MODERATOR, AgentId, MessageId, ThreadId

SILENCE_MS: Final = 2_000  # after which one speaks up unasked
UNREAD_MAX: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionTarget:
    """Where an agent wants to speak, and which message it answers there."""

    thread: Thread
    message: MessageId | None = None


class AgentAttention:
    """Its interests, and how far it has read in every thread."""

    def __init__(self, me: AgentId, dice: Dice, like: Likeness, debate: Debate) -> None:
        seat = next(s for s in debate.seats if s.id == me)
        self._me = me
        self._name = seat.name
        self._dice = dice
        self._like = like
        phrases = (debate.started.topic, *(seat.interests or (seat.about,)))  # everybody came for the topic
        self._interests: attention.Interests = {p: 1.0 for p in phrases if p.strip()}
        self._read: dict[ThreadId, MessageId] = {}
        self._caught: attention.ScoredMessage | None = None  # the message it last set out to answer

    def note_own_message(self, seen: Observation[Debate]) -> None:
        """What it talks about concerns it more from now on."""
        said = next((e for e in seen.events if isinstance(e, MessagePosted) and e.agent == self._me), None)
        topics = () if said is None else (*said.topics, attention.subject(said.move))
        if said is not None and any(topics):  # a grade or a steelman is about others
            self._interests = attention.update_interests(self._interests, topics, said.content, self._like)

    def choose_target(self, seen: Observation[Debate], open_: list[Thread]) -> AttentionTarget | None:
        """The message that concerns it most, or nearly; else a thread of its own to speak up in; else nothing."""
        scored: list[attention.ScoredMessage] = []
        calm: list[Thread] = []
        for thread in open_:
            fresh = self._unread(thread)
            known = thread.id in self._read
            if thread.messages:
                self._read[thread.id] = thread.messages[-1].id
            if known and len(fresh) >= attention.LET_OTHERS:
                continue
            calm.append(thread)
            scored += self._score_unread(seen, thread, fresh)
        answer = attention.choose(scored, self._dice.between(self._me, "reply", 1, 100)) if scored else None
        if answer is None:
            return self._unprompted_target(seen, calm)
        if not self._is_eager(seen.debate, answer.thread):
            return None
        self._caught = answer
        return AttentionTarget(thread=seen.debate.threads[answer.thread], message=answer.message.id)

    def concern(self, seen: Observation[Debate], thread: Thread, message: Message) -> float:
        """How much a message concerns it."""
        listener = attention.Listener(agent=self._me, name=self._name, interests=self._interests)
        own = self._me in threads.members(seen.debate, thread)
        disputes = tuple(threads.question_of(t) for t in agenda.active_disputes(seen.debate))
        age = seen.now_ms - message.at_ms
        return attention.score(message, listener, self._like, own=own, age_ms=age, disputes=disputes)

    def aim(self, seen: Observation[Debate], thread: Thread, target: MessageId | None) -> float | None:
        """How much the message it answers concerned it, to be told with the reply: when it caught its eye, or now."""
        if self._caught is not None and self._caught.message.id == target:
            return round(self._caught.score, 3)
        message = None if target is None else find_message(thread, target)
        if message is None or message.agent == MODERATOR:
            return None
        return round(self.concern(seen, thread, message), 3)

    def _unread(self, thread: Thread) -> tuple[Message, ...]:
        count = attention.count_messages_since(thread.messages, self._read.get(thread.id))
        return tuple(m for m in thread.messages[-count:] if m.agent != self._me) if count else ()

    def _score_unread(
        self, seen: Observation[Debate], thread: Thread, fresh: tuple[Message, ...]
    ) -> list[attention.ScoredMessage]:
        own = self._me in threads.members(seen.debate, thread)
        found: list[attention.ScoredMessage] = []
        for message in fresh[-UNREAD_MAX:]:
            if message.agent != MODERATOR and flood.is_open_to_reply(thread, message.id):
                score = self.concern(seen, thread, message)
                if score >= attention.threshold(seen.debate):
                    found.append(attention.ScoredMessage(message, thread.id, score, own))
        return found

    def _unprompted_target(self, seen: Observation[Debate], calm: list[Thread]) -> AttentionTarget | None:
        """Say what one has to say in the thread of one's own where least was said of late."""
        mine = [t for t in calm if self._me == ADVOCATE or self._me in threads.members(seen.debate, t)]
        quiet = [t for t in mine if self._me not in t.speakers or seen.now_ms - last_ms(t) >= SILENCE_MS]
        if not quiet:
            return None
        thread = min(quiet, key=lambda t: (last_ms(t), t.id))
        return AttentionTarget(thread=thread) if self._is_eager(seen.debate, thread.id) else None

    def _is_eager(self, debate: Debate, thread: ThreadId) -> bool:
        """Less eager to join in elsewhere once one's own crux is crystallised."""
        done = any(self._me in t.commitments for t in dependencies.crystallised_threads(debate))
        if not done or self._me in debate.threads[thread].commitments:
            return True
        return self._dice.between(self._me, "eager", 1, 100) <= attention.EAGER_PERCENT


def last_ms(thread: Thread) -> int:
    return thread.messages[-1].at_ms if thread.messages else thread.created_ms
