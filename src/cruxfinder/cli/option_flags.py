"""Options as flags: how the command line shows them, and how it reads them. Their ranges are not looked at here."""

from collections.abc import Iterator, Mapping, Sequence
from inspect import Parameter
from itertools import groupby
from typing import Annotated, Any, Final, cast

import typer

from cruxfinder.app.options import NO_NAME, Kind, OptionField, check_most, checked_map, given_twice, value_of_text
from cruxfinder.errors import BadOption

MODELS: Final = "Models"
PANELS: Final = {
    "": None,
    "models": MODELS,
    "personas": "Personas of a free topic",
    "turns": "Conversations in turns",
    "seats": "A seat for a person",
}
ONE_FOR_ALL: Final = "name one model for all, and others as AGENT=MODEL"
METAVARS: Final[Mapping[Kind, str]] = {"whole": "N", "number": "X"}


def flag_parameters(options: Sequence[OptionField]) -> list[Parameter]:
    """A parameter for each flag. Two options may share one: `--model M` and `--model AGENT=M`."""
    return [flag_of(together) for together in by_flag(options)]


def by_flag(options: Sequence[OptionField]) -> Iterator[list[OptionField]]:
    first = {field.flag: n for n, field in reversed(list(enumerate(options)))}
    in_order = sorted(options, key=lambda field: first[field.flag])
    return (list(together) for _, together in groupby(in_order, key=lambda field: field.flag))


def flag_of(together: Sequence[OptionField]) -> Parameter:
    field, option = together[0], together[0].option
    two_sided = "/" in field.flag
    several = len(together) > 1 or (field.kind in ("list", "map") and not option.commas)
    choices = METAVARS.get(field.kind) if option.metavar or not option.choices else f"[{'|'.join(option.all_choices)}]"
    told = " ".join(one.option.help for one in together)
    if len(together) > 1:
        told = f"{together[0].option.help.removesuffix('.')}; {together[1].option.help}"
    shown = typer.Option(field.flag, help=told, metavar=option.metavar or choices, rich_help_panel=PANELS[option.group])
    kind: Any = list[str] | None if several else str | None
    if field.kind == "flag":
        kind = bool | None if two_sided else bool
    return Parameter(
        field.name,
        Parameter.KEYWORD_ONLY,
        default=False if field.kind == "flag" and not two_sided else None,
        annotation=Annotated[kind, shown],
    )


def read_flags(options: Sequence[OptionField], given: Mapping[str, Any]) -> dict[str, Any]:
    """What was given, by option; texts stand for what they say."""
    found: dict[str, Any] = {}
    for together in by_flag(options):
        field = together[0]
        value = given[field.name]
        if value is None or (not value and isinstance(value, bool) and "/" not in field.flag):
            continue
        if len(together) > 1:
            found |= read_shared(together, cast("list[str]", value))
        else:
            found[field.name] = read_flag(field, value)
    return found


def read_flag(field: OptionField, given: Any) -> object:
    match field.kind:
        case "flag":
            return given
        case "list" if not field.option.commas:
            return given
        case "map":
            return read_pairs(field, given)
        case "list" if not given.strip():
            raise BadOption(field.name, f"lacks {field.option.entry}")
        case "text" if not given and not field.option.choices:
            raise BadOption(field.name, NO_NAME)
        case _:
            return value_of_text(field.kind, given)


def read_shared(together: Sequence[OptionField], given: Sequence[str]) -> dict[str, Any]:
    """One for all, and those of single agents: AGENT=MODEL."""
    one, each = together
    general = [text for text in given if "=" not in text]
    own = [text for text in given if "=" in text]
    if len(general) > 1:
        raise BadOption(one.name, f"{general[1]!r}: {ONE_FOR_ALL}")
    found: dict[str, Any] = {one.name: read_flag(one, general[0])} if general else {}
    return found | ({each.name: read_pairs(each, own)} if own else {})


def read_pairs(field: OptionField, given: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given:
        key, equals, value = (piece.strip() for piece in text.partition("="))
        if not equals:
            raise BadOption(field.name, f"{text!r} is not {field.option.metavar}")
        if key in found:
            check_most(field, len(given))
            checked_map(field, found)  # what is wrong with those before it is told first, as elsewhere
            raise given_twice(field, key)
        found[key] = value
    return found
