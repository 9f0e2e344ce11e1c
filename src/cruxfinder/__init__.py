"""Cruxfinder finds what a disagreement really turns on.

    import cruxfinder as cf

    finished = cf.debate("bitcoin", seed=7)
    print(finished.result.primary_crux_question)

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

from typing import TYPE_CHECKING

import cruxfinder.debate as _decider  # pyright: ignore[reportUnusedImport]  # noqa: F401
from cruxfinder.version import VERSION as __version__

if TYPE_CHECKING:
    from cruxfinder.insight.reading import MessageFilter as MessageFilter
    from cruxfinder.library import adebate as adebate
    from cruxfinder.library import astability as astability
    from cruxfinder.library import debate as debate
    from cruxfinder.library import fork as fork
    from cruxfinder.library import load as load
    from cruxfinder.library import map_credences as map_credences
    from cruxfinder.library import map_votes as map_votes
    from cruxfinder.library import messages as messages
    from cruxfinder.library import replay as replay
    from cruxfinder.library import resume as resume
    from cruxfinder.library import stability as stability
    from cruxfinder.library import stream as stream

# The function `debate` and the package `debate` share a name. A package is bound to its parent once, when it is first
# imported; that has happened above, so the name can be freed for the function.
globals().pop("debate", None)

__all__ = [
    "MessageFilter",
    "__version__",
    "adebate",
    "astability",
    "debate",
    "fork",
    "load",
    "map_credences",
    "map_votes",
    "messages",
    "replay",
    "resume",
    "stability",
    "stream",
]


def __getattr__(name: str) -> object:
    if name in __all__:
        from cruxfinder import library

        return getattr(library, name)
    raise AttributeError(f"module 'cruxfinder' has no attribute {name!r}")
