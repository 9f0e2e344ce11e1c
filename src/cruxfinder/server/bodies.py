"""What a body must be before a route sees it: JSON by name and in fact, of a bounded size, depth and rate.

The size is counted while the body is read. What JSON leaves open is refused: a key that is there twice, numbers that
are none or have hundreds of digits, halves of characters, values nested deeper than anything here is, or more of them:
each could be an error of its own, and errors are made in the event loop.
"""

import ipaddress
import json
import time
from collections import OrderedDict, deque
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

from cruxfinder.server.body_memory import FREE, BodyPlace, BodyRoom
from cruxfinder.server.problems import Problem

BYTES_MAX: Final = 262_144
ROUTE_BYTES_MAX: Final = {"stop": 4_096, "resume": 4_096, "answer": 65_536, "votes": 2_000_000}  # by its last word
VALUES_MAX: Final = 2_000  # and keys
TABLES: Final = frozenset({"votes"})  # routes that look at their values themselves, beside the event loop
PASSED_MAX: Final = 64_000_000  # bytes of a body that is refused anyway
PATIENCE_S: Final = 20.0
DEPTH_MAX: Final = 16
DIGITS_MAX: Final = 20
WINDOW_S: Final = 60.0
CALLERS_MAX: Final = 1_024  # of each kind of write that are remembered
KINDS: Final = 10  # times as much as of one kind may come from one address
NETWORK_BITS: Final = 64
LONG: Final = FREE  # bytes; what is longer is read beside the event loop
LONG_AT_ONCE: Final = 2  # bodies: as objects they are many times as large, and threads take turns with the loop
Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class RateLimit:
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


class RateLimits:
    """A rate for each caller and kind of write: nobody's posts keep somebody else from writing.

    Of each kind only so many callers are remembered; the one not heard of for longest is forgotten first.
    """

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._rates: dict[str, OrderedDict[str, RateLimit]] = {}

    def count(self, path: str, caller: str) -> None:
        """A person answers for their own seat, whatever else comes from the same address."""
        own = path.endswith("/answer") or "/seats/" in path
        self._rate("all", caller, self._most * KINDS).count()
        self._rate("answer" if own else "begin", f"{caller} {path}" if own else caller, self._most).count()

    @property
    def caller_counts(self) -> dict[str, int]:
        """How many callers of each kind."""
        return {kind: len(known) for kind, known in self._rates.items()}

    def _rate(self, kind: str, caller: str, most: int) -> RateLimit:
        known = self._rates.setdefault(kind, OrderedDict())
        if caller not in known:
            known[caller] = RateLimit(most, self._clock)
            if len(known) > CALLERS_MAX:
                known.popitem(last=False)
        known.move_to_end(caller)
        return known[caller]


def caller_of(request: Request) -> str:
    """The address a request comes from; of IPv6 the network, as one caller has as many addresses there as it likes."""
    host = request.client.host if request.client is not None else ""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(found, ipaddress.IPv4Address) or found.ipv4_mapped is not None:
        return host
    return str(ipaddress.ip_network((found, NETWORK_BITS), strict=False))


class BodyLimits:
    """What the routes of one server share: room for bodies, and turns for long ones."""

    def __init__(self, room: BodyRoom | None = None) -> None:
        self.room: Final = room or BodyRoom()
        self.long: Final = anyio.CapacityLimiter(LONG_AT_ONCE)


class ParsedRequest(Request):
    """A request whose body was read and parsed."""

    def __init__(self, request: Request, body: bytes, value: object) -> None:
        super().__init__(request.scope, replay_body(body))
        self._value = value

    async def json(self) -> object:
        return self._value


class JsonRoute(APIRoute):
    """A route whose body was read and checked before it is called."""

    def get_route_handler(self) -> Handler:
        handle = super().get_route_handler()
        last = self.path.rpartition("/")[2]  # of the route itself: a caller may name a seat as they like
        bytes_max = ROUTE_BYTES_MAX.get(last, BYTES_MAX)
        values_max = None if last in TABLES else VALUES_MAX

        async def handle_checked(request: Request) -> Response:
            if request.method != "POST":
                return await handle(request)
            # Stopping twice is stopping once, and no one's posts may keep a run from being stopped.
            if last != "stop":
                rates: RateLimits = request.app.state.rates
                rates.count(request.url.path, caller_of(request))
            check_type(request.headers.get("content-type", ""))
            bodies: BodyLimits = request.app.state.bodies
            with bodies.room.place(caller_of(request)) as place:
                body = await read_body(request, bytes_max, place)
                if len(body) < LONG:
                    return await handle(ParsedRequest(request, body, parse_body(body, values_max)))
                async with bodies.long:
                    value = await anyio.to_thread.run_sync(parse_body, body, values_max)
                    return await handle(ParsedRequest(request, body, value))

        return handle_checked


def check_type(given: str) -> None:
    message = MailMessage()
    message["content-type"] = given
    charset = message.get_param("charset", "utf-8")
    if message.get_content_type() != "application/json" or not given or str(charset).lower() not in ("utf-8", "utf8"):
        raise Problem(415, "the body must be application/json, in UTF-8")


async def read_body(request: Request, bytes_max: int, place: BodyPlace) -> bytes:
    """The body. The rest of one that is not taken is let pass for a while: a client that sends hears no answer."""
    body = bytearray()
    size, full = 0, False
    try:
        with anyio.move_on_after(PATIENCE_S) as patience:
            async for chunk in request.stream():
                size += len(chunk)
                full = full or (size <= bytes_max and not place.take(len(chunk)))
                if size <= bytes_max and not full:
                    body += chunk
                    continue
                body.clear()
                place.leave()
                if size > PASSED_MAX:
                    break
    except ClientDisconnect:
        raise Problem(400, "the body broke off", {"Connection": "close"}) from None
    if size > bytes_max:
        raise Problem(413, f"a body has at most {bytes_max:,} bytes", {"Connection": "close"})
    if full:
        raise Problem(503, "too many large bodies are on their way", {"Connection": "close", "Retry-After": "5"})
    if patience.cancelled_caught:
        raise Problem(408, "the body did not come in time", {"Connection": "close"})
    return bytes(body)


def replay_body(body: bytes) -> Callable[[], Coroutine[Any, Any, Message]]:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def parse_body(body: bytes, values_max: int | None = VALUES_MAX) -> object:
    """What a body says. Raise Problem for what is no JSON, more than one thing at once, or too many things."""
    try:
        value: object = json.loads(
            body.decode("utf-8"),
            object_pairs_hook=dict_of_unique_keys,
            parse_constant=refuse_constant,
            parse_int=bounded_int,
            parse_float=finite_float,
        )
    except UnicodeDecodeError:
        raise Problem(400, "the body is not UTF-8") from None
    except RecursionError:
        raise Problem(400, "the body is nested too deeply") from None
    except ValueError as error:
        told = "the body is not JSON" if isinstance(error, json.JSONDecodeError) else str(error)
        raise Problem(400, told) from None
    if values_max is not None and too_many_values(value, values_max):
        raise Problem(413, f"a body has at most {values_max:,} keys and values")
    check_values(value)
    return value


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


def too_many_values(value: object, most: int) -> bool:
    """Are there more keys and values than that, however deep?"""
    waiting, count = [value], 0
    while waiting and count <= most:
        held = waiting.pop()
        if isinstance(held, dict):
            below = list(cast("dict[str, object]", held).values())
            count += 2 * len(below)
        else:
            below = cast("list[object]", held) if isinstance(held, list) else []
            count += len(below)
        waiting.extend(below)
    return count > most


def dict_of_unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def refuse_constant(_: str) -> object:
    raise ValueError("NaN and Infinity are no JSON")


def bounded_int(text: str) -> int:
    if len(text) > DIGITS_MAX:
        raise ValueError("a number has too many digits")
    return int(text)


def finite_float(text: str) -> float:
    found = float(text)
    if found in (float("inf"), float("-inf")):
        raise ValueError("a number is too large")
    return found
