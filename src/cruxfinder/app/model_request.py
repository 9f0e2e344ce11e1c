"""Which models think, and what they may take: options of every request, of a server's and of the gate's.

Their flags, the variables of the environment and the keys of the settings file are made from these fields.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from cruxfinder.adapters.models.model_pool import AT_ONCE, DEADLINE_MAX_S, DEADLINE_MIN_S, DEADLINE_S, RequestLimits
from cruxfinder.app.options import Option, OptionField, SetBy, checked_value, options_of
from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.pack import Models
from cruxfinder.ports import NANO

AMOUNT_MAX: Final = 1_000_000_000
CONFIGURED: Final = SetBy.COMMAND | SetBy.SETTINGS
CAP: Final = SetBy.ALL | SetBy.FORM | SetBy.FORK | SetBy.SETTINGS
THINKS: Final = CONFIGURED | SetBy.GATE


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """Who thinks, and for how much. Everything may be left out; None and what is empty were not asked for."""

    model: Annotated[str, Option(help="provider:model that thinks.", by=THINKS, metavar="MODEL", group="models")] = ""
    judge_model: Annotated[
        str, Option(help="Another one for judgements.", by=THINKS, metavar="MODEL", group="models")
    ] = ""
    fallbacks: Annotated[
        Sequence[str],
        Option(
            help="Stands in when others fail.",
            by=THINKS,
            flag="--fallback",
            metavar="MODEL",
            entry="a model",
            group="models",
        ),
    ] = ()
    base_url: Annotated[
        str, Option(help="A server that speaks OpenAI's language.", by=THINKS, metavar="URL", group="models")
    ] = ""
    grammar: Annotated[bool, Option(help="Hold replies to a grammar (llama.cpp only).", by=THINKS, group="models")] = (
        False
    )
    max_cost: Annotated[
        float | None,
        Option(
            help="Never spend more dollars.",
            by=CAP,
            low=0.000001,
            high=100_000,
            metavar="DOLLARS",
            group="models",
            label="Dollars at most",
        ),
    ] = None
    max_calls: Annotated[
        int | None,
        Option(
            help="Never send more requests to models.",
            by=CAP,
            low=1,
            high=AMOUNT_MAX,
            metavar="N",
            group="models",
            label="Model calls at most",
        ),
    ] = None
    max_tokens: Annotated[
        int | None,
        Option(
            help="Never take more tokens.",
            by=CAP,
            low=1,
            high=AMOUNT_MAX,
            metavar="N",
            group="models",
            label="Tokens at most",
        ),
    ] = None
    per_minute: Annotated[
        int | None,
        Option(help="Requests a minute.", by=CONFIGURED, low=1, high=AMOUNT_MAX, metavar="N", group="models"),
    ] = None
    at_once: Annotated[
        int | None,
        Option(help="Requests at a time.", by=CONFIGURED, low=1, high=AMOUNT_MAX, metavar="N", group="models"),
    ] = None
    deadline_s: Annotated[
        float | None,
        Option(
            help="For one answer, retries included.",
            by=CONFIGURED,
            low=DEADLINE_MIN_S,
            high=DEADLINE_MAX_S,
            flag="--deadline",
            metavar="SECONDS",
            group="models",
        ),
    ] = None

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def chosen_models(self) -> Models | None:
        """Who thinks, if models are to."""
        if not self.model:
            return None
        return Models(
            dialogue=self.model,
            judgement=self.judge_model,
            fallbacks=tuple(self.fallbacks),
            base_url=self.base_url,
            grammar=self.grammar,
        )

    @property
    def caps(self) -> Caps:
        return Caps(
            calls=self.max_calls or 0,
            tokens=self.max_tokens or 0,
            nanodollars=round((self.max_cost or 0.0) * NANO),
        )

    @property
    def request_limits(self) -> RequestLimits:
        """How hard providers are pressed."""
        return RequestLimits(
            per_minute=self.per_minute or 0,
            at_once=self.at_once or AT_ONCE,
            deadline_s=self.deadline_s or DEADLINE_S,
        )

    @property
    def model_names(self) -> tuple[str, ...]:
        """Every model that may be asked, but for those of single agents."""
        return tuple(name for name in (self.model, self.judge_model, *self.fallbacks) if name)


def check_fields(request: ModelRequest) -> None:
    """Every option is what it may be, in the one form in which it is kept. Raise BadOption."""
    for field in options_of(type(request)):
        object.__setattr__(request, field.name, checked_value(field, getattr(request, field.name)))


def said_in(request: ModelRequest, options: Sequence[OptionField]) -> Mapping[str, Any]:
    """Those of the options that were asked for."""
    return {field.name: value for field in options if (value := getattr(request, field.name)) != field.default}


NOTHING_SAID: Final = ModelRequest()
