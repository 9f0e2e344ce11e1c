"""Asks a model until it gives a usable reply, within one deadline: back-off, Retry-After, a second try with the reason,
stand-in models. Every request is paid from the budget before it is sent."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeVar

from cruxfinder.adapters.models.model_names import ModelName
from cruxfinder.adapters.models.model_replies import Declined, Reply
from cruxfinder.adapters.models.prices import worst_usage
from cruxfinder.adapters.models.rate_limits import Paused
from cruxfinder.errors import BudgetSpent, DebaterFault
from cruxfinder.kernel.timeouts import Deadline
from cruxfinder.language.quoted_data import mark_as_data
from cruxfinder.ports import NOTHING, Budget, ParsedReply, Prompt, UnreadableReply, Usage

if TYPE_CHECKING:
    from cruxfinder.adapters.models.connection import ModelConnection

T = TypeVar("T")
FAILURES_MAX: Final = 4  # requests to one model that brought nothing
UNREADABLE_MAX: Final = 3  # replies that could not be used
BACK_OFF_S: Final = (0.25, 1.0, 4.0)
PAUSE_MAX_S: Final = 120.0  # a provider that asks for more is not waited for
DOWN_S: Final = 60.0  # how long those that stand in come before a model that failed
OVERHEAD: Final = 64  # tokens a provider may add to a prompt
REPLY_SHOWN: Final = 240  # characters of a bad reply, when it is sent back
FAULT_SHOWN: Final = 300


@dataclass(slots=True)
class AskProgress:
    """What one ask has come to so far, and until when it may go on."""

    until: Deadline
    usage: Usage = NOTHING
    told: str = ""
    down: bool = False  # the model last asked gave nothing at all


class ModelThinker:
    """A dialogue model, perhaps a stronger one for judgements, and those that stand in when these fail."""

    def __init__(
        self,
        dialogue: "ModelConnection",
        *,
        judgement: "ModelConnection | None" = None,
        fallbacks: "Sequence[ModelConnection]" = (),
        deadline_s: float = 60.0,
    ) -> None:
        self._dialogue = dialogue
        self._judgement = judgement or dialogue
        self._fallbacks = tuple(fallbacks)
        self._deadline_s = deadline_s
        self._down_until: dict[ModelName, float] = {}

    async def think(self, prompt: Prompt, read: Callable[[str], T], *, key: str = "", budget: Budget) -> ParsedReply[T]:
        tally = AskProgress(Deadline(None))
        first = self._judgement if prompt.judges else self._dialogue
        models = self._in_turn(first)
        left_s = self._deadline_s
        try:
            for place, connection in enumerate(models):
                share_s = left_s / (len(models) - place)  # one that hangs leaves time for those that stand in
                value = await self._within(
                    share_s, connection, tally, self._ask_model(connection, prompt, read, key, budget, tally)
                )
                if value is not None:
                    return ParsedReply(value=value[0], usage=tally.usage)
                if tally.down:
                    self._down_until[connection.name] = asyncio.get_running_loop().time() + DOWN_S
                left_s -= share_s - max(0.0, tally.until.left_s)
        except BudgetSpent as spent:
            raise BudgetSpent(str(spent), tally.usage) from None
        raise DebaterFault(tally.told, tally.usage)

    def _in_turn(self, first: "ModelConnection") -> "list[ModelConnection]":
        """Who is asked, in order; one that has just failed an ask altogether comes last for a while."""
        now = asyncio.get_running_loop().time()
        models = [first, *(c for c in self._fallbacks if c is not first)]
        return sorted(models, key=lambda c: now < self._down_until.get(c.name, 0.0))

    async def _within(
        self, seconds: float, connection: "ModelConnection", tally: AskProgress, asking: Awaitable[T | None]
    ) -> T | None:
        tally.until = Deadline(seconds)
        before = tally.told
        try:
            async with tally.until:
                return await asking
        except TimeoutError:
            why = f" after: {tally.told}" if tally.told != before else ""
            tally.told = f"{connection.name} gave no usable answer in {seconds:g} s{why}"
            tally.down = True
            return None

    async def _ask_model(
        self,
        connection: "ModelConnection",
        prompt: Prompt,
        read: Callable[[str], T],
        key: str,
        budget: Budget,
        tally: AskProgress,
    ) -> tuple[T] | None:
        """Everything that may be tried with one model; None when the next one is to be asked."""
        asked = prompt
        unreadable = 0
        for attempt in range(FAILURES_MAX + UNREADABLE_MAX):
            failures = attempt - unreadable
            try:
                reply = await self._send(connection, asked, key, budget, tally)
            except Declined as declined:
                tally.told, tally.down = str(declined), True
                if declined.kind == "refused" or failures + 1 >= FAILURES_MAX:
                    return None
                if not await back_off(connection, declined, failures, tally):
                    return None
                continue
            try:
                return (read(reply.text),)
            except UnreadableReply as fault:
                unreadable += 1
                tally.down = False
                cut = " (it was cut off: be brief)" if reply.cut else ""
                tally.told = f"{connection.name} answered what cannot be used{cut}: {fault}"
                if unreadable >= UNREADABLE_MAX:
                    return None
                asked = replace(prompt, user=correction_prompt(prompt.user, reply.text, f"{fault}{cut}"))
        return None

    async def _send(
        self, connection: "ModelConnection", prompt: Prompt, key: str, budget: Budget, tally: AskProgress
    ) -> Reply:
        most = worst_usage(connection.name, tokens_in=tokens_at_most(prompt), tokens_out=connection.tokens_out(prompt))
        with tally.until.suspend() as left_s:  # waiting for our own limits is not the model's fault
            await budget.hold(key, most)
            try:
                await connection.limits.acquire(left_s)
            except BaseException as error:
                budget.settle(most, NOTHING)  # nothing was sent
                if isinstance(error, Paused):
                    raise Declined("busy", f"{connection.name} is busy", error.seconds) from None
                raise
        spent = most  # of a request that is broken off nobody knows what it took
        try:
            reply = await connection.request(prompt)
            spent = reply.usage if reply.has_usage else most
            return reply
        except Declined as declined:
            spent = most if declined.billed else Usage(calls=1)
            raise
        finally:
            connection.limits.release()
            budget.settle(most, spent)
            tally.usage += spent


async def back_off(connection: "ModelConnection", declined: Declined, failures: int, tally: AskProgress) -> bool:
    """Wait as long as the provider asks, or a little longer each time; False if that is longer than there is."""
    wait = declined.retry_after_s
    if wait is None:
        wait = BACK_OFF_S[min(failures, len(BACK_OFF_S) - 1)] * random.uniform(0.8, 1.2)
    elif wait < PAUSE_MAX_S:
        connection.limits.pause(wait)  # for everybody who asks this provider
    if wait >= tally.until.left_s:
        tally.told += "" if declined.retry_after_s is None else f", and asks to wait {wait:.3g} s"
        return False
    await asyncio.sleep(wait)
    return True


def tokens_at_most(prompt: Prompt) -> int:
    """No tokeniser makes more tokens than there are bytes."""
    return len(prompt.system.encode(errors="replace")) + len(prompt.user.encode(errors="replace")) + OVERHEAD


def correction_prompt(user: str, reply: str, fault: str) -> str:
    """What was wrong with a reply, and how it began: a model's own words are data too."""
    told = (
        f"Your last reply could not be used: {mark_as_data(fault, FAULT_SHOWN)}\nIt began: "
        f"{mark_as_data(reply, REPLY_SHOWN)}"
    )
    return f"{user}\n{told}\nReply again, with the JSON alone."
