"""Runs the server over stdio, or over HTTP on one port, behind the guard of the page's server."""

import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import anyio
from mcp.server.transport_security import TransportSecuritySettings

from cruxfinder.mcp.mcp_server import CruxServer
from cruxfinder.server.connections import BoundedServer, fitting_connections
from cruxfinder.server.guard import Guard, Guarding, guarding
from cruxfinder.server.sockets import address, listening
from cruxfinder.server.whole_bodies import WholeBodies

PATH: Final = "/mcp"
END_S: Final = 2  # how long open streams may hold up the end
BY_GUARD: Final = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # it knows more names than these


def over_stdio(server: CruxServer) -> None:
    anyio.run(server.run_stdio_async)


def over_http(
    server: CruxServer,
    host: str,
    port: int,
    heard: Callable[[str], None],
    *,
    token: str = "",
    allowed: tuple[str, ...] = (),
) -> None:
    """`heard` gets the address once somebody can connect.

    Raise BadInput where the port is taken, and where anybody could reach the server and it has no token.
    """
    wanted = replace(guarding(host, token, allowed), private="/", open=frozenset())
    guard = wanted.bounded(fitting_connections(wanted.connections_max))
    with listening(host, port) as listener:
        heard(f"{address(listener, host)}{PATH}")
        anyio.run(served, server, guard, listener)


async def served(server: CruxServer, guard: Guarding, listener: socket.socket) -> None:
    bounded = BoundedServer(guarded(server, guard), guard.connections_max, end_s=END_S)
    await bounded.serve(sockets=[listener])


def guarded(server: CruxServer, guard: Guarding) -> Guard:
    """The application behind everything that stands before it."""
    app = server.streamable_http_app(streamable_http_path=PATH, transport_security=BY_GUARD)
    return Guard(WholeBodies(app), guard)
