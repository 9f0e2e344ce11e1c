"""A conversation as it is held: turn by turn, in blocks; then its minutes."""

import textwrap
from typing import Final, Protocol, cast

from cruxfinder.cli import minutes_view
from cruxfinder.cli.shown_run import ShownRun
from cruxfinder.kernel.run_facts import AskFailed, DebateForked, DebateStarted, name_of
from cruxfinder.protocols.any_run import AnyEvent, Finished
from cruxfinder.talk import events
from cruxfinder.talk.evolve import evolve, start
from cruxfinder.talk.law import markers
from cruxfinder.talk.state import Conversation
from cruxfinder.telling.terminal_text import clean
from cruxfinder.telling.wording import LED_TO

WIDTH_MAX: Final = 96


class ConversationView:
    """Blocks for people."""

    def __init__(self, shown: ShownRun, printer: "LinePrinter") -> None:
        self._shown = shown
        self._debate: Conversation | None = None
        self._print = printer

    def hear(self, event: AnyEvent) -> None:
        if isinstance(event, DebateStarted):
            self._debate = start(event)
            self._print(
                f"{clean(event.topic)} ({event.protocol}, pack {event.pack}, seed {event.seed}, run {self._shown.run})"
            )
            self._print("")
            return
        assert self._debate is not None, "a log starts with debate_started"
        self._debate = evolve(
            self._debate, cast("events.TalkEvent", event)
        )  # the view of a conversation hears no other
        if self._shown.passes(event):
            self._tell(self._debate, event)

    def _tell(self, debate: Conversation, event: AnyEvent) -> None:
        match event:
            case events.TurnSpoken():
                self._print(self._block(debate, event), agent=seat_index(debate, event.agent))
                self._print("")
            case events.TurnRefused() if self._shown.verbose:
                reasons = "; ".join(f"{r.rule} {clean(r.reason)}" for r in event.refusals)
                self._note(f"{name_of(debate, event.agent)}'s draft was sent back: {reasons}")
            case events.PivotForced():
                source = f" ({clean(event.source)})" if event.source else ""
                self._note(f"{event.cause} leads to {LED_TO[event.to]}: {clean(event.text)}{source}")
            case events.SynthesisGiven() if event.next_step.strip():
                self._note(f"Next step: {clean(event.next_step)}")
            case events.UserQuestion():
                command = f"crux answer {self._shown.run} TEXT{self._shown.suffix}"
                self._note("A question to you. Answer from elsewhere with:", command)
            case events.UserAnswered():
                self._note(f"You: {clean(event.answer)}" if event.answer else "Nobody answered; it goes on.")
            case AskFailed():
                self._note(f"{name_of(debate, event.agent)} gave no answer ({event.ask}): {clean(event.reason)}")
            case DebateForked():
                self._note(f"Forked from {event.parent} after event {event.at}")
            case _:
                pass

    def _block(self, debate: Conversation, event: events.TurnSpoken) -> str:
        seat = next(s for s in debate.seats if s.id == event.agent)
        content = textwrap.fill(clean(event.turn.content), self._print.width, break_long_words=False)
        icon = seat.icon if self._shown.icons else ""
        flagged = "".join(f" [{rule}]" for rule in dict.fromkeys(flag.rule for flag in event.flags))
        shown = markers.block(clean(seat.name), event.role.replace("-", " "), event.turn.type, content, icon)
        return f"{shown}{flagged}"

    def _note(self, text: str, command: str = "") -> None:
        *above, last = minutes_view.wrap_text(text, "-- ", self._print.width)
        for line in above:
            self._print(line, faint=True)
        beside = len(f"{last} {command}") <= self._print.width
        self._print(f"{last} {command}".rstrip() if beside else last, faint=True)
        if command and not beside:  # it is not broken, as far as there is room
            self._print(f"   {command}", faint=True, typed=True)
        self._print("")

    async def show(self) -> None:
        pass

    def end(self, finished: Finished) -> None:
        for row in minutes_view.card(finished, self._shown.suffix, self._print.width):
            self._print(row.text.rstrip(), strong=row.strong, typed=row.typed)


def seat_index(debate: Conversation, agent: str) -> int:
    return next(n for n, seat in enumerate(debate.seats) if seat.id == agent)


class LinePrinter(Protocol):
    @property
    def width(self) -> int: ...

    def __call__(
        self, text: str, *, agent: int | None = None, faint: bool = False, strong: bool = False, typed: bool = False
    ) -> None:
        """Print it: what the agent of this number said, or a line that is faint, strong, or to be typed."""
        ...


class PlainPrinter:
    def __init__(self) -> None:
        self.width: Final = WIDTH_MAX

    def __call__(
        self, text: str, *, agent: int | None = None, faint: bool = False, strong: bool = False, typed: bool = False
    ) -> None:
        print(text, flush=True)
