"""What the small commands print: JSON, tables, differences, a pack."""

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from cruxfinder.language.numerals import json_text
from cruxfinder.telling.terminal_text import clean, cut

if TYPE_CHECKING:
    from cruxfinder.crux.compare import Difference
    from cruxfinder.kernel.pack import Pack

WIDTH_MAX: Final = 100


def in_terminal() -> bool:
    return sys.stdout.isatty() and os.environ.get("TERM", "") != "dumb"


def as_json(value: object) -> object:
    """A value as its JSON has it."""
    from cruxfinder.kernel import wire  # noqa: PLC0415 - 45 ms that a table of runs does without

    return wire.camel(value)


def print_json(value: object) -> None:
    print(json_text(as_json(value), indent=2))


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns side by side; in a terminal the last one is cut to fit."""
    cells = [[clean(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(row[n]) for row in cells) for n in range(len(head))]
    room = shutil.get_terminal_size().columns if in_terminal() else 10_000
    for row in cells:
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        print(cut(line, room))


def print_differences(a: str, b: str, found: "Sequence[Difference]") -> None:
    print(f"--- {a}\n+++ {b}")
    for difference in found:
        print(clean(difference.what))
        for sign, text in (("-", difference.before), ("+", difference.after)):
            if text is not None:
                print(f"  {sign} {clean(text)}")


def print_pack(pack: "Pack") -> None:
    width = min(shutil.get_terminal_size().columns, WIDTH_MAX)

    def print_wrapped(lead: str, text: str) -> None:
        indent = " " * len(lead)
        print(textwrap.fill(clean(text), width, initial_indent=lead, subsequent_indent=indent))

    print_wrapped("", f"{pack.title} ({pack.name})")
    print_wrapped("Topic: ", pack.topic)
    print_wrapped("", pack.summary)
    print("\nWho debates it")
    ids = max(len(p.id) for p in pack.personas)
    for persona in pack.personas:
        print_wrapped(f"  {persona.id.ljust(ids)}  ", f"{persona.name}, {persona.about}")
    print("\nWhat it may turn on")
    for proposition in pack.propositions:
        print_wrapped(f"  {proposition.id}: ", proposition.question)
    print(f"\nStart it with: crux debate {pack.name}")
