"""Runs in one SQLite file: one writer thread, commits in groups, readers that never hinder it (DESIGN §7)."""

import asyncio
import shutil
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import Empty, Queue
from threading import Lock, Thread
from typing import Final, ParamSpec, TypeVar

from cruxfinder.adapters.stores.deflate import DamagedText, compress_text, decompress_text
from cruxfinder.adapters.stores.log_checks import RUN_ID, SHA, Now, check_sequence, wall_clock
from cruxfinder.adapters.stores.log_tails import LogTails
from cruxfinder.adapters.stores.signal_watches import SignalWatches
from cruxfinder.adapters.stores.sqlite_file import (
    NOTHING_BESIDE,
    code_of,
    files_beside,
    is_store,
    open_to_read,
    open_to_write,
    restrict_store_to_owner,
    store_faults,
)
from cruxfinder.adapters.stores.sqlite_schema import HOSTED, OUTCOMES, REPLIES
from cruxfinder.adapters.stores.store_place import check_writable, lock_run, real_path
from cruxfinder.errors import BrokenChain, CutLog, ForeignStore, NoSuchRun, StaleWriter, StoreFault
from cruxfinder.ports import Entry, FalsifierOutcome, FalsifierResolution, Mark, RunRow, StopSignal

QUEUE_MAX: Final = 1024

ROW: Final = (
    "SELECT id, topic, pack, state, ifnull((SELECT max(seq) FROM entries WHERE run = number), 0),"
    " created, updated, parent, {length} FROM runs"
)
BEGUN: Final = "(state <> 'open' OR EXISTS (SELECT 1 FROM entries WHERE run = number))"

P = ParamSpec("P")
T = TypeVar("T")
Value = str | int | bytes
Row = tuple[Value | None, ...]
Work = Callable[[sqlite3.Connection], None]


class SqliteStore:
    """The first write makes the file; reading a store that is not there finds it empty and makes nothing."""

    def __init__(self, path: Path, now: Now = wall_clock) -> None:
        self._path = real_path(path)
        self._now = now
        self._reader = _Reader(self._path)
        self._tails = LogTails(self._look)
        self._watches = SignalWatches(self._version)
        self._writer = _Writer(self._path, self._tails)
        self._looking = ThreadPoolExecutor(1, "cruxfinder-look")  # of their own: whatever else is read, tails go on

    def check_writable(self) -> None:
        self._reader.read("SELECT 1")
        check_writable(self._path)

    def create(self, run: str, *, topic: str, pack: str, parent: str = "") -> None:
        assert RUN_ID.fullmatch(run)
        now = self._now()

        def work(connection: sqlite3.Connection) -> None:
            try:
                connection.execute(
                    "INSERT INTO runs (id, topic, pack, state, created, updated, parent, stop)"
                    " VALUES (?, ?, ?, 'open', ?, ?, ?, 0)",
                    (run, topic, pack, now, now, parent),
                )
            except sqlite3.IntegrityError as error:
                raise StoreFault(f"run {run} already exists") from error

        self._writer.submit(work).result()

    def append(self, run: str, entries: Sequence[Entry]) -> Future[None]:
        assert all(SHA.fullmatch(entry.hash) for entry in entries)
        kept = tuple(entries)
        now = self._now()

        def work(connection: sqlite3.Connection) -> None:
            number, last = _end(connection, run)
            check_sequence(run, last, kept)
            if not kept:
                return
            try:
                connection.executemany(
                    "INSERT INTO entries (run, seq, kind, hash, body) VALUES (?, ?, ?, ?, ?)",
                    [(number, e.seq, e.kind, bytes.fromhex(e.hash), compress_text(e.body)) for e in kept],
                )
            except sqlite3.IntegrityError as error:
                raise StaleWriter(f"run {run} was written by somebody else") from error
            connection.execute(
                "UPDATE runs SET updated = ?, length = ?, head = ? WHERE number = ?",
                (now, kept[-1].seq, bytes.fromhex(kept[-1].hash), number),
            )

        return self._writer.submit(work, run, kept)

    def load(self, run: str, after: int = 0) -> tuple[Entry, ...]:
        assert after >= 0
        # What the row says comes first: a log that grows meanwhile is longer than that, and never shorter.
        columns = "length, head" if self._reader.has_lengths else "NULL, NULL"
        number, *end = self._one(run, f"SELECT number, {columns} FROM runs WHERE id = ?")
        assert isinstance(number, int)
        rows = self._reader.read(
            "SELECT seq, kind, body, hash FROM entries WHERE run = ? AND seq > ? ORDER BY seq", number, after
        )
        entries = tuple(_entry(self._path, row) for row in rows)
        match end:
            case [int(length), bytes(head)]:
                self._check_end(run, entries, after, length, head.hex())
            case _:
                pass
        return entries

    def tail(self, run: str, after: int = 0) -> AbstractContextManager[AsyncIterator[tuple[Entry, ...]]]:
        return self._tails.follow(run, after)

    async def _look(self, run: str, after: int) -> tuple[Entry, ...]:
        return await self._beside(self.load, run, after)

    async def _version(self) -> object:
        """Another one after each commit of anybody."""
        return await self._beside(self._reader.read, "PRAGMA data_version")

    async def _beside(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._looking, partial(work, *args, **kwargs))

    def _check_end(self, run: str, entries: Sequence[Entry], after: int, length: int, head: str) -> None:
        """Raise CutLog where the log does not reach as far as it was written, BrokenChain where it ends otherwise."""
        if length <= after:
            return
        last = next((entry for entry in entries if entry.seq == length), None)
        if last is None:
            raise CutLog(cut_log_message(run, self.row(run).entries, length))
        if last.hash != head:
            raise BrokenChain(f"entry {length} of the log was altered: the log of run {run} did not end with it")

    def row(self, run: str) -> RunRow:
        return _run_row(self._path, self._one(run, f"{self._row_query} WHERE id = ?"))

    def rows(self) -> tuple[RunRow, ...]:
        query = (
            f"{self._row_query} WHERE {BEGUN}{' OR length > 0' if self._reader.has_lengths else ''} ORDER "
            "BY number DESC"
        )
        return tuple(_run_row(self._path, row) for row in self._reader.read(query))

    @property
    def _row_query(self) -> str:
        return ROW.format(length="ifnull(length, 0)" if self._reader.has_lengths else "0")

    def finish(self, run: str) -> None:
        self.row(run)
        self._write(
            "UPDATE runs SET state = 'complete', updated = ?,"
            " head = ifnull(head, (SELECT hash FROM entries WHERE run = number ORDER BY seq DESC LIMIT 1)),"
            " length = ifnull(length, (SELECT max(seq) FROM entries WHERE run = number)) WHERE id = ?",
            self._now(),
            run,
        )

    @contextmanager
    def claim(self, run: str) -> Generator[None]:
        with lock_run(self._path, run), self._tails.claim(run):
            yield

    def request_stop(self, run: str) -> None:
        self.row(run)
        self._write("UPDATE runs SET stop = 1 WHERE id = ?", run)
        self._watches.tell(run, stop=True)

    def stop_requested(self, run: str) -> bool:
        return self._one(run, "SELECT stop FROM runs WHERE id = ?") == (1,)

    def watch_stop(self, run: str) -> AbstractAsyncContextManager[StopSignal]:
        return self._watches.watch_stop(run, lambda: self._beside(self.stop_requested, run))

    def put_text(self, sha: str, text: str) -> None:
        assert SHA.fullmatch(sha)
        self._write("INSERT OR IGNORE INTO texts (sha, text) VALUES (?, ?)", bytes.fromhex(sha), compress_text(text))

    def text(self, sha: str) -> str:
        assert SHA.fullmatch(sha)
        match self._reader.read("SELECT text FROM texts WHERE sha = ?", bytes.fromhex(sha)):
            case [(bytes(text),)]:
                try:
                    return decompress_text(text)
                except DamagedText:
                    raise BrokenChain(f"the stored text {sha} was altered: it cannot be read") from None
            case _:
                raise StoreFault(f"the store holds no text {sha}")

    def put_outcome(self, resolution: FalsifierResolution) -> None:
        self.row(resolution.run)
        kept = (resolution.run, *resolution.mark, resolution.outcome.value, resolution.note, resolution.day)

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(OUTCOMES)
            connection.execute("INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?, ?, ?, ?, ?)", kept)

        self._writer.submit(work).result()

    def outcomes(self, run: str) -> tuple[FalsifierResolution, ...]:
        self.row(run)
        if not self._has_table("outcomes"):
            return ()
        rows = self._reader.read(
            "SELECT run, thread, agent, number, outcome, note, day FROM outcomes"
            " WHERE run = ? ORDER BY thread, agent, number",
            run,
        )
        return tuple(_resolution(self._path, row) for row in rows)

    def put_reply(self, run: str, turn: str, text: str) -> None:
        self.row(run)

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(REPLIES)
            connection.execute("INSERT OR IGNORE INTO replies VALUES (?, ?, ?)", (run, turn, text))

        self._writer.submit(work).result()
        self._watches.tell(run)

    def reply(self, run: str, turn: str) -> str | None:
        self.row(run)
        if not self._has_table("replies"):
            return None
        rows = self._reader.read("SELECT text FROM replies WHERE run = ? AND turn = ?", run, turn)
        return str(rows[0][0]) if rows else None

    async def wait_for_reply(self, run: str, turn: str) -> str:
        return await self._watches.find(run, lambda: self._beside(self.reply, run, turn))

    def host(self, run: str, how: str) -> None:
        self.row(run)

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(HOSTED)
            connection.execute("INSERT OR REPLACE INTO hosted VALUES (?, ?)", (run, how))

        self._writer.submit(work).result()

    def hosted_runs(self) -> tuple[tuple[str, str], ...]:
        if not self._has_table("hosted"):
            return ()
        rows = self._reader.read(
            "SELECT runs.id, how FROM hosted JOIN runs ON runs.id = hosted.run"
            " WHERE state = 'open' AND how <> '' ORDER BY number"
        )
        return tuple((str(run), str(how)) for run, how in rows)

    def close(self) -> None:
        self._looking.shutdown(cancel_futures=True)
        self._reader.close()
        self._writer.close()

    def _has_table(self, table: str) -> bool:
        return bool(self._reader.read("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table))

    def _one(self, run: str, query: str) -> Row:
        rows = self._reader.read(query, run)
        if not rows:
            raise NoSuchRun(f"there is no run {run}")
        return rows[0]

    def _write(self, statement: str, *values: Value) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.execute(statement, values)

        self._writer.submit(work).result()


class _Reader:
    """One connection that several threads take turns on; WAL lets it read while the writer writes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = Lock()
        self._connection: sqlite3.Connection | None = None
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        self._counted = False
        self._closed = False

    @property
    def has_lengths(self) -> bool:
        """Do the rows tell how long their logs are? A writer may see to that at any time."""
        if not self._counted:
            self._counted = bool(self.read("SELECT 1 FROM pragma_table_info('runs') WHERE name = 'head'"))
        return self._counted

    def read(self, query: str, *values: Value) -> list[Row]:
        with self._turn, store_faults(self._path):
            assert not self._closed
            if self._connection is None:
                self._connection = self._open()
            if self._connection is None:
                return []
            return self._connection.execute(query, values).fetchall()

    def close(self) -> None:
        with self._turn:
            self._closed = True
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            if self._copy is not None:
                self._copy.cleanup()

    def _open(self) -> sqlite3.Connection | None:
        """None if there is no store yet, or one whose making was cut short."""
        if not is_store(self._path):
            return None
        restrict_store_to_owner(self._path)
        try:
            # Not read-only: after a crash the first connection has to put the file in order.
            return open_to_read(self._path, "mode=rw")
        except sqlite3.OperationalError as error:
            if not {code_of(error), error.sqlite_errorcode} & NOTHING_BESIDE:
                raise
        return self._open_alone()

    def _open_alone(self) -> sqlite3.Connection | None:
        """Where SQLite can make no file beside the store. What waits in a WAL is read from a copy of both."""
        beside = [path for path in files_beside(self._path) if path.exists() and path.stat().st_size]
        if not beside:
            return open_to_read(self._path, "mode=ro&immutable=1")
        self._copy = tempfile.TemporaryDirectory(prefix="cruxfinder-")
        folder = Path(self._copy.name)
        for path in (self._path, *beside):
            shutil.copyfile(path, folder / path.name)
        return open_to_read(folder / self._path.name, "mode=rw")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Write:
    work: Work
    done: Future[None]
    run: str
    entries: tuple[Entry, ...]  # that it appends, for those who follow the run


class _Writer:
    """The one thread that writes: it takes all that is queued, commits once, then settles every future."""

    def __init__(self, path: Path, tails: LogTails) -> None:
        self._path = path
        self._tails = tails
        self._queue: Queue[_Write | None] = Queue(QUEUE_MAX)
        self._turn = Lock()
        self._thread: Thread | None = None
        self._closed = False
        self._connection: sqlite3.Connection | None = None

    def submit(self, work: Work, run: str = "", entries: tuple[Entry, ...] = ()) -> Future[None]:
        done: Future[None] = Future()
        # What is queued will be written: a waiter that gives up must not be told it was cancelled.
        done.set_running_or_notify_cancel()
        with self._turn:
            assert not self._closed
            if self._thread is None:
                self._thread = Thread(target=self._run, name="cruxfinder-store", daemon=True)
                self._thread.start()
            self._queue.put(_Write(work=work, done=done, run=run, entries=entries))
        return done

    def close(self) -> None:
        with self._turn:
            thread, self._thread, self._closed = self._thread, None, True
            if thread is not None:
                self._queue.put(None)
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        group: list[_Write | None] = []
        while None not in group:
            group = self._drain()
            self._settle([write for write in group if write is not None])
        self._disconnect()

    def _drain(self) -> list[_Write | None]:
        """Wait for one write, then take what else is there; None is the last there will be."""
        group = [self._queue.get()]
        while group[-1] is not None and len(group) < QUEUE_MAX:
            try:
                group.append(self._queue.get_nowait())
            except Empty:
                break
        return group

    def _settle(self, group: Sequence[_Write]) -> None:
        outcomes: Sequence[Exception | None]
        try:
            with store_faults(self._path):
                outcomes = self._commit(group) if group else ()
        except Exception as error:  # a bug included: whoever waits must hear of it
            self._disconnect()
            outcomes = [error] * len(group)
        added: defaultdict[str, list[Entry]] = defaultdict(list)
        for write, outcome in zip(group, outcomes, strict=True):
            if outcome is None:
                write.done.set_result(None)
                added[write.run].extend(write.entries)
            else:
                write.done.set_exception(outcome)
        for run, entries in added.items():
            self._tails.tell(run, entries)

    def _commit(self, group: Sequence[_Write]) -> Sequence[Exception | None]:
        """Do the group as one transaction and say how each write ended."""
        if self._connection is None:
            self._connection = open_to_write(self._path)
        self._connection.execute("BEGIN IMMEDIATE")
        outcomes = [_attempt(self._connection, write.work) for write in group]
        self._connection.execute("COMMIT")
        return outcomes

    def _disconnect(self) -> None:
        """Let go of the file, which undoes what was not committed."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _attempt(connection: sqlite3.Connection, work: Work) -> Exception | None:
    """Do one write of a group, or undo it alone; a fault of the file is raised and ends the whole group."""
    outcome: Exception | None = None
    connection.execute("SAVEPOINT attempt")
    try:
        work(connection)
    except sqlite3.Error:
        raise
    except Exception as error:  # a bug included: it is its caller's, the others of the group go on
        connection.execute("ROLLBACK TO attempt")
        outcome = error
    connection.execute("RELEASE attempt")
    return outcome


def _end(connection: sqlite3.Connection, run: str) -> tuple[int, int]:
    """The run's number and its last seq. Raise CutLog where there were more."""
    row: Row | None = connection.execute(
        "SELECT number, ifnull((SELECT max(seq) FROM entries WHERE run = number), 0), ifnull(length, 0)"
        " FROM runs WHERE id = ?",
        (run,),
    ).fetchone()
    match row:
        case (int(number), int(last), int(length)):
            if last < length:
                raise CutLog(cut_log_message(run, last, length))
            return number, last
        case _:
            raise NoSuchRun(f"there is no run {run}")


def cut_log_message(run: str, there: int, written: int) -> str:
    return f"the log of run {run} is cut: {there} of {written} entries are there, the last ones were lost to damage"


def _entry(path: Path, row: Row) -> Entry:
    match row:
        case (int(seq), "event" | "answer" | "hold" | "stop" | "fork" | "reading" as kind, bytes(body), bytes(sha)):
            try:
                return Entry(seq=seq, kind=kind, body=decompress_text(body), hash=sha.hex())
            except DamagedText:
                raise BrokenChain(f"entry {seq} of the log was altered: it cannot be read") from None
        case (int(seq), *_):
            raise BrokenChain(f"entry {seq} of the log was altered: no Cruxfinder wrote it like this")
        case _:
            raise ForeignStore(f"{path} holds an entry that no Cruxfinder wrote")


def _run_row(path: Path, row: Row) -> RunRow:
    match row:
        case (
            str(run),
            str(topic),
            str(pack),
            "open" | "complete" as state,
            int(entries),
            str(created),
            str(updated),
            str(parent),
            int(length),
        ):
            return RunRow(
                id=run,
                topic=topic,
                pack=pack,
                state="cut" if entries < length else state,
                entries=entries,
                created=created,
                updated=updated,
                parent=parent,
                written=max(entries, length),
            )
        case _:
            raise ForeignStore(f"{path} holds a run that no Cruxfinder wrote")


def _resolution(path: Path, row: Row) -> FalsifierResolution:
    match row:
        case (
            str(run),
            str(thread),
            str(agent),
            int(number),
            "met" | "unmet" | "void" as outcome,
            str(note),
            str(day),
        ):
            return FalsifierResolution(
                run=run, mark=Mark(thread, agent, number), outcome=FalsifierOutcome(outcome), note=note, day=day
            )
        case _:
            raise ForeignStore(f"{path} holds an outcome that no Cruxfinder wrote")
