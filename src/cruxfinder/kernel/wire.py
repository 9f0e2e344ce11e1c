"""Values to JSON and back: the one format of logs, streams and files. What equals its default is left out.

Reading goes through pydantic, strictly: a log, a model's reply or a file becomes typed values here or nowhere.
"""

import json
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from hashlib import sha256
from math import isfinite
from operator import attrgetter
from typing import Annotated, Any, Final, TypeVar, cast

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from cruxfinder.errors import LogFault
from cruxfinder.kernel.pack import Pack

FORMAT: Final = 1  # of the log; an older one can always be read
T = TypeVar("T")
NO_DEFAULT: Final = object()


ATOMS: Final = frozenset({str, int, float, bool, type(None)})


ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


@cache
def _fields(kind: type) -> tuple[Callable[[object], tuple[object, ...]], tuple[tuple[str, object], ...]]:
    """How to take all fields of a value at once, with their names and defaults; a tag (`kind`) is always written."""
    assert is_dataclass(kind), f"{kind} has no place on the wire"
    named = fields(kind)
    assert len(named) > 1, "attrgetter gives a tuple for more than one name"
    defaults = (NO_DEFAULT if f.default is MISSING or f.name == "kind" else f.default for f in named)
    return attrgetter(*(f.name for f in named)), tuple(zip((f.name for f in named), defaults, strict=True))


def plain_value(value: object) -> object:
    """Dataclasses as mappings of their fields, without those at their defaults."""
    kind = type(value)
    if kind in ATOMS:
        return value
    if isinstance(value, tuple | list):
        return [v if type(v) in ATOMS else plain_value(v) for v in cast("tuple[object, ...]", value)]
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, dict):
        return {str(k): plain_value(v) for k, v in cast("dict[object, object]", value).items()}
    take, named = _fields(kind)
    return {
        name: held if type(held) in ATOMS else plain_value(held)
        for held, (name, default) in zip(take(value), named, strict=True)
        if held is not default and held != default
    }


def dumps(value: object) -> str:
    return ENCODER.encode(plain_value(value))


def digest(text: str) -> str:
    return sha256(text.encode(errors="surrogatepass")).hexdigest()  # half a character is told apart, too


@cache
def _adapter(kinds: Any, tagged: bool) -> TypeAdapter[Any]:
    held: Any = (
        Annotated[kinds, Field(discriminator="kind")] if tagged else kinds | None
    )  # a dataclass takes no settings
    return TypeAdapter(held, config=ConfigDict(allow_inf_nan=False))


def read(text: str, what: str, kinds: Any, *, tagged: bool = True) -> Any:
    """A value of one of these kinds; `what` says in a fault what it should have been."""
    try:
        return _adapter(kinds, tagged).validate_json(text, strict=True)
    except UnicodeEncodeError:
        raise LogFault(f"this is no {what} of format {FORMAT}: it holds half of a character") from None
    except ValidationError as error:
        first = relevant_error(error.errors())
        where = ".".join(str(part) for part in first["loc"])
        raise LogFault(f"this is no {what} of format {FORMAT}: {where}: {first['msg']}") from None


def relevant_error(errors: list[Any]) -> Any:
    """Of the faults of all that a value could have been, the first of what it says it is."""
    others = [e["loc"][:-1] for e in errors if e["loc"][-1:] == ("kind",) and e["type"] == "literal_error"]
    meant = (e for e in errors if not any(e["loc"][: len(other)] == other for other in others))
    return next(meant, errors[0])


def pack(text: str) -> Pack:
    found: Pack | None = read(text, "pack", Pack, tagged=False)
    if found is None:
        raise LogFault(f"this is no pack of format {FORMAT}: there is nothing")
    return found


def camel(value: object) -> object:
    """A result as its JSON has it: every field, in camelCase; the keys of mappings stay as they are."""
    if is_dataclass(value) and not isinstance(value, type):
        return {camel_name(f.name): camel(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, frozenset):
        return sorted(str(v) for v in cast("frozenset[object]", value))
    if isinstance(value, tuple | list):
        return [camel(v) for v in cast("tuple[object, ...]", value)]
    if isinstance(value, dict):
        return {str(k): camel(v) for k, v in cast("dict[object, object]", value).items()}
    if isinstance(value, float) and not isfinite(value):
        return None  # JSON has no word for it
    return value.value if isinstance(value, StrEnum) else value


def camel_name(name: str) -> str:
    head, *rest = name.strip("_").split("_")
    return head + "".join(part.capitalize() for part in rest)
