"""How often the same private questions are asked: once, thrice where answers are noisy, five times in a close call."""

from typing import Final

from cruxfinder.crux.law import crux_quality, figure_spread, probes
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.vocabulary import Phase

ONCE: Final = 1
IF_NOISY: Final = 3
IF_CLOSE: Final = 5


def needed_rounds(debate: Debate, thread: Thread, phase: Phase, earlier: int = 0) -> int:
    """Decided anew in each phase, from its own answers; `earlier` rounds were about other questions."""
    given = {number - earlier: a for (asked, number), a in thread.probes.items() if asked is phase and number > earlier}
    if 1 not in given or probes.noise(probes.readings_of({1: given[1]})) <= probes.NOISY_ABOVE:
        return ONCE
    if len(given) < IF_NOISY:
        return IF_NOISY
    first = {number: answers for number, answers in given.items() if number <= IF_NOISY}
    return IF_CLOSE if is_close_call(debate, thread, first, phase) else IF_NOISY


def is_close_call(debate: Debate, thread: Thread, rounds: probes.Rounds, phase: Phase) -> bool:
    """By its own noise the gap, the best share, or which question is best, could as well be decided otherwise."""
    given, camps = probes.readings_of(rounds), probes.camps(debate.firsts)
    noise, gap = probes.noise_of_rounds(rounds), probes.gap(given, camps)
    yes, no = (sum(a in given for a in camp) for camp in (camps.yes, camps.no))
    of_means = figure_spread.mean_spread(noise, yes, no, len(rounds))
    if figure_spread.may_cross(gap, probes.GAP_MIN, of_means):
        return True
    if phase is not Phase.BEFORE:
        return False
    shares: list[tuple[float, float]] = []
    for asked in thread.candidates:
        for_it, against = probes.camp_means(given, camps.yes, asked.id), probes.camp_means(given, camps.no, asked.id)
        if for_it is not None and against is not None:
            its_spread = figure_spread.share_spread(of_means, for_it, against, gap)
            shares.append((probes.explained_share(for_it, against, gap), its_spread))
    shares.sort(reverse=True)
    if not shares:
        return False
    best, spread = shares[0]
    if figure_spread.may_cross(best, crux_quality.SHARE_MIN, spread):
        return True
    return best >= crux_quality.SHARE_MIN and any(
        figure_spread.may_cross(best, other, (spread**2 + its**2) ** 0.5) for other, its in shares[1:2]
    )
