"""The golden logs on disk: events as JSON lines."""

from functools import cache
from pathlib import Path

from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.protocols.registry import read_event

FOLDER = Path(__file__).parent


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.jsonl"


@cache
def stored(name: str) -> tuple[str, ...]:
    return tuple(path_of(name).read_text("utf-8").splitlines())


@cache
def events_of(name: str) -> tuple[AnyEvent, ...]:
    return tuple(read_event(line) for line in stored(name))


def all_stored() -> list[str]:
    """Every log by name; those of an earlier kernel are in a folder of their own, as in "kernel-1/plain"."""
    return sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.jsonl"))
