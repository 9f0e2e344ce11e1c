"""A table of votes: a row an agent, a column a question."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from cruxfinder.errors import BadTable
from cruxfinder.kernel.vocabulary import Side
from cruxfinder.language.numerals import short_repr

YES: Final = 1
NO: Final = -1
UNCERTAIN: Final = 0
MISSING: Final = 2
Votes = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

SIDES: Final = {YES: Side.YES, NO: Side.NO, UNCERTAIN: Side.UNCERTAIN}
WORDS: Final = {
    **dict.fromkeys(("yes", "agree", "1", "+1", "1.0"), YES),
    **dict.fromkeys(("no", "disagree", "-1", "-1.0"), NO),
    **dict.fromkeys(("uncertain", "pass", "neutral", "0", "0.0", "-0.0"), UNCERTAIN),
    "": MISSING,
}
ACCEPTED: Final = "YES, NO, UNCERTAIN, agree, disagree, pass, neutral, 1, -1, 0 or nothing"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """Votes are 1, -1, 0 and, where there is none, MISSING."""

    source: str
    agents: tuple[str, ...]
    questions: tuple[str, ...]
    votes: Votes
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    title: str = ""


def vote_code(word: str) -> int | None:
    """What a cell means, in whatever case."""
    return WORDS.get(word.strip().lower())


def vote_of(said: object) -> int | None:
    """What a value of Python means."""
    if said is None:
        return MISSING
    if isinstance(said, bool) or (isinstance(said, int) and abs(said) > 1):
        return None
    return vote_code(str(said))


def numbers(votes: Votes) -> Numbers:
    """Votes as numbers, nan where there is none."""
    values = votes.astype(np.float64)
    values[votes == MISSING] = np.nan
    return values


def centre_votes(votes: Votes) -> Numbers:
    """Votes around the mean of their question; a missing one lies on it."""
    given = votes != MISSING
    values = np.where(given, votes, 0).astype(np.float64)
    mean = values.sum(0) / np.maximum(given.sum(0), 1)
    return np.where(given, values - mean, 0.0)


def from_mapping(given: Mapping[str, Mapping[str, object]], source: str = "votes") -> Table:
    """A table from {agent: {question: vote}}, where a vote is a Side, one of the words of a file, or a number."""
    agents = tuple(given)
    questions = tuple(dict.fromkeys(question for row in given.values() for question in row))
    if strange := next((name for name in (*agents, *questions) if not isinstance(name, str)), None):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise BadTable(source, 0, f"{strange!r} is no name: agents and questions are named by text")
    place = {question: n for n, question in enumerate(questions)}
    votes = np.full((len(agents), len(questions)), MISSING, np.int8)
    for row, agent in enumerate(agents):
        for question, said in given[agent].items():
            vote = vote_of(said)
            if vote is None:
                raise BadTable(source, 0, f"{short_repr(said)} of {agent!r} on {question!r} is no vote: {ACCEPTED}")
            votes[row, place[question]] = vote
    return Table(source=source, agents=agents, questions=questions, votes=votes)
