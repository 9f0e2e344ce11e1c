"""What a debate will roughly take, told before the first paid call; measured against a provider of our own."""

from dataclasses import dataclass
from typing import Final

from cruxfinder.llm import names
from cruxfinder.llm.prices import worst
from cruxfinder.model.pack import Models
from cruxfinder.model.settings import Settings
from cruxfinder.model.usage import NANO

CALLS_AN_AGENT: Final = (11, 27)  # one thread, or as many as there may be
TOKENS_IN: Final = 460  # a call
TOKENS_OUT: Final = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    calls: tuple[int, int]
    tokens: tuple[int, int]
    dollars: tuple[float, float] | None  # none: the price is not known

    def told(self) -> str:
        low, high = self.calls
        spent = f"{low}–{high} calls, {self.tokens[0] // 1000}–{self.tokens[1] // 1000}k tokens"
        if self.dollars is None:
            return f"{spent}; the price of this model is not known, so only calls and tokens can be capped"
        return f"{spent}, {money(self.dollars[0])}–{money(self.dollars[1])}"


def money(dollars: float) -> str:
    return f"${dollars:.2f}" if dollars >= 0.1 else f"${dollars:.3f}"


def estimate(agents: int, models: Models, settings: Settings) -> Estimate:
    low, high = (agents * each for each in CALLS_AN_AGENT)
    if settings.max_calls:
        low, high = min(low, settings.max_calls), min(high, settings.max_calls)
    name = names.read(models.dialogue, models.base_url)
    one = worst(name, tokens_in=TOKENS_IN, tokens_out=TOKENS_OUT)
    each = TOKENS_IN + TOKENS_OUT
    dollars = None if one.unpriced else (low * one.nanodollars / NANO, high * one.nanodollars / NANO)
    return Estimate(calls=(low, high), tokens=(low * each, high * each), dollars=dollars)
