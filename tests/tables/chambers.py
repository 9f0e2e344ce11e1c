"""Whole chambers from a spatial model: members have a place, questions cut between places, few cells are empty."""

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from cruxfinder.tables.votes.vote_table import MISSING, Table

Floats = npt.NDArray[np.float64]
STEEP: Final = 1.7


class Chamber(NamedTuple):
    table: Table
    camps: tuple[int, ...]  # of each member

    @property
    def homes(self) -> set[frozenset[str]]:
        return {
            frozenset(agent for agent, camp in zip(self.table.agents, self.camps, strict=True) if camp == number)
            for number in set(self.camps)
        }


class Drawing(NamedTuple):
    """Where members stand, and how much each direction counts in a question."""

    camps: npt.NDArray[np.intp]
    places: Floats
    reach: Floats


def two_parties(dice: np.random.Generator, members: int) -> Drawing:
    """Each with a wing that is more moderate and stands apart on a second matter."""
    first = int(members * dice.uniform(0.4, 0.6))
    camps = np.repeat([0, 1], [first, members - first])
    side, far = np.where(camps == 0, -1.0, 1.0), dice.uniform(0.9, 1.4)
    wing = dice.random(members) < np.where(camps == 0, *dice.uniform(0.15, 0.45, 2))
    main = side * far + dice.normal(0, 0.25, members) - side * wing * dice.uniform(0.2, 0.6)
    second = dice.normal(0, 0.3, members) + wing * side * dice.uniform(0.6, 1.5)
    return Drawing(camps, np.stack([main, second], 1), np.array([2.2, 0.8]))


def party_line(dice: np.random.Generator, members: int) -> Drawing:
    """Two parties whose members spread evenly from the middle outwards."""
    first = int(members * dice.uniform(0.35, 0.65))
    camps = np.repeat([0, 1], [first, members - first])
    main = np.where(camps == 0, -1.0, 1.0) * dice.uniform(1.0, 1.4) + dice.normal(0, 0.35, members)
    return Drawing(camps, np.stack([main, dice.normal(0, 0.3, members)], 1), np.array([2.2, 0.8]))


def blocs(count: int) -> Callable[[np.random.Generator, int], Drawing]:
    """So many blocs, each as far from every other."""

    def draw(dice: np.random.Generator, members: int) -> Drawing:
        camps = np.sort(np.arange(members) % count)
        middles = np.linalg.qr(dice.normal(0, 1, (count + 1, count)))[0].T * 2.2
        return Drawing(camps, middles[camps] + dice.normal(0, 0.3, (members, count + 1)), np.full(count + 1, 1.6))

    return draw


def one_bloc(dice: np.random.Generator, members: int) -> Drawing:
    """Nobody stands far from anybody, and hardly a question parts them."""
    return Drawing(np.zeros(members, np.intp), dice.normal(0, 0.35, (members, 2)), np.array([2.2, 0.8]))


def one_bloc_with_a_wing(dice: np.random.Generator, members: int) -> Drawing:
    """A third of them stand a little aside."""
    places = dice.normal(0, 0.25, (members, 2))
    places[: members // 3, 0] += 0.9
    return Drawing(np.zeros(members, np.intp), places, np.array([2.2, 0.8]))


CHAMBERS: Final[dict[str, Callable[[np.random.Generator, int], Drawing]]] = {
    "two parties with wings": two_parties,
    "two parties on a line": party_line,
    "three blocs": blocs(3),
    "five blocs": blocs(5),
    "one bloc": one_bloc,
    "one bloc with a wing": one_bloc_with_a_wing,
}


def chamber(kind: str, seed: int, members: int = 100, questions: int = 300) -> Chamber:
    """A part of the questions is lopsided, one cell in twenty is empty, and some members were often away."""
    dice = np.random.default_rng(seed)
    drawing = CHAMBERS[kind](dice, members)
    direction = dice.normal(0, 1, (questions, len(drawing.reach))) * drawing.reach
    if len(set(drawing.camps.tolist())) == 1:
        lean = dice.choice([-1, 1], questions) * np.abs(dice.normal(2.2, 1, questions))
    else:
        lopsided = dice.random(questions) < dice.uniform(0.2, 0.45)
        far = dice.choice([-1, 1], questions) * dice.uniform(3, 6, questions)
        lean = np.where(lopsided, far, dice.normal(0, 0.8, questions))
    chance = 1 / (1 + np.exp(-STEEP * (drawing.places @ direction.T + lean)))
    votes = np.where(dice.random((members, questions)) < chance, 1, -1)
    votes[dice.random(votes.shape) < 0.05] = MISSING
    for row in dice.choice(members, members // 30, replace=False):
        votes[row, dice.random(questions) < dice.uniform(0.3, 0.8)] = MISSING
    table = Table(
        source=kind,
        agents=tuple(f"m{n}" for n in range(members)),
        questions=tuple(f"q{n}" for n in range(questions)),
        votes=votes.astype(np.int8),
    )
    return Chamber(table, tuple(drawing.camps.tolist()))
