"""The gate's memory on disk (DIA-6, DIA-7): files that are only appended to, by any number of writers at once.

A line is written whole, under a lock on its file, and is on the disk before the call returns. A writer that was killed
in the middle of a line leaves a torn one: the next writer ends it, and readers step over it and count it. Of a long
file the tail is read; an index finds the failures of open tasks before it. Nothing here lets an action pass: whoever
can write in the folder can write these lines.
"""

import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, cast

from cruxfinder.errors import BadInput, StoreFault, UnsafeFile
from cruxfinder.gate.failures import Failure, Remembered, Reset, ResetReason, failure_streak
from cruxfinder.gate.forms import GateResolution
from cruxfinder.gate.records import Feedback, Metric, Outcome
from cruxfinder.gate.runtime.failure_index import FailureIndex
from cruxfinder.gate.runtime.step_thread import StepThread
from cruxfinder.kernel.private_files import lock_file, make_folder, open_private, read_tail
from cruxfinder.language.numerals import parse_number, parse_whole_number

FAILURES: Final = "failures.jsonl"
METRICS: Final = "debate-metrics.jsonl"
TAIL_MAX: Final = 4 << 20  # bytes that are read of a file
SEED: Final = frozenset("debate_id type task resolution outcome helped".split())  # written even where empty
ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


@dataclass(frozen=True, slots=True)
class ParsedLines:
    """The lines of a file that could be read, how many could not, and how many bytes before them were left out."""

    lines: tuple[dict[str, Any], ...]
    torn: int
    left_out: int = 0


class Memory:
    """`thread` is where asynchronous code calls the rest: everything here waits for files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.thread = StepThread()
        self._index = FailureIndex(folder / f"{FAILURES}.index", every=TAIL_MAX // 2)

    # ---- failures

    def failures(self) -> tuple[Remembered, ...]:
        """Those of the file's tail, after those of tasks that were open before it."""
        with self._reading(FAILURES) as descriptor:
            return () if descriptor is None else self._read_failures(descriptor)

    def _read_failures(self, descriptor: int) -> tuple[Remembered, ...]:
        data, start = read_tail(descriptor, TAIL_MAX)
        older = self._index.lines_before(descriptor, start) if start else b""
        return parse_entries(lines_of(older + data))

    def torn_line_count(self) -> int:
        """Lines that a writer did not live to finish, among those that are read."""
        return sum(self._read(name).torn for name in (FAILURES, METRICS))

    def bytes_left_out(self) -> int:
        """Bytes of older debates that are not read any more."""
        return self._read(METRICS).left_out

    def add_failure(
        self, *, task_id: str, task: str, error: str, approach: str, now: datetime
    ) -> tuple[tuple[Remembered, ...], Failure]:
        """Write a failed attempt down; what was remembered before it, and the attempt.

        Both are read and numbered under the lock, so that no two writers share a number or decide on each other's.
        """
        at_ms = int(now.timestamp() * 1000)
        with self._open(FAILURES) as file:
            past = self._read_failures(file.descriptor)
            made = Failure(
                task_id=task_id,
                attempt=failure_streak(past, task_id, at_ms).count + 1,
                at_ms=at_ms,
                error=error,
                approach=approach,
                task=task,
            )
            file.add(
                {
                    "task_id": task_id,
                    "attempt": made.attempt,
                    "ts": stamp(now),
                    "error": error,
                    "approach": approach,
                    "task": task,
                }
            )
            self._index.catch_up(file.descriptor)
        return past, made

    def reset(self, task_id: str, because: ResetReason, told: str, now: datetime) -> None:
        with self._open(FAILURES) as file:
            file.add({"task_id": task_id, "ts": stamp(now), "reset": because.value, "told": told})
            self._index.catch_up(file.descriptor)

    # ---- debates

    def log(self, text: str, now: datetime) -> Path:
        """Add to the log of the day."""
        name = f"{now.astimezone():%Y-%m-%d}.md"
        with self._open(name) as file:
            file.write(f"{text}\n")
        return self.folder / name

    def add_metric(self, metric: Metric) -> None:
        with self._open(METRICS) as file:
            file.add({name: value for name, value in asdict(metric).items() if name in SEED or value})

    def add_feedback(self, feedback: Feedback) -> None:
        with self._open(METRICS) as file:
            file.add(asdict(feedback))

    def metrics(self) -> tuple[Metric, ...]:
        """Every debate once, with what was said of its outcome last."""
        found: dict[str, Metric] = {}
        for line in self._read(METRICS).lines:
            id = line.get("debate_id")
            if isinstance(id, str) and id in found:
                found[id] = replace(found[id], outcome=outcome_of(line), helped=line.get("helped") is True)
            elif (metric := metric_of(line)) is not None:
                found[metric.debate_id] = metric
        return tuple(found.values())

    # ---- files

    def _read(self, name: str) -> ParsedLines:
        with self._reading(name) as descriptor:
            if descriptor is None:
                return ParsedLines((), 0)
            data, start = read_tail(descriptor, TAIL_MAX)
        return replace(lines_of(data), left_out=start)

    @contextmanager
    def _reading(self, name: str) -> Generator[int | None]:
        """A file to be read; None where there is none."""
        path = self.folder / name
        descriptor = None
        try:
            descriptor = open_private(path)
            yield descriptor
        except FileNotFoundError:
            yield None
        except OSError as error:
            raise StoreFault(f"{path} cannot be read: {error.strerror}") from None
        finally:
            if descriptor is not None:
                os.close(descriptor)

    @contextmanager
    def _open(self, name: str) -> "Generator[AppendOnlyFile]":
        path = self.folder / name
        try:
            make_folder(self.folder)
            descriptor = open_private(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
        except UnsafeFile as error:
            raise BadInput(f"the gate cannot remember in {self.folder}: {error}") from None
        except OSError as error:
            raise BadInput(f"the gate cannot remember in {self.folder}: {error.strerror}") from None
        try:
            lock_file(descriptor, path)
            yield AppendOnlyFile(descriptor)
        except OSError as error:
            raise StoreFault(f"{path} cannot be written: {error.strerror}") from None
        finally:
            os.close(descriptor)


class AppendOnlyFile:
    """A file that is held by one writer."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def add(self, line: dict[str, Any]) -> None:
        self.write(f"{ENCODER.encode(line)}\n")

    def write(self, text: str) -> None:
        size = os.fstat(self.descriptor).st_size
        torn = size > 0 and os.pread(self.descriptor, 1, size - 1) != b"\n"
        data = (b"\n" if torn else b"") + text.encode(errors="replace")
        while data:
            data = data[os.write(self.descriptor, data) :]
        os.fsync(self.descriptor)


def lines_of(data: bytes) -> ParsedLines:
    found: list[dict[str, Any]] = []
    torn = 0
    for line in data.split(b"\n"):
        if not line.strip():
            continue
        try:
            value = json.loads(line)  # of a line with one number that is none the rest still counts
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            found.append(cast("dict[str, Any]", value))
        else:
            torn += 1
    return ParsedLines(tuple(found), torn)


def parse_entries(read: ParsedLines) -> tuple[Remembered, ...]:
    return tuple(entry for line in read.lines if (entry := entry_of(line)) is not None)


def entry_of(line: dict[str, Any]) -> Remembered | None:
    """A line of failures.jsonl; one that others wrote may lack what the gate adds."""
    task_id, at_ms = line.get("task_id"), milliseconds(line.get("ts"))
    if not isinstance(task_id, str) or at_ms is None:
        return None
    if "reset" in line:
        because = next((b for b in ResetReason if b.value == line["reset"]), ResetReason.USER)
        return Reset(task_id=task_id, at_ms=at_ms, because=because, told=str(line.get("told", "")))
    error, approach, attempt = line.get("error"), line.get("approach", ""), parse_whole_number(line.get("attempt", 0))
    if not isinstance(error, str) or not isinstance(approach, str) or attempt is None:
        return None
    return Failure(
        task_id=task_id,
        attempt=attempt,
        at_ms=at_ms,
        error=error,
        approach=approach,
        task=str(line.get("task", "")),
    )


def metric_of(line: dict[str, Any]) -> Metric | None:
    """A line of debate-metrics.jsonl; only what the seed's layout has must be there."""
    id, type, resolution = line.get("debate_id"), line.get("type"), line.get("resolution")
    if not isinstance(id, str) or type not in ("planning", "failure"):
        return None
    if not isinstance(resolution, str) or resolution not in set(GateResolution):
        return None
    texts = {name: str(line.get(name, "")) for name in ("task", "ts", "task_id", "stakes", "by")}
    rules = line.get("rules")
    return Metric(
        debate_id=id,
        type=type,
        resolution=GateResolution(resolution),
        outcome=outcome_of(line),
        helped=None if line.get("helped") is None else line["helped"] is True,
        rules=tuple(str(rule) for rule in cast("list[object]", rules)) if isinstance(rules, list) else (),
        automatic=line.get("automatic") is True,
        disabled=line.get("disabled") is True,
        calls=parse_whole_number(line.get("calls")) or 0,
        tokens=parse_whole_number(line.get("tokens")) or 0,
        dollars=parse_number(line.get("dollars")) or 0.0,
        **texts,
    )


def outcome_of(line: dict[str, Any]) -> Outcome | None:
    found = line.get("outcome")
    return found if found in ("success", "failure") else None


def stamp(now: datetime) -> str:
    return f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def milliseconds(text: object) -> int | None:
    try:
        found = datetime.fromisoformat(text) if isinstance(text, str) else None
        return None if found is None else int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None
