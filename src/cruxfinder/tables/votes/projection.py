"""Where the people of a vote table stand to each other on a plane: the two directions along which they differ most."""

from typing import Final

import numpy as np

from cruxfinder.tables.votes.vote_table import MISSING, Numbers, Votes, centre_votes

AXES: Final = 2
DIGITS: Final = 4
NOTHING: Final = 1e-9  # of the whole spread; below it a direction is rounding and no difference


def positions(votes: Votes) -> Numbers:
    """One row a person, between -1 and 1 on both axes; nobody differs along an axis that the votes do not have.

    A missing vote counts as the mean of its question, which draws whoever answered little towards the middle: they are
    moved out again by how little they answered.
    """
    people, questions = votes.shape
    place = np.zeros((people, AXES))
    if not people or not questions:
        return place
    values = centre_votes(votes)
    found = values @ directions(values)
    place[:, : found.shape[1]] = found
    answered = (votes != MISSING).sum(1)
    place *= np.sqrt(questions / np.maximum(answered, 1))[:, None]
    widest = float(np.abs(place).max())
    return (place / (widest or 1.0)).round(DIGITS) + 0.0  # no minus before a zero


def directions(values: Numbers) -> Numbers:
    """Up to two orthogonal columns in the space of the questions, the one with the larger spread first.

    The smaller of the two products has the same spectrum, and is cheap whichever side of the table is long.
    """
    people, questions = values.shape
    tall = people >= questions
    product = values.T @ values if tall else values @ values.T
    spread, vectors = np.linalg.eigh(product)
    order = np.argsort(-spread, kind="stable")[:AXES]
    order = order[spread[order] > NOTHING * max(float(spread.max()), NOTHING)]
    columns = vectors[:, order] if tall else values.T @ vectors[:, order] / np.sqrt(spread[order])
    return columns * signs(columns) if columns.size else columns


def signs(columns: Numbers) -> Numbers:
    """Either sign is a solution: the question that counts most points to the positive side."""
    heaviest = np.abs(columns.round(DIGITS)).argmax(0)
    weights: Numbers = columns[heaviest, np.arange(columns.shape[1])]
    return 1.0 - 2.0 * (weights < 0).astype(np.float64)
