"""Where the store lies on each platform, and how a file beside it keeps a run to one writer (DESIGN §3)."""

import errno
import os
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cruxfinder.errors import BadInput, FullDisk, RunTaken, StoreFault
from cruxfinder.store import RUN_ID

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
TAKEN: Final = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK})


def store_path(env: Mapping[str, str], platform: str, home: Path) -> Path:
    """The file CRUX_STORE names, else `runs.db` in the platform's folder for a program's data."""
    named = env.get("CRUX_STORE", "")
    if named == ":memory:":
        raise BadInput("CRUX_STORE must name a file, because runs kept in memory would be lost")
    if named.startswith("~/"):
        return home / named[2:]
    if named:
        return Path(named)
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


@contextmanager
def hold(folder: Path, run: str) -> Generator[None]:
    """Hold `<folder>/<run>.lock`; the system frees it when the holder lets go or dies.

    The file stays behind: whoever removed it might remove one that another process has just locked.
    """
    assert RUN_ID.fullmatch(run)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / f"{run}.lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        fault = FullDisk if error.errno in NO_ROOM else StoreFault
        raise fault(f"run {run} cannot be claimed in {folder}: {error.strerror}") from error
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
