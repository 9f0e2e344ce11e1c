"""Where the asks to people at seats lie open until somebody answers them, from a page or from anywhere else."""

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, cast

from cruxfinder.crux.asks import AskDraft, Drafted
from cruxfinder.crux.law.messages import confidences
from cruxfinder.crux.moves import Draft
from cruxfinder.errors import BadInput, NotAsked, StoreFault
from cruxfinder.kernel import wire
from cruxfinder.kernel.field_meanings import CONTENT_MAX
from cruxfinder.kernel.run_facts import Failed, Silence
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk, AnyRecord, answer_fault
from cruxfinder.talk.asks import AskTurn, Spoken

TEXT_MAX: Final = 4_000  # characters of anything a person writes


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAsk:
    """An ask that waits for a person, and the debate as it stood when it was made."""

    ask: AnyAsk
    record: AnyRecord
    until_s: float | None  # on the clock of `time.monotonic`; none: the debate waits

    @property
    def seconds_left(self) -> float | None:
        return None if self.until_s is None else max(0.0, self.until_s - time.monotonic())


@dataclass(frozen=True, slots=True)
class PendingAnswer:
    """An ask, its answer once somebody gives it, and whether that is in the log."""

    asked: OpenAsk
    given: "asyncio.Future[AnyAnswer]"
    kept: "asyncio.Future[None]"


class Desk:
    """The open asks of one run, at most one a seat. `changed` is called when there are others than before."""

    def __init__(self, wait_s: float = 0, changed: Callable[[], None] | None = None) -> None:
        self.wait_s = wait_s
        self._on_change = changed
        self._closed = False
        self._places: dict[str, PendingAnswer] = {}

    def open_asks(self) -> tuple[OpenAsk, ...]:
        return tuple(place.asked for place in self._places.values() if not place.given.done())

    async def wait_for_answer(self, ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
        """Lay an ask open and wait for its answer."""
        if self._closed:
            raise TimeoutError
        loop = asyncio.get_running_loop()
        until_s = time.monotonic() + self.wait_s if self.wait_s else None
        place = PendingAnswer(
            OpenAsk(ask=ask, record=record, until_s=until_s), loop.create_future(), loop.create_future()
        )
        self._places[ask.agent] = place
        self._report_change()
        try:
            return await place.given
        finally:
            if not place.given.done() or place.given.cancelled() or place.given.exception() is not None:
                self._leave(ask.agent, place)

    def _report_change(self) -> None:
        if self._on_change is not None:
            self._on_change()

    def confirm_stored(self, ask: AnyAsk) -> None:
        """What was given is in the log."""
        place = self._places.pop(ask.agent, None)
        if place is not None and not place.kept.done():
            place.kept.set_result(None)

    def close(self) -> None:
        """Nobody is waited for any more: what is open passes, and so does what would still be asked."""
        self._closed = True
        for agent, place in tuple(self._places.items()):
            if place.given.done():
                self._leave(agent, place)
            else:
                place.given.set_exception(TimeoutError())
        self._report_change()

    def _leave(self, agent: str, place: PendingAnswer) -> None:
        self._places.pop(agent, None)
        self._report_change()
        if not place.kept.done():
            place.kept.set_exception(StoreFault("the answer was not kept; it is asked for again if the run goes on"))
            place.kept.exception()  # nobody may be there to hear of it

    async def answer(self, agent: str, number: int, answer: AnyAnswer) -> None:
        """Hand in what a person answers, and wait until it is in the log.

        Raise NotAsked where nobody waits for it, BadInput where it cannot be used, StoreFault where it was not kept.
        """
        place = self._places.get(agent)
        if place is None or place.given.done() or place.asked.ask.number != number:
            raise NotAsked(f"nobody waits for answer {number} of {agent}: it was given, or the debate went on")
        if fault := why_unusable(place.asked.ask, answer):
            raise BadInput(f"this answer to {place.asked.ask.kind} cannot be used: {fault}")
        place.given.set_result(answer)
        self._report_change()
        await asyncio.shield(place.kept)


def why_unusable(ask: AnyAsk, answer: AnyAnswer) -> str:
    """What a person is told before the rules look at the answer, which may cost one of a few attempts."""
    match ask, answer:
        case _, Failed():
            return "a person answers, or says nothing"
        case AskDraft(), Drafted(draft=draft) if draft.move.kind not in ask.allowed:
            return f"{draft.move.kind} is not allowed now; {', '.join(ask.allowed)} are"
        case AskTurn(owed=True), Silence():
            return "this turn is owed"
        case AskTurn(), Spoken(also=(_, *_)):
            return "a person speaks for nobody else"
        case _ if fault := answer_fault(ask, answer):
            return fault
        case AskDraft(), Drafted(draft=draft):
            return why_unfit(draft) or why_too_long(answer)
        case _:
            return why_too_long(answer)


def why_unfit(draft: Draft) -> str:
    if not draft.content.strip():
        return "it says nothing; to say nothing, let the turn pass"
    if len(draft.content) > CONTENT_MAX:
        return f"it has {len(draft.content)} characters, and {CONTENT_MAX} are allowed"
    strange = next((c for c in confidences(draft.move) if not 0 <= c <= 1), None)
    return "" if strange is None else f"{strange:g} is not a confidence between 0 and 1"


def why_too_long(answer: AnyAnswer) -> str:
    longest = max((len(text) for text in texts(wire.plain_value(answer))), default=0)
    return f"a text has {longest} characters, and {TEXT_MAX} are allowed" if longest > TEXT_MAX else ""


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in cast("dict[str, object]", value).values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from texts(inner)
