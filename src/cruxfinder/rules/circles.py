"""The redundancy rules on the messages of a crux debate, where a run is held to them."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.model.altering import remembered
from cruxfinder.model.claims import EMPTY, Graph
from cruxfinder.model.moves import Draft
from cruxfinder.model.record import Debate
from cruxfinder.model.redundancy import Redundancy
from cruxfinder.model.refusals import Refusal
from cruxfinder.model.thread import Thread
from cruxfinder.model.words import MODERATOR, AgentId, MoveKind
from cruxfinder.rules import claims, dyads, entailments, redundancy, threads
from cruxfinder.rules.redundancy import Measured

ARGUING: Final = frozenset(
    {
        MoveKind.CLAIM,
        MoveKind.CHALLENGE,
        MoveKind.REFRAME,
        MoveKind.PROVIDE_EVIDENCE,
        MoveKind.CHALLENGE_EVIDENCE,
    }
)
WORDING: Final = frozenset({entailments.ENTAILMENT, redundancy.REPETITION, redundancy.GRAPH})


def check(debate: Debate, thread: Thread, agent: AgentId, draft: Draft, measured: Measured) -> Iterator[Refusal]:
    """What makes a message go in circles; nothing where the run is not held to it, or the move argues nothing."""
    limits = debate.settings.redundancy
    if limits is None or draft.move.kind not in ARGUING:
        return
    pair = spent(debate, thread, limits)
    if agent in pair:
        yield dyads.refusal(pair, limits)
    said = tuple(m.content for m in thread.messages if m.agent != MODERATOR)
    found = redundancy.added_to(said, graph(thread), draft.content, measured.vector, limits)
    yield from redundancy.check(draft.content, found, measured, limits)


def spent(debate: Debate, thread: Thread, limits: Redundancy) -> frozenset[AgentId]:
    """The two who have had their rounds in a thread; a word of the moderator frees them."""
    if len(threads.members(debate, thread)) <= 2:
        return frozenset()
    said = thread.messages
    since = next((n + 1 for n in range(len(said) - 1, -1, -1) if said[n].agent == MODERATOR), 0)
    return dyads.used_up(dyads.alternating([m.agent for m in said[since:]]), limits)


@remembered
def graph(thread: Thread) -> Graph:
    found = EMPTY
    for message in thread.messages:
        if message.agent != MODERATOR:
            found = claims.merged(found, claims.read(message.content))
    return found


def recent(thread: Thread) -> tuple[str, ...]:
    said = [m.content for m in thread.messages if m.agent != MODERATOR]
    return tuple(said[-redundancy.RECENT :])
