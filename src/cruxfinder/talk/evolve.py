"""What was said in turns, into the conversation as it stands."""

from typing import assert_never

from cruxfinder.kernel.altering import copy_with
from cruxfinder.language import claims
from cruxfinder.talk.events import (
    PivotForced,
    SynthesisGiven,
    TurnSpoken,
    UserAnswered,
    UserQuestion,
)
from cruxfinder.talk.state import Talk
from cruxfinder.talk.turns import Turn


def evolve_talk(talk: Talk, event: TurnSpoken | PivotForced | SynthesisGiven | UserQuestion | UserAnswered) -> Talk:
    match event:
        case TurnSpoken():
            turn = Turn(
                id=event.id,
                number=len(talk.turns) + 1,
                agent=event.agent,
                part=event.part,
                draft=event.turn,
                entailments=event.entailments,
                similarity=event.similarity,
                flags=event.flags,
                off_topic=event.off_topic,
            )
            graph = talk.graph if turn.is_chair_turn else claims.merge_claims(talk.graph, claims.read(turn.content))
            return copy_with(talk, turns=(*talk.turns, turn), graph=graph)
        case PivotForced():
            return copy_with(talk, pivots=(*talk.pivots, event))
        case SynthesisGiven():
            return copy_with(talk, syntheses=(*talk.syntheses, event))
        case UserQuestion():
            return copy_with(talk, questions=(*talk.questions, event))
        case UserAnswered():
            return copy_with(talk, answers=(*talk.answers, event))
        case _:
            assert_never(event)
