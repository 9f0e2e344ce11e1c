"""Signatures for people: a function that takes options shows each of them by name in `help()` and editors."""

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, Final, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
Request = TypeVar("Request")
Answer = TypeVar("Answer")


class Omitted:
    """What an option is that may be left out: its meaning then is for the function to say."""

    def __repr__(self) -> str:
        return "..."


OMITTED: Final = Omitted()


def takes_request(shape: Callable[P, Request]) -> Callable[[Callable[[Request], Answer]], Callable[P, Answer]]:
    """Let a function of a request be called with what the request is made of; type checkers see the same."""

    def accept(function: Callable[[Request], Answer]) -> Callable[P, Answer]:
        @wraps(function)
        def call(*args: P.args, **options: P.kwargs) -> Answer:
            return function(made_of(shape, *args, **options))

        vars(call)["__signature__"] = signature(function).replace(parameters=parameters_of(shape))
        return call

    return accept


def made_of(shape: Callable[P, Request], *args: P.args, **options: P.kwargs) -> Request:
    """A misspelt option is told as Python tells it."""
    known = {field.name for field in fields(shape)}  # pyright: ignore[reportArgumentType] - a dataclass
    if strange := sorted(set(options) - known):
        raise TypeError(f"there is no option {strange[0]!r}")
    return shape(*args, **options)


def parameters_of(shape: Callable[..., Any]) -> list[Parameter]:
    """Those of its constructor, with plain types: what an option means is told elsewhere."""
    hints = get_type_hints(shape, include_extras=True)
    return [given.replace(annotation=plain(hints[given.name])) for given in signature(shape).parameters.values()]


def plain(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


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
