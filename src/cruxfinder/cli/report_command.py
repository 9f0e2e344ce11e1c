"""The command that writes a run as one HTML file."""

from typing import Annotated

import typer

from cruxfinder.app import stored_runs
from cruxfinder.cli import store_choice, writing
from cruxfinder.cli.shared_flags import RunId
from cruxfinder.page.report_page import report as drawn


def report(
    ctx: typer.Context,
    run: RunId,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="Where to; RUN.html if not said.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False,
) -> None:
    """Write a run as one HTML file that opens anywhere: the debate to walk through, and its crux map."""
    stored_runs.checked_run(run)
    path = writing.target(out or f"{run}.html", force=force)
    with store_choice.open_store(ctx) as store:
        finished = stored_runs.load_run(run, store)
    writing.write(path, drawn(run, finished.events, finished.outcome), force=force)
    print(f"Wrote {path}")
