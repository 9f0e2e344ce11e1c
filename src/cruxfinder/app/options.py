"""Options of a request: what one means, what it may be, who may set it, and how a wrong value of it is told.

Every surface hands values to the same checks. A fault names its option, and each surface spells that as its own.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from decimal import Decimal
from enum import Flag, auto
from functools import cache
from math import inf
from types import MappingProxyType, UnionType
from typing import Annotated, Any, Final, Literal, Union, cast, get_args, get_origin, get_type_hints

from cruxfinder.errors import BadOption
from cruxfinder.language.numerals import parse_number, short_repr

Group = Literal["", "models", "personas", "turns", "seats"]  # options that are shown together
GROUPS: Final[tuple[Group, ...]] = get_args(Group)
Kind = Literal["flag", "whole", "number", "text", "list", "map", "value"]
DIGITS_MAX: Final = 40  # of a number that is told
TOLD_BELOW: Final = 10**30
WHOLE: Final = re.compile(r"[-+]?[0-9]{1,300}")
TEXT_MAX: Final = 4_000
WORD_MAX: Final = 80  # of a name in a list
WORD: Final = {"type": "string", "minLength": 1, "maxLength": WORD_MAX, "pattern": "[^\\s\\u0000]"}
NO_NAME: Final = "lacks a name"
YES_OR_NO: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
NOT_FINITE: Final = re.compile(r"[-+]?(?:nan|inf|infinity)", re.IGNORECASE)


Spell = Callable[[str], str]  # an option's name, as a surface spells it


class SetBy(Flag):
    """Who may set an option; in Python all may be set. No caller of a server names files or addresses."""

    COMMAND = auto()
    HTTP = auto()
    MCP = auto()
    FORM = auto()  # of the page
    FORK = auto()
    SETTINGS = auto()  # the environment, and the settings file
    GATE = auto()  # flags of commands that let a model think for the gate, or for a server
    NOBODY = 0
    CALLERS = HTTP | MCP  # of a server
    ALL = COMMAND | HTTP | MCP


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """What an option means, in a few words, and what it may be."""

    help: str
    by: SetBy = SetBy.ALL
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] | Callable[[], tuple[str, ...]] = ()  # of a text, or of what is in a list
    most: int | None = None  # of a list or a map: entries
    entry: str = "an entry"  # what one of a list is
    flag: str = ""  # on the command line; else the name of the option
    metavar: str = ""
    commas: bool = False  # on the command line: one list with commas, not one flag an entry
    group: Group = ""
    label: str = ""  # on the form

    @property
    def all_choices(self) -> tuple[str, ...]:
        """Its choices, which some options only know once the law is loaded."""
        return self.choices() if callable(self.choices) else self.choices

    @property
    def entries_max(self) -> int | None:
        """Of a list or a map; each choice can be made once."""
        return self.most if self.most is not None else len(self.all_choices) or None

    @property
    def range(self) -> tuple[float, float]:
        return -inf if self.low is None else self.low, inf if self.high is None else self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionField:
    """An option by its name, and what kind of value it takes."""

    name: str
    kind: Kind
    option: Option
    default: object
    others: tuple[type, ...] = ()  # types that a text may be instead, in Python

    @property
    def flag(self) -> str:
        return self.option.flag or f"--{self.name.replace('_', '-')}"

    @property
    def shown_flag(self) -> str:
        """As a sentence names it."""
        return self.flag.partition("/")[0]

    @property
    def setting(self) -> str:
        """Its key in the settings file; the environment has the same in capitals."""
        return self.shown_flag.removeprefix("--").replace("-", "_")


@cache
def options_of(request: type) -> tuple[OptionField, ...]:
    """The options among the fields of a request: those that are shown together stand together."""
    return tuple(sorted(find_options(request), key=lambda field: GROUPS.index(field.option.group)))


def find_options(request: type) -> Iterator[OptionField]:
    defaults = {field.name: field.default for field in fields(request)}
    for name, hint in get_type_hints(request, include_extras=True).items():
        if name in defaults and get_origin(hint) is Annotated:
            value, option = get_args(hint)
            default = defaults[name]
            assert default is not MISSING, "an option may be left out"
            yield OptionField(
                name=name, kind=kind_of(value), option=option, default=default, others=classes_of(value)[1:]
            )


@cache
def option_named(request: type, name: str) -> OptionField:
    return next(field for field in options_of(request) if field.name == name)


KINDS: Final[dict[Any, Kind]] = {
    bool: "flag",
    int: "whole",
    float: "number",
    str: "text",
    Sequence: "list",
    Mapping: "map",
}


def kind_of(hint: Any) -> Kind:
    first = classes_of(hint)[0]
    is_other_map = first is Mapping and (str, str) not in [get_args(one) for one in (hint, *get_args(hint))]
    return "value" if is_other_map else KINDS.get(first, "value")


def classes_of(hint: Any) -> tuple[Any, ...]:
    """The types of a union, without None."""
    origin = get_origin(hint)
    if origin in (UnionType, Union):
        return tuple(kind for one in get_args(hint) if one is not type(None) for kind in classes_of(one))
    return (origin or hint,)


# ---- what a value may be


def checked_value(field: OptionField, given: object) -> Any:
    """The value as a request keeps it; None is what was not said. Raise BadOption."""
    if given is None:
        return field.default
    if isinstance(given, field.others):
        return given
    match field.kind:
        case "flag" if isinstance(given, bool):
            return given
        case "whole" | "number":
            return checked_number(field, given)
        case "text" if isinstance(given, str):
            return checked_text(field, given)
        case "list" if isinstance(given, Sequence) and not isinstance(given, str | bytes):
            return checked_list(field, cast("Sequence[object]", given))
        case "map" if isinstance(given, Mapping):
            return checked_map(field, cast("Mapping[object, object]", given))
        case "value":
            return given
        case _:
            raise fault_of(field, f"takes {WANTED[field.kind]}, not {describe_value(given)}")


WANTED: Final[dict[Kind, str]] = {
    "flag": "true or false",
    "text": "a text",
    "list": "a list of texts",
    "map": "texts by name",
}


def checked_number(field: OptionField, given: object) -> float:
    low, high = field.option.range
    whole = field.kind == "whole"
    fits = isinstance(given, int | float) and not isinstance(given, bool) and low <= given <= high
    if not fits or (whole and given != int(cast("float", given))):
        wanted = "a whole number" if whole else "a number"
        raise fault_of(field, f"takes {wanted} from {in_digits(low)} to {in_digits(high)}, not {describe_value(given)}")
    found = cast("float", given)
    return int(found) if whole else found


def checked_text(field: OptionField, given: str) -> str:
    text, choices = given.strip(), field.option.all_choices
    if choices and text not in choices:
        raise fault_of(field, f"takes no {describe_value(given)}; it takes {', '.join(choices)}")
    if given and not text:
        raise fault_of(field, NO_NAME)
    if len(text) > TEXT_MAX or "\0" in text:
        raise fault_of(field, f"takes a text of at most {TEXT_MAX:,} characters, not {describe_value(given)}")
    return text


def checked_list(field: OptionField, given: Sequence[object]) -> tuple[str, ...]:
    option = field.option
    check_most(field, len(given))
    found = tuple(checked_word(field, word, option.entry) for word in given)
    if option.choices and (strange := [word for word in found if word not in option.all_choices]):
        raise fault_of(field, f"takes no {describe_value(strange[0])}; it takes {', '.join(option.all_choices)}")
    return found


def checked_map(field: OptionField, given: Mapping[Any, object]) -> object:
    check_most(field, len(given))
    found: dict[str, str] = {}
    for given_key, value in given.items():
        key = checked_word(field, given_key, "a name")
        if key in found:
            raise given_twice(field, key)
        found[key] = checked_word(field, value, f"{field.option.entry} for {describe_value(key)}")
    return MappingProxyType(found) if found else field.default


def check_most(field: OptionField, count: int) -> None:
    most = field.option.entries_max
    if most is not None and count > most:
        raise fault_of(field, f"takes at most {most}, not {count}")


def checked_word(field: OptionField, given: object, what: str) -> str:
    if not isinstance(given, str):
        raise fault_of(field, f"takes {WANTED[field.kind]}, and {describe_value(given)} is none")
    word = given.strip()
    if not word:
        raise fault_of(field, f"lacks {what}")
    if (len(word) > WORD_MAX and field.option.by & SetBy.CALLERS) or len(word) > TEXT_MAX or "\0" in word:
        raise fault_of(field, f"takes nothing so long as {describe_value(given)}")
    return word


def fault_of(field: OptionField, reason: str) -> BadOption:
    return BadOption(field.name, reason)


def given_twice(field: OptionField, key: str) -> BadOption:
    return fault_of(field, f"gives {describe_value(key)} twice")


def describe_value(given: object) -> str:
    """A value in a sentence about it."""
    match given:
        case bool():
            return "true" if given else "false"
        case int() | float():
            return in_digits(given)
        case str():
            return short_repr(given)
        case Mapping():
            return "values by name"
        case Sequence():
            return "a list"
        case _:
            return f"a value of type {type(given).__name__}"


def in_digits(number: float) -> str:
    """A number as people write it, without an exponent."""
    if isinstance(number, int) and abs(number) >= TOLD_BELOW:
        return "a number too large to write"
    text = f"{Decimal(repr(number)):,f}" if isinstance(number, float) else f"{number:,}"
    if len(text) > DIGITS_MAX:
        return "a number too large to write" if abs(number) > 1 else "a number too small to write"
    return text.removesuffix(".0").lower()


# ---- values of JSON


def schema_of(field: OptionField) -> dict[str, Any]:
    """The JSON Schema of an option; what is not asked for may be left out, or null."""
    option = field.option
    word = {"type": "string", "enum": list(option.all_choices)} if option.choices else WORD
    bounds = {"minimum": option.low, "maximum": option.high}
    shapes: dict[Kind, dict[str, Any]] = {
        "flag": {"type": "boolean"},
        "whole": {"type": "integer", **bounds},
        "number": {"type": "number", **bounds},
        "text": word,
        "list": {"type": "array", "items": word, "maxItems": option.entries_max},
        "map": {"type": "object", "additionalProperties": WORD, "maxProperties": option.most},
    }
    return {"anyOf": [shapes[field.kind], {"type": "null"}], "default": None, "description": option.help}


# ---- values that come as texts


def value_of_text(kind: Kind, text: str) -> object:
    """What a text stands for on the command line, in the environment or behind an `=`; the text where it is none."""
    said = text.strip()
    match kind:
        case "flag":
            return YES_OR_NO.get(said.casefold(), text)
        case "whole" | "number":
            if WHOLE.fullmatch(said):
                return int(said)
            if (number := parse_number(said)) is not None:
                return number
            return float(said) if NOT_FINITE.fullmatch(said) else text
        case "list":
            return [part.strip() for part in text.split(",")] if text else []
        case _:
            return text


def spell_key(name: str) -> str:
    """As the keys of a fork spell it."""
    return name.replace("_", "-")
