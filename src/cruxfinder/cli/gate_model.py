"""A gate that thinks with a model: what was said of one, as what the gate is called with."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Self

from cruxfinder.adapters.models.model_pool import RequestLimits
from cruxfinder.app.gate_models import judge_name, open_mind_chooser
from cruxfinder.app.model_request import ModelRequest
from cruxfinder.cli import configured_models
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.verdicts import GateVerdict
from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.pack import Models


@dataclass(frozen=True, slots=True, kw_only=True)
class GateModel:
    models: Models
    caps: Caps
    pace: RequestLimits

    @classmethod
    def of(cls, wished: ModelRequest) -> Self:
        models = wished.chosen_models
        assert models is not None, "a model is named"
        configured_models.check_usable(wished)
        return cls(models=models, caps=wished.caps, pace=wished.request_limits)

    @property
    def judge(self) -> str:
        return judge_name(self.models)

    async def call(self, here: Gate, call: Callable[[Gate], Awaitable[GateVerdict]]) -> GateVerdict:
        async with open_mind_chooser(self.models, self.caps, self.pace) as choose:
            return await call(replace(here, choose=choose, judge=self.judge))
