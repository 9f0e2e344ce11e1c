"""A believer's arithmetic: chances as sums over states of its belief network (BELIEFS, "Belief").

Credences never go inside the sigmoid: everything said about chances is a sum over states, so the law of total
probability holds and no crux is invented where only values differ.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cruxfinder.kernel.pack import Belief, Persona, Proposition
from cruxfinder.kernel.vocabulary import PROPOSITIONS_MAX

Array = NDArray[np.float64]
TINY: Final = 1e-12


@lru_cache(maxsize=16)
def signs(count: int) -> Array:
    """Every state of so many propositions, a row each: +1 where true, -1 where false."""
    assert count <= PROPOSITIONS_MAX, "at most 4,096 states"
    states = [[1.0 if (state >> place) & 1 else -1.0 for place in range(count)] for state in range(2**count)]
    return np.array(states, dtype=np.float64)


def logit(p: float) -> float:
    return math.log(p) - math.log1p(-p)


def sigmoid(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x))


@dataclass(frozen=True, slots=True)
class Chances:
    """P(top), and for each proposition c = P(i), p1 = P(top | i), p0 = P(top | not i)."""

    p_top: float
    c: tuple[float, ...]
    p1: tuple[float, ...]
    p0: tuple[float, ...]

    def weight(self, place: int) -> float:
        """How much of the believer's conclusion rests on a proposition."""
        return abs((self.p1[place] - self.p0[place]) * (self.c[place] - 0.5))


class Network:
    """One believer's network; log-odds move, links, weights and values stay."""

    def __init__(self, persona: Persona, propositions: tuple[Proposition, ...]) -> None:
        held = {b.proposition: b for b in persona.beliefs}
        self.ids = tuple(p.id for p in propositions)
        self.place = {id: n for n, id in enumerate(self.ids)}
        beliefs = [held.get(id, Belief(proposition=id, credence=0.5)) for id in self.ids]
        self.beliefs = tuple(beliefs)
        self.beta: Array = np.array([logit(b.credence) for b in beliefs])
        self.weights: Array = np.array([b.weight for b in beliefs])
        self.bias = persona.bias
        self._signs = signs(len(self.ids))
        self._towards_top = self._signs @ self.weights
        self._true = (self._signs + 1.0) / 2.0
        self._linked = self._linked_log_odds()

    def _linked_log_odds(self) -> Array | None:
        gamma = np.zeros((len(self.ids), len(self.ids)))
        for row, belief in enumerate(self.beliefs):
            for parent, strength in belief.links:
                gamma[row, self.place[parent]] = strength
        return self._signs @ gamma.T if gamma.any() else None

    def chances(self, beta: Array, bias: float) -> Chances:
        log_odds = beta if self._linked is None else beta + self._linked
        of_state = np.exp(-np.logaddexp(0.0, -self._signs * log_odds).sum(axis=1))
        with_top = of_state / (1.0 + np.exp(-(bias + self._towards_top)))
        p_top = float(with_top.sum())
        c = of_state @ self._true
        joint = with_top @ self._true
        p1 = joint / np.maximum(c, TINY)
        p0 = (p_top - joint) / np.maximum(1.0 - c, TINY)
        return Chances(p_top, tuple(c.tolist()), tuple(p1.tolist()), tuple(p0.tolist()))

    def bearing(self, beta: Array, on: int, of: int) -> tuple[float, float]:
        """P(on | of) and P(on | not of)."""
        log_odds = beta if self._linked is None else beta + self._linked
        of_state = np.exp(-np.logaddexp(0.0, -self._signs * log_odds).sum(axis=1))
        on_true, of_true = self._true[:, on], self._true[:, of]
        both, given = float(of_state @ (on_true * of_true)), float(of_state @ of_true)
        alone = float(of_state @ on_true) - both
        return both / max(given, TINY), alone / max(1.0 - given, TINY)

    def credence(self, beta: Array, place: int, own: float) -> float:
        """P(i) with one proposition's log-odds replaced: the same question in another sense or horizon."""
        changed = beta.copy()
        changed[place] = own
        return self.chances(changed, self.bias).c[place]
