"""Is a value that somebody outside handed in a chance, a text, a side? Each fault is a short sentence."""

import math
from collections.abc import Iterator
from enum import StrEnum


def chance_faults(*values: object) -> Iterator[str]:
    return (f"{p!r} is not a chance between 0 and 1" for p in values if not is_chance(p))


def is_chance(p: object) -> bool:
    return isinstance(p, float | int) and not isinstance(p, bool) and math.isfinite(p) and 0 <= p <= 1


def text_faults(*values: object) -> Iterator[str]:
    return (f"{text!r:.60} is not a text" for text in values if not is_text(text))


def is_text(value: object) -> bool:
    """A string without lone surrogates, which no log could keep."""
    return isinstance(value, str) and (value.isascii() or not any("\ud800" <= c <= "\udfff" for c in value))


def side_faults(kind: type[StrEnum], value: object) -> Iterator[str]:
    if not isinstance(value, kind):
        yield f"{value!r} is not a side"
