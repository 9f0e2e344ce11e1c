"""A debate held on the page of a server of its own: `crux debate --browser`."""

import typer

from cruxfinder.adapters.models.allowance import check_priced
from cruxfinder.app import preparing
from cruxfinder.app.debate_plan import plan_debate
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.app.hosting import DebateHost, HostingSettings
from cruxfinder.app.model_request import ModelRequest
from cruxfinder.cli import model_options, serve_command, server_parts, store_choice
from cruxfinder.cli.gate_flags import GateFiles
from cruxfinder.kernel.caps import Caps


def hold_in_browser(ctx: typer.Context, request: DebateRequest, *, pace: float) -> None:
    """A server of its own that begins with this debate; it goes on until Ctrl-C."""
    plan = plan_debate(request)
    if plan.models is not None:
        # Before personas are paid for.
        check_priced(Caps.of(plan.settings), plan.models, plan.seating.models.values())
    people = plan.participation
    manner = HostingSettings(pace=pace, wait_s=people.wait_s, seat_s=people.seat_s)

    async def first(host: DebateHost) -> str:
        return (await host.start_prepared(await preparing.prepare_plan(plan), manner)).run

    with store_choice.open_store(ctx, serving=True) as store:
        # Without a model of its own: the page holds this debate, and forks of it within the same caps.
        allowed = ModelRequest(
            base_url=request.base_url,
            max_cost=request.max_cost,
            max_calls=request.max_calls,
            max_tokens=request.max_tokens,
        )
        setup = server_parts.setup_of(server_parts.gate_of(GateFiles()), store, allowed, house=False)
        model_options.print_estimate(plan)
        serve_command.run(setup, port=0, browser=True, first=first)
