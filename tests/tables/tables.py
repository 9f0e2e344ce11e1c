"""Tables of votes drawn from a simple model: camps with a place each, questions that cut between places."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cruxfinder.tables.votes.vote_table import MISSING, Table


def drawn(seed: int, sizes: Sequence[int], questions: int, *, noise: float = 0.1, missing: float = 0.0) -> Table:
    """Every camp has its own answers; each agent departs from them now and then."""
    dice = np.random.default_rng(seed)
    camps = np.repeat(np.arange(len(sizes)), sizes)
    answers = dice.choice(np.array([-1, 1]), (len(sizes), questions))
    if len(sizes) == 2:
        answers[1] = -answers[0]
    votes = answers[camps] * np.where(dice.random((len(camps), questions)) < noise, -1, 1)
    votes[dice.random(votes.shape) < missing] = MISSING
    return Table(
        source="drawn",
        agents=tuple(f"{camp}-{n}" for n, camp in enumerate(camps)),
        questions=tuple(f"q{n}" for n in range(questions)),
        votes=votes.astype(np.int8),
    )


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
