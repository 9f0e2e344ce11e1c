"""What concerns whom. SPEC §9: ATT-1 the score, ATT-2 without an embedding, ATT-3 choosing a reply, ATT-4 interests.

All pure: the measure of likeness and the dice are handed in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cruxfinder.crux.moves import Challenge, Claim, Commit, Concede, Move, ProposeCrux, ProvideEvidence, Reframe
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Message
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.vocabulary import AgentId, MessageId, MoveKind, RuleId, ThreadId
from cruxfinder.language.english.texts import keywords
from cruxfinder.language.mentions import is_mentioned

SCORE: Final = RuleId("ATT-1")

SEMANTIC, IN_THREAD, RECENT, PRIORITY = 0.5, 0.25, 0.15, 0.10
AGENDA: Final = 0.2
FRESH_MS: Final = 30_000  # after which a message is no longer new
PRIORITIES: Final = {
    MoveKind.PROPOSE_CRUX: 1.0,
    MoveKind.CONCEDE: 0.9,
    MoveKind.UPDATE_POSITION: 0.9,
    MoveKind.PROVIDE_EVIDENCE: 0.8,
    MoveKind.CHALLENGE_EVIDENCE: 0.8,
    MoveKind.CHALLENGE: 0.7,
    MoveKind.REFRAME: 0.6,
    MoveKind.CLAIM: 0.5,
    MoveKind.COMMIT_POSITION: 0.5,
    MoveKind.STEELMAN: 0.5,
    MoveKind.DECLARE_FALSIFIER: 0.4,
    MoveKind.GRADE_STEELMAN: 0.4,
    MoveKind.CLARIFY: 0.3,
}
WELL_AIMED: Final = 0.7  # replies to messages scored this high or higher are reported

KEYWORDS: Final = "keyword"  # measures whose name begins like this compare words, not meanings
KEYWORD_THREAD, KEYWORD_HIGH, KEYWORD_MIDDLE, KEYWORD_LOW = 0.5, 0.3, 0.2, 0.1
KEYWORD_EACH, KEYWORD_MOST = 0.1, 0.2
KEYWORD_FRESH_MS: Final = ((10_000, 0.2), (30_000, 0.1))
HIGH: Final = frozenset({MoveKind.CHALLENGE, MoveKind.CONCEDE, MoveKind.PROPOSE_CRUX})
MIDDLE: Final = frozenset({MoveKind.CLAIM, MoveKind.REFRAME})

CHOICE: Final = (70, 90, 100)  # of a hundred: the best, the second, the third
LET_OTHERS: Final = 3  # messages since the last look
STICKY: Final = 0.05  # what one's own thread is worth when choosing between two messages
EAGER_PERCENT: Final = 50  # how often one still joins in once one's crux is crystallised

GAINS: Final = 0.3
KEEPS: Final = 0.9
NEW: Final = 0.5  # the weight an interest begins with
FORGOTTEN: Final = 0.05
INTERESTS_MAX: Final = 12

Interests = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listener:
    """Whom a message may reach: interests by phrase, each with a weight up to 1."""

    agent: AgentId
    name: str
    interests: Interests


@dataclass(frozen=True, slots=True)
class ScoredMessage:
    message: Message
    thread: ThreadId  # where it stands now: a merged thread's messages go on in another
    score: float
    own: bool  # in a thread it takes part in


def score(
    message: Message, listener: Listener, like: Likeness, *, own: bool, age_ms: int, disputes: Sequence[str] = ()
) -> float:
    """How much a message concerns an agent, from 0 to 1; a mention is 1 outright."""
    if is_mentioned(message.content, listener.agent, listener.name):
        return 1.0
    boost = AGENDA * max(like.likenesses(message.content, disputes), default=0.0) if disputes else 0.0
    if like.name.startswith(KEYWORDS):
        return min(1.0, keyword_score(message, listener, own=own, age_ms=age_ms) + boost)
    semantic = similarity(message.content, listener.interests, like)
    recency = max(0.0, 1.0 - age_ms / FRESH_MS)
    total = weighted_score(semantic, own=own, recency=recency, priority=PRIORITIES[message.move.kind])
    return min(1.0, total + boost)


def threshold(debate: Debate) -> float:
    """From which score on a message reaches an agent."""
    return 0.0 if SCORE in debate.settings.off else debate.settings.attention


def weighted_score(semantic: float, *, own: bool, recency: float, priority: float) -> float:
    return SEMANTIC * semantic + IN_THREAD * own + RECENT * recency + PRIORITY * priority


def similarity(content: str, interests: Interests, like: Likeness) -> float:
    """The interest it touches most, by weight."""
    if not interests:
        return 0.0
    found = like.likenesses(content, tuple(interests))
    return max(x * weight for x, weight in zip(found, interests.values(), strict=True))


def keyword_score(message: Message, listener: Listener, *, own: bool, age_ms: int) -> float:
    """Thread, kind of move, age and shared words alone."""
    kind = message.move.kind
    moved = KEYWORD_HIGH if kind in HIGH else KEYWORD_MIDDLE if kind in MIDDLE else KEYWORD_LOW
    fresh = next((gain for limit, gain in KEYWORD_FRESH_MS if age_ms < limit), 0.0)
    words = {word for phrase in listener.interests for word in keywords(phrase)}
    shared = len(words & set(keywords(message.content)))
    return KEYWORD_THREAD * own + moved + fresh + min(KEYWORD_MOST, KEYWORD_EACH * shared)


def choose(scored: Sequence[ScoredMessage], hundred: int) -> ScoredMessage | None:
    """One of the best three, mostly the best; `hundred` is a die from 1 to 100."""
    best = sorted(scored, key=lambda s: (-(s.score + STICKY * s.own), -s.message.at_ms, s.message.id))[: len(CHOICE)]
    if not best:
        return None
    place = next(n for n, upto in enumerate(CHOICE) if hundred <= upto)
    return best[min(place, len(best) - 1)]


def update_interests(interests: Interests, topics: Sequence[str], content: str, like: Likeness) -> dict[str, float]:
    """Interests after a message of one's own: those it touches gain weight, the others fade and are forgotten."""
    named = dict.fromkeys(p for topic in topics if (p := topic.replace("-", " ").strip()))
    touched = like.likenesses(content, tuple(interests))
    moved = {p: min(1.0, KEEPS * w + GAINS * x) for (p, w), x in zip(interests.items(), touched, strict=True)}
    for phrase in named:
        moved[phrase] = min(1.0, KEEPS * interests.get(phrase, NEW) + GAINS)
    kept = sorted(moved, key=lambda p: (-moved[p], p))[:INTERESTS_MAX]
    return {phrase: moved[phrase] for phrase in kept if moved[phrase] >= FORGOTTEN}


def subject(move: Move) -> str:
    """The sentence a move is about; empty where it is only about another message."""
    match move:
        case Claim() | Concede():
            return move.proposition
        case Challenge():
            return move.disputes
        case Reframe() | ProposeCrux():
            return move.question
        case Commit():
            return move.statement
        case ProvideEvidence():
            return move.evidence
        case _:
            return ""


def well_aimed_share(scores: Sequence[float]) -> float:
    """The share of replies that went to messages which concerned their author."""
    return sum(s >= WELL_AIMED for s in scores) / len(scores) if scores else 0.0


def count_messages_since(messages: Sequence[Message], seen: MessageId | None) -> int:
    """How many messages came after the one last seen."""
    for back, message in enumerate(reversed(messages)):
        if message.id == seen:
            return back
    return len(messages)
