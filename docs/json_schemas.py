"""JSON Schemas (2020-12) of dataclasses: fields, unions, enums and ranges from the types, descriptions from the
docstrings and from the comments behind the fields."""

import inspect
import json
import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from enum import StrEnum
from functools import cache, reduce
from operator import or_

from cruxfinder.app.options import OptionField
from cruxfinder.kernel import wire
from cruxfinder.kernel.field_meanings import Meaning
from cruxfinder.kernel.ranges import Range
from cruxfinder.kernel.vocabulary import ProtocolName
from cruxfinder.protocols.registry import PROTOCOLS

Schema = dict[str, object]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
OPTION_KINDS = {"text": "string", "flag": "boolean", "whole": "integer", "number": "number", "list": "array"}
ATOMS: dict[object, str] = {bool: "boolean", str: "string", int: "integer", float: "number"}
COMMENT = re.compile(r"^ {4}(\w+): .*?  # (?!fmt|type|noqa|pyright)(.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Form:
    """How values are written: under which names, and whether what equals its default is left out."""

    name_of: Callable[[str], str]
    leaves_out: bool


RESULT = Form(wire.camel_name, leaves_out=False)
WIRE = Form(str, leaves_out=True)


@dataclass(frozen=True)
class Writer:
    """Schemas of types, with those of the values inside them by name in `defs`."""

    form: Form
    defs: dict[str, Schema] = field(default_factory=dict)

    def of(self, hint: object) -> Schema:
        origin, args = typing.get_origin(hint), typing.get_args(hint)
        if hint is ProtocolName:
            return {"enum": list(PROTOCOLS)}
        if isinstance(hint, typing.NewType):
            return self.of(hint.__supertype__)
        if origin is typing.Annotated:
            marks = [in_range(mark) if isinstance(mark, Range) else meaning_of(mark) for mark in args[1:]]
            return reduce(or_, marks, self.of(args[0]))
        if origin is typing.Literal:
            values = [value.value if isinstance(value, StrEnum) else value for value in args]
            return {"const": values[0]} if len(values) == 1 else {"enum": values}
        if origin in (typing.Union, types.UnionType):
            return self.union(args)
        if origin is tuple:
            return self.sequence(args)
        if origin is dict:
            assert args[0] is str, f"{hint} has keys that are no texts"
            return {"type": "object", "additionalProperties": self.of(args[1])}
        if hint in ATOMS:
            return {"type": ATOMS[hint]}
        assert isinstance(hint, type), f"{hint} has no schema"
        return self.named(hint)

    def union(self, args: tuple[object, ...]) -> Schema:
        """One of several values that name their kind, or a value that may be nothing."""
        if types.NoneType not in args:
            return {"oneOf": [self.of(arg) for arg in args]}
        (kept,) = (arg for arg in args if arg is not types.NoneType)
        return {"anyOf": [self.of(kept), {"type": "null"}]}

    def sequence(self, args: tuple[object, ...]) -> Schema:
        if args[1:] == (...,):
            return {"type": "array", "items": self.of(args[0])}
        kinds = [self.of(arg) for arg in args]
        return {"type": "array", "prefixItems": kinds, "items": False, "minItems": len(kinds)}

    def named(self, kind: type) -> Schema:
        if kind.__name__ not in self.defs:
            self.defs[kind.__name__] = {}  # its place, before that of what it holds
            self.defs[kind.__name__] |= described(kind) | self.shape(kind)
        return {"$ref": f"#/$defs/{kind.__name__}"}

    def shape(self, kind: type) -> Schema:
        if issubclass(kind, StrEnum):
            return {"enum": [member.value for member in kind]}
        if issubclass(kind, tuple):  # a named tuple: its values in order, without their names
            return self.sequence(tuple(typing.get_type_hints(kind, include_extras=True).values()))
        assert is_dataclass(kind), f"{kind} has no schema"
        hints = typing.get_type_hints(kind, include_extras=True)
        return {
            "type": "object",
            "properties": {self.form.name_of(f.name): self.property(kind, f, hints[f.name]) for f in fields(kind)},
            "required": [self.form.name_of(f.name) for f in fields(kind) if self.is_required(f)],
            "additionalProperties": False,
        }

    def property(self, kind: type, held: "Field[object]", hint: object) -> Schema:
        found = self.of(hint)
        if note := comments(kind).get(held.name):
            found |= {"description": note}
        if self.form.leaves_out and held.default is not MISSING and held.name != "kind":
            found |= {"default": wire.plain_value(held.default)}
        return found

    def is_required(self, held: "Field[object]") -> bool:
        assert held.default_factory is MISSING, f"the default of {held.name} is not known before a value is made"
        return not self.form.leaves_out or held.default is MISSING or held.name == "kind"


def in_range(range: Range) -> Schema:
    bounds = {"minimum": range.low, "maximum": range.high}
    return {name: bound for name, bound in bounds.items() if bound is not None}


def meaning_of(mark: object) -> Schema:
    return {"description": mark.means} if isinstance(mark, Meaning) else {}


def described(kind: type) -> Schema:
    text = docstring_of(kind)
    return {"description": text} if text else {}


def docstring_of(kind: type) -> str:
    """What the code says of a value; a dataclass without a docstring gets one from Python, which says nothing, and so
    does an enum before 3.13."""
    text = " ".join((vars(kind).get("__doc__") or "").split())
    return "" if text.startswith(f"{kind.__name__}(") or text == "An enumeration." else text.rstrip(".")


@cache
def comments(kind: type) -> dict[str, str]:
    """What the comments behind the fields of a dataclass say."""
    return dict(COMMENT.findall(inspect.getsource(kind)))


def of_options(options: Iterable[OptionField]) -> Schema:
    """Of a file that may say these options."""
    return {
        "type": "object",
        "properties": {each.setting: of_option(each) for each in options},
        "required": [],
        "additionalProperties": False,
    }


def of_option(field: OptionField) -> Schema:
    kind: Schema = {"type": OPTION_KINDS[field.kind]}
    if field.kind == "list":
        kind["items"] = {"type": "string"}
    bounds = {"minimum": field.option.low, "maximum": field.option.high}
    return (
        kind
        | {name: bound for name, bound in bounds.items() if bound is not None}
        | {"description": field.option.help.rstrip(".")}
    )


def write_schema(name: str, title: str, kind: object, form: Form) -> str:
    """The file of one schema; its own fields stand at its top, where it has any."""
    writer = Writer(form)
    return as_file(
        name, title, described(kind) | writer.shape(kind) if isinstance(kind, type) else writer.of(kind), writer.defs
    )


def as_file(name: str, title: str, body: Schema, defs: Mapping[str, Schema]) -> str:
    head = {"$schema": DRAFT, "$id": f"urn:cruxfinder:{name}:1", "title": title}
    return json.dumps(head | body | {"$defs": defs}, indent=2, ensure_ascii=False) + "\n"
