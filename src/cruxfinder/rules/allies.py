"""Who stands with whom in a debate, live and at its end. SPEC §13, COAL-2."""

from collections import Counter
from typing import Final

from cruxfinder.model.events import CoalitionDetected, Group
from cruxfinder.model.record import Debate
from cruxfinder.model.thread import Thread
from cruxfinder.model.words import AgentId, RuleId, Side, ThreadId
from cruxfinder.rules import agenda, coalitions, crux, dependencies, probes
from cruxfinder.rules.text import STOP, WORD, content_words, keywords, stem
from cruxfinder.rules.threads import question_of

LIVE: Final = RuleId("COAL-2")

CRUXES_MIN: Final = 2
LABEL_WORDS: Final = 2


def of_debate(debate: Debate, at_ms: int) -> CoalitionDetected | None:
    """The coalitions by positions on the cruxes found so far; None before there are two."""
    found = agenda.ordered(debate, list(dependencies.crystallised(debate)))
    if LIVE in debate.settings.off or len(found) < CRUXES_MIN:
        return None
    positions = {a: {str(t.id): side for t in found if (side := side_in(t, a)) is not None} for a in debate.agents}
    weights = {str(t.id): confidence(t) for t in found}
    panel = coalitions.found(positions, weights)
    return CoalitionDetected(
        at_ms=at_ms,
        groups=tuple(named(debate, g, found) for g in panel.groups),
        cruxes=len(found),
        preliminary=panel.preliminary,
    )


def side_in(thread: Thread, agent: AgentId) -> Side | None:
    return crux.positions_now(thread).get(agent)


def confidence(thread: Thread) -> float:
    """How sure those who took a side on a crux were when they committed."""
    sides = crux.positions(thread)
    return probes.mean([c.confidence for a, c in thread.commitments.items() if sides[a] is not Side.UNCERTAIN])


def named(debate: Debate, group: coalitions.Group, found: tuple[Thread, ...]) -> Group:
    shared = {ThreadId(id): side for id, side in group.shared if side is not Side.UNCERTAIN}
    taken = tuple((t.id, shared[t.id]) for t in found if t.id in shared)
    return Group(members=group.members, positions=taken, label=label(debate, taken))


def label(debate: Debate, positions: tuple[tuple[ThreadId, Side], ...]) -> str:
    """Two words of the highest-ranked question they agree on, and whether they believe it."""
    if not positions:
        return "loose alliance"
    id, side = positions[0]
    thread = debate.threads[id]
    spoken = Counter(word for m in thread.messages for word in keywords(m.content))
    known = content_words(debate.started.topic)
    words = [w for w in WORD.findall(question_of(thread)) if w.lower() not in STOP and len(w) > 2]
    fresh = [w for w in dict.fromkeys(words) if stem(w.lower()) not in known] or words
    telling = sorted(fresh, key=lambda w: -spoken[stem(w.lower())])[:LABEL_WORDS]
    named = " ".join(w.lower() if w[1:].islower() else w for w in fresh if w in telling)
    return f"{named} {'believers' if side is Side.YES else 'doubters'}"
