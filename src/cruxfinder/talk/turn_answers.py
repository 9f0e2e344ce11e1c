"""Can an answer be used in a conversation? Every ask has its kind of answer, and a text can be written."""

from collections.abc import Iterator

from cruxfinder.kernel.effects import Ask
from cruxfinder.kernel.run_facts import Failed, Silence
from cruxfinder.kernel.value_checks import side_faults, text_faults
from cruxfinder.kernel.vocabulary import TopSide
from cruxfinder.talk.asks import AskConsent, AskTurn, AskUser, Consent, Spoken, UserSaid
from cruxfinder.talk.turns import TurnDraft


def answer_fault(ask: Ask, answer: object) -> str:
    """Why an answer cannot be used; empty if it can."""
    match ask, answer:
        case _, Failed():
            return ""
        case AskTurn(), Silence():
            return ""
        case AskTurn(), Spoken():
            drafts = (answer.turn, *(offered.turn for offered in answer.also))
            return next((f for draft in drafts for f in turn_faults(draft)), "")
        case AskConsent(), Consent():
            return next(text_faults(answer.why), "")
        case AskUser(), UserSaid(text=text):
            return next(text_faults(text), "")
        case _:
            return f"{type(answer).__name__} is not an answer to it"


def turn_faults(draft: TurnDraft) -> Iterator[str]:
    yield from text_faults(draft.content, draft.concedes, draft.next_step)
    if draft.side is not None:
        yield from side_faults(TopSide, draft.side)
