"""What the flags that name models say, and whether it can be used."""

from collections.abc import Sequence
from typing import Final

from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.models.model_config import ModelConfig
from cruxfinder.errors import BadInput
from cruxfinder.kernel.extras import require_extra

ABOVE_NOTHING: Final = ("--per-minute", "--at-once", "--deadline", "--max-cost", "--max-calls", "--max-tokens")
WISH_MAX: Final = 1_000_000_000


def from_flags(
    model: Sequence[str] | None,
    judge_model: str | None,
    fallback: Sequence[str] | None,
    base_url: str | None,
    *,
    grammar: bool,
    per_minute: int | None = None,
    at_once: int | None = None,
    deadline: float | None = None,
    max_cost: float | None = None,
    max_calls: int | None = None,
    max_tokens: int | None = None,
) -> tuple[ModelConfig, dict[str, str]]:
    """The wishes of the command line, and the models of single agents (`--model ada=openai:…`)."""
    own: dict[str, str] = {}
    general = ""
    for given in model or ():
        agent, equals, name = given.partition("=")
        if equals and agent and name:
            own[agent.strip()] = name.strip()
        elif equals or general:
            raise BadInput(f"--model {given!r}: name one model for all, and others as AGENT=MODEL")
        else:
            general = given.strip()
    given = (per_minute, at_once, deadline, max_cost, max_calls, max_tokens)
    for value, name in zip(given, ABOVE_NOTHING, strict=True):
        if value is not None and not value > 0:
            raise BadInput(f"{name} must be above 0")
        if value is not None and value > WISH_MAX:
            raise BadInput(f"{name} must be at most {WISH_MAX:,}")
    said = ModelConfig(
        model=general,
        judge_model=judge_model or "",
        fallback=tuple(fallback or ()),
        base_url=base_url or "",
        grammar=grammar,
        per_minute=per_minute or 0,
        at_once=at_once or 0,
        deadline=deadline or 0.0,
        max_cost=max_cost or 0.0,
        max_calls=max_calls or 0,
        max_tokens=max_tokens or 0,
    )
    return said, own


def check_usable(models: Sequence[str], base_url: str) -> None:
    """A name that is none, a key and a package that are not there are told before anything is paid for."""
    require_extra("models")
    for model in models:
        if model:
            model_names.key_of(model_names.read(model, base_url))
