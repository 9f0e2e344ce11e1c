"""What golden debates of several threads amount to: nobody is counted twice, and what stands comes first."""

import pytest

from cruxfinder.crux.result import result_of
from tests.golden.logs import events_of
from tests.golden.scenes import CRUX_SCENES
from tests.slices import crux_events


@pytest.mark.parametrize("name", CRUX_SCENES)
def test_every_message_counts_once(name: str) -> None:
    found = result_of(crux_events(events_of(name)))
    assert sum(agent.messages for agent in found.agents) == found.total_messages


def test_a_crux_that_was_locked_comes_before_one_that_was_not() -> None:
    found = result_of(crux_events(events_of("reopened")))
    assert found.primary_crux in found.irreducible_cruxes
    assert found.primary_crux == "t2.c1"
