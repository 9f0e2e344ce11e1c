"""The command that looks whether everything is in its place: `crux doctor`."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import typer

from cruxfinder.cli.debate_commands import Json
from cruxfinder.cli.model_flags import BaseUrl, Fallback, Grammar, JudgeModel, Model
from cruxfinder.telling.terminal_text import clean

if TYPE_CHECKING:
    from cruxfinder.adapters.models.model_config import Wishes

commands = typer.Typer()

PACKAGES: Final = ("typer", "rich", "pydantic", "pyyaml", "numpy", "pydantic-ai-slim", "openai", "anthropic")
Status = Literal["ok", "wrong"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    what: str
    status: Status
    found: str


@commands.command(rich_help_panel="Packs and set-up")
def doctor(
    ctx: typer.Context,
    model: Model = None,
    judge_model: JudgeModel = None,
    fallback: Fallback = None,
    base_url: BaseUrl = None,
    grammar: Grammar = False,
    json: Json = False,
) -> None:
    """Look whether everything is in its place; a model that is named is asked one short question."""
    from cruxfinder.cli import exits, model_options, output

    said, own = model_options.flags(model, judge_model, fallback, base_url, grammar=grammar)
    found: list[Check] = []
    for check in checks(ctx.obj, said, tuple(own.values())):
        found.append(check)
        if not json:
            print(f"{check.status:<6}{check.what:<10}{clean(check.found)}", flush=True)
    if json:
        output.print_json(tuple(found))
    if any(check.status == "wrong" for check in found):
        raise typer.Exit(exits.FAULT)


def checks(store: str | None, said: "Wishes", own: Sequence[str]) -> Iterator[Check]:
    from cruxfinder.version import VERSION

    yield Check(what="crux", status="ok", found=VERSION)
    yield python()
    yield packages()
    yield kept(store)
    yield shipped()
    yield from models(said, own)


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

    from cruxfinder.adapters.stores.sqlite import SqliteStore
    from cruxfinder.cli import store_choice
    from cruxfinder.errors import CruxfinderError

    try:
        path = store_choice.location(given).absolute()
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
    from cruxfinder.adapters.packs import pack_finder
    from cruxfinder.errors import CruxfinderError

    try:
        names = [pack_finder.find(name)[0].name for name in pack_finder.names()]
    except CruxfinderError as error:
        return Check(what="packs", status="wrong", found=str(error))
    return Check(what="packs", status="ok" if names else "wrong", found=", ".join(names) or "none found")


def models(said: "Wishes", own: Sequence[str]) -> Iterator[Check]:
    """Keys, what flags, environment and settings file ask for, and how each model answers."""
    from cruxfinder.adapters.models.model_config import resolved
    from cruxfinder.cli import doctor_models, session
    from cruxfinder.errors import BadInput

    yield Check(what="keys", status="ok", found=doctor_models.keys())
    try:
        wished = resolved(said)
    except BadInput as error:
        yield Check(what="settings", status="wrong", found=doctor_models.hidden(str(error)))
        return
    if not any((wished.model, wished.judge_model, wished.fallback, own)):
        told = "none named; packs need none, a topic of your own does (crux doctor --model NAME tries one)"
        yield Check(what="model", status="ok", found=told)
        return
    for health in session.made_ready(doctor_models.examined(wished, own)):
        yield Check(what="model", status="ok" if health.well else "wrong", found=health.told)
