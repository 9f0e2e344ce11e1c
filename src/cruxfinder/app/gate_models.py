"""Who thinks for the gate, from what is configured: a model where one is named, else the house."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from cruxfinder.gate.router import FiredRule
from cruxfinder.gate.runtime.gate import Choosing
from cruxfinder.gate.runtime.minds import HOUSE, GateMind
from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.pack import Models

if TYPE_CHECKING:
    from cruxfinder.adapters.models.model_pool import RequestLimits


@asynccontextmanager
async def open_mind_chooser(
    models: Models | None, caps: Caps, pace: "RequestLimits | None" = None
) -> AsyncGenerator[Choosing]:
    """Chooses the mind of each debate, for which the caps hold; clients live in the event loop this is used in."""
    if models is None:
        yield choose_house
        return
    from cruxfinder.adapters.models.model_pool import ModelPool
    from cruxfinder.gate.runtime.minds import ModelMind
    from cruxfinder.kernel.budget import RunBudget

    crew = ModelPool(models, pace)

    def choose_model(fired: tuple[FiredRule, ...]) -> GateMind:
        return ModelMind(f"model {models.dialogue}", crew.thinker(), RunBudget(caps), fired)

    try:
        yield choose_model
    finally:
        await crew.close()


def judge_name(models: Models | None) -> str:
    """Who thinks, with everything that makes it another: an approval holds for one judge."""
    if models is None:
        return HOUSE
    parts = (
        f"model {models.dialogue}",
        f"judged by {models.judgement}" if models.judgement else "",
        f"else {', '.join(models.fallbacks)}" if models.fallbacks else "",
        f"at {models.base_url}" if models.base_url else "",
    )
    return " ".join(part for part in parts if part)


def choose_house(_: tuple[FiredRule, ...]) -> GateMind | None:
    return None
