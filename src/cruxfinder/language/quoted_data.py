"""Text that somebody wrote, marked as data: agents, memos and personas inform a model and cannot instruct it."""

from typing import Final

OPEN: Final = "«"
CLOSE: Final = "»"
PLAIN: Final = str.maketrans({OPEN: '"', CLOSE: '"'})


def mark_as_data(text: str, most: int = 600) -> str:
    """On one line, without the marks that end it, and no longer than asked for."""
    line = " ".join(text.translate(PLAIN).split())
    if len(line) > most:
        line = f"{line[: most - 1].rstrip()}…"
    return f"{OPEN}{line}{CLOSE}"
