"""Finders that are not ours: a program that reads and writes lines of JSON, or a function."""

import asyncio
import os
import re
import shlex
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from typing import Final, Protocol, Self

from cruxfinder.cruxbench.dispute_records import DisputeRecord, NoAnswer, read_answer, record_line
from cruxfinder.cruxbench.finder_answers import FinderAnswer
from cruxfinder.errors import BadInput

SECONDS: Final = 60.0
SECONDS_MAX: Final = 3600.0
BYTES_MAX: Final = 100_000  # of an answer
GRACE_S: Final = 2.0  # to end by itself once nothing more is asked
STRAY_S: Final = 0.001  # to look for lines too many
FINDERS_MAX: Final = 20
NAME_MAX: Final = 60
NAMED: Final = re.compile(r"([A-Za-z0-9][\w .+-]{0,59})=(.+)", re.DOTALL)

Finder = Callable[[DisputeRecord], "Mapping[str, object] | FinderAnswer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideFinder:
    """A finder by the name of its row; a program, or a function."""

    name: str
    command: tuple[str, ...] = ()
    function: Finder | None = None

    @property
    def source(self) -> str:
        """What tells one finder of a name from another, as far as that can be told."""
        if self.function is None:
            return shlex.join(self.command)
        return f"{self.function.__module__}.{getattr(self.function, '__qualname__', type(self.function).__name__)}"


def read_command(given: str) -> OutsideFinder:
    """`my-finder`, or `NAME=my-finder`, with its arguments. Without a name it goes by the program's."""
    named = NAMED.fullmatch(given.strip())
    name, line = named.groups() if named else ("", given)
    try:
        command = tuple(shlex.split(line))
    except ValueError as fault:
        raise BadInput(f"the command of a finder cannot be read: {line!r}: {fault}") from None
    if not command:
        raise BadInput("--finder needs a command, such as 'python3 my_finder.py'")
    return OutsideFinder(name=(name or re.split(r"[/\\]", command[0])[-1]).strip()[:NAME_MAX], command=command)


def check_finders(finders: tuple[OutsideFinder, ...], seconds: float, taken: tuple[str, ...]) -> None:
    if not 0 < seconds <= SECONDS_MAX:
        raise BadInput(f"a finder has more than 0 and up to {SECONDS_MAX:g} seconds for an answer, not {seconds:g}")
    if len(finders) > FINDERS_MAX:
        raise BadInput(f"at most {FINDERS_MAX} finders are scored at once, not {len(finders)}")
    seen = set(taken)
    for finder in finders:
        if not finder.name.strip() or len(finder.name) > NAME_MAX:
            raise BadInput(f"the name of a finder has 1 to {NAME_MAX} characters")
        if finder.name in seen:
            raise BadInput(f"there is a finder called {finder.name!r} already; name this one: NAME={finder.source}")
        seen.add(finder.name)


class OpenFinder(Protocol):
    """A finder that can be asked."""

    def ask(self, record: DisputeRecord) -> FinderAnswer:
        """Raise NoAnswer where it gives none."""
        ...

    def close(self) -> None: ...


class CalledFinder:
    """A function that is called with each record."""

    def __init__(self, function: Finder) -> None:
        self._function = function
        self._one_at_a_time = Lock()

    def ask(self, record: DisputeRecord) -> FinderAnswer:
        try:
            with self._one_at_a_time:
                given = self._function(record)
        except Exception as fault:  # somebody else's code: whatever it raises is no answer
            raise NoAnswer(f"it raised {type(fault).__name__}: {str(fault)[:200]}") from fault
        return read_answer(given, record)

    def close(self) -> None:
        pass


class FinderProcess:
    """A program that is started once and asked many times; after a fault it is started anew.

    What it writes on its error stream goes to ours.
    """

    def __init__(self, command: tuple[str, ...], seconds: float) -> None:
        self._command = command
        self._seconds = seconds
        self._runner = asyncio.Runner()
        self._process: Process | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        self._runner.run(self._start())

    def ask(self, record: DisputeRecord) -> FinderAnswer:
        try:
            return read_answer(self._runner.run(self._exchange(record_line(record))), record)
        except NoAnswer:
            self._runner.run(self._kill())  # what it would still say belongs to a record that is over
            raise

    def close(self) -> None:
        self._runner.run(self._end())
        self._runner.close()

    async def _start(self) -> Process:
        if self._process is None:
            try:
                self._process = await asyncio.create_subprocess_exec(
                    *self._command, stdin=PIPE, stdout=PIPE, limit=BYTES_MAX, start_new_session=True
                )
            except (OSError, ValueError) as fault:
                why = getattr(fault, "strerror", None) or str(fault)
                raise BadInput(f"the finder {shlex.join(self._command)!r} cannot be started: {why}") from None
        return self._process

    async def _exchange(self, line: str) -> str:
        process = await self._start()
        try:
            async with asyncio.timeout(self._seconds):
                return await exchange_lines(process, line)
        except TimeoutError:
            raise NoAnswer(f"it gave no answer within {self._seconds:g} seconds") from None

    async def _end(self) -> None:
        """Nothing more is asked; whoever does not see that is ended."""
        process = self._process
        if process is not None and process.stdin is not None:
            process.stdin.close()
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE_S):
                    await process.wait()
        await self._kill()

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError, PermissionError):  # it may have ended by now
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)  # with whatever it started: it leads a group of its own
            else:
                process.kill()
        await process.wait()


async def exchange_lines(process: Process, line: str) -> str:
    assert process.stdin is not None and process.stdout is not None, "both were asked for as pipes"
    if await has_more(process.stdout):
        raise NoAnswer("it wrote something before it was asked: one line for a record, and no more")
    try:
        process.stdin.write(f"{line}\n".encode())
        await process.stdin.drain()
    except (BrokenPipeError, ConnectionResetError):
        pass  # it ended; what it wrote before may be read yet
    try:
        answer = await process.stdout.readuntil(b"\n")
    except asyncio.LimitOverrunError:
        raise NoAnswer(f"its answer is longer than {BYTES_MAX:,} bytes") from None
    except asyncio.IncompleteReadError as fault:
        if fault.partial.strip():
            raise NoAnswer("its answer is cut off: it ended without a newline") from None
        raise NoAnswer(f"it ended with code {await process.wait()} and gave no answer") from None
    return answer.decode(errors="replace")


async def has_more(stream: asyncio.StreamReader) -> bool:
    """Was something written that nobody asked for? Read now, it would be taken for the next answer."""
    with suppress(TimeoutError):
        async with asyncio.timeout(STRAY_S):
            return bool(await stream.read(1))
    return False


def open_finder(finder: OutsideFinder, seconds: float) -> OpenFinder:
    """Raise BadInput if it is a program that cannot be started."""
    if finder.function is not None:
        return CalledFinder(finder.function)
    process = FinderProcess(finder.command, seconds)
    try:
        process.start()
    except BadInput:
        process.close()
        raise
    return process
