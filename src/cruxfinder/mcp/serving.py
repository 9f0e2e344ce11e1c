"""Runs the server over stdio, or over HTTP on one port."""

import socket
from collections.abc import Callable
from typing import Final

import anyio

from cruxfinder.listening import address, listening
from cruxfinder.mcp.server import CruxServer

PATH: Final = "/mcp"
END_S: Final = 2  # how long open streams may hold up the end


def over_stdio(server: CruxServer) -> None:
    anyio.run(server.run_stdio_async)


def over_http(server: CruxServer, host: str, port: int, heard: Callable[[str], None]) -> None:
    """`heard` gets the address once somebody can connect."""
    with listening(host, port) as listener:
        heard(f"{address(listener, host)}{PATH}")
        anyio.run(served, server, host, listener)


async def served(server: CruxServer, host: str, listener: socket.socket) -> None:
    import uvicorn

    app = server.streamable_http_app(streamable_http_path=PATH, host=host)
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=END_S)
    await uvicorn.Server(config).serve(sockets=[listener])
