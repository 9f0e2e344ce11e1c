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
from cruxfinder.cli.gate_flags import House, Memory, Off, OneModel, Rules
from cruxfinder.cli.model_flags import BaseUrl, Fallback, Grammar, JudgeModel
from cruxfinder.cli.server_parts import tell
from cruxfinder.kernel.extras import require_extra

if TYPE_CHECKING:
    from cruxfinder.app.hosting import DebateHost

WHERE: Final = "Where to listen"
PORT: Final = 8787
TOKEN: Final = "CRUX_TOKEN"


def serve(
    ctx: typer.Context,
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Anything but this machine needs a token.", rich_help_panel=WHERE)
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="0 takes a free one.", rich_help_panel=WHERE)
    ] = PORT,
    token: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help=f"What a caller must know; better in {TOKEN}.", rich_help_panel=WHERE),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Another name the server is reached by.", rich_help_panel=WHERE),
    ] = None,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page.")] = True,
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
    """Watch debates in a browser, start them there, join in; the same over HTTP."""
    require_extra("server")
    gate = server_parts.gate_of(memory, rules, off)
    wished = server_parts.configured_model(model, judge_model, fallback, base_url, grammar=grammar, house=house)
    with store_choice.open_store(ctx) as store:
        setup = server_parts.setup_of(gate, store, wished, house=house)
        known = token_of(token)
        run(setup, host=host, port=port, token=known, allowed=tuple(allow_host or ()), browser=browser)


def token_of(given: str | None) -> str:
    """What a caller over HTTP must know: from the command line, else from the environment."""
    return given if given is not None else os.environ.get(TOKEN, "")


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
