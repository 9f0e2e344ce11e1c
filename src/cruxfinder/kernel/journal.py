"""The journal of one run: nothing paid for is lost or asked twice, and a replay that differs is told so.

One append-only log holds events and readings in kernel order, paid answers as they arrive, and a stop from outside.
Each entry carries the hash of the one before.
"""

import asyncio
import json
from collections.abc import Generator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Any, Final, cast

from cruxfinder.errors import BrokenChain, Diverged, LogFault, NewerLog
from cruxfinder.kernel import wire
from cruxfinder.kernel.effects import Ask, Event
from cruxfinder.kernel.vocabulary import AgentId, Ending
from cruxfinder.ports import NOTHING, Entry, EntryKind, RunLogs, Usage

GROUP: Final = 64  # events of free debaters that may wait for one commit
START: Final = "0" * 64
COUNT_MAX: Final = 2**53 - 1  # what JSON carries exactly everywhere
# What reading a log raises whose hashes hold and whose entries no Cruxfinder wrote.
MALFORMED: Final = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
USAGE_FIELDS: Final = frozenset(field.name for field in fields(Usage))
TEXT_KEY: Final = 8  # digits of a text's digest that a reading is kept with
LOST: Final = "lost"  # in place of an ask: what is held up to here will never be answered


def chain_hash(before: str, kind: EntryKind, body: str) -> str:
    return sha256(f"{before}\n{kind}\n{body}".encode()).hexdigest()


def verify(entries: tuple[Entry, ...]) -> None:
    """Raise BrokenChain at the first entry that is not what was written."""
    head = START
    for place, entry in enumerate(entries, start=1):
        head = chain_hash(head, entry.kind, entry.body)
        if entry.seq != place or entry.hash != head:
            raise BrokenChain(f"entry {place} of the log was altered: its hash does not follow from entry {place - 1}")


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """A paid answer in the log: its entry, the digest of the ask it belongs to, and the answer itself."""

    seq: int
    ask: str
    body: str
    usage: Usage

    def answers(self, ask: Ask) -> bool:
        return self.ask == wire.digest(wire.dumps(ask))


@dataclass(frozen=True, slots=True)
class RecordedReading:
    """What was read of a text: its entry, a key to the text, the reading, and how many events came before it."""

    seq: int
    text: str
    body: str
    events: int
    reader: str  # where it was another one than the run began with


def ask_key(agent: AgentId, number: int) -> str:
    return f"{agent}#{number}"


@dataclass(frozen=True, slots=True)
class ForkedFrom:
    """The first entry of a fork: whose log it shares, how far, and what changes there."""

    parent: str
    at: int
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Log:
    """What a stored log holds, sorted by kind."""

    entries: tuple[Entry, ...]
    events: tuple[str, ...]
    answers: dict[str, RecordedAnswer]
    readings: tuple[RecordedReading, ...]  # in the order of reading
    held: dict[str, Usage]  # by ask: the most that requests under way could take
    lost: Usage  # what was taken for nothing, or before the debate began
    stop: "RecordedStop | None"
    fork: ForkedFrom | None

    @property
    def head(self) -> str:
        return self.entries[-1].hash if self.entries else START

    @property
    def usage(self) -> Usage:
        """What it all took; requests that were under way when the run broke off count at their worst."""
        taken = sum((known.usage for known in self.answers.values()), self.lost)
        return sum(self.held.values(), taken)


@dataclass(frozen=True, slots=True)
class RecordedStop:
    """Before which step of the kernel the run was stopped, and why."""

    step: int
    ending: Ending


@contextmanager
def log_faults(what: str) -> Generator[None]:
    """Turn what malformed entries lead to into LogFault. Anybody can write a log whose hashes hold."""
    try:
        yield
    except MALFORMED as error:
        raise LogFault(f"{what} no Cruxfinder wrote like this") from error


def read_log(entries: tuple[Entry, ...]) -> Log:
    verify(entries)
    answers: dict[str, RecordedAnswer] = {}
    readings: list[RecordedReading] = []
    written = 0
    held: dict[str, Usage] = {}
    lost = NOTHING
    stop: RecordedStop | None = None
    fork: ForkedFrom | None = None
    for entry in entries:
        if entry.kind == "event":
            written += 1
            continue
        with log_faults(f"entry {entry.seq} of the log:"):
            body = cast("dict[str, Any]", json.loads(entry.body))
            if entry.kind == "answer":
                answer = json.dumps(body["answer"], ensure_ascii=False)
                usage = read_usage(body.get("usage", {}))
                answers[str(body["key"])] = RecordedAnswer(entry.seq, str(body["ask"]), answer, usage)
                held.pop(str(body["key"]), None)
            elif entry.kind == "reading":
                reading = json.dumps(body["reading"], ensure_ascii=False, separators=(",", ":"))
                by = str(body.get("by", ""))
                readings.append(RecordedReading(entry.seq, str(body["text"]), reading, written, by))
            elif entry.kind == "hold":
                worst, key = read_usage(body["worst"]), str(body["key"])
                if key == LOST:
                    lost += worst
                    held.clear()
                else:
                    held[key] = held.get(key, NOTHING) + worst
            elif entry.kind == "stop":
                stop = RecordedStop(read_count(body["step"]), Ending(body.get("ending", Ending.STOPPED)))
            else:
                fork = ForkedFrom(str(body["parent"]), read_count(body["at"]), tuple(str(c) for c in body["changes"]))
    events = tuple(e.body for e in entries if e.kind == "event")
    if events:
        check_format(events[0])
    return Log(entries, events, answers, tuple(readings), held, lost, stop, fork)


def read_usage(given: object) -> Usage:
    """What an entry says was taken. Raise TypeError or ValueError for less than nothing, and for what is no number.

    Usage counts against caps: a negative one would raise them, and NaN passes none.
    """
    if not isinstance(given, dict):
        raise TypeError("usage is a mapping")
    counts = cast("dict[str, object]", given)
    if not counts.keys() <= USAGE_FIELDS:
        raise ValueError("usage has a field of another name")
    return Usage(**{name: read_count(count) for name, count in counts.items()})


def read_count(given: object) -> int:
    if type(given) is not int:
        raise TypeError("a count is a whole number")
    if not 0 <= given <= COUNT_MAX:
        raise ValueError("a count is out of range")
    return given


def check_format(first: str) -> None:
    """A log of a newer format is refused; an older one can be read."""
    with log_faults("the first event of the log:"):
        body = json.loads(first)
    found = body.get("format") if isinstance(body, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    if type(found) is not int:  # pyright: ignore[reportUnknownArgumentType]
        raise LogFault("the log does not say its format")
    if found > wire.FORMAT:
        raise NewerLog(f"the log has format {found}; this version reads up to {wire.FORMAT}")


class Journal:
    """Appends to a run's log; while the stored part lasts, or what it shares with its parent, it compares."""

    def __init__(
        self,
        store: RunLogs,
        run: str,
        log: Log,
        shared: tuple[str, ...] = (),
        shared_readings: tuple[RecordedReading, ...] = (),
    ) -> None:
        self._store = store
        self._run = run
        self._log = log
        self._shared = shared
        self._shared_readings = shared_readings
        self._seq = len(log.entries)
        self._head = log.head
        self._place = 0  # events compared or written
        self._read = 0  # readings taken from the log or written
        self._waiting: list[Entry] = []
        self._last: Future[None] | None = None
        self._held = dict(log.held)
        self._spent = sum((known.usage for known in log.answers.values()), log.lost)

    @property
    def is_replaying(self) -> bool:
        return self._place < len(self._log.events)

    @property
    def is_catching_up(self) -> bool:
        """What happens now has happened before, in this run or in the one it shares its past with."""
        return self.is_replaying or self._place < len(self._shared)

    def recorded_answer(self, agent: AgentId, number: int) -> RecordedAnswer | None:
        return self._log.answers.get(ask_key(agent, number))

    @property
    def recorded_stop(self) -> RecordedStop | None:
        return self._log.stop

    @property
    def usage(self) -> Usage:
        """What the run took so far, as its log tells it."""
        return sum(self._held.values(), self._spent)

    def write(self, events: tuple[Event, ...]) -> None:
        for event in events:
            body = wire.dumps(event)
            if self.is_replaying:
                if self._log.events[self._place] != body:
                    raise self._divergence(body, self._log.events[self._place], self._entry_of_event())
            else:
                if self._place < len(self._shared) and self._shared[self._place] != body:
                    raise self._divergence(body, self._shared[self._place], f"entry {self._place + 1} of the parent")
                self._waiting.append(self._entry("event", body))
            self._place += 1
        if len(self._waiting) >= GROUP:
            self.send()

    def _divergence(self, body: str, stored: str, where: str) -> Diverged:
        return Diverged(f"{where} differs: the log has {cut(stored)}, this kernel decides {cut(body)}")

    def _entry_of_event(self) -> str:
        return f"entry {self._next_event()} (event {self._place + 1})"

    def _next_event(self) -> int:
        """The entry of the next event to be compared; past the log's end, the one after it."""
        seqs = [e.seq for e in self._log.entries if e.kind == "event"]
        return seqs[self._place] if self.is_replaying else len(self._log.entries) + 1

    def answer(self, known: RecordedAnswer, agent: AgentId, number: int, ask: Ask) -> str:
        """The text of a recorded answer. Raise Diverged where it was given to another ask: this kernel differs."""
        if not known.answers(ask):
            first = min(known.seq, self._next_event())
            asked = f"entry {known.seq} answers another ask than ask {number} of {agent} ({ask.kind})"
            raise Diverged(f"from entry {first} on this kernel decides differently: {asked}")
        return known.body

    def recorded_reading(self, text: str) -> RecordedReading | None:
        """What was read of this text when it was its turn before; None where nothing was read yet.

        Raise Diverged where another text was read then: this kernel differs.
        """
        own, shared = self._log.readings, self._shared_readings
        known = own[self._read] if self._read < len(own) else None
        if known is None and self._read < len(shared):
            known = shared[self._read]
        if known is None:
            if self.is_replaying:
                raise Diverged(f"the log goes on at {self._entry_of_event()} without a reading of {cut(text)!r}")
            return None
        if known.text != text_key(text):
            if self.is_replaying:
                decides = f"on another text than entry {known.seq} is the reading of: {text!r}"
                raise self._divergence(decides, self._log.events[self._place], self._entry_of_event())
            raise Diverged(f"entry {known.seq} is the reading of another text than {cut(text)!r}")
        return known

    def note_reading(self, text: str, body: str, reader: str = "") -> None:
        """Keep what was read of a text before the events that follow from it; `reader` names another than the run's."""
        if self._read >= len(self._log.readings):
            by = f',"by":{json.dumps(reader)}' if reader else ""
            self._waiting.append(self._entry("reading", f'{{"text":"{text_key(text)}"{by},"reading":{body}}}'))
        self._read += 1

    async def keep(self, agent: AgentId, number: int, ask: Ask, answer: object, usage: Usage = NOTHING) -> None:
        """Commit a paid answer before it is acted on."""
        kept = {"key": ask_key(agent, number), "kind": ask.kind, "ask": wire.digest(wire.dumps(ask))}
        took = {"usage": wire.plain_value(usage)} if usage != NOTHING else {}
        body = json.dumps(
            {**kept, **took, "answer": wire.plain_value(answer)}, ensure_ascii=False, separators=(",", ":")
        )
        self._waiting.append(self._entry("answer", body))
        self._held.pop(ask_key(agent, number), None)
        self._spent += usage
        await self.settle()

    async def hold(self, key: str, worst: Usage) -> None:
        """Commit what a request may take before it is sent."""
        self._waiting.append(self._entry("hold", json.dumps({"key": key, "worst": wire.plain_value(worst)})))
        self._held[key] = self._held.get(key, NOTHING) + worst
        await self.settle()

    def write_off(self, more: Usage = NOTHING) -> None:
        """What is held will never be answered, and this much more was taken: all of it is spent."""
        self.settle_up(sum(self._held.values(), self._spent) + more)

    def settle_up(self, total: Usage) -> None:
        """Nothing is under way any more, and this is what it all took."""
        lost = total - self._spent
        if self._held or lost != NOTHING:
            self._waiting.append(self._entry("hold", json.dumps({"key": LOST, "worst": wire.plain_value(lost)})))
            self._held.clear()
            self._spent = total

    def stop(self, step: int, ending: Ending) -> None:
        body = {"step": step} if ending is Ending.STOPPED else {"step": step, "ending": ending.value}
        self._waiting.append(self._entry("stop", json.dumps(body)))

    def fork(self, turn: ForkedFrom) -> None:
        body = {"parent": turn.parent, "at": turn.at, "changes": list(turn.changes)}
        self._waiting.append(self._entry("fork", json.dumps(body, ensure_ascii=False)))

    def _entry(self, kind: EntryKind, body: str) -> Entry:
        self._seq += 1
        self._head = chain_hash(self._head, kind, body)
        return Entry(seq=self._seq, kind=kind, body=body, hash=self._head)

    def send(self) -> None:
        """Hand what waits to the store, without waiting for the disk."""
        if self._last is not None and self._last.done():
            self._last.result()
        if self._waiting:
            self._last = self._store.append(self._run, tuple(self._waiting))
            self._waiting.clear()

    async def settle(self) -> None:
        """Everything so far is durable when this returns."""
        self.send()
        if self._last is not None:
            await asyncio.wrap_future(self._last)

    def close(self) -> None:
        """The same, for a caller that is being stopped."""
        self.send()
        if self._last is not None:
            self._last.result()

    def check_finished(self) -> None:
        if self.is_replaying:
            raise Diverged(f"the log goes on after event {self._place}, this kernel ends there")


def text_key(text: str) -> str:
    """Tells the texts of one run apart."""
    return wire.digest(text)[:TEXT_KEY]


def cut(text: str) -> str:
    return text if len(text) <= 160 else f"{text[:157]}…"
