"""Facts into the state of a conversation. No rules here, only every case once."""

from collections.abc import Iterable, Mapping
from typing import assert_never

from cruxfinder.kernel.frozen_copies import copy_with
from cruxfinder.kernel.run_facts import AskFailed, DebateComplete, DebateForked, DebateStarted
from cruxfinder.kernel.vocabulary import AgentId
from cruxfinder.talk import events
from cruxfinder.talk.state import Conversation, Talk
from cruxfinder.talk.turns import Turn


def fold(log: Iterable[events.TalkEvent]) -> Conversation:
    """The conversation a log describes. The log starts with its `debate_started`."""
    rest = iter(log)
    first = next(rest)
    assert isinstance(first, DebateStarted), "a log starts with debate_started"
    state = start(first)
    for event in rest:
        state = evolve(state, event)
    return state


def start(event: DebateStarted) -> Conversation:
    return Conversation(started=event, settings=event.settings, seats=event.seats)


def evolve(state: Conversation, event: events.TalkEvent) -> Conversation:
    match event:
        case DebateStarted():
            return start(event)
        case DebateForked():
            return copy_with(state, settings=event.settings, now_ms=event.at_ms)
        case AskFailed():
            failing = {**state.failing, event.agent: state.failing.get(event.agent, 0) + 1}
            return copy_with(state, failing=failing, now_ms=event.at_ms)
        case DebateComplete():
            return copy_with(state, complete=event, now_ms=event.at_ms)
        case events.TurnRefused():
            return copy_with(state, failing=without(state.failing, event.agent), now_ms=event.at_ms)
        case events.TurnSpoken():
            failing = without(state.failing, event.agent)
            return copy_with(state, failing=failing, talk=evolve_talk(state.talk, event), now_ms=event.at_ms)
        case events.PivotForced() | events.SynthesisGiven() | events.UserQuestion() | events.UserAnswered():
            return copy_with(state, talk=evolve_talk(state.talk, event), now_ms=event.at_ms)
        case _:
            assert_never(event)


def without(failing: Mapping[AgentId, int], agent: AgentId) -> Mapping[AgentId, int]:
    """Who answers again is no longer failing."""
    return {a: n for a, n in failing.items() if a != agent} if agent in failing else failing


def evolve_talk(
    talk: Talk,
    event: events.TurnSpoken | events.PivotForced | events.SynthesisGiven | events.UserQuestion | events.UserAnswered,
) -> Talk:
    match event:
        case events.TurnSpoken():
            turn = Turn(
                id=event.id,
                number=len(talk.turns) + 1,
                agent=event.agent,
                role=event.role,
                draft=event.turn,
                entailments=event.entailments,
                similarity=event.similarity,
                flags=event.flags,
                off_topic=event.off_topic,
            )
            return copy_with(talk, turns=(*talk.turns, turn))
        case events.PivotForced():
            return copy_with(talk, pivots=(*talk.pivots, event))
        case events.SynthesisGiven():
            return copy_with(talk, syntheses=(*talk.syntheses, event))
        case events.UserQuestion():
            return copy_with(talk, questions=(*talk.questions, event))
        case events.UserAnswered():
            return copy_with(talk, answers=(*talk.answers, event))
        case _:
            assert_never(event)
