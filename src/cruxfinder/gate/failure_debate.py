"""The debate after failures (DIA-3): a diagnosis, then what the critic sees in it; then a decision by rule."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

from cruxfinder.gate import judging
from cruxfinder.gate.fingerprints import fingerprint
from cruxfinder.gate.forms import HUMAN, Answer, Diagnosis, FailureRequest, GateResolution, Pattern, Synthesis
from cruxfinder.language.english.texts import content_words

ATTEMPTS: Final = 1  # one more after the debate
WORDS_MIN: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class AskDiagnosis:
    request: FailureRequest
    notes: tuple[str, ...] = ()  # what the caller would try now


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPattern:
    """The critic is asked; it sees the diagnosis."""

    request: FailureRequest
    diagnosis: Diagnosis


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSubstantial:
    """A judge is asked, where the rule cannot tell."""

    request: FailureRequest
    diagnosis: Diagnosis


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureDecision:
    request: FailureRequest
    diagnosis: Diagnosis
    pattern: Pattern
    substantial: bool
    synthesis: Synthesis


FailureAsk = AskDiagnosis | AskPattern | AskSubstantial


def debate(request: FailureRequest, notes: tuple[str, ...] = ()) -> Generator[FailureAsk, Answer, FailureDecision]:
    diagnosis = yield AskDiagnosis(request=request, notes=notes)
    assert isinstance(diagnosis, Diagnosis)
    pattern = yield AskPattern(request=request, diagnosis=diagnosis)
    assert isinstance(pattern, Pattern)
    told = judging.is_substantial(diagnosis, request.attempts)
    if told is None:
        judged = yield AskSubstantial(request=request, diagnosis=diagnosis)
        assert isinstance(judged, bool)
        told = judged
    return decide(request, diagnosis, pattern, told)


def resolve(*, should_escalate: bool, repeated: bool, blind_spot: bool, substantial: bool) -> GateResolution:
    """The first that fits."""
    if should_escalate or repeated:
        return GateResolution.ESCALATE
    if blind_spot:
        return GateResolution.PIVOT
    return GateResolution.RETRY if substantial else GateResolution.PIVOT


def decide(request: FailureRequest, diagnosis: Diagnosis, pattern: Pattern, substantial: bool) -> FailureDecision:
    repeated = matches_previous(pattern.pattern, request.errors)
    blind = judging.has_content(pattern.blind_spot)
    resolution = resolve(
        should_escalate=pattern.should_escalate, repeated=repeated, blind_spot=blind, substantial=substantial
    )
    approach = {
        GateResolution.RETRY: diagnosis.fix,
        GateResolution.PIVOT: pattern.blind_spot if blind else f"Not this again: {diagnosis.fix}",
    }
    return FailureDecision(
        request=request,
        diagnosis=diagnosis,
        pattern=pattern,
        substantial=substantial,
        synthesis=Synthesis(
            resolution=resolution,
            rationale=rationale(pattern, repeated=repeated, blind=blind, substantial=substantial),
            next_approach=approach.get(resolution, ""),
            escalate_to=HUMAN if resolution is GateResolution.ESCALATE else "",
            attempt_limit=ATTEMPTS if resolution is GateResolution.RETRY else 0,
        ),
    )


def automatic_escalation(count: int) -> Synthesis:
    """What follows when the attempt after the debate fails too."""
    return Synthesis(
        resolution=GateResolution.ESCALATE,
        rationale=f"{count} attempts have failed, and the debate has been held: no further attempt.",
        escalate_to=HUMAN,
    )


def rationale(pattern: Pattern, *, repeated: bool, blind: bool, substantial: bool) -> str:
    if pattern.should_escalate:
        return (
            f"The critic asks for a human: {pattern.pattern or pattern.blind_spot or 'no further attempt can mend it'}"
        )
    if repeated:
        return f"The same error comes back whatever is tried: {pattern.pattern}"
    if blind:
        return "The critic names what nobody has looked at."
    return "The fix differs from what was tried." if substantial else "The fix is what was tried before."


def matches_previous(pattern: str, errors: tuple[str, ...]) -> bool:
    """Does the pattern name an error that came before: the same fingerprint, or all the words of one?"""
    if not judging.has_content(pattern):
        return False
    words = content_words(pattern)
    for error in errors:
        seen = fingerprint(error)
        known = content_words(seen)
        if seen and (seen == fingerprint(pattern) or (len(known) >= WORDS_MIN and known <= words)):
            return True
    return False
