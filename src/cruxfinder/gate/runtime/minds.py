"""Who answers in the gate's debates, the house or a model: the same debate asks, and the same rules decide."""

from collections.abc import Generator, Sequence
from typing import Final, Protocol, TypeVar, cast

from cruxfinder.gate.failing import FailureAsk
from cruxfinder.gate.forms import Answer
from cruxfinder.gate.house_critic import House
from cruxfinder.gate.planning import PlanAsk
from cruxfinder.gate.router import FiredRule
from cruxfinder.ports import NOTHING, Budget, Thinker, Usage

HOUSE: Final = "house"
Ask = PlanAsk | FailureAsk
T = TypeVar("T")


class GateMind(Protocol):
    @property
    def name(self) -> str:
        """Who thinks, as the verdict and the log say it."""
        ...

    @property
    def usage(self) -> Usage: ...

    async def answer(self, ask: Ask) -> Answer:
        """Raise DebaterFault where no answer can be had."""
        ...


class HouseMind:
    def __init__(self, house: House) -> None:
        self._house = house
        self.name = HOUSE
        self.usage = NOTHING

    async def answer(self, ask: Ask) -> Answer:
        return self._house.answer(ask)


class ModelMind:
    """A model, or several that stand in for each other."""

    def __init__(self, name: str, thinker: Thinker, budget: Budget, fired: Sequence[FiredRule] = ()) -> None:
        self.name = name
        self.usage = NOTHING
        self._thinker = thinker
        self._budget = budget
        self._fired = tuple(fired)

    async def answer(self, ask: Ask) -> Answer:
        from cruxfinder.gate.runtime.gate_prompts import prompt_of, reply_reader  # brings what only models need

        thought = await self._thinker.think(prompt_of(ask, self._fired), reply_reader(ask), budget=self._budget)
        self.usage += thought.usage
        return thought.value


async def run_debate(debate: "Generator[Ask, Answer, T]", mind: GateMind) -> T:
    """Put the asks of a debate to a mind until it is decided."""
    try:
        ask = next(debate)
        while True:
            ask = debate.send(await mind.answer(ask))
    except StopIteration as end:
        return cast("T", end.value)
