"""What every format is made from, and the table each gives: a renderer for every kind of outcome a protocol has."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from cruxfinder.crux.result import Result
from cruxfinder.kernel.protocol import OutcomeKind
from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.talk.minutes import Minutes

Outcome_co = TypeVar("Outcome_co", covariant=True)


@dataclass(frozen=True, slots=True)
class ExportedRun(Generic[Outcome_co]):
    id: str
    events: tuple[AnyEvent, ...]
    outcome: Outcome_co


RunWithResult = ExportedRun[Result]
RunWithMinutes = ExportedRun[Minutes]
Renderers = Mapping[OutcomeKind, Callable[[ExportedRun[Any]], str]]
