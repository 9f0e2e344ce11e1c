"""The gates an ablation may leave out, by the id of their rule."""

from typing import Final

from cruxfinder.model.words import RuleId
from cruxfinder.rules import (
    candidates,
    concessions,
    crux,
    ending,
    evidence,
    falsifiers,
    flood,
    lock,
    messages,
    moderator,
    stages,
    steelman,
    threads,
)

SWITCHES: Final[frozenset[RuleId]] = frozenset(
    {
        *(messages.FIELDS, messages.FORM),
        *(stages.MOVES, stages.BUDGET),
        *(steelman.FIRST, steelman.GRADER, steelman.NOT_CHEAP),
        *(lock.COMMITTED, lock.TWO_SIDES, lock.STEELMANNED, lock.FALSIFIABLE, lock.EXCUSED),
        *(falsifiers.VAGUE, evidence.TIED, concessions.EXACT),
        *(candidates.WHICH, candidates.IN_SIGHT, crux.AUTHENTIC, crux.VALID),
        *(flood.REPLIES, flood.COOLDOWN, flood.RATE),
        *(moderator.ASK_FALSIFIERS, moderator.FRAME, threads.QUIET, ending.OVER),
    }
)


def unknown(ids: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(id for id in ids if id not in SWITCHES)
