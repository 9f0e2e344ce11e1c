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
    from cruxfinder.app.model_minds import open_model_chooser  # noqa: PLC0415 - 100 ms that the house does without

    async with open_model_chooser(models, caps, pace) as choose_model:
        yield choose_model


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
