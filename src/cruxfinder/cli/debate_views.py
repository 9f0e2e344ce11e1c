"""How a debate is shown: JSON, plain lines for pipes, or a terminal."""

import asyncio
import json
import shutil
import textwrap
from collections.abc import Callable
from typing import Final, cast

from cruxfinder.cli.conversation_view import ConversationView, PlainPrinter
from cruxfinder.cli.output import in_terminal, print_json
from cruxfinder.cli.plain_card import plain_card
from cruxfinder.cli.session import View
from cruxfinder.cli.shown_run import ShownRun
from cruxfinder.crux.events import Event, MessageRefused
from cruxfinder.crux.evolve import evolve, start
from cruxfinder.crux.state import Debate
from cruxfinder.kernel.run_facts import DebateComplete, DebateStarted
from cruxfinder.protocols.any_run import AnyEvent, AnyState, Finished
from cruxfinder.protocols.protocol_list import protocol_named
from cruxfinder.protocols.registry import evolve as evolve_any
from cruxfinder.protocols.registry import protocol_of, read_event
from cruxfinder.telling.card import card_of
from cruxfinder.telling.event_lines import line_of, plain_line
from cruxfinder.telling.message_filter import MessageFilter
from cruxfinder.telling.terminal_text import clean, seconds
from cruxfinder.telling.thread_lines import has_several_threads

NAME_MIN: Final = len("Moderator")


def choose_view(
    run: str, suffix: str, *, json: bool, verbose: bool, icons: bool = True, only: MessageFilter | None = None
) -> View:
    """With a filter only messages that fit are shown as they come; the card at the end stays whole."""
    if json:
        return JsonView()
    shown = ShownRun(run=run, suffix=suffix, verbose=verbose, icons=icons, only=only)
    if not in_terminal():
        return ProtocolView(
            lambda _: PlainView(shown),
            lambda: ConversationView(shown, PlainPrinter()),
        )
    from cruxfinder.cli import terminal  # noqa: PLC0415 - draws with rich: 60 ms that pipes do without

    def crux(started: DebateStarted | None) -> View:
        # Where a person is asked line by line, nothing may be drawn over what they type.
        asked = started is not None and any(seat.is_person for seat in started.seats)
        kind = PlainView if asked else terminal.TerminalView
        return kind(shown)

    def turns() -> View:
        return ConversationView(shown, terminal.ColouredPrinter())

    return ProtocolView(crux, turns)


class ProtocolView:
    """What a run is shown as depends on how it is held, which its first event tells."""

    def __init__(self, crux: Callable[[DebateStarted | None], View], turns: Callable[[], View]) -> None:
        self._crux = crux
        self._turns = turns
        self._view: View | None = None
        self._known: asyncio.Event | None = None  # of the loop in which it is shown

    def hear(self, event: AnyEvent) -> None:
        if isinstance(event, DebateStarted):
            self._view = self._turns() if protocol_of(event).in_turns else self._crux(event)
            if self._known is not None:
                self._known.set()
        assert self._view is not None, "a log starts with debate_started"
        self._view.hear(event)

    async def show(self) -> None:
        if self._view is None:
            self._known = asyncio.Event()
            await self._known.wait()
        assert self._view is not None, "its first event was heard"
        await self._view.show()

    def end(self, finished: Finished) -> None:
        view = self._view or (self._turns() if protocol_named(finished.outcome.protocol).in_turns else self._crux(None))
        view.end(finished)


class Fold:
    """A debate as its events come in."""

    def __init__(self) -> None:
        self.debate: Debate | None = None

    def hear(self, event: AnyEvent) -> Debate:
        if isinstance(event, DebateStarted):
            self.debate = start(event)
        else:
            assert self.debate is not None, "a log starts with debate_started"
            self.debate = evolve(self.debate, cast("Event", event))  # the view of a debate hears no other
        return self.debate


class JsonView:
    """The result, and nothing else."""

    def hear(self, event: AnyEvent) -> None:
        pass

    async def show(self) -> None:
        pass

    def end(self, finished: Finished) -> None:
        print_json(finished.outcome)


class PlainView:
    """One line a message as it comes, then the card."""

    def __init__(self, shown: ShownRun) -> None:
        self._shown = shown
        self._fold = Fold()
        self._width = NAME_MIN

    def hear(self, event: AnyEvent) -> None:
        debate = self._fold.hear(event)
        if isinstance(event, DebateStarted):
            self._width = max(NAME_MIN, *(len(clean(s.name)) for s in event.seats))
            print(f"{clean(event.topic)} (pack {event.pack}, seed {event.seed}, run {self._shown.run})", flush=True)
        if isinstance(event, DebateComplete) or (isinstance(event, MessageRefused) and not self._shown.verbose):
            return
        line = line_of(debate, event) if self._shown.passes(event) else None
        if line is not None and not line.quiet:
            print(wrap_for_terminal(plain_line(line, self._width, tagged=has_several_threads(debate))), flush=True)

    async def show(self) -> None:
        pass

    def end(self, finished: Finished) -> None:
        if self._fold.debate is not None:
            print()
        print(plain_card(card_of(finished, suffix=self._shown.suffix)))


def wrap_for_terminal(line: str) -> str:
    """A line of a pipe stays one line; in a terminal words are kept whole."""
    if not in_terminal():
        return line
    return textwrap.fill(line, shutil.get_terminal_size().columns, subsequent_indent=" " * 10, drop_whitespace=True)


class EventFormatter:
    """Every event as one line for people."""

    def __init__(self) -> None:
        self._state: AnyState | None = None
        self._number = 0

    def line(self, body: str) -> str:
        event = read_event(body)
        self._state = evolve_any(self._state, event)
        line = line_of(self._state, event)
        self._number += 1
        if line.quiet:
            told = {k: v for k, v in json.loads(body).items() if k not in ("kind", "at_ms", "thread")}
            text = json.dumps(told, ensure_ascii=False)
        else:
            text = " ".join(part for part in (line.name, line.badge, line.detail, line.text) if part)
        where: str | None = getattr(event, "thread", None)
        if where is not None and isinstance(self._state, Debate) and has_several_threads(self._state):
            text = f"{where} {text}"
        return f"{self._number:>5}  {seconds(event.at_ms):>8}  {event.kind:<22}  {clean(text)}"
