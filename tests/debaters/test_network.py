"""A believer's arithmetic is a sum over states: done here once more in plain Python."""

import math
from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxfinder.debaters.simulated.network import Chances, Network, logit, sigmoid
from cruxfinder.kernel.pack import Belief, Persona, Proposition
from cruxfinder.kernel.vocabulary import AgentId

QUICK = settings(max_examples=60, deadline=None, derandomize=True)


def propositions(count: int) -> tuple[Proposition, ...]:
    return tuple(
        Proposition(id=f"p{n}", statement=f"S{n}", denial=f"D{n}", question=f"Q{n}?", yes_means="yes", no_means="no")
        for n in range(count)
    )


def believer(beliefs: tuple[Belief, ...], bias: float = 0.0) -> Persona:
    return Persona(id=AgentId("ann"), name="Ann", about="", bias=bias, beliefs=beliefs)


@dataclass(frozen=True)
class World:
    """Credences, weights, values, and links from earlier propositions to later ones."""

    credences: tuple[float, ...]
    weights: tuple[float, ...]
    links: tuple[tuple[float, ...], ...]
    bias: float

    @property
    def network(self) -> Network:
        beliefs = tuple(
            Belief(
                proposition=f"p{n}",
                credence=self.credences[n],
                weight=self.weights[n],
                links=tuple((f"p{k}", g) for k, g in enumerate(self.links[n][:n]) if g),
            )
            for n in range(len(self.credences))
        )
        return Network(believer(beliefs, self.bias), propositions(len(beliefs)))


def log_odds(p: float) -> float:
    return math.log(p / (1 - p))


def odds_to_chance(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def summed(world: World, bias: float | None = None, beta: list[float] | None = None) -> Chances:
    """P(x) = Π σ(±(β + Σ γ(2x - 1))), P(top | x) = σ(b + Σ w(2x - 1)), and all the rest as sums over x."""
    size = len(world.credences)
    held = [log_odds(p) for p in world.credences] if beta is None else beta
    values = world.bias if bias is None else bias
    top = 0.0
    true, both = [0.0] * size, [0.0] * size
    for state in product((1, -1), repeat=size):
        chance = 1.0
        for i, x in enumerate(state):
            pull = sum(world.links[i][k] * state[k] for k in range(i))
            chance *= odds_to_chance(x * (held[i] + pull))
        with_top = chance * odds_to_chance(values + sum(w * x for w, x in zip(world.weights, state, strict=True)))
        top += with_top
        for i, x in enumerate(state):
            if x > 0:
                true[i] += chance
                both[i] += with_top
    return Chances(
        top,
        tuple(true),
        tuple(b / t for b, t in zip(both, true, strict=True)),
        tuple((top - b) / (1 - t) for b, t in zip(both, true, strict=True)),
    )


@st.composite
def worlds(draw: st.DrawFn, linked: bool = True) -> World:
    size = draw(st.integers(1, 5))

    def row(element: st.SearchStrategy[float]) -> tuple[float, ...]:
        return tuple(draw(st.lists(element, min_size=size, max_size=size)))

    link = st.one_of(st.just(0.0), st.floats(-3, 3)) if linked else st.just(0.0)
    return World(
        row(st.floats(0.05, 0.95)), row(st.floats(-3, 3)), tuple(row(link) for _ in range(size)), draw(st.floats(-3, 3))
    )


def chances(world: World) -> Chances:
    network = world.network
    return network.chances(network.beta, network.bias)


@QUICK
@given(worlds())
def test_every_chance_is_the_sum_over_states(world: World) -> None:
    ours, theirs = chances(world), summed(world)
    assert ours.p_top == pytest.approx(theirs.p_top, abs=1e-9)
    assert ours.c == pytest.approx(theirs.c, abs=1e-9)
    assert ours.p1 == pytest.approx(theirs.p1, abs=1e-6)
    assert ours.p0 == pytest.approx(theirs.p0, abs=1e-6)


@QUICK
@given(worlds())
def test_the_law_of_total_probability_holds(world: World) -> None:
    found = chances(world)
    for c, p1, p0 in zip(found.c, found.p1, found.p0, strict=True):
        assert c * p1 + (1 - c) * p0 == pytest.approx(found.p_top, abs=1e-9)
        assert 0 <= p0 <= 1 + 1e-9 and 0 <= p1 <= 1 + 1e-9 and 0 <= c <= 1 + 1e-9


@QUICK
@given(worlds(linked=False))
def test_without_links_a_credence_is_what_was_put_in(world: World) -> None:
    assert chances(world).c == pytest.approx(world.credences)


@QUICK
@given(worlds(), st.floats(-2, 2), st.integers(0, 4), st.floats(-4, 4))
def test_moved_log_odds_and_values_go_through_the_same_sum(world: World, bias: float, place: int, own: float) -> None:
    network = world.network
    beta = [log_odds(p) for p in world.credences]
    beta[place % len(beta)] = own
    ours = network.chances(np.array(beta), bias)
    theirs = summed(world, bias, beta)
    assert (ours.p_top, *ours.c) == pytest.approx((theirs.p_top, *theirs.c), abs=1e-9)


@QUICK
@given(worlds(), st.integers(0, 4), st.floats(-4, 4))
def test_another_reading_replaces_one_log_odds_only(world: World, place: int, own: float) -> None:
    network = world.network
    place %= len(world.credences)
    beta = [log_odds(p) for p in world.credences]
    beta[place] = own
    assert network.credence(network.beta, place, own) == pytest.approx(summed(world, beta=beta).c[place])
    assert list(network.beta) == pytest.approx([log_odds(p) for p in world.credences])  # and leaves them as they were


def test_a_link_makes_a_cause_and_its_effect_go_together() -> None:
    world = World((0.8, 0.5), (0.0, 2.0), ((0.0, 0.0), (1.5, 0.0)), 0.0)
    found = chances(world)
    up, down = sigmoid(1.5), sigmoid(-1.5)
    assert found.c == pytest.approx((0.8, 0.8 * up + 0.2 * down))
    given_cause = up * sigmoid(2.0) + (1 - up) * sigmoid(-2.0)
    assert found.p1[0] == pytest.approx(given_cause)  # the cause bears on the topic through its effect alone
    assert found.p0[0] == pytest.approx(down * sigmoid(2.0) + (1 - down) * sigmoid(-2.0))


def test_a_weight_of_nothing_tells_nothing_about_the_topic() -> None:
    found = chances(World((0.7, 0.3), (0.0, 1.0), ((0.0, 0.0), (0.0, 0.0)), 0.5))
    assert found.p1[0] == pytest.approx(found.p_top)
    assert found.p0[0] == pytest.approx(found.p_top)


def test_credences_never_go_inside_the_sigmoid() -> None:
    """Where only values differ, no question explains the gap, whatever σ(b + Σ w(2c - 1)) would have said."""
    yes = chances(World((0.9,), (2.0,), ((0.0,),), 2.0))
    no = chances(World((0.9,), (2.0,), ((0.0,),), -2.0))
    assert yes.c == pytest.approx(no.c)
    assert yes.p_top != pytest.approx(sigmoid(2.0 + 2.0 * (2 * 0.9 - 1)))
    assert yes.p_top == pytest.approx(0.9 * sigmoid(4.0) + 0.1 * sigmoid(0.0))


def test_a_proposition_it_says_nothing_about_is_held_at_even_odds() -> None:
    network = Network(believer((Belief(proposition="p1", credence=0.9, weight=1.0),)), propositions(3))
    assert network.chances(network.beta, 0.0).c == pytest.approx((0.5, 0.9, 0.5))


def test_twelve_propositions_are_the_most() -> None:
    assert Network(believer(()), propositions(12)).chances(np.zeros(12), 0.3).p_top == pytest.approx(sigmoid(0.3))
    with pytest.raises(AssertionError):
        Network(believer(()), propositions(13))


@given(st.floats(1e-6, 1 - 1e-6))
@QUICK
def test_logit_and_sigmoid_undo_each_other(p: float) -> None:
    assert sigmoid(logit(p)) == pytest.approx(p)
    assert logit(p) == pytest.approx(math.log(p / (1 - p)), abs=1e-9)
