"""What the specification says of a log, read from the raw events alone: nothing here asks a rule of the program.

`take` is given one event after the other and returns what is wrong with it, by rule id.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from cruxfinder.model.events import (
    AgentSilent,
    CommitmentMade,
    CruxExtracted,
    DebateComplete,
    DebateForked,
    DebateStarted,
    Event,
    EvidenceProvided,
    FalsifierDeclared,
    LockFailed,
    LockSucceeded,
    MessagePosted,
    MessageRefused,
    ModeratorIntervention,
    StageTransition,
    SteelmanAttempt,
    SteelmanGraded,
    ThreadConverged,
    ThreadFailed,
    ThreadStale,
)
from cruxfinder.model.moves import (
    Challenge,
    ChallengeEvidence,
    Claim,
    Clarify,
    Commit,
    Concede,
    DeclareFalsifier,
    Falsifier,
    GradeSteelman,
    Move,
    ProposeCrux,
    ProvideEvidence,
    Steelman,
    UpdatePosition,
)
from cruxfinder.model.settings import Settings

WORD: Final = re.compile(r"[a-z]{5,}")
MOVES: Final = {
    "DISCOVERY": "CLAIM CHALLENGE CLARIFY REFRAME PROPOSE_CRUX".split(),
    "CRUX_LOCK": "STEELMAN GRADE_STEELMAN COMMIT_POSITION DECLARE_FALSIFIER CLARIFY".split(),
    "EVIDENCE": (
        "PROVIDE_EVIDENCE CHALLENGE_EVIDENCE UPDATE_POSITION CONCEDE PROPOSE_CRUX STEELMAN GRADE_STEELMAN".split()
    ),
}
OWED: Final = {"STEELMAN", "GRADE_STEELMAN", "COMMIT_POSITION", "DECLARE_FALSIFIER"}
VAGUE: Final = (
    Falsifier(metric="reserve holdings", threshold="seems weaker", deadline="by 2029"),
    Falsifier(metric="reserve holdings", threshold="falls below 40 percent", deadline="someday"),
    Falsifier(metric="it probably shows", threshold="falls below 40 percent", deadline="by 2029"),
    Falsifier(metric="reserve holdings", threshold="quite bad", deadline="by 2029"),
    Falsifier(metric=" ", threshold="falls below 40 percent", deadline="by 2029"),
)


@dataclass
class Said:
    id: str
    at_ms: int
    agent: str
    move: Move
    content: str
    reply_to: str | None
    counted: bool


@dataclass
class Oracle:
    """The state of a log as the specification tells it."""

    settings: Settings = Settings()
    agents: list[str] = field(default_factory=list[str])
    at_ms: int = 0
    stage: str = "DISCOVERY"
    stage_from: int = 0
    said: list[Said] = field(default_factory=list[Said])
    ready_ms: dict[str, int] = field(default_factory=dict[str, int])
    held: dict[str, int] = field(default_factory=dict[str, int])
    questions: int = 0
    commitments: dict[str, Commit] = field(default_factory=dict[str, Commit])
    sides: dict[str, str] = field(default_factory=dict[str, str])
    excused: set[str] = field(default_factory=set[str])
    late: set[str] = field(default_factory=set[str])  # committed after they had been excused
    tries: dict[tuple[str, str], list[str]] = field(default_factory=dict[tuple[str, str], list[str]])
    grades: dict[str, str] = field(default_factory=dict[str, str])
    falsifiers: dict[str, int] = field(default_factory=dict[str, int])
    locked: bool = False
    failed_tries: int = 0
    granted: int = 0
    over: bool = False
    complete: DebateComplete | None = None

    # ---- what the log says

    def find(self, id: str | None) -> Said | None:
        return next((m for m in self.said if m.id == id), None)

    def standing(self, side: str) -> list[str]:
        return [a for a, c in self.commitments.items() if c.side == side and a not in self.excused]

    def passed(self, author: str, target: str) -> bool:
        tries = self.tries.get((author, target), [])
        return bool(tries) and self.grades.get(tries[-1]) == "ACCURATE"

    def pairs(self) -> list[tuple[str, str]]:
        """Who has to steelman whom where sides are small: each opponent, both ways; who came late owes just one."""
        opposed = [(y, n) for y in self.standing("YES") for n in self.standing("NO")]
        return [p for y, n in opposed for p in ((y, n), (n, y)) if not {y, n} & self.late]

    def small(self) -> bool:
        return max(len(self.standing("YES")), len(self.standing("NO"))) <= 2

    def required(self) -> int:
        yes, no = self.standing("YES"), self.standing("NO")
        if not (yes and no):
            return 0
        return len(self.pairs()) + len(self.late & {*yes, *no}) if self.small() else len(yes) + len(no)

    def lacking(self) -> set[str]:
        """Which criteria of the lock are open."""
        yes, no = self.standing("YES"), self.standing("NO")
        found: set[str] = set()
        if len([a for a in self.commitments if a not in self.excused]) < 2:
            found.add("LOCK-1")
        if not (yes and no):
            found.add("LOCK-2")
        else:
            every = self.pairs() if self.small() else []
            one_each = {*yes, *no} & self.late if self.small() else {*yes, *no}
            opponents = {a: no if a in yes else yes for a in one_each}
            missing = [p for p in every if not self.passed(*p)]
            if missing or not all(any(self.passed(a, o) for o in opponents[a]) for a in one_each):
                found.add("LOCK-3")
        if any(not self.falsifiers.get(a) for a in yes + no):
            found.add("LOCK-4")
        return found

    def most(self) -> int:
        if self.stage != "CRUX_LOCK":
            return {"DISCOVERY": 10, "EVIDENCE": 16}[self.stage]
        committed = len(self.commitments)
        return max(8, committed + 3 * self.required() + 2 if committed > 2 else 8) + self.granted

    def spent(self) -> int:
        return sum(m.counted for m in self.said[self.stage_from :] if m.agent != "moderator")

    def window(self, at_ms: int) -> int:
        return sum(m.agent != "moderator" and m.at_ms > at_ms - 30_000 for m in self.said)

    def replies(self, id: str) -> int:
        return sum(m.reply_to == id for m in self.said)

    def understood(self, author: str, opponent: str) -> bool:
        """Has the author an accurate steelman of somebody on the opponent's side (an uncertain one: of any side)?"""
        own, side = self.sides.get(author, "UNCERTAIN"), self.sides.get(opponent, "UNCERTAIN")
        fitting = {side} if "UNCERTAIN" not in (own, side) else {"YES", "NO"}
        return any(self.passed(author, a) for a, where in self.sides.items() if where in fitting)

    # ---- what is wrong with an event

    def take(self, event: Event, *, owed: bool | None = None) -> list[str]:
        """`owed` says whether a message served a duty; None: judge by its move."""
        found = list(self._wrong(event, owed))
        self._note(event)
        return found

    def _wrong(self, event: Event, owed: bool | None) -> Iterator[str]:
        if self.complete is not None:
            yield f"{event.kind} after the end"
        if event.at_ms < self.at_ms:
            yield f"{event.kind} goes back in time"
        match event:
            case MessagePosted():
                yield from self._posted(event, owed)
            case MessageRefused():
                yield from self._refused(event)
            case ModeratorIntervention():
                yield from self._numbered(event.id)
                if event.question and self.questions:
                    yield "MOD-4: a question is framed though there is one"
            case SteelmanGraded():
                yield from self._graded(event)
            case FalsifierDeclared(message=id):
                said = self.find(id)
                if said is None or falsifier_of(said.move) in (None, *VAGUE):
                    yield "FALS-1: a vague falsifier was accepted"
            case EvidenceProvided(message=id):
                said = self.find(id)
                if said is None or not isinstance(said.move, ProvideEvidence):
                    yield "EVID-1: evidence without a message"
                elif said.move.number not in range(1, self.falsifiers.get(said.move.falsifier_of, 0) + 1):
                    yield "EVID-1: it bears on no falsifier"
            case LockSucceeded():
                if self.stage != "CRUX_LOCK" or self.lacking():
                    yield f"lock_succeeded though {sorted(self.lacking())} is open"
            case LockFailed():
                yield from self._failed_try(event)
            case StageTransition():
                yield from self._moved_on(event)
            case ThreadFailed():
                if self.failed_tries < 4:
                    yield f"LOCK-6: lost after {self.failed_tries} tries"
            case CruxExtracted():
                if self.stage != "EVIDENCE" or event.version > 3:
                    yield "CRUX-5: extracted out of season"
            case _:
                pass

    def _numbered(self, id: str) -> Iterator[str]:
        if id != f"m{len(self.said) + 1}":
            yield f"message {id} comes after {len(self.said)}"

    def _posted(self, event: MessagePosted, owed: bool | None) -> Iterator[str]:
        yield from self._numbered(event.id)
        move, agent, now = event.move, event.agent, event.at_ms
        if self.over:
            yield "a message in a thread that is over"
        if move.kind not in MOVES[self.stage]:
            yield f"STAGE-1: {move.kind} in {self.stage}"
        if event.counted != self._counts(agent, move):
            yield f"STAGE-2: {move.kind} by {agent} counts {event.counted}"
        if event.counted and self.spent() >= self.most():
            yield f"STAGE-2: message {self.spent() + 1} of {self.most()} in {self.stage}"
        if now < self.ready_ms.get(agent, 0):
            yield f"FLOOD-2: {agent} is cooling down until {self.ready_ms[agent]}"
        if self.window(now) >= 12:
            yield f"FLOOD-3: message {self.window(now) + 1} in 30 s"
        exempt = move.kind in OWED if owed is None else owed
        target = self.find(event.reply_to)
        if target is not None and target.agent != "moderator" and not exempt and self.replies(target.id) >= 2:
            yield f"FLOOD-1: reply {self.replies(target.id) + 1} to {target.id}"
        if not event.content.strip() or len(event.content) > 600 or re.search(r"[\x00-\x1f\x7f]", event.content):
            yield "VOC-2: no plain text of up to 600 characters"
        if any(m.content == event.content for m in self.said[-40:] if m.agent != "moderator"):
            yield "VOC-2: said before, word for word"
        if any(self.find(id) is None for id in (event.reply_to, *event.refs) if id is not None):
            yield "VOC-1: it answers nothing"
        yield from self._moved(agent, move)

    def _counts(self, agent: str, move: Move) -> bool:
        here = self.said[self.stage_from :]
        if self.stage == "EVIDENCE" and isinstance(move, Steelman | GradeSteelman):
            return False
        first = not any(m.agent == agent and isinstance(m.move, Clarify) for m in here)
        return not (isinstance(move, Clarify) and first)

    def _moved(self, agent: str, move: Move) -> Iterator[str]:
        match move:
            case Challenge(target=target) | ChallengeEvidence(target=target):
                said = self.find(target)
                if said is None or said.agent == agent:
                    yield "VOC-1: a challenge to nobody"
                elif isinstance(move, ChallengeEvidence) and not isinstance(said.move, ProvideEvidence):
                    yield "EVID-1: a challenge to something else than evidence"
                elif self.stage != "DISCOVERY" and said.agent != "moderator" and not self.understood(agent, said.agent):
                    yield f"STEEL-1: {agent} challenges {said.agent} without an accurate steelman"
            case Claim(proposition=said, reason=reason, confidence=sure):
                if not (said.strip() and reason.strip() and 0 <= sure <= 1):
                    yield "VOC-1: a claim that lacks something"
            case ProposeCrux(question=question) if self.stage == "DISCOVERY":
                if self.questions >= 5:
                    yield "CRUX-8: a sixth question"
                if not question.strip().endswith("?"):
                    yield "CRUX-8: not a question"
            case Steelman(target=target):
                last = self.tries.get((agent, target), [""])[-1]
                if target == agent or target not in self.agents:
                    yield "VOC-1: a steelman of nobody"
                if last and last not in self.grades:
                    yield "STEEL-2: the last one is not graded yet"
            case GradeSteelman(grade=grade, missing=missing):
                if grade == "PENDING" or (grade != "ACCURATE" and not missing.strip()):
                    yield "STEEL-2: no grade"
            case ProvideEvidence(evidence=text):
                if any(isinstance(m.move, ProvideEvidence) and m.move.evidence == text for m in self.said):
                    yield "EVID-1: brought before"
            case Concede(top_changed=changed, side_before=before, side_after=after):
                if changed != (before is not None and after is not None and before != after):
                    yield "CONC-1: not said from which side to which"
            case UpdatePosition(side_before=before):
                if before != self.sides.get(agent, before):
                    yield f"CONC-1: {agent} stands at {self.sides.get(agent)}"
            case _:
                pass

    def _refused(self, event: MessageRefused) -> Iterator[str]:
        """A refusal has to have a reason in the log, too."""
        now = event.at_ms
        if not event.refusals or any(not (r.reason and r.remedy) for r in event.refusals):
            yield "a refusal without reason or remedy"
        for refusal in event.refusals:
            match refusal.rule:
                case "STAGE-1" if event.move in MOVES[self.stage]:
                    yield f"STAGE-1 refuses {event.move} in {self.stage}"
                case "FLOOD-2" if now >= self.ready_ms.get(event.agent, 0):
                    yield f"FLOOD-2 holds {event.agent}, who is ready"
                case "FLOOD-3" if self.window(now) < 12 and not set(self.held) - {event.agent}:
                    yield f"FLOOD-3 holds message {self.window(now) + 1} in 30 s"
                case "CRUX-8" if self.stage != "DISCOVERY":
                    yield "CRUX-8 refuses outside DISCOVERY"
                case _:
                    pass
        timed = any(r.until_ms for r in event.refusals)
        if timed != (event.outcome == "held") or (timed and max(r.until_ms for r in event.refusals) <= now):
            yield "FLOOD-5: held for nothing"

    def _graded(self, event: SteelmanGraded) -> Iterator[str]:
        said = self.find(event.steelman)
        if said is None or not isinstance(said.move, Steelman):
            yield "STEEL-2: a grade for nothing"
            return
        pair = (said.agent, said.move.target)
        tries = self.tries.get(pair, [])
        if said.id not in tries[-1:]:
            yield "STEEL-2: not the last try is graded"
        if event.by != said.move.target and len(tries) < 3:
            yield f"STEEL-2: {event.by} grades a steelman of {said.move.target}"
        own = self.commitments.get(said.move.target)
        if event.grade == "ACCURATE" and own is not None:
            recorded = set(WORD.findall(f"{own.statement} {own.reason}".lower()))
            carried = set(WORD.findall(f"{said.move.claim} {said.move.reason}".lower()))
            if len(recorded) >= 3 and not recorded & carried:
                yield "STEEL-3: ACCURATE without a word of it"

    def _failed_try(self, event: LockFailed) -> Iterator[str]:
        if {m.rule for m in event.missing} != self.lacking() or not event.missing:
            yield f"LOCK-5: {sorted({m.rule for m in event.missing})} listed, {sorted(self.lacking())} open"
        if event.attempt != self.failed_tries + 1 or event.attempt > 4:
            yield f"LOCK-6: try {event.attempt} after {self.failed_tries}"
        wanted = sum(2 if m.rule == "LOCK-3" else 1 for m in event.missing)
        if self.lacking() & {"LOCK-1", "LOCK-2"}:  # then everybody present commits anew
            wanted += len(set(self.agents) - self.excused)
        wanted = max(4, wanted) if event.attempt < 4 else 0
        if event.granted != wanted:
            yield f"LOCK-6: {event.granted} granted, {wanted} are due"

    def _moved_on(self, event: StageTransition) -> Iterator[str]:
        if event.entered == "CRUX_LOCK":
            speakers = {m.agent for m in self.said} & set(self.agents)
            if self.stage != "DISCOVERY" or not self.questions or len(speakers) < 2:
                yield "STAGE-3: CRUX_LOCK without a question and two who spoke"
        elif self.stage != "CRUX_LOCK" or not self.locked:
            yield "STAGE-4: EVIDENCE without a lock"

    def at_rest(self, now_ms: int) -> Iterator[str]:
        """What may not be left open once a command has been decided."""
        if self.complete is not None:
            return
        if self.stage == "CRUX_LOCK" and not self.over and not self.lacking() and not self._moderator_grades():
            yield "LOCK-5: all criteria hold and it did not lock"
        limit = self.settings.max_ms or 300_000 + 30_000 * max(0, len(self.agents) - 5)
        if now_ms >= limit:
            yield "END-1: past its time"
        spoken = sum(m.agent != "moderator" for m in self.said)
        if spoken >= (self.settings.max_messages or max(200, 28 * len(self.agents))):
            yield "END-1: past its messages"

    def _moderator_grades(self) -> bool:
        return any(len(tries) >= 3 and self.grades.get(tries[-1]) != "ACCURATE" for tries in self.tries.values())

    # ---- taking notes

    def _note(self, event: Event) -> None:
        self.at_ms = event.at_ms
        match event:
            case DebateStarted():
                self.settings = event.settings
                self.agents = [seat.id for seat in event.seats]
            case DebateForked():
                self.settings = event.settings
            case MessagePosted():
                self._hear(event)
            case ModeratorIntervention():
                self.said.append(
                    Said(event.id, event.at_ms, "moderator", Clarify(target=event.id, asks=True), "", None, False)
                )
                self.questions += bool(event.question)
            case MessageRefused():
                self.held.pop(event.agent, None)
                if event.outcome == "held":
                    self.held[event.agent] = max(r.until_ms for r in event.refusals)
            case CommitmentMade(message=id):
                said = self.find(id)
                assert said is not None and isinstance(said.move, Commit)
                if said.agent in self.commitments and self.commitments[said.agent].side != said.move.side:
                    # What was said of the side it left does not speak of the new one.
                    self.falsifiers.pop(said.agent, None)
                    self.tries = {pair: tries for pair, tries in self.tries.items() if pair[1] != said.agent}
                self.commitments[said.agent] = said.move
                self.sides[said.agent] = said.move.side
                self.late |= {said.agent} & self.excused
                self.excused.discard(said.agent)
            case FalsifierDeclared(message=id):
                said = self.find(id)
                assert said is not None
                self.falsifiers[said.agent] = self.falsifiers.get(said.agent, 0) + 1
            case SteelmanAttempt(message=id):
                said = self.find(id)
                assert said is not None and isinstance(said.move, Steelman)
                self.tries.setdefault((said.agent, said.move.target), []).append(id)
            case SteelmanGraded():
                self.grades[event.steelman] = event.grade
            case AgentSilent(agent=agent):
                self.excused.add(agent)
                self.sides[agent] = "UNCERTAIN"
            case LockSucceeded():
                self.locked = True
            case LockFailed():
                self.failed_tries, self.granted = event.attempt, self.granted + event.granted
            case StageTransition():
                self.stage, self.stage_from, self.held = event.entered, len(self.said), {}
            case ThreadConverged() | ThreadFailed():
                self.over = True
            case ThreadStale(ended=ended):
                self.over = self.over or ended
            case DebateComplete():
                self.complete = event
            case _:
                pass

    def _hear(self, event: MessagePosted) -> None:
        self.said.append(
            Said(event.id, event.at_ms, event.agent, event.move, event.content, event.reply_to, event.counted)
        )
        self.ready_ms[event.agent] = event.at_ms + event.cooldown_ms
        self.held.pop(event.agent, None)
        if isinstance(event.move, ProposeCrux) and self.stage == "DISCOVERY":
            self.questions += 1
        if isinstance(event.move, UpdatePosition):
            self.sides[event.agent] = event.move.side_after


def falsifier_of(move: Move) -> Falsifier | None:
    return move.falsifier if isinstance(move, Commit | DeclareFalsifier) else None
