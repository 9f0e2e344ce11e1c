"""The command `crux mcp`: the gate and whole debates as tools for agents."""

import sys
from typing import Annotated, Final

import typer

from cruxfinder.cli.gate import House, Memory, Off, OneModel, Rules
from cruxfinder.cli.model_flags import BaseUrl, Fallback, Grammar, JudgeModel

commands = typer.Typer()

PANEL: Final = "The gate for agents"
HTTP: Final = "Over HTTP"
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


@commands.command(rich_help_panel=PANEL)
def mcp(
    ctx: typer.Context,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP instead of stdio.", rich_help_panel=HTTP)
    ] = False,
    host: Annotated[str, typer.Option(metavar="HOST", help="Where to listen.", rich_help_panel=HTTP)] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="0 takes a free one.", rich_help_panel=HTTP)
    ] = 8765,
    memory: Memory = "",
    rules: Rules = "",
    off: Off = None,
    model: OneModel = None,
    judge_model: JudgeModel = None,
    fallback: Fallback = None,
    base_url: BaseUrl = None,
    grammar: Grammar = False,
    house: House = False,
) -> None:
    """Serve the gate and whole debates to agents, over the Model Context Protocol."""
    import logging

    from cruxfinder.cli import place, wishes
    from cruxfinder.cli.gate import standing_gate
    from cruxfinder.llm.config import Wishes, resolved

    # The library would else bring a handler of its own.
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="crux: %(message)s")
    here = standing_gate(memory, rules, off)
    said, _ = wishes.flags([model] if model else None, judge_model, fallback, base_url, grammar=grammar)
    wished = Wishes() if house else resolved(said)
    if wished.model:
        wishes.check_usable((wished.model, wished.judge_model, *wished.fallback), wished.base_url)
    with place.opened(ctx) as store:
        store.rows()  # a store that is none is told before anybody calls
        from cruxfinder.mcp.server import build
        from cruxfinder.mcp.serving import over_http, over_stdio
        from cruxfinder.setup import Setup

        server = build(Setup(gate=here, store=store, wished=wished, house=house))
        if not http:
            over_stdio(server)
            return
        if host not in LOOPBACK:
            tell(f"whoever can reach {host} can use this server: it asks for no password")
        over_http(server, host, port, lambda address: tell(f"serving at {address}"))


def tell(line: str) -> None:
    print(f"crux: {line}", file=sys.stderr, flush=True)
