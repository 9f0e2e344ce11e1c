"""Which store the command works on."""

import os
import shlex
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import typer

from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.adapters.stores.store_place import store_path
from cruxfinder.errors import BadInput
from cruxfinder.ports import Store


def location(given: str | None) -> Path:
    """The file named by --store, else by CRUX_STORE, else in the platform's data folder."""
    if given == "":
        raise BadInput("--store needs the path of a file")
    env = {**os.environ, "CRUX_STORE": given} if given else os.environ
    try:
        home = Path.home()
    except RuntimeError:
        raise BadInput("there is no home folder to keep runs in; name a file with --store or CRUX_STORE") from None
    return store_path(env, sys.platform, home)


@contextmanager
def open_store(ctx: typer.Context) -> Generator[Store]:
    store = SqliteStore(location(ctx.obj))
    try:
        yield store
    finally:
        store.close()


def suffix(ctx: typer.Context) -> str:
    """What a command that goes on with a run needs besides its id."""
    return f" --store {shlex.quote(ctx.obj)}" if ctx.obj else ""
