"""The gates an ablation may leave out, by the id of their rule."""

from typing import Final

from cruxfinder.model.words import RuleId
from cruxfinder.rules import (
    acts,
    agenda,
    allies,
    attention,
    candidates,
    concessions,
    crux,
    dependencies,
    dyads,
    ending,
    entailments,
    evidence,
    falsifiers,
    flood,
    ground,
    horizons,
    lock,
    messages,
    moderator,
    plain_speech,
    redundancy,
    stages,
    steelman,
    threads,
    turns,
)

SWITCHES: Final[frozenset[RuleId]] = frozenset(
    {
        *(messages.FIELDS, messages.FORM, plain_speech.PLAIN),
        *(stages.MOVES, stages.BUDGET),
        *(steelman.FIRST, steelman.GRADER, steelman.NOT_CHEAP),
        *(lock.COMMITTED, lock.TWO_SIDES, lock.STEELMANNED, lock.FALSIFIABLE, lock.EXCUSED),
        *(falsifiers.VAGUE, evidence.TIED, concessions.EXACT),
        *(candidates.WHICH, candidates.IN_SIGHT, candidates.THREE_WAY, candidates.DEEPER, crux.AUTHENTIC, crux.VALID),
        *(flood.REPLIES, flood.COOLDOWN, flood.RATE, flood.THREADS, attention.SCORE),
        *(threads.SPAWN, threads.QUIET, threads.MERGE),
        *(moderator.ORBIT, moderator.ADRIFT, moderator.ASK_FALSIFIERS, moderator.FRAME, horizons.ALIGN),
        *(turns.LENGTH, turns.MANNERS, acts.CADENCE, dyads.BUDGET),
        *(entailments.ENTAILMENT, redundancy.REPETITION, redundancy.GRAPH),
        *(agenda.DISPUTES, agenda.ASKS, dependencies.RELATED, ground.GROUND, allies.LIVE, ending.OVER),
    }
)


def unknown(ids: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(id for id in ids if id not in SWITCHES)
