"""Which run is shown, and how much of it: the same for every view."""

from dataclasses import dataclass

from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.telling.message_filter import MessageFilter


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRun:
    run: str
    suffix: str  # what a command needs to find the same store
    verbose: bool
    icons: bool = True
    only: MessageFilter | None = None  # which messages are shown as they come; the card at the end stays whole

    def passes(self, event: AnyEvent) -> bool:
        return self.only is None or self.only.passes(event)
