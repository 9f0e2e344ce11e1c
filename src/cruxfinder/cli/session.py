"""Runs a debate beside its view; Ctrl-C keeps what there is and says how to go on."""

import asyncio
import shlex
import shutil
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import contextmanager, suppress
from typing import Any, Protocol, TypeVar, cast

import typer

from cruxfinder.cli import exits
from cruxfinder.cli.store_choice import suffix
from cruxfinder.errors import InputEnded, NoSuchRun
from cruxfinder.kernel.runner import Listener
from cruxfinder.ports import RunLogs
from cruxfinder.protocols.any_run import AnyEvent, Finished

T = TypeVar("T")


class View(Protocol):
    """How a debate is shown."""

    def hear(self, event: AnyEvent) -> None: ...

    async def show(self) -> None:
        """Runs beside the debate and is cancelled when it ends."""
        ...

    def end(self, finished: Finished) -> None: ...


def conduct(work: Callable[[Listener], Coroutine[Any, Any, Finished]], view: View, logs: RunLogs, run: str) -> Finished:
    """Run to the end and show it. Raise Interrupted if the user has had enough."""
    try:
        return asyncio.run(run_beside_view(work(view.hear), view))
    except KeyboardInterrupt:
        raise Interrupted(has_begun(logs, run), exits.INTERRUPTED) from None
    except asyncio.CancelledError:
        raise Interrupted(has_begun(logs, run), exits.TERMINATED) from None
    except InputEnded as ended:
        raise Interrupted(has_begun(logs, run), exits.BAD_INPUT, why=str(ended)) from None


class Interrupted(Exception):
    """Ctrl-C, Ctrl-D or SIGTERM, after everything known so far was handed to the store."""

    def __init__(self, resumable: bool, code: int, why: str = "stopped") -> None:
        super().__init__()
        self.resumable = resumable
        self.code = code
        self.why = why


def run_without_view(work: Coroutine[Any, Any, T]) -> T:
    """Work without a view: Ctrl-C or a polite kill end it."""

    async def cancellable() -> T:
        cancel_when_terminated()
        return await work

    try:
        return asyncio.run(cancellable())
    except KeyboardInterrupt:
        raise typer.Exit(exits.INTERRUPTED) from None
    except asyncio.CancelledError:
        raise typer.Exit(exits.TERMINATED) from None


@contextmanager
def explain_resume(ctx: typer.Context, run: str) -> Generator[None]:
    try:
        yield
    except Interrupted as interrupted:
        how = "resume with:" if interrupted.resumable else "nothing was begun"
        command = f"crux resume {run}{named_address(ctx)}{suffix(ctx)}" if interrupted.resumable else ""
        print(append_command(f"crux: {interrupted.why}; {how}", command), file=sys.stderr)
        raise typer.Exit(interrupted.code) from None


def named_address(ctx: typer.Context) -> str:
    """An address of the command line is named again by whoever goes on: the log's word alone is not enough."""
    address = cast("str | None", ctx.params.get("base_url"))
    return f" --base-url {shlex.quote(address)}" if address else ""


def append_command(told: str, command: str) -> str:
    """A command behind what is told of it; in a terminal without room for both, on a line of its own."""
    whole = f"{told} {command}".rstrip()
    narrow = sys.stderr.isatty() and len(whole) > shutil.get_terminal_size().columns
    return f"{told}\n  {command}" if command and narrow else whole


async def run_beside_view(work: Awaitable[Finished], view: View) -> Finished:
    cancel_when_terminated()
    showing = asyncio.create_task(view.show())
    try:
        return await work
    finally:
        showing.cancel()
        with suppress(asyncio.CancelledError):
            await showing


def has_begun(logs: RunLogs, run: str) -> bool:
    with suppress(NoSuchRun):
        return logs.row(run).entries > 0
    return False


def cancel_when_terminated() -> None:
    """Let a polite kill unwind as Ctrl-C does, so that the log is written and the terminal restored."""
    task = asyncio.current_task()
    assert task is not None
    with suppress(NotImplementedError):  # Windows has no polite kill
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
