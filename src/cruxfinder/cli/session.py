"""Opens the store and runs a debate beside its view; Ctrl-C keeps what there is and says how to go on."""

import asyncio
import os
import shlex
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

import typer

from cruxfinder.app import Finished
from cruxfinder.cli import exits
from cruxfinder.engine.runner import Listener
from cruxfinder.errors import BadInput, NoSuchRun
from cruxfinder.model.events import Event
from cruxfinder.ports import Store
from cruxfinder.store.place import store_path
from cruxfinder.store.sqlite import SqliteStore


class View(Protocol):
    """How a debate is shown."""

    def hear(self, event: Event) -> None: ...

    async def show(self) -> None:
        """Runs beside the debate and is cancelled when it ends."""
        ...

    def end(self, finished: Finished) -> None: ...


def location(given: str | None) -> Path:
    """The file named by --store, else by CRUX_STORE, else in the platform's data folder."""
    if given == "":
        raise BadInput("--store needs the path of a file")
    env = {**os.environ, "CRUX_STORE": given} if given else os.environ
    try:
        home = Path.home()
    except RuntimeError:
        raise BadInput("there is no home folder to keep runs in; name a file with --store or CRUX_STORE") from None
    return store_path(env, sys.platform, home)


@contextmanager
def opened(ctx: typer.Context) -> Generator[Store]:
    store = SqliteStore(location(ctx.obj))
    try:
        yield store
    finally:
        store.close()


def suffix(ctx: typer.Context) -> str:
    """What a command that goes on with a run needs besides its id."""
    return f" --store {shlex.quote(ctx.obj)}" if ctx.obj else ""


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
