"""The thread in which a gate's files are read and written for code that is asynchronous (DIA-6).

Whoever writes waits for the disk, and for as long as another process holds the file; an event loop must wait for
neither. One thread takes the steps of all calls in the order in which they were asked for: no two of them mix, and
however long a file is held, no other thread is kept waiting.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class StepThread:
    """It begins with its first step, and ends once nobody holds this object any more."""

    def __init__(self) -> None:
        self._executor: ThreadPoolExecutor | None = None

    async def run(self, step: Callable[[], T]) -> T:
        """Take a whole step. Whose call is cancelled has it taken to its end, or not begun at all."""
        if self._executor is None:
            self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="gate-memory")
        return await asyncio.get_running_loop().run_in_executor(self._executor, step)
