"""What the shell may ask of a debate. Each carries everything chance or the world decided, as values."""

from dataclasses import dataclass

from cruxfinder.crux.asks import Duty, First, Graded, Judged, Probed, Related
from cruxfinder.crux.law.planting import Plant
from cruxfinder.crux.moves import Draft
from cruxfinder.kernel.run_facts import Fork, NoteFailure, Start, Stop
from cruxfinder.kernel.vocabulary import AgentId, Phase, ProposalId, ThreadId
from cruxfinder.language.reading import NOTHING_READ, DraftReading


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordFirst:
    """Everybody's private first position, in the order of the table; those who failed are absent."""

    firsts: tuple[tuple[AgentId, First], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    agent: AgentId
    thread: ThreadId
    draft: Draft
    duty: Duty | None = None
    attempt: int = 1
    cooldown_ms: int = 0
    attention: float | None = None  # how much the message it set out to answer concerned the agent
    reading: DraftReading = NOTHING_READ  # what it says, as it was read before
    waits: bool = True  # a draft refused for time only is held; False: it has waited long enough and is dropped


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordProbe:
    agent: AgentId
    thread: ThreadId
    phase: Phase
    round: int
    probed: Probed | None  # None: it could not be had


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """What everybody says of the crux as extracted; None where no judgement could be had."""

    thread: ThreadId
    judgements: tuple[tuple[AgentId, Judged | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenThread:
    """Give a proposal its thread, or merge it where it lies too near to one; distances are to the active threads."""

    proposal: ProposalId
    distances: tuple[tuple[ThreadId, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeThreads:
    thread: ThreadId
    into: ThreadId
    distance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Relate:
    """What everybody holds of two cruxes, and how far their questions lie apart."""

    first: ThreadId
    second: ThreadId
    distance: float
    answers: tuple[tuple[AgentId, Related | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordTest:
    """How a planted steelman was graded; nothing, if its grader could not answer."""

    plant: Plant
    graded: Graded | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """Time has passed; in these threads somebody is thinking."""

    thinking: frozenset[ThreadId] = frozenset()


Command = (
    Start
    | RecordFirst
    | Say
    | RecordProbe
    | Judge
    | OpenThread
    | MergeThreads
    | Relate
    | NoteFailure
    | RecordTest
    | Tick
    | Fork
    | Stop
)
