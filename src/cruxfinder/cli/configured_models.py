"""What the flags that name models say, and whether it can be used."""

from collections.abc import Sequence

from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.models.model_config import ModelConfig
from cruxfinder.errors import BadInput
from cruxfinder.kernel.optional_dependencies import require_extra


def from_flags(
    model: Sequence[str] | None,
    judge_model: str | None,
    fallback: Sequence[str] | None,
    base_url: str | None,
    *,
    grammar: bool,
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
    said = ModelConfig(
        model=general,
        judge_model=judge_model or "",
        fallback=tuple(fallback or ()),
        base_url=base_url or "",
        grammar=grammar,
    )
    return said, own


def check_usable(models: Sequence[str], base_url: str) -> None:
    """A name that is none, a key and a package that are not there are told before anything is paid for."""
    require_extra("models")
    for model in models:
        if model:
            model_names.key_of(model_names.read(model, base_url))
