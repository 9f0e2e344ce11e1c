"""What a debate will roughly take, told before the first paid call; measured against a provider of our own."""

from dataclasses import dataclass
from math import ceil
from typing import Final

from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.models.prices import worst_usage
from cruxfinder.kernel.pack import Models
from cruxfinder.kernel.protocol import AnyProtocol
from cruxfinder.kernel.settings import Settings
from cruxfinder.ports import NANO

TOKENS_IN: Final = 600  # a call
TOKENS_OUT: Final = 120
CALLS_A_MESSAGE: Final = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    calls: tuple[int, int]
    tokens: tuple[int, int]
    dollars: tuple[float, float] | None  # none: the price is not known

    def summary(self) -> str:
        tokens = tuple(ceil(each / 1000) for each in self.tokens)
        spent = f"about {span(*self.calls)} calls, {span(*tokens)}k tokens"
        if self.dollars is None:
            return f"{spent}; the price of this model is not known, so only calls and tokens can be capped"
        return f"{spent}, {span(*(money(each) for each in self.dollars))}"


def span(low: object, high: object) -> str:
    return f"{low}" if low == high else f"{low}–{high}"


def money(dollars: float) -> str:
    return f"${dollars:.2f}" if dollars >= 0.1 else f"${dollars:.3f}"


def estimate(agents: int, models: Models, settings: Settings, protocol: AnyProtocol) -> Estimate:
    low, high = protocol.calls(agents, settings)
    most = round(settings.max_messages * CALLS_A_MESSAGE) + agents if settings.max_messages else high
    for cap in (most, settings.max_calls or high):
        low, high = min(low, cap), min(high, cap)
    name = model_names.read(models.dialogue, models.base_url)
    one = worst_usage(name, tokens_in=TOKENS_IN, tokens_out=TOKENS_OUT)
    each = TOKENS_IN + TOKENS_OUT
    dollars = None if one.unpriced else (low * one.nanodollars / NANO, high * one.nanodollars / NANO)
    return Estimate(calls=(low, high), tokens=(low * each, high * each), dollars=dollars)
