"""What the routes share while the server runs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Final, ParamSpec, TypeVar, cast

import anyio
import anyio.to_thread
from fastapi import Depends, Request

from cruxfinder.app.hosting import Hall
from cruxfinder.app.server_setup import Setup
from cruxfinder.server.feed import Feeds
from cruxfinder.server.run_reading import Known

TABLES: Final = 1  # of votes at once: one keeps a processor busy for long enough
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    setup: Setup
    hall: Hall
    feeds: Feeds
    known: Known
    tables: anyio.CapacityLimiter = field(default_factory=lambda: anyio.CapacityLimiter(TABLES))


def running(request: Request) -> Running:
    return cast("Running", request.app.state.running)


Now = Annotated[Running, Depends(running)]


async def aside(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do what takes long beside the event loop, so that the streams go on."""
    return await anyio.to_thread.run_sync(lambda: work(*args, **kwargs))
