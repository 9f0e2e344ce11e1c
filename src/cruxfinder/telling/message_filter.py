"""Reading a run: which of its messages to show, by thread, topic, time, speaker and who is spoken of."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from cruxfinder.crux.events import MessagePosted, ModeratorIntervention
from cruxfinder.crux.thread import Message
from cruxfinder.errors import BadInput
from cruxfinder.kernel.agent_names import match_agent
from cruxfinder.kernel.run_facts import Seat
from cruxfinder.kernel.vocabulary import ADVOCATE, MODERATOR, AgentId
from cruxfinder.language.mentions import is_mentioned
from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.talk.events import TurnSpoken


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageFilter:
    """Everything given must hold, and within a list one is enough; nothing given lets every message through."""

    threads: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    since_ms: int = 0  # debate time, that moment included
    agents: tuple[str, ...] = ()
    mentions: str = ""  # an agent's id
    mentions_name: str = ""  # and its name, which may be said without an @

    @property
    def has_criteria(self) -> bool:
        return self != MessageFilter()

    def matches(self, message: Message | MessagePosted) -> bool:
        return self._lets(message.thread, message.at_ms, message.agent, message.content, message.topics)

    def passes(self, event: AnyEvent) -> bool:
        """Whether an event is a message that matches; interventions of the moderator and turns are messages, too."""
        match event:
            case MessagePosted():
                return self.matches(event)
            case ModeratorIntervention():
                return self._lets(event.thread, event.at_ms, MODERATOR, event.content, ())
            case TurnSpoken():
                return self._lets("", event.at_ms, event.agent, event.turn.content, ())
            case _:
                return False

    def _lets(self, thread: str, at_ms: int, agent: str, content: str, topics: Iterable[str]) -> bool:
        return (
            at_ms >= self.since_ms
            and (not self.threads or thread in self.threads)
            and (not self.agents or agent in self.agents)
            and (not self.topics or any(topic in self.topics for topic in topics))
            and (not self.mentions or is_mentioned(content, AgentId(self.mentions), self.mentions_name))
        )


def resolve_filter(
    wanted: MessageFilter, seats: Sequence[Seat], threads: Collection[str] | None = None
) -> MessageFilter:
    """The filter with agents by id, whether they were given by id or by name. Raise BadInput for anybody unknown.

    Threads are checked where they are known: a run that goes on may still open one.
    """
    if threads is not None and (strange := [t for t in wanted.threads if t not in threads]):
        raise BadInput(f"there is no thread {strange[0]!r}; there are {', '.join(threads) or 'none yet'}")
    who = agent_id(wanted.mentions, seats) if wanted.mentions else ""
    return replace(
        wanted,
        agents=tuple(agent_id(agent, seats) for agent in wanted.agents),
        mentions=who,
        mentions_name=next((s.name for s in seats if s.id == who), "") or wanted.mentions_name,
    )


def agent_id(given: str, seats: Sequence[Seat]) -> str:
    found = match_agent(given, ((MODERATOR, ""), (ADVOCATE, ""), *((s.id, s.name) for s in seats)))
    if found is not None:
        return found
    known = ", ".join(dict.fromkeys((*(s.id for s in seats), MODERATOR)))
    raise BadInput(f"there is no agent {given!r}; there are {known}")
