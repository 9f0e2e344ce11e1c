"""The house's own advocate and critic: they argue from the rule set's known failure modes, with no model at all.

The critic raises what went wrong for others and has not been checked here, one failure mode a round; the advocate can
only point to what was checked; what has no remedy no check answers. Neither takes a word of the action's own text for
an argument.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final, assert_never

from cruxfinder.gate import judging
from cruxfinder.gate.failure_debate import AskDiagnosis, AskPattern, AskSubstantial, FailureAsk
from cruxfinder.gate.fingerprints import fingerprint
from cruxfinder.gate.forms import (
    AdvocateClaim,
    Answer,
    CriticObjection,
    Diagnosis,
    FailureRequest,
    Pattern,
    Severity,
    Stakes,
)
from cruxfinder.gate.planning_debate import AskActionable, AskClaim, AskObjection, PlanAsk
from cruxfinder.gate.router import FiredRule, pattern
from cruxfinder.gate.rule_set import ErrorKind, FailureMode

UNSURE: Final = 0.5
ASSURED: Final = 0.4  # what it adds that everything known was checked
SEVERITY: Final = {Stakes.LOW: Severity.LOW, Stakes.MEDIUM: Severity.MEDIUM, Stakes.HIGH: Severity.HIGH}
# For an action that no rule knows, but whose caller says that something is at stake.
UNKNOWN: Final = (
    FailureMode(
        id="undo",
        lost="Nobody had asked how it could be taken back before it was done.",
        first="Say in one sentence how it is undone, and try that where it cannot hurt",
        undo="Not known: that is the objection.",
    ),
    FailureMode(
        id="scope",
        lost="It reached further than was meant.",
        first="List exactly what it will touch, with names and numbers, and read the list",
        undo="Not known.",
    ),
)
# What nobody has read nobody can have checked.
NOT_READ: Final = FailureMode(
    id="unread",
    lost="It is too long or too deep to be read to its end, and the worst may stand where nobody has looked.",
    undo="Not known: say it in shorter steps, each of which can be read.",
)
NO_APPROACH: Final = "the same again"


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """Answers the asks of both debates."""

    fired: tuple[FiredRule, ...] = ()
    unread: bool = False  # a part of the action was not looked at
    checked: dict[str, str] = field(default_factory=dict[str, str])  # id of a failure mode: the evidence
    reason: str = ""
    errors: tuple[ErrorKind, ...] = ()
    next_approach: str = ""

    def answer(self, ask: PlanAsk | FailureAsk) -> Answer:
        match ask:
            case AskClaim():
                return self._claim()
            case AskObjection():
                return self._objection(ask)
            case AskDiagnosis():
                return self._diagnosis(ask.request)
            case AskPattern():
                return self._pattern(ask.request)
            case AskActionable() | AskSubstantial():
                return True  # what the rule leaves open leans to yes
            case _:
                assert_never(ask)

    # ---- before an action

    @property
    def modes(self) -> tuple[tuple[FailureMode, Severity, str], ...]:
        """What is known to go wrong, those without a remedy first, each with its severity and its rule."""
        known = [(mode, SEVERITY[one.rule.stakes], one.rule.id) for one in self.fired for mode in one.rule.fails]
        if self.unread:
            known.append((NOT_READ, Severity.HIGH, ""))
        first: dict[tuple[str, bool], tuple[FailureMode, Severity, str]] = {}
        for mode, severity, rule in known or [(mode, Severity.MEDIUM, "") for mode in UNKNOWN]:
            first.setdefault((mode.id, bool(mode.first)), (mode, severity, rule))
        return tuple(sorted(first.values(), key=lambda held: bool(held[0].first)))

    @property
    def has_remedies(self) -> bool:
        """Is something known to help against all that is known to go wrong? Else it is for a human, whoever thinks."""
        return all(mode.first for mode, _, _ in self.modes)

    def _claim(self) -> AdvocateClaim:
        checked = [mode.id for mode, _, _ in self.modes if mode.first and mode.id in self.checked]
        share = len(checked) / len(self.modes)
        supports = tuple(f"checked {id}: {self.checked[id]}" for id in checked)
        says = self.fired[0].rule.says if self.fired else "No rule knows this action."
        return AdvocateClaim(
            claim=self.reason or f"It is to be done as it stands. {says}",
            supports=supports,
            confidence=round(UNSURE + ASSURED * share, 2),
        )

    @property
    def open_objections(self) -> tuple[CriticObjection, ...]:
        """What is known against it and was not checked."""
        return tuple(
            CriticObjection(
                objection=mode.lost,
                risks=(f"To undo it: {mode.undo}",),
                counter=f"{mode.first} [{mode.id}]" if mode.first else "",
                severity=severity,
            )
            for mode, severity, _ in self.modes
            if not (mode.first and mode.id in self.checked)
        )

    def _objection(self, ask: AskObjection) -> CriticObjection:
        raised = {r.objection.objection for r in ask.rounds}
        left = self.open_objections
        if not left:
            nothing = "Nothing is known against it that was not checked."
            return CriticObjection(objection=nothing, risks=(), counter="", severity=Severity.LOW)
        # Who has raised everything says the last again, which ends the debate.
        return next((held for held in left if held.objection not in raised), left[-1])

    # ---- after failures

    def _kind(self, error: str) -> ErrorKind | None:
        return next((kind for kind in self.errors if pattern(kind.match).search(error)), None)

    def _diagnosis(self, request: FailureRequest) -> Diagnosis:
        last = request.errors[-1] if request.errors else ""
        kind = self._kind(last)
        means = f"The last error says that {kind.means}" if kind else "The last error is of no kind the house knows"
        fix = self.next_approach or NO_APPROACH
        told = difference(fix, request.attempts) if self.next_approach else ""
        return Diagnosis(diagnosis=f"{means}: {fingerprint(last)}", fix=fix, difference=told)

    def _pattern(self, request: FailureRequest) -> Pattern:
        kind = self._kind(request.errors[-1]) if request.errors else None
        if kind is not None and kind.escalate:
            return Pattern(pattern=kind.means, blind_spot=kind.look, should_escalate=True)
        seen = Counter(fingerprint(error) for error in request.errors)
        same, times = seen.most_common(1)[0] if seen else ("", 0)
        look = kind.look if kind else "what the failing step is given: print it, and make the failure happen alone"
        if times > 1 and are_attempts_different(request.attempts) and not self._new(request.attempts):
            return Pattern(pattern=same, blind_spot=look, should_escalate=False)
        if times > 1:
            told = f"The same error came back, so before anything else is tried look at {look}"
            return Pattern(pattern="", blind_spot=told, should_escalate=False)
        told = "" if self.next_approach else f"No other approach is named; look at {look}"
        return Pattern(pattern="", blind_spot=told, should_escalate=False)

    def _new(self, attempts: tuple[str, ...]) -> bool:
        """Is an approach named that nobody has tried?"""
        here = self.next_approach
        return bool(here) and all(judging.word_overlap(here, attempt) <= judging.APART for attempt in attempts)


def are_attempts_different(attempts: tuple[str, ...]) -> bool:
    """Were really different things tried?"""
    return len(attempts) > 1 and all(judging.word_overlap(a, attempts[-1]) <= judging.APART for a in attempts[:-1])


def difference(fix: str, attempts: tuple[str, ...]) -> str:
    """What a rule can say of it: how much of the approach is new."""
    likeness = max((judging.word_overlap(fix, attempt) for attempt in attempts), default=0.0)
    if likeness >= judging.ALIKE:
        return "none"
    return f"{1 - likeness:.0%} of its words are new beside what was tried"
