"""Is it said plainly? TURN-5: no filler, no pleasantries, no emoji; the point comes first."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import RuleId
from cruxfinder.language.reading import DraftReading

PLAIN: Final = RuleId("TURN-5")
CALLED: Final = {"pleasantry": "a pleasantry", "filler": "filler"}


def check(reading: DraftReading) -> Iterator[Refusal]:
    for kind, words in reading.blemishes:
        if kind == "emoji":
            yield Refusal(rule=PLAIN, reason="there is an emoji in it", remedy="use words")
        else:
            reason = f'"{words}" is {CALLED[kind]}'
            yield Refusal(rule=PLAIN, reason=reason, remedy="leave it out and start with the point")
