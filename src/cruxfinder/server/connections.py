"""How many connections a server takes, and how long one may hold a place without asking anything.

Descriptors are few, and whoever connects takes one: what comes beyond the bound is answered at once and let go, so that
the store, the models and those who are connected keep theirs.
"""

import asyncio
import contextlib
import logging
import os
import socket
import sys
import time
from collections.abc import Callable
from typing import Any, Final, cast

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from cruxfinder.server.problems import MEDIA
from cruxfinder.server.sockets import BACKLOG

LOG: Final = logging.getLogger(__name__)
IDLE_S: Final = 30
HEADERS_S: Final = 20
HEADERS_MAX: Final = 32_768  # bytes of a request line and its headers
PIECE: Final = 8_192  # bytes that are parsed at once: the parser only bounds what is not complete yet
UNSENT_MAX: Final = 16_384  # bytes that wait for a slow reader
RESERVE: Final = 640  # descriptors for stores, models and files
CONNECTIONS_MIN: Final = 8
LEAVING_MAX: Final = 16  # refused connections that are waited for until they have read why
LEAVING_S: Final = 0.5
TELL_S: Final = 10.0  # between two lines of the log that say the same
FULL_BODY: Final = (
    b'{"type": "urn:cruxfinder:problem:out-of-order", "title": "Service Unavailable", "status": 503, '
    b'"detail": "too many are connected already"}'
)
FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: %b\r\nContent-Length: %d\r\nRetry-After: 5\r\n"
    b"Cache-Control: no-store\r\nConnection: close\r\n\r\n%b" % (MEDIA.encode(), len(FULL_BODY), FULL_BODY)
)
NO_RESOURCE: Final = "socket.accept() out of system resource"


def fitting_connections(wanted: int) -> int:
    """So many connections fit the limit on descriptors, which is raised as far as it may be for them."""
    if sys.platform == "win32":
        return wanted
    import resource  # noqa: PLC0415 - not on Windows

    here = open_descriptors()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    needed = wanted + here + RESERVE
    if soft < needed:
        raised = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
            soft = raised
        except (OSError, ValueError) as error:
            LOG.info("the limit on descriptors stays at %s: %s", soft, error)
    return max(CONNECTIONS_MIN, min(wanted, soft - here - min(RESERVE, soft // 2)))


def open_descriptors() -> int:
    try:
        return len(os.listdir("/dev/fd"))
    except OSError:
        return 32


class Doorkeeper:
    """What the connections of one server share."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most: Final = most
        self.leaving = 0
        self._clock = clock
        self._told = float("-inf")

    def tell(self, told: str) -> None:
        """Once in a while: whoever fills the table must not fill the log, too."""
        now = self._clock()
        if now - self._told >= TELL_S:
            self._told = now
            LOG.warning("%s", told)


class BoundedConnection(H11Protocol):
    """A connection on which little waits to be sent, as hundreds may read slowly, and that does not wait for ever.

    The library bounds the time between requests and not that of a request: half a header would hold a place for good.
    """

    doorkeeper: Doorkeeper
    _late: asyncio.TimerHandle | None = None
    _refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        if len(self.connections) >= self.doorkeeper.most:
            self._refuse(transport)
            return
        transport.set_write_buffer_limits(high=UNSENT_MAX)
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), PIECE):
            if self._refused or self.transport.is_closing():
                return
            super().data_received(data[start : start + PIECE])
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._refused and self._late is not None:
            self.doorkeeper.leaving -= 1
        self._calm()
        super().connection_lost(exc)

    def _refuse(self, transport: asyncio.Transport) -> None:
        """Say why and hang up. One that does not listen is not waited for: it would hold the descriptor."""
        self._refused = True
        self.transport = transport
        self.doorkeeper.tell(f"{self.doorkeeper.most} are connected; others are refused until there is room")
        if self.doorkeeper.leaving >= LEAVING_MAX:
            transport.abort()
            return
        self.doorkeeper.leaving += 1
        transport.write(FULL)
        with contextlib.suppress(OSError):  # it is gone already
            transport.write_eof()
        self._late = self.loop.call_later(LEAVING_S, transport.abort)

    def _watch(self) -> None:
        if self._asking():
            self._calm()
        elif self._late is None:
            self._late = self.loop.call_later(HEADERS_S, self._let_go)

    def _asking(self) -> bool:
        cycle = cast("RequestResponseCycle | None", self.cycle)  # there is none before the first request
        return cycle is not None and not cycle.response_complete

    def _calm(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _let_go(self) -> None:
        self._late = None
        if not self._asking():
            self.transport.close()


class BoundedServer(uvicorn.Server):
    """A server with a bound on its connections, that stays quiet when descriptors run out all the same."""

    def __init__(self, application: Any, connections_max: int, *, end_s: int) -> None:
        self._doorkeeper = Doorkeeper(connections_max)

        class Bounded(BoundedConnection):
            doorkeeper = self._doorkeeper

        super().__init__(
            uvicorn.Config(
                application,
                http=Bounded,
                ws="none",
                loop="asyncio",
                lifespan="on",
                log_config=None,
                log_level=logging.ERROR,  # it writes a line for every request that is none
                access_log=False,
                proxy_headers=False,
                server_header=False,
                # The loop accepts so many in a row, and logs and tries again for each of them that finds no
                # descriptor: with one, what fails is tried again once a second.
                backlog=1,
                timeout_keep_alive=IDLE_S,
                timeout_graceful_shutdown=end_s,
                h11_max_incomplete_event_size=HEADERS_MAX,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(self._on_loop_fault)
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(BACKLOG)  # the queue of the system is as long as ever

    def _on_loop_fault(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if context.get("message") == NO_RESOURCE:
            self._doorkeeper.tell(f"nobody can connect for now: {context.get('exception')}")
        else:
            loop.default_exception_handler(context)
