"""Whether people take part, at a seat or by answering questions, how they are asked, and for how long."""

import asyncio
from dataclasses import dataclass
from typing import Final

from cruxfinder.debaters.person import Inbox, Person, Sitting, User
from cruxfinder.errors import BadInput
from cruxfinder.model.asks import AskUser
from cruxfinder.model.pack import Pack
from cruxfinder.model.words import AgentId
from cruxfinder.ports import Store

LOOK_S: Final = 0.2  # how often the store is looked at for an answer


@dataclass(frozen=True, slots=True)
class Attending:
    """By default an answer may come through the store, from another process, for as long as `wait_s` says.

    Whoever sits at a seat is asked through `sitting`, and waited for `seat_s` seconds, or at 0 as long as it takes.
    """

    inbox: Inbox | None = None
    wait_s: float = 0
    sitting: Sitting | None = None
    seat_s: float = 0

    def user(self, store: Store, run: str) -> User:
        return User(self.inbox or through(store, run), self.wait_s)

    def people(self, pack: Pack) -> dict[AgentId, Person]:
        """Those who sit at the seats that the pack leaves to people. Raise BadInput if nobody can be asked."""
        seats = [p.id for p in pack.personas if p.human]
        if seats and self.sitting is None:
            raise BadInput(
                f"{', '.join(seats)} is a seat for a person, and nobody can be asked here: take it in a terminal, or "
                "in the browser with `crux serve`"
            )
        return {id: Person(self.sitting, self.seat_s) for id in seats if self.sitting is not None}


NOBODY: Final = Attending()


def through(store: Store, run: str) -> Inbox:
    async def look(ask: AskUser) -> str:
        while (told := store.reply(run, ask.turn)) is None:
            if store.stop_requested(run):
                return ""
            await asyncio.sleep(LOOK_S)
        return told

    return look
