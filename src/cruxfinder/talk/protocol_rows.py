"""The four ways to talk something over in turns, as protocols."""

from collections.abc import Callable, Sequence
from typing import Final

from cruxfinder.kernel.effects import Ask, Dice, PendingThought, Script
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.pack import Agenda
from cruxfinder.kernel.protocol import OutcomeKind, Protocol
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.run_facts import DebateStarted
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import ProtocolName, Role
from cruxfinder.language import plain_speech, redundancy, speaker_pairs
from cruxfinder.language.reading import DraftReading
from cruxfinder.ports import Usage
from cruxfinder.talk import forum
from cruxfinder.talk.asks import TalkAnswer
from cruxfinder.talk.commands import TalkCommand
from cruxfinder.talk.decide import decide
from cruxfinder.talk.events import TalkEvent
from cruxfinder.talk.evolve import evolve, start
from cruxfinder.talk.floor import Floor
from cruxfinder.talk.law import acts, turn_form, turn_order
from cruxfinder.talk.minutes import Minutes, minutes_of
from cruxfinder.talk.roundtable import roundtable
from cruxfinder.talk.state import Conversation
from cruxfinder.talk.turn_answers import answer_fault
from cruxfinder.talk.turns import CONSENSUS, DEBATE, DISCUSSION, ROUNDTABLE

REVISED: Final = 1.5  # calls a turn, where every fourth is sent back twice
PAIR: Final = (Role.PROPONENT, Role.OPPONENT)
SWITCHES: Final = frozenset(
    {
        *(plain_speech.PLAIN, turn_form.LENGTH, turn_form.MANNERS, acts.CADENCE, speaker_pairs.BUDGET),
        *(redundancy.ENTAILMENT, redundancy.REPETITION, redundancy.GRAPH),
    }
)

TalkProtocol = Protocol[Conversation, TalkCommand, TalkEvent, Minutes]


def outcome(events: Sequence[TalkEvent], state: Conversation, run: str, usage: Usage) -> Minutes:
    return minutes_of(events, debate=state, run_id=run, usage=usage)


def pending_thought(ask: Ask) -> PendingThought:
    return PendingThought(agent=ask.agent, thread=None, owed=True)


def talk_protocol(
    name: ProtocolName,
    title: str,
    label: str,
    aim: str,
    begin: Callable[[Floor], Script[Conversation]],
    turns: Callable[[int, int], int],
    *,
    chairs: tuple[Role, ...],
    pair: tuple[Role, ...] = (),
    quotes_passages: bool = False,
) -> TalkProtocol:
    """`turns`: how many are planned, for so many agents and at most so many turns."""

    def script(started: DebateStarted, dice: Dice, like: Likeness, agenda: Agenda) -> Script[Conversation]:
        return begin(Floor(dice, like, agenda))

    def calls(agents: int, settings: Settings) -> tuple[int, int]:
        most = (settings.redundancy or Redundancy()).max_total_turns
        least = min(turns(agents, most), most)
        return least, round(least * REVISED)

    return Protocol(
        name=name,
        title=f"minutes of {title}",
        label=label,
        aim=aim,
        roles=(*chairs, *pair),
        chairs=chairs,
        pair=pair,
        in_turns=True,
        quotes_passages=quotes_passages,
        decide=decide,
        start=start,
        evolve=evolve,
        public=lambda state: state,
        script=script,
        pending_thought=pending_thought,
        answer_fault=answer_fault,
        outcome=outcome,
        outcome_kind=OutcomeKind.MINUTES,
        said=lambda state: state.talk.turns,
        said_figure="turns",
        stage=lambda state: f"turn {len(state.talk.turns)}",
        open_questions=lambda state: state.talk.questions[len(state.talk.answers) :],
        calls=calls,
        switches=SWITCHES,
        events=TalkEvent,
        answers=TalkAnswer,
        readings=DraftReading,
    )


PROTOCOLS: Final = (
    talk_protocol(
        DEBATE,
        "a debate",
        "Debate with a ruling",
        "For and against; an arbitrator decides",
        forum.debate,
        lambda agents, most: sum(len(steps) for steps in turn_order.ROUNDS),
        chairs=(Role.ARBITRATOR,),
        pair=PAIR,
    ),
    talk_protocol(
        CONSENSUS,
        "a search for consensus",
        "Seek consensus",
        "What can all live with?",
        forum.consensus,
        lambda agents, most: agents * (len(turn_order.PHASES) + 1) + 1,
        chairs=(Role.FACILITATOR,),
    ),
    talk_protocol(
        DISCUSSION,
        "a discussion",
        "Discussion",
        "Talk it over, with syntheses",
        forum.discussion,
        lambda agents, most: (agents + 1) * turn_order.SUBJECTS_MAX + 1,
        chairs=(Role.FACILITATOR,),
    ),
    talk_protocol(
        ROUNDTABLE,
        "a round table",
        "Roundtable",
        "A host leads several voices through acts",
        roundtable,
        lambda agents, most: most,
        chairs=(Role.HOST, Role.REASON),
        quotes_passages=True,
    ),
)
