"""How much memory the bodies of requests may take together, those still coming and those that wait their turn.

A body of a few words always has room: so many connections times so little is bounded by itself. Of what is longer one
caller gets a share, so that others find room beside whoever sends large bodies and never ends them.
"""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

FREE: Final = 65_536  # bytes of each body that are not counted
ROOM_MAX: Final = 32_000_000  # bytes of all bodies
CALLER_MAX: Final = 16_000_000  # of one caller's


class BodyPlace:
    """What one body takes."""

    def __init__(self, room: "BodyRoom", caller: str) -> None:
        self._room = room
        self._caller = caller
        self._free = FREE
        self.taken = 0

    def take(self, size: int) -> bool:
        """Say whether so many bytes more may be kept."""
        counted = max(0, size - self._free)
        self._free = max(0, self._free - size)
        if not self._room.take(self._caller, counted):
            return False
        self.taken += counted
        return True

    def leave(self) -> None:
        self._room.give_back(self._caller, self.taken)
        self.taken = 0


class BodyRoom:
    """What the routes of one server share."""

    def __init__(self, most: int = ROOM_MAX, caller_most: int = CALLER_MAX) -> None:
        self._most = most
        self._caller_most = caller_most
        self._taken: Counter[str] = Counter()  # only of callers that take something now

    @property
    def total_bytes(self) -> int:
        return self._taken.total()

    @contextmanager
    def place(self, caller: str) -> Generator[BodyPlace]:
        """Room for one body, until the request is answered."""
        found = BodyPlace(self, caller)
        try:
            yield found
        finally:
            found.leave()

    def take(self, caller: str, size: int) -> bool:
        if size and (self.total_bytes + size > self._most or self._taken[caller] + size > self._caller_most):
            return False
        if size:
            self._taken[caller] += size
        return True

    def give_back(self, caller: str, size: int) -> None:
        self._taken[caller] -= size
        if not self._taken[caller]:
            del self._taken[caller]
