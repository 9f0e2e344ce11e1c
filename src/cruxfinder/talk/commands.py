"""What a script of a conversation may ask to be done. Each carries everything chance or the world decided."""

from dataclasses import dataclass

from cruxfinder.kernel.run_facts import Fork, NoteFailure, Start, Stop
from cruxfinder.kernel.vocabulary import AgentId, Ending, RuleId, Verdict
from cruxfinder.language.reading import NOTHING_READ, DraftReading
from cruxfinder.talk.events import Dissent
from cruxfinder.talk.turns import PivotKind, TurnDraft, TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class Speak:
    """Take a turn of a conversation, as it was read."""

    agent: AgentId
    draft: TurnDraft
    reading: DraftReading = NOTHING_READ
    shortened: DraftReading | None = None  # what is left of one that is too long, read again
    sentences: int = 0  # at most; 0: as many as the words allow
    attempt: int = 1
    trial: bool = False  # it is only judged, and said later
    last: bool = False  # no draft will follow: take it as it is and flag it, where a rule allows that
    dissent: tuple[Dissent, ...] = ()  # of a synthesis that was put to everybody
    accepted: tuple[AgentId, ...] = ()
    closing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pivot:
    cause: RuleId
    to: PivotKind
    text: str
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HearUser:
    """What the user answered to a question; nothing, if nobody did in time."""

    turn: TurnId
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """The conversation is over, with what it came to."""

    ending: Ending
    verdict: Verdict
    why: str


TalkCommand = Start | Fork | NoteFailure | Stop | Speak | Pivot | HearUser | Close
