"""A protocol is a value: how a run of its kind begins, is decided, folded, scripted, read, and what it comes to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar
from typing import Protocol as TypingProtocol

from cruxfinder.kernel.effects import Ask, Dice, PendingThought, Script, State
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.pack import Agenda
from cruxfinder.kernel.run_facts import DebateStarted
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, ProtocolName, Role, RuleId, ThreadId
from cruxfinder.ports import Usage

Command = TypeVar("Command")
Fact = TypeVar("Fact")
Outcome = TypeVar("Outcome")


class OutcomeKind(StrEnum):
    """What a run comes to. Whoever writes one has a table with a row for each."""

    RESULT = "result"  # a crux map
    MINUTES = "minutes"


class Utterance(TypingProtocol):
    """A message or a turn."""

    @property
    def agent(self) -> AgentId: ...
    @property
    def content(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Generic[State, Fact]):
    """The events a command brings about, and the state after them."""

    events: tuple[Fact, ...]
    debate: State


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol(Generic[State, Command, Fact, Outcome]):
    name: ProtocolName
    title: str  # what a report calls it
    label: str  # what somebody who chooses one sees
    aim: str  # and what it is for, in a line
    roles: tuple[Role, ...] = ()  # those a user may give to somebody
    chairs: tuple[Role, ...] = ()  # those of them that lead; the house takes what nobody of the pack does
    pair: tuple[Role, ...] = ()  # where only two argue: their roles
    in_turns: bool = False  # one speaks after another, and a person who watches can be asked
    quotes_passages: bool = False  # passages of a user's own can be brought in
    decide: Callable[[State | None, Command, int], Decision[State, Fact]]
    start: Callable[[DebateStarted], State]
    evolve: Callable[[State, Fact], State]
    public: Callable[[State], State]  # what a debater may see of it
    script: Callable[[DebateStarted, Dice, Likeness, Agenda], Script[State]]
    pending_thought: Callable[[Ask], PendingThought]
    answer_fault: Callable[[Ask, object], str]  # why an answer cannot be used; empty if it can
    outcome: Callable[[Sequence[Fact], State, str, Usage], Outcome]
    outcome_kind: OutcomeKind
    said: Callable[[State], Sequence[Utterance]]  # messages or turns so far, in order
    said_figure: str  # the figure that counts them
    stage: Callable[[State], str]  # where it stands, in a word or two
    threads: Callable[[State], Mapping[ThreadId, Any]] = lambda _: {}
    open_questions: Callable[[State], Sequence[Any]] = lambda _: ()  # to whoever watches
    calls: Callable[[int, Settings], tuple[int, int]]  # requests to models: at least, and with all that is asked again
    switches: frozenset[RuleId]  # rules that a run may leave out
    events: Any  # the union of its events, for reading a log
    answers: Any  # of its answers
    readings: Any  # and what is read of a draft


AnyProtocol = Protocol[Any, Any, Any, Any]
