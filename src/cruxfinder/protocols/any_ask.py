"""What a debater may be asked under any protocol, what it sees of the run, and what it may answer."""

from cruxfinder.crux import answer_checks
from cruxfinder.crux.asks import Answer, Ask
from cruxfinder.crux.state import Debate
from cruxfinder.kernel import wire
from cruxfinder.talk import turn_answers
from cruxfinder.talk.asks import TalkAnswer, TalkAsk
from cruxfinder.talk.state import Conversation

AnyAsk = Ask | TalkAsk
AnyAnswer = Answer | TalkAnswer
AnyRecord = Debate | Conversation


def read_answer(text: str) -> AnyAnswer:
    return wire.read(text, "answer", AnyAnswer)


def debate_in(record: AnyRecord) -> Debate:
    assert isinstance(record, Debate), "this is asked in debates for their crux only"
    return record


def conversation_in(record: AnyRecord) -> Conversation:
    assert isinstance(record, Conversation), "this is asked in conversations only"
    return record


def answer_fault(ask: AnyAsk, answer: object) -> str:
    """Why an answer cannot be used; empty if it can."""
    of_protocol = turn_answers.answer_fault if isinstance(ask, TalkAsk) else answer_checks.answer_fault
    return of_protocol(ask, answer)
