"""Runs the server on one port, with streams that may stay open for hours and still end with it."""

import asyncio
import contextlib
import signal
import socket
import threading
from collections.abc import Awaitable, Callable, Generator
from typing import Final, cast

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from cruxfinder.errors import CruxfinderError
from cruxfinder.hall import Hall
from cruxfinder.listening import address, listening
from cruxfinder.server.application import build
from cruxfinder.server.guard import Guarding, guarding
from cruxfinder.server.running import Running
from cruxfinder.setup import Setup

END_S: Final = 1  # how long answers under way may hold up the end
IDLE_S: Final = 30
HEADERS_S: Final = 20
UNSENT_MAX: Final = 16_384  # bytes that wait for a slow reader
ROOM: Final = 200  # connections beside those that listen
HEADERS_MAX: Final = 32_768
First = Callable[[Hall], Awaitable[str]]
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def serve(
    setup: Setup,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    token: str = "",
    allowed: tuple[str, ...] = (),
    heard: Callable[[str, str], None] = lambda _, __: None,
    first: First | None = None,
) -> None:
    """Serve until the process is told to end. `first` begins a run and gives its id.

    `heard` gets the address once somebody can connect, and that id, or nothing. Raise BadInput where the port is taken,
    where anybody could reach the server and it has no token, and whatever stands against the first run.
    """
    guard = guarding(host, token, allowed)
    application = build(setup, guard)
    with listening(host, port) as listener:
        page = f"{address(listener, host)}/"
        server = Server(application, guard, lambda begun: heard(page, begun), first)
        asyncio.run(server.serve(sockets=[listener]))
    if server.fault is not None:
        raise server.fault


class Connection(H11Protocol):
    """A connection on which little waits to be sent, as hundreds may read slowly, and that does not wait for ever.

    The library bounds the time between requests and not that of a request: half a header would hold a place for good.
    """

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        transport.set_write_buffer_limits(high=UNSENT_MAX)
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._calm()
        super().connection_lost(exc)

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


class Server(uvicorn.Server):
    """Ends when told, streams included, and leaves the signal to whoever called."""

    def __init__(
        self,
        application: FastAPI,
        guard: Guarding,
        heard: Callable[[str], None] = lambda _: None,
        first: First | None = None,
    ) -> None:
        super().__init__(
            uvicorn.Config(
                application,
                http=Connection,
                ws="none",
                loop="asyncio",
                lifespan="on",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                limit_concurrency=guard.listeners_max + ROOM,
                timeout_keep_alive=IDLE_S,
                timeout_graceful_shutdown=END_S,
                h11_max_incomplete_event_size=HEADERS_MAX,
            )
        )
        self.fault: CruxfinderError | None = None
        self._application = application
        self._heard = heard
        self._first = first

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        running: Running = self._application.state.running
        try:
            begun = "" if self._first is None else await self._first(running.hall)
        except CruxfinderError as fault:
            self.fault, self.should_exit = fault, True
        else:
            self._heard(begun)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        running: Running = self._application.state.running
        running.feeds.close()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
