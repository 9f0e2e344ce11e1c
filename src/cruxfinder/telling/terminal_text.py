"""Words for the terminal: text made safe to print, times, lists and bars."""

import re
from typing import Final

# Control characters, and those that reorder or hide what follows: a message must not move the cursor or lie.
_UNSAFE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")
_EIGHTHS: Final = " ▏▎▍▌▋▊▉█"


def clean(text: str) -> str:
    """One line without anything a terminal would obey."""
    return " ".join(_UNSAFE.sub(" ", text).split())


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    text = clean(text)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!', '…')) else '.'}"


def seconds(ms: int) -> str:
    return f"{ms / 1000:.1f}s"


def clock(ms: int) -> str:
    minutes, rest = divmod(ms // 1000, 60)
    return f"{minutes}:{rest:02d}"


def bar(share: float, width: int) -> str:
    """A bar of `width` cells, exact to an eighth of a cell."""
    eighths = round(min(1.0, max(0.0, share)) * width * 8)
    whole, rest = divmod(eighths, 8)
    return "█" * whole + (_EIGHTHS[rest] if rest else "")


def bar_to_the_left(share: float, width: int) -> str:
    """The same towards the left, where only halves of a cell exist."""
    halves = round(min(1.0, max(0.0, share)) * width * 2)
    return "▐" * (halves % 2) + "█" * (halves // 2)


def ascii_bar(share: float, width: int) -> str:
    whole = round(min(1.0, max(0.0, share)) * width)
    return "#" * whole + "." * (width - whole)
