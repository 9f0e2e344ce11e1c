"""How Markdown is written: text that stays text, tables, and parts of a document that are left out when empty."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cruxfinder.telling.export_text import clean

_MARKS: Final = re.compile(r"[\\`*_\[\]#|~$^]")
_HTML: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_BEGINS: Final = re.compile(r"^(\d{1,9})([.)])(?=\s|$)|^([-+=:%!])")  # a list, a rule, a heading underlined


def escape(text: str) -> str:
    """One line of text that no reader of Markdown takes for anything else, wherever on a line it stands."""
    escaped = _MARKS.sub(lambda mark: f"\\{mark[0]}", clean(text)).translate(_HTML)
    return _BEGINS.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", escaped)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Cells are Markdown already; nothing at all where there are no rows."""
    found = [tuple(cell or " " for cell in row) for row in rows]
    if found:
        yield f"| {' | '.join(head)} |"
        yield f"|{'|'.join(' --- ' for _ in head)}|"
        yield from (f"| {' | '.join(row)} |" for row in found)
        yield ""


def part(level: int, heading: str, body: Iterable[str]) -> Iterator[str]:
    """A heading and what stands under it; nothing where nothing does."""
    for number, line in enumerate(body):
        if number == 0:
            yield f"{'#' * level} {heading}"
            yield ""
        yield line


def bullets(lines: Iterable[str]) -> Iterator[str]:
    found = [f"- {line}" for line in lines]
    if found:
        yield from found
        yield ""


def document(lines: Iterable[str]) -> str:
    """One empty line at a time, and a line break at the end."""
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"
