"""What a simulated debater does under the lock: commit, declare, steelman from the public record, grade."""

from typing import Final

from cruxfinder.crux.asks import AskGrade, Duty, Graded
from cruxfinder.crux.moves import Commit, DeclareFalsifier, Draft, GradeSteelman, Steelman
from cruxfinder.crux.thread import Commitment, SteelmanTry, Thread
from cruxfinder.debaters.simulated.draft_context import DraftContext
from cruxfinder.debaters.simulated.speech import (
    COMMITS,
    FALSIFIERS,
    OWN_TESTS,
    RETRIES,
    STEELMANS,
    TESTS,
    capitalise_first,
    claim_and_reason,
    compose,
    grade_words,
    without_stop,
)
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.vocabulary import AgentId, Grade, MoveKind, Side
from cruxfinder.language.english.texts import carried_share

VAGUE_ODDS: Final = 0.22
LATER_ODDS: Final = 0.08  # commits now, says later what would change its mind
OMIT_ODDS: Final = 0.27
MIX_UP_ODDS: Final = 0.15  # of the omissions: takes another's claim for the target's
WAVE_ODDS: Final = 0.06  # grades ACCURATE without looking closely
SAME_CLAIM: Final = 0.5
SAME_REASON: Final = 0.4


def serve(sheet: DraftContext, duty: Duty) -> Draft | None:
    match duty.move:
        case MoveKind.COMMIT_POSITION:
            return commit(sheet)
        case MoveKind.DECLARE_FALSIFIER:
            return declare(sheet)
        case MoveKind.STEELMAN:
            assert duty.about is not None, "a steelman is owed of somebody"
            return steelman(sheet, duty.about, corrected=bool(duty.note))
        case MoveKind.GRADE_STEELMAN:
            return grade(sheet, duty)
        case _:
            return None


def commit(sheet: DraftContext) -> Draft:
    heard = sheet.crux()
    side = sheet.crux_side()
    yes = sheet.crux_credence(heard)
    if heard is None:
        statement, reason = "I do not know how to answer this", "the question is new to me"
    elif side is Side.UNCERTAIN:
        statement = "The case is open"
        leaning = sheet.voice.reason(heard.place, sheet.chances.c[heard.place] >= 0.5)
        reason = f"I put it at {yes:.0%}: {sheet.voice.mid_sentence(leaning)}"
    else:
        affirms = (side is Side.YES) == heard.affirms
        statement, reason = sheet.voice.statement(heard.place, affirms), sheet.voice.reason(heard.place, affirms)
    falsifier = None if side is Side.UNCERTAIN or sheet.odds(LATER_ODDS) else falsifier_now(sheet)
    return Draft(
        move=Commit(
            side=side,
            statement=statement,
            reason=reason,
            confidence=round(max(yes, 1 - yes), 2),
            horizon=sheet.thread.horizon or sheet.believer.persona.horizon,
            falsifier=falsifier,
        ),
        content=compose(
            COMMITS[side],
            sheet.rng,
            sheet.said,
            test=""
            if falsifier is None
            else sheet.rng.choice(OWN_TESTS).format(falsifier=sheet.voice.describe_falsifier(falsifier)),
            statement=statement,
            lower=sheet.voice.mid_sentence(statement),
            reason=sheet.voice.mid_sentence(reason),
            reason_=capitalise_first(reason),
        ),
        topics=() if heard is None else (sheet.believer.propositions[heard.place].id,),
    )


def falsifier_now(sheet: DraftContext) -> Falsifier | None:
    """Its own falsifier for the side it takes; now and then a vague one, until it has been sent back."""
    heard = sheet.crux()
    if heard is None:
        return None
    affirms = (sheet.crux_side() is not Side.NO) == heard.affirms
    first = not sheet.ask.refused and sheet.me not in sheet.thread.commitments
    if first and sheet.odds(VAGUE_ODDS):
        return sheet.voice.vague_falsifier(heard.place, affirms)
    return sheet.voice.falsifier(heard.place, affirms, sheet.name(sheet.me))


def declare(sheet: DraftContext) -> Draft | None:
    """Its own falsifier, or the moderator's draft for a question it has no words on."""
    falsifier = falsifier_now(sheet) or sheet.thread.drafted.get(sheet.me)
    if falsifier is None:
        return None
    content = compose(
        FALSIFIERS,
        sheet.rng,
        sheet.said,
        metric=sheet.voice.mid_sentence(without_stop(falsifier.metric)),
        metric_=capitalise_first(without_stop(falsifier.metric)),
        threshold=without_stop(falsifier.threshold),
        deadline=without_stop(falsifier.deadline),
    )
    return Draft(move=DeclareFalsifier(falsifier=falsifier), content=content)


def steelman(sheet: DraftContext, target: AgentId, *, corrected: bool) -> Draft | None:
    """Another's case from what it said in public; a first attempt sometimes leaves something out."""
    held = sheet.thread.commitments.get(target)
    if held is None:
        return None
    claim, reason = claim_and_reason(held)
    accepted = sheet.thread.falsifiers.get(target, ())
    test = sheet.voice.describe_falsifier(accepted[-1].falsifier) if accepted else ""
    if not corrected and sheet.odds(OMIT_ODDS):
        claim, reason, test = with_omission(sheet, held, claim, reason, test)
    pattern = sheet.rng.choice(TESTS).format(falsifier=test) if test else ""
    content = compose(
        RETRIES if corrected else STEELMANS,
        sheet.rng,
        sheet.said,
        name=sheet.name(target),
        claim=sheet.voice.mid_sentence(claim),
        claim_=capitalise_first(claim),
        reason=sheet.voice.mid_sentence(reason),
        test=pattern,
    )
    return Draft(move=Steelman(target=target, claim=claim, reason=reason, falsifier=test), content=content)


def with_omission(sheet: DraftContext, held: Commitment, claim: str, reason: str, test: str) -> tuple[str, str, str]:
    rivals = [c for a, c in sheet.thread.commitments.items() if a not in (sheet.me, held.agent)]
    if rivals and sheet.odds(MIX_UP_ODDS):
        other = sheet.rng.choice(rivals)
        return without_stop(other.statement), without_stop(other.reason), ""
    if test and sheet.odds(0.4):
        return claim, reason, ""
    return claim, "it looks that way from where they stand", test


def grade(sheet: DraftContext, duty: Duty) -> Draft | None:
    """Compare with one's own claim, reason and falsifier; wave it through now and then, if nobody looks closely."""
    attempt = next((t[-1] for t in sheet.thread.tries.values() if t[-1].message == duty.message), None)
    own = None if attempt is None else sheet.thread.commitments.get(attempt.target)
    if attempt is None or own is None:
        return None
    verdict, missing = compare(sheet, attempt, own)
    if not sheet.ask.refused and not duty.note and sheet.odds(WAVE_ODDS):
        verdict, missing = Grade.ACCURATE, ""
    content = grade_words(
        verdict, sheet.name(attempt.author), sheet.voice.mid_sentence(without_stop(missing)), sheet.rng, sheet.said
    )
    return Draft(
        move=GradeSteelman(target=attempt.message, grade=verdict, missing=missing),
        content=content,
        reply_to=attempt.message,
    )


def grade_privately(thread: Thread, ask: AskGrade) -> Graded:
    """A steelman put before one in private, judged by claim and reason alone."""
    own = thread.commitments.get(ask.agent)
    if own is None or carried_share(own.statement, ask.claim) < SAME_CLAIM:
        return Graded(grade=Grade.WRONG, missing="" if own is None else without_stop(own.statement))
    if carried_share(own.reason, ask.reason) < SAME_REASON:
        return Graded(grade=Grade.INCOMPLETE, missing=without_stop(own.reason))
    return Graded(grade=Grade.ACCURATE)


def compare(sheet: DraftContext, attempt: SteelmanTry, own: Commitment) -> tuple[Grade, str]:
    if carried_share(own.statement, attempt.claim) < SAME_CLAIM:
        return (
            Grade.WRONG,
            f"{without_stop(own.statement)}, because {sheet.voice.mid_sentence(without_stop(own.reason))}",
        )
    if carried_share(own.reason, attempt.reason) < SAME_REASON:
        return Grade.INCOMPLETE, without_stop(own.reason)
    accepted = sheet.thread.falsifiers.get(attempt.target, ())
    if (
        accepted
        and carried_share(sheet.voice.describe_falsifier(accepted[-1].falsifier), attempt.falsifier) < SAME_REASON
    ):
        return (
            Grade.INCOMPLETE,
            f"I would change my mind on this: {sheet.voice.describe_falsifier(accepted[-1].falsifier)}",
        )
    return Grade.ACCURATE, ""
