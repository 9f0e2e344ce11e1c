"""A person: at a seat of their own, or beside the table where a conversation asks them. What they say is kept."""

from collections.abc import Callable
from typing import Final

from cruxfinder.crux.asks import AskDraft
from cruxfinder.errors import DebaterFault
from cruxfinder.kernel.run_facts import Silence
from cruxfinder.kernel.timeouts import Deadline
from cruxfinder.ports import NOTHING, Budget, Inbox, Sitting, Usage
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk, AnyRecord
from cruxfinder.talk.asks import AskTurn, AskUser, UserSaid

Told = Callable[[AnyAsk], None]
TOO_LATE: Final = "no answer came in time"


class PersonDebater:
    """A person's answer is kept like a paid one and takes nothing of the budget."""

    is_paid = True
    looks_on = True

    def spend_from(self, budget: Budget) -> None:
        pass

    def take_usage(self, ask: AnyAsk) -> Usage:
        return NOTHING

    def confirm_stored(self, ask: AnyAsk) -> None:
        pass


class User(PersonDebater):
    """The person who watches. `inbox` waits for an answer; after `wait_s` seconds the conversation goes on."""

    def __init__(self, inbox: Inbox, wait_s: float) -> None:
        self._inbox = inbox
        self._wait_s = wait_s

    async def answer(self, ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
        if not isinstance(ask, AskUser):
            return Silence()
        if self._wait_s <= 0:
            return UserSaid()
        try:
            async with Deadline(self._wait_s):
                return UserSaid(text=(await self._inbox(ask)).strip())
        except TimeoutError:
            return UserSaid()


class Person(PersonDebater):
    """The person at a seat. The debate waits for them, or for `wait_s` seconds and then goes on without."""

    def __init__(self, sitting: Sitting, wait_s: float = 0, told: Told | None = None) -> None:
        self._sitting = sitting
        self._wait_s = wait_s
        self._told = told  # hears that an answer is in the log

    def confirm_stored(self, ask: AnyAsk) -> None:
        if self._told is not None:
            self._told(ask)

    async def answer(self, ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
        try:
            async with Deadline(self._wait_s or None):
                return await self._sitting(ask, record)
        except TimeoutError:
            if isinstance(ask, AskDraft | AskTurn):
                return Silence(why=TOO_LATE)
            raise DebaterFault(TOO_LATE) from None


async def silence(ask: AskUser) -> str:
    return ""


NOBODY: Final = User(silence, 0)
