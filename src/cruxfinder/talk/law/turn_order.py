"""Who speaks when. TURN-2: a debate's rounds, a consensus' phases, and everywhere else the one it concerns most."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.run_facts import Seat, lost_agents
from cruxfinder.kernel.vocabulary import AgentId, Role
from cruxfinder.talk.state import Conversation
from cruxfinder.talk.turns import CHAIRS, TurnType


class Step(NamedTuple):
    role: Role
    type: TurnType


ROUNDS: Final[tuple[tuple[Step, ...], ...]] = (
    (
        Step(Role.PROPONENT, TurnType.PROPOSITION),
        Step(Role.OPPONENT, TurnType.PROPOSITION),
        Step(Role.ARBITRATOR, TurnType.REACTION),
    ),
    (
        Step(Role.PROPONENT, TurnType.REBUTTAL),
        Step(Role.OPPONENT, TurnType.REBUTTAL),
        Step(Role.ARBITRATOR, TurnType.REACTION),
    ),
    (
        Step(Role.PROPONENT, TurnType.COUNTER),
        Step(Role.OPPONENT, TurnType.COUNTER),
        Step(Role.ARBITRATOR, TurnType.RULING),
    ),
)
PHASES: Final = (TurnType.POSITION, TurnType.EXPLORATION, TurnType.CONCESSION)  # then the synthesis
SUBJECTS_MAX: Final = 4  # of a discussion
LEADS: Final = frozenset({Role.ARBITRATOR, Role.FACILITATOR, Role.HOST})
FAIRNESS: Final = 0.15  # what each turn already taken takes from a claim to the floor


def speakers(seats: Iterable[Seat]) -> tuple[Seat, ...]:
    return tuple(seat for seat in seats if seat.role not in CHAIRS)


def present_speakers(debate: Conversation) -> tuple[Seat, ...]:
    """The speakers who can still answer."""
    lost = lost_agents(debate)
    return tuple(seat for seat in speakers(debate.seats) if seat.id not in lost)


def sort_by_relevance(
    seats: Sequence[Seat], subject: str, spoken: dict[AgentId, int], like: Likeness
) -> tuple[Seat, ...]:
    """Whom the subject concerns most, first; who has spoken more than others has to be concerned more."""
    pull = {s.id: round(concern(s, subject, like) - FAIRNESS * spoken.get(s.id, 0), 3) for s in seats}
    return tuple(sorted(seats, key=lambda s: -pull[s.id]))  # of two alike, the one who sits first


def concern(seat: Seat, subject: str, like: Likeness) -> float:
    """How much a subject has to do with what somebody looks out for."""
    return max(like.likenesses(subject, seat.interests or (seat.about or seat.name,)), default=0.0)
