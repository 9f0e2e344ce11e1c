"""Every event has one line, made from what was public when it is public itself."""

from typing import get_args

import pytest

from cruxfinder.crux.events import PRIVATE
from cruxfinder.crux.state import Debate
from cruxfinder.crux.views import public_debate
from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.protocols.registry import evolve
from cruxfinder.telling.event_lines import Group, line_of, lines_of
from cruxfinder.telling.wording import GROUPS
from tests.golden.logs import all_stored, events_of

LOGS = all_stored()
MOST = 40_000  # letters of a line: what is said goes into it whole


@pytest.mark.parametrize("name", LOGS)
def test_every_event_of_a_log_has_a_line(name: str) -> None:
    events = events_of(name)
    for event, line in zip(events, lines_of(events), strict=True):
        assert line.group in GROUPS and line.badge, event.kind
        assert line.text or line.detail or line.name, event.kind
        assert line.at_ms == event.at_ms
        assert (line.group == "private") == isinstance(event, PRIVATE), event.kind
        assert line.thread == getattr(event, "thread", None)
        for text in (line.text, line.name, line.detail):
            assert "\n" not in text and "\x1b" not in text and len(text) < MOST


def test_the_golden_logs_show_nearly_every_kind() -> None:
    """A kind that no log shows has its line by the type checker alone; these are known, and none may join them."""
    seen = {type(event) for name in LOGS for event in events_of(name)}
    assert {kind.__name__ for kind in get_args(AnyEvent)} - {kind.__name__ for kind in seen} == set()
    assert set(GROUPS) == set(get_args(Group))


@pytest.mark.parametrize("name", LOGS)
def test_the_line_of_a_public_event_tells_nothing_private(name: str) -> None:
    """Frames of a debate that goes on are sent with their lines: what only a private answer says is in none of them."""
    state = None
    for event in events_of(name):
        state = evolve(state, event)
        if isinstance(state, Debate) and not isinstance(event, PRIVATE):
            assert line_of(state, event) == line_of(public_debate(state), event), event.kind


def test_a_line_does_not_change_with_what_comes_later() -> None:
    """It is made once, right after its event, for all who watch and whenever they come."""
    events = events_of("pack-bitcoin")
    whole = list(lines_of(events))
    assert list(lines_of(events[:60])) == whole[:60]
