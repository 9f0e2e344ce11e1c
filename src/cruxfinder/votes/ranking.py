"""Which questions divide the agents, best first: by how much they take part in the main line of division.

Three readings of that line are averaged, because on a small panel each has its own luck: the question's weight in the
first principal component, how well the component made of all the other questions tells its answers, and how far the
two ends of the line differ on it when everybody on one end counts about the same.
"""

from typing import Final

import numpy as np

from cruxfinder.votes.table import NO, YES, Numbers, Votes, centred

STEEPNESS: Final = 1.5
DIGITS: Final = 7
SAME: Final = 1e-6
EXACT_MAX: Final = 200_000  # agents² × questions up to which each question is left out in earnest


def divisions(votes: Votes) -> Numbers:
    """A figure from 0 to 1 for each question; 0 where nobody disagrees."""
    around = centred(votes)
    if not around.any():
        return np.zeros(int(votes.shape[1]), np.float64)
    line, loading = first_line(around)
    weight = np.abs(loading)
    others = told_by_others(around, line, loading)
    ends = np.tanh(STEEPNESS * line / max(float(np.abs(line).mean()), 1e-12))
    contrast = np.abs(around.T @ (ends - ends.mean()))
    score = (relative(weight) + relative(others) + relative(contrast)) / 3
    contested = (votes == YES).any(0) & (votes == NO).any(0)
    return np.where(contested, np.round(score, DIGITS), 0.0)


def told_by_others(around: Numbers, line: Numbers, loading: Numbers) -> Numbers:
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


def order(figures: Numbers) -> list[int]:
    """Columns with something to tell, best first; equal ones as they stand in the file."""
    return [int(n) for n in np.argsort(-figures, kind="stable") if figures[n] > 0]


def first_line(around: Numbers) -> tuple[Numbers, Numbers]:
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


def relative(figures: Numbers) -> Numbers:
    highest = float(figures.max())
    return figures / highest if highest > SAME else np.zeros_like(figures)
