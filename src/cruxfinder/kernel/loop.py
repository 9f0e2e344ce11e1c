"""The kernel: a debate's own clock. It alone interprets effects, and it is the one writer.

The order of events depends on configuration, seed, answers and readings, never on how long an answer took: a thought's
length in debate time is drawn when it starts, its call runs meanwhile, and the kernel waits for it only when it is due.
"""

import heapq
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Final, Protocol

from cruxfinder.kernel.effects import (
    Ask,
    Do,
    Effect,
    Event,
    Observation,
    Pause,
    PendingThought,
    Read,
    Readable,
    Script,
    Spawn,
    Think,
    Watch,
)
from cruxfinder.kernel.protocol import AnyProtocol
from cruxfinder.kernel.run_facts import RunState, Start

KERNEL: Final = 1  # raised when the same answers and readings may lead to other events
STEPS_MAX: Final = 2_000_000


class World(Protocol):
    """What the kernel needs of the shell: answers, a place for events, inputs from outside, a pace."""

    def ask(self, ask: Ask, state: RunState) -> Awaitable[object]:
        """Start the call now; the order of these calls is the order of asking."""
        ...

    def read(self, passage: Readable) -> object:
        """What a text says: as it was read before, where it was."""
        ...

    async def write(self, events: tuple[Event, ...]) -> None: ...

    def interruption(self, step: int, written: int) -> object | None:
        """A command from outside that takes effect before this step."""
        ...

    async def wait(self, ms: int) -> None:
        """Debate time moves on by so much."""
        ...


@dataclass(slots=True)
class RunningScript:
    """A script and the calls it waits for."""

    script: Script[RunState]
    begun: bool = False
    calls: tuple[Awaitable[object], ...] = ()

    def resume(self, seen: Observation[RunState]) -> Effect[RunState] | None:
        """The next effect; None when the script is over."""
        try:
            if self.begun:
                return self.script.send(seen)
            self.begun = True
            return next(self.script)
        except StopIteration:
            return None


class Kernel:
    def __init__(self, protocol: AnyProtocol, start: Start, script: Script[RunState], world: World) -> None:
        self._world = world
        self._queue: list[tuple[int, int, RunningScript]] = []
        self._order = 0
        self._watching: list[RunningScript] = []
        self._thinking: dict[int, tuple[PendingThought, ...]] = {}
        self._written = 0
        self._now_ms = start.started.at_ms
        self._protocol = protocol
        begun = protocol.decide(None, start, self._now_ms)
        self._debate: RunState = begun.debate
        self._unwritten = begun.events
        self._schedule(0, RunningScript(script))

    async def run(self) -> RunState:
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

    async def _do(self, command: object) -> tuple[Event, ...]:
        decided = self._protocol.decide(self._debate, command, self._now_ms)
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

    async def _resume(self, running: RunningScript, answers: tuple[object, ...]) -> None:
        """Resume one script and interpret its effects until it waits for time, an answer or an event."""
        events: tuple[Event, ...] = ()
        reading: object = None
        while self._debate.complete is None:
            effect = running.resume(self._observe(answers, events, reading))
            answers, events, reading = (), (), None
            running.calls = ()
            match effect:
                case None:
                    return
                case Read(passage=passage):
                    reading = self._world.read(passage)
                case Do(command=command):
                    events = await self._do(command)
                case Spawn(script=script):
                    self._schedule(0, RunningScript(script))
                case Pause(ms=ms):
                    return self._schedule(ms, running)
                case Watch():
                    return self._watching.append(running)
                case Think(asks=asks, ms=ms):
                    self._thinking[id(running)] = tuple(self._protocol.pending_thought(ask) for ask in asks)
                    running.calls = tuple([self._world.ask(ask, self._debate) for ask in asks])
                    return self._schedule(ms, running)

    def _observe(
        self, answers: tuple[object, ...], events: tuple[Event, ...], reading: object
    ) -> Observation[RunState]:
        thoughts = tuple(t for group in self._thinking.values() for t in group)
        return Observation(
            debate=self._debate,
            now_ms=self._now_ms,
            thoughts=thoughts,
            answers=answers,
            events=events,
            reading=reading,
        )
