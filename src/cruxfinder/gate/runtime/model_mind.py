"""A model that answers in the gate's debates. It brings the prompts along, which the house does without."""

from collections.abc import Sequence

from cruxfinder.gate.forms import Answer
from cruxfinder.gate.router import FiredRule
from cruxfinder.gate.runtime.gate_prompts import prompt_of, reply_reader
from cruxfinder.gate.runtime.minds import Ask
from cruxfinder.ports import NOTHING, Budget, Thinker


class ModelMind:
    """A model, or several that stand in for each other."""

    def __init__(self, name: str, thinker: Thinker, budget: Budget, fired: Sequence[FiredRule] = ()) -> None:
        self.name = name
        self.usage = NOTHING
        self._thinker = thinker
        self._budget = budget
        self._fired = tuple(fired)

    async def answer(self, ask: Ask) -> Answer:
        thought = await self._thinker.think(prompt_of(ask, self._fired), reply_reader(ask), budget=self._budget)
        self.usage += thought.usage
        return thought.value
