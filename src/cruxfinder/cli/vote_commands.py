"""The command on votes: a map of one table, or of every table in a folder."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from cruxfinder.adapters.tables import vote_files
from cruxfinder.adapters.tables.credence_table import is_credences
from cruxfinder.cli import exits, output, votes_view
from cruxfinder.cli.shared_flags import Json
from cruxfinder.errors import BadTable
from cruxfinder.tables.votes import vote_map
from cruxfinder.tables.votes.vote_map import VoteMap
from cruxfinder.telling.terminal_text import clean

HEADER_MAX = 65_536


def votes(
    place: Annotated[
        str,
        typer.Argument(metavar="FILE|FOLDER", help="A CSV of votes, a Polis export, or a folder of CSV files."),
    ],
    json: Json = False,
) -> None:
    """Find coalitions, what divides them and what they share, from a table of votes or of credences."""
    path = Path(place)
    if path.is_file() and holds_credences(path):
        from cruxfinder.cli import credence_commands  # noqa: PLC0415 - 150 ms that a table of votes does without

        credence_commands.credences(place, json=json)
        return
    if not path.is_dir():
        found = vote_map.map_table(vote_files.read(path))
        if json:
            output.print_json(found.to_json())
        else:
            show(found)
        return
    paths = vote_files.tables_in(path)
    if paths[0].name == vote_files.POLIS_VOTES and not json:
        show(vote_map.map_table(vote_files.read(paths[0])))
        return
    show_folder(paths, json=json)


def holds_credences(path: Path) -> bool:
    """Is it a table of how likely people think things are, rather than of votes? Its first line tells."""
    with path.open("rb") as file:
        header = file.readline(HEADER_MAX).decode("utf-8-sig", "replace").strip()
    return any(is_credences(header.split(mark)) for mark in ",;\t")


def show_folder(paths: tuple[Path, ...], *, json: bool) -> None:
    """One table after the other; one that cannot be read is told at once and hides none of the others."""
    bad = 0
    for number, found in enumerate(read_maps(paths)):
        if isinstance(found, BadTable):
            bad += 1
            print(f"crux: {clean(str(found))}", file=sys.stderr)
            if json:
                print_json_line({"file": found.source, "error": found.fault, "line": found.line})
        elif json:
            print_json_line(found.to_json())
        else:
            if number:
                print()
            show(found)
    if bad:
        raise typer.Exit(exits.BAD_INPUT)


def read_maps(paths: tuple[Path, ...]) -> Iterator[VoteMap | BadTable]:
    for path in paths:
        try:
            yield vote_map.map_table(vote_files.read(path))
        except BadTable as bad:
            yield bad


def print_json_line(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")))


def show(found: VoteMap) -> None:
    if output.in_terminal():
        console = Console(highlight=False, markup=False, emoji=False)
        width = min(console.width, votes_view.WIDTH_MAX)
    else:
        console = Console(highlight=False, markup=False, emoji=False, color_system=None, width=votes_view.PLAIN_WIDTH)
        width = votes_view.PLAIN_WIDTH
    for line in votes_view.lines(found, width):
        console.print(line, no_wrap=True, overflow="ellipsis", crop=True, width=width)
