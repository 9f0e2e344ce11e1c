"""Runs the server over stdio, or over HTTP on one port."""

import socket
from collections.abc import Callable
from typing import Final

import anyio

from cruxfinder.errors import BadInput
from cruxfinder.mcp.server import CruxServer

PATH: Final = "/mcp"
END_S: Final = 2  # how long open streams may hold up the end


def over_stdio(server: CruxServer) -> None:
    anyio.run(server.run_stdio_async)


def over_http(server: CruxServer, host: str, port: int, heard: Callable[[str], None]) -> None:
    """Listen first, so that a port that is taken is told in one sentence; `heard` gets the address."""
    try:
        listener = socket.create_server((host, port), family=family(host))
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else "there is no such port"
        raise BadInput(f"the server cannot listen on {host}, port {port}: {reason}") from None
    with listener:
        shown = f"[{host}]" if ":" in host else host
        heard(f"http://{shown}:{listener.getsockname()[1]}{PATH}")
        anyio.run(served, server, host, listener)


async def served(server: CruxServer, host: str, listener: socket.socket) -> None:
    import uvicorn

    app = server.streamable_http_app(streamable_http_path=PATH, host=host)
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=END_S)
    await uvicorn.Server(config).serve(sockets=[listener])


def family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
