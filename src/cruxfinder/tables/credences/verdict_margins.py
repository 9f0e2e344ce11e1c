"""How far the figures behind a verdict lie from the lines they were held against."""

from collections.abc import Iterator
from typing import Final, Literal

from cruxfinder.crux.law import crux_quality, verdict
from cruxfinder.kernel.vocabulary import Verdict
from cruxfinder.language.counts import percent, percent_beside

NEAR: Final = 0.05  # from its line a figure could as well have fallen on the other side
JOINT_MIN: Final = 0.40

Confidence = Literal["HIGH", "LOW"]


def near_lines(reached: Verdict, gap: float, share: float | None, joint: float) -> Iterator[str]:
    """Every figure that a verdict hangs on and that lies near its line, in a sentence."""
    if reached is Verdict.UNDECIDED:
        return
    if abs(gap) > 0 and is_near(abs(gap), verdict.GAP_MIN):
        yield f"the gap of {abs(gap):.3f} lies near the line of {verdict.GAP_MIN}"
    if reached is Verdict.NO_DISAGREEMENT or share is None:
        return
    least = crux_quality.SHARE_MIN
    if is_near(share, least):
        yield f"the best share, {percent_beside(share, least)}, lies near the line of {percent(least)}"
    if reached is Verdict.VALUES and is_near(joint, JOINT_MIN):
        yield f"the joint share, {percent_beside(joint, JOINT_MIN)}, lies near the line of {percent(JOINT_MIN)}"


def is_near(figure: float, line: float) -> bool:
    return abs(round(figure - line, 4)) < NEAR


def confidence_in(reached: Verdict, near: tuple[str, ...]) -> Confidence:
    return "LOW" if near or reached is Verdict.UNDECIDED else "HIGH"
