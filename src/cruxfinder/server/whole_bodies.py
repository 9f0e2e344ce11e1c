"""Reads the body of a POST for an application that would wait for its end for ever."""

import json
from collections.abc import Callable, Coroutine
from typing import Any, Final

import anyio.to_thread
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cruxfinder.server.bodies import LONG, BodyLimits, caller_of, read_body, too_many_values
from cruxfinder.server.problems import Problem

BYTES_MAX: Final = 2_000_000
VALUES_MAX: Final = 20_000  # and keys


class BodyBuffer:
    """Within the bounds of other bodies: size, time, and what all of them take together."""

    def __init__(self, app: ASGIApp, bodies: BodyLimits | None = None) -> None:
        self._app = app
        self._bodies = bodies or BodyLimits()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        with self._bodies.room.place(caller_of(request)) as place:
            try:
                body = await read_body(request, BYTES_MAX, place)
                if len(body) >= LONG:
                    async with self._bodies.long:
                        await anyio.to_thread.run_sync(check_count, body)
            except Problem as problem:
                await problem.response()(scope, receive, send)
                return
            await self._app(scope, replay_then_receive(body, receive), send)


def check_count(body: bytes) -> None:
    """Raise Problem for more values than a message has. What is no JSON is for the application to refuse."""
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        return
    if too_many_values(value, VALUES_MAX):
        raise Problem(413, f"a message has at most {VALUES_MAX:,} keys and values")


def replay_then_receive(body: bytes, receive: Receive) -> Callable[[], Coroutine[Any, Any, Message]]:
    """The body in one piece, then whatever comes after it."""
    told = False

    async def receive_next() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_next
