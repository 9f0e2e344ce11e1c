"""A socket to serve on, taken first, so that a port that is taken is told in one sentence."""

import socket
from typing import Final

from cruxfinder.errors import BadInput

BACKLOG: Final = 1024


def open_listener(host: str, port: int) -> socket.socket:
    """Raise BadInput if nobody can listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else "there is no such port"
        raise BadInput(f"the server cannot listen on {host}, port {port}: {reason}") from None
    # Connections inherit it. Without it a short answer in two pieces waits 40 ms for the other side's word.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def address(listener: socket.socket, host: str) -> str:
    """Where a browser on this machine finds it."""
    host = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}"
