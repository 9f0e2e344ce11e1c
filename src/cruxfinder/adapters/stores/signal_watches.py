"""Wakes who waits for a word to a run, when it comes through this store or somebody else has written to it."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from threading import Lock
from typing import Final, TypeVar

from cruxfinder.errors import StoreFault

LOOK_S: Final = 0.25  # between two looks whether somebody else has written
T = TypeVar("T")

Version = Callable[[], Awaitable[object]]


class SignalWatches:
    """`version` tells cheaply whether others have written: it gives another value then. None where nobody else can."""

    def __init__(self, version: Version | None = None) -> None:
        self._version = version
        self._turn = Lock()
        self._watches: defaultdict[str, set[SignalWatch]] = defaultdict(set)

    @contextmanager
    def listen(self, run: str) -> Generator["SignalWatch"]:
        watch = SignalWatch(self._version)
        with self._turn:
            self._watches[run].add(watch)
        try:
            yield watch
        finally:
            with self._turn:
                self._watches[run].discard(watch)
                if not self._watches[run]:
                    del self._watches[run]

    async def find(self, run: str, read: Callable[[], Awaitable[T | None]]) -> T:
        """What `read` finds, as soon as it finds something."""
        with self.listen(run) as watch:
            while (found := await watch.read(read)) is None:
                await watch.wait()
            return found

    @asynccontextmanager
    async def watch_stop(self, run: str, read: Callable[[], Awaitable[bool]]) -> AsyncGenerator["StopWatch"]:
        with self.listen(run) as watch:
            watch.stop_requested = await watch.read(read)
            looking = asyncio.create_task(self._look_for_stop(watch, read))
            try:
                yield StopWatch(watch, looking)
            finally:
                looking.cancel()
                await asyncio.gather(looking, return_exceptions=True)

    async def _look_for_stop(self, watch: "SignalWatch", read: Callable[[], Awaitable[bool]]) -> None:
        while not watch.stop_requested:
            await watch.wait()
            with suppress(StoreFault):  # locked for a while, perhaps: it is looked at again
                watch.stop_requested = watch.stop_requested or await watch.read(read)

    def tell(self, run: str, *, stop: bool = False) -> None:
        """Something was said to the run, and is stored. From any thread."""
        with self._turn:
            watches = tuple(self._watches.get(run, ()))
        for watch in watches:
            watch.stop_requested = watch.stop_requested or stop
            watch.wake()


class SignalWatch:
    def __init__(self, version: Version | None) -> None:
        self.stop_requested = False
        self._version = version
        self._seen: object = None
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()

    async def read(self, read: Callable[[], Awaitable[T]]) -> T:
        """What is stored now; `wait` waits for what is newer."""
        self._woken.clear()
        if self._version is not None:
            self._seen = await self._version()
        return await read()

    async def wait(self) -> None:
        while not self._woken.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(None if self._version is None else LOOK_S):
                    await self._woken.wait()
            if self._version is not None and not self._woken.is_set():
                with suppress(StoreFault):
                    if await self._version() != self._seen:
                        return

    def wake(self) -> None:
        with suppress(RuntimeError):  # its loop is over, and so is whoever waited in it
            self._loop.call_soon_threadsafe(self._woken.set)


class StopWatch:
    """Whether a run is to stop, without looking."""

    def __init__(self, watch: SignalWatch, looking: "asyncio.Task[None]") -> None:
        self._watch = watch
        self._looking = looking

    @property
    def is_requested(self) -> bool:
        return self._watch.stop_requested

    async def wait(self) -> None:
        """Until the run is to stop. Raise what stands against looking."""
        await asyncio.shield(self._looking)
