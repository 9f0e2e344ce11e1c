"""What a turn must be. TURN-1 its length by its type, TURN-3 who may take it and what it may lean on."""

import re
from collections.abc import Iterator
from typing import Final

from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import name_of
from cruxfinder.kernel.vocabulary import AgentId, Role, RuleId
from cruxfinder.language.reading import DraftReading
from cruxfinder.talk.state import Conversation, Talk
from cruxfinder.talk.turns import CHAIRS, TurnDraft, TurnType

LENGTH: Final = RuleId("TURN-1")
MANNERS: Final = RuleId("TURN-3")

WORDS_MAX: Final = {
    TurnType.PROPOSITION: 150,
    TurnType.REBUTTAL: 150,
    TurnType.COUNTER: 150,
    TurnType.RULING: 200,
    TurnType.POSITION: 100,
    TurnType.EXPLORATION: 100,
    TurnType.CONCESSION: 75,
    TurnType.SYNTHESIS: 200,
    TurnType.REACTION: 50,
    TurnType.QUESTION: 50,
}
ANSWERING: Final = frozenset({TurnType.REBUTTAL, TurnType.COUNTER})
SUMMING_UP: Final = frozenset({TurnType.RULING, TurnType.SYNTHESIS})
REMARK: Final = TurnType.REACTION  # with which an arbitrator closes a round
DRIFT_MAX: Final = 2  # turns off the topic before the chair steps in
SHARED_MIN: Final = 2  # content words that show which point is meant


def count_words(text: str) -> int:
    return len(text.split())


def check_length(draft: TurnDraft, reading: DraftReading, sentences_max: int = 0) -> Iterator[Refusal]:
    most, count = WORDS_MAX[draft.type], count_words(draft.content)
    if count > most:
        yield Refusal(
            rule=LENGTH, reason=f"a {draft.type} has at most {most} words, not {count}", remedy="say less of it"
        )
    if sentences_max and (told := reading.sentences) > sentences_max:
        yield Refusal(rule=LENGTH, reason=f"at most {sentences_max} sentences, not {told}", remedy="put it in fewer")


def check_ruling(draft: TurnDraft) -> Iterator[Refusal]:
    if draft.type is TurnType.RULING and draft.side is None:
        yield Refusal(rule=LENGTH, reason="a ruling names a side", remedy="say YES, NO or NUANCED on the topic")


def check_not_empty(draft: TurnDraft) -> Iterator[Refusal]:
    if not draft.content.strip():
        yield Refusal(rule=LENGTH, reason="the turn is empty", remedy="say something or let the turn pass")


def check_speaker(talk: Talk, agent: AgentId, part: Role, draft: TurnDraft) -> Iterator[Refusal]:
    """Nobody speaks twice in a row; only a chair may, if it sums up. A question to the user has the user between."""
    last = talk.turns[-1] if talk.turns else None
    if last is None or last.agent != agent or last.draft.to_user:
        return
    remarks = part is Role.ARBITRATOR and draft.type is REMARK
    if part not in CHAIRS or not (remarks or SUMMING_UP.intersection((draft.type, last.type))):
        yield Refusal(rule=MANNERS, reason="nobody speaks twice in a row", remedy="let somebody else speak first")


def check_self_contained(reading: DraftReading) -> Iterator[Refusal]:
    if reading.leaning:
        yield Refusal(
            rule=MANNERS,
            reason=f'"{reading.leaning}" leans on an earlier turn',
            remedy="say it so that this turn can be read on its own",
        )


def check_reference(
    debate: Conversation, talk: Talk, agent: AgentId, draft: TurnDraft, reading: DraftReading
) -> Iterator[Refusal]:
    """A rebuttal takes up a point of somebody else: by name, or in words they share."""
    if draft.type not in ANSWERING or reading.shared >= SHARED_MIN:
        return
    others = list(dict.fromkeys(name_of(debate, t.agent) for t in talk.speaker_turns if t.agent != agent))
    if others and not any(is_named(draft.content, name) for name in others):
        yield Refusal(
            rule=MANNERS,
            reason=f"a {draft.type} refers to a point somebody else made",
            remedy=f"name {' or '.join(others[-3:])} and the point you answer",
        )


def points_to_answer(talk: Talk, agent: AgentId, draft: TurnDraft) -> tuple[str, ...]:
    """What others said, where a turn has to take up one of their points."""
    if draft.type not in ANSWERING:
        return ()
    return tuple(t.content for t in talk.speaker_turns if t.agent != agent)


def is_named(text: str, name: str) -> bool:
    return any(mentions_name(text, part) for part in {name, name.rsplit(maxsplit=1)[-1]} if len(part) > 2)


def mentions_name(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def has_strayed(talk: Talk) -> bool:
    """Were the last two turns of speakers off the topic, and has nobody led back since?"""
    last = talk.turns[-DRIFT_MAX:]
    return len(last) == DRIFT_MAX and all(t.off_topic and t.role not in CHAIRS for t in last)
