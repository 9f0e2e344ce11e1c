"""The budget of one run: no request is sent that could pass a cap.

A request first holds the most it can take. When the cap has no room for it but others are under way, it waits: what
they really took may leave enough. Only when nobody else holds anything is the budget spent.
"""

import asyncio
from collections.abc import Awaitable, Callable

from cruxfinder.errors import BudgetSpent
from cruxfinder.kernel.caps import Caps
from cruxfinder.ports import NOTHING, Usage

Noted = Callable[[str, Usage], Awaitable[None]]


class RunBudget:
    """What a run has spent, and what it holds for requests under way. `noted` makes a hold durable first."""

    def __init__(self, caps: Caps, spent: Usage = NOTHING, noted: Noted | None = None) -> None:
        self._caps = caps
        self._spent = spent
        self._held = NOTHING
        self._noted = noted
        self._settled = asyncio.Event()

    @property
    def usage(self) -> Usage:
        return self._spent

    @property
    def held_usage(self) -> Usage:
        return self._held

    def set_caps(self, caps: Caps) -> None:
        """Other caps from here on."""
        self._caps = caps
        self._settled.set()

    async def hold(self, key: str, worst: Usage) -> None:
        """Reserve the most a request can take; raise BudgetSpent if the caps have no room for it."""
        while cap := self._caps.exceeded_cap(self._spent + self._held + worst):
            if self._held == NOTHING:
                raise BudgetSpent(f"the budget of {cap} is spent")
            self._settled.clear()
            await self._settled.wait()
        self._held += worst
        if self._noted is not None and self._caps.has_any:
            try:
                await self._noted(key, worst)
            except BaseException:
                self.settle(worst, NOTHING)  # nothing was sent
                raise

    def settle(self, worst: Usage, taken: Usage) -> None:
        """A request is over: what it held is free again, what it took is spent."""
        self._held -= worst
        self._spent += taken
        self._settled.set()
