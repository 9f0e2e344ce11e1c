"""The truth of a planted world, computed from its belief networks and from nothing that anybody says.

The arithmetic is that of BELIEFS, summed over the states of each network anew: a fault in the engine's own sums shows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cruxfinder.kernel.pack import Pack, Persona, Proposition
from cruxfinder.kernel.vocabulary import AgentId, Side, TopSide, Verdict

Floats = NDArray[np.float64]

SEVERAL_FACTS: Final = "several facts"
GAP_MIN: Final = 0.15
SHARE_MIN: Final = 0.20
JOINT_MIN: Final = 0.40
MARGIN: Final = 0.05  # how clear of every line a planted world stands


@dataclass(frozen=True, slots=True)
class States:
    """One believer's chances: of each state, and of the topic in each state."""

    weight: Floats
    top: Floats
    holds: Floats  # states by propositions, 1 where true

    @property
    def p_top(self) -> float:
        return float(self.weight @ self.top)

    @property
    def credences(self) -> Floats:
        return self.weight @ self.holds

    def top_if(self, place: int, answer: bool) -> float:
        chosen = self.weight * (self.holds[:, place] if answer else 1 - self.holds[:, place])
        return float(chosen @ self.top / max(float(chosen.sum()), 1e-12))

    def flips(self, place: int, slack: float = 0.0) -> bool:
        ends = self.top_if(place, True), self.top_if(place, False)
        return max(ends) > 0.55 + slack and min(ends) < 0.45 - slack

    def joint(self, places: Sequence[int]) -> tuple[Floats, Floats]:
        """Of each joint answer to some questions: how likely it is, and the topic's chance given it."""
        code = (self.holds[:, list(places)] @ (2 ** np.arange(len(places)))).astype(int)
        weight = np.bincount(code, self.weight, 2 ** len(places)).astype(np.float64)
        top = np.bincount(code, self.weight * self.top, 2 ** len(places)).astype(np.float64)
        return weight, top / np.maximum(weight, 1e-12)


@dataclass(frozen=True, slots=True)
class WorldFigures:
    """What the networks of a world come to."""

    states: dict[AgentId, States]
    yes: tuple[AgentId, ...]
    no: tuple[AgentId, ...]
    gap: float
    share: tuple[float, ...]
    closed: tuple[float, ...]

    @property
    def tops(self) -> tuple[float, ...]:
        return tuple(s.p_top for s in self.states.values())

    def joint_share(self, places: Sequence[int]) -> float:
        """The part of the gap that goes when these questions are answered alike by both camps."""
        if not self.yes or not self.no or abs(self.gap) < 1e-9 or not places:
            return 0.0
        (yes_weight, yes_top), (no_weight, no_top) = (
            tuple(np.mean(part, axis=0) for part in zip(*(self.states[a].joint(places) for a in camp), strict=True))
            for camp in (self.yes, self.no)
        )
        return float(((yes_weight - no_weight) * (yes_top + no_top) / 2).sum() / self.gap)

    def sides(self, place: int, slack: float = 0.0) -> dict[AgentId, Side]:
        """Who clearly stands where on a question."""
        held = {agent: float(s.credences[place]) for agent, s in self.states.items()}
        return {a: Side.YES if c > 0.55 + slack else Side.NO if c < 0.45 - slack else Side.UNCERTAIN
                for a, c in held.items()}  # fmt: skip


def figures_of(pack: Pack) -> WorldFigures:
    states = {p.id: states_of(p, pack.propositions) for p in pack.personas}
    yes = tuple(a for a, s in states.items() if s.p_top > 0.5)
    no = tuple(a for a, s in states.items() if s.p_top < 0.5)
    if not yes or not no:
        zeros = (0.0,) * len(pack.propositions)
        return WorldFigures(states, yes, no, 0.0, zeros, zeros)

    gap = mean([states[a].p_top for a in yes]) - mean([states[a].p_top for a in no])
    share: list[float] = []
    closed: list[float] = []
    for n in range(len(pack.propositions)):
        (c_yes, p1_yes, p0_yes), (c_no, p1_no, p0_no) = (
            (
                mean([float(states[a].credences[n]) for a in camp]),
                mean([states[a].top_if(n, True) for a in camp]),
                mean([states[a].top_if(n, False) for a in camp]),
            )
            for camp in (yes, no)
        )
        share.append((c_yes - c_no) * (p1_yes - p0_yes + p1_no - p0_no) / 2 / gap)
        settled = (c_yes + c_no) / 2
        closed.append(1 - (settled * abs(p1_yes - p1_no) + (1 - settled) * abs(p0_yes - p0_no)) / abs(gap))
    return WorldFigures(states, yes, no, gap, tuple(share), tuple(closed))


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def states_of(persona: Persona, propositions: Sequence[Proposition]) -> States:
    count = len(propositions)
    place = {p.id: n for n, p in enumerate(propositions)}
    signs = np.array([[1.0 if (state >> n) & 1 else -1.0 for n in range(count)] for state in range(2**count)])
    beta, weight, links = np.zeros(count), np.zeros(count), np.zeros((count, count))
    for belief in persona.beliefs:
        n = place[belief.proposition]
        beta[n] = np.log(belief.credence / (1 - belief.credence))
        weight[n] = belief.weight
        for parent, strength in belief.links:
            links[n, place[parent]] = strength
    chance = 1 / (1 + np.exp(-signs * (beta + signs @ links.T)))
    return States(chance.prod(axis=1), 1 / (1 + np.exp(-(persona.bias + signs @ weight))), (signs + 1) / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldTruth:
    """What a right finder answers."""

    ending: str
    primary: tuple[str, ...] = ()  # propositions; any of them is right
    cruxes: tuple[str, ...] = ()  # all that should be found
    facts: tuple[str, ...] = ()  # those that explain the gap only together
    allowed: tuple[str, ...] = ()  # so near the line that naming them is no fault, and leaving them out neither
    again: str = ""  # the proposition that is the topic once more
    sides: dict[AgentId, TopSide]
    crux_sides: dict[str, dict[AgentId, Side]]


def top_side(p_top: float) -> TopSide:
    return TopSide.YES if p_top > 0.55 else TopSide.NO if p_top < 0.45 else TopSide.NUANCED


def crux_ending(found: WorldFigures, place: int) -> str | None:
    """A validated crux, a partial one, or None where the world stands too near the line between them."""
    ends: list[str] = []
    for slack in (-0.02, 0.02):
        sides = found.sides(place, slack)
        flips = sum(s.flips(place, slack) for a, s in found.states.items() if sides[a] is not Side.UNCERTAIN)
        both = {Side.YES, Side.NO} <= set(sides.values())
        ends.append((Verdict.CRUX if both and flips >= 2 else Verdict.PARTIAL).value)
    return ends[0] if ends[0] == ends[1] else None
