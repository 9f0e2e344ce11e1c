"""The golden logs on disk: events as JSON lines."""

from functools import cache
from pathlib import Path

from cruxfinder import wire
from cruxfinder.model.events import Event

FOLDER = Path(__file__).parent


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.jsonl"


@cache
def stored(name: str) -> tuple[str, ...]:
    return tuple(path_of(name).read_text("utf-8").splitlines())


@cache
def events_of(name: str) -> tuple[Event, ...]:
    return tuple(wire.event(line) for line in stored(name))


def all_stored() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.jsonl"))
