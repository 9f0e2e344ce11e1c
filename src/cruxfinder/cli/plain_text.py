"""Text without colour in lines of one width, for pipes and files."""

import textwrap
from collections.abc import Iterator
from typing import Final

WIDTH: Final = 96


def wrap_text(text: str, lead: str = "") -> Iterator[str]:
    indent = " " * len(lead)
    yield from textwrap.wrap(text, WIDTH, initial_indent=lead, subsequent_indent=indent, break_long_words=False)
