"""Who stands with whom in a debate, live and at its end. SPEC §13, COAL-2."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from cruxfinder.crux.events import CoalitionDetected, DebateCoalition
from cruxfinder.crux.law import agenda, crux_quality, dependencies
from cruxfinder.crux.law.threads import question_of
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Message, Thread, find_candidate, find_message
from cruxfinder.kernel.vocabulary import AgentId, MessageId, RuleId, Side, ThreadId
from cruxfinder.language.english.texts import STOP, WORD, content_words, keywords, stem
from cruxfinder.tables import coalitions

LIVE: Final = RuleId("COAL-2")

CRUXES_MIN: Final = 2
LABEL_WORDS: Final = 2


def detect_coalitions(debate: Debate, at_ms: int) -> CoalitionDetected | None:
    """The coalitions by positions on the cruxes found so far; None before there are two."""
    found = agenda.sort_by_rank(dependencies.distinct_cruxes(debate))
    if LIVE in debate.settings.off or len(found) < CRUXES_MIN:
        return None
    positions = {a: {str(t.id): side for t in found if (side := side_in(t, a)) is not None} for a in debate.agents}
    weights = {str(t.id): crux_quality.confidence(t) for t in found}
    panel = coalitions.find_coalitions(positions, weights)
    shared = [unanimous_positions(g, positions, found) for g in panel.groups]
    return CoalitionDetected(
        at_ms=at_ms,
        groups=tuple(
            DebateCoalition(
                members=g.members, positions=taken, label=label(debate, taken, [s for s in shared if s is not taken])
            )
            for g, taken in zip(panel.groups, shared, strict=True)
        ),
        cruxes=len(found),
        preliminary=panel.preliminary,
    )


def side_in(thread: Thread, agent: AgentId) -> Side | None:
    return crux_quality.positions_now(thread).get(agent)


Taken = tuple[tuple[ThreadId, Side], ...]


def unanimous_positions(
    group: coalitions.CoalitionGroup, positions: Mapping[AgentId, Mapping[str, Side]], found: tuple[Thread, ...]
) -> Taken:
    """Where every member who took a side took the same; the highest rank first."""
    taken: list[tuple[ThreadId, Side]] = []
    for thread in found:
        sides = [s for a in group.members if (s := positions[a].get(thread.id, Side.UNCERTAIN)) is not Side.UNCERTAIN]
        if len(sides) > 1 and len(set(sides)) == 1:
            taken.append((thread.id, sides[0]))
    return tuple(taken)


def label(debate: Debate, taken: Taken, others: list[Taken]) -> str:
    """What the question is about on which they differ most tellingly from the others, and whether they believe it."""
    unlike = [t for t in taken if not any(t in other for other in others)]
    if not taken:
        return "loose alliance"
    id, side = (unlike or taken)[0]
    return f"{subject(debate, debate.threads[id])} {'believers' if side is Side.YES else 'doubters'}"


def subject(debate: Debate, thread: Thread) -> str:
    """A word or two: the topic the question was proposed under, or its own words most spoken in the thread."""
    asked = find_candidate(thread, thread.crux)
    proposed = None if asked is None else message_of(debate, asked.message)
    if proposed is not None and proposed.topics:
        return " ".join(proposed.topics[0].replace("-", " ").split()[:LABEL_WORDS])
    spoken = Counter(word for m in thread.messages for word in keywords(m.content))
    known = content_words(debate.started.topic)
    words = [w for w in WORD.findall(question_of(thread)) if w.lower() not in STOP and len(w) > 2]
    fresh = [w for w in dict.fromkeys(words) if stem(w.lower()) not in known] or words
    telling = sorted(fresh, key=lambda w: -spoken[stem(w.lower())])[:LABEL_WORDS]
    return " ".join(w.lower() if w[1:].islower() else w for w in fresh if w in telling)


def message_of(debate: Debate, id: MessageId) -> Message | None:
    return next((m for t in debate.threads.values() if (m := find_message(t, id)) is not None), None)
