"""Whether the models that are named can be used."""

from collections.abc import Iterable, Sequence

from cruxfinder.adapters.models import model_names
from cruxfinder.app.model_request import ModelRequest
from cruxfinder.kernel.optional_dependencies import require_extra


def check_usable(request: ModelRequest, own: Iterable[str] = ()) -> None:
    check_names((*request.model_names, *own), request.base_url)


def check_names(models: Sequence[str], base_url: str) -> None:
    """A name that is none, a key and a package that are not there are told before anything is paid for."""
    require_extra("models")
    for model in models:
        if model:
            model_names.key_of(model_names.read(model, base_url))
