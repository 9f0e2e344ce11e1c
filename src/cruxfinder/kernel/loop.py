"""The kernel: a debate's own clock. It alone interprets effects, and it is the one writer.

The order of events depends on configuration, seed and answers, never on how long an answer took: a thought's length
in debate time is drawn when it starts, its call runs meanwhile, and the kernel waits for it only when it is due.
"""

import heapq
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Final, Protocol

from cruxfinder.crux.asks import Answer, Ask, AskDraft
from cruxfinder.crux.commands import Command, Start
from cruxfinder.crux.decide import decide
from cruxfinder.crux.events import Event
from cruxfinder.crux.state import Debate
from cruxfinder.kernel.effects import Do, Effect, Observation, Pause, PendingThought, Script, Spawn, Think, Watch

KERNEL: Final = 6  # raised when the same answers may lead to other events
STEPS_MAX: Final = 2_000_000


class World(Protocol):
    """What the kernel needs of the shell: answers, a place for events, inputs from outside, a pace."""

    def ask(self, ask: Ask, debate: Debate) -> Awaitable[Answer]:
        """Start the call now; the order of these calls is the order of asking."""
        ...

    async def write(self, events: tuple[Event, ...]) -> None: ...

    def interruption(self, step: int, written: int) -> Command | None:
        """A command from outside that takes effect before this step."""
        ...

    async def wait(self, ms: int) -> None:
        """Debate time moves on by so much."""
        ...


@dataclass(slots=True)
class RunningScript:
    """A script and the calls it waits for."""

    script: Script
    begun: bool = False
    calls: tuple[Awaitable[Answer], ...] = ()

    def resume(self, seen: Observation) -> Effect | None:
        """The next effect; None when the script is over."""
        try:
            if self.begun:
                return self.script.send(seen)
            self.begun = True
            return next(self.script)
        except StopIteration:
            return None


class Kernel:
    def __init__(self, start: Start, script: Script, world: World) -> None:
        self._world = world
        self._queue: list[tuple[int, int, RunningScript]] = []
        self._order = 0
        self._watching: list[RunningScript] = []
        self._thinking: dict[int, tuple[PendingThought, ...]] = {}
        self._written = 0
        self._now_ms = start.started.at_ms
        begun = decide(None, start, self._now_ms)
        self._debate = begun.debate
        self._unwritten = begun.events
        self._schedule(0, RunningScript(script))

    async def run(self) -> Debate:
        await self._write(self._unwritten)
        for step in range(STEPS_MAX):
            while (command := self._world.interruption(step, self._written)) is not None:
                await self._do(command)
            if self._debate.complete is not None:
                return self._debate
            at_ms, _, running = heapq.heappop(self._queue)
            if at_ms > self._now_ms:
                await self._world.wait(at_ms - self._now_ms)
                self._now_ms = at_ms
            answers = tuple([await call for call in running.calls])
            self._thinking.pop(id(running), None)
            await self._resume(running, answers)
        raise AssertionError("every debate ends by time")

    def _schedule(self, in_ms: int, running: RunningScript) -> None:
        self._order += 1
        heapq.heappush(self._queue, (self._now_ms + in_ms, self._order, running))

    async def _do(self, command: Command) -> tuple[Event, ...]:
        decided = decide(self._debate, command, self._now_ms)
        self._debate = decided.debate
        await self._write(decided.events)
        return decided.events

    async def _write(self, events: tuple[Event, ...]) -> None:
        if not events:
            return
        self._written += len(events)
        await self._world.write(events)
        for watching in self._watching:
            self._schedule(0, watching)
        self._watching.clear()

    async def _resume(self, running: RunningScript, answers: tuple[Answer, ...]) -> None:
        """Resume one script and interpret its effects until it waits for time, an answer or an event."""
        events: tuple[Event, ...] = ()
        while self._debate.complete is None:
            effect = running.resume(self._observe(answers, events))
            answers, events = (), ()
            running.calls = ()
            match effect:
                case None:
                    return
                case Do(command=command):
                    events = await self._do(command)
                case Spawn(script=script):
                    self._schedule(0, RunningScript(script))
                case Pause(ms=ms):
                    return self._schedule(ms, running)
                case Watch():
                    return self._watching.append(running)
                case Think(asks=asks, ms=ms):
                    self._thinking[id(running)] = tuple(pending_thought(ask) for ask in asks)
                    running.calls = tuple([self._world.ask(ask, self._debate) for ask in asks])
                    return self._schedule(ms, running)

    def _observe(self, answers: tuple[Answer, ...], events: tuple[Event, ...]) -> Observation:
        thoughts = tuple(t for group in self._thinking.values() for t in group)
        return Observation(debate=self._debate, now_ms=self._now_ms, thoughts=thoughts, answers=answers, events=events)


def pending_thought(ask: Ask) -> PendingThought:
    if isinstance(ask, AskDraft):
        return PendingThought(agent=ask.agent, thread=ask.thread, owed=ask.duty is not None)
    return PendingThought(agent=ask.agent, thread=None, owed=True)
