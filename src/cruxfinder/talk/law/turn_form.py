"""What a turn must be. TURN-1 its length by its type, TURN-3 who may take it and what it may lean on."""

import re
from collections.abc import Iterator
from typing import Final

from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import name_of
from cruxfinder.kernel.vocabulary import AgentId, Role, RuleId
from cruxfinder.language.texts import content_words, sentences
from cruxfinder.talk.state import Conversation, Talk
from cruxfinder.talk.turns import CHAIRS, Turn, TurnDraft, TurnType

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

LEANING: Final = re.compile(
    r"\b(?:as i (?:was saying|(?:already )?(?:said|mentioned|argued|noted|explained))"
    r"|as (?:i|we)(?: have|['’]ve) (?:already |just )?(?:said|mentioned|argued|noted|explained|stated)"
    r"|like i(?:['’]ve)? said|as (?:already )?(?:mentioned|stated|noted|discussed) (?:above|before|earlier)"
    # Only where a part of a sentence begins: "the rule as stated, word for word" leans on nothing.
    r"|(?:(?<![^\n])|(?<=[.!?…:;,–—-]\s))(?:and |but )?as (?:already |previously )?(?:mentioned|stated|noted)(?=,)"
    r"|(?:to )?(?:continue|continuing|pick up|picking up|carry on|going on|go on) (?:from )?where (?:i|we) left off"
    r"|see (?:above|my (?:previous|last|earlier) turn)|as before(?=,)"
    r"|my (?:previous|last|earlier) (?:turn|message|post)"
    r"|what i (?:just )?said (?:before|earlier|above)|continued from|to be continued|more on (?:this|that) later)\b"
)
# Each of these phrases holds one of these: most turns hold none, and are not looked at twice.
LEANS: Final = (
    "said saying mentioned argued noted explained stated discussed left above previous last earlier before continued"
    " later"
).split()


def count_words(text: str) -> int:
    return len(text.split())


def check_length(draft: TurnDraft, sentences_max: int = 0) -> Iterator[Refusal]:
    most, count = WORDS_MAX[draft.type], count_words(draft.content)
    if count > most:
        yield Refusal(
            rule=LENGTH, reason=f"a {draft.type} has at most {most} words, not {count}", remedy="say less of it"
        )
    if sentences_max and (told := len(sentences(draft.content))) > sentences_max:
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


def check_self_contained(draft: TurnDraft) -> Iterator[Refusal]:
    lowered = draft.content.lower()
    quoted = draft.content if len(draft.content) == len(lowered) else lowered  # a capital may lose its place
    if any(word in lowered for word in LEANS) and (leaning := LEANING.search(lowered)) is not None:
        yield Refusal(
            rule=MANNERS,
            reason=f'"{quoted[slice(*leaning.span())]}" leans on an earlier turn',
            remedy="say it so that this turn can be read on its own",
        )


def check_reference(debate: Conversation, talk: Talk, agent: AgentId, draft: TurnDraft) -> Iterator[Refusal]:
    """A rebuttal takes up a point of somebody else: by name, or in words they share."""
    if draft.type not in ANSWERING or any(refers(debate, t, draft) for t in talk.speaker_turns if t.agent != agent):
        return
    others = list(dict.fromkeys(name_of(debate, t.agent) for t in talk.speaker_turns if t.agent != agent))
    if others:
        yield Refusal(
            rule=MANNERS,
            reason=f"a {draft.type} refers to a point somebody else made",
            remedy=f"name {' or '.join(others[-3:])} and the point you answer",
        )


def refers(debate: Conversation, to: Turn, draft: TurnDraft) -> bool:
    name = name_of(debate, to.agent)
    if any(mentions_name(draft.content, part) for part in {name, name.split()[-1]} if len(part) > 2):
        return True
    return len(content_words(to.content) & content_words(draft.content)) >= SHARED_MIN


def mentions_name(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def has_strayed(talk: Talk) -> bool:
    """Were the last two turns of speakers off the topic, and has nobody led back since?"""
    last = talk.turns[-DRIFT_MAX:]
    return len(last) == DRIFT_MAX and all(t.off_topic and t.role not in CHAIRS for t in last)


def shorten(text: str, words_max: int, sentences_max: int = 0) -> str:
    """The first sentences that fit; of a first one that does not, its beginning."""
    kept: list[str] = []
    for sentence in sentences(text)[: sentences_max or None]:
        if count_words(" ".join((*kept, sentence))) > words_max:
            break
        kept.append(sentence)
    return " ".join(kept) if kept else " ".join(text.split()[:words_max])
