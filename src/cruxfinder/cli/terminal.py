"""A debate in a terminal: the live view while it lasts, then the card; a conversation in the colours of its seats."""

import asyncio
from typing import Final

from rich.console import Console
from rich.live import Live
from rich.text import Text

from cruxfinder.cli import conversation_view
from cruxfinder.cli.debate_views import Fold
from cruxfinder.cli.palette import FAINT, SEATS
from cruxfinder.cli.pretty_card import WIDTH_MAX, pretty_card
from cruxfinder.cli.screen import render_screen
from cruxfinder.cli.shown_run import ShownRun
from cruxfinder.cli.transcript_lines import block
from cruxfinder.kernel.run_facts import DebateComplete
from cruxfinder.protocols.any_run import AnyEvent, Finished
from cruxfinder.telling.card import card_of
from cruxfinder.telling.event_lines import EventLine, line_of

OPEN_S: Final = 0.3  # what is over sooner opens no view
FRAME_S: Final = 0.1


class TerminalView:
    """A debate that is too quick to watch leaves its transcript."""

    def __init__(self, shown: ShownRun) -> None:
        self._shown = shown
        self._fold = Fold()
        self._console = Console(highlight=False, markup=False, emoji=False)
        self._lines: list[EventLine] = []
        self._opened = False

    def hear(self, event: AnyEvent) -> None:
        line = line_of(self._fold.hear(event), event)
        if not self._shown.passes(event):
            return
        if not line.quiet and not isinstance(event, DebateComplete):
            self._lines.append(line)

    async def show(self) -> None:
        """The terminal's other screen, drawn anew when something happened or its size changed."""
        await asyncio.sleep(OPEN_S)
        self._opened = True
        drawn = None
        size = self._console.size
        with Live(console=self._console, screen=True, auto_refresh=False) as live:
            while True:
                debate = self._fold.debate
                if debate is not None and (debate is not drawn or size != self._console.size):
                    drawn, size = debate, self._console.size
                    live.update(render_screen(debate, self._lines, self._shown.run, size), refresh=True)
                await asyncio.sleep(FRAME_S)

    def end(self, finished: Finished) -> None:
        agents = tuple(a.id for a in finished.result.agents)
        width = min(self._console.width, WIDTH_MAX)
        if self._lines and not self._opened:
            for line in self._lines:
                if self._shown.verbose or line.tone != "refusal":
                    self._console.print(block(line, agents, tagged=len(finished.result.threads) > 1), width=width)
            self._console.print()
        card = card_of(finished, suffix=self._shown.suffix)
        self._console.print(pretty_card(card, agents, width))


class ColouredPrinter:
    """The name of each speaker in the colour of its seat."""

    def __init__(self) -> None:
        self._console = Console(highlight=False, markup=False, emoji=False)

    @property
    def width(self) -> int:
        """As wide as the terminal is now: what is folded for another width would be broken a second time."""
        return min(self._console.width, conversation_view.WIDTH_MAX)

    def __call__(
        self, text: str, *, agent: int | None = None, faint: bool = False, strong: bool = False, typed: bool = False
    ) -> None:
        if agent is None:
            style = "bold" if strong else FAINT if faint else ""
            self._console.print(Text(text, style), soft_wrap=typed)  # a command is copied as one line
            return
        told = Text()
        for line in text.split("\n"):
            bare = line.startswith(("[TURN: ", "[/TURN]"))
            style = FAINT if bare else f"bold {SEATS[agent % len(SEATS)]}" if "**" in line else ""
            told.append(f"{line}\n", style)
        told.right_crop(1)
        self._console.print(told)
