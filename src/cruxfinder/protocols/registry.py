"""The registry: every protocol there is. A new one is a folder and a row here."""

from collections.abc import Sequence
from typing import Final

from cruxfinder.crux.protocol_row import PROTOCOL as CRUX_PROTOCOL
from cruxfinder.errors import BadInput, LogFault
from cruxfinder.kernel import wire
from cruxfinder.kernel.protocol import AnyProtocol
from cruxfinder.kernel.run_facts import DebateStarted
from cruxfinder.kernel.vocabulary import CRUX, RuleId
from cruxfinder.protocols.any_run import AnyEvent, AnyState
from cruxfinder.talk.protocol_rows import PROTOCOLS as TALK_PROTOCOLS

ROWS: Final[tuple[AnyProtocol, ...]] = (CRUX_PROTOCOL, *TALK_PROTOCOLS)
PROTOCOLS: Final[dict[str, AnyProtocol]] = {row.name: row for row in ROWS}
SWITCHES: Final[frozenset[RuleId]] = frozenset(rule for row in ROWS for rule in row.switches)


def protocol_named(name: str = CRUX) -> AnyProtocol:
    """Raise BadInput where there is none of that name."""
    if name not in PROTOCOLS:
        raise BadInput(f"{name!r} is no protocol; there are {', '.join(PROTOCOLS)}")
    return PROTOCOLS[name]


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


def unknown_switches(ids: Sequence[str]) -> tuple[str, ...]:
    return tuple(id for id in ids if id not in SWITCHES)
