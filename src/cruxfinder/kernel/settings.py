"""What a run may be told: limits, and gates to leave out of an ablation."""

from dataclasses import dataclass
from typing import Literal

from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.vocabulary import RuleId


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Zero means the rule's own value, which may depend on the number of agents."""

    max_messages: int = 0
    max_ms: int = 0
    stagnation_messages: int = 50
    silence_ms: int = 30_000
    max_calls: int = 0  # requests to models that may be paid for; zero means as many as it takes
    max_tokens: int = 0
    max_nanodollars: int = 0
    attention: float = 0.6  # how much a message must concern an agent to reach it
    embedder: Literal["static", "keyword"] = "static"
    blind: bool = False  # debaters do not see who spoke
    planted: int = 0  # wrong steelmans to be graded, as a test of the graders
    off: tuple[RuleId, ...] = ()
    redundancy: Redundancy | None = None  # none: off under the crux protocol, as the rules have it elsewhere
    together: bool = False  # one reply may hold the turns of several speakers
    asks_user: bool = False  # somebody is there to answer
    lifted: bool = False  # EVIDENCE goes on until the debate itself ends: for measuring long threads
