"""A stream of server-sent events for one listener: lean, so that hundreds may watch, and none waits for another.

A listener that reads slowly is sent nothing until it has read: what it has not had stays in the feed, once for all.
"""

import asyncio
import contextlib
import json
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from cruxfinder.server.feed import CHUNK, VERSION, Feed, Leave
from cruxfinder.telling.message_filter import MessageFilter

MEDIA: Final = "text/event-stream"
RETRY: Final = b"retry: 1000\n\n"
KEEP_ALIVE: Final = b": keep-alive\n\n"


class Stream(Response):
    """The answer of a route. It leaves the feed when it ends, however it ends."""

    media_type = MEDIA

    def __init__(
        self, feed: Feed, leave: Leave, after: int, only: MessageFilter | None = None, place: str = ""
    ) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        if place:
            self.headers["Content-Location"] = place
        self._feed = feed
        self._leave = leave
        self._reached = after
        self._only = only
        self._gone = False
        self._wake: asyncio.Future[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        watching = asyncio.create_task(self._watch(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await self._tell(send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            watching.cancel()
            self._leave(self._feed)

    async def _watch(self, receive: Receive) -> None:
        """Until the listener is gone."""
        with contextlib.suppress(asyncio.CancelledError):
            while (await receive())["type"] != "http.disconnect":
                pass
            self._gone = True
            if self._wake is not None and not self._wake.done():
                self._wake.set_result(None)

    async def _tell(self, send: Send) -> None:
        feed, private = self._feed, 0
        told, beats = feed.changes, feed.beats
        await self._put(send, RETRY + feed.status)
        while not self._gone and not feed.broken:
            chunk = feed.chunk(self._reached, self._only)
            moved = chunk.reached > self._reached
            self._reached, private = chunk.reached, private + chunk.private
            if chunk.data:
                beats = feed.beats
                await self._put(send, chunk.data)
            elif moved:
                continue
            elif told != feed.changes:
                told = feed.changes
                await self._put(send, feed.status)
            elif feed.has_ended:
                await self._put(send, self._end(private))
                return
            elif beats != feed.beats:
                beats = feed.beats
                await self._put(send, KEEP_ALIVE)
            else:
                self._wake = feed.wait()
                await self._wake

    async def _put(self, send: Send, data: bytes) -> None:
        for start in range(0, len(data), CHUNK):
            await send({"type": "http.response.body", "body": data[start : start + CHUNK], "more_body": True})
            if len(data) > CHUNK // 2:
                await asyncio.sleep(0)  # a long past is sent piece by piece, and the others in between

    def _end(self, sent: int) -> bytes:
        withheld = 0 if self._only is not None else self._feed.private - sent
        return f"event: end\ndata: {json.dumps({'v': VERSION, 'withheld': withheld})}\n\n".encode()
