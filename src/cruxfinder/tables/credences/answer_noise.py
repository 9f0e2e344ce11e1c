"""How well the answers of a table agree with themselves: whose contradict each other, and the noise of a single one.

Each row is held against P(topic) as it was told with it. An answer of which one chance was derived from the others
agrees with them by construction and says nothing; where all are, the noise is the spread of P(topic) told repeatedly.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cruxfinder.crux.law import probes
from cruxfinder.crux.law.probes import ProbeReading
from cruxfinder.kernel.vocabulary import AgentId, CandidateId
from cruxfinder.tables.credences.credence_answers import SurveyAnswers


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoherence:
    """Answers that miss the law of total probability: `implied` is what the other three make of the topic."""

    agent: str
    question: str
    p_top: float
    implied: float


def full_rows(answers: SurveyAnswers) -> Iterator[ProbeReading]:
    """Every answer told in full, as a reading of its own."""
    for agent in answers.stated_tops:
        for id, answer in answers.credences.get(agent, {}).items():
            if (agent, id) not in answers.derived:
                top = answers.top_with(agent, id)
                yield ProbeReading(agent=agent, p_top=top, credences={id: answer})


def incoherences(answers: SurveyAnswers, texts: Mapping[CandidateId, str]) -> Iterator[Incoherence]:
    for row in full_rows(answers):
        for id, answer in row.credences.items():
            missed = probes.residual(row.p_top, answer)
            if abs(missed) > probes.INCOHERENT_ABOVE:
                implied = round(row.p_top - missed, 4)
                yield Incoherence(agent=row.agent, question=texts[id], p_top=row.p_top, implied=implied)


def noise_of(answers: SurveyAnswers) -> float | None:
    """The estimated standard deviation of a single answer; None where nothing was told twice."""
    rows = {AgentId(str(n)): row for n, row in enumerate(full_rows(answers))}
    return probes.noise(rows) if rows else spread_of_tops(answers)


def spread_of_tops(answers: SurveyAnswers) -> float | None:
    """The standard deviation of P(topic) within those who told it more than once."""
    squares, free = 0.0, 0
    for told in answers.stated_tops.values():
        middle = sum(told.values()) / len(told)
        squares += sum((value - middle) ** 2 for value in told.values())
        free += len(told) - 1
    return (squares / free) ** 0.5 if free else None
