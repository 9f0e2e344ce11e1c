"""The commands of the gate on texts alone: `crux gate fingerprint|csp`. They open no gate."""

from typing import Annotated, Any

import typer

from cruxfinder.cli import output
from cruxfinder.cli.gate_flags import STDIN, text_or_stdin
from cruxfinder.cli.gate_lines import print_fingerprints
from cruxfinder.cli.shared_flags import Json
from cruxfinder.errors import BadInput
from cruxfinder.gate.csp import BadText, read, write
from cruxfinder.gate.fingerprints import fingerprint as of


def fingerprint(
    message: Annotated[str | None, typer.Argument(metavar="MESSAGE", help="An error; - reads stdin.")] = None,
    jsonl: Annotated[bool, typer.Option("--jsonl", help='A message a line in, {"fingerprint"} a line out.')] = False,
    json: Json = False,
) -> None:
    """What stays the same when an error comes back: paths, numbers and names are masked."""
    if jsonl:
        if message is not None:
            raise BadInput("give a message or --jsonl, not both")
        print_fingerprints()
        return
    if message is None:
        raise BadInput("give an error, or messages on stdin with --jsonl")
    found = of(text_or_stdin(message))
    if json:
        output.print_json({"fingerprint": found})
    else:
        print(found)


def csp(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="CSP/1; without it, from stdin.")] = STDIN,
    json: Json = False,
) -> None:
    """Read a CSP/1 text strictly and write it as the gate does; what is wrong is told with its place."""
    try:
        form = read(text_or_stdin(text))
    except BadText as fault:
        raise BadInput(str(fault)) from None
    if json:
        found: Any = output.as_json(form)
        output.print_json({"form": type(form).__name__, **found})
    else:
        print(write(form))
