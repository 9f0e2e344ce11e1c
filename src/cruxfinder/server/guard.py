"""Who may talk to the server: the guard before every route, against other sites, rebound names and strangers.

A browser sends requests of any page to this machine. The name in Host tells a page that had its own name rebound to
this address, Origin and Sec-Fetch-Site tell a page of another site, the token tells who was let in.
"""

import hmac
import ipaddress
import re
from dataclasses import dataclass, replace
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cruxfinder.errors import BadInput
from cruxfinder.server.connections import HEADERS_MAX
from cruxfinder.server.problems import Problem

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
ANYWHERE: Final = frozenset({"", "0.0.0.0", "::"})
API: Final = "/api"
OPEN: Final = frozenset({"/api/health"})  # for a page that must ask for the token first
TOKEN_MIN: Final = 16
AUTHORITY: Final = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::(?P<port>[0-9]{1,5}))?")
SAFE: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardPolicy:
    """Who is let in, and how much they may ask for. `hosts` are the names the server goes by beside the loopback's."""

    hosts: frozenset[str] = frozenset()
    token: str = ""
    writes_a_minute: int = 120
    listeners_max: int = 1_000
    connections_max: int = 1_200
    private: str = API  # paths that begin like this are for those who were let in,
    open: frozenset[str] = OPEN  # but for these

    def with_connection_limit(self, connections: int) -> "GuardPolicy":
        """With at most so many connections; those who listen leave some to the others."""
        most = min(self.connections_max, connections)
        return replace(self, connections_max=most, listeners_max=max(1, min(self.listeners_max, most * 5 // 6)))


def guard_policy_for(host: str, token: str = "", allowed: tuple[str, ...] = ()) -> GuardPolicy:
    """The guard of a server bound to this host. Raise BadInput where anybody could reach it without a token."""
    if token and (len(token) < TOKEN_MIN or not token.isascii() or not token.isprintable() or " " in token):
        raise BadInput(f"a token has at least {TOKEN_MIN} letters, digits or signs, and no space")
    if not is_loopback(host) and not token:
        raise BadInput(f"a server at {host} can be reached from elsewhere: give it a token")
    names = frozenset(name.strip().lower().strip("[]").rstrip(".") for name in (host, *allowed)) - ANYWHERE
    if strange := sorted(name for name in names if authority(f"[{name}]" if ":" in name else name) is None):
        raise BadInput(f"{strange[0]!r} is no name of a host")
    return GuardPolicy(hosts=names, token=token)


def is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Authority:
    name: str
    port: str


def authority(text: str) -> Authority | None:
    found = AUTHORITY.fullmatch(text)
    if found is None:
        return None
    return Authority(found["name"].strip("[]").lower().rstrip("."), found["port"] or "")


class Guard:
    """Refuses what is not meant for this server, and sends every answer with the headers that keep a page safe."""

    def __init__(self, app: ASGIApp, guarding: GuardPolicy) -> None:
        self._app = app
        self._guarding = guarding
        self._token = f"Bearer {guarding.token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            assert scope["type"] == "lifespan", "no route speaks WebSocket"
            await self._app(scope, receive, send)
            return
        sending = secure_send(send, private=self._private(scope))
        try:
            self._check(scope)
        except Problem as problem:
            await problem.response()(scope, receive, sending)
            return
        await self._app(scope, receive, sending)

    def _private(self, scope: Scope) -> bool:
        return scope["path"].startswith(self._guarding.private)

    def _check(self, scope: Scope) -> None:
        check_size(scope)
        headers = Headers(scope=scope)
        here = self._host(scope, headers.getlist("host"))
        if not self._private(scope):
            return
        for origin in headers.getlist("origin"):
            self._origin(origin, here, scope["scheme"])
        if headers.get("sec-fetch-site") == "cross-site":
            raise Problem(403, "requests from pages of other sites are refused")
        if self._guarding.token and scope["path"] not in self._guarding.open:
            given = headers.get("authorization", "").encode("latin-1")
            if not hmac.compare_digest(given, self._token):
                raise Problem(401, "this server needs its token", {"WWW-Authenticate": "Bearer"})

    def _host(self, scope: Scope, given: list[str]) -> Authority:
        found = authority(given[0]) if len(given) == 1 else None
        reached = (scope.get("server") or ("",))[0]
        if found is None or not (self._is_known_host(found.name) or (found.name == reached and is_address(reached))):
            raise Problem(403, "this server does not go by that name; --allow-host adds one")
        return found

    def _is_known_host(self, name: str) -> bool:
        return name in LOOPBACK or name in self._guarding.hosts

    def _origin(self, origin: str, here: Authority, scheme: str) -> None:
        kind, _, rest = origin.partition("://")
        # Behind a proxy that speaks TLS the page's scheme is https; only names that were allowed are reached so.
        right = kind == scheme or (kind == "https" and here.name in self._guarding.hosts)
        if not right or authority(rest) != here:
            raise Problem(403, "requests from pages of other sites are refused")


def check_size(scope: Scope) -> None:
    """What comes in one piece is complete before the parser counts it."""
    line = len(scope.get("raw_path") or b"") + len(scope["query_string"])
    if line + sum(len(name) + len(value) + 4 for name, value in scope["headers"]) > HEADERS_MAX:
        raise Problem(431, f"a request has at most {HEADERS_MAX:,} bytes of headers", {"Connection": "close"})


def is_address(text: str) -> bool:
    """An address in place of a name cannot be rebound."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


async def on_bug(_: Request, __: Exception) -> Response:
    """The one answer that does not pass the guard."""
    return Problem(500, "a fault of the server; its own log says more", SAFE).response()


def secure_send(send: Send, *, private: bool) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SAFE.items():
                headers.setdefault(name, value)
            if private:
                headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending
