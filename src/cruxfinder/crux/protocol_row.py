"""The debate for its crux, as a protocol."""

from collections.abc import Sequence
from typing import Final

from cruxfinder.crux.ablation import SWITCHES
from cruxfinder.crux.answer_checks import answer_fault
from cruxfinder.crux.asks import Answer, AskDraft
from cruxfinder.crux.commands import Command
from cruxfinder.crux.decide import decide
from cruxfinder.crux.events import Event
from cruxfinder.crux.evolve import evolve, start
from cruxfinder.crux.result import Result, result_of
from cruxfinder.crux.script import opening
from cruxfinder.crux.state import Debate
from cruxfinder.crux.views import all_messages, public_debate
from cruxfinder.kernel.effects import Ask, Dice, PendingThought, Script
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.pack import Agenda
from cruxfinder.kernel.protocol import OutcomeKind, Protocol
from cruxfinder.kernel.run_facts import DebateStarted
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import CRUX
from cruxfinder.language.reading import DraftReading
from cruxfinder.ports import Usage

CALLS_AN_AGENT: Final = (11, 33)  # one thread; or two, and private answers asked for thrice


def script(started: DebateStarted, dice: Dice, like: Likeness, agenda: Agenda) -> Script[Debate]:
    return opening(tuple(seat.id for seat in started.seats), dice, like)


def pending_thought(ask: Ask) -> PendingThought:
    if isinstance(ask, AskDraft):
        return PendingThought(agent=ask.agent, thread=ask.thread, owed=ask.duty is not None)
    return PendingThought(agent=ask.agent, thread=None, owed=True)


def outcome(events: Sequence[Event], debate: Debate, run: str, usage: Usage) -> Result:
    return result_of(events, debate=debate, run_id=run, usage=usage)


def calls(agents: int, settings: Settings) -> tuple[int, int]:
    low, high = CALLS_AN_AGENT
    return agents * low, agents * high


PROTOCOL: Final[Protocol[Debate, Command, Event, Result]] = Protocol(
    name=CRUX,
    title="a crux map",
    label="Find the crux",
    aim="Until what it turns on is locked and tested",
    decide=decide,
    start=start,
    evolve=evolve,
    public=public_debate,
    script=script,
    pending_thought=pending_thought,
    answer_fault=answer_fault,
    outcome=outcome,
    outcome_kind=OutcomeKind.RESULT,
    said=all_messages,
    said_figure="messages",
    stage=lambda debate: debate.active[-1].stage.value if debate.active else "opening",
    threads=lambda debate: debate.threads,
    calls=calls,
    switches=SWITCHES,
    events=Event,
    answers=Answer,
    readings=DraftReading,
)
PROTOCOLS: Final = (PROTOCOL,)
