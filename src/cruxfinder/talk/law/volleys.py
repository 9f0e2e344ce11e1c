"""Which two have kept a conversation to themselves, and for how long."""

from collections.abc import Iterable, Iterator
from typing import Final

from cruxfinder.kernel.altering import cache_on_value
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import AgentId, Role
from cruxfinder.language.dyads import PAIR, alternating_tail, exhausted_speakers, refusal
from cruxfinder.talk.state import Talk
from cruxfinder.talk.turns import PivotKind, Turn, TurnType

LEADS_ELSEWHERE: Final = frozenset({PivotKind.DILEMMA, PivotKind.ANCHOR, PivotKind.TENSION})


@cache_on_value
def volley(talk: Talk) -> tuple[AgentId, ...]:
    """The speakers of the last turns for as long as only two take turns; another subject or a synthesis ends it."""
    since = max((p.number for p in talk.pivots if p.to in LEADS_ELSEWHERE), default=0)
    after = next((t.number for t in reversed(talk.turns) if ends_volley(t)), 0)
    return alternating_tail([t.agent for t in talk.speaker_turns if t.number > max(since, after)])


def ends_volley(turn: Turn) -> bool:
    return turn.role is Role.REASON or turn.type is TurnType.SYNTHESIS


def exhausted_pair(talk: Talk, limits: Redundancy) -> frozenset[AgentId]:
    """The two who have used up their rounds; nobody, if none have."""
    return exhausted_speakers(volley(talk), limits)


def check(talk: Talk, agent: AgentId, speakers: int, limits: Redundancy) -> Iterator[Refusal]:
    """Never applied where only two speak."""
    if speakers > PAIR and agent in (pair := exhausted_pair(talk, limits)):
        yield refusal(pair, limits)


def longest_volley(talk: Talk, ends: Iterable[int] | None = None) -> float:
    """The most rounds two have had between them without anybody else; one that was only begun is half a round.

    `ends`: the turns up to which it is counted, by their numbers; all, where none are given.
    """
    most = 0
    for end in range(1, len(talk.turns) + 1) if ends is None else ends:
        before = tuple(p for p in talk.pivots if p.number < end)
        most = max(most, len(volley(Talk(turns=talk.turns[:end], pivots=before))))
    return most / 2
