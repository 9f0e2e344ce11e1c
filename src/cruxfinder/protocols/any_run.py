"""A run of any protocol: its events, its state, and what it came to."""

from dataclasses import dataclass

from cruxfinder.crux.events import Event
from cruxfinder.crux.result import Result
from cruxfinder.crux.state import Debate
from cruxfinder.errors import BadInput
from cruxfinder.talk.events import TalkEvent
from cruxfinder.talk.minutes import Minutes
from cruxfinder.talk.state import Conversation

AnyEvent = Event | TalkEvent
AnyState = Debate | Conversation
Outcome = Result | Minutes


@dataclass(frozen=True, slots=True, repr=False)
class Finished:
    """A run and everything that happened in it."""

    run: str
    events: tuple[AnyEvent, ...]
    outcome: Outcome  # of a debate for its crux, or of a conversation in turns

    @property
    def result(self) -> Result:
        """What a debate for its crux came to."""
        if not isinstance(self.outcome, Result):
            raise BadInput(f"run {self.run} was a {self.outcome.protocol}: it has minutes and no crux")
        return self.outcome

    @property
    def minutes(self) -> Minutes:
        """What a conversation in turns came to."""
        if not isinstance(self.outcome, Minutes):
            raise BadInput(f"run {self.run} was held for its crux: it has a result and no minutes")
        return self.outcome

    def __repr__(self) -> str:
        """Short: asyncio prints the result of its main task whenever it puts the signal handler back."""
        return f"Finished({self.run!r}, {len(self.events)} events, {self.outcome.verdict.value!r})"
