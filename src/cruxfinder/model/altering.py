"""The next value of a large frozen one: state changes at every event, and `dataclasses.replace` took a tenth of it."""

from typing import TypeVar

T = TypeVar("T")


def altered(value: T, **changes: object) -> T:
    """A copy with some fields changed, for frozen dataclasses without slots."""
    assert changes.keys() <= value.__dict__.keys(), f"{type(value).__name__} has no such field"
    new = object.__new__(type(value))
    new.__dict__.update(value.__dict__)
    new.__dict__.update(changes)
    return new
