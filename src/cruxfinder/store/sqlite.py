"""Runs in one SQLite file: one writer thread, commits in groups, readers that never hinder it (DESIGN §7)."""

import sqlite3
import stat
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from threading import Lock, Thread
from typing import Final

from cruxfinder.errors import BrokenChain, ForeignStore, FullDisk, NoSuchRun, StaleWriter, StoreFault
from cruxfinder.model.outcomes import Mark, Outcome, Resolution
from cruxfinder.ports import Entry, RunRow
from cruxfinder.store import RUN_ID, SHA, Now, check_sequence, wall_clock
from cruxfinder.store.place import NO_ROOM, hold
from cruxfinder.store.squeezing import Damaged, expanded, squeezed

APPLICATION: Final = int.from_bytes(b"Crux")
FORMAT: Final = 1
QUEUE_MAX: Final = 1024
BUSY_SECONDS_MAX: Final = 10
WAL_PAGES_MAX: Final = 256  # the log waiting to be merged stays near 1 MB
WAL_PAUSES_SECONDS: Final = (0.001, 0.01, 0.1, 1.0)

# `entries` keeps its rowid: without it SQLite moves most of a row above 1 kB to a page of its own, and the
# file grows to four times the bodies. `number` saves repeating the run's id in every entry.
SCHEMA: Final = (
    "CREATE TABLE runs (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, topic TEXT NOT NULL,"
    " pack TEXT NOT NULL, state TEXT NOT NULL, created TEXT NOT NULL, updated TEXT NOT NULL,"
    " parent TEXT NOT NULL, stop INTEGER NOT NULL)",
    "CREATE TABLE entries (run INTEGER NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL,"
    " hash BLOB NOT NULL, body BLOB NOT NULL, PRIMARY KEY (run, seq))",
    "CREATE TABLE texts (sha BLOB PRIMARY KEY, text BLOB NOT NULL) WITHOUT ROWID",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {FORMAT}",
)

# Made by the first outcome, the first reply, the first run of a server, so that stores written before there were
# any stay as they are.
OUTCOMES: Final = (
    "CREATE TABLE IF NOT EXISTS outcomes (run TEXT NOT NULL, thread TEXT NOT NULL, agent TEXT NOT NULL,"
    " number INTEGER NOT NULL, outcome TEXT NOT NULL, note TEXT NOT NULL, day TEXT NOT NULL,"
    " PRIMARY KEY (run, thread, agent, number)) WITHOUT ROWID"
)

REPLIES: Final = (
    "CREATE TABLE IF NOT EXISTS replies (run TEXT NOT NULL, turn TEXT NOT NULL, text TEXT NOT NULL,"
    " PRIMARY KEY (run, turn)) WITHOUT ROWID"
)

HOSTED: Final = "CREATE TABLE IF NOT EXISTS hosted (run TEXT PRIMARY KEY, how TEXT NOT NULL) WITHOUT ROWID"

ROW: Final = (
    "SELECT id, topic, pack, state, ifnull((SELECT max(seq) FROM entries WHERE run = number), 0),"
    " created, updated, parent FROM runs"
)

Value = str | int | bytes
Row = tuple[Value | None, ...]
Work = Callable[[sqlite3.Connection], None]


class SqliteStore:
    """The first write makes the file; reading a store that is not there finds it empty and makes nothing."""

    def __init__(self, path: Path, now: Now = wall_clock) -> None:
        self._path = path
        self._now = now
        self._reader = _Reader(path)
        self._writer = _Writer(path)

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
            try:
                connection.executemany(
                    "INSERT INTO entries (run, seq, kind, hash, body) VALUES (?, ?, ?, ?, ?)",
                    [(number, e.seq, e.kind, bytes.fromhex(e.hash), squeezed(e.body)) for e in kept],
                )
            except sqlite3.IntegrityError as error:
                raise StaleWriter(f"run {run} was written by somebody else") from error
            connection.execute("UPDATE runs SET updated = ?1 WHERE number = ?2 AND updated <> ?1", (now, number))

        return self._writer.submit(work)

    def load(self, run: str, after: int = 0) -> tuple[Entry, ...]:
        assert after >= 0
        rows = self._reader.read(
            "SELECT seq, kind, body, hash FROM entries"
            " WHERE run = (SELECT number FROM runs WHERE id = ?) AND seq > ? ORDER BY seq",
            run,
            after,
        )
        if not rows:
            self.row(run)
        return tuple(_entry(self._path, row) for row in rows)

    def row(self, run: str) -> RunRow:
        return _run_row(self._path, self._one(run, f"{ROW} WHERE id = ?"))

    def rows(self) -> tuple[RunRow, ...]:
        return tuple(_run_row(self._path, row) for row in self._reader.read(f"{ROW} ORDER BY number DESC"))

    def finish(self, run: str) -> None:
        self.row(run)
        self._write("UPDATE runs SET state = 'complete', updated = ? WHERE id = ?", self._now(), run)

    def claim(self, run: str) -> AbstractContextManager[None]:
        return hold(self._path.with_name(f"{self._path.name}.locks"), run)

    def request_stop(self, run: str) -> None:
        self.row(run)
        self._write("UPDATE runs SET stop = 1 WHERE id = ?", run)

    def stop_requested(self, run: str) -> bool:
        return self._one(run, "SELECT stop FROM runs WHERE id = ?") == (1,)

    def put_text(self, sha: str, text: str) -> None:
        assert SHA.fullmatch(sha)
        self._write("INSERT OR IGNORE INTO texts (sha, text) VALUES (?, ?)", bytes.fromhex(sha), squeezed(text))

    def text(self, sha: str) -> str:
        assert SHA.fullmatch(sha)
        match self._reader.read("SELECT text FROM texts WHERE sha = ?", bytes.fromhex(sha)):
            case [(bytes(text),)]:
                try:
                    return expanded(text)
                except Damaged:
                    raise BrokenChain(f"the stored text {sha} was altered: it cannot be read") from None
            case _:
                raise StoreFault(f"the store holds no text {sha}")

    def put_outcome(self, resolution: Resolution) -> None:
        self.row(resolution.run)
        kept = (resolution.run, *resolution.mark, resolution.outcome.value, resolution.note, resolution.day)

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(OUTCOMES)
            connection.execute("INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?, ?, ?, ?, ?)", kept)

        self._writer.submit(work).result()

    def outcomes(self, run: str) -> tuple[Resolution, ...]:
        self.row(run)
        if not self._made("outcomes"):
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

    def reply(self, run: str, turn: str) -> str | None:
        self.row(run)
        if not self._made("replies"):
            return None
        rows = self._reader.read("SELECT text FROM replies WHERE run = ? AND turn = ?", run, turn)
        return str(rows[0][0]) if rows else None

    def host(self, run: str, how: str) -> None:
        self.row(run)

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(HOSTED)
            connection.execute("INSERT OR REPLACE INTO hosted VALUES (?, ?)", (run, how))

        self._writer.submit(work).result()

    def hosted(self) -> tuple[tuple[str, str], ...]:
        if not self._made("hosted"):
            return ()
        rows = self._reader.read(
            "SELECT runs.id, how FROM hosted JOIN runs ON runs.id = hosted.run"
            " WHERE state = 'open' AND how <> '' ORDER BY number"
        )
        return tuple((str(run), str(how)) for run, how in rows)

    def close(self) -> None:
        self._reader.close()
        self._writer.close()

    def _made(self, table: str) -> bool:
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
        self._closed = False

    def read(self, query: str, *values: Value) -> list[Row]:
        with self._turn, _faults(self._path):
            assert not self._closed
            if self._connection is None:
                self._connection = _open_to_read(self._path)
            if self._connection is None:
                return []
            return self._connection.execute(query, values).fetchall()

    def close(self) -> None:
        with self._turn:
            self._closed = True
            if self._connection is not None:
                self._connection.close()
                self._connection = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Write:
    work: Work
    done: Future[None]


class _Writer:
    """The one thread that writes: it takes all that is queued, commits once, then settles every future."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._queue: Queue[_Write | None] = Queue(QUEUE_MAX)
        self._turn = Lock()
        self._thread: Thread | None = None
        self._closed = False
        self._connection: sqlite3.Connection | None = None

    def submit(self, work: Work) -> Future[None]:
        done: Future[None] = Future()
        # What is queued will be written: a waiter that gives up must not be told it was cancelled.
        done.set_running_or_notify_cancel()
        with self._turn:
            assert not self._closed
            if self._thread is None:
                self._thread = Thread(target=self._run, name="cruxfinder-store", daemon=True)
                self._thread.start()
            self._queue.put(_Write(work=work, done=done))
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
            with _faults(self._path):
                outcomes = self._commit(group) if group else ()
        except Exception as error:  # a bug included: whoever waits must hear of it
            self._disconnect()
            outcomes = [error] * len(group)
        for write, outcome in zip(group, outcomes, strict=True):
            if outcome is None:
                write.done.set_result(None)
            else:
                write.done.set_exception(outcome)

    def _commit(self, group: Sequence[_Write]) -> Sequence[Exception | None]:
        """Do the group as one transaction and say how each write ended."""
        if self._connection is None:
            self._connection = _open_to_write(self._path)
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
    """The run's number and its last seq."""
    row: Row | None = connection.execute(
        "SELECT number, ifnull((SELECT max(seq) FROM entries WHERE run = number), 0) FROM runs WHERE id = ?",
        (run,),
    ).fetchone()
    match row:
        case (int(number), int(last)):
            return number, last
        case _:
            raise NoSuchRun(f"there is no run {run}")


def _open_to_write(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    _vet(path)
    connection = _connect(path, "mode=rwc")
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        if not _ours(path, connection):
            for statement in SCHEMA:
                connection.execute(statement)
        # Only now WAL: what says whose file it is has to stand in the file itself.
        connection.execute("COMMIT")
        _switch_to_wal(connection)
        connection.execute(f"PRAGMA wal_autocheckpoint = {WAL_PAGES_MAX}")
    except (sqlite3.Error, StoreFault):
        connection.close()
        raise
    return connection


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """Try several times: when processes make a store at once, SQLite fails here instead of waiting."""
    for pause_seconds in WAL_PAUSES_SECONDS:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY:
                raise
            time.sleep(pause_seconds)
    connection.execute("PRAGMA journal_mode = WAL")


def _open_to_read(path: Path) -> sqlite3.Connection | None:
    """None if there is no store yet, or one whose making was cut short."""
    if not _vet(path):
        return None
    # Not read-only: after a crash the first connection has to put the file in order.
    connection = _connect(path, "mode=rw")
    try:
        connection.execute("PRAGMA query_only = ON")
        if _ours(path, connection):
            return connection
    except (sqlite3.Error, StoreFault):
        connection.close()
        raise
    connection.close()
    return None


def _vet(path: Path) -> bool:
    """Say whether something of ours is there; raise ForeignStore, with nothing touched, if it is another's.

    An immutable connection takes no lock and makes no file beside the database. So would open(), but closing
    what it opened drops the locks that SQLite holds on the file in this process.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(mode):
        raise ForeignStore(f"{path} is not a file, so it cannot be a Cruxfinder store")
    with closing(_connect(path, "mode=ro&immutable=1")) as connection:
        try:
            return _ours(path, connection)
        except sqlite3.DatabaseError as error:
            if _code(error) != sqlite3.SQLITE_CORRUPT:
                raise
            return True  # it may lack pages that wait in its WAL, and an ordinary connection sees both


def _ours(path: Path, connection: sqlite3.Connection) -> bool:
    """False for an empty database; raise ForeignStore for another program's or a newer format."""
    application: int = connection.execute("PRAGMA application_id").fetchone()[0]
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if (application, version) == (APPLICATION, FORMAT):
        return True
    if application == APPLICATION and version > FORMAT:
        raise ForeignStore(
            f"{path} was written by a newer Cruxfinder (store format {version}, this one reads {FORMAT})"
        )
    if (application, version) == (0, 0) and connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
        return False
    raise ForeignStore(f"{path} is a database of another program, not a Cruxfinder store")


def _connect(path: Path, options: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{options}",
        uri=True,
        timeout=BUSY_SECONDS_MAX,
        isolation_level=None,
        check_same_thread=False,
    )


FAULTS: Final = {
    sqlite3.SQLITE_BUSY: "another program keeps it locked",
    sqlite3.SQLITE_READONLY: "it may not be written",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
}


@contextmanager
def _faults(path: Path) -> Generator[None]:
    """Turn what SQLite and the system report into one sentence about the store."""
    try:
        yield
    except sqlite3.Error as error:
        code = _code(error)
        if code in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}:
            raise ForeignStore(f"{path} is damaged or not a Cruxfinder store") from error
        # On a full disk the index of the WAL fails first, and calls it something else.
        if code == sqlite3.SQLITE_FULL or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_SHMSIZE:
            raise FullDisk(f"the store {path} failed: the disk is full") from error
        raise StoreFault(f"the store {path} failed: {FAULTS.get(code, error)}") from error
    except OSError as error:
        if error.errno in NO_ROOM:
            raise FullDisk(f"the store {path} failed: the disk is full") from error
        raise StoreFault(f"the store {path} failed: {error.strerror}") from error


def _code(error: sqlite3.Error) -> int:
    """The primary result code; 0 for what Python's module found itself."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _entry(path: Path, row: Row) -> Entry:
    match row:
        case (int(seq), "event" | "answer" | "hold" | "stop" | "fork" as kind, bytes(body), bytes(sha)):
            try:
                return Entry(seq=seq, kind=kind, body=expanded(body), hash=sha.hex())
            except Damaged:
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
        ):
            return RunRow(
                id=run,
                topic=topic,
                pack=pack,
                state=state,
                entries=entries,
                created=created,
                updated=updated,
                parent=parent,
            )
        case _:
            raise ForeignStore(f"{path} holds a run that no Cruxfinder wrote")


def _resolution(path: Path, row: Row) -> Resolution:
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
            return Resolution(run=run, mark=Mark(thread, agent, number), outcome=Outcome(outcome), note=note, day=day)
        case _:
            raise ForeignStore(f"{path} holds an outcome that no Cruxfinder wrote")
