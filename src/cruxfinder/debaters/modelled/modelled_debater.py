"""A debater that thinks with a language model: asks become prompts, replies become answers. DESIGN §5."""

from cruxfinder.crux.law.blind import labels
from cruxfinder.debaters.modelled.briefing import add_day, system
from cruxfinder.debaters.modelled.debate_prompts import PromptContext, prompt_for
from cruxfinder.debaters.modelled.reply_reading import read
from cruxfinder.errors import BudgetSpent, DebaterFault
from cruxfinder.kernel.pack import Pack, Persona
from cruxfinder.ports import NOTHING, Budget, Thinker, Usage
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk, AnyRecord


class ModelDebater:
    """One seat. It sees its own persona and the public record, nothing else."""

    is_paid = True

    def __init__(
        self, persona: Persona, pack: Pack, thinker: Thinker, *, blind: bool = False, turns: bool = False
    ) -> None:
        self._system = system(persona, pack, blind=blind, turns=turns)
        self._turns = turns
        self._thinker = thinker
        self._blind = blind
        self._budget: Budget | None = None
        self._taken: dict[int, Usage] = {}  # by the number of the ask, until it is told

    def with_persona(self, persona: Persona, pack: Pack) -> "ModelDebater":
        return ModelDebater(persona, pack, self._thinker, blind=self._blind, turns=self._turns)

    def spend_from(self, budget: Budget) -> None:
        self._budget = budget

    def take_usage(self, ask: AnyAsk) -> Usage:
        return self._taken.pop(ask.number, NOTHING)

    async def answer(self, ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
        if self._budget is None:
            raise BudgetSpent("nobody pays for this debater")
        seats = record.seats
        called = labels([s.id for s in seats], blind=self._blind, names=[s.name for s in seats])
        prompt = prompt_for(ask, PromptContext(add_day(self._system, record.started.day), record, called))

        def parse_reply(text: str) -> AnyAnswer:
            return read(text, ask, record, called)

        key = f"{ask.agent}#{ask.number}"
        try:
            thought = await self._thinker.think(prompt, parse_reply, key=key, budget=self._budget)
        except DebaterFault as fault:
            self._taken[ask.number] = fault.usage
            raise
        self._taken[ask.number] = thought.usage
        return thought.value
