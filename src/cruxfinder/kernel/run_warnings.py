"""Do the debaters think with more than one mind? PLUS-8: where all share one model, their agreement says little."""

from collections.abc import Sequence

from cruxfinder.kernel.run_facts import RunState, Seat
from cruxfinder.kernel.vocabulary import ADVOCATE
from cruxfinder.ports import Usage


def shared_model(seats: Sequence[Seat]) -> str:
    """The model that speaks for everybody, if there is only one; empty otherwise."""
    used = {seat.model for seat in seats if seat.id != ADVOCATE}
    return next(iter(used)) if len(used) == 1 else ""


def warning(seats: Sequence[Seat]) -> str:
    """What to tell about it; nothing where the debaters differ."""
    model = shared_model(seats)
    return f"all debaters think with {model}: what they agree on may be its habit" if model else ""


def warnings(state: RunState, usage: Usage) -> tuple[str, ...]:
    """What to keep in mind when reading the rest."""
    shared = warning(state.seats)
    unpriced = (
        f"{usage.unpriced} of {usage.calls} calls went to models whose price is not known" if usage.unpriced else ""
    )
    return tuple(told for told in (shared, unpriced) if told)
