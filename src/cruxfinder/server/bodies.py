"""What a body must be before a route sees it: JSON by name and in fact, of a bounded size, depth and rate.

The size is counted while the body is read. What JSON leaves open is refused: a key that is there twice, numbers that
are none or have hundreds of digits, halves of characters, values nested deeper than anything here is.
"""

import json
import time
from collections import deque
from collections.abc import Callable, Coroutine
from email.message import Message as MailMessage
from typing import Any, Final, cast

import anyio
import anyio.to_thread
from fastapi import Request
from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Message

from cruxfinder.server.problems import Problem

BYTES_MAX: Final = 2_000_000
PASSED_MAX: Final = 64_000_000  # bytes of a body that is refused anyway
PATIENCE_S: Final = 20.0
DEPTH_MAX: Final = 16
DIGITS_MAX: Final = 20
WINDOW_S: Final = 60.0
LONG: Final = 65_536  # bytes; what is longer is read beside the event loop
Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class Rate:
    """So many writes within a minute."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._times: deque[float] = deque()

    def count(self) -> None:
        now = self._clock()
        while self._times and self._times[0] <= now - WINDOW_S:
            self._times.popleft()
        if len(self._times) >= self._most:
            wait = int(self._times[0] + WINDOW_S - now) + 1
            raise Problem(429, f"at most {self._most} writes a minute", {"Retry-After": str(wait)})
        self._times.append(now)


class JsonRoute(APIRoute):
    """A route whose body was read and checked before it is called."""

    def get_route_handler(self) -> Handler:
        handle = super().get_route_handler()

        async def checked(request: Request) -> Response:
            if request.method == "POST":
                rate: Rate = request.app.state.rate
                rate.count()
                check_type(request.headers.get("content-type", ""))
                body = await read(request)
                if len(body) < LONG:
                    check(body)
                else:
                    await anyio.to_thread.run_sync(check, body)
                request = Request(request.scope, replayed(body))
            return await handle(request)

        return checked


def check_type(given: str) -> None:
    message = MailMessage()
    message["content-type"] = given
    charset = message.get_param("charset", "utf-8")
    if message.get_content_type() != "application/json" or not given or str(charset).lower() not in ("utf-8", "utf8"):
        raise Problem(415, "the body must be application/json, in UTF-8")


async def read(request: Request) -> bytes:
    """The body. The rest of one that is too large is let pass for a while: a client that sends hears no answer."""
    body = bytearray()
    size = 0
    try:
        with anyio.move_on_after(PATIENCE_S) as patience:
            async for chunk in request.stream():
                size += len(chunk)
                if size <= BYTES_MAX:
                    body += chunk
                elif size > PASSED_MAX:
                    break
    except ClientDisconnect:
        raise Problem(400, "the body broke off", {"Connection": "close"}) from None
    if patience.cancelled_caught and size <= BYTES_MAX:
        raise Problem(408, "the body did not come in time", {"Connection": "close"})
    if size > BYTES_MAX:
        raise Problem(413, f"a body has at most {BYTES_MAX:,} bytes", {"Connection": "close"})
    return bytes(body)


def replayed(body: bytes) -> Callable[[], Coroutine[Any, Any, Message]]:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def check(body: bytes) -> None:
    """Raise Problem for what is no JSON, or more than one thing at once."""
    try:
        value: object = json.loads(
            body.decode("utf-8"),
            object_pairs_hook=once,
            parse_constant=no_number,
            parse_int=whole,
            parse_float=finite,
        )
    except UnicodeDecodeError:
        raise Problem(400, "the body is not UTF-8") from None
    except RecursionError:
        raise Problem(400, "the body is nested too deeply") from None
    except ValueError as error:
        told = "the body is not JSON" if isinstance(error, json.JSONDecodeError) else str(error)
        raise Problem(400, told) from None
    check_values(value)


def check_values(value: object) -> None:
    """Depth and texts, without calling itself: it is for what may be nested too deeply."""
    level = [value]
    for _ in range(DEPTH_MAX):
        below: list[object] = []
        for held in level:
            if isinstance(held, str):
                if not held.isascii() and not held.isprintable() and any("\ud800" <= c <= "\udfff" for c in held):
                    raise Problem(400, "a text holds half of a character")
            elif isinstance(held, dict):
                below.extend(cast("dict[str, object]", held).keys())
                below.extend(cast("dict[str, object]", held).values())
            elif isinstance(held, list):
                below.extend(cast("list[object]", held))
        if not below:
            return
        level = below
    raise Problem(400, "the body is nested too deeply")


def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def no_number(_: str) -> object:
    raise ValueError("NaN and Infinity are no JSON")


def whole(text: str) -> int:
    if len(text) > DIGITS_MAX:
        raise ValueError("a number has too many digits")
    return int(text)


def finite(text: str) -> float:
    found = float(text)
    if found in (float("inf"), float("-inf")):
        raise ValueError("a number is too large")
    return found
