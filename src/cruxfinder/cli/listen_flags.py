"""The flags of a server: where it listens, and what its callers must know."""

import os
from dataclasses import dataclass
from typing import Annotated, Final

import typer

LISTENING: Final = "Where to listen"
TOKEN: Final = "CRUX_TOKEN"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenFlags:
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Anything but this machine needs a token.", rich_help_panel=LISTENING)
    ] = "127.0.0.1"
    token: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help=f"What a caller must know; better in {TOKEN}.", rich_help_panel=LISTENING),
    ] = None
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Another name the server is reached by.", rich_help_panel=LISTENING),
    ] = None

    @property
    def limits_callers(self) -> bool:
        return self.token is not None or bool(self.allow_host)

    @property
    def known_token(self) -> str:
        """From the command line, else from the environment; empty where callers need none."""
        return self.token if self.token is not None else os.environ.get(TOKEN, "")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.allow_host or ())
