"""Whether somebody is there to answer a conversation's questions, how they are asked, and for how long."""

import asyncio
from dataclasses import dataclass
from typing import Final

from cruxfinder.debaters.user import Inbox, User
from cruxfinder.model.asks import AskUser
from cruxfinder.ports import Store

LOOK_S: Final = 0.2  # how often the store is looked at for an answer


@dataclass(frozen=True, slots=True)
class Attending:
    """By default an answer may come through the store, from another process, for as long as `wait_s` says."""

    inbox: Inbox | None = None
    wait_s: float = 0

    def seat(self, store: Store, run: str) -> User:
        return User(self.inbox or through(store, run), self.wait_s)


NOBODY: Final = Attending()


def through(store: Store, run: str) -> Inbox:
    async def look(ask: AskUser) -> str:
        while (told := store.reply(run, ask.turn)) is None:
            await asyncio.sleep(LOOK_S)
        return told

    return look
