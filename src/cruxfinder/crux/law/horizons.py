"""Do they speak of the same span of time? SPEC §11, MOD-6: aligned before the lock, or the thread is split."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cruxfinder.crux.law import threads
from cruxfinder.crux.moves import Commit, Draft
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import AgentId, Horizon, RuleId

ALIGN: Final = RuleId("MOD-6")

SPLIT_ABOVE: Final = 3  # agents on each side of the gap
ORDER: Final = tuple(Horizon)


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Two groups that speak of two spans of time."""

    sooner: tuple[AgentId, ...]
    later: tuple[AgentId, ...]
    sooner_at: Horizon
    later_at: Horizon


def stated_horizons(debate: Debate, thread: Thread) -> dict[AgentId, Horizon]:
    """The spans which those who take part have spoken of."""
    return {a: thread.horizons[a] for a in threads.members(debate, thread) if a in thread.horizons}


def differ(debate: Debate, thread: Thread) -> bool:
    if ALIGN in debate.settings.off or thread.horizon is not None:
        return False
    return len(set(stated_horizons(debate, thread).values())) > 1


def most_common_horizon(held: list[Horizon]) -> Horizon:
    """The one most speak of; of two equally common ones the longer."""
    return max(ORDER, key=lambda h: (held.count(h), ORDER.index(h)))


def split(debate: Debate, thread: Thread, now_ms: int) -> Split | None:
    """More than three agents on each side of a gap between spans, and room for one more thread."""
    held = stated_horizons(debate, thread)
    if not threads.has_room(debate, now_ms):
        return None
    for cut in range(1, len(ORDER)):
        sooner = tuple(a for a, h in held.items() if ORDER.index(h) < cut)
        later = tuple(a for a, h in held.items() if ORDER.index(h) >= cut)
        if min(len(sooner), len(later)) > SPLIT_ABOVE:
            return Split(
                sooner=sooner,
                later=later,
                sooner_at=most_common_horizon([held[a] for a in sooner]),
                later_at=most_common_horizon([held[a] for a in later]),
            )
    return None


def alignment_text(held: dict[AgentId, Horizon], at: Horizon) -> str:
    spans = ", ".join(h for h in ORDER if h in held.values())
    return (
        f"You speak of different spans of time ({spans}). Take the question at {at}, all of you, and answer for that."
    )


def split_text(parts: Split) -> str:
    return (
        f"You speak of two spans of time. Here we take the question at {parts.sooner_at}; those who think in terms of"
        f" {parts.later_at} get a thread of their own."
    )


def check(debate: Debate, thread: Thread, agent: AgentId, draft: Draft) -> Iterator[Refusal]:
    move = draft.move
    if thread.only and agent not in thread.members:
        yield Refusal(
            rule=ALIGN,
            reason=f"this thread takes the question at {thread.horizon}, with those who think in that span",
            remedy=f"argue it in {thread.parent or 'the thread split off from it'}",
        )
    if isinstance(move, Commit) and thread.horizon is not None and move.horizon is not thread.horizon:
        yield Refusal(
            rule=ALIGN,
            reason=f"the question is taken at {thread.horizon}, not at {move.horizon}",
            remedy=f"commit for {thread.horizon}",
        )
