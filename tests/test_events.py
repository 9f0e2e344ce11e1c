"""API-1: one list of events, one schema, the same for every reader."""

from dataclasses import fields
from typing import get_args

import pytest

import cruxfinder as cf
from cruxfinder.crux.events import PRIVATE
from cruxfinder.crux.evolve import fold
from cruxfinder.crux.views import public_debate
from cruxfinder.kernel import wire
from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.protocols.registry import read_event
from tests.golden.logs import events_of
from tests.slices import crux_events

NAMED = (
    "message_posted stage_transition steelman_attempt steelman_graded commitment_made falsifier_declared lock_attempted"
    " lock_succeeded lock_failed thread_created thread_converged thread_merged dcg_calculated crux_extracted"
    " crux_promoted moderator_intervention coalition_detected global_convergence debate_complete debate_started"
    " message_refused first_position probe_answered position_updated conceded evidence_provided crux_challenged"
    " thread_proposed thread_stale thread_failed ask_failed agent_silent user_question user_answered turn_spoken"
    " pivot_forced synthesis_given"
).split()
BEYOND = {  # what the list does not name
    *("debate_forked", "relation_answered", "cruxes_related", "grading_tested", "turn_refused")
}


def kinds() -> set[str]:
    return {next(str(f.default) for f in fields(kind) if f.name == "kind") for kind in get_args(AnyEvent)}


@pytest.mark.rule("API-1")
def test_every_event_of_the_list_exists() -> None:
    assert set(NAMED) <= kinds()
    assert kinds() - set(NAMED) == BEYOND


@pytest.mark.rule("API-1")
@pytest.mark.parametrize("pack", ["bitcoin", "monolith", "free-will"])
def test_what_is_written_is_what_is_read(pack: str) -> None:
    for event in cf.debate(pack, seed=2).events:
        text = wire.dumps(event)
        assert read_event(text) == event
        assert wire.dumps(read_event(text)) == text


@pytest.mark.rule("API-1")
def test_a_participant_sees_nothing_of_what_is_private() -> None:
    whole = fold(crux_events(events_of("two-threads")))
    debate = public_debate(whole)
    assert {kind.__name__ for kind in PRIVATE} == {
        "FirstPosition",
        "ProbeAnswered",
        "RelationAnswered",
        "GradingTested",
    }
    assert whole.firsts and whole.relations and any(t.probes and t.figures for t in whole.threads.values())
    assert (debate.firsts, debate.relations) == ({}, {})
    for thread in debate.threads.values():
        assert (thread.probes, thread.figures, thread.changes) == ({}, {}, ())
