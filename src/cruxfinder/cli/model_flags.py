"""The flags that name models where everything a debate may name is tried; and the address of a run that goes on."""

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import Parameter
from typing import Annotated, Any, Final, Self

import typer

from cruxfinder.app.debate_request import field_named, request_fields
from cruxfinder.app.model_request import NOTHING_SAID, ModelRequest
from cruxfinder.app.options import OptionField, SetBy
from cruxfinder.cli.option_flags import flag_parameters, read_flags

OWN: Final = "models"  # of single agents
NamedUrl = Annotated[
    str | None,
    typer.Option(metavar="URL", help="The address its models may be asked at, and a key sent to."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFlags:
    """Which models think, and those that think for single agents."""

    said: ModelRequest = NOTHING_SAID
    own: tuple[str, ...] = ()

    @classmethod
    def flag_parameters(cls) -> list[Parameter]:
        return flag_parameters(cls.options())

    @classmethod
    def from_flags(cls, given: Mapping[str, Any]) -> Self:
        found = read_flags(cls.options(), given)
        own: dict[str, str] = found.pop(OWN, {})
        return cls(said=ModelRequest(**found), own=tuple(own.values()))

    @staticmethod
    def options() -> tuple[OptionField, ...]:
        return (*request_fields(SetBy.GATE), field_named(OWN))
