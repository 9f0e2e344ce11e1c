"""Flags that several commands share, as one value: Typer is shown the fields of a group where a command takes it."""

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints


def expand_flag_groups(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with a flag for each field of the dataclasses among its parameters; it still gets the dataclasses."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    if not groups:
        return command
    shown: list[Parameter] = []
    for given in signature(command).parameters.values():
        if given.name in groups:
            shown.extend(flags_of(groups[given.name]))
        else:
            shown.append(given.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[given.name]))

    @wraps(command)
    def call(**said: Any) -> None:
        for name, kind in groups.items():
            given = {flag.name: said.pop(flag.name) for flag in flags_of(kind)}
            said[name] = kind.from_flags(given) if hasattr(kind, "from_flags") else kind(**given)
        command(**said)

    # Typer reads the types by name from the one, and the defaults from the other.
    call.__annotations__ = {flag.name: flag.annotation for flag in shown}
    vars(call)["__signature__"] = Signature(shown)
    return call


def flags_of(group: Any) -> list[Parameter]:
    """A flag for each field, or those that the group itself makes out."""
    if hasattr(group, "flag_parameters"):
        return group.flag_parameters()
    hints = get_type_hints(group, include_extras=True)
    assert all(field.default is not MISSING for field in fields(group)), "a flag may be left out"
    return [
        Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name])
        for field in fields(group)
    ]
