"""What a server is made of: the gate, the store, the models that are configured; and who thinks in its debates."""

import logging
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Any, Final

from cruxfinder.adapters.models.allowance import Allowance, allow_addresses, check_priced
from cruxfinder.adapters.models.model_pool import RequestLimits
from cruxfinder.adapters.packs import pack_finder
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.app.gate_models import open_mind_chooser
from cruxfinder.app.model_request import NOTHING_SAID, ModelRequest, said_in
from cruxfinder.app.options import Option, OptionField, SetBy, options_of
from cruxfinder.errors import BadInput, NotAllowed
from cruxfinder.gate.runtime.gate import Choosing, Gate
from cruxfinder.kernel.caps import Caps
from cruxfinder.ports import Store

LOG: Final = logging.getLogger(__name__)
NEEDS_MODEL: Final = (
    "a topic of your own needs a model that is configured for this server (`--model …` or CRUX_MODEL): a whole debate "
    "asks too much of a caller's model; a pack needs none"
)
WITH_MODEL: Final = OptionField(  # of a request to a server, beside those of the debate
    name="with_model",
    kind="flag",
    option=Option(
        help="Let the configured model debate a pack, in place of its simulated believers.", by=SetBy.CALLERS
    ),
    default=False,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """`wished` names the configured model, if there is one; with `house` no model thinks, the caller's neither."""

    gate: Gate
    store: Store
    wished: ModelRequest = NOTHING_SAID
    house: bool = False

    @property
    def allowance(self) -> Allowance:
        """What stored runs may use here: the addresses this server was started with, and its caps.

        Where no model is configured nobody meant to pay for one, whatever keys the environment holds.
        """
        named = allow_addresses([self.wished.base_url], self.wished.caps)
        return replace(named, models=bool(self.thinking.model))

    @property
    def pace(self) -> RequestLimits:
        """How hard providers are pressed by runs that go on here."""
        return self.wished.request_limits

    @property
    def thinking(self) -> ModelRequest:
        """What is configured for debates; without a model, nothing."""
        return NOTHING_SAID if self.house or not self.wished.model else self.wished


def open_configured_chooser(setup: Setup) -> AbstractAsyncContextManager[Choosing]:
    """Chooses the configured model for a gate's debate. Limits on speed hold for all of them, caps for each.

    Where no cap would bind the model the house thinks, as it does where none is configured.
    """
    models = setup.thinking.chosen_models
    if models is None:
        return open_mind_chooser(None, Caps())
    caps = setup.thinking.caps
    try:
        check_priced(caps, models)
    except NotAllowed as error:
        LOG.warning("the house thinks in the debates of the gate: %s", error)
        return open_mind_chooser(None, Caps())
    return open_mind_chooser(models, caps, setup.pace)


def thinking_for(setup: Setup, subject: str, *, with_model: bool) -> ModelRequest:
    """Who thinks. Files are never read on a caller's word: a subject is a name or a sentence."""
    check_no_file(subject)
    if pack_finder.name_of(subject) in pack_finder.names():
        if with_model and not setup.thinking.model:
            raise BadInput("no model is configured for this server; its believers can debate a pack without one")
        return setup.thinking if with_model else NOTHING_SAID
    if not setup.thinking.model:
        raise BadInput(NEEDS_MODEL)
    return setup.thinking


def check_no_file(subject: str) -> None:
    """A caller of a server names a pack that ships, or a topic, which has words."""
    named = pack_finder.name_of(subject)
    if named in pack_finder.names():
        return
    if " " not in named:
        raise BadInput(pack_finder.unknown_pack(named))
    if named.casefold().endswith(pack_finder.SUFFIXES):
        raise BadInput("a topic is a sentence, not a file")


def within_server(setup: Setup, asked: DebateRequest, *, with_model: bool) -> DebateRequest:
    """What a caller asks for, with the models that are configured, and within their caps."""
    assert isinstance(asked.subject, str)
    configured = thinking_for(setup, asked.subject, with_model=with_model)
    caps = {
        "max_calls": lowest_cap(configured.max_calls, asked.max_calls),
        "max_tokens": lowest_cap(configured.max_tokens, asked.max_tokens),
        "max_cost": lowest_cap(configured.max_cost, asked.max_cost),
    }
    said = said_in(configured, options_of(ModelRequest))
    return replace(asked, **{**said, **caps})


def lowest_cap(configured: float | None, asked: float | None) -> Any:
    """A caller can lower a cap of the server, not raise it."""
    return min((cap for cap in (configured, asked) if cap is not None), default=None)
