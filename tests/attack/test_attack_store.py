"""A store that others could read, reach by a second name, or put something else in the place of."""

import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.errors import RunTaken, StoreFault, UnsafeFile
from cruxfinder.ports import Entry
from tests.attack.bounded_child import run_bounded
from tests.attack.crux_command import PATIENCE_S, ROOT, hold_debate, run_beside, run_here

ENTRY = Entry(seq=1, kind="event", body="{}", hash="0" * 64)
UNIX = pytest.mark.skipif(os.name == "nt", reason="Windows has other rights and other links")
pytestmark = UNIX


def write_run(path: Path, run: str = "d1") -> None:
    with closing(SqliteStore(path)) as store:
        store.create(run, topic="cars", pack="demo")
        store.append(run, [ENTRY]).result()
        with store.claim(run):
            pass


def modes(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): stat.S_IMODE(path.lstat().st_mode) for path in sorted(folder.rglob("*"))}


@contextmanager
def no_umask() -> Generator[None]:
    """As in a container whose programs may make files for everybody."""
    before = os.umask(0)
    try:
        yield
    finally:
        os.umask(before)


# ---- nobody else reads it


def test_what_a_store_makes_is_its_owners_alone(tmp_path: Path) -> None:
    with no_umask(), closing(SqliteStore(tmp_path / "new" / "deep" / "runs.db")) as store:
        store.create("d1", topic="cars", pack="demo")
        store.append("d1", [ENTRY]).result()
        assert store.load("d1") == (ENTRY,)
        with store.claim("d1"):
            assert modes(tmp_path) == {
                "new": 0o700,
                "new/deep": 0o700,
                "new/deep/runs.db": 0o600,
                "new/deep/runs.db-shm": 0o600,
                "new/deep/runs.db-wal": 0o600,
                "new/deep/runs.db.locks": 0o700,
                "new/deep/runs.db.locks/d1.lock": 0o600,
            }


def test_a_debate_leaves_nothing_that_others_can_read(tmp_path: Path) -> None:
    with no_umask():
        hold_debate(tmp_path / "in" / "runs.db")
    found = modes(tmp_path / "in")
    assert len(found) == 3 and not any(mode & 0o077 for mode in found.values()), found


@pytest.mark.parametrize("use", ["read", "write"])
def test_a_store_of_older_and_wider_modes_is_closed_to_others(tmp_path: Path, use: str) -> None:
    path = tmp_path / "runs.db"
    write_run(path)
    with closing(SqliteStore(path)) as holder:  # so that there are a WAL and its index
        holder.create("d2", topic="", pack="")
        for known in tmp_path.rglob("*"):
            known.chmod(0o777 if known.is_dir() else 0o666)
        if use == "write":
            write_run(path, "d3")
            with closing(SqliteStore(path)) as store, store.claim("d1"):
                pass
        else:
            with closing(SqliteStore(path)) as store:
                assert store.load("d1") == (ENTRY,)
        found = modes(tmp_path)
    closed = {"runs.db", "runs.db-wal", "runs.db-shm", "runs.db.locks"}
    if use == "write":
        closed |= {"runs.db.locks/d1.lock", "runs.db.locks/d3.lock"}
    assert {name for name, mode in found.items() if not mode & 0o077} == closed


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can give a file away")
def test_the_modes_of_somebody_elses_store_are_theirs(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    write_run(path)
    path.chmod(0o644)
    os.chown(path, 4242, 4242)
    assert "d1" in run_here(path, "list").out
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


# ---- one store by any name


def link_to_file(path: Path) -> Path:
    link = path.parent / "link.db"
    link.symlink_to(path)
    return link


def relative_link(path: Path) -> Path:
    elsewhere = path.parent.parent / "elsewhere"
    elsewhere.mkdir()
    link = elsewhere / "link.db"
    link.symlink_to(os.path.relpath(path, elsewhere))
    return link


def link_to_link(path: Path) -> Path:
    link = path.parent / "second.db"
    link.symlink_to(link_to_file(path))
    return link


def link_above(path: Path) -> Path:
    link = path.parent.parent / "folder"
    link.symlink_to(path.parent, target_is_directory=True)
    return link / path.name


def way_round(path: Path) -> Path:
    return path.parent / ".." / path.parent.name / path.name


NAMES = [link_to_file, relative_link, link_to_link, link_above, way_round]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("made", [True, False], ids=["a store that is there", "a store that is made through the name"])
def test_a_run_is_taken_whatever_the_store_is_called(tmp_path: Path, name: Callable[[Path], Path], made: bool) -> None:
    path = tmp_path / "real" / "runs.db"
    path.parent.mkdir()
    if made:
        write_run(path)
    other = name(path)
    if not made:
        write_run(other)
        assert not path.is_symlink() and path.is_file()
    with closing(SqliteStore(path)) as one, closing(SqliteStore(other)) as two:
        with one.claim("d1"), pytest.raises(RunTaken), two.claim("d1"):
            pass
        with two.claim("d1"), pytest.raises(RunTaken), one.claim("d1"):
            pass
        two.create("d2", topic="", pack="")
        two.append("d2", [ENTRY]).result()
        assert one.load("d2") == (ENTRY,), "what waits in the WAL is seen by both names"
    beside = {path.name for folder in (tmp_path, *tmp_path.rglob("*/")) for path in folder.glob("*.locks")}
    assert beside == {"runs.db.locks"}


HOLD = """
import sys
from pathlib import Path
from cruxfinder.adapters.stores.sqlite_store import SqliteStore

with SqliteStore(Path(sys.argv[1])).claim(sys.argv[2]):
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_a_run_held_by_another_process_is_not_resumed_through_a_link(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    run = hold_debate(path)
    link = link_to_file(path)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path), run], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdin is not None and holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        assert "is taken: another process is writing it" in run_here(link, "resume", run).sentence
        holder.stdin.close()
    assert run_here(link, "resume", run).code == 0


def test_a_store_with_two_names_of_its_own_is_refused(tmp_path: Path) -> None:
    path, other = tmp_path / "runs.db", tmp_path / "other.db"
    write_run(path)
    os.link(path, other)
    for known in (path, other):
        for args in (("list",), ("show", "d1"), ("debate", "bitcoin")):
            assert "has a second name (a hard link)" in run_here(known, *args).sentence
    with closing(SqliteStore(other)) as store, pytest.raises(UnsafeFile):
        store.append("d1", [ENTRY]).result()
    assert not list(tmp_path.glob("*-wal"))
    other.unlink()
    assert run_here(path, "list").code == 0


# ---- something else in its place


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


PLANTED = {
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
    "a socket": make_socket,
    "a device that never ends": lambda path: path.symlink_to("/dev/zero"),
    "a terminal": lambda path: path.symlink_to("/dev/tty"),
    "a link to a pipe": lambda path: (os.mkfifo(path.parent / "pipe"), path.symlink_to(path.parent / "pipe")),
    "a link to itself": lambda path: path.symlink_to(path),
    "another file of the user": lambda path: path.write_text("Dear diary\n" * 400),
}


@pytest.mark.parametrize("plant", PLANTED.values(), ids=list(PLANTED))
def test_what_is_no_store_is_one_sentence_and_nobody_waits(
    tmp_path: Path, plant: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    plant(Path("runs.db"))
    before = {path.name: path.lstat().st_mode for path in tmp_path.iterdir()}
    for args in (("list",), ("show", "d1"), ("debate", "bitcoin")):
        assert "store" in run_here(tmp_path / "runs.db", *args).sentence
    assert {path.name: path.lstat().st_mode for path in tmp_path.iterdir()} == before


def test_a_pipe_in_place_of_a_lock_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    write_run(path)
    lock = tmp_path / "runs.db.locks" / "d1.lock"
    lock.unlink()
    os.mkfifo(lock)
    began = time.monotonic()
    with closing(SqliteStore(path)) as store, pytest.raises(StoreFault, match=r"d1\.lock"), store.claim("d1"):
        pass
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("planted", ["runs.db.locks", "runs.db.locks/d1.lock"])
def test_a_link_in_place_of_a_lock_is_not_followed(tmp_path: Path, planted: str) -> None:
    path, precious = tmp_path / "runs.db", tmp_path / "precious"
    precious.mkdir()
    (precious / "diary").write_text("Dear diary")
    (precious / "diary").chmod(0o644)
    write_run(path)
    place = tmp_path / planted
    (tmp_path / "runs.db.locks" / "d1.lock").unlink()
    if place.is_dir():
        place.rmdir()
        place.symlink_to(precious, target_is_directory=True)
    else:
        place.symlink_to(precious / "diary")
    with closing(SqliteStore(path)) as store, pytest.raises(UnsafeFile, match="is a link"), store.claim("d1"):
        pass
    assert modes(precious) == {"diary": 0o644}


@pytest.mark.slow
@pytest.mark.parametrize("plant", PLANTED.values(), ids=list(PLANTED))
def test_the_command_itself_does_not_wait_either(
    tmp_path: Path, plant: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plant(Path("runs.db"))
    for args in (("list",), ("resume", "d1"), ("debate", "bitcoin")):
        assert "store" in run_beside(tmp_path / "runs.db", *args).sentence


# ---- a store that may only be read


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A store with a debate that is over, and the debate's id."""
    path = tmp_path_factory.mktemp("kept") / "runs.db"
    return path, hold_debate(path)


def reading(run: str) -> list[tuple[str, ...]]:
    return [
        ("list",),
        ("show", run),
        ("events", run),
        ("replay", run),
        ("export", run, "--format", "md"),
        ("report", run, "--out", f"{tempfile.gettempdir()}/crux-read-only-report.html", "--force"),
        ("watch", run),
        ("ledger",),
        ("diff", run, run),
    ]


def writing(run: str) -> list[tuple[str, ...]]:
    return [
        ("debate", "bitcoin"),
        ("debate", "bitcoin", "--runs", "2"),
        ("debate", "A topic of one's own", "--model", "compatible:none", "--base-url", "http://127.0.0.1:9/v1"),
        ("resume", run),
        ("fork", run, "--at", "1", "--set", "persona.holder.openness=1"),
    ]


@contextmanager
def read_only(path: Path, *, file: bool, folder: bool) -> Generator[None]:
    before = stat.S_IMODE(path.parent.stat().st_mode)
    if file:
        path.chmod(0o400)
    if folder:
        path.parent.chmod(0o500)
    try:
        yield
    finally:
        path.parent.chmod(before)


@pytest.mark.parametrize(
    ("file", "folder"),
    [
        pytest.param(True, True, id="its file and its folder"),
        pytest.param(False, True, id="its folder", marks=pytest.mark.slow),
        pytest.param(True, False, id="its file", marks=pytest.mark.slow),
    ],
)
def test_a_store_that_may_only_be_read_is_read_and_not_written(
    tmp_path: Path, kept: tuple[Path, str], file: bool, folder: bool
) -> None:
    path, run = tmp_path / "runs.db", kept[1]
    shutil.copy(kept[0], path)
    path.chmod(0o600)
    with read_only(path, file=file, folder=folder):
        before = path.read_bytes()
        asked = reading(run)
        outcomes = run_bounded(path, [*asked, *writing(run)])
        assert path.read_bytes() == before
    for args, outcome in zip(asked, outcomes, strict=False):
        assert outcome.code == 0, (args, outcome)
    assert run in outcomes[0].out
    for outcome in outcomes[len(asked) :]:
        assert outcome.code == 2
        assert outcome.sentence == (
            f"crux: the store {path} may only be read; name another with --store or CRUX_STORE\n"
        )


def test_what_waits_in_a_wal_is_read_where_nothing_may_be_made_beside_it(tmp_path: Path) -> None:
    """As on a snapshot that was taken while a debate was under way."""
    live, frozen = tmp_path / "live.db", tmp_path / "frozen" / "runs.db"
    frozen.parent.mkdir()
    with closing(SqliteStore(live)) as store:
        store.create("d1", topic="cars", pack="demo")
        store.append("d1", [ENTRY]).result()
        for ending in ("", "-wal"):
            shutil.copy(f"{live}{ending}", f"{frozen}{ending}")
    assert Path(f"{frozen}-wal").stat().st_size
    with read_only(frozen, file=True, folder=True):
        before = sorted(path.name for path in frozen.parent.iterdir())
        (listed,) = run_bounded(frozen, [("list",)])
        assert sorted(path.name for path in frozen.parent.iterdir()) == before
    assert "d1" in listed.out and "open" in listed.out, listed


def test_a_folder_that_may_not_be_written_takes_no_new_store(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir()
    with read_only(folder / "runs.db", file=False, folder=True):
        listed, refused = run_bounded(folder / "runs.db", [("list",), ("debate", "bitcoin")])
        deep = run_bounded(folder / "deep" / "runs.db", [("debate", "bitcoin")])[0]
    assert listed.code == 0 and "There are no runs yet" in listed.out
    for outcome in (refused, deep):
        assert "may only be read" in outcome.sentence


# ---- no room, no memory


def test_a_disk_that_takes_no_more_is_told_and_what_was_written_stays(tmp_path: Path, kept: tuple[Path, str]) -> None:
    path = tmp_path / "runs.db"
    shutil.copy(kept[0], path)
    size = path.stat().st_size
    listed, refused, after = run_bounded(
        path, [("list",), ("debate", "bitcoin", "--json"), ("show", kept[1])], file_bytes=size // 2
    )
    assert listed.code == after.code == 0
    assert "the disk" in refused.sentence and "full" in refused.sentence
    assert run_here(path, "replay", kept[1]).code == 0


def test_an_answer_to_a_full_disk_is_one_sentence(kept: tuple[Path, str]) -> None:
    full = run_beside(kept[0], "list", wrapper=("sh", "-c", 'exec "$@" > /dev/full', "sh"))
    assert full.code == 2 and "the output cannot be written: No space left" in full.sentence


@pytest.mark.slow
@pytest.mark.parametrize("megabytes", [36, 40, 48, 56, 64, 80, 102, 108, 160, 260, 268, 276, 300, 400])
@pytest.mark.parametrize("command", ["list", "show", "replay", "debate"])
def test_where_memory_is_short_the_command_says_so_or_works(
    kept: tuple[Path, str], tmp_path: Path, megabytes: int, command: str
) -> None:
    args = {"list": (), "debate": ("bitcoin",)}.get(command, (kept[1],))
    path = tmp_path / "runs.db"
    shutil.copy(kept[0], path)
    code = f"import sys\n{SHORT_OF_MEMORY.format(bytes=megabytes << 20)}\nfrom cruxfinder.cli.entry import run\nrun()"
    found = subprocess.run(
        [sys.executable, "-c", code, "--store", str(path), command, *args],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    if found.returncode:
        assert (found.returncode, found.stderr) == (1, "crux: there is not enough memory for this\n")
    with closing(SqliteStore(path)) as store:
        assert store.row(kept[1]).state == "complete"


SHORT_OF_MEMORY = "import resource; resource.setrlimit(resource.RLIMIT_AS, ({bytes}, {bytes}))"


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(12, "Cannot allocate memory"),
        ImportError("lib.so: failed to map segment from shared object"),
        RuntimeError("can't start new thread"),
        SystemError("error return without exception set"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_want_of_memory_is_one_sentence_whatever_it_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(store: SqliteStore) -> None:
        raise error

    monkeypatch.setattr(SqliteStore, "rows", fail)
    told = run_here(tmp_path / "runs.db", "list")
    assert (told.code, told.sentence) == (1, "crux: there is not enough memory for this\n")
