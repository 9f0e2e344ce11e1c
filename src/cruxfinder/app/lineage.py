"""Where a run comes from: the runs it was forked from, what was changed at each fork, and the answers that hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cruxfinder.app.fork_changes import RunInputs, apply
from cruxfinder.app.stored_runs import load_log
from cruxfinder.errors import LogFault
from cruxfinder.kernel.journal import ForkedFrom, Log, RecordedAnswer, RecordedReading
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.vocabulary import USER
from cruxfinder.ports import RunLogs

FORKS_MAX: Final = 100  # generations


@dataclass(frozen=True, slots=True)
class Lineage:
    """Where a run comes from: the log it all began with, the turns taken since, and what it shares with its parent."""

    root: Log
    turns: tuple[ForkedFrom, ...]
    shared: tuple[str, ...]
    readings: tuple[RecordedReading, ...]  # that it shares, too
    answers: tuple[dict[str, RecordedAnswer], ...]  # those that hold until the first turn, until the second, …


def lineage_of(log: Log, logs: RunLogs) -> Lineage:
    """Ancestors' turns count as far as they come before one's own."""
    turns: list[ForkedFrom] = []
    answers: list[dict[str, RecordedAnswer]] = []
    shared: tuple[str, ...] = ()
    readings: tuple[RecordedReading, ...] = ()
    here = log
    visited: set[str] = set()  # fewer turns than generations count, so those do not end a ring
    while here.fork is not None:
        if here.fork.parent in visited:
            raise LogFault(f"run {here.fork.parent} is a fork of itself: no Cruxfinder wrote that")
        if len(visited) >= FORKS_MAX:
            raise LogFault(f"the log is a fork of more than {FORKS_MAX} generations")
        visited.add(here.fork.parent)
        parent = load_log(here.fork.parent, logs)
        if here is log:
            shared = parent.events[: here.fork.at]
            readings = tuple(r for r in parent.readings if r.events < here.fork.at)
        if not turns or here.fork.at < turns[0].at:
            turns.insert(0, here.fork)
            answers.insert(0, {})
        answers[0] = {**parent.answers, **answers[0]}
        here = parent
    return Lineage(here, tuple(turns), shared, readings, tuple(answers))


def agents_with_answers(log: Log, past: Lineage, pack: Pack) -> frozenset[str]:
    """Whose answers the log holds; people are asked for theirs again by whoever goes on with the run."""
    given = frozenset(key.rpartition("#")[0] for known in (log.answers, *past.answers) for key in known)
    return given - {USER, *(p.id for p in pack.personas if p.is_person)}


def apply_forks(turns: Sequence[ForkedFrom], changed: RunInputs) -> RunInputs:
    for step in turns:
        changed = apply(step.changes, changed.pack, changed.settings)
    return changed
