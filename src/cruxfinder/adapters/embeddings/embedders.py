"""How alike two texts are, measured: by the static model that ships with the package, or by shared keywords."""

from functools import cache
from typing import Final, Literal

from cruxfinder.adapters.embeddings.keyword import Keywords
from cruxfinder.kernel.likeness import Likeness

Choice = Literal["static", "keyword"]
CHOICES: Final[tuple[Choice, ...]] = ("static", "keyword")


@cache
def embedder(choice: Choice = "static") -> Likeness:
    """The measure asked for, loaded once; keywords where the static model's files are missing (ATT-2)."""
    if choice == "keyword":
        return Keywords()
    from cruxfinder.adapters.embeddings.vectors import StaticModel, model_folder  # noqa: PLC0415 - numpy

    try:
        return StaticModel(model_folder())
    except FileNotFoundError:
        return Keywords()
