"""The routes of the gate: its report, its debates, and the log of a day."""

import os
import re
from datetime import date
from pathlib import Path as File
from typing import Annotated, Any, Final, cast

from fastapi import APIRouter, Path

from cruxfinder.errors import UnsafeFile
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.kernel import wire
from cruxfinder.kernel.private_files import open_private, read_tail
from cruxfinder.server.bodies import JsonRoute
from cruxfinder.server.problems import Problem, responses
from cruxfinder.server.response_shapes import DayShape, GateShape
from cruxfinder.server.server_state import Now, run_in_thread
from cruxfinder.telling.gate_words import brief_of_gate

router = APIRouter(route_class=JsonRoute, tags=["gate"])

DEBATES_MAX: Final = 200
DAYS_MAX: Final = 400
TEXT_MAX: Final = 1_000_000  # bytes of a day, its last
DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
Day = Annotated[str, Path(pattern=f"^{DAY.pattern}$", min_length=10, max_length=10)]


@router.get("/gate", responses=responses(503))
async def gate(now: Now) -> GateShape:
    """Whether the gate helps, its debates, newest first, and the days it has a log of."""
    return await run_in_thread(gate_summary, now.setup.gate)


def gate_summary(gate: Gate) -> GateShape:
    metrics, report = gate.memory.metrics()[-DEBATES_MAX:], gate.report()
    return GateShape(
        report=cast("dict[str, Any]", wire.camel(report)),
        brief=cast("dict[str, Any]", wire.camel(brief_of_gate(report))),
        debates=cast("list[dict[str, Any]]", wire.camel(metrics[::-1])),
        days=[file.stem for file in logs(gate)],
    )


def logs(gate: Gate) -> list[File]:
    """The logs of the days, newest first."""
    try:
        found = [file for file in gate.memory.folder.iterdir() if is_log(file)]
    except OSError:
        return []
    return sorted(found, key=lambda file: file.name, reverse=True)[:DAYS_MAX]


def is_log(file: File) -> bool:
    return file.suffix == ".md" and DAY.fullmatch(file.stem) is not None and file.is_file() and not file.is_symlink()


@router.get("/gate/days/{day}", responses=responses(404, 422, 503))
async def day(now: Now, day: Day) -> DayShape:
    """The log of one day."""
    return DayShape(day=day, text=await run_in_thread(text, now.setup.gate, day))


def text(gate: Gate, day: str) -> str:
    """The name is looked for among the logs there are, and is never part of a path."""
    try:
        date.fromisoformat(day)
        found = next(file for file in logs(gate) if file.stem == day)
        descriptor = open_private(found)
    except (ValueError, StopIteration, OSError, UnsafeFile):
        raise Problem(404, "there is no log of that day") from None
    try:
        return read_tail(descriptor, TEXT_MAX)[0].decode(errors="replace")
    finally:
        os.close(descriptor)
