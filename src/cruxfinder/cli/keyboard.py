"""Lines typed by whoever sits at the terminal, without holding up the debate's own loop."""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakKeyDictionary

from cruxfinder.errors import InputEnded

TURNS: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock]] = WeakKeyDictionary()


@asynccontextmanager
async def hold_keyboard() -> AsyncGenerator[None]:
    """There is one keyboard: who is asked while somebody types waits."""
    async with TURNS.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
        yield


async def read_line(prompt: str) -> str:
    """One line; bytes that are no text are shown as such. Raise InputEnded when nothing more can be typed."""
    print(prompt, end="", flush=True)
    loop = asyncio.get_running_loop()
    line: asyncio.Future[bytes] = loop.create_future()
    loop.add_reader(sys.stdin, lambda: line.done() or line.set_result(sys.stdin.buffer.readline()))
    try:
        found = await line
    except asyncio.CancelledError:  # Ctrl-C, or it was waited for long enough
        print(flush=True)
        raise
    finally:
        loop.remove_reader(sys.stdin)
    if not found:
        print(flush=True)  # whatever is told next begins its own line
        raise InputEnded("the input ended, and somebody is still asked")
    return found.decode(errors="replace").strip()
