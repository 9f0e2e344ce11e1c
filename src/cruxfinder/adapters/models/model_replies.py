"""What comes back from a provider: a reply, or a refusal of some kind."""

from dataclasses import dataclass
from typing import Final, Literal

from cruxfinder.ports import Usage

CONNECT_S: Final = 5.0  # nothing is paid for yet; how long an answer may take is for the ask's own deadline to say
Kind = Literal["busy", "broken", "refused"]


class Declined(Exception):
    """The provider did not give a usable response. `busy` and `broken` may pass; `refused` stays.

    An error is not billed; what was broken off, or came back as no answer, may have been.
    """

    def __init__(self, kind: Kind, told: str, retry_after_s: float | None = None, *, billed: bool = False) -> None:
        self.kind: Kind = kind
        self.retry_after_s = retry_after_s
        self.billed = billed
        super().__init__(told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    text: str
    cut: bool  # it ran into its longest length
    usage: Usage

    @property
    def has_usage(self) -> bool:
        """Did the provider say what it took?"""
        return self.usage.tokens_in > 0 and (self.usage.tokens_out > 0 or not self.text)
