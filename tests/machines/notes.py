"""What a log says of one thread, kept as plain facts and sums: nothing here asks a rule of the program."""

from dataclasses import dataclass, field

from cruxfinder.crux.events import (
    AgentSilent,
    CommitmentMade,
    CruxChallenged,
    CruxExtracted,
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
from cruxfinder.crux.moves import Clarify, Commit, GradeSteelman, Move, ProposeCrux, Steelman, UpdatePosition
from cruxfinder.protocols.any_run import AnyEvent


@dataclass
class Said:
    id: str
    at_ms: int
    agent: str
    move: Move
    content: str
    reply_to: str | None
    counted: bool

    @property
    def number(self) -> int:
        return int(self.id[1:])


@dataclass
class Notes:
    """The state of a thread as the specification tells it."""

    id: str
    created_ms: int
    stage_ms: int
    parent: str | None = None
    trigger: str | None = None
    only: bool = False
    horizon: str | None = None
    members: set[str] = field(default_factory=set[str])
    questions: list[str] = field(default_factory=list[str])
    question: str | None = None  # the one that was locked, or is being locked
    stage: str = "DISCOVERY"
    discovery: int = 10  # messages of it
    looked_again: bool = False
    stage_from: int = 0
    said: list[Said] = field(default_factory=list[Said])
    spent: int = 0  # messages of this stage that count
    clarified: set[str] = field(default_factory=set[str])
    held: dict[str, int] = field(default_factory=dict[str, int])
    commitments: dict[str, Commit] = field(default_factory=dict[str, Commit])
    sides: dict[str, str] = field(default_factory=dict[str, str])
    corrected: dict[str, str] = field(default_factory=dict[str, str])  # sides as objections to the crux put them
    excused: set[str] = field(default_factory=set[str])
    late: set[str] = field(default_factory=set[str])  # committed after they had been excused
    tries: dict[tuple[str, str], list[str]] = field(default_factory=dict[tuple[str, str], list[str]])
    grades: dict[str, str] = field(default_factory=dict[str, str])
    falsifiers: dict[str, int] = field(default_factory=dict[str, int])
    locked: bool = False
    failed_tries: int = 0
    granted: int = 0
    extracted: bool = False
    converged: bool = False
    over: bool = False

    def find(self, id: str | None) -> Said | None:
        return next((m for m in self.said if m.id == id), None)

    def here(self) -> list[Said]:
        """What agents said in this stage."""
        return [m for m in self.said[self.stage_from :] if m.agent != "moderator"]

    def taking_part(self, agents: list[str]) -> set[str]:
        if self.parent is None and not self.only:
            return set(agents)
        speakers = set[str]() if self.only else {m.agent for m in self.said}
        return (self.members | speakers) & set(agents)

    # ---- the lock

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

    def moderator_grades(self) -> bool:
        return any(len(tries) >= 3 and self.grades.get(tries[-1]) != "ACCURATE" for tries in self.tries.values())

    # ---- how much, and how fast

    def most(self) -> int:
        if self.stage != "CRUX_LOCK":
            return {"DISCOVERY": self.discovery, "EVIDENCE": 16}[self.stage]
        committed = len(self.commitments)
        return max(8, committed + 3 * self.required() + 2 if committed > 2 else 8) + self.granted

    def counts(self, agent: str, move: Move) -> bool:
        if self.stage == "EVIDENCE" and isinstance(move, Steelman | GradeSteelman):
            return False
        return not isinstance(move, Clarify) or agent in self.clarified

    def window(self, at_ms: int) -> int:
        return sum(m.agent != "moderator" and m.at_ms > at_ms - 30_000 for m in self.said)

    def replies(self, id: str) -> int:
        return sum(m.reply_to == id for m in self.said)

    def last_ms(self) -> int:
        return max(self.stage_ms, self.said[-1].at_ms if self.said else self.created_ms)

    def understood(self, author: str, opponent: str) -> bool:
        """Has the author an accurate steelman of somebody on the opponent's side (an uncertain one: of any side)?"""
        own, side = self.sides.get(author, "UNCERTAIN"), self.sides.get(opponent, "UNCERTAIN")
        fitting = {side} if "UNCERTAIN" not in (own, side) else {"YES", "NO"}
        return any(self.passed(author, a) for a, where in self.sides.items() if where in fitting)

    # ---- what happens to it

    def hear(self, said: Said) -> None:
        self.said.append(said)
        self.held.pop(said.agent, None)
        self.spent += said.counted
        if isinstance(said.move, Clarify) and said.agent != "moderator":
            self.clarified.add(said.agent)

    def enter(self, stage: str, at_ms: int) -> None:
        self.stage, self.stage_ms, self.stage_from = stage, at_ms, len(self.said)
        self.spent, self.held, self.clarified = 0, {}, set()

    def join(self, other: "Notes", *, adds: bool) -> None:
        """All that was said in another thread is said here."""
        first = self.said[self.stage_from].id if self.stage_from < len(self.said) else None
        self.said = sorted((*self.said, *other.said), key=lambda m: m.number)
        if self.stage_from:
            self.stage_from = next((n for n, m in enumerate(self.said) if m.id == first), len(self.said))
        self.members |= other.members
        self.questions += other.questions if adds else []
        other.over = True


def heard(here: Notes, event: MessagePosted) -> None:
    if isinstance(event.move, ProposeCrux) and here.stage == "DISCOVERY" and event.joins is None:
        here.questions.append(event.move.question)
    if isinstance(event.move, UpdatePosition):
        here.sides[event.agent] = event.move.side_after
    here.hear(Said(event.id, event.at_ms, event.agent, event.move, event.content, event.reply_to, event.counted))


def stepped_in(here: Notes, event: ModeratorIntervention) -> None:
    here.said.append(Said(event.id, event.at_ms, "moderator", Clarify(target=event.id, asks=True), "", None, False))
    here.questions += [event.question] if event.question else []
    here.members |= set(event.to) if event.invites else set()
    if event.keeps:
        here.members, here.only = set(event.keeps), True
    here.horizon = event.horizon or here.horizon
    if event.looks_again:
        here.discovery, here.looked_again = here.spent + 6, True


def note(here: Notes, event: AnyEvent) -> None:
    """What an event means for its thread."""
    match event:
        case MessageRefused():
            here.held.pop(event.agent, None)
            if event.outcome == "held":
                here.held[event.agent] = max(r.until_ms for r in event.refusals)
        case CommitmentMade(message=id):
            said = here.find(id)
            assert said is not None and isinstance(said.move, Commit)
            if said.agent in here.commitments and here.commitments[said.agent].side != said.move.side:
                # What was said of the side it left does not speak of the new one.
                here.falsifiers.pop(said.agent, None)
                here.tries = {pair: tries for pair, tries in here.tries.items() if pair[1] != said.agent}
            here.commitments[said.agent] = said.move
            here.sides[said.agent] = said.move.side
            here.late |= {said.agent} & here.excused
            here.excused.discard(said.agent)
        case FalsifierDeclared(message=id):
            said = here.find(id)
            assert said is not None
            here.falsifiers[said.agent] = here.falsifiers.get(said.agent, 0) + 1
        case SteelmanAttempt(message=id):
            said = here.find(id)
            assert said is not None and isinstance(said.move, Steelman)
            here.tries.setdefault((said.agent, said.move.target), []).append(id)
        case SteelmanGraded():
            here.grades[event.steelman] = event.grade
        case AgentSilent(agent=agent):
            here.excused.add(agent)
            here.sides[agent] = "UNCERTAIN"
        case LockSucceeded():
            here.locked = True
        case LockFailed():
            here.failed_tries, here.granted = event.attempt, here.granted + event.granted
        case StageTransition():
            here.question = here.questions[int(event.candidate[1:]) - 1]
            here.enter(event.entered, event.at_ms)
        case CruxExtracted():
            here.extracted = True
        case CruxChallenged(side=side, stands=False):
            here.corrected |= {event.agent: side} if side is not None else {}
        case ThreadConverged():
            here.converged = here.over = True
        case ThreadFailed() | ThreadStale(ended=True):
            here.over = True
        case _:
            pass
