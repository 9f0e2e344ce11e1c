"""Opens files of our own: regular ones of this user, reached through no link, open to nobody else, read within bounds.

Whoever can write in a folder can put a link, a pipe or somebody else's file where ours is expected. Nothing here
follows or waits for one: it is refused, and the refusal names it.
"""

import json
import os
import secrets
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

from cruxfinder.errors import StoreFault, UnsafeFile

FILE_MODE: Final = 0o600
FOLDER_MODE: Final = 0o700
OBJECT_MAX: Final = 4 << 20  # bytes of a file that is read whole
LOCK_S_MAX: Final = 10.0
LOCK_PAUSE_S: Final = 0.005
# Neither flag exists on Windows, which has no such links and pipes to follow by a bare name.
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_NO_WAIT: Final = getattr(os, "O_NONBLOCK", 0)
_FOLDER: Final = getattr(os, "O_DIRECTORY", 0)
_CLOSED_ON_EXEC: Final = getattr(os, "O_CLOEXEC", 0)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it that are missing, for this user alone. Raise UnsafeFile where it is a link."""
    check_links(folder)
    missing = [part for part in (folder, *folder.parents) if not part.exists() and not part.is_symlink()]
    for part in reversed(missing):
        try:
            part.mkdir(mode=FOLDER_MODE)
        except FileExistsError:
            continue
    if not folder.is_dir():
        raise UnsafeFile(f"{folder} is no folder")


def check_links(folder: Path) -> None:
    """Raise UnsafeFile where a folder is a link, or one between it and the working folder, where anybody may put it."""
    whole, here = folder.absolute(), Path.cwd()
    for part in (whole, *whole.parents):
        if (part == whole or here in part.parents) and part.is_symlink():
            raise UnsafeFile(f"{part} is a link, and files of our own are kept behind none")


def open_private(path: Path, flags: int = os.O_RDONLY) -> int:
    """A descriptor of a file of ours, for its owner alone from now on. Raise UnsafeFile, or OSError as `os.open`."""
    if os.name == "nt":
        return os.open(path, flags | getattr(os, "O_BINARY", 0), FILE_MODE)
    check_links(path.parent)
    folder = os.open(path.parent, os.O_RDONLY | _FOLDER | _NO_LINK | _CLOSED_ON_EXEC)
    try:
        descriptor = os.open(path.name, flags | _NO_LINK | _NO_WAIT | _CLOSED_ON_EXEC, FILE_MODE, dir_fd=folder)
    except OSError as error:
        if path.is_symlink():
            raise UnsafeFile(f"{path} is a link, and files of our own are kept behind none") from error
        raise
    finally:
        os.close(folder)
    try:
        _check(path, os.fstat(descriptor))
        if os.fstat(descriptor).st_mode & 0o077:
            with suppress(PermissionError):  # it is ours: a disk that knows no rights refuses
                os.fchmod(descriptor, FILE_MODE)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _check(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise UnsafeFile(f"{path} is no regular file")
    if found.st_uid != os.geteuid():
        raise UnsafeFile(f"{path} belongs to somebody else")
    if found.st_nlink > 1:
        raise UnsafeFile(f"{path} has a second name, so that it may be another program's file")


def lock_file(descriptor: int, path: Path) -> None:
    """Lock a file until it is closed. Nobody holds one for longer than a line takes, unless something is wrong."""
    import fcntl  # noqa: PLC0415 - not on Windows

    until = time.monotonic() + LOCK_S_MAX
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise StoreFault(f"another process holds {path}") from None
            time.sleep(LOCK_PAUSE_S)


def read_tail(descriptor: int, bytes_max: int) -> tuple[bytes, int]:
    """The last bytes of a file, from the beginning of a line where some were left out; and how many were."""
    size = os.fstat(descriptor).st_size
    start = max(0, size - bytes_max)
    parts: list[bytes] = []
    place = start
    while place < size:
        part = os.pread(descriptor, min(1 << 20, size - place), place)
        if not part:
            break
        parts.append(part)
        place += len(part)
    data = b"".join(parts)
    if start == 0 or os.pread(descriptor, 1, start - 1) == b"\n":
        return data, start
    cut = data.find(b"\n") + 1
    return (data[cut:], start + cut) if cut else (b"", size)


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file in one step, so that no reader meets half of it."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def read_object(path: Path) -> dict[str, Any] | None:
    """A file of ours that holds one JSON object, or None."""
    try:
        descriptor = open_private(path)
    except FileNotFoundError:
        return None
    try:
        if os.fstat(descriptor).st_size > OBJECT_MAX:
            return None
        value: object = json.loads(read_tail(descriptor, OBJECT_MAX)[0])
    except (ValueError, RecursionError):
        return None
    finally:
        os.close(descriptor)
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None
