"""Is a candidate the topic in words nobody knew it by? Its answers tell, where its text is near.

A fact that decides everything is answered as the topic too. So both have to speak for it: the text that was read when
it was proposed, and the answers of everybody, as far as noise lets them be compared.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Final

from cruxfinder.crux.law import figure_spread
from cruxfinder.crux.law.probes import ProbeReading, mean
from cruxfinder.crux.law.proposed_questions import AGAIN
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Candidate
from cruxfinder.kernel.vocabulary import AgentId

NEAR_TEXT: Final = 0.75  # of an embedder's cosine: below it a strong crux is as near as the topic in free words
SURE: Final = 0.95  # P(topic) with it, and 1 - P(topic) without: from here it settles the topic
AS_TOPIC: Final = 0.03  # so near to P(topic) stands for the same
NOISE_MAX: Final = 0.25  # beyond it no two answers can be told to be one
PEOPLE_MIN: Final = 2
STRAY_SPREADS: Final = 3.0  # of the squares: in few answers they scatter widely


def repeats_topic(
    debate: Debate, asked: Candidate, given: Mapping[AgentId, ProbeReading], noise: float, rounds: int
) -> bool:
    if AGAIN in debate.settings.off or asked.near_topic < NEAR_TEXT or noise > NOISE_MAX:
        return False
    rows = [(r.p_top, r.credences[asked.id]) for r in given.values() if asked.id in r.credences]
    if len(rows) < PEOPLE_MIN:
        return False
    return any(
        is_answered_alike(
            [x.c - (top if same else 1 - top) for top, x in rows],
            [x.p1 if same else x.p0 for _, x in rows],
            [x.p0 if same else x.p1 for _, x in rows],
            noise / sqrt(max(1, rounds)),
        )
        for same in (True, False)
    )


def is_answered_alike(
    apart: Sequence[float], given_it: Sequence[float], without: Sequence[float], noise: float
) -> bool:
    """Everybody holds it as likely as the topic, and the topic all but certain with it and ruled out without."""
    strays = figure_spread.SPREADS * noise / sqrt(len(apart))
    if mean(given_it) < SURE - strays or mean(without) > 1 - SURE + strays:
        return False
    expected = 2 * noise**2  # of the square of a difference of two answers
    most = AS_TOPIC**2 + expected * (1 + STRAY_SPREADS * sqrt(2 / len(apart)))
    return mean([d * d for d in apart]) <= most
