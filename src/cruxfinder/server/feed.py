"""The events of a run for all who watch it: read once, made into frames once, whoever writes the run (API-1).

A listener is a number: how many events it has had. Private answers wait until the debate is over.
"""

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Final, ParamSpec, TypeVar

import anyio
import anyio.to_thread

from cruxfinder.app.hosting import DebateHost, DebateState
from cruxfinder.crux.events import PRIVATE, MessagePosted, ModeratorIntervention
from cruxfinder.errors import BrokenChain, CruxfinderError, LogFault, NoSuchRun
from cruxfinder.kernel.journal import START, chain_hash, check_format, log_faults
from cruxfinder.kernel.run_facts import DebateComplete
from cruxfinder.ports import Entry
from cruxfinder.protocols.any_run import AnyEvent, AnyState
from cruxfinder.protocols.registry import evolve, read_event
from cruxfinder.server.problems import Problem
from cruxfinder.talk.events import TurnSpoken
from cruxfinder.telling.event_lines import line_fields, line_of
from cruxfinder.telling.message_filter import MessageFilter

LOG: Final = logging.getLogger(__name__)
READERS: Final = 8
BEAT_S: Final = 15.0
CHUNK: Final = 8_192  # bytes that are sent at once
FEW: Final = 32  # entries that are made into frames in the loop
AGAIN_S: Final = 0.25
SETTLE_S: Final = 0.02  # how a run stands for less, as while somebody tries in vain to go on with it, is not told
FAULTS_MAX: Final = 8  # attempts in a row that may fail, as while another program keeps the store locked
VERSION: Final = 1
UNTOLD: Final = '{"group":"debate","tone":"note","badge":"EVENT"}'
P = ParamSpec("P")
T = TypeVar("T")


def event_prefixes(*kinds: type[AnyEvent]) -> tuple[str, ...]:
    """How the stored text of such events begins: `kind` is always first."""
    tags = (next(field.default for field in fields(kind) if field.name == "kind") for kind in kinds)
    return tuple(f'{{"kind":"{tag}"' for tag in tags)


WITHHELD: Final = event_prefixes(*PRIVATE)
LAST: Final = event_prefixes(DebateComplete)
SAID: Final = event_prefixes(MessagePosted, ModeratorIntervention, TurnSpoken)


@dataclass(frozen=True, slots=True)
class Frame:
    """An event as it goes over the wire; `said` is its text where a filter may let it pass."""

    data: bytes
    private: bool
    said: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """Frames in one piece: the bytes, how many events the listener has had then, how many of these were private."""

    data: bytes
    reached: int
    private: int


class Feed:
    """One run. It follows the log and the host while somebody listens and the run is not over."""

    def __init__(self, run: str, host: DebateHost, readers: anyio.CapacityLimiter) -> None:
        self.run: Final = run
        self._readers = readers
        self.listeners = 0
        self.over = False  # the log has ended, and whoever held the run here is done with it
        self._log_ended = False
        self.broken = False  # the store failed, or the server ends
        self.status = b""
        self.changes = 0  # of the status
        self.beats = 0
        self.private = 0
        self.first = ""  # the text of the run's first event
        self._host = host
        self._frames: list[Frame] = []
        self._events: dict[int, AnyEvent] = {}
        self._seq: int = 0
        self._head = START
        self._debate: AnyState | None = None  # as far as it was read; lines are made from it
        self._follows = True  # each event from those before it
        self._waiting: set[asyncio.Future[None]] = set()
        self._made: tuple[int, int, bool, Chunk] | None = None
        self._following: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._host_changed = asyncio.Event()
        self._settling: asyncio.TimerHandle | None = None
        self._told: DebateState = "open"  # how the run stands, as the status says
        self._leave_host: Callable[[], None] | None = None

    @property
    def event_count(self) -> int:
        """How many events there are."""
        return len(self._frames)

    @property
    def has_ended(self) -> bool:
        """Nothing will come any more: the debate is over, or it failed before it began."""
        return self.over or (not self._frames and self._told == "failed")

    # ---- reading

    async def begin(self) -> None:
        """What is there; what comes then is heard by itself. Raise what stands against it."""
        self._leave_host = self._host.on_change(self.run, self._on_host_change)
        try:
            await self._add(await self._beside(self._host.store.load, self.run))
        except NoSuchRun:
            if self._host.find_debate(self.run) is None:
                raise
        self._check_status()
        if not self.has_ended and not self.broken:
            self._following = asyncio.create_task(self._follow())
            self._timer = asyncio.get_running_loop().call_later(BEAT_S, self._beat)

    def close(self) -> None:
        """Let go of the run and of everybody who listens."""
        self.broken = True
        if self._leave_host is not None:
            self._leave_host()
        for timer in (self._timer, self._settling):
            if timer is not None:
                timer.cancel()
        if self._following is not None:
            self._following.cancel()
        self._wake()

    async def _follow(self) -> None:
        """Until the end. Whatever stops it before, nobody is left waiting: who comes back is told why."""
        try:
            await self._hear_log()
        finally:
            self.broken = self.broken or not self.has_ended
            self._wake()

    async def _hear_log(self) -> None:
        faults = 0
        while not self.has_ended:
            self._host_changed.clear()
            if self._log_ended:
                await self._wait_for_host()
                return
            try:
                with self._host.store.tail(self.run, self._seq) as groups:
                    async for entries in groups:
                        await self._add(entries)
                        faults = 0
                        if self._log_ended:
                            break
            except NoSuchRun:
                if self._host.find_debate(self.run) is None:
                    return
                await self._host_changed.wait()  # it may be in the store then
            except CruxfinderError as error:
                faults += 1
                if isinstance(error, LogFault) or faults > FAULTS_MAX:
                    LOG.warning("run %s cannot be followed: %s", self.run, error)
                    return
                await asyncio.sleep(AGAIN_S)

    async def _wait_for_host(self) -> None:
        """Until it has put the run away: whoever asks after the end of the stream is told that it is complete."""
        self._check_status()
        while not self.over:
            self._host_changed.clear()
            await self._host_changed.wait()
            self._check_status()

    async def _beside(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """In another thread: a long log takes its time."""
        return await anyio.to_thread.run_sync(lambda: work(*args, **kwargs), limiter=self._readers)

    async def _add(self, entries: tuple[Entry, ...]) -> None:
        """One group at a time."""
        few = len(entries) <= FEW
        came, last = self._read(entries) if few else await self._beside(self._read, entries)
        self._frames.extend(came)
        self.private += sum(frame.private for frame in came)
        self._log_ended = self._log_ended or last
        if last:
            self._check_status()
        if came:
            self._wake()

    def _on_host_change(self) -> None:
        self._host_changed.set()
        if self._settling is None and not self.broken:
            self._settling = asyncio.get_running_loop().call_later(SETTLE_S, self._check_status)

    def _check_status(self) -> None:
        """Tell how the run stands where that is not what was told last."""
        if self._settling is not None:
            self._settling.cancel()
            self._settling = None
        held = self._host.find_debate(self.run)
        self.over = self._log_ended and (held is None or held.is_over)
        self._told = self._state()
        status = self._status_frame()
        if status != self.status:
            self.status = status
            self.changes += 1
            self._wake()

    def _beat(self) -> None:
        self.beats += 1
        self._wake()
        self._timer = asyncio.get_running_loop().call_later(BEAT_S, self._beat)

    def _read(self, entries: tuple[Entry, ...]) -> tuple[list[Frame], bool]:
        """The frames of what was added to the log, and whether that ends it."""
        number, found, last = len(self._frames), list[Frame](), False
        for entry in entries:
            self._head = chain_hash(self._head, entry.kind, entry.body)
            if entry.hash != self._head or entry.seq != self._seq + 1:
                raise BrokenChain(f"entry {entry.seq} of the log was altered")
            self._seq = entry.seq
            if entry.kind == "event":
                number += 1
                if number == 1:
                    check_format(entry.body)
                    self.first = entry.body
                found.append(make_frame(number, entry.body, self._line(number, entry.body)))
                last = entry.body.startswith(LAST)
        return found, last

    def _line(self, number: int, body: str) -> str:
        """The line of an event as JSON: made once, for all who watch.

        Whoever may write to the store may write events that do not follow from each other: they are sent all the same,
        and from the first of them on no line says more than that there is an event.
        """
        if not self._follows:
            return UNTOLD
        try:
            with log_faults(f"event {number} of run {self.run}:"):
                event = read_event(body)
                self._debate = evolve(self._debate, event)
                return json.dumps(line_fields(line_of(self._debate, event)), ensure_ascii=False)
        except LogFault as fault:
            LOG.warning("no lines for run %s: %s", self.run, fault)
            self._follows = False
            return UNTOLD

    # ---- what the listeners are told

    def _state(self) -> DebateState:
        """The log has the last word: a debate is over for those who listen once they can hear its end."""
        held = self._host.find_debate(self.run)
        if self.over:
            return "complete"
        if held is None:
            return "open"
        return "running" if held.state == "complete" else held.state

    def _status_frame(self) -> bytes:
        held = self._host.find_debate(self.run)
        asked = () if held is None or self.over else held.desk.open_asks()
        status = {
            "v": VERSION,
            "state": self._told,
            "why": self._host.failure_reason(self.run),
            "waiting": [{"agent": one.ask.agent, "number": one.ask.number, "kind": one.ask.kind} for one in asked],
        }
        return f"event: status\ndata: {json.dumps(status, ensure_ascii=False)}\n\n".encode(errors="replace")

    def chunk(self, after: int, only: MessageFilter | None = None) -> Chunk:
        """What comes after so many events, as much as fits a chunk and one frame at least."""
        if only is None and self._made is not None and self._made[:3] == (after, self.event_count, self.over):
            return self._made[3]
        parts: list[bytes] = []
        size = private = 0
        reached = after
        for number in range(after, self.event_count):
            frame = self._frames[number]
            if (self.over or not frame.private) and (only is None or self._passes(number, frame, only)):
                if parts and size + len(frame.data) > CHUNK:
                    break
                parts.append(frame.data)
                size += len(frame.data)
                private += frame.private
            reached = number + 1
        made = Chunk(b"".join(parts), reached, private)
        if only is None:
            self._made = (after, self.event_count, self.over, made)
        return made

    def _passes(self, number: int, frame: Frame, only: MessageFilter) -> bool:
        if not frame.said:
            return False
        if number not in self._events:
            self._events[number] = read_event(frame.said)
        return only.passes(self._events[number])

    # ---- waiting

    def wait(self) -> asyncio.Future[None]:
        """Done at the next change, or when somebody sets it."""
        wake: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(wake)
        return wake

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, set()
        for wake in waiting:
            if not wake.done():
                wake.set_result(None)


def make_frame(number: int, body: str, line: str) -> Frame:
    data = f'id: {number}\ndata: {{"v":{VERSION},"n":{number},"event":{body},"line":{line}}}\n\n'.encode()
    return Frame(data, body.startswith(WITHHELD), body if body.startswith(SAID) else "")


class Feeds:
    """The runs that are watched now, and how many watch."""

    def __init__(self, host: DebateHost, listeners_max: int) -> None:
        self._host = host
        self._most = listeners_max
        self._readers = anyio.CapacityLimiter(READERS)  # of their own: whatever else is read, the streams go on
        self._feeds: dict[str, tuple[Feed, asyncio.Task[None]]] = {}
        self.listeners = 0
        self._closed = False

    def check_room(self) -> None:
        if self._closed or self.listeners >= self._most:
            raise Problem(503, "too many listen already", {"Retry-After": "10"})

    async def join(self, run: str) -> Feed:
        """Whoever joins leaves again. Raise NoSuchRun, or Problem if too many listen."""
        self.check_room()
        feed, beginning = self._feeds.get(run, (None, None))
        if feed is None or beginning is None or feed.broken:
            feed = Feed(run, self._host, self._readers)
            beginning = asyncio.create_task(feed.begin())
            self._feeds[run] = feed, beginning
        feed.listeners += 1
        self.listeners += 1
        try:
            await asyncio.shield(beginning)
        except BaseException:
            self.leave(feed)
            raise
        return feed

    def leave(self, feed: Feed) -> None:
        feed.listeners -= 1
        self.listeners -= 1
        here = self._feeds.get(feed.run)
        if here is not None and here[0] is feed and (feed.broken or not feed.listeners):
            del self._feeds[feed.run]
        if not feed.listeners:
            feed.close()

    def close(self) -> None:
        """Nobody joins any more, and whoever listens is let go."""
        self._closed = True
        for feed, _ in self._feeds.values():
            feed.close()


Leave = Callable[[Feed], None]
