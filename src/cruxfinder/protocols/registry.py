"""The registry: every protocol as a value, and a run of any of them read, folded and gone on with."""

from collections.abc import Sequence
from typing import Final

from cruxfinder.errors import LogFault
from cruxfinder.kernel import wire
from cruxfinder.kernel.protocol import AnyProtocol
from cruxfinder.kernel.run_facts import DebateStarted
from cruxfinder.protocols.any_run import AnyEvent, AnyState
from cruxfinder.protocols.protocol_list import NAMES, protocol_named

PROTOCOLS: Final[dict[str, AnyProtocol]] = {name: protocol_named(name) for name in NAMES}


def protocol_of(started: DebateStarted) -> AnyProtocol:
    """The protocol of a stored run."""
    if started.protocol not in PROTOCOLS:
        raise LogFault(f"the log is of a protocol that is not known here: {started.protocol!r}")
    return PROTOCOLS[started.protocol]


def read_event(text: str) -> AnyEvent:
    return wire.read(text, "event", AnyEvent)


def fold(events: Sequence[AnyEvent]) -> AnyState:
    """The state that a log describes. It starts with its `debate_started`."""
    state: AnyState | None = None
    for event in events:
        state = evolve(state, event)
    assert state is not None, "a log starts with debate_started"
    return state


def evolve(state: AnyState | None, event: AnyEvent) -> AnyState:
    if state is None:
        assert isinstance(event, DebateStarted), "a log starts with debate_started"
        return protocol_of(event).start(event)
    return protocol_of(state.started).evolve(state, event)
