"""What a request costs, by the price table of genai-prices; a model it does not know has no price.

The table's own arithmetic takes 0.2 ms. Prompts here are short, so that one price a token holds for all of them: it is
read off once for each model.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import ceil

from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.models.model_names import ModelName
from cruxfinder.kernel.extras import require_extra
from cruxfinder.kernel.pack import Models
from cruxfinder.ports import NANO, Usage

SAMPLE = 1000  # tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """Billionths of a dollar for a token."""

    fresh: float  # input
    cached: float
    kept: float  # input that is written to the provider's cache
    out: float

    def of(self, *, tokens_in: int, cached: int, kept: int, tokens_out: int) -> int:
        plain = max(0, tokens_in - cached - kept)
        return ceil(plain * self.fresh + cached * self.cached + kept * self.kept + tokens_out * self.out - 1e-6)

    def at_most(self, *, tokens_in: int, tokens_out: int) -> int:
        return ceil(tokens_in * max(self.fresh, self.kept) + tokens_out * self.out)


@cache
def price_of(name: ModelName) -> Price | None:
    """The price of a model, if the table has one. What runs on a server of one's own has none."""
    if name.provider == "compatible":
        return None
    try:
        fresh = cost(name, input_tokens=SAMPLE)
        return Price(
            fresh=fresh,
            cached=cost(name, input_tokens=SAMPLE, cache_read_tokens=SAMPLE),
            kept=max(fresh, cost(name, input_tokens=SAMPLE, cache_write_tokens=SAMPLE)),
            out=cost(name, output_tokens=SAMPLE),
        )
    except LookupError:
        return None


def cost(name: ModelName, **tokens: int) -> float:
    require_extra("models")
    import genai_prices  # noqa: PLC0415 - the extra `models`

    found = genai_prices.calc_price(genai_prices.Usage(**tokens), name.model, provider_id=name.provider)
    return float(found.total_price) * NANO / SAMPLE


def first_unpriced(models: Models, own: Iterable[str] = ()) -> ModelName | None:
    """The first of these models, and of those that single agents have of their `own`, that has no price."""
    texts = (models.dialogue, models.judgement, *models.fallbacks, *own)
    every = (model_names.read(text, models.base_url) for text in texts if text)
    return next((name for name in every if price_of(name) is None), None)


def worst_usage(name: ModelName, *, tokens_in: int, tokens_out: int) -> Usage:
    """The most one request can take."""
    price = price_of(name)
    return Usage(
        calls=1,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        nanodollars=0 if price is None else price.at_most(tokens_in=tokens_in, tokens_out=tokens_out),
        unpriced=1 if price is None else 0,
    )


def request_usage(name: ModelName, *, tokens_in: int, cached: int, kept: int, tokens_out: int) -> Usage:
    price = price_of(name)
    return Usage(
        calls=1,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        nanodollars=0
        if price is None
        else price.of(tokens_in=tokens_in, cached=cached, kept=kept, tokens_out=tokens_out),
        unpriced=1 if price is None else 0,
    )
