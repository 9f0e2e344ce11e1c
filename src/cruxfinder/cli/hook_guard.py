"""Runs the hook so that nothing that breaks lets a call through: agents wave on whatever does not end with code 2.

The call is judged in a child process. Its parent waits, for so many seconds, and has the last word: a child that hangs,
dies, raises or cannot import what it needs, an output that cannot be written, a signal, all block the call.
"""

import os
import select
import signal
import sys
import time
from collections.abc import Sequence
from types import FrameType
from typing import Final, NoReturn

BLOCKED: Final = 2  # the exit code that agents take for a no
DEADLINE_S: Final = 10.0
MODEL_DEADLINE_S: Final = 50.0
DEADLINE_S_MAX: Final = 600.0
CHUNK: Final = 1 << 16
ANSWER_MAX: Final = 1 << 20  # bytes
REASON_MAX: Final = 2_000  # characters
JUDGED: Final = b"judged\n"  # what a child that came to its end says first: one that just stops has said nothing
STDIN, STDOUT, STDERR = 0, 1, 2
DEADLY: Final = ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGXCPU")


def main(args: Sequence[str]) -> NoReturn:
    """It runs before every call of a tool: the parent brings in nothing but this file."""
    try:
        until = time.monotonic() + deadline_of(args)
        run(args, until)
    except BaseException as fault:
        block(f"{type(fault).__name__}: {fault}")
    os._exit(0)


def run(args: Sequence[str], until: float) -> None:
    if is_for_people(args) or not hasattr(os, "fork"):
        return write(judge(args).encode(errors="replace"))
    children: list[int] = []
    block_on_signals(children)
    source, sink = os.pipe()
    signal.pthread_sigmask(signal.SIG_BLOCK, deadly_signals())  # until it is known whom to end with us
    child = os.fork()
    if child == 0:
        os.close(source)
        judge_in_child(args, sink)
    children.append(child)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, deadly_signals())
    os.close(sink)
    answer = read_until(source, until)
    if answer is None:
        os.kill(child, signal.SIGKILL)
        block("it took too long to be judged")
    _, status = os.waitpid(child, 0)
    if status != 0 or not answer.startswith(JUDGED):
        block(answer.decode(errors="replace") or "the process that judged it ended before it had")
    write(answer.removeprefix(JUDGED))


def is_for_people(args: Sequence[str]) -> bool:
    return not {"-h", "--help", "--settings"}.isdisjoint(args)


def judge(args: Sequence[str]) -> str:
    from cruxfinder.cli.gate_hook import respond  # noqa: PLC0415 - what fails to import blocks the call, in the child

    return respond(args)


def judge_in_child(args: Sequence[str], sink: int) -> NoReturn:
    """Answer into the pipe and end with 0, or say there what went wrong and end with another code."""
    code = 1
    try:
        for number in deadly_signals():
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, deadly_signals())
        with os.fdopen(sink, "wb") as pipe:
            try:
                told = JUDGED + judge(args).encode(errors="replace")
                code = 0
            except BaseException as fault:
                told = reason_of(fault).encode(errors="replace")
            pipe.write(told)
            pipe.flush()
    except BaseException:
        code = 1
    finally:
        os._exit(code)


def reason_of(fault: BaseException) -> str:
    text = f"{fault}" or type(fault).__name__
    try:
        from cruxfinder.gate.secrets.redaction import redact  # noqa: PLC0415 - only where something went wrong

        return redact(text[: 4 * REASON_MAX])
    except BaseException:
        return type(fault).__name__


def read_until(source: int, until: float) -> bytes | None:
    """All that comes out of a pipe; None where it does not end in time or is too much."""
    parts: list[bytes] = []
    size = 0
    while size <= ANSWER_MAX:
        left = until - time.monotonic()
        if left <= 0 or not select.select([source], [], [], left)[0]:
            return None
        part = os.read(source, CHUNK)
        if not part:
            return b"".join(parts)
        parts.append(part)
        size += len(part)
    return None


def block_on_signals(children: list[int]) -> None:
    """A signal that would end this process blocks the call, and ends who judges it."""

    def handle(number: int, _: FrameType | None) -> None:
        try:
            for child in children:
                os.kill(child, signal.SIGKILL)
        finally:
            block(f"it was ended by {signal.Signals(number).name}")

    for number in deadly_signals():
        signal.signal(number, handle)


def deadly_signals() -> list[signal.Signals]:
    """Those of them that this system has."""
    return [signal.Signals[name] for name in DEADLY if hasattr(signal, name)]


def write(answer: bytes) -> None:
    """Say it on the output, all of it; what cannot be said blocks."""
    data = answer + b"\n" if answer else b""
    while data:
        data = data[os.write(STDOUT, data) :]


def block(reason: str) -> NoReturn:
    told = " ".join(reason.split())[:REASON_MAX]
    try:
        os.write(STDERR, f"The gate blocks this call, because it could not judge it: {told}\n".encode(errors="replace"))
    finally:
        os._exit(BLOCKED)


def deadline_of(args: Sequence[str]) -> float:
    """Read without the parser of flags, which is not to be waited for. What is no number is told by the parser."""
    with_model = any(word == "--model" or word.startswith("--model=") for word in args)
    usual = MODEL_DEADLINE_S if with_model else DEADLINE_S
    named = [word.partition("=")[2] for word in args if word.startswith("--deadline=")]
    named += [args[place + 1] for place, word in enumerate(args[:-1]) if word == "--deadline"]
    try:
        found = float(named[-1]) if named else usual
    except ValueError:
        return usual
    return min(found, DEADLINE_S_MAX) if found > 0 else usual


if __name__ == "__main__":
    main(sys.argv[1:])
