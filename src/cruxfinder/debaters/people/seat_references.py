"""What a reference in a move can point to, out of the thread as it stands; the newest last."""

from collections.abc import Iterator
from typing import Final, assert_never

from cruxfinder.crux.asks import AskDraft
from cruxfinder.crux.moves import ProvideEvidence
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Message
from cruxfinder.debaters.people.seat_form import FormChoice
from cruxfinder.kernel.field_meanings import Refers
from cruxfinder.kernel.run_facts import name_of
from cruxfinder.kernel.vocabulary import AgentId

SHOWN: Final = 9  # to choose from


def reference_choices(refers: Refers, ask: AskDraft, record: Debate) -> tuple[FormChoice, ...]:
    return tuple(all_choices(refers, ask, record))[-SHOWN:]


def all_choices(refers: Refers, ask: AskDraft, record: Debate) -> Iterator[FormChoice]:
    thread, me = record.threads[ask.thread], ask.agent
    match refers:
        case Refers.MESSAGES:
            yield from (message_choice(m, record) for m in thread.messages)
        case Refers.OTHERS:
            yield from (message_choice(m, record) for m in thread.messages if m.agent != me)
        case Refers.EVIDENCE:
            found = (m for m in thread.messages if isinstance(m.move, ProvideEvidence) and m.agent != me)
            yield from (message_choice(m, record) for m in found)
        case Refers.STEELMANS:
            for tries in thread.tries.values():
                for tried in tries:
                    if tried.target == me:
                        who = "Somebody" if tried.by is None else name_of(record, tried.by)
                        said = f"{who}: {tried.claim}, because {tried.reason}"
                        yield FormChoice(value=tried.message, words=said)
        case Refers.AGENTS:
            yield from (agent_choice(seat.id, record) for seat in record.seats if seat.id != me)
        case Refers.FALSIFIERS:
            for agent, accepted in thread.falsifiers.items():
                for held in accepted:
                    said = f"{held.falsifier.metric}: {held.falsifier.threshold}, {held.falsifier.deadline}"
                    told = f"{name_of(record, agent)} ({held.number}): {said}"
                    yield FormChoice(value=f"{agent}#{held.number}", words=told)
        case _:
            assert_never(refers)


def message_choice(message: Message, record: Debate) -> FormChoice:
    return FormChoice(value=message.id, words=f"{name_of(record, message.agent)}: {message.content}")


def agent_choice(agent: AgentId, record: Debate) -> FormChoice:
    return FormChoice(value=agent, words=name_of(record, agent))
