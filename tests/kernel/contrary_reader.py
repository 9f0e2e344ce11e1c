"""A reader that finds fault with whatever it reads: what rests on readings comes out otherwise with it."""

from cruxfinder.kernel.likeness import Likeness
from cruxfinder.language.reading import (
    RECENT,
    Blemish,
    DraftReading,
    FalsifierReading,
    Hedge,
    Nearness,
    Passage,
)


class ContraryReader:
    name = "contrary-1"

    def __init__(self, like: Likeness) -> None:
        """It measures nothing; the texts it was given to read are kept."""
        self.texts: list[str] = []

    def read(self, passage: Passage) -> DraftReading:
        """Every draft repeats, adds nothing and is filler; every falsifier is vague, every question known."""
        self.texts.append(passage.text)
        return DraftReading(
            blemishes=(Blemish("filler", passage.text.split()[0] if passage.text.split() else ""),),
            near=tuple(Nearness(1.0, 1.0, opposed=False) for _ in passage.before[-RECENT:]),
            falsifier=None if passage.falsifier is None else FalsifierReading(hedges=(Hedge("metric", "maybe"),)),
            again=passage.asked,
            carried=tuple(0.0 for _ in passage.accounts),
            leaning="as I said",
            off_topic=True,
        )
