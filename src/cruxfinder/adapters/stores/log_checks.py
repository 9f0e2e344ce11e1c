"""Where runs are kept: in memory or in one SQLite file, with the same behaviour; here is what they share."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final

from cruxfinder.errors import StaleWriter
from cruxfinder.ports import Entry

Now = Callable[[], str]

RUN_ID: Final = re.compile(r"[a-z0-9-]+")
SHA: Final = re.compile(r"[0-9a-f]{64}")


def wall_clock() -> str:
    """The time in UTC, to the second: finer would only write the run's row more often."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def check_sequence(run: str, last: int, entries: Sequence[Entry]) -> None:
    """Raise StaleWriter unless the entries go on where the log ends, without a gap."""
    for expected, entry in enumerate(entries, start=last + 1):
        if entry.seq < expected:
            raise StaleWriter(f"run {run} was written by somebody else: entry {entry.seq} is already taken")
        if entry.seq > expected:
            raise StaleWriter(f"run {run} lacks entry {expected}, so entry {entry.seq} cannot be added")
