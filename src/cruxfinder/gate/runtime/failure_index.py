"""Where the failures of open tasks lie in a long file (DIA-6), so that reading its tail forgets none of them.

A cache: it is made from the file, from where it last ended, and a file that was cut or replaced is indexed anew.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, cast

from cruxfinder.kernel.private_files import read_object, write_atomically

TASKS_MAX: Final = 2_000  # open tasks; those that failed once go first, the oldest of them before the others
PLACES_MAX: Final = 8  # failures of a task
LINE_MAX: Final = 64 << 10
CHUNK: Final = 1 << 20
INDEXED_MAX: Final = 64 << 20  # bytes that are indexed at a time; of more, the last


class FailureIndex:
    def __init__(self, path: Path, *, every: int) -> None:
        self._path = path
        self._every = every  # bytes of new lines that are worth the writing

    def catch_up(self, descriptor: int) -> None:
        """Take new lines in; called by the writer that holds the file."""
        size = os.fstat(descriptor).st_size
        if size < self._every:
            return
        end, tasks = self._load(size)
        if size - end < self._every:
            return
        for place, line in lines_from(descriptor, max(end, size - INDEXED_MAX), size):
            note_line(tasks, place, line)
        for id in sorted(tasks, key=lambda id: len(tasks[id]) > 1)[: max(0, len(tasks) - TASKS_MAX)]:
            del tasks[id]
        write_atomically(self._path, json.dumps({"end": size, "tasks": tasks}).encode())

    def lines_before(self, descriptor: int, start: int) -> bytes:
        """The lines of open tasks before a place, in their order."""
        _, tasks = self._load(os.fstat(descriptor).st_size)
        places = sorted(place for held in tasks.values() for place in held if place < start)
        return b"".join(line_at(descriptor, place) for place in places)

    def _load(self, size: int) -> tuple[int, dict[str, list[int]]]:
        value = read_object(self._path) or {}
        end, tasks = value.get("end"), value.get("tasks")
        if not isinstance(end, int) or not 0 <= end <= size or not isinstance(tasks, dict):
            return 0, {}
        found = cast("dict[str, object]", tasks)
        return end, {id: places for id, held in found.items() if (places := places_of(held, end))}


def places_of(value: object, end: int) -> list[int]:
    listed = cast("list[object]", value) if isinstance(value, list) else []
    return [place for place in listed if isinstance(place, int) and 0 <= place < end][-PLACES_MAX:]


def note_line(tasks: dict[str, list[int]], place: int, line: bytes) -> None:
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError):
        return
    if not isinstance(value, dict):
        return
    entry = cast("dict[str, Any]", value)
    id = entry.get("task_id")
    if not isinstance(id, str):
        return
    places = tasks.pop(id, [])
    if "reset" not in entry:
        tasks[id] = [*places, place][-PLACES_MAX:]  # at the end: it failed last


def lines_from(descriptor: int, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Whole lines and where they begin. The first may be a part, which is no JSON; a very long one is left out."""
    place, held = start, b""
    while place < end:
        chunk = os.pread(descriptor, min(CHUNK, end - place), place)
        if not chunk:
            return
        begins = place - len(held)
        place += len(chunk)
        *lines, held = (held + chunk).split(b"\n")
        for line in lines:
            yield begins, line
            begins += len(line) + 1
        if len(held) > LINE_MAX:
            held = b""


def line_at(descriptor: int, place: int) -> bytes:
    line, newline, _ = os.pread(descriptor, LINE_MAX, place).partition(b"\n")
    return line + newline
