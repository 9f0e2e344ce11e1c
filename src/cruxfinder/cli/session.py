"""Runs a debate beside its view; Ctrl-C keeps what there is and says how to go on."""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Protocol

import typer

from cruxfinder.app import Finished
from cruxfinder.cli import exits
from cruxfinder.cli.place import suffix
from cruxfinder.engine.runner import Listener
from cruxfinder.errors import NoSuchRun
from cruxfinder.model.events import Event
from cruxfinder.ports import Store


class View(Protocol):
    """How a debate is shown."""

    def hear(self, event: Event) -> None: ...

    async def show(self) -> None:
        """Runs beside the debate and is cancelled when it ends."""
        ...

    def end(self, finished: Finished) -> None: ...


def conduct(work: Callable[[Listener], Coroutine[Any, Any, Finished]], view: View, store: Store, run: str) -> Finished:
    """Run to the end and show it. Raise Interrupted if the user has had enough."""
    with ended_in_order():
        try:
            return asyncio.run(beside(work(view.hear), view))
        except KeyboardInterrupt:
            raise Interrupted(begun(store, run)) from None


class Interrupted(Exception):
    """Ctrl-C, after everything known so far was handed to the store."""

    def __init__(self, resumable: bool) -> None:
        super().__init__()
        self.resumable = resumable


@contextmanager
def told_how_to_resume(ctx: typer.Context, run: str) -> Generator[None]:
    try:
        yield
    except Interrupted as interrupted:
        how = f"resume with: crux resume {run}{suffix(ctx)}" if interrupted.resumable else "nothing was begun"
        print(f"crux: stopped; {how}", file=sys.stderr)
        raise typer.Exit(exits.INTERRUPTED) from None


async def beside(work: Awaitable[Finished], view: View) -> Finished:
    showing = asyncio.create_task(view.show())
    try:
        return await work
    finally:
        showing.cancel()
        with suppress(asyncio.CancelledError):
            await showing


def begun(store: Store, run: str) -> bool:
    with suppress(NoSuchRun):
        return store.row(run).entries > 0
    return False


@contextmanager
def ended_in_order() -> Generator[None]:
    """Let a polite kill unwind as Ctrl-C does, so that the log is written and the terminal restored."""

    def end(_number: int, _frame: FrameType | None) -> None:
        sys.exit(exits.TERMINATED)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
