"""Stores whose schema acts: views in place of tables, triggers that write along, columns that compute."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from cruxfinder.adapters.stores.sqlite_file import connect_to
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.errors import ForeignStore
from cruxfinder.ports import FalsifierOutcome, FalsifierResolution, Mark
from tests.attack.crux_command import hold_debate, run_here


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A store with one run, merged into its file, and the run's id."""
    path = tmp_path_factory.mktemp("kept") / "runs.db"
    run = hold_debate(path)
    do_sql(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    return path, run


@pytest.fixture
def copied(kept: tuple[Path, str], tmp_path: Path) -> tuple[Path, str]:
    path = tmp_path / "runs.db"
    shutil.copyfile(kept[0], path)
    return path, kept[1]


def do_sql(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


HIDE: Final = "ALTER TABLE runs RENAME TO kept_runs"
FOREIGN: Final[dict[str, tuple[str, ...]]] = {
    "a view that gives every run another topic": (
        HIDE,
        "CREATE VIEW runs AS SELECT number, id, 'owned' AS topic, pack, state, created, updated, parent, stop, length,"
        " head FROM kept_runs",
    ),
    "a view that makes runs up": (
        HIDE,
        "CREATE VIEW runs AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 99) SELECT x AS"
        " number, 'r' AS id, '' AS topic, '' AS pack, 'open' AS state, '' AS created, '' AS updated, '' AS parent,"
        " 0 AS stop, 0 AS length, NULL AS head FROM n",
    ),
    "a view of hosted runs": ("CREATE VIEW hosted AS SELECT id AS run, '{}' AS how FROM runs",),
    "a view beside the tables": ("CREATE VIEW other AS SELECT 1",),
    "a trigger that stops every run": ("CREATE TRIGGER t AFTER INSERT ON runs BEGIN UPDATE runs SET stop = 1; END",),
    "a trigger that keeps no entries": (
        "CREATE TRIGGER entries_t AFTER INSERT ON entries BEGIN DELETE FROM entries WHERE seq = NEW.seq; END",
    ),
    "a trigger of a run's own name": ("CREATE TRIGGER runs_t BEFORE UPDATE ON runs BEGIN SELECT raise(IGNORE); END",),
    "a table of ours with a check": (
        "DROP TABLE texts",
        "CREATE TABLE texts (sha BLOB PRIMARY KEY, text BLOB NOT NULL CHECK (length(text) < 5)) WITHOUT ROWID",
    ),
    "a table of ours with another default": ("CREATE TABLE hosted (run TEXT PRIMARY KEY, how TEXT DEFAULT 'x')",),
    "a column that computes": ("ALTER TABLE runs ADD COLUMN more TEXT AS (upper(topic))",),
    "an index of an expression": ("CREATE INDEX i ON runs (upper(topic))",),
    "a plain index": ("CREATE INDEX i ON entries (kind)",),
    "a virtual table": ("CREATE VIRTUAL TABLE replies USING fts5(run, turn, text)",),
    "a table of another program": ("CREATE TABLE bills (amount INTEGER)",),
    "a table without its name": ("ALTER TABLE texts RENAME TO other_texts",),
    "a table that is not there": ("DROP TABLE texts",),
}


@pytest.mark.parametrize("statements", FOREIGN.values(), ids=FOREIGN.keys())
def test_a_store_whose_schema_is_not_ours_is_refused_and_left_alone(
    copied: tuple[Path, str], statements: tuple[str, ...]
) -> None:
    path, run = copied
    do_sql(path, *statements, "PRAGMA wal_checkpoint(TRUNCATE)")
    before = path.read_bytes()
    for args in (("list",), ("show", run), ("resume", run), ("debate", "bitcoin", "--max-messages", "4")):
        told = run_here(path, *args)
        assert "not a store of Cruxfinder's" in told.sentence and told.out == "", args
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["a trigger that stops every run", "a view that gives every run another topic"])
def test_a_schema_that_waits_in_the_wal_is_refused_too(copied: tuple[Path, str], name: str) -> None:
    """What the file itself says is in order; SQLite reads both."""
    path, run = copied
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("PRAGMA wal_autocheckpoint = 0")
        for statement in FOREIGN[name]:
            holder.execute(statement)
        with closing(SqliteStore(path)) as store:
            with pytest.raises(ForeignStore, match="not a store of Cruxfinder's"):
                store.row(run)
            with pytest.raises(ForeignStore, match="not a store of Cruxfinder's"):
                store.create("r2", topic="", pack="")


HARMLESS: Final[dict[str, tuple[str, ...]]] = {
    "as it was made": (),
    "with statistics": ("ANALYZE",),
    "made compact": ("VACUUM",),
    "checked": ("REINDEX",),
    "of a version that did not count": ("ALTER TABLE runs DROP COLUMN head", "ALTER TABLE runs DROP COLUMN length"),
    "of a version that kept no head": ("ALTER TABLE runs DROP COLUMN head",),
    "with columns added later": (
        "ALTER TABLE runs DROP COLUMN head",
        "ALTER TABLE runs DROP COLUMN length",
        "ALTER TABLE runs ADD COLUMN length INTEGER",
        "ALTER TABLE runs ADD COLUMN head BLOB",
    ),
    "of other spaces": (
        "DROP TABLE IF EXISTS hosted",
        "CREATE TABLE hosted(run  TEXT PRIMARY KEY,\n how TEXT NOT NULL ) WITHOUT ROWID",
    ),
}


@pytest.mark.parametrize("statements", HARMLESS.values(), ids=HARMLESS.keys())
def test_every_store_that_a_cruxfinder_wrote_opens(copied: tuple[Path, str], statements: tuple[str, ...]) -> None:
    path, run = copied
    do_sql(path, *statements)
    assert run_here(path, "show", run).code == run_here(path, "replay", run).code == 0
    with closing(SqliteStore(path)) as store:
        store.put_outcome(
            FalsifierResolution(
                run=run, mark=Mark("t1", "a", 1), outcome=FalsifierOutcome.MET, note="", day="2026-01-01"
            )
        )
        store.put_reply(run, "t1", "yes")
        store.host(run, "{}")
    assert run_here(path, "debate", "bitcoin", "--max-messages", "4").code == 0
    assert run_here(path, "list").code == 0


def test_no_text_of_a_schema_may_call_functions(copied: tuple[Path, str]) -> None:
    with closing(connect_to(copied[0], "mode=rw")) as connection:
        assert connection.execute("PRAGMA trusted_schema").fetchone() == (0,)
