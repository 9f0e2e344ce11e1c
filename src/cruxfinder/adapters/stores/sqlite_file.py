"""Opens the SQLite file of a store: ours and nobody else's, for its owner alone, and to read where none may write."""

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from typing import Final

from cruxfinder.adapters.stores.sqlite_schema import APPLICATION, FORMAT, SCHEMA, check_schema, missing_columns
from cruxfinder.adapters.stores.store_place import (
    check_only_name,
    check_writable,
    fault_of,
    lock_folder,
    make_file,
    read_only_fault,
    restrict_to_owner,
)
from cruxfinder.errors import ForeignStore, FullDisk, StoreFault

BUSY_SECONDS_MAX: Final = 10
WAL_PAGES_MAX: Final = 256  # the log waiting to be merged stays near 1 MB
WAL_PAUSES_SECONDS: Final = (0.001, 0.01, 0.1, 1.0)

# What SQLite says where it can make no files beside a store, because of the folder's rights or for want of room.
NOTHING_BESIDE: Final = frozenset(
    {
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_SHMOPEN,
        sqlite3.SQLITE_IOERR_SHMSIZE,
    }
)
SAFE_CONFIG: Final = (
    ("SQLITE_DBCONFIG_DEFENSIVE", True),
    ("SQLITE_DBCONFIG_ENABLE_TRIGGER", False),
    ("SQLITE_DBCONFIG_ENABLE_VIEW", False),
)
JOURNAL_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")  # a journal that ends with it names a super-journal
MAKING: Final = Lock()  # one thread at a time makes the file, and none has it open meanwhile


def open_to_write(path: Path) -> sqlite3.Connection:
    check_writable(path)
    with MAKING:
        make_file(path)
    is_store(path)
    restrict_store_to_owner(path)
    connection = connect_to(path, "mode=rw")
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        for statement in missing_columns(connection) if is_ours(path, connection) else SCHEMA:
            connection.execute(statement)
        # Only now WAL: what says whose file it is has to stand in the file itself.
        connection.execute("COMMIT")
        switch_to_wal(connection)
        connection.execute(f"PRAGMA wal_autocheckpoint = {WAL_PAGES_MAX}")
    except (sqlite3.Error, StoreFault):
        connection.close()
        raise
    return connection


def switch_to_wal(connection: sqlite3.Connection) -> None:
    """Try several times: when processes make a store at once, SQLite fails here instead of waiting."""
    for pause_seconds in WAL_PAUSES_SECONDS:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if code_of(error) != sqlite3.SQLITE_BUSY:
                raise
            time.sleep(pause_seconds)
    connection.execute("PRAGMA journal_mode = WAL")


def open_to_read(path: Path, options: str) -> sqlite3.Connection | None:
    connection = connect_to(path, options)
    try:
        connection.execute("PRAGMA query_only = ON")
        if is_ours(path, connection):
            return connection
    except (sqlite3.Error, StoreFault):
        connection.close()
        raise
    connection.close()
    return None


def files_beside(path: Path) -> tuple[Path, ...]:
    """Where SQLite keeps what is not merged into the store yet."""
    return tuple(path.with_name(path.name + ending) for ending in ("-wal", "-journal"))


def restrict_store_to_owner(path: Path) -> None:
    for known in (path, *files_beside(path), path.with_name(f"{path.name}-shm"), lock_folder(path)):
        restrict_to_owner(known)


def is_store(path: Path) -> bool:
    """Say whether something of ours is there; raise ForeignStore, with nothing touched, if it is another's.

    An immutable connection takes no lock and makes no file beside the database. So would open(), but closing
    what it opened drops the locks that SQLite holds on the file in this process.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(found.st_mode):
        raise ForeignStore(f"{path} is not a file, so it cannot be a Cruxfinder store")
    check_only_name(path, found)
    with closing(connect_to(path, "mode=ro&immutable=1")) as connection:
        try:
            return is_ours(path, connection)
        except sqlite3.DatabaseError as error:
            if code_of(error) != sqlite3.SQLITE_CORRUPT:
                raise
            return True  # it may lack pages that wait in its WAL, and an ordinary connection sees both


def is_ours(path: Path, connection: sqlite3.Connection) -> bool:
    """False for an empty database; raise ForeignStore for another program's, a newer format, or an altered schema."""
    application: int = connection.execute("PRAGMA application_id").fetchone()[0]
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if (application, version) == (APPLICATION, FORMAT):
        check_schema(path, connection)
        return True
    if application == APPLICATION and version > FORMAT:
        raise ForeignStore(
            f"{path} was written by a newer Cruxfinder (store format {version}, this one reads {FORMAT})"
        )
    if (application, version) == (0, 0) and connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
        return False
    raise ForeignStore(f"{path} is a database of another program, not a Cruxfinder store")


def check_journal(path: Path) -> None:
    """Raise ForeignStore for a journal that names another file: SQLite deletes that file when it rolls back.

    Such a journal is left by a transaction over several databases, and a store is always the only one.
    """
    journal = path.with_name(f"{path.name}-journal")
    try:
        if not stat.S_ISREG(journal.lstat().st_mode):
            raise ForeignStore(f"{journal} is not a regular file, so {path} cannot be read safely")
        with journal.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - len(JOURNAL_MAGIC)))
            ending = file.read(len(JOURNAL_MAGIC))
    except FileNotFoundError:
        return
    if ending == JOURNAL_MAGIC:
        raise ForeignStore(f"{journal} names another file for deletion, and no Cruxfinder wrote that; remove it")


def connect_to(path: Path, options: str) -> sqlite3.Connection:
    """Every connection comes from here: any but an immutable one may roll a journal back."""
    check_journal(path)
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{options}",
        uri=True,
        timeout=BUSY_SECONDS_MAX,
        isolation_level=None,
        check_same_thread=False,
    )
    distrust_schema(connection)
    return connection


def distrust_schema(connection: sqlite3.Connection) -> None:
    """Let no text of the file call functions, and, where Python can say so, run no trigger and no view of it."""
    connection.execute("PRAGMA trusted_schema = OFF")
    configure: Callable[[int, bool], None] | None = getattr(connection, "setconfig", None)  # from Python 3.12 on
    if configure is not None:
        for name, on in SAFE_CONFIG:
            configure(getattr(sqlite3, name), on)


FAULTS: Final = {
    sqlite3.SQLITE_BUSY: "another program keeps it locked",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
    sqlite3.SQLITE_IOERR_NOMEM: "there is not enough memory",
    sqlite3.SQLITE_IOERR_READ: "the disk cannot be read",
    # What the system said is lost here; on a disk with room it is a quota, a limit on files, or a disk that breaks.
    sqlite3.SQLITE_IOERR_WRITE: "the disk takes no more, for it is full, at a quota or a limit on files, or broken",
}


@contextmanager
def store_faults(path: Path) -> Generator[None]:
    """Turn what SQLite and the system report into one sentence about the store."""
    try:
        yield
    except sqlite3.Error as error:
        code = code_of(error)
        if code in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}:
            raise ForeignStore(f"{path} is damaged or not a Cruxfinder store") from error
        # On a full disk the index of the WAL fails first, and calls it something else.
        if code == sqlite3.SQLITE_FULL or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_SHMSIZE:
            raise FullDisk(f"the store {path} failed: the disk is full") from error
        if code == sqlite3.SQLITE_READONLY:
            raise read_only_fault(path) from error
        why = FAULTS.get(getattr(error, "sqlite_errorcode", 0)) or FAULTS.get(code) or error
        raise StoreFault(f"the store {path} failed: {why}") from error
    except OSError as error:
        raise fault_of(path, error) from error


def code_of(error: sqlite3.Error) -> int:
    """The primary result code; 0 for what Python's module found itself."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
