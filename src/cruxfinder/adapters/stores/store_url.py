"""Which store a URL or a path names, and how it is opened."""

import re
from pathlib import Path
from typing import Final

from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.errors import BadInput
from cruxfinder.ports import Store

MEMORY: Final = "memory:"
SQLITE: Final = "sqlite:///"
SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")  # of two letters at least: one is a drive of Windows
OFFERED: Final = f"a store is named by the path of a file, by {SQLITE}PATH or by {MEMORY}"


def open_store(place: str | Path) -> Store:
    """The store that is named. Nothing is made before the first write. Raise BadInput for what names none."""
    path = path_of(place) if isinstance(place, str) else place
    return MemoryStore() if path is None else SqliteStore(path)


def path_of(url: str, home: Path | None = None) -> Path | None:
    """The file a URL or a path names, `~/` below `home` where that is given; None for a store in memory.

    What comes after `sqlite:///` is a path as it stands: a fourth slash begins one from the root.
    """
    if url == MEMORY:
        return None
    if url.startswith(SQLITE):
        path = url.removeprefix(SQLITE)
    elif found := SCHEME.match(url):
        raise BadInput(f"{OFFERED}, not by {found[1]}://")  # what follows may hold a password
    else:
        path = url
    if path in ("", ":memory:"):
        raise BadInput(f"{OFFERED}, not by {url!r}")
    if home is not None and path.startswith("~/"):
        return home / path[2:]
    return Path(path)
