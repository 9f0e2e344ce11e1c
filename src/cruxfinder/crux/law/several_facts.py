"""Where no question carries a disagreement alone: CRUX-13. Several together may, each counted once."""

from collections.abc import Collection, Sequence
from typing import Final

from cruxfinder.crux.asks import QuestionLink
from cruxfinder.crux.events import CandidateFigures
from cruxfinder.crux.law import crux_quality, figure_spread, probes
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.vocabulary import CandidateId, Phase, RuleId

SEVERAL: Final = RuleId("CRUX-13")

JOINT_MIN: Final = 0.40
COUNTS_FROM: Final = 0.05  # a share below this is noise as likely as not
LINKED: Final = 0.15  # so much likelier one is with the other: the two are counted once
ASKED_MAX: Final = 6  # questions asked about in pairs
HARDLY: Final = 0.02  # above the least a share counts as hardly above it, be the answers ever so exact
ALIKE: Final = 0.5  # of the best share
ALIKE_MIN: Final = 3

Pairs = Collection[tuple[CandidateId, CandidateId]]


def counting(figures: Sequence[CandidateFigures]) -> tuple[CandidateFigures, ...]:
    """The questions that explain something, best share first."""
    found = sorted(
        (f for f in figures if f.share >= COUNTS_FROM and not f.repeats_topic), key=lambda f: (-f.share, f.candidate)
    )
    return tuple(found[:ASKED_MAX])


def lacks_single_question(figures: Sequence[CandidateFigures]) -> bool:
    return not any(crux_quality.explains_enough(f) for f in figures)


def is_one_of_many(figures: Sequence[CandidateFigures], line: float) -> bool:
    """The best is above its line by no more than noise, and others are like it: it is told as the first of several."""
    best = crux_quality.best_of(figures)
    if best is None:
        return False
    alike = [f for f in figures if f.share >= ALIKE * best.share and not f.repeats_topic]
    return crux_quality.SHARE_MIN <= best.share < line and len(alike) >= ALIKE_MIN


def may_explain_jointly(figures: Sequence[CandidateFigures], line: float) -> bool:
    """None carries it alone, and together they would if none bore on another."""
    found = counting(figures)
    apart = lacks_single_question(figures) or is_one_of_many(figures, line)
    return apart and len(found) > 1 and total_share(found) >= JOINT_MIN


def joint_roots(figures: Sequence[CandidateFigures], linked: Pairs) -> tuple[CandidateFigures, ...]:
    """Of questions that bear on each other the one that explains most: what the others explain goes through it."""
    groups: list[list[CandidateFigures]] = []
    for figure in counting(figures):
        touching = [group for group in groups if any(bears(figure, other, linked) for other in group)]
        groups = [g for g in groups if g not in touching] + [[*(f for g in touching for f in g), figure]]
    best = [max(group, key=lambda f: f.share) for group in groups]
    return tuple(sorted(best, key=lambda f: (-f.share, f.candidate)))


def bears(one: CandidateFigures, other: CandidateFigures, linked: Pairs) -> bool:
    return (one.candidate, other.candidate) in linked or (other.candidate, one.candidate) in linked


def joint_share(figures: Sequence[CandidateFigures], linked: Pairs) -> float:
    """The part of the gap that goes when all the questions are held equal between the camps."""
    return total_share(joint_roots(figures, linked))


def total_share(figures: Sequence[CandidateFigures]) -> float:
    return round(sum(f.share for f in figures), 4)  # figures are kept so; a sum of floats is not


def explain_jointly(figures: Sequence[CandidateFigures], linked: Pairs, line: float = crux_quality.SHARE_MIN) -> bool:
    """Together they explain the gap as one question would have to; none of them does so alone. Up to the line, which
    noise lifts, a share may be no more than chance."""
    if not may_explain_jointly(figures, line):
        return False
    found = joint_roots(figures, linked)
    alone = len(found) < 2 or not (lacks_single_question(found) or is_one_of_many(found, line))
    return not alone and joint_share(figures, linked) >= JOINT_MIN


# ---- in a debate, where people are asked how the questions bear on each other


def clear_line(debate: Debate, thread: Thread) -> float:
    """What a share has to reach to be above the least for sure: a little more, and more than noise may add to it."""
    figures = thread.figures[Phase.BEFORE].figures
    best = crux_quality.best_of(figures)
    spread = 0.0 if best is None else figure_spread.spread_of_share(debate, thread, best.candidate)
    return crux_quality.SHARE_MIN + max(HARDLY, figure_spread.SPREADS * spread)


def questions_to_link(debate: Debate, thread: Thread) -> tuple[CandidateId, ...]:
    """Which questions have to be asked about in pairs before it can be said what they explain together."""
    told = thread.figures.get(Phase.BEFORE)
    if (
        told is None
        or SEVERAL in debate.settings.off
        or not may_explain_jointly(told.figures, clear_line(debate, thread))
    ):
        return ()
    return tuple(sorted(f.candidate for f in counting(told.figures)))


def linked_pairs(thread: Thread) -> frozenset[tuple[CandidateId, CandidateId]]:
    """The pairs of which one is likelier with the other, or less likely, on average over all who were asked."""
    told: dict[tuple[CandidateId, CandidateId], list[float]] = {}
    for link in links_told(thread):
        told.setdefault((link.first, link.second), []).append(link.if_yes - link.if_no)
    return frozenset(pair for pair, differences in told.items() if abs(probes.mean(differences)) >= LINKED)


def links_told(thread: Thread) -> list[QuestionLink]:
    rounds = probes.rounds_of(thread, Phase.LINKS).values()
    return [link for given in rounds for answer in given.values() if not answer.failed for link in answer.links]


def has_joint_explanation(debate: Debate, thread: Thread) -> bool:
    told = thread.figures.get(Phase.BEFORE)
    if told is None or SEVERAL in debate.settings.off:
        return False
    return explain_jointly(told.figures, linked_pairs(thread), clear_line(debate, thread))


def should_look_again(debate: Debate, thread: Thread) -> bool:
    """Discovery is tried once more before *values* is said, and before a question is argued that carries little: the
    facts that matter may not have been named."""
    if SEVERAL in debate.settings.off or thread.second_look is not None or thread.parent is not None:
        return False
    best = crux_quality.best_of(thread.figures[Phase.BEFORE].figures)
    return best is None or best.share < clear_line(debate, thread)


LOOK_AGAIN: Final = (
    "These questions explain too little of why you stand apart. What else would you have to know to change your mind "
    "about the topic? Name it as a question."
)
