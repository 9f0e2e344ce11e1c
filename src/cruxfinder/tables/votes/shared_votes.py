"""Common ground: questions on which every coalition, or everybody where there is none, takes the same side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from cruxfinder.kernel.vocabulary import Side
from cruxfinder.tables.votes.vote_table import MISSING, NO, YES, Numbers, Votes

SHARED_BY: Final = 0.75
VOTES_MIN: Final = 2
VOTES_SHARE_MIN: Final = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPosition:
    """`share` is the one of the coalition that holds it least."""

    column: int
    side: Side
    share: float


def shared_positions(votes: Votes, groups: Sequence[Sequence[int]]) -> tuple[SharedPosition, ...]:
    """Best held first. A coalition has to have voted: two of it, and a tenth of it."""
    parts = [votes[list(members)] for members in groups] or [votes]
    found: list[SharedPosition] = []
    for side, value in ((Side.YES, YES), (Side.NO, NO)):
        least = np.ones(votes.shape[1])
        for part in (*parts, votes):
            given: Numbers = (part != MISSING).sum(0).astype(np.float64)
            enough = given >= max(VOTES_MIN, VOTES_SHARE_MIN * len(part))
            share = np.where(enough, (part == value).sum(0) / np.maximum(given, 1), 0.0)
            least = np.minimum(least, share)
        held = np.flatnonzero(least >= SHARED_BY)
        found += [SharedPosition(column=int(n), side=side, share=float(least[n])) for n in held]
    return tuple(sorted(found, key=lambda shared: (-round(shared.share, 9), shared.column)))
