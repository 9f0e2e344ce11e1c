"""Recorded answers, for tests, replays and imports; and a way to give any debater a delay."""

import asyncio
from collections.abc import Callable, Iterable

from cruxfinder.errors import DebaterFault
from cruxfinder.ports import NOTHING, Budget, Debater, Usage
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk, AnyRecord


class ScriptedDebater:
    """Answers from a list, in order; a fault when it runs out."""

    def __init__(self, answers: Iterable[AnyAnswer], *, paid: bool = True) -> None:
        self._answers = iter(answers)
        self.is_paid = paid

    async def answer(self, ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
        found = next(self._answers, None)
        if found is None:
            raise DebaterFault(f"the script of {ask.agent} has ended")
        return found


class AbsentDebater:
    """Stands in for somebody whose answers are all in the log."""

    is_paid = True

    async def answer(self, ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
        raise DebaterFault(f"{ask.agent} is not here to answer")


class AbsentModel(AbsentDebater):
    """The same for a model: it would pay for its own requests, if it were asked."""

    def spend_from(self, budget: Budget) -> None:
        pass

    def take_usage(self, ask: AnyAsk) -> Usage:
        return NOTHING


class FunctionDebater:
    """Answers with a function of the ask and the public record."""

    def __init__(self, decide: Callable[[AnyAsk, AnyRecord], AnyAnswer], *, paid: bool = False) -> None:
        self._decide = decide
        self.is_paid = paid

    async def answer(self, ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
        return self._decide(ask, record)


class DelayedDebater:
    """The same answers, later: `seconds` says how long each call takes."""

    def __init__(self, debater: Debater, seconds: Callable[[], float]) -> None:
        self._debater = debater
        self._seconds = seconds

    @property
    def is_paid(self) -> bool:
        return self._debater.is_paid

    async def answer(self, ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
        await asyncio.sleep(self._seconds())
        return await self._debater.answer(ask, record)
