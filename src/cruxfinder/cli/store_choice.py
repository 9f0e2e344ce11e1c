"""Which store the command works on."""

import os
import shlex
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import typer

from cruxfinder.adapters.stores import store_url
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.adapters.stores.store_place import default_path
from cruxfinder.errors import BadInput
from cruxfinder.ports import Store


def location(given: str | None) -> Path | None:
    """The file named by --store, else by CRUX_STORE, else in the platform's data folder; None for one in memory."""
    if given == "":
        raise BadInput("--store needs the path of a file, or the URL of a store")
    try:
        home = Path.home()
    except RuntimeError:
        raise BadInput("there is no home folder to keep runs in; name a file with --store or CRUX_STORE") from None
    if named := given or os.environ.get("CRUX_STORE", ""):
        return store_url.path_of(named, home)
    return default_path(os.environ, sys.platform, home)


@contextmanager
def open_store(ctx: typer.Context, *, serving: bool = False) -> Generator[Store]:
    """Runs in memory end with the command, so that only one that serves them for as long may keep them there."""
    path = location(ctx.obj)
    if path is None and not serving:
        raise BadInput("runs kept in memory would end with this command; name a file with --store or CRUX_STORE")
    store = MemoryStore() if path is None else SqliteStore(path)
    try:
        yield store
    finally:
        store.close()


def suffix(ctx: typer.Context) -> str:
    """What a command that goes on with a run needs besides its id."""
    return f" --store {shlex.quote(ctx.obj)}" if ctx.obj else ""
