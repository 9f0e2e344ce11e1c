"""Counts and names as a person writes them in a sentence."""

from collections.abc import Sequence


def count_phrase(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def join_names(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nobody"


def percent(share: float) -> str:
    """A share as it is shown: to the whole percent, a half to the even one, and no zero below zero."""
    shown = f"{share:.0%}"
    return "0%" if shown == "-0%" else shown
