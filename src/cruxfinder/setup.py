"""What a server is made of: the gate, the store, the models that are configured; and who thinks in its debates."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Final

from cruxfinder import library
from cruxfinder.errors import BadInput
from cruxfinder.gate.gate import Choosing, Gate
from cruxfinder.gate.thinking import thinking
from cruxfinder.library import Options
from cruxfinder.llm.config import Wishes
from cruxfinder.packs import shelf
from cruxfinder.ports import Store
from cruxfinder.rules.budget import Caps

NOTHING_WISHED: Final = Wishes()
NEEDS_MODEL: Final = (
    "a topic of your own needs a model that is configured for this server (`--model …` or CRUX_MODEL): a whole debate "
    "asks too much of a caller's model; a pack needs none"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """`wished` names the configured model, if there is one; with `house` no model thinks, the caller's neither."""

    gate: Gate
    store: Store
    wished: Wishes = NOTHING_WISHED
    house: bool = False

    @property
    def options(self) -> Options:
        """What is configured, as options of a debate; without a model, nothing."""
        return {} if self.house or not self.wished.model else options_of(self.wished)


def options_of(wished: Wishes) -> Options:
    return {
        "model": wished.model,
        "judge_model": wished.judge_model,
        "fallbacks": wished.fallback,
        "base_url": wished.base_url,
        "grammar": wished.grammar,
        "per_minute": wished.per_minute,
        "at_once": wished.at_once,
        "deadline_s": wished.deadline,
        "max_cost": wished.max_cost or None,
        "max_calls": wished.max_calls or None,
        "max_tokens": wished.max_tokens or None,
    }


def configured(setup: Setup) -> AbstractAsyncContextManager[Choosing]:
    """Chooses the configured model for a gate's debate. Limits on speed hold for all of them, caps for each."""
    models = library.models_of(setup.options)
    if models is None:
        return thinking(None, Caps())
    return thinking(models, Caps.of(library.settings(setup.options)), library.pace_of(setup.options))


def chosen(setup: Setup, subject: str, *, with_model: bool) -> Options:
    """The options that say who thinks. Files are never read on a caller's word: a subject is a name or a sentence."""
    if subject.strip() in shelf.names():
        if with_model and not setup.options:
            raise BadInput("no model is configured for this server; its believers can debate a pack without one")
        return setup.options if with_model else {}
    if " " not in subject.strip():
        raise BadInput(f"there is no pack {subject.strip()[:80]!r}; there are {', '.join(shelf.names())}")
    if not setup.options:
        raise BadInput(NEEDS_MODEL)
    return setup.options


def lower(configured: float | None, asked: float | None) -> Any:
    """A caller can lower a cap of the server, not raise it."""
    return min((cap for cap in (configured, asked) if cap is not None), default=None)
