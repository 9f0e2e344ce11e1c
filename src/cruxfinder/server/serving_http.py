"""Runs the server on one port, with streams that may stay open for hours and still end with it."""

import asyncio
import contextlib
import signal
import socket
import threading
from collections.abc import Awaitable, Callable, Generator
from typing import Final

from fastapi import FastAPI

from cruxfinder.app.hosting import DebateHost
from cruxfinder.app.server_setup import Setup
from cruxfinder.errors import CruxfinderError
from cruxfinder.server.application import build
from cruxfinder.server.connections import BoundedServer, fitting_connections
from cruxfinder.server.guard import GuardPolicy, guard_policy_for
from cruxfinder.server.server_state import ServerState
from cruxfinder.server.sockets import address, open_listener

END_S: Final = 1  # how long answers under way may hold up the end
First = Callable[[DebateHost], Awaitable[str]]
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
    wanted = guard_policy_for(host, token, allowed)
    guard = wanted.with_connection_limit(fitting_connections(wanted.connections_max))
    application = build(setup, guard)
    with open_listener(host, port) as listener:
        page = f"{address(listener, host)}/"
        server = Server(application, guard, lambda begun: heard(page, begun), first)
        asyncio.run(server.serve(sockets=[listener]))
    if server.fault is not None:
        raise server.fault


class Server(BoundedServer):
    """Ends when told, streams included, and leaves the signal to whoever called."""

    def __init__(
        self,
        application: FastAPI,
        guard: GuardPolicy,
        heard: Callable[[str], None] = lambda _: None,
        first: First | None = None,
    ) -> None:
        super().__init__(application, guard.connections_max, end_s=END_S)
        self.fault: CruxfinderError | None = None
        self._application = application
        self._heard = heard
        self._first = first

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        running: ServerState = self._application.state.running
        try:
            begun = "" if self._first is None else await self._first(running.host)
        except CruxfinderError as fault:
            self.fault, self.should_exit = fault, True
        else:
            self._heard(begun)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        running: ServerState = self._application.state.running
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
