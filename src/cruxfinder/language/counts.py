"""Counts and names as a person writes them in a sentence."""

from collections.abc import Sequence
from math import floor
from typing import Final


def count_phrase(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def join_names(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nobody"


def percent(share: float) -> str:
    """A share as it is shown: to the whole percent, a half to the even one, and no zero below zero."""
    shown = f"{share:.0%}"
    return "0%" if shown == "-0%" else shown


def percent_beside(share: float, line: float) -> str:
    """A share as it is shown beside a line: one that falls short of it is never rounded onto it."""
    shown = percent(share)
    if (share < line) == (float(shown.rstrip("%")) < line * 100):
        return shown
    return f"{floor(share * 1000) / 10:.1f}%"


def decimals_beside(figure: float, line: float) -> str:
    """The same for a figure with two decimals."""
    shown = f"{figure:.2f}"
    return shown if (figure < line) == (float(shown) < line) else f"{floor(figure * 1000) / 1000:.3f}"


ALL_AND_MORE: Final = "all of {}, and more: another difference pulls the other way"


def is_all_and_more(share: float) -> bool:
    """More than all, as it is shown."""
    return round(share, 2) > 1


def explains_words(share: float, whole: str = "the gap") -> str:
    """What a share says of a question, to follow its name."""
    return f"explains {ALL_AND_MORE.format(whole) if is_all_and_more(share) else f'{percent(share)} of {whole}'}"
