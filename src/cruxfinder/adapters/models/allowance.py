"""What a stored run may use when it goes on here: a log can come from anywhere, and it names addresses and caps.

A key is sent only to an address that somebody named for it, and a cap of this place holds whatever the log says.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.models.prices import first_unpriced
from cruxfinder.errors import NotAllowed, UnnamedAddress
from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.pack import Models, Pack
from cruxfinder.kernel.settings import Settings
from cruxfinder.ports import NANO

NO_CAPS: Final = Caps()


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """A provider's own address counts as named: its key goes nowhere else. Without `models` none may be asked."""

    addresses: frozenset[str] = frozenset()  # as `model_names.address_of` writes them
    caps: Caps = NO_CAPS
    models: bool = True

    def with_address(self, url: str) -> "Allowance":
        return replace(self, addresses=self.addresses | {model_names.address_of(url)})

    def check_models(self, run: str, models: Models) -> None:
        """Raise NotAllowed where a run would ask models that may not be asked here."""
        if models.base_url and model_names.address_of(models.base_url) not in self.addresses:
            raise UnnamedAddress(
                f"run {run} asks its models at {models.base_url}, an address of its log that nobody named here: "
                "go on with `crux resume` or `crux fork` and --base-url if you trust it",
                models.base_url,
            )
        if not self.models:
            raise NotAllowed(
                f"run {run} is thought by models, and here none may be asked: go on with it with `crux resume`, "
                "or start the server with a model"
            )

    def check_prices(self, pack: Pack, run: str = "") -> None:
        """Raise NotAllowed where the only cap of this place is in dollars and a model of the pack has no price."""
        if pack.models is not None:
            check_priced(self.caps, pack.models, [persona.model for persona in pack.personas], run)

    def check_caps(self, run: str, settings: Settings) -> None:
        """Raise NotAllowed where a run could take more than may be taken here; its log cannot be changed any more."""
        if lower := self.cap_changes(settings):
            raise NotAllowed(
                f"run {run} could pass a cap of this server ({', '.join(lower)}): go on with it with `crux resume`"
            )

    def cap_changes(self, settings: Settings) -> tuple[str, ...]:
        """What a fork has to change so that no cap of its settings is above those here."""
        caps = self.caps
        return tuple(
            change
            for most, own, change in (
                (caps.calls, settings.max_calls, f"max-calls={caps.calls}"),
                (caps.tokens, settings.max_tokens, f"max-tokens={caps.tokens}"),
                (caps.nanodollars, settings.max_nanodollars, f"max-cost={caps.nanodollars / NANO:.9f}"),
            )
            if most and not 0 < own <= most
        )


def check_priced(caps: Caps, models: Models, own: Iterable[str] = (), run: str = "") -> None:
    """Raise NotAllowed where dollars are the only cap, and one of the models has no price: nothing would bind it."""
    if caps.only_dollars and (name := first_unpriced(models, own)) is not None:
        of_run = f"run {run}: " if run else ""
        raise NotAllowed(
            f"{of_run}the price of {name} is not known, so that a cap of ${caps.nanodollars / NANO:g} cannot hold: "
            "give one in calls or tokens, too (CRUX_MAX_CALLS, CRUX_MAX_TOKENS), or name a model that has a price"
        )


def allow_addresses(addresses: Iterable[str], caps: Caps = NO_CAPS) -> Allowance:
    """The addresses that were named here; an empty text names none."""
    return Allowance(addresses=frozenset(model_names.address_of(url) for url in addresses if url), caps=caps)


NOTHING_NAMED: Final = Allowance()
