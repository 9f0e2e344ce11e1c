"""The kinds of planted worlds: who holds what, in log-odds, drawn at random and not yet in words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Final, Literal

from cruxfinder.kernel.pack import Truth

FACTS: Final = 5


class Kind(StrEnum):
    """What a planted disagreement is like."""

    ONE_CRUX = "one crux"
    TWO_CRUXES = "two cruxes"
    SEVERAL_FACTS = "several facts"
    VALUES = "values"
    DEFINITIONS = "definitions"
    HORIZON = "horizon"
    NO_DISAGREEMENT = "no disagreement"
    CHAIN = "chain"
    TOPIC_AGAIN = "topic again"
    CONFORMITY = "conformity"
    PERSUASION = "persuasion"
    CARELESS = "careless words"
    CUT_SHORT = "cut short"


@dataclass(slots=True)
class DrawnBelief:
    """What somebody holds of one proposition, while a world is drawn; in log-odds."""

    base: float
    weight: float
    links: tuple[tuple[int, float], ...] = ()
    fixed: float | None = None  # as the resolution criterion reads it, where that differs


@dataclass(slots=True)
class Sketch:
    """A world while it is drawn."""

    rng: Random
    count: int
    camps: list[bool]
    beliefs: list[list[DrawnBelief]]  # by person
    bias: list[float]
    openness: tuple[float, float] = (0.2, 1.0)
    trust: tuple[float, float] = (0.4, 1.0)
    conformity: tuple[float, ...] = (0.0, 0.5, 1.0, 1.0, 2.0)
    reading: Literal["", "sense", "horizon"] = ""
    hinge: int = 0
    again: int | None = None  # the proposition that is the topic once more
    again_turned: bool = False  # or its negation
    hollow: tuple[int, ...] = ()  # propositions whose YES and NO say no more than that
    late: bool = False  # a test that somebody names offhand may be over by the day of the debate
    truths: dict[int, Truth] = field(default_factory=dict[int, Truth])

    def split(self, place: int, apart: float, spread: float, *, turned: bool = False) -> None:
        """Hold the camps apart on a proposition."""
        for yes, held in zip(self.camps, self.beliefs, strict=True):
            held[place].base = (1 if yes is not turned else -1) * apart + self.rng.gauss(0.0, spread)

    def share_base(self, place: int, base: float, spread: float) -> None:
        for held in self.beliefs:
            held[place].base = base + self.rng.gauss(0.0, spread)

    def weigh(self, place: int, weight: float, scatter: float = 0.2) -> None:
        for held in self.beliefs:
            held[place].weight = weight * self.rng.uniform(1 - scatter, 1 + scatter)

    def link(self, place: int, parent: int, strength: float) -> None:
        for held in self.beliefs:
            held[place].links = (*held[place].links, (parent, strength))


# ---- the kinds


def plain_sketch(rng: Random, agents: int, count: int | None = None, spread: float = 0.6) -> Sketch:
    """Two camps, and propositions on which people differ by chance; a loud one and an agreed one among them."""
    count = rng.randint(5, 8) if count is None else count
    camps = [n % 2 == 0 for n in range(agents)]
    rng.shuffle(camps)
    shared = [rng.uniform(-1.5, 1.5) for _ in range(count)]
    weights = [rng.uniform(-1.0, 1.0) for _ in range(count)]
    beliefs = [
        [DrawnBelief(shared[n] + rng.gauss(0.0, spread), weights[n] * rng.uniform(0.8, 1.2)) for n in range(count)]
        for _ in camps
    ]
    return Sketch(rng, count, camps, beliefs, [rng.gauss(0.0, 0.25) for _ in camps], hinge=rng.randrange(count))


def add_decoys(sketch: Sketch, taken: Sequence[int]) -> None:
    """One proposition divides the camps and means nothing for the topic; one means much and divides nobody."""
    rng = sketch.rng
    free = [n for n in range(sketch.count) if n not in taken]
    loud, agreed = rng.sample(free, 2)
    sketch.split(loud, rng.uniform(1.0, 2.5), 0.4, turned=rng.random() < 0.5)
    sketch.weigh(loud, rng.choice((-1, 1)) * rng.uniform(0.05, 0.25))
    sketch.share_base(agreed, rng.choice((-1, 1)) * rng.uniform(0.8, 1.8), 0.2)
    sketch.weigh(agreed, rng.choice((-1, 1)) * rng.uniform(0.8, 1.6))
    rest = [n for n in free if n not in (loud, agreed)]
    if len(rest) > 1 and rng.random() < 0.33:
        child, parent = rng.sample(rest, 2)
        sketch.link(child, parent, rng.uniform(0.3, 0.8))


def hinge_on(sketch: Sketch, place: int, weight: float, apart: float) -> None:
    """Let a proposition divide the camps, and mean so much for the topic."""
    turned = sketch.rng.random() < 0.5
    sketch.split(place, apart, 0.3, turned=turned)
    sketch.weigh(place, -weight if turned else weight)


def one_crux(rng: Random, agents: int) -> Sketch:
    sketch = plain_sketch(rng, agents)
    hinge_on(sketch, sketch.hinge, rng.uniform(0.8, 2.0), rng.uniform(0.6, 2.2))
    add_decoys(sketch, [sketch.hinge])
    return sketch


def two_cruxes(rng: Random, agents: int) -> Sketch:
    sketch = plain_sketch(rng, agents, spread=0.3)
    pair = rng.sample(range(sketch.count), 2)
    weight, apart = rng.uniform(0.7, 1.3), rng.uniform(0.9, 2.0)
    for place in pair:
        hinge_on(sketch, place, weight * rng.uniform(0.9, 1.1), apart * rng.uniform(0.9, 1.1))
    add_decoys(sketch, pair)
    return sketch


def several_facts(rng: Random, agents: int) -> Sketch:
    """Five facts of 15 to 20 % each; what is left is values."""
    sketch = plain_sketch(rng, agents, rng.randint(FACTS + 1, 8), spread=0.1)
    weight, apart = rng.uniform(0.4, 0.7), rng.uniform(1.0, 1.8)
    for place in range(sketch.count):
        if place < FACTS:
            turned = rng.random() < 0.5
            sketch.split(place, apart * rng.uniform(0.95, 1.05), 0.15, turned=turned)
            sketch.weigh(place, (-weight if turned else weight) * rng.uniform(0.95, 1.05), 0.1)
        else:
            sketch.weigh(place, rng.uniform(-0.3, 0.3))
    left = rng.uniform(0.15, 0.5)
    sketch.bias = [(left if yes else -left) + rng.gauss(0.0, 0.1) for yes in sketch.camps]
    return sketch


def values(rng: Random, agents: int) -> Sketch:
    sketch = plain_sketch(rng, agents, spread=0.1)
    sketch.bias = [(1 if yes else -1) * rng.uniform(0.9, 1.8) for yes in sketch.camps]
    if rng.random() < 0.5:  # what divides the camps need not matter
        loud = rng.randrange(sketch.count)
        sketch.split(loud, rng.uniform(0.8, 2.0), 0.3)
        sketch.weigh(loud, rng.uniform(-0.05, 0.05))
    return sketch


def definitions(rng: Random, agents: int) -> Sketch:
    sketch = plain_sketch(rng, agents, spread=0.1)
    hinge_on(sketch, sketch.hinge, rng.uniform(0.8, 2.0), rng.uniform(0.8, 2.2))
    base = rng.uniform(-1.5, 1.5)
    for held in sketch.beliefs:
        held[sketch.hinge].fixed = base + rng.gauss(0.0, 0.1)
    sketch.reading = "sense"
    return sketch


def horizon(rng: Random, agents: int) -> Sketch:
    sketch = definitions(rng, agents)
    sketch.reading = "horizon"
    return sketch


def no_disagreement(rng: Random, agents: int) -> Sketch:
    """All on one side, or all close to even odds; facts that nobody rests anything on may divide them."""
    sketch = plain_sketch(rng, agents, spread=0.1)
    middle = rng.choice((-1.4, -0.8, 0.0, 0.8, 1.4))
    sketch.bias = [middle + rng.gauss(0.0, 0.08) for _ in sketch.camps]
    loud = rng.randrange(sketch.count)
    sketch.split(loud, rng.uniform(0.8, 2.0), 0.3)
    sketch.weigh(loud, rng.uniform(-0.05, 0.05))
    return sketch


def chain(rng: Random, agents: int) -> Sketch:
    """What divides the camps bears on the topic through another proposition only."""
    sketch = plain_sketch(rng, agents, spread=0.25)
    root, crux = rng.sample(range(sketch.count), 2)
    sketch.hinge = crux
    sketch.split(root, rng.uniform(1.2, 2.2), 0.3)
    sketch.weigh(root, 0.0)
    sketch.share_base(crux, rng.uniform(-0.3, 0.3), 0.15)
    sketch.weigh(crux, rng.choice((-1, 1)) * rng.uniform(1.2, 2.2))
    add_decoys(sketch, [root, crux])
    turned = sketch.beliefs[0][crux].weight < 0
    sketch.link(crux, root, (-1 if turned else 1) * rng.uniform(1.0, 1.8))
    return sketch


def topic_again(rng: Random, agents: int) -> Sketch:
    """One crux, and a proposition that is the topic once more: everything bears on the topic through it."""
    sketch = one_crux(rng, agents)
    again = rng.choice([n for n in range(sketch.count) if n != sketch.hinge])
    sketch.again, sketch.again_turned = again, rng.random() < 0.4
    sign = -1 if sketch.again_turned else 1
    for person, held in enumerate(sketch.beliefs):
        through = tuple((n, sign * belief.weight) for n, belief in enumerate(held) if n != again)
        held[again] = DrawnBelief(sign * sketch.bias[person], sign * 4.0, through)
        for n, belief in enumerate(held):
            if n != again:
                belief.weight = 0.0
                belief.links = ()
        sketch.bias[person] = 0.0
    return sketch


def conformity(rng: Random, agents: int) -> Sketch:
    """A few stand against many; what is shown is weak, and the company presses."""
    sketch = plain_sketch(rng, agents)
    few = set(rng.sample(range(agents), max(1, agents // 4)))
    side = rng.random() < 0.5
    sketch.camps = [(n in few) is side for n in range(agents)]
    hinge_on(sketch, sketch.hinge, rng.uniform(0.8, 1.8), rng.uniform(0.6, 1.6))
    add_decoys(sketch, [sketch.hinge])
    sketch.openness, sketch.trust, sketch.conformity = (0.1, 0.4), (0.3, 0.7), (1.0, 2.0, 3.0)
    return sketch


def persuasion(rng: Random, agents: int) -> Sketch:
    """One crux that can be looked up, before open and trusting people who do not care what others say."""
    sketch = plain_sketch(rng, agents)
    hinge_on(sketch, sketch.hinge, rng.uniform(1.0, 2.0), rng.uniform(0.4, 1.0))
    add_decoys(sketch, [sketch.hinge])
    sketch.openness, sketch.trust, sketch.conformity = (0.8, 1.0), (0.8, 1.0), (0.0, 0.0, 0.3, 1.0)
    sketch.truths = {sketch.hinge: rng.choice(("YES", "NO"))}
    return sketch


def careless(rng: Random, agents: int) -> Sketch:
    """One crux, and people who word things badly before they are sent back."""
    sketch = one_crux(rng, agents)
    others = [n for n in range(sketch.count) if n != sketch.hinge]
    sketch.hollow, sketch.late = tuple(rng.sample(others, 2)), True
    return sketch


DRAW: Final[dict[Kind, Callable[[Random, int], Sketch]]] = {
    Kind.ONE_CRUX: one_crux,
    Kind.TWO_CRUXES: two_cruxes,
    Kind.SEVERAL_FACTS: several_facts,
    Kind.VALUES: values,
    Kind.DEFINITIONS: definitions,
    Kind.HORIZON: horizon,
    Kind.NO_DISAGREEMENT: no_disagreement,
    Kind.CHAIN: chain,
    Kind.TOPIC_AGAIN: topic_again,
    Kind.CONFORMITY: conformity,
    Kind.PERSUASION: persuasion,
    Kind.CARELESS: careless,
    Kind.CUT_SHORT: one_crux,
}
KINDS: Final = tuple(Kind)
