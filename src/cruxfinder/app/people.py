"""Whether people take part, at a seat or by answering questions, how they are asked, and for how long."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Final, TypeVar

from cruxfinder.debaters.people.person import Person, Told, User
from cruxfinder.errors import BadInput
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.vocabulary import AgentId
from cruxfinder.ports import Inbox, RunSignals, Sitting
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk, AnyRecord
from cruxfinder.talk.asks import AskUser

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Participation:
    """By default an answer may come through the store, from another process, for as long as `wait_s` says.

    Whoever sits at a seat is asked through `sitting`, and waited for `seat_s` seconds, or at 0 as long as it takes.
    """

    inbox: Inbox | None = None
    wait_s: float = 0
    sitting: Sitting | None = None
    seat_s: float = 0
    told: Told | None = None  # hears of each answer of theirs that is in the log

    def user(self, signals: RunSignals, run: str) -> User:
        return User(self.inbox or inbox_from_store(signals, run), self.wait_s)

    def people(self, pack: Pack, signals: RunSignals, run: str) -> dict[AgentId, Person]:
        """Those who sit at the seats that the pack leaves to people. Raise BadInput if nobody can be asked."""
        seats = [p.id for p in pack.personas if p.is_person]
        if seats and self.sitting is None:
            raise BadInput(
                f"{', '.join(seats)} is a seat for a person, and nobody can be asked here: take it in a terminal, or "
                "in the browser with `crux serve`"
            )
        if self.sitting is None:
            return {}
        sitting = cancel_on_stop(self.sitting, signals, run)
        return {id: Person(sitting, self.seat_s, self.told) for id in seats}


NOBODY: Final = Participation()


def cancel_on_stop(sitting: Sitting, signals: RunSignals, run: str) -> Sitting:
    """Nobody is waited for once the run is to stop, whoever says so."""

    async def ask(ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
        answer = await unless_stopped(sitting(ask, record), signals, run)
        if answer is None:
            raise TimeoutError
        return answer

    return ask


def inbox_from_store(signals: RunSignals, run: str) -> Inbox:
    async def wait_for_reply(ask: AskUser) -> str:
        return await unless_stopped(signals.wait_for_reply(run, ask.turn), signals, run) or ""

    return wait_for_reply


async def unless_stopped(work: Awaitable[T], signals: RunSignals, run: str) -> T | None:
    """What comes of the work, or nothing as soon as the run is to stop."""
    doing = asyncio.ensure_future(work)
    try:
        async with signals.watch_stop(run) as stop:
            stopping = asyncio.ensure_future(stop.wait())
            try:
                await asyncio.wait([doing, stopping], return_when=asyncio.FIRST_COMPLETED)
                return doing.result() if doing.done() else stopping.result()
            finally:
                stopping.cancel()
    finally:
        doing.cancel()
        await asyncio.gather(doing, return_exceptions=True)
