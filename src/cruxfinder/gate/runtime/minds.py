"""Who answers in the gate's debates, the house or a model: the same debate asks, and the same rules decide."""

from collections.abc import Generator
from typing import Final, Protocol, TypeVar, cast

from cruxfinder.gate.failing import FailureAsk
from cruxfinder.gate.forms import Answer
from cruxfinder.gate.house_critic import House
from cruxfinder.gate.planning import PlanAsk
from cruxfinder.ports import NOTHING, Usage

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


async def run_debate(debate: "Generator[Ask, Answer, T]", mind: GateMind) -> T:
    """Put the asks of a debate to a mind until it is decided."""
    try:
        ask = next(debate)
        while True:
            ask = debate.send(await mind.answer(ask))
    except StopIteration as end:
        return cast("T", end.value)
