"""Error messages by family, from `errors.txt`: the lines of a block are one error, the blocks of a family differ."""

import re
from pathlib import Path
from typing import Final

Errors = tuple[tuple[str, ...], ...]


def families() -> dict[str, Errors]:
    """⏎ stands for a line's end within a message and ⇥ for a tab."""
    found: dict[str, Errors] = {}
    table = Path(__file__).with_name("errors.txt").read_text("utf-8")
    for family in re.split("^== ", table, flags=re.MULTILINE)[1:]:
        title, _, blocks = family.partition("\n")
        found[title] = tuple(
            tuple(line.replace("⏎", "\n").replace("⇥", "\t") for line in block.splitlines())
            for block in blocks.replace("⏎\n", "⏎").strip("\n").split("\n\n")
        )
    return found


FAMILIES: Final = families()
