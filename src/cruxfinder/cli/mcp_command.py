"""The command `crux mcp`: the gate and whole debates as tools for agents."""

from typing import Annotated

import typer

from cruxfinder.cli import server_parts, store_choice
from cruxfinder.cli.gate_flags import GateFiles, GateModelFlags
from cruxfinder.cli.listen_flags import LISTENING, ListenFlags
from cruxfinder.errors import BadInput
from cruxfinder.kernel.optional_dependencies import require_extra


def mcp(
    ctx: typer.Context,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP instead of stdio.", rich_help_panel=LISTENING)
    ] = False,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="0 takes a free one.", rich_help_panel=LISTENING)
    ] = 8765,
    *,
    listening: ListenFlags,
    files: GateFiles,
    models: GateModelFlags,
) -> None:
    """Serve the gate and whole debates to agents, over the Model Context Protocol."""
    if not http and listening.limits_callers:
        raise BadInput("--token and --allow-host are for a server over HTTP: add --http")
    require_extra("mcp")
    from cruxfinder.mcp import mcp_server, serving_mcp  # noqa: PLC0415 - the extra `mcp`

    gate = server_parts.gate_of(files)
    wished = server_parts.configured_model(models)
    with store_choice.open_store(ctx, serving=True) as store:
        setup = server_parts.setup_of(gate, store, wished, house=models.house)
        server = mcp_server.build(setup)
        if not http:
            serving_mcp.serve_over_stdio(server)
            return

        def announce_address(address: str) -> None:
            server_parts.tell(f"serving at {address}")
            if listening.known_token:
                server_parts.tell("clients send the token as a header: Authorization: Bearer …")

        serving_mcp.serve_over_http(
            server,
            listening.host,
            port,
            announce_address,
            token=listening.known_token,
            allowed=listening.names,
        )
