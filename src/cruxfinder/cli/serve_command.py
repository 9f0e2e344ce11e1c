"""The command `crux serve`: the page in a browser, and the HTTP API behind it."""

import os
import sys
import webbrowser
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Final
from urllib.parse import quote

import typer

from cruxfinder.app.server_setup import Setup
from cruxfinder.cli import server_parts, store_choice
from cruxfinder.cli.gate_flags import GateFiles, GateModelFlags
from cruxfinder.cli.listen_flags import LISTENING, ListenFlags
from cruxfinder.cli.server_parts import tell
from cruxfinder.kernel.optional_dependencies import require_extra

if TYPE_CHECKING:
    from cruxfinder.app.hosting import DebateHost

PORT: Final = 8787


def serve(
    ctx: typer.Context,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="0 takes a free one.", rich_help_panel=LISTENING)
    ] = PORT,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page.")] = True,
    *,
    listening: ListenFlags,
    files: GateFiles,
    models: GateModelFlags,
) -> None:
    """Watch debates in a browser, start them there, join in; the same over HTTP."""
    require_extra("server")
    gate = server_parts.gate_of(files)
    wished = server_parts.configured_model(models)
    with store_choice.open_store(ctx, serving=True) as store:
        setup = server_parts.setup_of(gate, store, wished, house=models.house)
        run(
            setup,
            host=listening.host,
            port=port,
            token=listening.known_token,
            allowed=listening.names,
            browser=browser,
        )


def run(
    setup: Setup,
    *,
    host: str = "127.0.0.1",
    port: int = PORT,
    token: str = "",
    allowed: tuple[str, ...] = (),
    browser: bool,
    first: "Callable[[DebateHost], Awaitable[str]] | None" = None,
) -> None:
    """Serve until Ctrl-C. `first` begins a run, whose page is then the one that opens."""
    from cruxfinder.server.serving_http import serve as served  # noqa: PLC0415 - the extra `server`

    def announce_page(address: str, begun: str) -> None:
        page = f"{address}#/run/{begun}" if begun else address
        tell(f"serving at {page} (Ctrl-C ends it)")
        if token:
            tell(f"the page asks for the token; a link with it: {address}#token=…")
        if browser:
            open_page(f"{address}#token={quote(token, safe='')}" if token else page)

    served(setup, host=host, port=port, token=token, allowed=allowed, heard=announce_page, first=first)


def open_page(page: str) -> None:
    """Show the page where there is a screen; a browser that draws in the terminal would take it over."""
    screen = sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if screen:
        webbrowser.open(page)
