"""The command that prints the JSON Schemas which ship."""

import sys
from typing import Annotated

import typer

from cruxfinder.cli import output
from cruxfinder.exports.schemas import SCHEMAS, SchemaName, schema_text


def schema(
    name: Annotated[SchemaName | None, typer.Argument(metavar="NAME", help="Which; without it all are listed.")] = None,
) -> None:
    """Print the JSON Schema of a result, of minutes, of an event, of settings; or list the schemas."""
    if name is None:
        output.print_table(("schema", "what keeps to it"), [(row, SCHEMAS[row].holds) for row in SCHEMAS])
    else:
        sys.stdout.write(schema_text(name))
