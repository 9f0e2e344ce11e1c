"""What the routes share while the server runs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Final, ParamSpec, TypeVar, cast

import anyio
import anyio.to_thread
from fastapi import Depends, Request

from cruxfinder.app.hosting import DebateHost
from cruxfinder.app.server_setup import Setup
from cruxfinder.server.feed import Feeds
from cruxfinder.server.run_reading import ProtocolCache

TABLES: Final = 1  # of votes at once: one keeps a processor busy for long enough
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerState:
    setup: Setup
    host: DebateHost
    feeds: Feeds
    known: ProtocolCache
    tables: anyio.CapacityLimiter = field(default_factory=lambda: anyio.CapacityLimiter(TABLES))


def server_state(request: Request) -> ServerState:
    return cast("ServerState", request.app.state.running)


Now = Annotated[ServerState, Depends(server_state)]


async def run_in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do what takes long beside the event loop, so that the streams go on."""
    return await anyio.to_thread.run_sync(lambda: work(*args, **kwargs))
