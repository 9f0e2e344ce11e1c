"""What the specification says of a log, read from the raw events alone: nothing here asks a rule of the program.

`take` is given one event after the other and returns what is wrong with it, by rule id.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from cruxfinder.crux.events import (
    CoalitionDetected,
    CruxesRelated,
    CruxExtracted,
    CruxPromoted,
    Dependency,
    EvidenceProvided,
    FalsifierDeclared,
    GlobalConvergence,
    LockFailed,
    LockSucceeded,
    MessagePosted,
    MessageRefused,
    ModeratorIntervention,
    RelationAnswered,
    StageTransition,
    SteelmanGraded,
    ThreadCreated,
    ThreadFailed,
    ThreadMerged,
    ThreadProposed,
    ThreadStale,
)
from cruxfinder.crux.moves import (
    Challenge,
    ChallengeEvidence,
    Claim,
    Commit,
    Concede,
    DeclareFalsifier,
    GradeSteelman,
    Move,
    ProposeCrux,
    ProvideEvidence,
    Steelman,
    UpdatePosition,
)
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.run_facts import DebateComplete, DebateForked, DebateStarted
from cruxfinder.kernel.settings import Settings
from cruxfinder.protocols.any_run import AnyEvent
from tests.machines.notes import Notes, heard, note, stepped_in

WORD: Final = re.compile(r"[a-z]{5,}")
MOVES: Final = {
    "DISCOVERY": "CLAIM CHALLENGE CLARIFY REFRAME PROPOSE_CRUX".split(),
    "CRUX_LOCK": "STEELMAN GRADE_STEELMAN COMMIT_POSITION DECLARE_FALSIFIER CLARIFY".split(),
    "EVIDENCE": (
        "PROVIDE_EVIDENCE CHALLENGE_EVIDENCE UPDATE_POSITION CONCEDE PROPOSE_CRUX STEELMAN GRADE_STEELMAN".split()
    ),
}
OWED: Final = {"STEELMAN", "GRADE_STEELMAN", "COMMIT_POSITION", "DECLARE_FALSIFIER"}
UNPROPOSED: Final = ("horizon", "reopened")  # threads a rule opens by itself
VAGUE: Final = (
    Falsifier(metric="reserve holdings", threshold="seems weaker", deadline="by 2029"),
    Falsifier(metric="reserve holdings", threshold="falls below 40 percent", deadline="someday"),
    Falsifier(metric="it probably shows", threshold="falls below 40 percent", deadline="by 2029"),
    Falsifier(metric="reserve holdings", threshold="quite bad", deadline="by 2029"),
    Falsifier(metric=" ", threshold="falls below 40 percent", deadline="by 2029"),
)


@dataclass
class Oracle:
    """The state of a log as the specification tells it."""

    settings: Settings = Settings()
    agents: list[str] = field(default_factory=list[str])
    at_ms: int = 0
    numbered: int = 0  # messages of anybody
    spoken: int = 0  # messages of agents
    ready_ms: dict[str, int] = field(default_factory=dict[str, int])
    threads: dict[str, Notes] = field(default_factory=dict[str, Notes])
    proposals: dict[str, ThreadProposed] = field(default_factory=dict[str, ThreadProposed])
    settled: set[str] = field(default_factory=set[str])  # proposals opened or merged
    agenda: list[str] = field(default_factory=list[str])
    answers: dict[tuple[str, str], list[RelationAnswered]] = field(
        default_factory=dict[tuple[str, str], list[RelationAnswered]]
    )
    related: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    copies: set[str] = field(default_factory=set[str])  # threads that ask what an earlier one asked
    coalitions: CoalitionDetected | None = None
    over: bool = False  # global_convergence was told
    complete: DebateComplete | None = None

    # ---- what the log says

    def active(self) -> list[Notes]:
        return [t for t in self.threads.values() if not t.over]

    def disputes(self) -> list[Notes]:
        return [t for t in self.active() if t.stage != "DISCOVERY"]

    def crystallised(self) -> list[Notes]:
        return [t for t in self.threads.values() if t.converged and t.extracted]

    def time_ms(self) -> int:
        return self.settings.max_ms or 300_000 + 30_000 * max(0, len(self.agents) - 5)

    def messages(self) -> int:
        return self.settings.max_messages or max(200, 28 * len(self.agents))

    def room(self, at_ms: int) -> bool:
        enough = self.messages() - self.spoken >= 28 + 4 * len(self.agents)
        return enough and self.time_ms() - at_ms >= 150_000

    def threads_most(self) -> int:
        return max(1, min(4, len(self.agents) // 2))

    # ---- what is wrong with an event

    def take(self, event: AnyEvent, *, owed: bool | None = None) -> list[str]:
        """`owed` says whether a message served a duty; None: judge by its move."""
        found = list(self._wrong(event, owed))
        self._note(event)
        return found

    def _wrong(self, event: AnyEvent, owed: bool | None) -> Iterator[str]:
        if self.complete is not None:
            yield f"{event.kind} after the end"
        if event.at_ms < self.at_ms:
            yield f"{event.kind} goes back in time"
        match event:
            case ThreadCreated():
                yield from self._created(event)
            case ThreadProposed():
                yield from self._proposed(event)
            case ThreadMerged():
                yield from self._merged(event)
            case CruxPromoted():
                yield from self._promoted(event)
            case RelationAnswered(first=first, second=second):
                if not {first, second} <= {t.id for t in self.crystallised()} or (first, second) in self.related:
                    yield f"CRY-2: {first} and {second} are not to be compared"
            case CruxesRelated():
                yield from self._related(event)
            case CoalitionDetected():
                yield from self._allied(event)
            case GlobalConvergence():
                if self.active() or event.threads != len(self.threads):
                    yield "END-1: a thread is still open"
                if sorted(event.cruxes) != sorted(t.id for t in self.crystallised()):
                    yield "CRY-3: not the cruxes there are"
            case DebateComplete(ending=ending):
                if (ending == "natural") != self.over:
                    yield f"END-1: it ends {ending}"
            case _:
                id = getattr(event, "thread", None)
                if id is not None:
                    yield from self._in_thread(self.threads[id], event, owed)

    def _in_thread(self, here: Notes, event: AnyEvent, owed: bool | None) -> Iterator[str]:
        match event:
            case MessagePosted():
                yield from self._posted(here, event, owed)
            case MessageRefused():
                yield from self._refused(here, event)
            case ModeratorIntervention():
                yield from self._intervened(here, event)
            case SteelmanGraded():
                yield from graded(here, event)
            case FalsifierDeclared(message=id):
                said = here.find(id)
                if said is None or falsifier_of(said.move) in (None, *VAGUE):
                    yield "FALS-1: a vague falsifier was accepted"
            case EvidenceProvided(message=id):
                said = here.find(id)
                if said is None or not isinstance(said.move, ProvideEvidence):
                    yield "EVID-1: evidence without a message"
                elif said.move.number not in range(1, here.falsifiers.get(said.move.falsifier_of, 0) + 1):
                    yield "EVID-1: it bears on no falsifier"
            case LockSucceeded():
                if here.stage != "CRUX_LOCK" or here.lacking():
                    yield f"lock_succeeded though {sorted(here.lacking())} is open"
            case LockFailed():
                yield from self._failed_try(here, event)
            case StageTransition():
                yield from self._moved_on(here, event)
            case ThreadFailed():
                if here.failed_tries < 4:
                    yield f"LOCK-6: lost after {here.failed_tries} tries"
            case ThreadStale():
                yield from self._stale(here, event)
            case CruxExtracted():
                if here.stage != "EVIDENCE" or event.version > 3:
                    yield "CRUX-5: extracted out of season"
            case _:
                pass

    # ---- threads beside one another

    def _created(self, event: ThreadCreated) -> Iterator[str]:
        if event.thread != f"t{len(self.threads) + 1}":
            yield f"thread {event.thread} comes after {len(self.threads)}"
        if not self.threads:
            return
        if event.parent not in self.threads or event.trigger is None:
            yield "THR-1: a thread that comes from nowhere"
        if len(self.active()) >= self.threads_most():
            yield f"FLOOD-4: thread {len(self.active()) + 1} beside one another"
        if not self.room(event.at_ms):
            yield "THR-1: no room for one more"
        again = event.trigger == "reopened"  # then it may have had a thread, but no lock in it
        known = [t.question for t in self.threads.values()]
        known += [t.questions[0] for t in self.threads.values() if t.trigger == "reopened" or (t.parent and not again)]
        if event.trigger != "horizon" and event.question in known:
            yield "THR-1: a thread asks this already"
        if event.trigger not in UNPROPOSED:
            yield from self._ready(event.proposal)
            told = self.proposals.get(event.proposal or "")
            if event.distance is not None and event.distance < 0.3:
                yield f"THR-1: {event.distance} away from a thread"
            if told is not None and (event.question, event.trigger) != (told.question, told.trigger):
                yield "THR-1: not what was proposed"
        elif again and self.active():
            yield "AGE-2: re-opened while others are open"
        elif event.trigger == "horizon" and not (event.only and event.horizon and len(event.members) > 3):
            yield "MOD-6: split for too few"

    def _ready(self, proposal: str | None) -> Iterator[str]:
        told = self.proposals.get(proposal or "")
        if told is None or told.proposal in self.settled:
            yield "THR-1: nobody proposed it"
        elif not told.question:
            yield "THR-1: no question"
        elif told.trigger != "three-way" and min(len(told.supporters), len(told.mentions)) < 2:
            yield "THR-1: two have to take it up"

    def _proposed(self, event: ThreadProposed) -> Iterator[str]:
        before = self.proposals.get(event.proposal)
        said = {m.id for t in self.threads.values() for m in t.said}
        if not set(event.mentions) <= said or len(set(event.mentions)) < len(event.mentions):
            yield "THR-1: mentioned where nobody spoke"
        speakers = {m.agent for t in self.threads.values() for m in t.said if m.id in event.mentions}
        if set(event.supporters) != speakers or "moderator" in event.supporters:
            yield f"THR-1: {sorted(event.supporters)} support what {sorted(speakers)} spoke of"
        if before is None:
            if event.proposal != f"p{len(self.proposals) + 1}":
                yield f"proposal {event.proposal} comes after {len(self.proposals)}"
            if sum(p.thread == event.thread for p in self.proposals.values()) >= 8:
                yield "THR-1: a ninth proposal in a thread"
        elif event.proposal in self.settled:
            yield "THR-1: proposed again though it is settled"

    def _merged(self, event: ThreadMerged) -> Iterator[str]:
        into = self.threads[event.into]
        if event.distance >= 0.3:
            yield f"THR-4: merged at {event.distance}"
        if into.over:
            yield "THR-4: merged into a thread that is over"
        if event.adds and into.stage != "DISCOVERY":
            yield "THR-4: a question comes too late"
        if event.thread is None:
            yield from self._ready(event.proposal)
            return
        gone = self.threads[event.thread]
        if gone.over or gone.stage != "DISCOVERY" or gone.trigger == "horizon" or gone.parent is None:
            yield f"THR-4: {gone.id} cannot be merged any more"
        if event.adds and len(into.questions) + len(gone.questions) > 5:
            yield "CRUX-8: more than five questions"

    def _promoted(self, event: CruxPromoted) -> Iterator[str]:
        on = [id for id in self.agenda if not self.threads[id].over]
        if self.threads[event.thread] not in self.disputes() or event.thread in on:
            yield f"AGE-1: {event.thread} is promoted"
        if event.replaces is not None and event.replaces not in on:
            yield f"AGE-1: {event.replaces} is not on the agenda"
        if len(on) - (event.replaces is not None) >= 2:
            yield "AGE-1: a third dispute"

    def _related(self, event: CruxesRelated) -> Iterator[str]:
        pair = (event.first, event.second)
        given = {a.agent: a for a in self.answers.get(pair, []) if not a.failed}
        if pair in self.related or pair not in self.answers:
            yield f"CRY-2: {pair} compared without an answer, or twice"
        if event.root not in (None, *pair) or (event.same and (event.root or event.dependencies)):
            yield "CRY-2: the same question twice bears on nothing"
        for found in event.dependencies:
            if {found.from_crux, found.to_crux} != set(pair) or not {found.by, found.second} <= set(given):
                yield "CRY-2: a relation nobody spoke of"
            elif found.by == found.second or not all(
                holds(given[a], found, forth=found.from_crux == event.first) for a in (found.by, found.second)
            ):
                yield f"CRY-2: {found.by} and {found.second} do not hold {found.relation}"

    def _allied(self, event: CoalitionDetected) -> Iterator[str]:
        members = [a for g in event.groups for a in g.members]
        if len(set(members)) < len(members) or not set(members) <= set(self.agents):
            yield "COAL-1: in two coalitions, or not at the table"
        if any(len(g.members) < 2 for g in event.groups):
            yield "COAL-1: a coalition of one"
        distinct = [t for t in self.crystallised() if t.id not in self.copies]
        if event.cruxes != len(distinct) or event.cruxes < 2:
            yield f"COAL-1: {event.cruxes} cruxes of {len(distinct)}"
        if event.cruxes < 3 and not event.preliminary:
            yield "COAL-1: preliminary with two cruxes only"
        for group in event.groups:
            for thread, side in group.positions:
                here = self.threads[thread]
                held = [here.corrected.get(a, here.sides.get(a)) for a in group.members]
                if {*held} - {"UNCERTAIN", None} != {side}:
                    yield f"COAL-1: {group.members} do not share {side} in {thread}"

    # ---- messages

    def _numbered(self, id: str) -> Iterator[str]:
        if id != f"m{self.numbered + 1}":
            yield f"message {id} comes after {self.numbered}"

    def _intervened(self, here: Notes, event: ModeratorIntervention) -> Iterator[str]:
        yield from self._numbered(event.id)
        here_now = here.here()
        match event.cause:
            case _ if here.over:
                yield "the moderator speaks in a thread that is over"
            case "MOD-1":
                last = [m.move for m in here_now[-8:]]
                if (
                    here.stage == "CRUX_LOCK"
                    or len(last) < 8
                    or any(isinstance(m, Concede | ProposeCrux) for m in last)
                ):
                    yield "MOD-1: it does not go in circles"
            case "MOD-2" if here.stage != "DISCOVERY" or len([m for m in here.said if m.agent != "moderator"]) < 12:
                yield "MOD-2: too early"
            case "MOD-4" if here.questions:
                yield "MOD-4: a question is framed though there is one"
            case "AGE-2" if not event.invites or set(event.to) & here.taking_part(self.agents):
                yield "AGE-2: invited though it takes part"
            case "MOD-6" if here.stage != "DISCOVERY" or here.horizon is not None or event.horizon is None:
                yield "MOD-6: aligned out of season"
            case _ if event.question and event.cause != "MOD-4":
                yield f"MOD-4: {event.cause} frames a question"
            case _:
                pass

    def _posted(self, here: Notes, event: MessagePosted, owed: bool | None) -> Iterator[str]:
        yield from self._numbered(event.id)
        move, agent, now = event.move, event.agent, event.at_ms
        if here.over:
            yield "a message in a thread that is over"
        if move.kind not in MOVES[here.stage]:
            yield f"STAGE-1: {move.kind} in {here.stage}"
        if event.counted != here.counts(agent, move):
            yield f"STAGE-2: {move.kind} by {agent} counts {event.counted}"
        if event.counted and here.spent >= here.most():
            yield f"STAGE-2: message {here.spent + 1} of {here.most()} in {here.stage}"
        if now < self.ready_ms.get(agent, 0):
            yield f"FLOOD-2: {agent} is cooling down until {self.ready_ms[agent]}"
        if here.window(now) >= 12:
            yield f"FLOOD-3: message {here.window(now) + 1} in 30 s"
        exempt = move.kind in OWED if owed is None else owed
        target = here.find(event.reply_to)
        if target is not None and target.agent != "moderator" and not exempt and here.replies(target.id) >= 2:
            yield f"FLOOD-1: reply {here.replies(target.id) + 1} to {target.id}"
        if not event.content.strip() or len(event.content) > 600 or re.search(r"[\x00-\x1f\x7f]", event.content):
            yield "VOC-2: no plain text of up to 600 characters"
        if any(m.content == event.content for m in here.said[-40:] if m.agent != "moderator"):
            yield "VOC-2: said before, word for word"
        if any(here.find(id) is None for id in (event.reply_to, *event.refs) if id is not None):
            yield "VOC-1: it answers nothing"
        yield from self._moved(here, agent, move, joins=event.joins is not None)

    def _moved(self, here: Notes, agent: str, move: Move, *, joins: bool) -> Iterator[str]:
        match move:
            case Challenge(target=target) | ChallengeEvidence(target=target):
                said = here.find(target)
                if said is None or said.agent == agent:
                    yield "VOC-1: a challenge to nobody"
                elif isinstance(move, ChallengeEvidence) and not isinstance(said.move, ProvideEvidence):
                    yield "EVID-1: a challenge to something else than evidence"
                elif here.stage != "DISCOVERY" and said.agent != "moderator" and not here.understood(agent, said.agent):
                    yield f"STEEL-1: {agent} challenges {said.agent} without an accurate steelman"
            case Claim(proposition=said, reason=reason, confidence=sure):
                if not (said.strip() and reason.strip() and 0 <= sure <= 1):
                    yield "VOC-1: a claim that lacks something"
            case ProposeCrux(question=question):
                yield from self._asked(here, question, joins)
            case Commit(horizon=horizon):
                if here.horizon is not None and horizon != here.horizon:
                    yield f"MOD-6: {horizon} where the question is taken at {here.horizon}"
            case Steelman(target=target):
                last = here.tries.get((agent, target), [""])[-1]
                if target == agent or target not in self.agents:
                    yield "VOC-1: a steelman of nobody"
                if last and last not in here.grades:
                    yield "STEEL-2: the last one is not graded yet"
            case GradeSteelman(grade=grade, missing=missing):
                if grade == "PENDING" or (grade != "ACCURATE" and not missing.strip()):
                    yield "STEEL-2: no grade"
            case ProvideEvidence(evidence=text):
                if any(isinstance(m.move, ProvideEvidence) and m.move.evidence == text for m in here.said):
                    yield "EVID-1: brought before"
            case Concede(top_changed=changed, side_before=before, side_after=after):
                if changed != (before is not None and after is not None and before != after):
                    yield "CONC-1: not said from which side to which"
            case UpdatePosition(side_before=before):
                if before != here.sides.get(agent, before):
                    yield f"CONC-1: {agent} stands at {here.sides.get(agent)}"
            case _:
                pass

    def _asked(self, here: Notes, question: str, joins: bool) -> Iterator[str]:
        if here.stage == "EVIDENCE":  # who asks an open proposal again supports it
            if any(question in t.questions for t in self.threads.values()):
                yield "STAGE-6: a deeper question that is known"
            return
        if joins:
            if question in here.questions:
                yield "CRUX-11: the same words again are no other words"
            return
        if len(here.questions) >= (8 if here.looked_again else 5):
            yield "CRUX-8: too many questions"
        if not question.strip().endswith("?"):
            yield "CRUX-8: not a question"
        if any(question in t.questions for t in self.active()):
            yield "CRUX-8: it is asked already"

    def _refused(self, here: Notes, event: MessageRefused) -> Iterator[str]:
        """A refusal has to have a reason in the log, too."""
        now = event.at_ms
        if not event.refusals or any(not (r.reason and r.remedy) for r in event.refusals):
            yield "a refusal without reason or remedy"
        for refusal in event.refusals:
            match refusal.rule:
                case "STAGE-1" if event.move in MOVES[here.stage]:
                    yield f"STAGE-1 refuses {event.move} in {here.stage}"
                case "STAGE-6" if here.stage != "EVIDENCE" or event.move != "PROPOSE_CRUX":
                    yield f"STAGE-6 refuses {event.move} in {here.stage}"
                case "FLOOD-2" if now >= self.ready_ms.get(event.agent, 0):
                    yield f"FLOOD-2 holds {event.agent}, who is ready"
                case "FLOOD-3" if here.window(now) < 12 and not set(here.held) - {event.agent}:
                    yield f"FLOOD-3 holds message {here.window(now) + 1} in 30 s"
                case "MOD-6" if not (here.only and event.agent not in here.members) and (
                    here.horizon is None or event.move != "COMMIT_POSITION"
                ):
                    yield "MOD-6 refuses where nothing is aligned"
                case "CRUX-8" if here.stage == "EVIDENCE" or event.move != "PROPOSE_CRUX":
                    yield f"CRUX-8 refuses {event.move} in {here.stage}"
                case _:
                    pass
        timed = any(r.until_ms for r in event.refusals)
        if timed != (event.outcome == "held") or (timed and max(r.until_ms for r in event.refusals) <= now):
            yield "FLOOD-5: held for nothing"

    # ---- stages

    def _failed_try(self, here: Notes, event: LockFailed) -> Iterator[str]:
        if {m.rule for m in event.missing} != here.lacking() or not event.missing:
            yield f"LOCK-5: {sorted({m.rule for m in event.missing})} listed, {sorted(here.lacking())} open"
        if event.attempt != here.failed_tries + 1 or event.attempt > 4:
            yield f"LOCK-6: try {event.attempt} after {here.failed_tries}"
        wanted = sum(2 if m.rule == "LOCK-3" else 1 for m in event.missing)
        if here.lacking() & {"LOCK-1", "LOCK-2"}:  # then everybody present commits anew
            wanted += len(here.taking_part(self.agents) - here.excused)
        wanted = max(4, wanted) if event.attempt < 4 else 0
        if event.granted != wanted:
            yield f"LOCK-6: {event.granted} granted, {wanted} are due"

    def _moved_on(self, here: Notes, event: StageTransition) -> Iterator[str]:
        if event.entered == "CRUX_LOCK":
            speakers = {m.agent for m in here.said} & set(self.agents)
            if here.stage != "DISCOVERY" or not here.questions or len(speakers) < 2:
                yield "STAGE-3: CRUX_LOCK without a question and two who spoke"
        elif here.stage != "CRUX_LOCK" or not here.locked:
            yield "STAGE-4: EVIDENCE without a lock"

    def _stale(self, here: Notes, event: ThreadStale) -> Iterator[str]:
        if here.over or event.stage != here.stage or here.stage == "CRUX_LOCK":
            yield f"THR-3: stale in {here.stage}"
        elif event.ended:
            if here.stage != "DISCOVERY":
                yield f"THR-3: ended in {here.stage}"
        elif here.held or event.at_ms - here.last_ms() < 30_000 * len(self.active()):
            yield "THR-3: stale though somebody spoke of late, or waits to"

    def at_rest(self, now_ms: int) -> Iterator[str]:
        """What may not be left open once a command has been decided."""
        if self.complete is not None:
            return
        for here in self.active():
            if here.stage == "CRUX_LOCK" and not here.lacking() and not here.moderator_grades():
                yield f"LOCK-5: all criteria hold in {here.id} and it did not lock"
        on = [id for id in self.agenda if not self.threads[id].over]
        if len(on) != min(2, len(self.disputes())):
            yield f"AGE-1: {on} of {[t.id for t in self.disputes()]} on the agenda"
        if now_ms >= self.time_ms():
            yield "END-1: past its time"
        if self.spoken >= self.messages():
            yield "END-1: past its messages"

    # ---- taking notes

    def _note(self, event: AnyEvent) -> None:
        self.at_ms = event.at_ms
        match event:
            case DebateStarted():
                self.settings = event.settings
                self.agents = [seat.id for seat in event.seats]
            case DebateForked():
                self.settings = event.settings
            case ThreadCreated():
                self.threads[event.thread] = Notes(
                    id=event.thread,
                    created_ms=event.at_ms,
                    stage_ms=event.at_ms,
                    parent=event.parent,
                    trigger=event.trigger,
                    only=event.only,
                    horizon=event.horizon,
                    members=set(event.members),
                    questions=[event.question] if event.question else [],
                )
                self.settled |= {event.proposal} if event.proposal else set()
            case ThreadProposed():
                self.proposals[event.proposal] = event
            case ThreadMerged():
                self._note_merged(event)
            case CruxPromoted():
                on = [id for id in self.agenda if id != event.replaces and not self.threads[id].over]
                self.agenda = [*on, event.thread]
            case RelationAnswered():
                self.answers.setdefault((event.first, event.second), []).append(event)
            case CruxesRelated():
                self.related.add((event.first, event.second))
                self.copies |= {event.second} if event.same else set()
            case CoalitionDetected():
                self.coalitions = event
            case GlobalConvergence():
                self.over = True
            case DebateComplete():
                self.complete = event
            case MessagePosted():
                self.numbered, self.spoken = self.numbered + 1, self.spoken + 1
                self.ready_ms[event.agent] = event.at_ms + event.cooldown_ms
                heard(self.threads[event.thread], event)
            case ModeratorIntervention():
                self.numbered += 1
                stepped_in(self.threads[event.thread], event)
            case _:
                id = getattr(event, "thread", None)
                if id is not None:
                    note(self.threads[id], event)

    def _note_merged(self, event: ThreadMerged) -> None:
        into = self.threads[event.into]
        if event.thread is not None:
            into.join(self.threads[event.thread], adds=event.adds)
        elif event.proposal is not None:
            self.settled.add(event.proposal)
            into.questions += [self.proposals[event.proposal].question] if event.adds else []


def graded(here: Notes, event: SteelmanGraded) -> Iterator[str]:
    said = here.find(event.steelman)
    if said is None or not isinstance(said.move, Steelman):
        yield "STEEL-2: a grade for nothing"
        return
    tries = here.tries.get((said.agent, said.move.target), [])
    if said.id not in tries[-1:]:
        yield "STEEL-2: not the last try is graded"
    if event.by != said.move.target and len(tries) < 3:
        yield f"STEEL-2: {event.by} grades a steelman of {said.move.target}"
    own = here.commitments.get(said.move.target)
    if event.grade == "ACCURATE" and own is not None:
        recorded = set(WORD.findall(f"{own.statement} {own.reason}".lower()))
        carried = set(WORD.findall(f"{said.move.claim} {said.move.reason}".lower()))
        if len(recorded) >= 3 and not recorded & carried:
            yield "STEEL-3: ACCURATE without a word of it"


def holds(answer: RelationAnswered, found: Dependency, *, forth: bool) -> bool:
    """Do the numbers an agent gave say what is told of it?"""
    if_yes, if_no = (answer.second_if_yes, answer.second_if_no) if forth else (answer.first_if_yes, answer.first_if_no)
    argued = len((answer.sketch if forth else answer.back).strip()) >= 20
    rising = if_no > if_yes if found.relation == "CONTRADICTS" else if_yes > if_no
    sure = {"ENTAILS": if_yes, "CONTRADICTS": 1 - if_yes}.get(found.relation, 0.5 + if_yes - if_no)
    return (
        argued and rising and abs(if_yes - if_no) >= 0.2 and sure >= found.confidence - 1e-3 and found.confidence >= 0.8
    )


def falsifier_of(move: Move) -> Falsifier | None:
    return move.falsifier if isinstance(move, Commit | DeclareFalsifier) else None
