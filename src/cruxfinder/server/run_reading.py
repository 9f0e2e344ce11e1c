"""What the store tells of a run: how it stands, and, once it is over, what it came to. Read beside the event loop."""

from collections.abc import Sequence
from typing import Any, Final, cast

from cruxfinder.app import stored_runs
from cruxfinder.app.hosting import DebateHost, DebateState, HostedDebate
from cruxfinder.errors import CruxfinderError, LogFault, NoSuchRun
from cruxfinder.kernel import wire
from cruxfinder.kernel.journal import Log
from cruxfinder.kernel.run_facts import DebateForked, DebateStarted
from cruxfinder.ports import NOTHING, RunLogs, RunRow, Store, Usage
from cruxfinder.protocols.any_run import Finished
from cruxfinder.protocols.registry import read_event
from cruxfinder.server.feed import LAST, event_prefixes
from cruxfinder.server.problems import Problem
from cruxfinder.server.response_shapes import DebateShape, QuestionShape, UsageShape, WaitingShape
from cruxfinder.talk.events import UserAnswered, UserQuestion

NOT_OVER: Final = "the debate is not over: what it comes to, and what was answered in private, is told then"
ASKED: Final = event_prefixes(UserQuestion)
ANSWERED: Final = event_prefixes(UserAnswered)
FORKED: Final = event_prefixes(DebateForked)
KNOWN_MAX: Final = 10_000


def is_over(log: Log) -> bool:
    return bool(log.events) and log.events[-1].startswith(LAST)


def log_of(run: str, host: DebateHost) -> Log | None:
    """Nothing for a run that this server holds and that has not begun."""
    try:
        return stored_runs.load_log(run, host.store)
    except NoSuchRun:
        if host.find_debate(run) is None:
            raise
        return None


def finished_log(run: str, host: DebateHost) -> Log:
    """Raise Problem for a run that is not over."""
    log = log_of(run, host)
    if log is None or not is_over(log):
        raise Problem(409, NOT_OVER)
    return log


def finished_run(run: str, host: DebateHost) -> Finished:
    """A run that is over, with everything."""
    return stored_runs.read_finished(run, finished_log(run, host))


def open_question(log: Log) -> UserQuestion | None:
    """What a conversation waits to hear from whoever watches."""
    asked = [body for body in log.events if body.startswith(ASKED)]
    answered = sum(body.startswith(ANSWERED) for body in log.events)
    if is_over(log) or len(asked) <= answered:
        return None
    return cast("UserQuestion", read_event(asked[answered]))


def describe_debate(run: str, host: DebateHost, state: DebateState) -> DebateShape:
    held, log = host.find_debate(run), log_of(run, host)
    row = host.store.row(run) if log is not None else row_before_start(run, held)
    started = read_event(log.events[0]) if log is not None and log.events else None
    if started is not None and not isinstance(started, DebateStarted):
        raise LogFault(f"entry 1 of run {run} is {started.kind}, not debate_started")
    question = open_question(log) if log is not None else None
    return DebateShape(
        id=run,
        topic=row.topic,
        pack=row.pack,
        state=state,
        why=host.failure_reason(run) if state in ("failed", "open") else "",
        protocol=started.protocol if started is not None else None,
        seed=started.seed if started is not None else None,
        agents=cast("list[dict[str, Any]]", wire.camel(started.seats)) if started is not None else [],
        settings=settings(log, started) if log is not None and started is not None else {},
        entries=row.entries,
        created=row.created,
        updated=row.updated,
        parent=row.parent,
        usage=usage_shape(log.usage if log is not None else NOTHING),
        waiting=open_asks(held),
        question=None if question is None else QuestionShape(turn=question.turn, question=question.question),
    )


def row_before_start(run: str, held: HostedDebate | None) -> RunRow:
    topic = "" if held is None else held.topic
    return RunRow(id=run, topic=topic, pack="", state="open", entries=0, created="", updated="")


def settings(log: Log, started: DebateStarted) -> dict[str, Any]:
    """As they are now: a fork may have changed them."""
    forks = [read_event(body) for body in log.events if body.startswith(FORKED)]
    last = forks[-1] if forks else started
    assert isinstance(last, DebateForked | DebateStarted)
    return cast("dict[str, Any]", wire.camel(last.settings))


def usage_shape(usage: Usage) -> UsageShape:
    return UsageShape(calls=usage.calls, tokens_in=usage.tokens_in, tokens_out=usage.tokens_out, dollars=usage.dollars)


def open_asks(held: HostedDebate | None) -> list[WaitingShape]:
    return [
        WaitingShape(agent=one.ask.agent, number=one.ask.number, kind=one.ask.kind, seconds_left=one.seconds_left)
        for one in (held.desk.open_asks() if held is not None else ())
    ]


class ProtocolCache:
    """What never changes of a run, so that a list reads each log once."""

    def __init__(self, logs: RunLogs) -> None:
        self._logs = logs
        self._protocols: dict[str, str] = {}

    def protocols(self, runs: Sequence[str]) -> dict[str, str | None]:
        return {run: self._protocols.get(run) or self._looked_up(run) for run in runs}

    def _looked_up(self, run: str) -> str | None:
        """Nothing for a run that has not begun, or that cannot be read: the list shows it all the same."""
        try:
            first = next((e.body for e in self._logs.load(run) if e.kind == "event"), None)
            started = read_event(first) if first is not None else None
        except CruxfinderError:
            return None
        if not isinstance(started, DebateStarted):
            return None
        if len(self._protocols) >= KNOWN_MAX:
            self._protocols.clear()
        self._protocols[run] = started.protocol
        return started.protocol


def reply(run: str, store: Store, turn: str, text: str) -> None:
    """Answer the open question of a conversation. Raise Problem where it waits for no answer, or for another."""
    question = open_question(stored_runs.load_log(run, store))
    if question is None or question.turn != turn:
        raise Problem(409, f"run {run} does not wait for this answer")
    if store.reply(run, turn) is not None:
        raise Problem(409, "it has been answered")
    store.put_reply(run, turn, text)
