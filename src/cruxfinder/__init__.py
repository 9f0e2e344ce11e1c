"""Cruxfinder finds what a disagreement really turns on.

    import cruxfinder as cf

    finished = cf.debate("bitcoin", seed=7)
    print(finished.result.primary_crux_question)

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

from typing import TYPE_CHECKING

import cruxfinder.debate as _decider  # pyright: ignore[reportUnusedImport]  # noqa: F401
import cruxfinder.gate as _doorman  # pyright: ignore[reportUnusedImport]  # noqa: F401
from cruxfinder.version import VERSION as __version__

if TYPE_CHECKING:
    from cruxfinder.gate.calls import agate as agate
    from cruxfinder.gate.calls import gate as gate
    from cruxfinder.gate.gate import Gate as Gate
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

# The functions `debate` and `gate` share their names with packages. A package is bound to its parent once, when it is
# first imported; that has happened above, so the names can be freed for the functions.
globals().pop("debate", None)
globals().pop("gate", None)

__all__ = [
    "Gate",
    "MessageFilter",
    "__version__",
    "adebate",
    "agate",
    "astability",
    "debate",
    "fork",
    "gate",
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
    if name in ("agate", "gate"):
        from cruxfinder.gate import calls

        return getattr(calls, name)
    if name == "Gate":
        from cruxfinder.gate.gate import Gate

        return Gate
    if name in __all__:
        from cruxfinder import library

        return getattr(library, name)
    raise AttributeError(f"module 'cruxfinder' has no attribute {name!r}")
