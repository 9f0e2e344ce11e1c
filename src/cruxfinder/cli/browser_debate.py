"""A debate held on the page of a server of its own: `crux debate --browser`."""

import typer

from cruxfinder.adapters.models.allowance import check_priced
from cruxfinder.adapters.models.model_config import ModelConfig
from cruxfinder.app import preparing
from cruxfinder.app import request_settings as run_options
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.app.hosting import DebateHost, HostingSettings
from cruxfinder.cli import model_options, serve_command, server_parts, store_choice
from cruxfinder.cli.gate_flags import GateFiles
from cruxfinder.kernel.caps import Caps


def hold_in_browser(ctx: typer.Context, subject: str, options: DebateRequest, *, seed: int, pace: float) -> None:
    """A server of its own that begins with this debate; it goes on until Ctrl-C."""
    caps = Caps.of(run_options.settings(options))
    if (models := run_options.models_of(options)) is not None:
        check_priced(caps, models, options.get("models", {}).values())  # before personas are paid for
    manner = HostingSettings(pace=pace, wait_s=options.get("wait_s", 0.0), seat_s=options.get("people_wait_s", 0.0))

    async def first(hall: DebateHost) -> str:
        return (await hall.start_prepared(await preparing.prepare(subject, options), options, seed, manner)).run

    with store_choice.open_store(ctx, serving=True) as store:
        # Without a model of its own: the page holds this debate, and forks of it within the same caps.
        wished = ModelConfig(
            base_url=options.get("base_url", ""),
            max_cost=options.get("max_cost") or 0.0,
            max_calls=options.get("max_calls") or 0,
            max_tokens=options.get("max_tokens") or 0,
        )
        setup = server_parts.setup_of(server_parts.gate_of(GateFiles()), store, wished, house=False)
        model_options.print_estimate(subject, options)
        serve_command.run(setup, port=0, browser=True, first=first)
