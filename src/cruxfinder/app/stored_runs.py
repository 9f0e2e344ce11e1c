"""A stored run, read: its log, its events, what it rests on, and what it came to."""

import re
from typing import Final

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.errors import BadInput, BrokenChain, LogFault, NoSuchRun
from cruxfinder.kernel import wire
from cruxfinder.kernel.journal import Log, log_faults, read_log
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.loop import KERNEL
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.run_facts import DebateComplete, DebateStarted, RunState
from cruxfinder.ports import RunLogs, TextStore, Usage
from cruxfinder.protocols.any_run import AnyEvent, Finished, Outcome
from cruxfinder.protocols.registry import fold, protocol_of, read_event

RUN_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
SHA: Final = re.compile(r"[0-9a-f]{64}")


def checked_run(run: str) -> str:
    if RUN_ID.fullmatch(run) is None:
        raise NoSuchRun(f"{run!r} is not a run id; `crux list` shows them")
    return run


def load_log(run: str, logs: RunLogs) -> Log:
    return read_log(logs.load(checked_run(run)))


def events_of(log: Log) -> tuple[AnyEvent, ...]:
    return tuple(read_event(body) for body in log.events)


def is_over(log: Log) -> bool:
    return bool(log.events) and isinstance(read_event(log.events[-1]), DebateComplete)


def load_run(run: str, logs: RunLogs) -> Finished:
    """A stored run, finished or not, without running anything."""
    log = load_log(run, logs)
    if not log.events:
        raise NoSuchRun(f"run {run} has no events yet")
    return read_finished(run, log)


def read_finished(run: str, log: Log) -> Finished:
    """What a log came to. Raise LogFault where its events do not follow from each other."""
    events = events_of(log)
    with log_faults(f"the events of run {run}:"):
        return Finished(run, events, outcome_of(events, fold(events), run, log.usage))


def outcome_of(events: tuple[AnyEvent, ...], state: RunState, run: str, usage: Usage) -> Outcome:
    return protocol_of(state.started).outcome(events, state, run, usage)


def opening_of(run: str, log: Log) -> DebateStarted:
    if not log.events:
        raise BadInput(f"run {run} never began: start it again")
    first = read_event(log.events[0])
    if not isinstance(first, DebateStarted):
        raise LogFault(f"entry 1 of run {run} is {first.kind}, not debate_started")
    if first.kernel != KERNEL:
        raise LogFault(
            f"run {run} was made by kernel {first.kernel}, this is kernel {KERNEL}: it can be shown, not run again"
        )
    if not first.reader:
        raise LogFault(f"run {run} holds no reading of what was said: it can be shown, not run again")
    return first


def embedder_of_run(run: str, started: DebateStarted) -> Likeness:
    """The measure a run was made with; another one could lead elsewhere."""
    found = embedder(started.settings.embedder)
    if found.name != started.embedder:
        raise LogFault(
            f"run {run} rests on the embedder {started.embedder}, here is {found.name}: it can be shown, not run again"
        )
    return found


def pack_of(started: DebateStarted, texts: TextStore) -> Pack:
    if SHA.fullmatch(started.pack_sha) is None:
        raise LogFault("the log names its pack by what is no digest")
    text = texts.text(started.pack_sha)
    if wire.digest(text) != started.pack_sha:
        raise BrokenChain(f"the pack {started.pack} of this run was altered in the store")
    return wire.pack(text)
