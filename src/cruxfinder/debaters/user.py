"""The person who watches: answers questions of a conversation, or does not, and then it goes on without."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from cruxfinder.model.asks import Answer, Ask, AskUser, Silence, UserSaid
from cruxfinder.model.record import Debate
from cruxfinder.model.usage import NOTHING, Usage
from cruxfinder.ports import Budget

Inbox = Callable[[AskUser], Awaitable[str]]


class User:
    """`inbox` waits for an answer; after `wait_s` seconds the conversation goes on. What was said is kept."""

    paid = True

    def __init__(self, inbox: Inbox, wait_s: float) -> None:
        self._inbox = inbox
        self._wait_s = wait_s

    def spend_from(self, budget: Budget) -> None:
        """A person's answer is kept like a paid one and takes nothing of the budget."""

    def took(self, ask: Ask) -> Usage:
        return NOTHING

    async def answer(self, ask: Ask, record: Debate) -> Answer:
        if not isinstance(ask, AskUser):
            return Silence()
        if self._wait_s <= 0:
            return UserSaid()
        try:
            return UserSaid(text=(await asyncio.wait_for(self._inbox(ask), self._wait_s)).strip())
        except TimeoutError:
            return UserSaid()


async def silence(ask: AskUser) -> str:
    return ""


NOBODY: Final = User(silence, 0)
