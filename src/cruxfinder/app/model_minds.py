"""A mind for each debate of the gate from the models that are named: they are shared, the caps are each debate's."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from cruxfinder.adapters.models.model_pool import ModelPool, RequestLimits
from cruxfinder.gate.router import FiredRule
from cruxfinder.gate.runtime.gate import Choosing
from cruxfinder.gate.runtime.minds import GateMind
from cruxfinder.gate.runtime.model_mind import ModelMind
from cruxfinder.kernel.budget import RunBudget
from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.pack import Models


@asynccontextmanager
async def open_model_chooser(models: Models, caps: Caps, pace: RequestLimits | None) -> AsyncGenerator[Choosing]:
    pool = ModelPool(models, pace)

    def choose_model(fired: tuple[FiredRule, ...]) -> GateMind:
        return ModelMind(f"model {models.dialogue}", pool.thinker(), RunBudget(caps), fired)

    try:
        yield choose_model
    finally:
        await pool.close()
