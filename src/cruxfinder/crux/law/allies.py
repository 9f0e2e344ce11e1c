"""Who stands with whom in a debate, live and at its end. SPEC §13, COAL-2."""

from collections.abc import Mapping
from typing import Final

from cruxfinder.crux.events import CoalitionDetected, DebateCoalition
from cruxfinder.crux.law import agenda, crux_quality, dependencies
from cruxfinder.crux.law.threads import question_of
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.vocabulary import AgentId, RuleId, Side, ThreadId
from cruxfinder.tables import coalitions

LIVE: Final = RuleId("COAL-2")

CRUXES_MIN: Final = 2


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
    """The position that sets it most apart from the others, in the question's words."""
    unlike = [t for t in taken if not any(t in other for other in others)]
    if not taken:
        return "loose alliance"
    id, side = (unlike or taken)[0]
    return coalitions.name_position(side, question_of(debate.threads[id]))
