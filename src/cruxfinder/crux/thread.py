"""A thread as it stands: its stage, its messages, and the structured moves sorted by what they are about."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from cruxfinder.crux.events import (
    CruxChallenged,
    CruxExtracted,
    DcgCalculated,
    PositionUpdated,
    ProbeAnswered,
)
from cruxfinder.crux.moves import Move
from cruxfinder.kernel.frozen_copies import cache_on_value
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.vocabulary import (
    ENDED,
    AgentId,
    CandidateId,
    Grade,
    Horizon,
    MessageId,
    Phase,
    RuleId,
    Side,
    Stage,
    Status,
    ThreadId,
    Trigger,
    Verdict,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Something that was said, by an agent or by the moderator."""

    id: MessageId
    thread: ThreadId
    at_ms: int
    agent: AgentId
    content: str
    move: Move
    reply_to: MessageId | None = None
    refs: tuple[MessageId, ...] = ()
    topics: tuple[str, ...] = ()
    counted: bool = True


def number_of(message: MessageId) -> int:
    """Messages are numbered through the debate: m1, m2, … An id of any other shape is number 0, which none has."""
    digits = message[1:]
    return int(digits) if message[:1] == "m" and digits.isascii() and digits.isdigit() and len(digits) < 10 else 0


class Seconding(NamedTuple):
    """Somebody else who proposed a candidate, in other words, or by its contrary."""

    agent: AgentId
    message: MessageId
    turned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A question the thread may turn on."""

    id: CandidateId
    question: str
    yes_means: str
    no_means: str
    by: AgentId
    message: MessageId
    seconded: tuple[Seconding, ...] = ()
    near_topic: float = 0.0  # how near its text is to the topic's; 0 where nobody read it

    @property
    def proposers(self) -> tuple[AgentId, ...]:
        return tuple(dict.fromkeys((self.by, *(s.agent for s in self.seconded))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Commitment:
    agent: AgentId
    side: Side
    statement: str
    reason: str
    confidence: float
    horizon: Horizon
    message: MessageId
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedFalsifier:
    """A falsifier that passed; `number` counts its agent's falsifiers from 1."""

    number: int
    falsifier: Falsifier
    concreteness: float
    open_ended: bool
    drafted: bool
    message: MessageId
    vague: bool = False  # taken all the same


@dataclass(frozen=True, slots=True, kw_only=True)
class SteelmanTry:
    """One attempt at a steelman, with the last grade it got."""

    message: MessageId
    author: AgentId
    target: AgentId
    claim: str
    reason: str
    falsifier: str
    at_ms: int
    grade: Grade = Grade.PENDING
    by: AgentId | None = None
    missing: str = ""
    carried: float = 1.0  # the share of its target's position
    graded_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervention:
    cause: RuleId
    at_ms: int
    message: MessageId
    to: tuple[AgentId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondLook:
    """Discovery was tried once more: what had been weighed until then."""

    messages: int  # of the stage, towards its budget
    candidates: int
    rounds: int  # that these were asked about in
    links: int  # rounds in which they were asked about in pairs


@dataclass(frozen=True, kw_only=True)
class Thread:
    id: ThreadId
    topic: str
    created_ms: int
    stage: Stage = Stage.DISCOVERY
    status: Status = Status.DISCOVERY
    messages: tuple[Message, ...] = ()
    stage_from: int = 0  # index of the stage's first message
    stage_ms: int = 0  # when the stage was entered
    counted: int = 0  # messages of this stage that count towards its budget
    clarified: frozenset[AgentId] = frozenset()  # who used the free CLARIFY of this stage
    stages: tuple[tuple[Stage, int, int], ...] = ()  # stages left: stage, messages, debate ms
    candidates: tuple[Candidate, ...] = ()
    claims: tuple[Message, ...] = ()
    challenged: frozenset[MessageId] = frozenset()
    crux: CandidateId | None = None
    commitments: Mapping[AgentId, Commitment] = field(default_factory=dict[AgentId, Commitment])
    recommit: frozenset[AgentId] = frozenset()  # asked to commit anew
    falsifiers: Mapping[AgentId, tuple[AcceptedFalsifier, ...]] = field(
        default_factory=dict[AgentId, tuple[AcceptedFalsifier, ...]]
    )
    drafted: Mapping[AgentId, Falsifier] = field(default_factory=dict[AgentId, Falsifier])
    tries: Mapping[tuple[AgentId, AgentId], tuple[SteelmanTry, ...]] = field(
        default_factory=dict[tuple[AgentId, AgentId], tuple[SteelmanTry, ...]]
    )
    lock_failures: int = 0
    granted: int = 0
    excused: frozenset[AgentId] = frozenset()
    excused_ms: int = 0  # when somebody was last excused
    late: frozenset[AgentId] = frozenset()  # committed after they had been excused
    stale: bool = False  # nobody had anything more to say in this stage
    sides: Mapping[AgentId, Side] = field(default_factory=dict[AgentId, Side])  # public, on the crux
    evidence: tuple[Message, ...] = ()
    answered: frozenset[MessageId] = frozenset()  # evidence somebody answered
    held: Mapping[AgentId, int] = field(default_factory=dict[AgentId, int])  # drafts that wait for a slot
    concessions: tuple[Message, ...] = ()
    side_changed_at: int = -1  # index of the last message that changed a side
    changes: tuple[PositionUpdated, ...] = ()
    unlabelled: tuple[Message, ...] = ()  # public changes whose cause is not told yet
    probes: Mapping[tuple[Phase, int], Mapping[AgentId, ProbeAnswered]] = field(
        default_factory=dict[tuple[Phase, int], Mapping[AgentId, ProbeAnswered]]
    )
    figures: Mapping[Phase, DcgCalculated] = field(default_factory=dict[Phase, DcgCalculated])
    second_look: SecondLook | None = None
    extracted: CruxExtracted | None = None
    objections: tuple[CruxChallenged, ...] = ()
    interventions: tuple[Intervention, ...] = ()
    parent: ThreadId | None = None
    trigger: Trigger | None = None
    members: frozenset[AgentId] = frozenset()  # who takes part in a spawned thread without having spoken yet
    only: bool = False  # nobody else takes part
    speakers: frozenset[AgentId] = frozenset()
    horizons: Mapping[AgentId, Horizon] = field(default_factory=dict[AgentId, Horizon])  # as stated in claims
    horizon: Horizon | None = None  # the one the question is taken at, once aligned
    merged_into: ThreadId | None = None
    ended_ms: int | None = None
    outcome: Verdict | None = None
    why: str = ""

    @property
    def over(self) -> bool:
        return self.status in ENDED

    @property
    def stage_messages(self) -> tuple[Message, ...]:
        return self.messages[self.stage_from :]


def count_rounds(thread: Thread, phase: Phase) -> int:
    """How often the private questions of a phase were put."""
    return sum(asked is phase for asked, _ in thread.probes)


def rounds_before(thread: Thread) -> int:
    """How often the questions weighed last were asked about."""
    earlier = 0 if thread.second_look is None else thread.second_look.rounds
    return count_rounds(thread, Phase.BEFORE) - earlier or earlier or 1


def find_message(thread: Thread, message: MessageId) -> Message | None:
    return messages_by_id(thread).get(message)


@cache_on_value
def messages_by_id(thread: Thread) -> dict[MessageId, Message]:
    return {m.id: m for m in thread.messages}


def find_candidate(thread: Thread, id: CandidateId | None) -> Candidate | None:
    return next((c for c in thread.candidates if c.id == id), None)
