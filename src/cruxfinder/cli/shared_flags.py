"""The arguments and options that several commands share, and how a list in one of them is read."""

from enum import StrEnum
from typing import Annotated

import typer

from cruxfinder.errors import BadInput

RunId = Annotated[str, typer.Argument(metavar="RUN", help="A run's id; `crux list` shows them.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Show refused messages too.")]


class Embedder(StrEnum):
    STATIC = "static"
    KEYWORD = "keyword"


def split_names(given: str | None, what: str) -> tuple[str, ...]:
    """The names in a list with commas; an empty list is a slip, not a wish for everything."""
    if given is None:
        return ()
    names = tuple(name.strip() for name in given.split(","))
    if not all(names):
        raise BadInput(f"{given!r} lacks the name of an {what}" if what == "agent" else f"{given!r} lacks a {what}")
    return names
