"""A debate held several times with other seeds: `crux debate --runs N`."""

import typer

from cruxfinder.app import preparing, repeats
from cruxfinder.app import request_settings as run_options
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.cli import model_options, output, session, stability_view, store_choice
from cruxfinder.errors import BadInput


def repeat_debate(
    ctx: typer.Context, subject: str, options: DebateRequest, *, seed: int, runs: int, json: bool
) -> None:
    """The same debate with other seeds, and how often its crux recurs."""
    run_options.require_crux_protocol(options)
    if options.get("people"):
        raise BadInput("nobody is asked the same debate several times: leave out --runs, or --people")
    seeds = repeats.seeds_from(seed, runs)
    run_options.settings(options)
    heard = stability_view.RunProgress(runs).hear if output.in_terminal() and not json else None
    with store_choice.open_store(ctx) as store:
        store.check_writable()
        model_options.print_estimate(subject, options, runs)
        ready = session.run_without_view(preparing.prepare(subject, options))
        model_options.announce(ready, options)
        found = session.run_without_view(preparing.repeat_debate(ready, store, options, seeds, heard))
        stability_view.show(found, json=json, suffix=store_choice.suffix(ctx))
