"""Whether a proposition is the topic again, which explains all of the gap and settles nothing.

This is the only place where a table asks: a better reader of questions is called from here.
"""

from collections.abc import Mapping
from typing import Final

from cruxfinder.crux.law.probes import ProbeReading
from cruxfinder.kernel.vocabulary import AgentId, CandidateId
from cruxfinder.language.english import question_forms
from cruxfinder.language.english.texts import content_words

AS_GOOD_AS: Final = 0.05  # so near to certain, and to P(topic), stands for the same


def repeats_topic(topic: str, asked: str) -> bool:
    """Itself, or its contrary. A table that does not say its topic cannot be asked."""
    return bool(content_words(topic)) and question_forms.asks_topic(asked, topic)


def is_answered_as_topic(given: Mapping[AgentId, ProbeReading], id: CandidateId) -> bool:
    """Everybody holds it exactly as likely as the topic, and the topic certain with it and ruled out without.

    A fact that decides everything is answered alike, so that this is told and excludes nothing.
    """
    answers = [(reading.p_top, reading.credences[id]) for reading in given.values() if id in reading.credences]
    return bool(answers) and all(
        abs(x.c - top) <= AS_GOOD_AS and x.p1 >= 1 - AS_GOOD_AS and x.p0 <= AS_GOOD_AS for top, x in answers
    )
