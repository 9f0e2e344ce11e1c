"""The command that writes a run as one HTML file."""

from typing import Annotated

import typer

from cruxfinder.cli.debates import RunId
from cruxfinder.cli.runs import PANEL

commands = typer.Typer()


@commands.command(rich_help_panel=PANEL)
def report(
    ctx: typer.Context,
    run: RunId,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="Where to; RUN.html if not said.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False,
) -> None:
    """Write a run as one HTML file that opens anywhere: the debate to walk through, and its crux map."""
    from cruxfinder import app
    from cruxfinder.cli import place, writing
    from cruxfinder.viewer.report import report as drawn

    app.checked_run(run)
    path = writing.target(out or f"{run}.html", force=force)
    with place.opened(ctx) as store:
        finished = app.shown(run, store)
    writing.write(path, drawn(run, finished.events, finished.outcome), force=force)
    print(f"Wrote {path}")
