"""Which points of a conversation stand: what was answered, what waits for an answer, and what can be put to a test."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from cruxfinder.debaters.simulated.speech import without_stop
from cruxfinder.kernel.run_facts import name_of
from cruxfinder.kernel.vocabulary import AgentId
from cruxfinder.language.english import entailments
from cruxfinder.language.english.falsifier_texts import nearness, sharpness
from cruxfinder.language.english.texts import content_words, sentences
from cruxfinder.talk.decide import talk_of
from cruxfinder.talk.law.turn_form import mentions_name
from cruxfinder.talk.law.turn_order import speakers
from cruxfinder.talk.state import Conversation, Talk, find_turn
from cruxfinder.talk.turns import Turn, TurnType

QUOTED_MAX: Final = 22  # words of a turn that a summary quotes
TAKEN_UP: Final = 2  # content words in common that show what a reply is about, where it names nobody
SHARP: Final = 0.8  # a number or a date: something one can go and see
TESTED_MAX: Final = 60  # words of a test that are quoted
STAKED: Final = re.compile(
    r"\b(?:prove[sd]? me wrong|change[sd]? my mind|give (?:this|that|it) up|would give up that"
    r"|i (?:was|am|were|would be) wrong|a test of whether|would (?:refute|disprove|falsify))\b",
    re.IGNORECASE,
)
# A sentence that begins like this leans on another one.
LEANING: Final = re.compile(
    r"(?:it|they|he|she|that|this|these|those|them|then|such|so (?:can|do|is|it)|unless that|if that|until|here is"
    r"|look at|as to|my (?:answer|verdict|conclusion)|i (?:say|have changed))\b",
    re.IGNORECASE,
)


def points(talk: Talk) -> Iterator[Turn]:
    """What speakers argued of their own accord and others may meet: neither concessions nor tests nor what a chair
    had from everybody in a sentence."""
    for said in talk.speaker_turns:
        led = find_turn(talk, said.draft.reply_to)
        if (
            said.type is not TurnType.CONCESSION
            and not (led is not None and led.is_chair_turn)
            and not observation(said)
        ):
            yield said


def unanswered_points(record: Conversation) -> list[Turn]:
    """Points that nobody met although somebody else has spoken since."""
    return [t for t in points(talk_of(record)) if replies_since(record, t) and not is_met(record, t)]


def unheard_points(record: Conversation) -> list[Turn]:
    """Points that nobody could have met yet."""
    return [t for t in points(talk_of(record)) if not replies_since(record, t)]


def open_points(record: Conversation) -> list[Turn]:
    """Points that nobody has met: what others passed over before what they have not come to, the latest first."""
    return [*reversed(unanswered_points(record)), *reversed(unheard_points(record))]


def replies_since(record: Conversation, point: Turn) -> list[Turn]:
    """What others have said since."""
    return [t for t in talk_of(record).speaker_turns if t.number > point.number and t.agent != point.agent]


def is_met(record: Conversation, point: Turn) -> bool:
    return any(answers(record, reply, point) for reply in replies_since(record, point))


def answers(record: Conversation, reply: Turn, point: Turn) -> bool:
    """A reply to that very turn which names its speaker or takes up what it says."""
    if reply.draft.reply_to != point.id:
        return False
    shared = content_words(reply.content) & content_words(point.content)
    return mentions_name(reply.content, name_of(record, point.agent)) or len(shared) >= TAKEN_UP


def leading_turns(turns: Sequence[Turn]) -> list[Turn]:
    """Of each speaker the turn that added most, the fullest first."""
    found: dict[AgentId, Turn] = {}
    for said in sorted(turns, key=lambda t: (-len(t.entailments), len(t.flags), -t.number)):
        found.setdefault(said.agent, said)
    return list(found.values())


def gist(record: Conversation, turn: Turn, most: int = QUOTED_MAX) -> str:
    """The sentence of a turn that says most by itself, quoted: none that speaks of others, where there is another."""
    telling = {text for _, text in entailments.entailing_sentences(turn.content)}
    others = [s.name for s in speakers(record.seats) if s.id != turn.agent]

    def worth(text: str) -> tuple[bool, bool, bool, int]:
        own = not any(mentions_name(text, other) for other in others) and not text.startswith("You ")
        return own, LEANING.match(text) is None, text in telling, len(content_words(text))

    return f'"{without_stop(shorten(max(sentences(turn.content) or (turn.content,), key=worth), most))}"'


def shorten(text: str, most: int = QUOTED_MAX) -> str:
    words = text.split()
    return " ".join(words) if len(words) <= most else " ".join(words[:most]) + "…"


def test_observation(talk: Talk) -> tuple[Turn, str] | None:
    """The last observation somebody staked a view on that no synthesis has named yet, and who did."""
    steps = " ".join(s.next_step for s in talk.syntheses)
    for said in reversed(talk.speaker_turns):
        seen = observation(said)
        if seen and seen not in steps:
            return said, seen
    return None


def observation(turn: Turn) -> str:
    """What would have to be seen, where a turn says that its speaker would then be wrong."""
    if turn.type is TurnType.CONCESSION or not STAKED.search(turn.content):
        return ""
    sharp = {text: max(sharpness(text), nearness(text)) for text in sentences(turn.content)}
    best = max(sharp, key=lambda text: sharp[text])
    return shorten(without_stop(best), TESTED_MAX) if sharp[best] >= SHARP else ""


def next_step(record: Conversation, talk: Talk, waiting: Sequence[Turn]) -> str:
    """A test somebody named, else the point that waits for an answer, else a case that would tell."""
    test = test_observation(talk)
    if test is not None:
        name = name_of(record, test[0].agent)
        return f'find out whether this comes about, which {name} would take as a refutation: "{test[1]}"'
    for point in waiting:
        return f"answer {name_of(record, point.agent)}: {gist(record, point)}"
    return "find a case of which the two sides expect different things"
