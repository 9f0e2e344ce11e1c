"""Where the store lies on each platform, and how a file beside it keeps a run to one writer (DESIGN §3)."""

import errno
import os
import stat
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from cruxfinder.adapters.stores.log_checks import RUN_ID
from cruxfinder.errors import FullDisk, ReadOnlyStore, RunTaken, StoreFault, UnsafeFile
from cruxfinder.kernel.private_files import FILE_MODE, make_folder, open_private

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
READ_ONLY: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
TAKEN: Final = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK})


def default_path(env: Mapping[str, str], platform: str, home: Path) -> Path:
    """`runs.db` in the platform's folder for a program's data."""
    return _data_folder(env, platform, home) / "cruxfinder" / "runs.db"


def _data_folder(env: Mapping[str, str], platform: str, home: Path) -> Path:
    match platform:
        case "darwin":
            return home / "Library" / "Application Support"
        case "win32":
            local = env.get("LOCALAPPDATA", "")
            return Path(local) if local else home / "AppData" / "Local"
        case _:
            data = Path(env.get("XDG_DATA_HOME", ""))
            # The XDG specification has relative paths ignored.
            return data if data.is_absolute() else home / ".local" / "share"


def real_path(path: Path) -> Path:
    """The file itself, behind every link: what lies beside it, its lock and its WAL, is then the same by any name."""
    return Path(os.path.realpath(path))


def make_file(path: Path) -> None:
    """Make an empty file for its owner alone, unless there is one; SQLite gives what it makes beside it the same mode.

    Call it for one file in one thread at a time: closing a file drops the locks SQLite has on it in this process.
    """
    make_folder(path.parent)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE))


def restrict_to_owner(path: Path) -> None:
    """Take the rights of group and others from a file or folder of ours, if it is there; leave anybody else's alone."""
    with suppress(OSError):  # it is gone, or its disk may not be written, or knows no rights
        found = path.lstat()
        if os.name == "nt" or stat.S_ISLNK(found.st_mode) or found.st_uid != os.geteuid():
            return
        published = not found.st_mode & stat.S_IWUSR  # what even its owner may not write was laid open on purpose
        if found.st_mode & 0o077 and not published:
            path.chmod(stat.S_IMODE(found.st_mode) & ~0o077)


def check_only_name(path: Path, found: os.stat_result) -> None:
    """Raise UnsafeFile for a store with a second name: SQLite would keep a WAL beside each, and lose what is in one."""
    if found.st_nlink > 1:
        raise UnsafeFile(f"{path} has a second name (a hard link), and a store must have one; copy it instead")


def fault_of(path: Path, error: OSError) -> StoreFault:
    """What the system reports of a store, in one sentence."""
    if error.errno in NO_ROOM:
        return FullDisk(f"the store {path} failed: the disk is full")
    if error.errno in READ_ONLY:
        return read_only_fault(path)
    return StoreFault(f"the store {path} failed: {error.strerror}")


def read_only_fault(path: Path) -> ReadOnlyStore:
    return ReadOnlyStore(f"the store {path} may only be read; name another with --store or CRUX_STORE")


def check_writable(path: Path) -> None:
    """Raise ReadOnlyStore where a store or the folder for what lies beside it may not be written. Nothing is made."""
    for needed in (path, path.parent):
        nearest = next((p for p in (needed, *needed.parents) if p.exists()), None)
        if nearest is not None and not os.access(nearest, os.W_OK):
            raise read_only_fault(path)


def lock_folder(store: Path) -> Path:
    return store.with_name(f"{store.name}.locks")


@contextmanager
def lock_run(store: Path, run: str) -> Generator[None]:
    """Hold `<store>.locks/<run>.lock`; the system frees it when the holder lets go or dies.

    The file stays behind: whoever removed it might remove one that another process has just locked.
    """
    assert RUN_ID.fullmatch(run)
    folder = lock_folder(store)
    try:
        make_folder(folder)
        restrict_to_owner(folder)
        descriptor = open_private(folder / f"{run}.lock", os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise fault_of(store, error) from error
    try:
        try:
            _lock(descriptor)
        except OSError as error:
            if error.errno in TAKEN:
                raise RunTaken(f"run {run} is taken: another process is writing it") from error
            raise StoreFault(f"run {run} cannot be claimed in {folder}: {error.strerror}") from error
        yield
    finally:
        os.close(descriptor)
