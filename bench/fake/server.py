"""An OpenAI-compatible server that counts what it is asked, takes its time, and misbehaves on request."""

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Final, TypeVar

Brain = Callable[[str, str], str]  # system, user -> reply
P = TypeVar("P", bound="FakeProvider")
HEADER_MAX: Final = 64 * 1024
REFUSAL: Final = "I'm sorry, but I can't take part in this discussion."
HTML: Final = "<!doctype html><title>Gateway</title><h1>Please log in</h1>"
FAULTS: Final = (
    "rate limit",
    "server error",
    "cut",
    "hang",
    "malformed",
    "wrong shape",
    "empty",
    "html",
    "prose",
)


@dataclass(frozen=True)
class Call:
    """One request as the server saw it."""

    number: int
    system: str
    user: str
    body: Mapping[str, object]
    fault: str

    @property
    def characters(self) -> int:
        return len(self.system) + len(self.user)


@dataclass
class FakeProvider:
    brain: Brain
    latency_s: float = 0.0
    faults: Callable[[int], str] = lambda number: ""
    retry_after: str = "0"
    usage_of: Callable[[str, str], tuple[int, int]] = lambda prompt, reply: (len(prompt) // 4, len(reply) // 4)
    keep: bool = True
    calls: list[Call] = field(default_factory=list)
    answered: int = 0
    count: int = 0
    open: int = 0
    most_open: int = 0
    url: str = ""
    hung: asyncio.Event = field(default_factory=asyncio.Event)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (body := await request_body(reader)) is not None:
                if not await self.respond(body, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the other side left, or the server is being stopped
        finally:
            writer.close()

    async def respond(self, raw: bytes, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; False closes the connection."""
        body = json.loads(raw)
        self.count += 1
        number = self.count
        fault = self.faults(number)
        system, user = (text_of(body, role) for role in ("system", "user"))
        if self.keep:
            self.calls.append(Call(number, system, user, body, fault))
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            if self.latency_s:
                await asyncio.sleep(self.latency_s)
            return await self.sent(fault, system, user, writer)
        finally:
            self.open -= 1

    async def sent(self, fault: str, system: str, user: str, writer: asyncio.StreamWriter) -> bool:
        if fault == "hang":
            await self.hung.wait()
            return False
        if fault == "cut":
            writer.write(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"id"')
            await writer.drain()
            return False
        if fault == "rate limit":
            error = {"error": {"message": "slow down", "type": "rate_limit"}}
            await write(writer, 429, json.dumps(error), more=f"Retry-After: {self.retry_after}\r\n")
        elif fault == "server error":
            await write(writer, 500, json.dumps({"error": {"message": "boom"}}))
        elif fault == "bad key":
            await write(writer, 401, json.dumps({"error": {"message": "Incorrect API key provided: sk-secret-123456"}}))
        elif fault == "html":
            await write(writer, 200, HTML, kind="text/html")
        else:
            await write(writer, 200, self.completion(fault, system, user))
            self.answered += 1
        return True

    def completion(self, fault: str, system: str, user: str) -> str:
        match fault:
            case "malformed":
                reply = '{"move": "CLAIM", "content": "This br'
            case "wrong shape":
                reply = '{"verdict": ["yes", 3], "mood": null}'
            case "empty":
                reply = ""
            case "prose":
                reply = REFUSAL
            case _:
                reply = self.brain(system, user)
        tokens_in, tokens_out = self.usage_of(system + user, reply)
        message = {"role": "assistant", "content": reply}
        usage = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out, "total_tokens": tokens_in + tokens_out}
        return json.dumps(
            {
                "id": "c",
                "object": "chat.completion",
                "created": 1,
                "model": "fake",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": usage,
            }
        )


def text_of(body: Mapping[str, object], role: str) -> str:
    messages = body.get("messages", ())
    assert isinstance(messages, list)
    return "\n".join(str(m["content"]) for m in messages if m["role"] == role)


async def request_body(reader: asyncio.StreamReader) -> bytes | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return await reader.readexactly(int(value))
    return b"{}"


async def write(
    writer: asyncio.StreamWriter, status: int, body: str, *, kind: str = "application/json", more: str = ""
) -> None:
    data = body.encode()
    head = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\n{more}Content-Length: {len(data)}\r\n\r\n"
    writer.write(head.encode() + data)
    await writer.drain()


@asynccontextmanager
async def running(provider: FakeProvider) -> AsyncGenerator[FakeProvider]:
    """Serve on a free port of the loopback."""
    server = await asyncio.start_server(provider.serve, "127.0.0.1", 0, limit=HEADER_MAX)
    port = server.sockets[0].getsockname()[1]
    provider.url = f"http://127.0.0.1:{port}/v1"
    try:
        yield provider
    finally:
        provider.hung.set()
        server.close()


@contextmanager
def served(provider: P) -> Generator[P]:
    """The same in a thread of its own, beside whatever asks it."""
    ready, over = threading.Event(), threading.Event()

    async def serve() -> None:
        async with running(provider):
            ready.set()
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(5)
        yield provider
    finally:
        over.set()
        thread.join(5)
