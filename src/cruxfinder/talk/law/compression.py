"""How much of what is said is new. RED-8: distinct content words over all of them, at least a quarter over the run."""

from typing import Final

from cruxfinder.language.english.texts import keywords
from cruxfinder.talk.state import Talk

LEAST: Final = 0.25


def compression(talk: Talk) -> float:
    """1 where nothing is said twice, or nothing at all."""
    words = [word for turn in talk.turns for word in keywords(turn.content)]
    return round(len(set(words)) / len(words), 3) if words else 1.0
