"""A debate in a terminal: the live view while it lasts, then the card; one too quick to watch leaves its transcript."""

import asyncio
from typing import Final

from rich.console import Console
from rich.live import Live

from cruxfinder.cli.debate_views import Fold
from cruxfinder.cli.pretty_card import WIDTH_MAX, pretty_card
from cruxfinder.cli.screen import render_screen
from cruxfinder.cli.transcript_lines import block
from cruxfinder.kernel.run_facts import DebateComplete
from cruxfinder.protocols.any_run import AnyEvent, Finished
from cruxfinder.telling.card import card_of
from cruxfinder.telling.event_lines import EventLine, line_of
from cruxfinder.telling.message_filter import MessageFilter

OPEN_S: Final = 0.3  # what is over sooner opens no view
FRAME_S: Final = 0.1


class TerminalView:
    def __init__(self, run: str, suffix: str, *, verbose: bool, only: MessageFilter | None = None) -> None:
        self._run = run
        self._suffix = suffix
        self._verbose = verbose
        self._only = only
        self._fold = Fold()
        self._console = Console(highlight=False, markup=False, emoji=False)
        self._lines: list[EventLine] = []
        self._opened = False

    def hear(self, event: AnyEvent) -> None:
        line = line_of(self._fold.hear(event), event)
        if self._only is not None and not self._only.passes(event):
            return
        if line is not None and not isinstance(event, DebateComplete):
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
                    live.update(render_screen(debate, self._lines, self._run, size), refresh=True)
                await asyncio.sleep(FRAME_S)

    def end(self, finished: Finished) -> None:
        agents = tuple(a.id for a in finished.result.agents)
        width = min(self._console.width, WIDTH_MAX)
        if self._lines and not self._opened:
            for line in self._lines:
                if self._verbose or line.tone != "refusal":
                    self._console.print(block(line, agents, tagged=len(finished.result.threads) > 1), width=width)
            self._console.print()
        card = card_of(finished, suffix=self._suffix)
        self._console.print(pretty_card(card, agents, width))
