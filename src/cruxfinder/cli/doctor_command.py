"""The command that looks whether everything is in its place: `crux doctor`."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final, Literal

import typer

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app.model_request import ModelRequest
from cruxfinder.app.model_settings import with_model_settings
from cruxfinder.cli import exits, output, session, store_choice
from cruxfinder.cli.doctor_keys import describe_keys, redact_keys
from cruxfinder.cli.model_flags import ModelFlags
from cruxfinder.cli.shared_flags import Json
from cruxfinder.errors import BadInput, CruxfinderError, MissingExtra
from cruxfinder.kernel.optional_dependencies import Extra, command_for, is_installed, require_extra
from cruxfinder.telling.terminal_text import clean
from cruxfinder.version import VERSION

PACKAGES: Final = ("typer", "rich", "pydantic", "pyyaml", "numpy")
EXTRAS: Final[Mapping[Extra, tuple[str, ...]]] = {
    "models": ("pydantic-ai-slim", "openai", "anthropic"),
    "server": ("fastapi", "uvicorn"),
    "mcp": ("mcp",),
}
Status = Literal["ok", "wrong"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorCheck:
    what: str
    status: Status
    found: str


def doctor(
    ctx: typer.Context,
    json: Json = False,
    *,
    models: ModelFlags,
) -> None:
    """Look whether everything is in its place; a model that is named is asked one short question."""
    found: list[DoctorCheck] = []
    for check in run_checks(ctx.obj, models.said, models.own):
        found.append(check)
        if not json:
            print(f"{check.status:<6}{check.what:<10}{clean(check.found)}", flush=True)
    if json:
        output.print_json(tuple(found))
    if any(check.status == "wrong" for check in found):
        raise typer.Exit(exits.FAULT)


def run_checks(store: str | None, said: ModelRequest, own: Sequence[str]) -> Iterator[DoctorCheck]:
    yield DoctorCheck(what="crux", status="ok", found=VERSION)
    yield check_python()
    yield check_packages()
    yield describe_extras()
    yield check_store(store)
    yield check_packs()
    yield from check_models(said, own)


def check_python() -> DoctorCheck:
    told = ".".join(str(part) for part in sys.version_info[:3])
    return DoctorCheck(what="python", status="ok" if sys.version_info >= (3, 11) else "wrong", found=told)


def check_packages() -> DoctorCheck:
    told: list[str] = []
    missing: list[str] = []
    for name in PACKAGES:
        try:
            told.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            missing.append(f"{name} is missing")
    return DoctorCheck(what="packages", status="wrong" if missing else "ok", found=", ".join((*missing, *told)))


def describe_extras() -> DoctorCheck:
    """What else is installed; nothing of it has to be."""
    told: list[str] = []
    for extra, names in EXTRAS.items():
        if is_installed(extra):
            told.append(f"{extra} ({', '.join(f'{name} {metadata.version(name)}' for name in names)})")
        else:
            told.append(f"{extra} not installed ({command_for(extra)})")
    return DoctorCheck(what="extras", status="ok", found=", ".join(told))


def check_store(given: str | None) -> DoctorCheck:
    """Is the store ours, and can it be written? Nothing is made by looking."""
    try:
        named = store_choice.location(given)
        if named is None:
            return DoctorCheck(what="store", status="ok", found="in memory: for `crux serve` and `crux mcp` alone")
        path = named.absolute()
        with closing(SqliteStore(path)) as store:
            runs = len(store.rows())
    except CruxfinderError as error:
        return DoctorCheck(what="store", status="wrong", found=str(error))
    for needed in (
        nearest_existing(path),
        nearest_existing(path.parent),
    ):  # the file, and the folder for what lies beside it
        if not os.access(needed, os.W_OK):
            return DoctorCheck(what="store", status="wrong", found=f"{path}: {needed} may not be written")
    state = f"{runs} run{'' if runs == 1 else 's'}" if path.exists() else "not there yet; the first debate makes it"
    return DoctorCheck(what="store", status="ok", found=f"{path} ({state})")


def nearest_existing(path: Path) -> Path:
    """The file, or the closest folder above it that exists."""
    return next(p for p in (path, *path.parents) if p.exists())


def check_packs() -> DoctorCheck:
    try:
        names = [pack_finder.find(name)[0].name for name in pack_finder.names()]
    except CruxfinderError as error:
        return DoctorCheck(what="packs", status="wrong", found=str(error))
    return DoctorCheck(what="packs", status="ok" if names else "wrong", found=", ".join(names) or "none found")


def check_models(said: ModelRequest, own: Sequence[str]) -> Iterator[DoctorCheck]:
    """Keys, what flags, environment and settings file ask for, and how each model answers."""
    yield DoctorCheck(what="keys", status="ok", found=describe_keys())
    try:
        wished = with_model_settings(said)
    except BadInput as error:
        yield DoctorCheck(what="settings", status="wrong", found=redact_keys(str(error)))
        return
    if not any((*wished.model_names, *own)):
        told = "none named; packs need none, a topic of your own does (`crux doctor --model NAME` tries one)"
        yield DoctorCheck(what="model", status="ok", found=told)
        return
    try:
        require_extra("models")
    except MissingExtra as missing:
        yield DoctorCheck(what="model", status="wrong", found=str(missing))
        return
    from cruxfinder.cli import doctor_models  # noqa: PLC0415 - the extra `models`

    for health in session.run_without_view(doctor_models.examine_models(wished, own)):
        yield DoctorCheck(what="model", status="ok" if health.well else "wrong", found=health.told)
