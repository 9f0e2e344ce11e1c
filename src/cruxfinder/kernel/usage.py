"""What thinking took: requests, tokens and money, as plain sums; money in billionths of a dollar, exactly."""

from dataclasses import dataclass
from typing import Final

NANO: Final = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    calls: int = 0  # requests sent, those that failed too
    tokens_in: int = 0
    tokens_out: int = 0
    nanodollars: int = 0
    unpriced: int = 0  # requests to models whose price is not known

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            nanodollars=self.nanodollars + other.nanodollars,
            unpriced=self.unpriced + other.unpriced,
        )

    def __sub__(self, other: "Usage") -> "Usage":
        return Usage(
            calls=self.calls - other.calls,
            tokens_in=self.tokens_in - other.tokens_in,
            tokens_out=self.tokens_out - other.tokens_out,
            nanodollars=self.nanodollars - other.nanodollars,
            unpriced=self.unpriced - other.unpriced,
        )

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    @property
    def dollars(self) -> float:
        return self.nanodollars / NANO


NOTHING: Final = Usage()
