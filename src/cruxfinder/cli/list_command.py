"""The command that lists the runs. It needs the store and nothing else, and starts without the rest."""

import typer

from cruxfinder.cli import output, store_choice
from cruxfinder.cli.shared_flags import Json
from cruxfinder.ports import RunRow


def list_runs(ctx: typer.Context, json: Json = False) -> None:
    """List the runs, newest first."""
    with store_choice.open_store(ctx) as store:
        rows = store.rows()
    if json:
        output.print_json(rows)
    elif rows:
        output.print_table(
            ("run", "state", "updated", "entries", "topic"),
            [(r.id, r.state, r.updated.replace("T", " ").rstrip("Z"), count_of(r), r.topic) for r in rows],
        )
    else:
        print("There are no runs yet; start one with: crux demo")


def count_of(row: RunRow) -> str:
    """How many entries a log has; of one that is cut, how many of how many."""
    return f"{row.entries} of {row.written}" if row.state == "cut" else str(row.entries)
