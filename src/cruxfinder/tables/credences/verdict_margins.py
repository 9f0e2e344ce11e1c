"""How far the figures behind a verdict lie from the lines they were held against."""

from collections.abc import Iterator

from cruxfinder.crux.law import crux_quality, probes
from cruxfinder.crux.law.confidence import Confidence
from cruxfinder.crux.law.figure_spread import NEAR
from cruxfinder.crux.law.several_facts import JOINT_MIN
from cruxfinder.kernel.vocabulary import Verdict
from cruxfinder.language.counts import percent, percent_beside
from cruxfinder.tables.credences.joint_share import JointShare


def doubts_of(reached: Verdict, gap: float, share: float | None, joint: JointShare | None) -> Iterator[str]:
    """Every figure that a verdict hangs on and that lies near its line or is not known, in a sentence."""
    if reached is Verdict.UNDECIDED:
        return
    if abs(gap) > 0 and is_near(abs(gap), probes.GAP_MIN):
        yield f"the gap of {abs(gap):.3f} lies near the line of {probes.GAP_MIN}"
    if reached is Verdict.NO_DISAGREEMENT or share is None:
        return
    least = crux_quality.SHARE_MIN
    if reached is not Verdict.SEVERAL_FACTS and is_near(share, least):
        yield f"the best share, {percent_beside(share, least)}, lies near the line of {percent(least)}"
    if joint is None or reached not in (Verdict.VALUES, Verdict.SEVERAL_FACTS):
        return
    if is_near(joint.share, JOINT_MIN):
        yield f"the joint share, {percent_beside(joint.share, JOINT_MIN)}, lies near the line of {percent(JOINT_MIN)}"
    if reached is Verdict.SEVERAL_FACTS and joint.unknown_pairs:
        yield "too few answered to tell whether the propositions bear on each other"


def is_near(figure: float, line: float) -> bool:
    return abs(round(figure - line, 4)) < NEAR


def confidence_in(reached: Verdict, near: tuple[str, ...]) -> Confidence:
    return "LOW" if reached is Verdict.UNDECIDED else "MEDIUM" if near else "HIGH"
