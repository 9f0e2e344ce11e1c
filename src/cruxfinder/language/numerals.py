"""Numbers as others write them: as many digits as a number needs, finite, and JSON that holds no other.

Python turns `1e999` into infinity, reads and prints NaN as if it were JSON, raises OverflowError where a whole number
of 400 digits meets a float and ValueError for one of 5,000. Who reads a number from outside reads it here instead.
"""

import json
import re
from math import isfinite
from typing import Final

SAFE_INTEGER: Final = 2**53 - 1  # what a page, a table and a float can hold without a loss
NUMERAL_MAX: Final = 300  # characters
SHOWN_MAX: Final = 60
_DECIMAL: Final = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[-+]?[0-9]+)?", re.IGNORECASE)
_WHOLE: Final = re.compile(r"[-+]?[0-9]{1,16}")


def parse_number(value: object) -> float | None:
    """The number that a value of JSON or a text states; None if it states none, or none that a float can hold."""
    if isinstance(value, str):
        if len(value) > NUMERAL_MAX or _DECIMAL.fullmatch(value.strip()) is None:
            return None
    elif isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if isfinite(found) else None


def parse_whole_number(value: object, most: int = SAFE_INTEGER) -> int | None:
    """The whole number that a value of JSON or a text states, from -most to most; None if it states none."""
    if isinstance(value, str) and len(value) <= NUMERAL_MAX and _WHOLE.fullmatch(value.strip()):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not -most <= value <= most:
        return None
    return value


def short_repr(value: object) -> str:
    """What was given instead of a number, in a sentence about it; a whole number may be too long to be written."""
    try:
        text = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= SHOWN_MAX else f"{text[:SHOWN_MAX]}…"


def read_json(text: str | bytes) -> object:
    """The value of a JSON text. Raise ValueError for what is none, nests too deeply or holds a number that is none."""
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_int=_parse_integer, parse_float=_parse_float)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def json_text(value: object, indent: int | None = None) -> str:
    """A value as JSON that every reader takes. Raise ValueError where a number is not finite."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")


def _parse_integer(text: str) -> int:
    if len(text) > NUMERAL_MAX:
        raise ValueError(f"a number has more than {NUMERAL_MAX} digits")
    return int(text)


def _parse_float(text: str) -> float:
    found = parse_number(text)
    if found is None:
        raise ValueError("a number is too large or too long")
    return found
