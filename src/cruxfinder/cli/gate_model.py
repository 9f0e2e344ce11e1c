"""A gate that thinks with a model: what was said of one, as what the gate is called with."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Self

from cruxfinder.adapters.models.model_config import ModelConfig
from cruxfinder.adapters.models.model_pool import RequestLimits
from cruxfinder.app import request_settings as run_options
from cruxfinder.app.gate_models import judge_name, open_mind_chooser
from cruxfinder.cli import model_options
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
    def of(cls, said: ModelConfig) -> Self:
        options = model_options.options(said, {}, for_pack=False)
        models = run_options.models_of(options)
        assert models is not None, "a model is named"
        return cls(models=models, caps=Caps.of(run_options.settings(options)), pace=run_options.pace_of(options))

    @property
    def judge(self) -> str:
        return judge_name(self.models)

    async def call(self, here: Gate, call: Callable[[Gate], Awaitable[GateVerdict]]) -> GateVerdict:
        async with open_mind_chooser(self.models, self.caps, self.pace) as choose:
            return await call(replace(here, choose=choose, judge=self.judge))
