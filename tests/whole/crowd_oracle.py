"""What the specification says of many threads at once, read from the raw events of a log alone.

FLOOD-1 to FLOOD-4, THR-1, THR-3, THR-4, STAGE-2 and END-1: `faults` names every event that breaks one of them. No rule
of the program is asked; distances between questions are measured anew where a measure is handed in.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from cruxfinder.crux.events import (
    AgentSilent,
    CommitmentMade,
    LockFailed,
    MessagePosted,
    ModeratorIntervention,
    StageTransition,
    ThreadConverged,
    ThreadCreated,
    ThreadFailed,
    ThreadMerged,
    ThreadProposed,
    ThreadStale,
)
from cruxfinder.crux.moves import Commit, ProposeCrux
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.run_facts import DebateComplete, DebateStarted
from cruxfinder.protocols.any_run import AnyEvent

YES_OR_NO: Final = re.compile(
    r"(is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must)\b.*\?", re.I | re.S
)
OWED: Final = {
    "CRUX_LOCK": ("STEELMAN", "GRADE_STEELMAN", "COMMIT_POSITION", "DECLARE_FALSIFIER"),
    "EVIDENCE": ("GRADE_STEELMAN",),
    "DISCOVERY": (),
}
NOBODY: Final = ("moderator", "devils-advocate")
LOOK_MS: Final = 5_000  # the moderator's clock looks this often whether time is up
UNASKED: Final = ("three-way", "horizon", "reopened")  # a rule opens these


@dataclass
class Budget:
    """STAGE-2: how many messages a stage may have, and how many of them were said."""

    stage: str = "DISCOVERY"
    discovery: int = 10
    spent: int = 0
    granted: int = 0
    clarified: set[str] = field(default_factory=set)
    sides: dict[str, str] = field(default_factory=dict)  # as committed
    excused: set[str] = field(default_factory=set)
    late: set[str] = field(default_factory=set)  # committed after they had been excused

    def counts(self, event: MessagePosted) -> bool:
        kind = str(event.move.kind)
        if self.stage == "EVIDENCE" and kind in ("STEELMAN", "GRADE_STEELMAN"):
            return False
        return kind != "CLARIFY" or event.agent in self.clarified

    def required(self) -> int:
        """STEEL-4: how many steelmans the lock takes."""
        yes, no = ({a for a, s in self.sides.items() if s == side} - self.excused for side in ("YES", "NO"))
        if not (yes and no):
            return 0
        if max(len(yes), len(no)) > 2:
            return len(yes) + len(no)
        return 2 * len(yes - self.late) * len(no - self.late) + len((yes | no) & self.late)

    def most(self) -> int:
        if self.stage != "CRUX_LOCK":
            return {"DISCOVERY": self.discovery, "EVIDENCE": 16}[self.stage]
        committed = len(self.sides)
        return (max(8, committed + 3 * self.required() + 2) if committed > 2 else 8) + self.granted

    def wrong(self, event: MessagePosted) -> Iterator[str]:
        if event.counted != self.counts(event):
            yield f"STAGE-2: {event.move.kind} by {event.agent} counts {event.counted}"
        if event.counted and self.spent >= self.most():
            yield f"STAGE-2: message {self.spent + 1} of {self.most()} in {self.stage}"

    def say(self, event: MessagePosted) -> None:
        self.spent += event.counted
        if event.move.kind == "CLARIFY":
            self.clarified.add(event.agent)

    def commit(self, agent: str, side: str) -> None:
        self.sides[agent] = side
        self.late |= {agent} & self.excused
        self.excused.discard(agent)

    def enter(self, stage: str) -> None:
        self.stage, self.spent, self.clarified = stage, 0, set()


@dataclass
class Thread:
    """One thread of a log: who said what when, and what is asked in it."""

    made: ThreadCreated
    budget: Budget = field(default_factory=Budget)
    said: list[MessagePosted | ModeratorIntervention] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    locked: str = ""
    only: tuple[str, ...] = ()
    over: bool = False
    stage_ms: int = 0
    stale: bool = False

    @property
    def question(self) -> str:
        if self.locked:
            return self.locked
        return self.questions[0] if self.made.parent is not None and self.questions else self.made.topic

    def spoken(self) -> list[MessagePosted]:
        return [m for m in self.said if isinstance(m, MessagePosted)]


@dataclass
class CrowdOracle:
    like: Likeness | None = None
    started: DebateStarted | None = None
    threads: dict[str, Thread] = field(default_factory=dict)
    proposals: dict[str, ThreadProposed] = field(default_factory=dict)
    raised_in: dict[str, set[str]] = field(default_factory=dict)
    messages: dict[str, MessagePosted] = field(default_factory=dict)
    ready_ms: dict[str, int] = field(default_factory=dict)
    spoken: int = 0
    at_ms: int = 0
    complete: bool = False

    # ---- the limits of a table

    @property
    def agents(self) -> int:
        assert self.started is not None
        return len(self.started.seats)

    @property
    def most_ms(self) -> int:
        assert self.started is not None
        return self.started.settings.max_ms or 300_000 + 30_000 * max(0, self.agents - 5)

    @property
    def most_messages(self) -> int:
        assert self.started is not None
        return self.started.settings.max_messages or max(200, 28 * self.agents)

    @property
    def active(self) -> list[Thread]:
        return [t for t in self.threads.values() if not t.over]

    # ---- what is wrong with an event

    def take(self, event: AnyEvent) -> list[str]:
        found = list(self._wrong(event))
        self._note(event)
        return [f"{event.at_ms} {event.kind}: {fault}" for fault in found]

    def _wrong(self, event: AnyEvent) -> Iterator[str]:
        if self.complete:
            yield "after the end"
        if event.at_ms < self.at_ms:
            yield "it goes back in time"
        match event:
            case MessagePosted():
                yield from self._posted(event, self.threads[event.thread])
            case ThreadCreated() if self.threads:
                yield from self._created(event)
            case ThreadProposed():
                told = self.raised_in.get(event.thread, set()) | {event.proposal}
                if len(told) > 8:
                    yield f"THR-1: proposal {len(told)} in {event.thread}"
            case ThreadMerged():
                yield from self._merged(event)
            case ThreadStale(ended=False):
                yield from self._stale(event, self.threads[event.thread])
            case DebateComplete():
                if event.at_ms > self.most_ms + LOOK_MS:
                    yield f"END-1: past {self.most_ms} ms"
            case _:
                pass

    def _posted(self, event: MessagePosted, thread: Thread) -> Iterator[str]:
        now = event.at_ms
        if thread.over:
            yield f"a message in {event.thread}, which is over"
        if thread.only and event.agent not in thread.only:
            yield f"MOD-6: {event.agent} speaks in {event.thread}, which is for others"
        if self.spoken >= self.most_messages:
            yield f"END-1: message {self.spoken + 1} of {self.most_messages}"
        if now > self.most_ms:
            yield f"END-1: past {self.most_ms} ms"
        if not 6_000 <= event.cooldown_ms <= 12_000:
            yield f"FLOOD-2: a cooldown of {event.cooldown_ms} ms"
        if now < self.ready_ms.get(event.agent, 0):
            yield f"FLOOD-2: {event.agent} is cooling down until {self.ready_ms[event.agent]}"
        window = 1 + sum(m.at_ms > now - 30_000 for m in thread.spoken())
        if window > 12:
            yield f"FLOOD-3: message {window} in 30 s of {event.thread}"
        if event.reply_to is not None:
            yield from self._replied(event, thread)
        yield from thread.budget.wrong(event)

    def _replied(self, event: MessagePosted, thread: Thread) -> Iterator[str]:
        target = next((m for m in thread.said if m.id == event.reply_to), None)
        if target is None:
            yield f"VOC-1: there is no {event.reply_to} in {event.thread}"
        elif isinstance(target, MessagePosted) and event.move.kind not in OWED[thread.budget.stage]:
            before = sum(m.reply_to == target.id for m in thread.spoken())
            if before >= 2:
                yield f"FLOOD-1: reply {before + 1} to {target.id}"

    def _created(self, event: ThreadCreated) -> Iterator[str]:
        active = self.active
        most = max(1, min(4, self.agents // 2))
        if len(active) >= most:
            yield f"FLOOD-4: thread {len(active) + 1} of {most}"
        if event.thread in self.threads:
            yield f"THR-1: {event.thread} is there already"
        if event.parent not in self.threads:
            yield f"THR-1: its parent is {event.parent}"
        if not YES_OR_NO.fullmatch(event.question.strip()):
            yield f"THR-1: not a yes-or-no question: {event.question!r}"
        if self.most_ms - event.at_ms < 150_000:
            yield f"THR-1: only {self.most_ms - event.at_ms} ms left"
        if self.most_messages - self.spoken < 28 + 4 * self.agents:
            yield f"THR-1: only {self.most_messages - self.spoken} messages left"
        if str(event.trigger) != "horizon":
            yield from self._apart(event, active)
        if str(event.trigger) not in UNASKED:
            yield from self._supported(event)

    def _apart(self, event: ThreadCreated, active: list[Thread]) -> Iterator[str]:
        if (event.distance is None) != (not active):
            yield f"THR-1: a distance of {event.distance} from {len(active)} threads"
        if event.distance is not None and event.distance < 0.3:
            yield f"THR-1: {event.distance} from the nearest thread"
        for thread in active if self.like is not None else ():
            assert self.like is not None
            apart = self.like.distance(event.question, thread.question)
            if apart < 0.3:
                yield f"THR-1: measured anew, {apart:.3f} from {thread.made.thread}"

    def _supported(self, event: ThreadCreated) -> Iterator[str]:
        told = self.proposals.get(event.proposal or "")
        if told is None:
            yield f"THR-1: nobody proposed it ({event.proposal})"
            return
        if told.question != event.question:
            yield "THR-1: another question was proposed"
        said = [self.messages[id] for id in dict.fromkeys(told.mentions) if id in self.messages]
        if len(said) < 2:
            yield f"THR-1: {len(said)} mentions"
        behind = {m.agent for m in said if m.agent not in NOBODY}
        if len(behind) < 2 or len([a for a in set(told.supporters) if a not in NOBODY]) < 2:
            yield f"THR-1: supported by {sorted(behind)}"
        if not set(told.supporters) <= {m.agent for m in said}:
            yield "THR-1: a supporter who said nothing about it"

    def _merged(self, event: ThreadMerged) -> Iterator[str]:
        if event.distance >= 0.3:
            yield f"THR-4: merged though {event.distance} apart"
        if event.into not in self.threads or self.threads[event.into].over:
            yield f"THR-4: merged into {event.into}, which is over"
        if event.thread is not None and (event.thread == event.into or self.threads[event.thread].over):
            yield f"THR-4: {event.thread} is over"

    def _stale(self, event: ThreadStale, thread: Thread) -> Iterator[str]:
        last = max([thread.stage_ms, *(m.at_ms for m in thread.said[-1:])])
        if event.at_ms - last < 30_000 * len(self.active):
            yield f"THR-3: stale after {event.at_ms - last} ms beside {len(self.active) - 1} others"

    # ---- taking notes

    def _note(self, event: AnyEvent) -> None:
        self.at_ms = event.at_ms
        match event:
            case DebateStarted():
                self.started = event
            case ThreadCreated():
                made = Thread(made=event, stage_ms=event.at_ms, only=event.members if event.only else ())
                made.questions += [event.question] if event.question else []
                self.threads[event.thread] = made
            case ThreadProposed():
                self.proposals[event.proposal] = event
                self.raised_in.setdefault(event.thread, set()).add(event.proposal)
            case MessagePosted():
                thread = self.threads[event.thread]
                thread.said.append(event)
                self.messages[event.id] = event
                self.ready_ms[event.agent] = event.at_ms + event.cooldown_ms
                self.spoken += 1
                thread.budget.say(event)
                if isinstance(event.move, ProposeCrux) and thread.budget.stage == "DISCOVERY" and event.joins is None:
                    thread.questions.append(event.move.question)
            case CommitmentMade():
                said = self.messages[event.message]
                assert isinstance(said.move, Commit)
                self.threads[event.thread].budget.commit(said.agent, said.move.side)
            case AgentSilent():
                self.threads[event.thread].budget.excused.add(event.agent)
            case LockFailed():
                self.threads[event.thread].budget.granted += event.granted
            case ModeratorIntervention():
                thread = self.threads[event.thread]
                thread.said.append(event)
                thread.questions += [event.question] if event.question else []
                thread.only = event.keeps or thread.only
                if event.looks_again:  # CRUX-13: six messages more
                    thread.budget.discovery, thread.stale = thread.budget.spent + 6, False
            case StageTransition():
                thread = self.threads[event.thread]
                thread.locked = next(iter(thread.questions[int(event.candidate[1:]) - 1 :]), "")
                thread.stage_ms = event.at_ms
                thread.budget.enter(event.entered)
            case ThreadConverged() | ThreadFailed() | ThreadStale(ended=True):
                self.threads[event.thread].over = True
            case ThreadMerged():
                self._join(event)
            case DebateComplete():
                self.complete = True
            case _:
                pass

    def _join(self, event: ThreadMerged) -> None:
        target = self.threads[event.into]
        if event.thread is None:
            target.questions += [self.proposals[event.proposal or ""].question] if event.adds else []
            return
        source = self.threads[event.thread]
        source.over = True
        target.said = sorted([*target.said, *source.said], key=lambda m: int(m.id[1:]))
        target.questions += source.questions if event.adds else []


def faults(events: Iterable[AnyEvent], like: Likeness | None = None) -> list[str]:
    """Everything in a log that breaks a limit, and its missing end."""
    read = CrowdOracle(like=like)
    found = [fault for event in events for fault in read.take(event)]
    return found if read.complete else [*found, "END-1: it never ends"]


def most_active(events: Iterable[AnyEvent]) -> int:
    """How many threads were open at one moment, at most."""
    read, most = CrowdOracle(), 0
    for event in events:
        read.take(event)
        most = max(most, len(read.active))
    return most
