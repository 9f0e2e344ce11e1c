"""The command that writes a run as a file of another program."""

import sys
from typing import Annotated

import typer

from cruxfinder.app import stored_runs
from cruxfinder.cli import store_choice, writing
from cruxfinder.cli.shared_flags import RunId
from cruxfinder.exports.formats import Format, export_run

STDOUT = "-"


def export(
    ctx: typer.Context,
    run: RunId,
    format: Annotated[Format, typer.Option("--format", "-f", help="What to write it as.")] = Format.MARKDOWN,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="Where to; - is the terminal.")] = STDOUT,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False,
) -> None:
    """Write a run as a file that other programs read: a document, a table, a map or plain data."""
    stored_runs.checked_run(run)
    path = None if out == STDOUT else writing.target(out, force=force)
    with store_choice.open_store(ctx) as store:
        finished = stored_runs.load_run(run, store)
    text = export_run(run, finished.events, finished.outcome, format)
    if path is None:
        sys.stdout.write(text)
    else:
        writing.write(path, text, force=force)
        print(f"Wrote {path}", file=sys.stderr)
