"""What only a file can go through: crashes, other processes, foreign files, a full disk."""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import IO, Any

import pytest

from cruxfinder.adapters.stores.sqlite_schema import FORMAT
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.errors import ForeignStore, NoSuchRun, RunTaken, StaleWriter, StoreFault
from cruxfinder.ports import Entry, FalsifierOutcome, FalsifierResolution, Mark

LETTERS = Random(0).randbytes(450).hex()  # nothing for the deflater to gain
PAGE = 4096 + 24  # a page and its frame's header in the WAL


def entry(seq: int, body: str = LETTERS) -> Entry:
    return Entry(seq=seq, kind="event", body=body, hash=hashlib.sha256(body.encode()).hexdigest())


def written(path: Path, count: int = 1) -> None:
    with closing(SqliteStore(path)) as store:
        store.create("d1", topic="cars", pack="demo")
        store.append("d1", [entry(seq) for seq in range(1, count + 1)]).result()


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@contextmanager
def process(code: str, *arguments: str | Path) -> Generator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        try:
            yield child
        finally:
            child.kill()


def line(stream: IO[str] | None) -> str:
    assert stream is not None
    return stream.readline().strip()


# ---- crashes and other processes


def test_what_was_written_is_there_after_reopening(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    sha = hashlib.sha256(b"text").hexdigest()
    written(path, 3)
    with closing(SqliteStore(path)) as store:
        store.put_text(sha, "text")
        store.request_stop("d1")
        store.finish("d1")
    with closing(SqliteStore(path)) as store:
        assert store.load("d1") == (entry(1), entry(2), entry(3))
        assert (store.row("d1").state, store.row("d1").entries) == ("complete", 3)
        assert store.stop_requested("d1")
        assert store.text(sha) == "text"
    assert list(tmp_path.iterdir()) == [path]


def test_a_store_from_before_there_were_outcomes_takes_one_and_keeps_its_format(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    met = FalsifierResolution(run="d1", mark=Mark("t1", "ann", 1), outcome=FalsifierOutcome.MET, day="2027-06-30")
    written(path, 3)
    assert asked(path, "SELECT name FROM sqlite_master WHERE name = 'outcomes'") == []
    with closing(SqliteStore(path)) as reading, closing(SqliteStore(path)) as writing:
        assert reading.outcomes("d1") == ()
        writing.put_outcome(met)
        assert reading.outcomes("d1") == (met,)
    with closing(SqliteStore(path)) as again:
        assert again.outcomes("d1") == (met,)
        assert again.load("d1") == (entry(1), entry(2), entry(3))
    assert asked(path, "PRAGMA user_version") == [(1,)]


def test_an_outcome_nobody_wrote_is_told(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    written(path)
    with closing(SqliteStore(path)) as store:
        store.put_outcome(
            FalsifierResolution(run="d1", mark=Mark("t1", "ann", 1), outcome=FalsifierOutcome.MET, day="2027-06-30")
        )
    asked(path, "UPDATE outcomes SET outcome = 'maybe'")
    with closing(SqliteStore(path)) as store, pytest.raises(ForeignStore, match="an outcome that no Cruxfinder wrote"):
        store.outcomes("d1")


def asked(path: Path, statement: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(statement).fetchall()


def test_two_stores_on_one_file_see_each_other_and_the_fence_holds(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    with closing(SqliteStore(path)) as one, closing(SqliteStore(path)) as two:
        one.create("d1", topic="", pack="")
        two.append("d1", [entry(1)]).result()
        with pytest.raises(StaleWriter):
            one.append("d1", [entry(1)]).result()
        one.append("d1", [entry(2)]).result()
        assert two.load("d1") == (entry(1), entry(2))


HOLD = """
import sys
from pathlib import Path
from cruxfinder.errors import RunTaken
from cruxfinder.adapters.stores.sqlite_store import SqliteStore

try:
    with SqliteStore(Path(sys.argv[1])).claim("d1"):
        print("held", flush=True)
        sys.stdin.readline()
    print("freed", flush=True)
except RunTaken as taken:
    print(taken, flush=True)
"""


def test_two_processes_cannot_claim_the_same_run(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    with process(HOLD, path) as holder:
        assert line(holder.stdout) == "held"
        with process(HOLD, path) as other:
            assert line(other.stdout) == "run d1 is taken: another process is writing it"
        with pytest.raises(RunTaken), SqliteStore(path).claim("d1"):
            pass
        assert holder.stdin is not None
        holder.stdin.write("\n")
        holder.stdin.flush()
        assert line(holder.stdout) == "freed"
        with SqliteStore(path).claim("d1"):
            pass


def test_a_killed_holder_lets_go(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    with process(HOLD, path) as holder:
        assert line(holder.stdout) == "held"
        holder.kill()
        holder.wait()
        with SqliteStore(path).claim("d1"):
            pass


WRITE = """
import hashlib, sys
from pathlib import Path
from random import Random
from cruxfinder.ports import Entry
from cruxfinder.adapters.stores.sqlite_store import SqliteStore

store = SqliteStore(Path(sys.argv[1]))
store.create("d1", topic="", pack="")
body = Random(0).randbytes(450).hex()
sha = hashlib.sha256(body.encode()).hexdigest()
seq = 0
while True:
    group = [store.append("d1", [Entry(seq=seq + n, kind="event", body=body, hash=sha)]) for n in range(1, 8)]
    seq += 7
    for done in group:
        done.result()
    print(seq, flush=True)
"""


@pytest.mark.parametrize("acknowledged", [7, 70, 700])
def test_a_killed_writer_leaves_a_prefix_with_all_that_was_acknowledged(tmp_path: Path, acknowledged: int) -> None:
    path = tmp_path / "runs.db"
    with process(WRITE, path) as writer:
        while int(line(writer.stdout)) < acknowledged:
            pass
        writer.kill()
        writer.wait()
    with closing(SqliteStore(path)) as store:
        left = store.load("d1")
        assert len(left) >= acknowledged
        assert left == tuple(entry(seq) for seq in range(1, len(left) + 1))
        store.append("d1", [entry(len(left) + 1)]).result()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_store_killed_while_its_wal_was_merged_is_whole(tmp_path: Path) -> None:
    path, copy = tmp_path / "runs.db", tmp_path / "copy.db"
    with closing(SqliteStore(path)) as store:
        store.create("d1", topic="", pack="")
        store.append("d1", [entry(seq) for seq in range(1, 51)]).result()
        shutil.copy(path, copy)
        shutil.copy(f"{path}-wal", f"{copy}-wal")
    with path.open("rb") as merged, copy.open("r+b") as file:
        file.write(merged.read(4096))  # the first page says how many there are; the others did not arrive
    with closing(SqliteStore(copy)) as store:
        assert len(store.load("d1")) == 50


CREATE = """
import sys
from pathlib import Path
from cruxfinder.ports import Entry
from cruxfinder.adapters.stores.sqlite_store import SqliteStore

sys.stdin.readline()
store = SqliteStore(Path(sys.argv[1]))
store.create(sys.argv[2], topic="", pack="")
store.append(sys.argv[2], [Entry(seq=1, kind="event", body="{}", hash="0" * 64)]).result()
store.close()
print("created", flush=True)
"""


def test_processes_may_make_the_store_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    with (
        process(CREATE, path, "a") as one,
        process(CREATE, path, "b") as two,
        process(CREATE, path, "c") as three,
    ):
        for child in (one, two, three):
            assert child.stdin is not None
            child.stdin.write("\n")
            child.stdin.flush()
        assert [line(child.stdout) for child in (one, two, three)] == ["created"] * 3
    with closing(SqliteStore(path)) as store:
        assert {row.id for row in store.rows()} == {"a", "b", "c"}


# ---- groups


def test_what_queues_up_is_committed_together_and_a_stale_one_fails_alone(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    with closing(SqliteStore(path)) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        store.create("d1", topic="", pack="")
        before = path.with_name("runs.db-wal").stat().st_size
        other.execute("BEGIN IMMEDIATE")
        calls = [entry(seq, "short") for seq in range(1, 101)]
        calls.insert(50, entry(7, "stale"))
        waiting = [store.append("d1", [call]) for call in calls]
        other.execute("COMMIT")
        outcomes = [done.exception() for done in waiting]
        assert [seq for seq, outcome in enumerate(outcomes) if outcome] == [50]
        assert isinstance(outcomes[50], StaleWriter)
        assert len(store.load("d1")) == 100
        assert path.with_name("runs.db-wal").stat().st_size - before < 100 * PAGE


def test_a_bug_in_one_append_reaches_its_caller_and_spares_the_others(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    half = Entry(seq=3, kind="event", body="\ud800", hash="0" * 64)  # no UTF-8 for half a character
    with closing(SqliteStore(path)) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        store.create("d1", topic="", pack="")
        other.execute("BEGIN IMMEDIATE")
        waiting = [store.append("d1", group) for group in ([entry(1)], [entry(2), half], [entry(2)])]
        other.execute("COMMIT")
        assert [type(done.exception()) for done in waiting] == [type(None), UnicodeEncodeError, type(None)]
        assert store.load("d1") == (entry(1), entry(2))


def test_a_reader_in_the_middle_of_reading_does_not_hinder_the_writer(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    written(path, 50)
    with closing(SqliteStore(path)) as store, closing(sqlite3.connect(path)) as reader:
        reading = reader.execute("SELECT seq FROM entries")
        assert reading.fetchone() == (1,)
        store.append("d1", [entry(51)]).result()
        assert len(store.load("d1")) == 51
        assert len(reading.fetchall()) == 49


# ---- the size of the file


@pytest.mark.parametrize("size", [300, 600, 1100, 3000])
def test_the_file_is_hardly_larger_than_what_it_holds(tmp_path: Path, size: int) -> None:
    path = tmp_path / "runs.db"
    with closing(SqliteStore(path)) as store:
        store.create("d1", topic="", pack="")
        store.append("d1", [entry(seq, "x" * size) for seq in range(1, 301)]).result()
    assert path.stat().st_size < 1.6 * 300 * size


# ---- files that are not ours


def other_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE runs (id TEXT)")
        connection.commit()


def newer(path: Path) -> None:
    written(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {FORMAT + 1}")


def cut(path: Path) -> None:
    written(path, 50)
    os.truncate(path, 3 * 4096)


def overwritten(path: Path) -> None:
    written(path, 50)
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xee" * (size - 4096))


@pytest.mark.parametrize(
    ("make", "why"),
    [
        pytest.param(lambda path: path.write_text("Dear diary\n" * 500), "damaged or not", id="a text"),
        pytest.param(lambda path: path.write_text("Hi"), "damaged or not", id="a tiny text"),
        pytest.param(lambda path: path.mkdir(), "is not a file", id="a folder"),
        pytest.param(os.mkfifo, "is not a file", id="a pipe"),
        pytest.param(other_program, "another program", id="another program's database"),
        pytest.param(newer, r"newer Cruxfinder \(store format 2, this one reads 1\)", id="a newer format"),
        pytest.param(cut, "damaged or not", id="a store cut short"),
        pytest.param(overwritten, "damaged or not", id="a store overwritten"),
    ],
)
def test_a_foreign_file_is_refused_and_left_as_it_was(tmp_path: Path, make: Any, why: str) -> None:
    path = tmp_path / "runs.db"
    make(path)
    before = files(tmp_path)
    with closing(SqliteStore(path)) as store:
        with pytest.raises(ForeignStore, match=why):
            store.rows()
        with pytest.raises(ForeignStore, match=why):
            store.create("d2", topic="", pack="")
        with pytest.raises(ForeignStore, match=why):
            store.append("d1", [entry(51)]).result()
    assert files(tmp_path) == before


def test_reading_a_missing_store_makes_nothing(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "deep" / "runs.db")) as store:
        assert store.rows() == ()
        with pytest.raises(NoSuchRun):
            store.load("d1")
        with pytest.raises(NoSuchRun):
            store.request_stop("d1")
    assert list(tmp_path.iterdir()) == []


def test_reading_an_empty_file_leaves_it_empty_and_writing_makes_it_a_store(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    path.touch()
    with closing(SqliteStore(path)) as store:
        assert store.rows() == ()
        assert files(tmp_path) == {path: b""}
        store.create("d1", topic="", pack="")
        store.append("d1", [entry(1)]).result()
        assert [row.id for row in store.rows()] == ["d1"]


def test_a_file_whose_name_needs_quoting_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "50% #1?mode=ro &c é.db"
    written(path)
    with closing(SqliteStore(path)) as store:
        assert store.load("d1") == (entry(1),)
    assert list(tmp_path.iterdir()) == [path]


# ---- disks that fail


def test_a_path_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with closing(SqliteStore(tmp_path / "file" / "runs.db")) as store:
        for call in (
            lambda: store.create("d1", topic="", pack=""),
            lambda: store.append("d1", [entry(1)]).result(),
            lambda: store.claim("d1").__enter__(),
        ):
            with pytest.raises(StoreFault, match=r"(Not a directory|File exists|is no folder)$"):
                call()


def test_a_full_disk_is_a_fault_and_earlier_entries_survive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "runs.db"
    written(path, 20)
    connect = sqlite3.connect

    def connect_to_a_small_disk(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        connection.execute("PRAGMA max_page_count = 12")
        return connection

    with monkeypatch.context() as small, closing(SqliteStore(path)) as store:
        small.setattr(sqlite3, "connect", connect_to_a_small_disk)
        with pytest.raises(StoreFault, match="the disk is full"):
            store.append("d1", [entry(seq) for seq in range(21, 100)]).result()
        with pytest.raises(StoreFault, match="the disk is full"):
            store.create("d2", topic="x" * 100_000, pack="")
        assert len(store.load("d1")) == 20
    with closing(SqliteStore(path)) as store:
        assert [row.id for row in store.rows()] == ["d1"]
        store.append("d1", [entry(21)]).result()
        assert store.load("d1") == tuple(entry(seq) for seq in range(1, 22))


LIMITED = """
import resource, sys
from random import Random
from pathlib import Path
from cruxfinder.errors import StoreFault
from cruxfinder.ports import Entry
from cruxfinder.adapters.stores.sqlite_store import SqliteStore

store = SqliteStore(Path(sys.argv[1]))
entries = [Entry(seq=n, kind="event", body=Random(n).randbytes(450).hex(), hash="0" * 64) for n in range(21, 200)]
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, hard))
try:
    store.append("d1", entries).result()
except StoreFault as fault:
    print(fault, flush=True)
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
store.append("d1", entries).result()
print(store.row("d1").entries, flush=True)
"""


def test_once_a_disk_has_room_again_the_same_store_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    written(path, 20)
    with process(LIMITED, path) as child:
        assert line(child.stdout).startswith(f"the store {path} failed: the disk takes no more, for it is full")
        assert line(child.stdout) == "199"
