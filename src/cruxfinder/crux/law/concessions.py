"""What a concession or a changed position must name (CONC-1), and which concessions are cheap (CONC-2). SPEC §7."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.crux.moves import Concede, Draft, UpdatePosition
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import AgentId, RuleId

EXACT: Final = RuleId("CONC-1")


def check(debate: Debate, thread: Thread, agent: AgentId, draft: Draft) -> Iterator[Refusal]:
    match draft.move:
        case Concede() as move:
            yield from check_concession(debate, agent, move)
        case UpdatePosition() as move:
            held = thread.sides.get(agent)
            if held is not None and move.side_before is not held:
                yield Refusal(
                    rule=EXACT,
                    reason=f"you stand at {held}, not at {move.side_before}",
                    remedy=f"give {held} as the side before",
                )
            if (move.side_before, move.confidence_before) == (move.side_after, move.confidence_after):
                yield Refusal(rule=EXACT, reason="nothing changed", remedy="say what changed, or nothing")
        case _:
            pass


def check_concession(debate: Debate, agent: AgentId, move: Concede) -> Iterator[Refusal]:
    sides = (move.side_before, move.side_after)
    if move.top_changed and (None in sides or sides[0] == sides[1]):
        yield Refusal(
            rule=EXACT,
            reason="the top claim changed, but not from which side to which",
            remedy="give the side of the topic before and after",
        )
    if not move.top_changed and sides != (None, None) and sides[0] != sides[1]:
        yield Refusal(
            rule=EXACT,
            reason="two sides are given though the top claim is said to stand",
            remedy="say that it changed, or leave the sides out",
        )
    stated = debate.tops.get(agent)
    if move.top_changed and stated is not None and move.side_before not in (None, stated.side):
        yield Refusal(
            rule=EXACT,
            reason=f"you stood at {stated.side} in public, not at {move.side_before}",
            remedy=f"give {stated.side} as the side before",
        )


def is_cheap_concession(move: Concede) -> bool:
    """It leaves the top claim as it was: recorded, and of no weight for convergence."""
    return not move.top_changed
