"""What a server is made of: the gate, the store, the models that are configured; and who thinks in its debates."""

import logging
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from cruxfinder.adapters.models.allowance import Allowance, allow_addresses, check_priced
from cruxfinder.adapters.models.model_config import ModelConfig
from cruxfinder.adapters.packs import pack_finder
from cruxfinder.app import request_settings as run_options
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.app.gate_models import open_mind_chooser
from cruxfinder.errors import BadInput, NotAllowed
from cruxfinder.gate.runtime.gate import Choosing, Gate
from cruxfinder.kernel.caps import Caps
from cruxfinder.ports import Store

if TYPE_CHECKING:
    from cruxfinder.adapters.models.model_pool import RequestLimits

LOG: Final = logging.getLogger(__name__)
NOTHING_WISHED: Final = ModelConfig()
NEEDS_MODEL: Final = (
    "a topic of your own needs a model that is configured for this server (`--model …` or CRUX_MODEL): a whole debate "
    "asks too much of a caller's model; a pack needs none"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """`wished` names the configured model, if there is one; with `house` no model thinks, the caller's neither."""

    gate: Gate
    store: Store
    wished: ModelConfig = NOTHING_WISHED
    house: bool = False

    @property
    def allowance(self) -> Allowance:
        """What stored runs may use here: the addresses this server was started with, and its caps.

        Where no model is configured nobody meant to pay for one, whatever keys the environment holds.
        """
        named = allow_addresses([self.wished.base_url], Caps.of(run_options.settings(caps_of(self.wished))))
        return replace(named, models=bool(self.options))

    @property
    def pace(self) -> "RequestLimits":
        """How hard providers are pressed by runs that go on here."""
        wished = self.wished
        return run_options.pace_of(
            {"per_minute": wished.per_minute, "at_once": wished.at_once, "deadline_s": wished.deadline}
        )

    @property
    def options(self) -> DebateRequest:
        """What is configured, as options of a debate; without a model, nothing."""
        return {} if self.house or not self.wished.model else options_of(self.wished)


def options_of(wished: ModelConfig) -> DebateRequest:
    return {
        "model": wished.model,
        "judge_model": wished.judge_model,
        "fallbacks": wished.fallback,
        "base_url": wished.base_url,
        "grammar": wished.grammar,
        "per_minute": wished.per_minute,
        "at_once": wished.at_once,
        "deadline_s": wished.deadline,
        **caps_of(wished),
    }


def caps_of(wished: ModelConfig) -> DebateRequest:
    return {
        "max_cost": wished.max_cost or None,
        "max_calls": wished.max_calls or None,
        "max_tokens": wished.max_tokens or None,
    }


def open_configured_chooser(setup: Setup) -> AbstractAsyncContextManager[Choosing]:
    """Chooses the configured model for a gate's debate. Limits on speed hold for all of them, caps for each.

    Where no cap would bind the model the house thinks, as it does where none is configured.
    """
    models = run_options.models_of(setup.options)
    if models is None:
        return open_mind_chooser(None, Caps())
    caps = Caps.of(run_options.settings(setup.options))
    try:
        check_priced(caps, models)
    except NotAllowed as error:
        LOG.warning("the house thinks in the debates of the gate: %s", error)
        return open_mind_chooser(None, Caps())
    return open_mind_chooser(models, caps, run_options.pace_of(setup.options))


def model_options(setup: Setup, subject: str, *, with_model: bool) -> DebateRequest:
    """The options that say who thinks. Files are never read on a caller's word: a subject is a name or a sentence."""
    if pack_finder.name_of(subject) in pack_finder.names():
        if with_model and not setup.options:
            raise BadInput("no model is configured for this server; its believers can debate a pack without one")
        return setup.options if with_model else {}
    if " " not in subject.strip():
        raise BadInput(f"there is no pack {subject.strip()[:80]!r}; there are {', '.join(pack_finder.names())}")
    if not setup.options:
        raise BadInput(NEEDS_MODEL)
    return setup.options


def within_server(setup: Setup, subject: str, asked: DebateRequest, *, with_model: bool) -> DebateRequest:
    """What a caller asks for, with the models that are configured, and within their caps."""
    found = model_options(setup, subject, with_model=with_model)
    caps: DebateRequest = {
        "max_calls": lowest_cap(found.get("max_calls"), asked.get("max_calls")),
        "max_tokens": lowest_cap(found.get("max_tokens"), asked.get("max_tokens")),
        "max_cost": lowest_cap(found.get("max_cost"), asked.get("max_cost")),
    }
    planted: DebateRequest = {"planted": 1 if found.get("model") else 0}
    return {**planted, **found, **asked, **caps}


def lowest_cap(configured: float | None, asked: float | None) -> Any:
    """A caller can lower a cap of the server, not raise it."""
    return min((cap for cap in (configured, asked) if cap is not None), default=None)
