"""The beat of a conversation. RED-6: every twelfth turn sums up and ends an act. RED-7: an end, with a closing word."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import RuleId
from cruxfinder.talk.state import Talk
from cruxfinder.talk.turns import Turn, TurnDraft, TurnType

CADENCE: Final = RuleId("RED-6")
CAP: Final = RuleId("RED-7")  # no run can leave it out: nothing else would end it
SENTENCES_MAX: Final = 3


def act_of(number: int, limits: Redundancy) -> int:
    """The act a turn belongs to, from 1."""
    return (number - 1) // limits.synthesis_interval + 1


def synthesis_due(talk: Talk, limits: Redundancy, turns: int = 1) -> bool:
    """Is a synthesis due so many turns from here, and none just given?"""
    summed_up = bool(talk.turns) and talk.turns[-1].type is TurnType.SYNTHESIS
    return (len(talk.turns) + turns) % limits.synthesis_interval == 0 and not summed_up


def turns_left(talk: Talk, limits: Redundancy) -> int:
    """Turns left before the closing word, which takes the last one."""
    return max(0, limits.max_total_turns - 1 - len(talk.turns))


def check_synthesis(draft: TurnDraft) -> Iterator[Refusal]:
    if draft.type is TurnType.SYNTHESIS and not draft.next_step.strip():
        yield Refusal(rule=CADENCE, reason="a synthesis names the next step", remedy="say what to do or weigh next")


def check_cap(talk: Talk, draft: TurnDraft, limits: Redundancy) -> Iterator[Refusal]:
    """The last turn is kept for the closing word or the ruling."""
    closes = draft.type in {TurnType.SYNTHESIS, TurnType.RULING}
    if len(talk.turns) >= limits.max_total_turns or (not turns_left(talk, limits) and not closes):
        yield Refusal(
            rule=CAP,
            reason=f"the conversation has at most {limits.max_total_turns} turns",
            remedy="close it with what it came to",
        )


def missed_syntheses(talk: Talk, limits: Redundancy) -> tuple[int, ...]:
    """The turns at which nobody summed up although it was due, nor right before."""
    given = {turn.number for turn in talk.turns if turn.type is TurnType.SYNTHESIS}
    return tuple(
        turn.number for turn in synthesis_turns(talk, limits) if given.isdisjoint((turn.number, turn.number - 1))
    )


def synthesis_turns(talk: Talk, limits: Redundancy) -> tuple[Turn, ...]:
    """The turns that are for summing up; where a ruling ends it all, there is nothing to go on to."""
    every = talk.turns[limits.synthesis_interval - 1 :: limits.synthesis_interval]
    return tuple(turn for turn in every if turn.type is not TurnType.RULING)
