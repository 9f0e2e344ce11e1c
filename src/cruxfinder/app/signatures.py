"""Signatures for people: a function that takes `**options` shows each of them by name in `help()` and editors."""

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any, Final, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Omitted:
    """What an option is that may be left out: its meaning then is for the function to say."""

    def __repr__(self) -> str:
        return "..."


OMITTED: Final = Omitted()


def with_options(options: type) -> Callable[[F], F]:
    """Name the keys of a TypedDict in the signature, in place of the `**options` that it is unpacked from."""
    named = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=OMITTED, annotation=kind)
        for name, kind in options.__annotations__.items()
    ]

    def sign(function: F) -> F:
        own = signature(function)
        kept = [given for given in own.parameters.values() if given.kind is not Parameter.VAR_KEYWORD]
        vars(function)["__signature__"] = own.replace(parameters=[*kept, *named])
        return function

    return sign
