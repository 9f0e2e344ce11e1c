"""A debate held several times with other seeds: `crux debate --runs N`."""

import typer

from cruxfinder import api
from cruxfinder.api import Options
from cruxfinder.app import repeats
from cruxfinder.cli import model_options, output, session, stability_view, store_choice
from cruxfinder.errors import BadInput


def repeat_debate(ctx: typer.Context, subject: str, options: Options, *, seed: int, runs: int, json: bool) -> None:
    """The same debate with other seeds, and how often its crux recurs."""
    api.require_crux_protocol(options)
    if options.get("humans"):
        raise BadInput("nobody is asked the same debate several times: leave out --runs, or --human")
    seeds = repeats.seeds_from(seed, runs)
    api.settings(options)
    heard = stability_view.RunProgress(runs).hear if output.in_terminal() and not json else None
    with store_choice.open_store(ctx) as store:
        store.check_writable()
        model_options.print_estimate(subject, options, runs)
        ready = session.run_without_view(api.prepare(subject, options))
        model_options.announce(ready, options)
        found = session.run_without_view(api.repeat_debate(ready, store, options, seeds, heard))
        stability_view.show(found, json=json, suffix=store_choice.suffix(ctx))
