"""Runs the server over stdio, or over HTTP on one port, behind the guard of the page's server."""

import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import anyio
from mcp.server.transport_security import TransportSecuritySettings

from cruxfinder.mcp.mcp_server import CruxServer
from cruxfinder.server.connections import BoundedServer, fitting_connections
from cruxfinder.server.guard import Guard, GuardPolicy, guard_policy_for
from cruxfinder.server.sockets import address, open_listener
from cruxfinder.server.whole_bodies import BodyBuffer

PATH: Final = "/mcp"
END_S: Final = 2  # how long open streams may hold up the end
BY_GUARD: Final = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # it knows more names than these


def serve_over_stdio(server: CruxServer) -> None:
    anyio.run(server.run_stdio_async)


def serve_over_http(
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
    wanted = replace(guard_policy_for(host, token, allowed), private="/", open=frozenset())
    guard = wanted.with_connection_limit(fitting_connections(wanted.connections_max))
    with open_listener(host, port) as listener:
        heard(f"{address(listener, host)}{PATH}")
        anyio.run(serve_guarded, server, guard, listener)


async def serve_guarded(server: CruxServer, guard: GuardPolicy, listener: socket.socket) -> None:
    bounded = BoundedServer(guarded_app(server, guard), guard.connections_max, end_s=END_S)
    await bounded.serve(sockets=[listener])


def guarded_app(server: CruxServer, guard: GuardPolicy) -> Guard:
    """The application behind everything that stands before it."""
    app = server.streamable_http_app(streamable_http_path=PATH, transport_security=BY_GUARD)
    return Guard(BodyBuffer(app), guard)
