"""The gates of a debate for its crux that an ablation may leave out, by the id of their rule."""

from typing import Final

from cruxfinder.crux.law import (
    agenda,
    allies,
    attention,
    candidates,
    concessions,
    crux_quality,
    dependencies,
    ending,
    evidence,
    falsifiers,
    flood,
    horizons,
    lock,
    messages,
    moderator,
    proposed_questions,
    several_facts,
    shared_ground,
    stages,
    steelman,
    threads,
    verdict,
)
from cruxfinder.kernel.vocabulary import RuleId
from cruxfinder.language import plain_speech, redundancy, speaker_pairs

SWITCHES: Final[frozenset[RuleId]] = frozenset(
    {
        *(messages.FIELDS, messages.FORM, plain_speech.PLAIN),
        *(stages.MOVES, stages.BUDGET),
        *(steelman.FIRST, steelman.GRADER, steelman.NOT_CHEAP),
        *(lock.COMMITTED, lock.TWO_SIDES, lock.STEELMANNED, lock.FALSIFIABLE, lock.EXCUSED),
        *(falsifiers.VAGUE, falsifiers.PAST, evidence.TIED, concessions.EXACT),
        *(
            candidates.WHICH,
            candidates.IN_SIGHT,
            candidates.THREE_WAY,
            candidates.DEEPER,
            *proposed_questions.ABOUT_QUESTIONS,
            crux_quality.AUTHENTIC,
            crux_quality.VALID,
        ),
        *(several_facts.SEVERAL, verdict.LOCKED_COUNTS),
        *(flood.REPLIES, flood.COOLDOWN, flood.RATE, flood.THREADS, attention.SCORE),
        *(threads.SPAWN, threads.QUIET, threads.MERGE),
        *(moderator.ORBIT, moderator.ADRIFT, moderator.ASK_FALSIFIERS, moderator.FRAME, horizons.ALIGN),
        speaker_pairs.BUDGET,
        *(redundancy.ENTAILMENT, redundancy.REPETITION, redundancy.GRAPH),
        *(agenda.DISPUTES, agenda.ASKS, dependencies.RELATED, shared_ground.GROUND, allies.LIVE, ending.OVER),
    }
)
