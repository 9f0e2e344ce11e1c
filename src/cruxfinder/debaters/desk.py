"""Where the asks to people at seats lie open until somebody answers them, from a page or from anywhere else."""

import asyncio
import time
from dataclasses import dataclass

from cruxfinder.errors import BadInput, NotAsked
from cruxfinder.model.asks import Answer, Ask, AskDraft, AskTurn, Drafted, Failed, Silence
from cruxfinder.model.record import Debate
from cruxfinder.rules import answers


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAsk:
    """An ask that waits for a person, and the debate as it stood when it was made."""

    ask: Ask
    record: Debate
    until_s: float | None  # on the clock of `time.monotonic`; none: the debate waits

    @property
    def seconds_left(self) -> float | None:
        return None if self.until_s is None else max(0.0, self.until_s - time.monotonic())


class Desk:
    """The open asks of one run, at most one a seat. `version` is raised whenever they change."""

    def __init__(self, wait_s: float = 0) -> None:
        self.wait_s = wait_s
        self.version = 0
        self._closed = False
        self._open: dict[str, tuple[OpenAsk, asyncio.Future[Answer]]] = {}

    def open(self) -> tuple[OpenAsk, ...]:
        return tuple(asked for asked, _ in self._open.values())

    async def sit(self, ask: Ask, record: Debate) -> Answer:
        """Lay an ask open and wait for its answer."""
        if self._closed:
            raise TimeoutError
        given: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        until_s = time.monotonic() + self.wait_s if self.wait_s else None
        self._open[ask.agent] = (OpenAsk(ask=ask, record=record, until_s=until_s), given)
        self.version += 1
        try:
            return await given
        finally:
            del self._open[ask.agent]
            self.version += 1

    def close(self) -> None:
        """Nobody is waited for any more: what is open passes, and so does what would still be asked."""
        self._closed = True
        for _, given in self._open.values():
            if not given.done():
                given.set_exception(TimeoutError())

    def answer(self, agent: str, number: int, answer: Answer) -> None:
        """Hand in what a person answers. Raise NotAsked where nobody waits for it, BadInput where it cannot be used."""
        asked, given = self._open.get(agent, (None, None))
        if asked is None or given is None or given.done() or asked.ask.number != number:
            raise NotAsked(f"nobody waits for answer {number} of {agent}: it was given, or the debate went on")
        if fault := unusable(asked.ask, answer):
            raise BadInput(f"this answer to {asked.ask.kind} cannot be used: {fault}")
        given.set_result(answer)


def unusable(ask: Ask, answer: Answer) -> str:
    """What a person is told before the rules look at the answer, which may cost one of a few attempts."""
    match ask, answer:
        case _, Failed():
            return "a person answers, or says nothing"
        case AskDraft(), Drafted(draft=draft) if draft.move.kind not in ask.allowed:
            return f"{draft.move.kind} is not allowed now; {', '.join(ask.allowed)} are"
        case AskDraft(), Drafted(draft=draft) if not draft.content.strip():
            return "it says nothing; to say nothing, let the turn pass"
        case AskTurn(owed=True), Silence():
            return "this turn is owed"
        case _:
            return answers.fault(ask, answer)
