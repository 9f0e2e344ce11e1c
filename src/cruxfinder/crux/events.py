"""Everything that can be a fact of a debate, API-1: one type an event, past tense, tagged by its kind.

Events carry debate time only and never the run's id. A derived event names its message by id.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from cruxfinder.crux.asks import Credence, FixedReading, Judged, QuestionLink
from cruxfinder.crux.moves import Move
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.ranges import Gap, Rank, Share
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import RunEvent
from cruxfinder.kernel.vocabulary import (
    AgentId,
    CandidateId,
    Grade,
    Horizon,
    Label,
    MessageId,
    MoveKind,
    Phase,
    ProposalId,
    Relation,
    RuleId,
    Side,
    Stage,
    ThreadId,
    TopSide,
    Trigger,
    Verdict,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstPosition:
    kind: Literal["first_position"] = "first_position"
    at_ms: int
    agent: AgentId
    p_top: Share
    side: TopSide
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadCreated:
    kind: Literal["thread_created"] = "thread_created"
    at_ms: int
    thread: ThreadId
    topic: str
    parent: ThreadId | None = None
    trigger: Trigger | None = None
    proposal: ProposalId | None = None
    question: str = ""  # a spawned thread begins with its question
    yes_means: str = ""
    no_means: str = ""
    by: AgentId | None = None
    message: MessageId | None = None  # where the question came up
    distance: float | None = None  # to the nearest thread there was
    members: tuple[AgentId, ...] = ()  # who takes part from the start
    only: bool = False  # nobody else does
    horizon: Horizon | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadProposed:
    """A question that may get a thread of its own, with all who took it up so far; told again as it gains support."""

    kind: Literal["thread_proposed"] = "thread_proposed"
    at_ms: int
    proposal: ProposalId
    thread: ThreadId  # where it came up
    trigger: Trigger
    topic: str
    question: str = ""  # empty: nobody has put it as a question yet
    yes_means: str = ""
    no_means: str = ""
    supporters: tuple[AgentId, ...] = ()
    mentions: tuple[MessageId, ...] = ()
    rank: float | None = None  # where it was weighed already


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadMerged:
    """A proposal, or a thread, that asks what another thread asks already."""

    kind: Literal["thread_merged"] = "thread_merged"
    at_ms: int
    into: ThreadId
    thread: ThreadId | None = None
    proposal: ProposalId | None = None
    distance: float
    adds: bool = False  # the question becomes a candidate there


class JoinedCandidate(NamedTuple):
    """The candidate a proposal asks again; `turned`: by its contrary, so that its YES is that one's NO."""

    candidate: CandidateId
    turned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePosted:
    kind: Literal["message_posted"] = "message_posted"
    at_ms: int
    id: MessageId
    agent: AgentId
    thread: ThreadId
    move: Move
    content: str
    topics: tuple[str, ...] = ()
    reply_to: MessageId | None = None
    refs: tuple[MessageId, ...] = ()
    cooldown_ms: int = 0
    counted: bool = True
    attention: float | None = None  # how much the message it answers concerned its author
    flags: tuple[RuleId, ...] = ()  # what still stood against it when it was taken
    joins: JoinedCandidate | None = None  # the question it proposes is known, and no new one
    near_topic: float = 0.0  # how near the text of a new candidate is to the topic's


RefusalOutcome = Literal["revise", "dropped", "held", "stripped"]  # stripped: taken without its falsifier


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRefused:
    kind: Literal["message_refused"] = "message_refused"
    at_ms: int
    agent: AgentId
    thread: ThreadId
    move: MoveKind
    refusals: tuple[Refusal, ...]
    outcome: RefusalOutcome = "revise"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTransition:
    kind: Literal["stage_transition"] = "stage_transition"
    at_ms: int
    thread: ThreadId
    left: Stage
    entered: Stage
    candidate: CandidateId


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateFigures:
    """What the private answers say of one candidate."""

    candidate: CandidateId
    share: float
    gap_closed: float
    coverage: Share
    polarity: Share
    impact: Share
    dcg: Share
    rank: Rank
    flips: tuple[AgentId, ...] = ()
    repeats_topic: bool = False  # by its text and by everybody's answers: it is named nowhere


@dataclass(frozen=True, slots=True, kw_only=True)
class DcgCalculated:
    kind: Literal["dcg_calculated"] = "dcg_calculated"
    at_ms: int
    thread: ThreadId
    phase: Phase
    gap: Gap
    noise: float
    figures: tuple[CandidateFigures, ...]
    incoherent: tuple[AgentId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitmentMade:
    kind: Literal["commitment_made"] = "commitment_made"
    at_ms: int
    thread: ThreadId
    message: MessageId
    carried: tuple[tuple[MessageId, float], ...] = ()  # by the steelmans there are of it, by their messages


@dataclass(frozen=True, slots=True, kw_only=True)
class FalsifierDeclared:
    kind: Literal["falsifier_declared"] = "falsifier_declared"
    at_ms: int
    thread: ThreadId
    message: MessageId
    number: int
    concreteness: Share
    open_ended: bool = False
    drafted: bool = False  # by the moderator, accepted by the agent
    vague: bool = False  # and taken all the same


@dataclass(frozen=True, slots=True, kw_only=True)
class SteelmanAttempt:
    kind: Literal["steelman_attempt"] = "steelman_attempt"
    at_ms: int
    thread: ThreadId
    message: MessageId
    attempt: int
    carried: float = 1.0  # the share of the words of its target's position


@dataclass(frozen=True, slots=True, kw_only=True)
class SteelmanGraded:
    kind: Literal["steelman_graded"] = "steelman_graded"
    at_ms: int
    thread: ThreadId
    message: MessageId
    steelman: MessageId
    grade: Grade
    by: AgentId
    missing: str = ""  # by the moderator only; anybody else says it in the message


@dataclass(frozen=True, slots=True, kw_only=True)
class LockAttempted:
    kind: Literal["lock_attempted"] = "lock_attempted"
    at_ms: int
    thread: ThreadId
    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LockSucceeded:
    kind: Literal["lock_succeeded"] = "lock_succeeded"
    at_ms: int
    thread: ThreadId
    candidate: CandidateId


@dataclass(frozen=True, slots=True, kw_only=True)
class LockFailed:
    kind: Literal["lock_failed"] = "lock_failed"
    at_ms: int
    thread: ThreadId
    attempt: int
    missing: tuple[Refusal, ...]
    granted: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeratorIntervention:
    kind: Literal["moderator_intervention"] = "moderator_intervention"
    at_ms: int
    thread: ThreadId
    id: MessageId
    cause: RuleId
    content: str
    to: tuple[AgentId, ...] = ()
    recommit: bool = False  # everybody addressed commits anew
    question: str = ""  # a question it frames; YES is the claim, NO its denial
    yes_means: str = ""
    no_means: str = ""
    drafted: tuple[tuple[AgentId, Falsifier], ...] = ()  # falsifiers it drafted, to accept or replace
    joined: AgentId | None = None
    invites: bool = False  # everybody addressed takes part in the thread from now on
    horizon: Horizon | None = None  # the span the question is taken at from now on
    keeps: tuple[AgentId, ...] = ()  # after a split: who stays in the thread
    looks_again: bool = False  # discovery is tried once more


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSilent:
    """Excused from what it owed after too long a silence."""

    kind: Literal["agent_silent"] = "agent_silent"
    at_ms: int
    thread: ThreadId
    agent: AgentId
    owed: MoveKind


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceProvided:
    kind: Literal["evidence_provided"] = "evidence_provided"
    at_ms: int
    thread: ThreadId
    message: MessageId


@dataclass(frozen=True, slots=True, kw_only=True)
class Conceded:
    kind: Literal["conceded"] = "conceded"
    at_ms: int
    thread: ThreadId
    message: MessageId
    cheap: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionUpdated:
    """A public change of side with what moved it, told from the private answers around it."""

    kind: Literal["position_updated"] = "position_updated"
    at_ms: int
    thread: ThreadId
    message: MessageId
    agent: AgentId
    on: Literal["crux", "topic"]
    before: str
    after: str
    label: Label


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeAnswered:
    kind: Literal["probe_answered"] = "probe_answered"
    at_ms: int
    thread: ThreadId
    phase: Phase
    round: int
    agent: AgentId
    p_top: Share
    credences: tuple[Credence, ...] = ()
    fixed: tuple[FixedReading, ...] = ()
    links: tuple[QuestionLink, ...] = ()
    public_side: TopSide | None = None
    judged: Judged | None = None
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GradingTested:
    """An agent was given a steelman of itself that was made wrong on purpose."""

    kind: Literal["grading_tested"] = "grading_tested"
    at_ms: int
    thread: ThreadId
    agent: AgentId
    claim: str
    reason: str
    grade: Grade | None  # none: it could not answer

    @property
    def is_caught(self) -> bool:
        return self.grade in {Grade.INCOMPLETE, Grade.WRONG}


@dataclass(frozen=True, slots=True, kw_only=True)
class CruxExtracted:
    kind: Literal["crux_extracted"] = "crux_extracted"
    at_ms: int
    thread: ThreadId
    candidate: CandidateId
    version: int
    validated: bool
    failures: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CruxChallenged:
    kind: Literal["crux_challenged"] = "crux_challenged"
    at_ms: int
    thread: ThreadId
    agent: AgentId
    version: int
    objection: str
    side: Side | None = None
    statement: str = ""
    stands: bool = False  # extracted twice already: the objection stands beside the crux


@dataclass(frozen=True, slots=True, kw_only=True)
class CruxPromoted:
    kind: Literal["crux_promoted"] = "crux_promoted"
    at_ms: int
    thread: ThreadId
    candidate: CandidateId
    rank: float
    replaces: ThreadId | None = None  # the dispute that gave way to it


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadConverged:
    kind: Literal["thread_converged"] = "thread_converged"
    at_ms: int
    thread: ThreadId
    verdict: Verdict
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadFailed:
    kind: Literal["thread_failed"] = "thread_failed"
    at_ms: int
    thread: ThreadId
    missing: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadStale:
    """Nobody has had anything to say for too long: the stage is over, or the thread where it cannot go on."""

    kind: Literal["thread_stale"] = "thread_stale"
    at_ms: int
    thread: ThreadId
    stage: Stage
    ended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationAnswered:
    """What one agent holds, in private, of two cruxes: P(second | first is YES) and so on, with its reasoning."""

    kind: Literal["relation_answered"] = "relation_answered"
    at_ms: int
    first: ThreadId
    second: ThreadId
    agent: AgentId
    second_if_yes: Share = 0.0
    second_if_no: Share = 0.0
    first_if_yes: Share = 0.0
    first_if_no: Share = 0.0
    sketch: str = ""  # how a YES to the first bears on the second
    back: str = ""  # how a YES to the second bears on the first
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    """A YES to one crux bears on a YES to another; two agents agree on it, where possible of both camps."""

    from_crux: ThreadId
    to_crux: ThreadId
    relation: Relation
    confidence: float
    sketch: str
    by: AgentId
    second: AgentId


@dataclass(frozen=True, slots=True, kw_only=True)
class CruxesRelated:
    """Two cruxes side by side: the same question twice, one behind the other, or bearing on each other."""

    kind: Literal["cruxes_related"] = "cruxes_related"
    at_ms: int
    first: ThreadId
    second: ThreadId
    distance: float
    same: bool = False
    root: ThreadId | None = None  # the one that lies behind the other
    dependencies: tuple[Dependency, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DebateCoalition:
    """Agents who take the same sides; `positions` are (thread, side) that its members share."""

    members: tuple[AgentId, ...]
    positions: tuple[tuple[ThreadId, Side], ...]
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoalitionDetected:
    """The coalitions as they stand now: told whenever they change."""

    kind: Literal["coalition_detected"] = "coalition_detected"
    at_ms: int
    groups: tuple[DebateCoalition, ...]
    cruxes: int  # how many questions they rest on
    preliminary: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GlobalConvergence:
    """Every thread has ended and nothing is proposed any more."""

    kind: Literal["global_convergence"] = "global_convergence"
    at_ms: int
    threads: int
    cruxes: tuple[ThreadId, ...]  # by rank


# Those that change one thread and nothing else.
ThreadEvent = (
    MessageRefused
    | DcgCalculated
    | CommitmentMade
    | FalsifierDeclared
    | SteelmanAttempt
    | SteelmanGraded
    | LockAttempted
    | LockSucceeded
    | LockFailed
    | AgentSilent
    | EvidenceProvided
    | PositionUpdated
    | ProbeAnswered
    | CruxChallenged
    | ThreadConverged
    | ThreadFailed
    | ThreadStale
)

Event = (
    RunEvent
    | ThreadEvent
    | FirstPosition
    | ThreadCreated
    | ThreadProposed
    | ThreadMerged
    | MessagePosted
    | StageTransition
    | ModeratorIntervention
    | GradingTested
    | Conceded
    | CruxExtracted
    | CruxPromoted
    | RelationAnswered
    | CruxesRelated
    | CoalitionDetected
    | GlobalConvergence
)

PRIVATE = (FirstPosition, ProbeAnswered, RelationAnswered, GradingTested)
