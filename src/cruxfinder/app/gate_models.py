"""Who thinks for the gate, from what is configured: a model where one is named, else the house."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from cruxfinder.gate.router import Fired
from cruxfinder.gate.runtime.gate import Choosing
from cruxfinder.gate.runtime.minds import HOUSE, Mind
from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.pack import Models

if TYPE_CHECKING:
    from cruxfinder.adapters.models.model_pool import Pace


@asynccontextmanager
async def thinking(models: Models | None, caps: Caps, pace: "Pace | None" = None) -> AsyncGenerator[Choosing]:
    """Chooses the mind of each debate, for which the caps hold; clients live in the event loop this is used in."""
    if models is None:
        yield nobody
        return
    from cruxfinder.adapters.models.model_pool import Crew
    from cruxfinder.gate.runtime.minds import ModelMind
    from cruxfinder.kernel.budget import Purse

    crew = Crew(models, pace)

    def model(fired: tuple[Fired, ...]) -> Mind:
        return ModelMind(f"model {models.dialogue}", crew.thinker(), Purse(caps), fired)

    try:
        yield model
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


def nobody(_: tuple[Fired, ...]) -> Mind | None:
    return None
