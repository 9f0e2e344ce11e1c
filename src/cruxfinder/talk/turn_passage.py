"""What has to be read of a turn before it is decided on: its text, and what of the conversation it is read against."""

from cruxfinder.kernel.vocabulary import AgentId
from cruxfinder.language.reading import RECENT, Passage
from cruxfinder.talk.decide import limits_of, seat_of, talk_of, without_markers
from cruxfinder.talk.law import novelty, turn_form
from cruxfinder.talk.state import Conversation
from cruxfinder.talk.turns import CHAIRS, TurnDraft


def turn_passage(
    debate: Conversation, agent: AgentId, draft: TurnDraft, sentences_max: int, planned: tuple[str, ...]
) -> Passage:
    """`planned` is what the conversation is meant to be about; whoever leads it is not there to add to it."""
    talk = talk_of(debate)
    leads = seat_of(debate, agent).role in CHAIRS
    recent = tuple(t.content for t in talk.speaker_turns[-RECENT:] if not t.off_topic)
    return Passage(
        text=without_markers(draft).content,
        before=novelty.texts_said(talk),
        own=novelty.places_of_own(talk, agent),
        threshold=limits_of(debate).similarity_threshold,
        must_add=not leads,
        topics=() if leads else tuple(text for text in (*planned, *recent) if text),
        points=() if leads else turn_form.points_to_answer(talk, agent, draft),
        words_max=turn_form.WORDS_MAX[draft.type],
        sentences_max=sentences_max,
    )
