"""Cruxfinder finds what a disagreement really turns on.

    import cruxfinder as cf

    finished = cf.debate("bitcoin", seed=7)
    print(finished.result.primary_crux_question)

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING

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
    from cruxfinder.cruxbench.benchmark import bench as bench
    from cruxfinder.errors import CruxfinderError as CruxfinderError
    from cruxfinder.gate.runtime.gate import Gate as Gate
    from cruxfinder.telling.message_filter import MessageFilter as MessageFilter

__all__ = [
    "CruxfinderError",
    "Gate",
    "MessageFilter",
    "__version__",
    "adebate",
    "agate",
    "astability",
    "bench",
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

# What does not come from `cruxfinder.api`.
_HOMES = {
    "CruxfinderError": "cruxfinder.errors",
    "Gate": "cruxfinder.gate.runtime.gate",
    "MessageFilter": "cruxfinder.telling.message_filter",
    "agate": "cruxfinder.app.gate_calls",
    "bench": "cruxfinder.cruxbench.benchmark",
    "gate": "cruxfinder.app.gate_calls",
}


class _Library(ModuleType):
    """This package as a module, in which `gate` is the function, whatever is imported and when (D-105)."""

    def __setattr__(self, name: str, value: object) -> None:
        # Importing a package binds its name in the package around it: `cruxfinder.gate` would take the function's.
        if name == "gate" and isinstance(value, ModuleType):
            return
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Library


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'cruxfinder' has no attribute {name!r}")
    home = _HOMES.get(name, "cruxfinder.api")
    __import__(home)  # importlib would be one more module for the hook to load
    return getattr(sys.modules[home], name)


def __dir__() -> list[str]:
    return sorted(__all__)
