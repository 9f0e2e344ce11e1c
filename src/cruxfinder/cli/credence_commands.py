"""The commands on people's credences: read a table of them, write the form to fill in."""

import sys
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cruxfinder.cli.debate_commands import Json

if TYPE_CHECKING:
    from cruxfinder.tables.credences.credence_map import CredenceMap

commands = typer.Typer()

PANEL: Final = "People's own answers"


@commands.command(rich_help_panel=PANEL)
def credences(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A CSV with a row for each agent and proposition.")],
    json: Json = False,
) -> None:
    """Find what people disagree about, from a table of how likely they think things are."""
    from cruxfinder.adapters.tables import credence_table
    from cruxfinder.tables.credences import credence_map

    show(credence_map.map_of(credence_table.read(file)), json=json)


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
    from cruxfinder.adapters.tables import credence_form
    from cruxfinder.adapters.tables import survey_topic as topics
    from cruxfinder.cli.debate_commands import split_names
    from cruxfinder.telling.terminal_text import clean

    asked = topics.find(topic)
    if agents is not None:
        asked = topics.with_agents(asked, split_names(agents, "agent"))
    text = credence_form.form(asked, ";" if semicolons else ",")
    if output is None:
        print(text, end="")
    else:
        credence_form.write(output, text)
    told = [
        f"Topic: {clean(asked.topic)}",
        *(f"  {name:<12}  {how}" for name, how in credence_form.HOW),
        credence_form.NUMBERS,
    ]
    told.append(f"Then: crux credences {clean(output or 'FILE')}")
    print("\n".join(told), file=sys.stderr)
