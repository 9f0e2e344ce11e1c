"""Cruxfinder finds what a disagreement really turns on.

    import cruxfinder as cf

    finished = cf.debate("bitcoin", seed=7)
    print(finished.result.primary_crux_question)

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

from typing import TYPE_CHECKING

import cruxfinder.gate as _doorman  # pyright: ignore[reportUnusedImport]  # noqa: F401
from cruxfinder.version import VERSION as __version__

if TYPE_CHECKING:
    from cruxfinder.api import adebate as adebate
    from cruxfinder.api import astability as astability
    from cruxfinder.api import debate as debate
    from cruxfinder.api import fork as fork
    from cruxfinder.api import load as load
    from cruxfinder.api import map_credences as map_credences
    from cruxfinder.api import map_votes as map_votes
    from cruxfinder.api import messages as messages
    from cruxfinder.api import replay as replay
    from cruxfinder.api import resume as resume
    from cruxfinder.api import stability as stability
    from cruxfinder.api import stream as stream
    from cruxfinder.app.gate_calls import agate as agate
    from cruxfinder.app.gate_calls import gate as gate
    from cruxfinder.gate.runtime.gate import Gate as Gate
    from cruxfinder.telling.message_filter import MessageFilter as MessageFilter

# The function `gate` shares its name with a package. A package is bound to its parent once, when it is first imported;
# that has happened above, so the name can be freed for the function.
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
        from cruxfinder.app import gate_calls

        return getattr(gate_calls, name)
    if name == "Gate":
        from cruxfinder.gate.runtime.gate import Gate

        return Gate
    if name in __all__:
        from cruxfinder import api

        return getattr(api, name)
    raise AttributeError(f"module 'cruxfinder' has no attribute {name!r}")
