"""The command `crux mcp`: the gate and whole debates as tools for agents."""

from typing import Annotated, Final

import typer

from cruxfinder.cli import server_parts, store_choice
from cruxfinder.cli.gate_flags import House, Memory, Off, OneModel, Rules
from cruxfinder.cli.model_flags import BaseUrl, Fallback, Grammar, JudgeModel
from cruxfinder.cli.serve_command import TOKEN, token_of
from cruxfinder.errors import BadInput
from cruxfinder.kernel.extras import require_extra

HTTP: Final = "Over HTTP"


def mcp(
    ctx: typer.Context,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP instead of stdio.", rich_help_panel=HTTP)
    ] = False,
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Anything but this machine needs a token.", rich_help_panel=HTTP)
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="0 takes a free one.", rich_help_panel=HTTP)
    ] = 8765,
    token: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help=f"What a client must know; better in {TOKEN}.", rich_help_panel=HTTP),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Another name the server is reached by.", rich_help_panel=HTTP),
    ] = None,
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
    if not http and (token is not None or allow_host):
        raise BadInput("--token and --allow-host are for a server over HTTP: add --http")
    require_extra("mcp")
    from cruxfinder.mcp import mcp_server, serving_mcp  # noqa: PLC0415 - the extra `mcp`

    gate = server_parts.gate_of(memory, rules, off)
    wished = server_parts.configured_model(model, judge_model, fallback, base_url, grammar=grammar, house=house)
    with store_choice.open_store(ctx) as store:
        setup = server_parts.setup_of(gate, store, wished, house=house)
        server = mcp_server.build(setup)
        if not http:
            serving_mcp.serve_over_stdio(server)
            return
        known = token_of(token)

        def announce_address(address: str) -> None:
            server_parts.tell(f"serving at {address}")
            if known:
                server_parts.tell("clients send the token as a header: Authorization: Bearer …")

        serving_mcp.serve_over_http(server, host, port, announce_address, token=known, allowed=tuple(allow_host or ()))
