"""The commands on packs: list, show, check."""

from typing import Annotated

import typer

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.cli import exits, output
from cruxfinder.cli.shared_flags import Json
from cruxfinder.errors import BadPack
from cruxfinder.telling.terminal_text import clean

commands = typer.Typer(invoke_without_command=True)

PackName = Annotated[str, typer.Argument(metavar="NAME", help="A pack's name, or the path of its .yaml file.")]


@commands.callback()
def packs(ctx: typer.Context, json: Json = False) -> None:
    """List the packs that ship; show one; check one of your own."""
    if ctx.invoked_subcommand is not None:
        return
    found = [pack_finder.find(name)[0] for name in pack_finder.names()]
    if json:
        told = [
            {"name": p.name, "title": p.title, "topic": p.topic, "agents": [a.id for a in p.personas]} for p in found
        ]
        output.print_json(told)
        return
    output.print_table(("pack", "agents", "topic"), [(p.name, str(len(p.personas)), p.topic) for p in found])


@commands.command()
def show(name: PackName, json: Json = False) -> None:
    """Show a pack: its topic, its propositions, and who debates it."""
    pack, _ = pack_finder.find(name)
    if json:
        output.print_json(pack)
        return
    output.print_pack(pack)


@commands.command()
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The path of a pack's .yaml file, or a pack's name.")],
    json: Json = False,
) -> None:
    """Check a pack: every error with its line."""
    faults: tuple[tuple[int, str], ...] = ()
    try:
        pack_finder.find(file)
    except BadPack as bad:
        faults = bad.faults
    if json:
        output.print_json({"file": file, "faults": [{"line": line, "fault": text} for line, text in faults]})
    else:
        for line, text in faults:
            print(f"{clean(file)}:{line}: {clean(text)}")
        if not faults:
            print(f"{clean(file)} is a sound pack.")
    if faults:
        raise typer.Exit(exits.BAD_INPUT)
