"""`${…}` taken apart: the value that is meant, and what an operation makes of it."""

import re
from collections.abc import Callable
from typing import Final, Protocol

from cruxfinder.gate.shell.expansions import (
    SEARCHED_MAX,
    change_case,
    find_closing_brace,
    replace_matches,
    simple_sum,
    slice_value,
    unescape,
    without_prefix,
    without_suffix,
)
from cruxfinder.gate.shell.variables import Variables

PARAMETER: Final = re.compile(r"([!#]?)([A-Za-z_]\w*|\d{1,3}|[@*])(?:\[([^\[\]]{0,200})\])?")
OPERATION: Final = re.compile(r":?[-=+?]|:|##?|%%?|/[/#%]?|\^\^?|,,?|@")
_PATTERN_END: Final = re.compile(r"[\\'\"/$`]")

Expansion = str | tuple[str, ...]  # each of a list, where it is several words even in quotes


class Operand(Protocol):
    """Reads a word within `${…}`; what its quotes hold stands for itself in a pattern."""

    def __call__(self, text: str, *, pattern: bool = False) -> str: ...


def value_of(variables: Variables, found: re.Match[str], operand: Operand) -> Expansion | None:
    """The value that is meant, before anything is done to it."""
    sign, name, index = found.groups()
    index = index if index is None or index in ("@", "*") else operand(index)
    if name in ("@", "*") or index in ("@", "*"):
        name = "@" if name == "*" else name
        held = variables.indices(name) if sign == "!" else variables.all_of(name)
        if sign == "#" and held is not None:
            return str(len(held))
        return " ".join(held) if held is not None and "*" in (found[2], index) else held
    value = variables.get(name) if index is None else variables.item(name, index)
    if value is None:
        return None
    if sign == "#":
        return str(len(value))
    return variables.get(value) if sign == "!" else value


def operation(variables: Variables, how: str, rest: str, operand: Operand) -> Callable[[str], str | None]:
    """What is done to a value, or to each of a list."""
    if how == ":":
        start, _, length = rest.partition(":")
        begin = simple_sum(operand(start), variables.values)
        count = simple_sum(operand(length), variables.values) if length else None
        unknown = begin is None or (length and count is None)
        return lambda value: None if unknown else slice_value(value, begin or 0, count)
    if how[0] == "/":
        end = pattern_end(rest)
        old, new = operand(rest[:end], pattern=True), operand(rest[end + 1 :])
        return lambda value: replace_matches(value, old, new, how)
    if how == "@":
        cases = {"L": ",,", "U": "^^", "u": "^"}
        return lambda value: change_case(value, cases[rest], "") if rest in cases else transform_value(value, rest)
    pattern = operand(rest, pattern=True)
    if how[0] == "#":
        return lambda value: without_prefix(value, pattern, longest=len(how) > 1)
    if how[0] == "%":
        return lambda value: without_suffix(value, pattern, longest=len(how) > 1)
    return lambda value: change_case(value, how, pattern)


def operation_cost(how: str, rest: str, value: str) -> int:
    """What an operation counts for, in characters of text that take as long to read."""
    if how in ("/", "//") and "*" in rest:
        return min(len(value), SEARCHED_MAX) ** 2 // 16
    return len(value) // 4


def slice_list(variables: Variables, name: str, value: tuple[str, ...], rest: str, operand: Operand) -> Expansion:
    """The items of a list that `:start:length` picks."""
    start, _, length = rest.partition(":")
    begin = simple_sum(operand(start), variables.values)
    count = simple_sum(operand(length), variables.values) if length else len(value)
    if begin is None or count is None:
        return value  # no more than this
    begin = begin - 1 if name in ("@", "*") and begin > 0 else begin
    return value[begin:][: max(0, count)]


def transform_value(value: str, how: str) -> str | None:
    """What `${x@Q}` and its like make of a value that is no longer than what it stands for."""
    return unescape(value) if how == "E" else value if how in ("Q", "P") else None


def as_text(value: Expansion) -> str:
    return value if isinstance(value, str) else " ".join(value)


def pattern_end(text: str) -> int:
    """Where the pattern of a replacement ends: at a `/` outside of quotes and of what is expanded."""
    at = 0
    while (found := _PATTERN_END.search(text, at)) is not None:
        at = found.end()
        match found.group():
            case "/":
                return found.start()
            case "\\":
                at += 1
            case "$":
                if text.startswith("{", at):
                    at = find_closing_brace(text, at + 1) + 1
            case quote:
                end = text.find(quote, at)
                at = len(text) if end < 0 else end + 1
    return len(text)
