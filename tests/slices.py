"""Events of any run as those of one slice: of a debate for its crux, or of a conversation in turns."""

from collections.abc import Iterable, Iterator

from cruxfinder.crux.events import Event
from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.talk.events import TalkEvent


def crux_events(events: Iterable[AnyEvent]) -> tuple[Event, ...]:
    return tuple(each_of_crux(events))


def talk_events(events: Iterable[AnyEvent]) -> tuple[TalkEvent, ...]:
    return tuple(each_of_talk(events))


def each_of_crux(events: Iterable[AnyEvent]) -> Iterator[Event]:
    for event in events:
        assert isinstance(event, Event), f"{event.kind} belongs to conversations"
        yield event


def each_of_talk(events: Iterable[AnyEvent]) -> Iterator[TalkEvent]:
    for event in events:
        assert isinstance(event, TalkEvent), f"{event.kind} belongs to debates for their crux"
        yield event
