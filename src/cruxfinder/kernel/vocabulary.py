"""The closed vocabularies every other module speaks: VOC-3 sides, horizons and grades, VOC-4 statuses."""

from enum import StrEnum
from typing import Final, NewType

AgentId = NewType("AgentId", str)
MessageId = NewType("MessageId", str)
ThreadId = NewType("ThreadId", str)
CandidateId = NewType("CandidateId", str)
ProposalId = NewType("ProposalId", str)
RuleId = NewType("RuleId", str)
ProtocolName = NewType("ProtocolName", str)

CRUX: Final = ProtocolName("crux")  # the protocol of a run that names none

MODERATOR: Final = AgentId("moderator")
ADVOCATE: Final = AgentId("devils-advocate")
USER: Final = AgentId("user")  # the person who watches
CHAIRED: Final = tuple(AgentId(id) for id in ("arbitrator", "facilitator", "host", "voice-of-reason"))
RESERVED: Final = frozenset({MODERATOR, ADVOCATE, USER, *CHAIRED})

AGENTS_MIN: Final = 2
AGENTS_MAX: Final = 12
PROPOSITIONS_MAX: Final = 12


class Role(StrEnum):
    """What somebody does in a conversation; the chairs lead it and take no side."""

    SPEAKER = "speaker"
    PROPONENT = "proponent"
    OPPONENT = "opponent"
    ARBITRATOR = "arbitrator"
    FACILITATOR = "facilitator"
    HOST = "host"
    REASON = "voice-of-reason"


class MoveKind(StrEnum):
    CLAIM = "CLAIM"
    CHALLENGE = "CHALLENGE"
    CLARIFY = "CLARIFY"
    REFRAME = "REFRAME"
    PROPOSE_CRUX = "PROPOSE_CRUX"
    COMMIT_POSITION = "COMMIT_POSITION"
    DECLARE_FALSIFIER = "DECLARE_FALSIFIER"
    STEELMAN = "STEELMAN"
    GRADE_STEELMAN = "GRADE_STEELMAN"
    PROVIDE_EVIDENCE = "PROVIDE_EVIDENCE"
    CHALLENGE_EVIDENCE = "CHALLENGE_EVIDENCE"
    UPDATE_POSITION = "UPDATE_POSITION"
    CONCEDE = "CONCEDE"


class Stage(StrEnum):
    DISCOVERY = "DISCOVERY"
    CRUX_LOCK = "CRUX_LOCK"
    EVIDENCE = "EVIDENCE"


class Status(StrEnum):
    DISCOVERY = "DISCOVERY"
    LOCKING = "LOCKING"
    LOCKED = "LOCKED"
    CONVERGED = "CONVERGED"
    FAILED_LOCK = "FAILED_LOCK"
    STALE = "STALE"
    MERGED = "MERGED"


ENDED: Final = frozenset({Status.CONVERGED, Status.FAILED_LOCK, Status.STALE, Status.MERGED})


class Side(StrEnum):
    """Where an agent stands on a crux."""

    YES = "YES"
    NO = "NO"
    UNCERTAIN = "UNCERTAIN"


class TopSide(StrEnum):
    """Where an agent stands on the topic: its top claim."""

    YES = "YES"
    NO = "NO"
    NUANCED = "NUANCED"


class Horizon(StrEnum):
    MONTHS = "1-3mo"
    YEAR = "12-18mo"
    FIVE_YEARS = "5y"
    DECADE = "10y+"


class Grade(StrEnum):
    PENDING = "PENDING"
    ACCURATE = "ACCURATE"
    INCOMPLETE = "INCOMPLETE"
    WRONG = "WRONG"


class Direction(StrEnum):
    """Does a piece of evidence speak for the falsifier being met, or against it?"""

    FOR = "FOR"
    AGAINST = "AGAINST"


class Attack(StrEnum):
    MEASUREMENT = "MEASUREMENT"
    CAUSAL_LINK = "CAUSAL_LINK"


class Phase(StrEnum):
    """When a private probe was taken; the verdict rests on BEFORE (the probes before EVIDENCE)."""

    BEFORE = "BEFORE"
    LINKS = "LINKS"  # how the questions bear on each other, where none explains enough alone
    WORDING = "WORDING"
    LOCKED = "LOCKED"  # figures only: BEFORE with sides and confidences as committed
    CHANGE = "CHANGE"
    AFTER = "AFTER"
    GROUND = "GROUND"  # at the end, about what was said and never disputed


class Label(StrEnum):
    """What moved an agent that changed its side in public."""

    PERSUADED = "persuaded"
    CONFORMED = "conformed"
    NOISE = "noise"


class Verdict(StrEnum):
    """What a disagreement amounts to; the last four are what a conversation in turns comes to."""

    CRUX = "crux"
    UNRESOLVED = "locked, unresolved"
    PARTIAL = "partial crux"
    SEVERAL_FACTS = "several facts"
    VALUES = "values"
    DEFINITIONS = "definitions"
    HORIZON = "horizon"
    NO_DISAGREEMENT = "no real disagreement"
    RESOLVED = "resolved"
    HOLLOW = "hollow agreement"
    FAILED_LOCK = "failed lock"
    UNDECIDED = "undecided"
    RULED = "ruling"
    CONSENSUS = "consensus"
    NO_CONSENSUS = "no consensus"
    DISCUSSED = "discussed"


class Ending(StrEnum):
    """Why the debate stopped."""

    NATURAL = "natural"
    TIME = "time"
    MESSAGES = "messages"
    STAGNATION = "stagnation"
    BUDGET = "budget"
    FAULTS = "faults"
    STOPPED = "stopped"
    UNFINISHED = "unfinished"


class Trigger(StrEnum):
    """Why a thread was proposed or opened beside the first."""

    FRAMING = "framing"  # a question somebody framed and others took up
    WHAT_ABOUT = "what about"  # "but what about …"
    KEYWORD = "keyword"  # two agents spoke about the same thing, and no question covers it
    STUCK = "stuck"  # the thread is long and has not converged
    DEEPER = "deeper"  # a question named in EVIDENCE as the one behind the crux
    THREE_WAY = "three-way"  # the agents differ on two questions at once
    HORIZON = "horizon"  # the same question on another horizon
    REOPENED = "reopened"  # every thread had stalled


class Relation(StrEnum):
    """What a YES to one crux means for a YES to another."""

    ENTAILS = "ENTAILS"
    CONTRADICTS = "CONTRADICTS"
    SUPPORTS = "SUPPORTS"
