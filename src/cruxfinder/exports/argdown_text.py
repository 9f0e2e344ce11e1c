"""How Argdown is written: text escaped, titles of plain characters, tags and data behind a statement.

Inside a title nothing can be escaped, and so it holds plain characters only.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from cruxfinder.telling.export_text import clean

# What is always a mark, and what is one only with what follows: an entity such as .x. or :x:, a comment, front matter.
_MARKS: Final = re.compile(r"[\\@#*_\[\]<>{}]|[.:](?=\S)|/(?=[/*])|=(?==)")
_UNTITLED: Final = re.compile(r"[\\@#*_\[\]<>{}:/=|`\"]+")
NAME_MAX: Final = 40
TITLE_MAX: Final = 120

Datum = str | int | float | bool


def escape(text: str) -> str:
    """Text that is read back as it is; never empty, since a statement says something."""
    return _MARKS.sub(lambda mark: f"\\{mark[0]}", clean(text)) or "…"


def title(text: str) -> str:
    """What may stand between the brackets of a title."""
    plain = " ".join(_UNTITLED.sub(" ", clean(text)).split()).strip("-+ ")
    return plain[:TITLE_MAX].strip() or "untitled"


def short_titles(names: Mapping[str, str]) -> dict[str, str]:
    """What everybody is called in titles: short, and still different for different people."""
    short = {id: title(name)[:NAME_MAX].strip() for id, name in names.items()}
    often = Counter(short.values())
    return {id: f"{name} {title(id)}" if often[name] > 1 else name for id, name in short.items()}


def quote_yaml(text: str) -> str:
    """A string of YAML; braces would end the data it stands in."""
    found = json.dumps(clean(text), ensure_ascii=False)
    return found.replace("{", "\\u007b").replace("}", "\\u007d").replace("=", "\\u003d")


def data(held: Mapping[str, Datum]) -> str:
    """The data of a statement, behind it on its line."""
    told = ", ".join(f"{key}: {datum(value)}" for key, value in held.items())
    return f"{{{told}}}"


def datum(value: Datum) -> str:
    return (
        quote_yaml(value) if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else f"{value:g}"
    )


def front_matter(held: Mapping[str, str]) -> str:
    """The front matter of a document."""
    return "\n".join(("===", *(f"{key}: {quote_yaml(value)}" for key, value in held.items()), "==="))


def heading(level: int, text: str) -> str:
    return f"{'#' * level} {escape(text)}"


def line(depth: int, relation: str, named: str, text: str, *tags: str, held: Mapping[str, Datum] | None = None) -> str:
    """One statement or argument and how it bears on the one it is indented under; nothing to say refers to another."""
    lead = f"{'  ' * depth}{relation} " if relation else ""
    told = f"{lead}{named}: {escape(text)}" if text else f"{lead}{named}"
    return " ".join((told, *(f"#({tag})" for tag in dict.fromkeys(tags)), *((data(held),) if held else ())))
