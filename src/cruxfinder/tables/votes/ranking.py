"""Which questions divide the agents, best first: by how much they take part in the main line of division.

Three readings of that line are averaged, because on a small panel each has its own luck: the question's weight in the
first principal component, how well the component made of all the other questions tells its answers, and how far the
two ends of the line differ on it when everybody on one end counts about the same.

Where answers are missing, those given are a sample of those there are. That a question is lopsided is then partly
chance, so it counts as if some more had voted, as many each way; and who stands on which end is less sure, so the third
reading, which takes the ends as they are, counts less.
"""

from typing import Final

import numpy as np

from cruxfinder.tables.votes.vote_table import MISSING, NO, YES, Numbers, Votes, centre_votes

STEEPNESS: Final = 1.5
GAPS_FEW: Final = 0.02  # of the cells: up to here everybody has answered
GAPS_MANY: Final = 0.05  # from here on it is a sample and nothing else
MORE_VOTES: Final = 3.0  # each way, that a sample is thought to lack
DIGITS: Final = 7
SAME: Final = 1e-6
EXACT_MAX: Final = 200_000  # agents² × questions up to which each question is left out in earnest


def division_scores(votes: Votes) -> Numbers:
    """A figure from 0 to 1 for each question; 0 where nobody disagrees."""
    sampled = sample_share(votes)
    around = centre_votes(votes) * smoothing_factors(votes, MORE_VOTES * sampled)
    if not around.any():
        return np.zeros(int(votes.shape[1]), np.float64)
    line, loading = first_component(around)
    weight = np.abs(loading)
    others = leave_one_out_scores(around, line, loading)
    ends = np.tanh(STEEPNESS * line / max(float(np.abs(line).mean()), 1e-12))
    contrast = np.abs(around.T @ (ends - ends.mean()))
    score = (scale_to_highest(weight) + scale_to_highest(others) + (1 - sampled) * scale_to_highest(contrast)) / (
        3 - sampled
    )
    contested = (votes == YES).any(0) & (votes == NO).any(0)
    return np.where(contested, np.round(score, DIGITS), 0.0)


def sample_share(votes: Votes) -> float:
    """From 0, where everybody has answered, to 1, where the answers are a sample."""
    gaps = np.count_nonzero(votes == MISSING) / max(1, votes.size)
    return min(1.0, max(0.0, (gaps - GAPS_FEW) / (GAPS_MANY - GAPS_FEW)))


def smoothing_factors(votes: Votes, more: float) -> Numbers:
    """How much wider each question would be spread if so many more had voted each way; 0 where nobody disagrees."""
    given = (votes != MISSING).sum(0)
    yes = ((votes == YES).sum(0) - (votes == NO).sum(0) + given) / 2  # the uncertain are half on each side
    no = given - yes
    spread = np.sqrt(yes * no) / np.maximum(given, 1)
    wider = np.sqrt((yes + more) * (no + more)) / np.maximum(given + 2 * more, 1)
    return np.divide(wider, spread, out=np.zeros_like(spread), where=spread > 0)


def leave_one_out_scores(around: Numbers, line: Numbers, loading: Numbers) -> Numbers:
    """How well the main line of all other questions tells each question's answers."""
    if around.size * len(around) > EXACT_MAX:
        return np.abs((around * (line[:, None] - around * loading)).sum(0))
    products = around @ around.T
    without = products - around.T[:, :, None] * around.T[:, None, :]
    lengths, lines = np.linalg.eigh(without)
    longest = lengths[:, -1:]
    main = (lengths > longest * (1 - SAME)) & (longest > SAME)  # of lines equally long none is the main one alone
    along = (lines * around.T[:, :, None]).sum(1)
    return np.sqrt((np.where(main, along, 0.0) ** 2).sum(1))


def ranked_columns(figures: Numbers) -> list[int]:
    """Columns with something to tell, best first; equal ones as they stand in the file."""
    return [int(n) for n in np.argsort(-figures, kind="stable") if figures[n] > 0]


def first_component(around: Numbers) -> tuple[Numbers, Numbers]:
    """The agents' places on the first principal component, and the questions' weights in it."""
    wide = around.shape[1] > around.shape[0]
    products = around @ around.T if wide else around.T @ around
    values, vectors = np.linalg.eigh(products)
    main = vectors[:, -1]
    if wide:
        line = main * np.sqrt(max(float(values[-1]), 0.0))
        loading = around.T @ main
        loading /= max(float(np.linalg.norm(loading)), 1e-12)
        return line, loading
    return around @ main, main


def scale_to_highest(figures: Numbers) -> Numbers:
    highest = float(figures.max())
    return figures / highest if highest > SAME else np.zeros_like(figures)
