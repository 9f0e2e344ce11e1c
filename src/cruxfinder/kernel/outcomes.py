"""How a falsifier came out, as somebody recorded it after the debate: a fact kept beside the log."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class FalsifierOutcome(StrEnum):
    MET = "met"
    UNMET = "unmet"
    VOID = "void"  # it can no longer be told, or it was no test of the question


class Mark(NamedTuple):
    """Which falsifier of a run; written t1.kofi.1."""

    thread: str
    agent: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FalsifierResolution:
    run: str
    mark: Mark
    outcome: FalsifierOutcome
    day: str  # when it was settled
    note: str = ""
