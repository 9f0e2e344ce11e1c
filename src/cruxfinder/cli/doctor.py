"""The command that looks whether everything is in its place: `crux doctor`."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import typer

from cruxfinder.cli.debates import Json

commands = typer.Typer()

PACKAGES: Final = ("typer", "rich", "pydantic", "pyyaml", "numpy")
Status = Literal["ok", "wrong"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    what: str
    status: Status
    found: str


@commands.command(rich_help_panel="Packs and set-up")
def doctor(ctx: typer.Context, json: Json = False) -> None:
    """Look whether everything is in its place."""
    from cruxfinder.cli import exits, output

    found = tuple(checks(ctx.obj))
    if json:
        output.print_json(found)
    else:
        for check in found:
            print(f"{check.status:<6}{check.what:<10}{check.found}")
    if any(check.status == "wrong" for check in found):
        raise typer.Exit(exits.FAULT)


def checks(store: str | None) -> Iterator[Check]:
    from cruxfinder.version import VERSION

    yield Check(what="crux", status="ok", found=VERSION)
    yield python()
    yield packages()
    yield kept(store)
    yield shipped()


def python() -> Check:
    told = ".".join(str(part) for part in sys.version_info[:3])
    return Check(what="python", status="ok" if sys.version_info >= (3, 11) else "wrong", found=told)


def packages() -> Check:
    from importlib import metadata

    told: list[str] = []
    missing: list[str] = []
    for name in PACKAGES:
        try:
            told.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            missing.append(f"{name} is missing")
    return Check(what="packages", status="wrong" if missing else "ok", found=", ".join((*missing, *told)))


def kept(given: str | None) -> Check:
    """Is the store ours, and can it be written? Nothing is made by looking."""
    import os
    from contextlib import closing

    from cruxfinder.cli import place
    from cruxfinder.errors import CruxfinderError
    from cruxfinder.store.sqlite import SqliteStore

    try:
        path = place.location(given).absolute()
        with closing(SqliteStore(path)) as store:
            runs = len(store.rows())
    except CruxfinderError as error:
        return Check(what="store", status="wrong", found=str(error))
    for needed in (nearest(path), nearest(path.parent)):  # the file, and the folder for what lies beside it
        if not os.access(needed, os.W_OK):
            return Check(what="store", status="wrong", found=f"{path}: {needed} may not be written")
    state = f"{runs} run{'' if runs == 1 else 's'}" if path.exists() else "not there yet; the first debate makes it"
    return Check(what="store", status="ok", found=f"{path} ({state})")


def nearest(path: Path) -> Path:
    """The file, or the closest folder above it that exists."""
    return next(p for p in (path, *path.parents) if p.exists())


def shipped() -> Check:
    from cruxfinder.errors import CruxfinderError
    from cruxfinder.packs import shelf

    try:
        names = [shelf.find(name)[0].name for name in shelf.names()]
    except CruxfinderError as error:
        return Check(what="packs", status="wrong", found=str(error))
    return Check(what="packs", status="ok" if names else "wrong", found=", ".join(names) or "none found")
