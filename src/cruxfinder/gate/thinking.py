"""Who thinks for the gate, from what is configured: a model where one is named, else the house."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from cruxfinder.dialectic.router import Fired
from cruxfinder.gate.gate import Choosing
from cruxfinder.gate.minds import HOUSE, Mind
from cruxfinder.model.pack import Models
from cruxfinder.rules.budget import Caps

if TYPE_CHECKING:
    from cruxfinder.llm.crew import Pace


@asynccontextmanager
async def thinking(models: Models | None, caps: Caps, pace: "Pace | None" = None) -> AsyncGenerator[Choosing]:
    """Chooses the mind of each debate, for which the caps hold; clients live in the event loop this is used in."""
    if models is None:
        yield nobody
        return
    from cruxfinder.engine.budget import Purse
    from cruxfinder.gate.minds import ModelMind
    from cruxfinder.llm.crew import Crew

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
