"""How long two may keep a conversation to themselves. RED-1: two rounds, then somebody else or the Voice of Reason."""

from collections.abc import Sequence
from typing import Final

from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import AgentId, RuleId

BUDGET: Final = RuleId("RED-1")
PAIR: Final = 2  # speakers who have nobody else to let speak


def alternating_tail(agents: Sequence[AgentId]) -> tuple[AgentId, ...]:
    """The end of a list for as long as two of it take turns."""
    start = len(agents)
    for n in range(len(agents) - 1, -1, -1):
        later = agents[n + 1 :][:2]
        if (later and agents[n] == later[0]) or (len(later) == 2 and agents[n] != later[1]):
            break
        start = n
    return tuple(agents[start:])


def exhausted_speakers(between: Sequence[AgentId], limits: Redundancy) -> frozenset[AgentId]:
    return frozenset(between) if len(between) >= 2 * limits.dyad_max_volleys else frozenset()


def refusal(pair: frozenset[AgentId], limits: Redundancy) -> Refusal:
    return Refusal(
        rule=BUDGET,
        reason=f"{' and '.join(sorted(pair))} have had {limits.dyad_max_volleys} rounds between them",
        remedy="let somebody else speak, or the Voice of Reason sum up",
    )
