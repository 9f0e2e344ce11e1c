"""A debate as it stands: the table, what was said in public, what was answered in private, and its threads."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from cruxfinder.crux.events import (
    CoalitionDetected,
    CruxesRelated,
    FirstPosition,
    GradingTested,
    RelationAnswered,
    ThreadProposed,
)
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.run_facts import DebateComplete, DebateStarted, Seat
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import ADVOCATE, AgentId, ProposalId, ThreadId, TopSide

Pair = tuple[ThreadId, ThreadId]


@dataclass(frozen=True, slots=True, kw_only=True)
class TopClaim:
    """What an agent argues for in public."""

    statement: str
    side: TopSide
    confidence: float
    updated_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A question that may get a thread of its own."""

    told: ThreadProposed
    settled: bool = False  # opened, or merged into another thread


@dataclass(frozen=True, kw_only=True)
class Debate:
    started: DebateStarted
    settings: Settings
    seats: tuple[Seat, ...]
    now_ms: int = 0
    firsts: Mapping[AgentId, FirstPosition] = field(default_factory=dict[AgentId, FirstPosition])
    tops: Mapping[AgentId, TopClaim] = field(default_factory=dict[AgentId, TopClaim])
    threads: Mapping[ThreadId, Thread] = field(default_factory=dict[ThreadId, Thread])
    spoken: int = 0  # messages of agents, all threads
    numbered: int = 0  # messages of anybody, the moderator's too
    fresh_at: int = 0  # `spoken` at the last crux, change of stage, or message under lock
    ready_ms: Mapping[AgentId, int] = field(default_factory=dict[AgentId, int])  # end of each cooldown
    spoke_ms: Mapping[AgentId, int] = field(default_factory=dict[AgentId, int])
    proposals: Mapping[ProposalId, Proposal] = field(default_factory=dict[ProposalId, Proposal])
    agenda: tuple[ThreadId, ...] = ()  # threads promoted to active disputes
    relations: Mapping[Pair, Mapping[AgentId, RelationAnswered]] = field(
        default_factory=dict[Pair, Mapping[AgentId, RelationAnswered]]
    )
    related: Mapping[Pair, CruxesRelated] = field(default_factory=dict[Pair, CruxesRelated])
    coalitions: CoalitionDetected | None = None
    related_at: int = 0  # `spoken` at the last look across threads
    failing: Mapping[AgentId, int] = field(default_factory=dict[AgentId, int])  # asks in a row without an answer
    tested: tuple[GradingTested, ...] = ()
    complete: DebateComplete | None = None

    @cached_property
    def agents(self) -> tuple[AgentId, ...]:
        """Those who count: in camps, coverage and shares. The devil's advocate does not."""
        return tuple(s.id for s in self.seats if s.id != ADVOCATE)

    @cached_property
    def active(self) -> tuple[Thread, ...]:
        return tuple(t for t in self.threads.values() if not t.over)
