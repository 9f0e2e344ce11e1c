"""A debate held several times with other seeds: `crux debate --runs N`."""

import typer

from cruxfinder.app import preparing, repeats
from cruxfinder.app.debate_plan import plan_debate, require_crux_protocol
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.cli import model_options, output, session, stability_view, store_choice
from cruxfinder.errors import BadInput


def repeat_debate(ctx: typer.Context, request: DebateRequest, *, runs: int, json: bool) -> None:
    """The same debate with other seeds, and how often its crux recurs."""
    plan = plan_debate(request)
    require_crux_protocol(plan)
    if plan.seating.people:
        raise BadInput("nobody is asked the same debate several times: leave out --runs, or --people")
    seeds = repeats.seeds_from(plan.seed, runs)
    heard = stability_view.RunProgress(runs).hear if output.in_terminal() and not json else None
    with store_choice.open_store(ctx) as store:
        store.check_writable()
        model_options.print_estimate(plan, runs)
        ready = session.run_without_view(preparing.prepare_plan(plan))
        model_options.announce(ready)
        found = session.run_without_view(preparing.repeat_debate(ready, store, seeds, heard))
        stability_view.show(found, json=json, suffix=store_choice.suffix(ctx))
