"""How long a text takes to read beside an ordinary one of the same run: any busy machine breaks a bound on seconds.

The garbage collector is held off meanwhile: with what a worker keeps of thousands of tests, one pass of it takes longer
than the work that set it off. No text is read twice, as what was read may be remembered.
"""

import gc
import time
from collections.abc import Callable
from typing import Final

ROUNDS: Final = 5  # the best of them counts: what disturbs a measurement only ever adds
LEAST_S: Final = 0.001  # a shorter time counts as this one: it says more about the clock than about the text
PROSE: Final = (
    "The new tram line cuts the way to work by 20 minutes, because it passes the two worst crossings. If the council"
    " closes the bridge for repairs, though, most of the people who live beyond the river will take the car again."
    " I agree that the fares are low. In 2019 a strike of three weeks cost the harbour a tenth of its trade!\n"
)


def times_prose(read: Callable[[str], object], text: str, *, enough: float) -> float:
    """How many times as long as prose of its length a text takes."""
    return times(read, text, (PROSE * (len(text) // len(PROSE) + 1))[: len(text)], enough=enough)


def times(read: Callable[[str], object], text: str, usual: str, *, enough: float) -> float:
    """How many times as long as a usual text this one takes; nothing is measured once it is less than enough."""
    took = beside = float("inf")
    for number in range(ROUNDS):
        took = min(took, seconds(read, f"{number}{text}"))
        if took < enough * LEAST_S:  # however short the usual one takes
            return took / LEAST_S
        beside = min(beside, seconds(read, f"{number}{usual}"))
        if took < enough * max(beside, LEAST_S):
            break
    return took / max(beside, LEAST_S)


def seconds(read: Callable[[str], object], text: str) -> float:
    gc.disable()
    try:
        began = time.process_time()
        read(text)
        return time.process_time() - began
    finally:
        gc.enable()
