"""From private answers to numbers: VOC-6 camps, PLUS-1 first positions, PLUS-3 gap, share, rank, coherence.

The arithmetic is that of BELIEFS: share X is linear in the answers and survives noise, gap closed is shown only.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, log
from typing import Final

from cruxfinder.crux.asks import Credence, FixedReading
from cruxfinder.crux.events import FirstPosition, ProbeAnswered
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.frozen_copies import cache_on_value
from cruxfinder.kernel.vocabulary import AgentId, CandidateId, Phase, Side, TopSide

YES_ABOVE: Final = 0.55
NO_BELOW: Final = 0.45
HALF: Final = 0.5
ODDS_FINEST: Final = 0.01  # nearer to 0 or 1 a chance counts as this: beyond it noise alone makes camps
SEPARATES_LEAST: Final = 0.5  # of the spread in log-odds, that lies between the sides of one half
JOINS_MOST: Final = 0.25  # of it within two groups by any other cut: an even spread, cut in its middle, keeps as much
TOO_FEW: Final = 3  # people, of whom any cut leaves next to nothing: the fewer there are, the less may be left
GROUP_MIN: Final = 2  # of a camp by any other cut
APART_MIN: Final = 0.15
ODDS_FACTOR_MIN: Final = 3.0
SHARE_RANGE: Final = (-1.0, 2.0)
DCG_WEIGHT: Final = 0.5
INCOHERENT_ABOVE: Final = 0.15
NOISY_ABOVE: Final = 0.05
GAP_MIN: Final = 0.15

Rounds = Mapping[int, Mapping[AgentId, ProbeAnswered]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeReading:
    """One agent's private answers, averaged over the rounds they were asked in."""

    agent: AgentId
    p_top: float
    credences: Mapping[CandidateId, Credence]


@dataclass(frozen=True, slots=True, kw_only=True)
class Camps:
    """Who holds the topic likelier than the cut, and who less likely; exactly at it belongs to neither."""

    yes: tuple[AgentId, ...]
    no: tuple[AgentId, ...]
    cut: float = HALF

    @property
    def has_both_sides(self) -> bool:
        return bool(self.yes and self.no)


def camps(firsts: Mapping[AgentId, FirstPosition]) -> Camps:
    """The two sides of the topic by private first position."""
    return camps_of({agent: first.p_top for agent, first in firsts.items()})


def camps_of(tops: Mapping[AgentId, float]) -> Camps:
    """Above or below one half; by the clearest cut in log-odds where one half parts nobody, or like from like."""
    halves = cut_camps(tops, HALF)
    if halves.has_both_sides and separation(tops, halves) >= SEPARATES_LEAST:
        return halves
    return clearest_camps(tops) or halves


def cut_camps(tops: Mapping[AgentId, float], cut: float) -> Camps:
    return Camps(
        yes=tuple(a for a, p in tops.items() if p > cut),
        no=tuple(a for a, p in tops.items() if p < cut),
        cut=cut,
    )


def clearest_camps(tops: Mapping[AgentId, float]) -> Camps | None:
    """The cut in log-odds that leaves least spread within two groups, if these stand out and stand apart."""
    places = sorted({log_odds(p) for p in tops.values()})
    cuts = [1 / (1 + exp(-(low + high) / 2)) for low, high in pairwise(places)]
    found = [c for cut in cuts if min(len((c := cut_camps(tops, cut)).yes), len(c.no)) >= GROUP_MIN]
    best = max(found, key=lambda camps: separation(tops, camps), default=None)
    if best is None or 1 - separation(tops, best) > JOINS_MOST * (1 - TOO_FEW / len(tops)) ** 2:
        return None
    chance = mean([tops[a] for a in best.yes]) - mean([tops[a] for a in best.no])
    odds = mean([log_odds(tops[a]) for a in best.yes]) - mean([log_odds(tops[a]) for a in best.no])
    return best if chance >= APART_MIN or odds >= log(ODDS_FACTOR_MIN) else None


def separation(tops: Mapping[AgentId, float], camps: Camps) -> float:
    """The part of the spread in log-odds that lies between the camps, not within them."""
    groups = [[log_odds(tops[a]) for a in camp] for camp in (camps.yes, camps.no)]
    whole = spread([*groups[0], *groups[1]])
    return 1 - sum(spread(group) for group in groups) / whole if whole > 1e-9 else 0.0


def spread(values: Sequence[float]) -> float:
    middle = mean(values)
    return sum((value - middle) ** 2 for value in values)


def log_odds(chance: float) -> float:
    kept = min(1 - ODDS_FINEST, max(ODDS_FINEST, chance))
    return log(kept / (1 - kept))


def side_of(credence: float) -> Side:
    return Side.YES if credence > YES_ABOVE else Side.NO if credence < NO_BELOW else Side.UNCERTAIN


def top_side_of(p_top: float) -> TopSide:
    return TopSide.YES if p_top > YES_ABOVE else TopSide.NO if p_top < NO_BELOW else TopSide.NUANCED


def flips(answer: Credence) -> bool:
    """Would the top claim change side with this question?"""
    return max(answer.p1, answer.p0) > YES_ABOVE and min(answer.p1, answer.p0) < NO_BELOW


def rounds_of(thread: Thread, phase: Phase) -> Rounds:
    return {number: given for (asked, number), given in thread.probes.items() if asked is phase}


@cache_on_value
def readings(thread: Thread, phase: Phase) -> dict[AgentId, ProbeReading]:
    """Each agent's answers of a phase, averaged over its rounds; failed answers are left out."""
    return readings_of(rounds_of(thread, phase))


def latest_p_top(threads: Iterable[Thread]) -> dict[AgentId, float]:
    """The last P(top) each agent gave in private, whatever it was asked about."""
    found: dict[AgentId, tuple[int, float]] = {}
    for thread in threads:
        for given in thread.probes.values():
            for agent, answer in given.items():
                if not answer.failed and answer.at_ms >= found.get(agent, (-1, 0.0))[0]:
                    found[agent] = (answer.at_ms, answer.p_top)
    return {agent: p_top for agent, (_, p_top) in found.items()}


def readings_of(rounds: Rounds) -> dict[AgentId, ProbeReading]:
    given: dict[AgentId, list[ProbeAnswered]] = {}
    for number in sorted(rounds):
        for agent, answer in rounds[number].items():
            if not answer.failed:
                given.setdefault(agent, []).append(answer)
    return {agent: _average(agent, answers) for agent, answers in given.items()}


def _average(agent: AgentId, answers: Sequence[ProbeAnswered]) -> ProbeReading:
    if len(answers) == 1:
        only = answers[0]
        return ProbeReading(agent=agent, p_top=only.p_top, credences={x.candidate: x for x in only.credences})
    by_candidate: dict[CandidateId, list[Credence]] = {}
    for answer in answers:
        for credence in answer.credences:
            by_candidate.setdefault(credence.candidate, []).append(credence)
    return ProbeReading(
        agent=agent,
        p_top=mean([a.p_top for a in answers]),
        credences={
            id: Credence(
                candidate=id,
                c=mean([x.c for x in xs]),
                p1=mean([x.p1 for x in xs]),
                p0=mean([x.p0 for x in xs]),
            )
            for id, xs in by_candidate.items()
        },
    )


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CampMeans:
    """Camp means for one candidate."""

    c: float
    p1: float
    p0: float

    @property
    def slope(self) -> float:
        return self.p1 - self.p0


def camp_means(given: Mapping[AgentId, ProbeReading], camp: Sequence[AgentId], id: CandidateId) -> CampMeans | None:
    answers = [given[a].credences[id] for a in camp if a in given and id in given[a].credences]
    if not answers:
        return None
    return CampMeans(c=mean([x.c for x in answers]), p1=mean([x.p1 for x in answers]), p0=mean([x.p0 for x in answers]))


def gap(given: Mapping[AgentId, ProbeReading], camps: Camps) -> float:
    """How far the camps stand apart on the topic; 0 without two camps."""
    yes = [given[a].p_top for a in camps.yes if a in given]
    no = [given[a].p_top for a in camps.no if a in given]
    return mean(yes) - mean(no) if yes and no else 0.0


def explained_share(yes: CampMeans, no: CampMeans, gap: float) -> float:
    """The part of the gap that comes from different credence in the question."""
    return (yes.c - no.c) * (yes.slope + no.slope) / 2 / gap if abs(gap) > 1e-9 else 0.0


def gap_closed(yes: CampMeans, no: CampMeans, gap: float) -> float:
    """What settling the question is expected to do to the distance between the camps."""
    if abs(gap) <= 1e-9:
        return 0.0
    settled = (yes.c + no.c) / 2
    apart = settled * abs(yes.p1 - no.p1) + (1 - settled) * abs(yes.p0 - no.p0)
    return 1 - apart / abs(gap)


def rank(share: float, dcg: float) -> float:
    low, high = SHARE_RANGE
    return min(high, max(low, share)) + DCG_WEIGHT * dcg


def residual(p_top: float, answer: Credence) -> float:
    """By how much an agent's answers miss the law of total probability."""
    return p_top - (answer.c * answer.p1 + (1 - answer.c) * answer.p0)


def incoherent_agents(given: Mapping[AgentId, ProbeReading]) -> tuple[AgentId, ...]:
    return tuple(
        agent
        for agent, reading in given.items()
        if any(abs(residual(reading.p_top, x)) > INCOHERENT_ABOVE for x in reading.credences.values())
    )


def squared_noise(given: Mapping[AgentId, ProbeReading]) -> list[float]:
    return [
        residual(r.p_top, x) ** 2 / (1 + x.c**2 + (1 - x.c) ** 2 + (x.p1 - x.p0) ** 2)
        for r in given.values()
        for x in r.credences.values()
    ]


def noise(given: Mapping[AgentId, ProbeReading]) -> float:
    """The estimated standard deviation of these answers."""
    return mean(squared_noise(given)) ** 0.5


def noise_of_rounds(rounds: Rounds) -> float:
    """The estimated standard deviation of a single answer, however often it was asked for."""
    return mean([square for n, given in rounds.items() for square in squared_noise(readings_of({n: given}))]) ** 0.5


def fixed_answers(thread: Thread, id: CandidateId) -> dict[AgentId, FixedReading]:
    """P(yes) with wording and horizon fixed, over all rounds: asked for on its own or told with the first answers."""
    told: dict[AgentId, list[FixedReading]] = {}
    for phase in (Phase.BEFORE, Phase.WORDING):
        for given in rounds_of(thread, phase).values():
            for agent, answer in given.items():
                told.setdefault(agent, []).extend(row for row in answer.fixed if row.candidate == id)
    return {
        agent: FixedReading(id, mean([r.wording for r in rows]), mean([r.horizon for r in rows]))
        for agent, rows in told.items()
        if rows
    }


def agents_who_told_exact_reading(thread: Thread, id: CandidateId) -> frozenset[AgentId]:
    """Who tells the exact reading together with the first answers, and is not asked for it again."""
    given = thread.probes.get((Phase.BEFORE, 1), {})
    return frozenset(a for a, answer in given.items() if any(row.candidate == id for row in answer.fixed))
