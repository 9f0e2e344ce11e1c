"""The commands on people's credences: read a table of them, write the form to fill in."""

import sys
from typing import Annotated

import typer
from rich.console import Console

from cruxfinder.adapters.tables import credence_form
from cruxfinder.adapters.tables import survey_topic as topics
from cruxfinder.app.credence_maps import map_credences
from cruxfinder.cli import credence_card, output
from cruxfinder.cli.credence_pretty import pretty
from cruxfinder.cli.shared_flags import Json, split_names
from cruxfinder.errors import BadInput
from cruxfinder.tables.credences.credence_map import CredenceMap
from cruxfinder.telling.terminal_text import clean


def credences(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A CSV with a row for each agent and proposition.")],
    columns: Annotated[
        str | None,
        typer.Option(metavar="OURS=THEIRS,…", help="Which column is which, such as agent=Who,top=P(topic)."),
    ] = None,
    topic: Annotated[str, typer.Option(metavar="TEXT", help="The topic, if the table does not say it.")] = "",
    json: Json = False,
) -> None:
    """Find what people disagree about, from a table of how likely they think things are."""
    show(map_credences(file, columns=named_columns(columns), topic=topic), json=json)


def named_columns(given: str | None) -> dict[str, str]:
    """Our names of columns and a sheet's own; what stands between two commas is one pair."""
    pairs = [pair.partition("=") for pair in split_names(given, "pair such as agent=Who")]
    for ours, _, theirs in pairs:
        if not ours.strip() or not theirs.strip():
            raise BadInput(f"--columns takes pairs such as agent=Who,top=P(topic), and {given!r} has another part")
    if len({ours.strip() for ours, _, _ in pairs}) != len(pairs):
        raise BadInput(f"--columns names a column twice in {given!r}")
    return {ours.strip(): theirs.strip() for ours, _, theirs in pairs}


def show(found: CredenceMap, *, json: bool) -> None:
    """Print a map: as JSON, as a panel in a terminal, or as plain text."""
    if json:
        output.print_json(found)
        return
    card = credence_card.card_of(found)
    if not output.in_terminal():
        print(credence_card.plain(card))
        return
    console = Console(highlight=False, markup=False, emoji=False)
    console.print(pretty(card, console.width))


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
