"""How sure a verdict is: by how far its figures stand from the lines that decided it."""

from typing import Literal

from cruxfinder.crux.events import CandidateFigures
from cruxfinder.crux.law import crux_quality, ending, figure_spread, probes, several_facts
from cruxfinder.crux.law.verdict import CLOSER, deciding_thread, fixed_distances
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.vocabulary import Phase, Verdict

Confidence = Literal["HIGH", "MEDIUM", "LOW"]


def verdict_confidence(debate: Debate) -> Confidence:
    """LOW where a debate ended early or decided nothing; MEDIUM where a line is near enough to be crossed by noise."""
    done = debate.complete
    if done is None or ending.is_early(done.ending) or done.verdict in (Verdict.UNDECIDED, Verdict.FAILED_LOCK):
        return "LOW"
    found = deciding_thread(debate)
    return "MEDIUM" if found is not None and is_near_a_line(debate, found.thread, done.verdict) else "HIGH"


def is_near_a_line(debate: Debate, thread: Thread, verdict: Verdict) -> bool:
    before = thread.figures.get(Phase.BEFORE)
    if before is None or not probes.camps(debate.firsts).has_both_sides:
        return False
    if figure_spread.is_near(
        abs(before.gap), probes.GAP_MIN, figure_spread.spread_of_gap(debate, thread, Phase.BEFORE)
    ):
        return True
    match verdict:
        case Verdict.NO_DISAGREEMENT:
            return False
        case Verdict.RESOLVED | Verdict.HOLLOW:
            after = thread.figures.get(Phase.AFTER)
            spread = figure_spread.spread_of_gap(debate, thread, Phase.AFTER)
            return after is not None and figure_spread.is_near(abs(after.gap), probes.GAP_MIN, spread)
        case Verdict.SEVERAL_FACTS:
            joint = several_facts.joint_share(before.figures, several_facts.linked_pairs(thread))
            return figure_spread.is_near(joint, several_facts.JOINT_MIN, 0.0)
        case Verdict.DEFINITIONS | Verdict.HORIZON:
            return is_near_half(debate, thread, verdict) or is_best_near(debate, thread, before.figures)
        case _:
            return is_best_near(debate, thread, before.figures)


def is_best_near(debate: Debate, thread: Thread, figures: tuple[CandidateFigures, ...]) -> bool:
    """The best explained share, against the line a question has to reach."""
    best = crux_quality.best_of(figures)
    if best is None:
        return False
    spread = figure_spread.spread_of_share(debate, thread, best.candidate)
    return figure_spread.is_near(best.share, crux_quality.SHARE_MIN, spread)


def is_near_half(debate: Debate, thread: Thread, verdict: Verdict) -> bool:
    """The camps' distance once the wording is fixed, against half of what it was."""
    from_wording, from_horizon, apart = fixed_distances(debate, thread)
    fixed = from_wording if verdict is Verdict.DEFINITIONS else from_horizon
    spread = figure_spread.spread_of_gap(debate, thread, Phase.BEFORE)
    return fixed is not None and figure_spread.is_near(fixed, CLOSER * apart, spread)
