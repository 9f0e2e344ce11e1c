"""Where the installed command begins. A hook stands before every call of a tool: it does not wait for the rest."""

import errno
import mmap
import os
import sys
from typing import Final

from cruxfinder.version import VERSION

HOOK: Final = ["gate", "hook"]
VERSION_LINE: Final = f"crux {VERSION}"
BLOCKED: Final = 2
NO_MEMORY: Final = "there is not enough memory for this"
LAST_WORDS: Final = f"crux: {NO_MEMORY}\n".encode()
NEEDED_BYTES: Final = 256 << 20  # of address space; a debate with its threads and numbers maps some 200 MB
CAUSES_MAX: Final = 20


def run() -> None:
    is_hook = sys.argv[1:3] == HOOK
    try:
        leave_working_folder()
        if is_hook:
            from cruxfinder.cli import hook_guard  # noqa: PLC0415 - it blocks where even this fails

            hook_guard.main(sys.argv[3:])
    except Exception as fault:
        if not is_hook:
            raise
        print(f"The gate blocks this call, because it could not start: {fault}", file=sys.stderr)
        sys.exit(BLOCKED)
    if sys.argv[1:] == ["--version"] and printed_version():
        return
    # Matrices are small here: several threads would wait for each other longer than they work.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        require_memory()
        from cruxfinder.cli.main import run as everything_else  # noqa: PLC0415 - 40 ms that a hook does without

        everything_else()
    except (MemoryError, ImportError, RuntimeError, SystemError, OSError) as error:
        if not is_out_of_memory(error):
            raise
        os.write(2, LAST_WORDS)  # there may be none left even for print
        sys.exit(1)


def printed_version() -> bool:
    """Scripts ask for the version, and it needs nothing of the rest; what cannot be printed is explained there."""
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison] - closed by whoever called
        return False
    try:
        print(VERSION_LINE, flush=True)
    except OSError:
        return False
    return True


def require_memory() -> None:
    """Fail now where memory is short: compiled libraries that get none end the process in words of their own."""
    mmap.mmap(-1, NEEDED_BYTES).close()


def leave_working_folder() -> None:
    """Import nothing that merely lies where the command was started: a repository may hold a `yaml.py` of its own."""
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:
        here = ""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    kept = [os.path.realpath(place) for place in (sys.prefix, sys.base_prefix, package, *user_site())]

    def is_meant(entry: str) -> bool:
        if not entry:
            return False
        place = os.path.realpath(entry)
        return not is_within(place, here) or any(is_within(place, one) for one in kept)

    sys.path[:] = [entry for entry in sys.path if is_meant(entry)]


def user_site() -> list[str]:
    site = sys.modules.get("site")
    found = getattr(site, "USER_SITE", None)
    return [found] if isinstance(found, str) else []


def is_within(place: str, folder: str) -> bool:
    return bool(folder) and (place == folder or place.startswith(folder.rstrip(os.sep) + os.sep))


def is_out_of_memory(error: BaseException) -> bool:
    """Did the system refuse memory? Libraries, threads and Python itself have words of their own for it."""
    cause: BaseException | None = error
    for _ in range(CAUSES_MAX):
        match cause:
            case None:
                return False
            case MemoryError():
                return True
            case OSError(errno=errno.ENOMEM):
                return True
            case ImportError() if "map segment" in str(cause) or "allocate memory" in str(cause):
                return True
            case SystemError() if "exception set" in str(cause) or "setting an exception" in str(cause):
                return True
            case RuntimeError() if "can't start new thread" in str(cause):
                return True
            case _:
                cause = cause.__cause__ or cause.__context__
    return False
