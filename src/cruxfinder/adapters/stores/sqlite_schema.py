"""Which tables a store has, and the check that it has no others: a view or a trigger would act in our name.

SQLite runs what the schema of a file says: a view in place of a table answers every question as its author likes, and
a trigger writes whenever we do. So each object of the schema has to be one that some Cruxfinder made, word by word.
"""

import re
import sqlite3
from pathlib import Path
from typing import Final

from cruxfinder.errors import ForeignStore

APPLICATION: Final = int.from_bytes(b"Crux")
FORMAT: Final = 1

# `entries` keeps its rowid: without it SQLite moves most of a row above 1 kB to a page of its own, and the
# file grows to four times the bodies. `number` saves repeating the run's id in every entry.
RUNS: Final = (
    "CREATE TABLE runs (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, topic TEXT NOT NULL,"
    " pack TEXT NOT NULL, state TEXT NOT NULL, created TEXT NOT NULL, updated TEXT NOT NULL,"
    " parent TEXT NOT NULL, stop INTEGER NOT NULL{added})"
)
ENTRIES: Final = (
    "CREATE TABLE entries (run INTEGER NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL,"
    " hash BLOB NOT NULL, body BLOB NOT NULL, PRIMARY KEY (run, seq))"
)
TEXTS: Final = "CREATE TABLE texts (sha BLOB PRIMARY KEY, text BLOB NOT NULL) WITHOUT ROWID"

# How many entries a run's log has and the hash of the last: a log that lost its end through damage looks whole by
# itself. Stores written before there were any get the columns with the first write, and of their runs it is not known.
ADDED: Final = {"length": "length INTEGER", "head": "head BLOB"}

SCHEMA: Final = (
    RUNS.format(added="".join(f", {column}" for column in ADDED.values())),
    ENTRIES,
    TEXTS,
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

SPACES: Final = re.compile(r"\s+")
AROUND_SIGNS: Final = re.compile(r" ?([(),]) ?")
STATISTICS: Final = frozenset({"sqlite_sequence", "sqlite_stat1", "sqlite_stat3", "sqlite_stat4"})
INDEX_OF_KEY: Final = "sqlite_autoindex_"


def plain_sql(statement: str) -> str:
    """A statement as it can be compared: SQLite keeps the spaces of whoever wrote it."""
    spaced = SPACES.sub(" ", statement.strip()).lower().replace(" if not exists ", " ")
    return AROUND_SIGNS.sub(r"\1", spaced)


KNOWN: Final = {
    "runs": frozenset(
        plain_sql(RUNS.format(added="".join(f", {column}" for column in tuple(ADDED.values())[:count])))
        for count in range(len(ADDED) + 1)
    ),
    **{
        name: frozenset({plain_sql(statement)})
        for name, statement in (
            ("entries", ENTRIES),
            ("texts", TEXTS),
            ("outcomes", OUTCOMES),
            ("replies", REPLIES),
            ("hosted", HOSTED),
        )
    },
}
ALWAYS: Final = frozenset({"runs", "entries", "texts"})


def check_schema(path: Path, connection: sqlite3.Connection) -> None:
    """Raise ForeignStore for a store with anything in it that no Cruxfinder made, or without its tables."""
    found: set[str] = set()
    for kind, name, table, sql in connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"):
        if not is_known(kind, name, table, sql):
            raise ForeignStore(
                f"{path} is not a store of Cruxfinder's: it holds a {str(kind)[:20]} {str(name)[:60]!r}"
                " that no Cruxfinder made"
            )
        found.add(str(name))
    if missing := sorted(ALWAYS - found):
        raise ForeignStore(f"{path} is not a store of Cruxfinder's: it has no table {missing[0]!r}")


def is_known(kind: object, name: object, table: object, sql: object) -> bool:
    match kind, name, sql:
        case "table", str(), str() if name in KNOWN:
            return name == table and plain_sql(sql) in KNOWN[name]
        case "table", str(), _:
            return name in STATISTICS
        case "index", str(), None:
            return name.startswith(INDEX_OF_KEY) and table in KNOWN
        case _:
            return False


def missing_columns(connection: sqlite3.Connection) -> tuple[str, ...]:
    """The statements that bring a store of an older version up to date."""
    known = {str(row[0]) for row in connection.execute("SELECT name FROM pragma_table_info('runs')")}
    return tuple(f"ALTER TABLE runs ADD COLUMN {column}" for name, column in ADDED.items() if name not in known)
