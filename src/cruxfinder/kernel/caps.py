"""What a run may take at most. PLUS-5: a cap is checked before every request, with those under way at their worst."""

from dataclasses import dataclass

from cruxfinder.kernel.settings import Settings
from cruxfinder.ports import NANO, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """Zero means no cap."""

    calls: int = 0
    tokens: int = 0
    nanodollars: int = 0

    @classmethod
    def of(cls, settings: Settings) -> "Caps":
        return cls(calls=settings.max_calls, tokens=settings.max_tokens, nanodollars=settings.max_nanodollars)

    def within(self, other: "Caps") -> "Caps":
        """The lower one of each cap."""

        def lower(one: int, two: int) -> int:
            return min(one, two) if one and two else one or two

        return Caps(
            calls=lower(self.calls, other.calls),
            tokens=lower(self.tokens, other.tokens),
            nanodollars=lower(self.nanodollars, other.nanodollars),
        )

    @property
    def has_any(self) -> bool:
        return bool(self.calls or self.tokens or self.nanodollars)

    @property
    def only_dollars(self) -> bool:
        """Do they bind only what has a price?"""
        return bool(self.nanodollars and not (self.calls or self.tokens))

    def exceeded_cap(self, usage: Usage) -> str:
        """Which cap a usage would pass; empty if none."""
        if self.calls and usage.calls > self.calls:
            return f"{self.calls} calls"
        if self.tokens and usage.tokens > self.tokens:
            return f"{self.tokens} tokens"
        if self.nanodollars and usage.nanodollars > self.nanodollars:
            return f"${self.nanodollars / NANO:g}"
        return ""
