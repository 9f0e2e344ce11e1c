"""The next value of a large frozen one, and what was found out about a value, remembered for as long as it lives.

State changes at every event, and `dataclasses.replace` took a tenth of it; between two events every speaker asks the
same questions of the same state.
"""

from collections.abc import Callable
from functools import cache, cached_property, wraps
from typing import Concatenate, Final, ParamSpec, TypeVar

T = TypeVar("T")
V = TypeVar("V")
P = ParamSpec("P")
KNOWN: Final = "_known"


def copy_with(value: T, **changes: object) -> T:
    """A copy with some fields changed, for frozen dataclasses without slots. It remembers nothing of the old one."""
    kind = type(value)
    assert changes.keys() <= value.__dict__.keys(), f"{kind.__name__} has no such field"
    new = object.__new__(kind)
    held = new.__dict__
    held.update(value.__dict__)
    for name in derived_names(kind):
        held.pop(name, None)
    held.update(changes)
    return new


@cache
def derived_names(kind: type) -> tuple[str, ...]:
    """What a value carries beside its fields: things found out about it."""
    return (KNOWN, *(name for name, held in vars(kind).items() if isinstance(held, cached_property)))


def cache_on_value(ask: Callable[Concatenate[V, P], T]) -> Callable[Concatenate[V, P], T]:
    """For a pure function of a frozen value without slots: the answer is kept on the value, by the other arguments."""

    @wraps(ask)
    def look_up(value: V, *args: P.args, **kwargs: P.kwargs) -> T:
        held = value.__dict__
        known: dict[object, T] | None = held.get(KNOWN)
        if known is None:
            known = held[KNOWN] = {}
        key = (ask, *args, *kwargs.items()) if args or kwargs else ask
        if key not in known:
            known[key] = ask(value, *args, **kwargs)
        return known[key]

    return look_up
