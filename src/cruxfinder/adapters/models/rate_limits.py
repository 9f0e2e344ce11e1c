"""How much is asked of a provider at a time: requests under way, requests a minute, and the pause it asked for."""

import asyncio
from collections import OrderedDict
from math import inf
from typing import Final
from weakref import WeakKeyDictionary

MINUTE_S: Final = 60.0
KNOWN_MAX: Final = 1_024  # limits of one event loop that are remembered


class Paused(Exception):
    """The provider asked to wait for longer than somebody can."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(f"asks to wait {seconds:g} s")


class RateLimiter:
    """One for each provider, key and event loop: see `shared_limits`.

    Requests a minute are a bucket that fills evenly and starts full enough.
    """

    def __init__(self, *, at_once: int = 64, per_minute: int = 0) -> None:
        self._slots = asyncio.Semaphore(at_once)
        self._per_minute = per_minute
        self._tokens = float(max(1, per_minute // 10))  # a burst of a tenth of a minute's requests
        self._full = self._tokens
        self._filled: float | None = None
        self._not_before = 0.0

    def pause(self, seconds: float) -> None:
        """The provider asked everybody to wait."""
        self._not_before = max(self._not_before, asyncio.get_running_loop().time() + seconds)

    async def acquire(self, patience_s: float = inf) -> None:
        """Wait until a request may be sent, and leave when it is over. Paused if the provider's pause is too long."""
        await self._slots.acquire()
        try:
            pause_s = self._not_before - asyncio.get_running_loop().time()
            if pause_s > patience_s:
                raise Paused(pause_s)
            while (wait := self._wait_s()) > 0:
                await asyncio.sleep(wait)
        except BaseException:
            self._slots.release()
            raise

    def release(self) -> None:
        self._slots.release()

    def _wait_s(self) -> float:
        """How long to wait before sending; zero takes a request out of the bucket."""
        now = asyncio.get_running_loop().time()
        if now < self._not_before:
            return self._not_before - now
        if not self._per_minute:
            return 0.0
        rate = (self._per_minute - self._full + 1) / MINUTE_S  # so that burst and refill together keep to the minute
        since = now - (self._filled if self._filled is not None else now)
        self._tokens = min(self._full, self._tokens + since * rate)
        self._filled = now
        if self._tokens < 1:
            return (1 - self._tokens) / rate
        self._tokens -= 1
        return 0.0


Place = tuple[str, str, int, int]  # provider or address, key, and what the limits are
# By event loop, as a lock of one cannot be waited for in another; a server has one, and they go when it does.
SHARED: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, OrderedDict[Place, RateLimiter]]] = WeakKeyDictionary()


def shared_limiter(place: str, key: str, *, at_once: int, per_minute: int) -> RateLimiter:
    """The limits of a provider for all debates of a server: a provider counts requests by key, not by debate."""
    known = SHARED.setdefault(asyncio.get_running_loop(), OrderedDict())
    asked = (place, key, at_once, per_minute)
    if asked not in known:
        known[asked] = RateLimiter(at_once=at_once, per_minute=per_minute)
        if len(known) > KNOWN_MAX:
            known.popitem(last=False)
    known.move_to_end(asked)
    return known[asked]
