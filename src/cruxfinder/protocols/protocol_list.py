"""The list of protocols: every one there is, and where its value stands. A new one is a folder and a row here.

A protocol brings its law along, which the help of a command does without: it is loaded when it is asked for.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxfinder.errors import BadInput
from cruxfinder.kernel.vocabulary import CRUX, ProtocolName, RuleId
from cruxfinder.talk.turns import CONSENSUS, DEBATE, DISCUSSION, ROUNDTABLE

if TYPE_CHECKING:
    from cruxfinder.kernel.protocol import AnyProtocol


class ProtocolPlace(NamedTuple):
    name: ProtocolName
    module: str  # its `PROTOCOLS` holds it


ROWS: Final = (
    ProtocolPlace(CRUX, "cruxfinder.crux.protocol_row"),
    ProtocolPlace(DEBATE, "cruxfinder.talk.protocol_rows"),
    ProtocolPlace(CONSENSUS, "cruxfinder.talk.protocol_rows"),
    ProtocolPlace(DISCUSSION, "cruxfinder.talk.protocol_rows"),
    ProtocolPlace(ROUNDTABLE, "cruxfinder.talk.protocol_rows"),
)
MODULES: Final = {row.name: row.module for row in ROWS}
NAMES: Final = tuple(MODULES)


@cache
def protocol_named(name: str = CRUX) -> "AnyProtocol":
    """Raise BadInput where there is none of that name."""
    module = MODULES.get(ProtocolName(name))
    if module is None:
        raise BadInput(f"{name!r} is no protocol; there are {', '.join(NAMES)}")
    known: tuple[AnyProtocol, ...] = import_module(module).PROTOCOLS
    return next(protocol for protocol in known if protocol.name == name)


@cache
def switches() -> frozenset[RuleId]:
    """The rules that a run may leave out."""
    return frozenset(rule for name in NAMES for rule in protocol_named(name).switches)


def unknown_switches(ids: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(id for id in ids if id not in switches())
