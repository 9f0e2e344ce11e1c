"""The application: every route behind one guard, and a host that lives as long as it does."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import cache
from typing import Final

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.app.hosting import open_host
from cruxfinder.app.server_setup import Setup
from cruxfinder.errors import CruxfinderError
from cruxfinder.kernel.settings import Settings
from cruxfinder.server import (
    debate_routes,
    export_routes,
    gate_routes,
    page_routes,
    problem_handlers,
    seat_routes,
    vote_routes,
)
from cruxfinder.server.bodies import BodyLimits, JsonRoute, RateLimits
from cruxfinder.server.feed import Feeds
from cruxfinder.server.guard import Guard, GuardPolicy, on_bug
from cruxfinder.server.problems import Problem, responses
from cruxfinder.server.response_shapes import HealthShape
from cruxfinder.server.run_reading import ProtocolCache
from cruxfinder.server.server_state import ServerState, run_in_thread
from cruxfinder.version import VERSION

AT_ONCE: Final = 8  # debates


def build(setup: Setup, guard: GuardPolicy) -> FastAPI:
    @asynccontextmanager
    async def lifespan(application: FastAPI) -> AsyncGenerator[None]:
        async with open_host(setup, AT_ONCE) as host:
            feeds = Feeds(host, guard.listeners_max)
            application.state.running = ServerState(
                setup=setup, host=host, feeds=feeds, known=ProtocolCache(setup.store)
            )
            await host.recover()
            warming = asyncio.create_task(run_in_thread(warm_up))
            try:
                yield
            finally:
                feeds.close()
                await warming

    application = FastAPI(
        title="Cruxfinder",
        summary="Finds what a disagreement really turns on.",
        version=VERSION,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
        exception_handlers={
            Problem: problem_handlers.on_problem,
            CruxfinderError: problem_handlers.on_error,
            RequestValidationError: problem_handlers.on_unusable,
            HTTPException: problem_handlers.on_http,
            Exception: on_bug,
        },
    )
    application.state.rates = RateLimits(guard.writes_a_minute)
    application.state.bodies = BodyLimits()
    application.add_middleware(Guard, guarding=guard)
    for router in (
        health_router(setup, guard),
        debate_routes.router,
        seat_routes.router,
        export_routes.router,
        vote_routes.router,
        gate_routes.router,
    ):
        application.include_router(router, prefix="/api")
    application.router.routes.extend(page_routes.routes(page_routes.read()))
    return application


@cache
def warm_up() -> None:
    """Have all that a debate needs loaded beside the loop: else the first one would hold up everybody for a moment."""
    asyncio.run(
        run_starts.start(pack_finder.find(pack_finder.names()[0])[0], MemoryStore(), settings=Settings(max_messages=4))
    )


def health_router(setup: Setup, guard: GuardPolicy) -> APIRouter:
    router = APIRouter(route_class=JsonRoute, tags=["server"])

    @router.get("/health", responses=responses())
    async def read_health() -> HealthShape:
        """What this server is, and what it needs; it answers without a token."""
        return HealthShape(
            name="cruxfinder", version=VERSION, model=bool(setup.thinking.model), token=bool(guard.token)
        )

    assert callable(read_health)
    return router
