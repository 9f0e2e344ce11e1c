"""The commands on people's credences: read a table of them, write the form to fill in."""

import sys
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cruxfinder.cli.debates import Json

if TYPE_CHECKING:
    from cruxfinder.survey.map import CredenceMap

commands = typer.Typer()

PANEL: Final = "People's own answers"


@commands.command(rich_help_panel=PANEL)
def credences(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A CSV with a row for each agent and proposition.")],
    json: Json = False,
) -> None:
    """Find what people disagree about, from a table of how likely they think things are."""
    from cruxfinder.survey import map, table

    show(map.map_of(table.read(file)), json=json)


def show(found: "CredenceMap", *, json: bool) -> None:
    """Print a map: as JSON, as a panel in a terminal, or as plain text."""
    from cruxfinder.cli import credence_card, output

    if json:
        output.print_json(found)
        return
    card = credence_card.card_of(found)
    if not output.in_terminal():
        print(credence_card.plain(card))
        return
    from rich.console import Console

    from cruxfinder.cli.credence_pretty import pretty

    console = Console(highlight=False, markup=False, emoji=False)
    console.print(pretty(card, console.width))


@commands.command(rich_help_panel=PANEL)
def survey(
    topic: Annotated[
        str, typer.Argument(metavar="TOPIC", help="A .yaml file with a topic and propositions, or a pack.")
    ],
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write the form; else it is printed.")
    ] = None,
    agents: Annotated[str | None, typer.Option(metavar="A,B,…", help="Who is to answer.")] = None,
    semicolons: Annotated[
        bool, typer.Option("--semicolons", help="Separate cells as spreadsheets with decimal commas expect it.")
    ] = False,
) -> None:
    """Write a form in which people say how likely they think things are."""
    from cruxfinder.cli.debates import named
    from cruxfinder.cli.text import clean
    from cruxfinder.survey import form
    from cruxfinder.survey import topic as topics

    asked = topics.find(topic)
    if agents is not None:
        asked = topics.with_agents(asked, named(agents, "agent"))
    text = form.form(asked, ";" if semicolons else ",")
    if output is None:
        print(text, end="")
    else:
        form.write(output, text)
    told = [f"Topic: {clean(asked.topic)}", *(f"  {name:<12}  {how}" for name, how in form.HOW), form.NUMBERS]
    told.append(f"Then: crux credences {clean(output or 'FILE')}")
    print("\n".join(told), file=sys.stderr)
