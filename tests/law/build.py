"""Builders for the table tests of the rules: a debate driven by real commands through `decide`, nothing else.

    play = Play(yes=(ANN,), no=(BOB,))        # started, first positions taken; the thread is `play.thread`
    play.to_lock()                            # or to_weighing(), to_evidence(), to_closing(), to_end()
    events = play.say(ANN, steelman(BOB))     # what `decide` answered; play.events has everything so far
    assert refused(events) == {"STEEL-2"}     # rule ids, or: only(events, SteelmanAttempt).attempt == 1

Messages are STEP_MS apart, so that flood control only ever speaks up where a test wants it to (`after_ms=0`), and no
two of them share many words, so that nobody finds the debate going in circles.
What an agent answers in private is its `Mind` in `play.minds`; change it there before the probes are taken.

A second thread is opened by `play.spawn(question)`; everything happens in the thread `play.at`, the first one unless a
test says otherwise. What is asked across threads is answered by `play.across()`, as `play.relations` has it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, count
from typing import Any, Final, Literal, TypeVar

from cruxfinder.adapters.embeddings.keyword import Keywords
from cruxfinder.crux.asks import Credence, Duty, First, FixedReading, Graded, Judged, Probed, QuestionLink, Related
from cruxfinder.crux.commands import (
    Command,
    Judge,
    MergeThreads,
    OpenThread,
    RecordFirst,
    RecordProbe,
    RecordTest,
    Relate,
    Say,
    Tick,
)
from cruxfinder.crux.decide import decide
from cruxfinder.crux.draft_passage import draft_passage
from cruxfinder.crux.duties import open_duties
from cruxfinder.crux.events import Event, MessagePosted, MessageRefused
from cruxfinder.crux.law.planting import Plant
from cruxfinder.crux.moves import (
    Challenge,
    ChallengeEvidence,
    Claim,
    Clarify,
    Commit,
    Concede,
    DeclareFalsifier,
    Draft,
    GradeSteelman,
    Move,
    ProposeCrux,
    ProvideEvidence,
    Reframe,
    Steelman,
    UpdatePosition,
)
from cruxfinder.crux.private_questions import Compare, Judgement, Probes, due_across_threads, due_in_thread, is_waiting
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.run_facts import DebateStarted, Seat, Start, Stop
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import (
    AgentId,
    Attack,
    CandidateId,
    Direction,
    Grade,
    Horizon,
    MessageId,
    MoveKind,
    Phase,
    ProposalId,
    Side,
    Stage,
    ThreadId,
    TopSide,
)
from cruxfinder.language.english.english_reader import EnglishReader

E = TypeVar("E")

AGENTS: Final = tuple(
    AgentId(name) for name in ("ann", "bob", "cat", "dan", "eve", "fay", "gil", "hal", "ivy", "jon", "kim", "lee")
)
ANN, BOB, CAT, DAN, EVE, FAY = AGENTS[:6]
T1, T2, T3 = ThreadId("t1"), ThreadId("t2"), ThreadId("t3")
C1: Final = CandidateId("c1")
STEP_MS: Final = 3_000
ACROSS_MAX: Final = 20
QUESTION: Final = "Does anchored demand survive another winter?"
OTHER_QUESTIONS: Final = (
    "Do regulators tolerate private money?",
    "Has mining stopped wasting energy?",
    "Can households store keys safely?",
    "Would merchants quote prices natively?",
    "Must banks lend against coins?",
)

# ---- private answers


@dataclass(frozen=True, kw_only=True)
class Mind:
    """What an agent answers in private: the same about every candidate, but for those in `about`."""

    p_top: float
    c: float
    p1: float
    p0: float
    about: Mapping[str, tuple[float, float, float]] = field(default_factory=dict[str, tuple[float, float, float]])
    wording: float | None = None  # P(yes) once the wording is fixed; None: as before
    horizon: float | None = None
    public_side: TopSide | None = None
    links: Mapping[tuple[str, str], tuple[float, float]] = field(
        default_factory=dict[tuple[str, str], tuple[float, float]]
    )

    def answer(self, phase: Phase, candidates: Sequence[CandidateId]) -> Probed:
        rows = {id: self.about.get(id, (self.c, self.p1, self.p0)) for id in candidates}
        if phase is Phase.LINKS:
            pairs = [(pair, self.links.get(pair, (0.5, 0.5))) for pair in combinations(candidates, 2)]
            return Probed(p_top=self.p_top, links=tuple(QuestionLink(*pair, *told) for pair, told in pairs))
        if phase is Phase.WORDING:
            return Probed(
                p_top=self.p_top,
                fixed=tuple(
                    FixedReading(
                        candidate=id,
                        wording=row[0] if self.wording is None else self.wording,
                        horizon=row[0] if self.horizon is None else self.horizon,
                    )
                    for id, row in rows.items()
                ),
            )
        return Probed(
            p_top=self.p_top,
            credences=tuple(Credence(candidate=id, c=c, p1=p1, p0=p0) for id, (c, p1, p0) in rows.items()),
            public_side=self.public_side,
        )


def mind(c: float, p1: float = 0.9, p0: float = 0.1, p_top: float | None = None) -> Mind:
    """Coherent unless told otherwise: P(top) follows from the three answers."""
    return Mind(p_top=c * p1 + (1 - c) * p0 if p_top is None else p_top, c=c, p1=p1, p0=p0)


MINDS: Final = {Side.YES: mind(0.9), Side.NO: mind(0.1), Side.UNCERTAIN: mind(0.5)}

# ---- moves, each with all its fields

FALSIFIER: Final = Falsifier(metric="reserve holdings", threshold="falls below 40 percent", deadline="by June 2029")
VAGUE: Final = Falsifier(metric="reserve holdings", threshold="seems weaker", deadline="someday")


def statement(agent: AgentId) -> str:
    """What `agent` commits to; it shares no content word with anybody else's."""
    return f"{agent}alpha {agent}bravo {agent}charlie"


def reason(agent: AgentId) -> str:
    return f"{agent}delta {agent}echo"


def claim(
    confidence: float = 0.7,
    top_side: TopSide = TopSide.YES,
    proposition: str = "Demand is anchored",
    horizon: Horizon | None = None,
) -> Claim:
    return Claim(
        proposition=proposition, reason="Reserves grow", confidence=confidence, top_side=top_side, horizon=horizon
    )


def challenge(target: str) -> Challenge:
    return Challenge(target=MessageId(target), disputes="the growth", why="It is one fund only")


def clarify(target: str, asks: bool = True) -> Clarify:
    return Clarify(target=MessageId(target), asks=asks)


def reframe(question: str = "Who bears the loss?") -> Reframe:
    return Reframe(question=question, why="It decides who leaves")


def propose(question: str = QUESTION) -> ProposeCrux:
    return ProposeCrux(question=question, yes_means="Holders stay.", no_means="Holders leave.")


def own_falsifier(agent: AgentId) -> Falsifier:
    """A concrete one, different for each agent."""
    return replace(FALSIFIER, metric=f"{agent.title()} reserve holdings")


def commit(
    agent: AgentId,
    side: Side,
    falsifier: Falsifier | Literal["own"] | None = "own",
    confidence: float = 0.8,
    horizon: Horizon = Horizon.FIVE_YEARS,
) -> Commit:
    """With the agent's own concrete falsifier unless told otherwise; UNCERTAIN has none of its own."""
    own = None if side is Side.UNCERTAIN else own_falsifier(agent)
    return Commit(
        side=side,
        statement=statement(agent),
        reason=reason(agent),
        confidence=confidence,
        horizon=horizon,
        falsifier=own if falsifier == "own" else falsifier,
    )


def declare(falsifier: Falsifier = FALSIFIER) -> DeclareFalsifier:
    return DeclareFalsifier(falsifier=falsifier)


def steelman(target: AgentId, carried: int = 5) -> Steelman:
    """Carries so many of the five content words its target committed to."""
    words = [*statement(target).split(), *reason(target).split()][:carried]
    return Steelman(
        target=target,
        claim=" ".join(words[:3]) or "Something",
        reason=" ".join(words[3:]) or "Whatever",
        falsifier=own_falsifier(target).threshold,
    )


def grade(target: str, grade: Grade = Grade.ACCURATE, missing: str = "") -> GradeSteelman:
    said = missing or ("" if grade is Grade.ACCURATE else "the reason behind it")
    return GradeSteelman(target=MessageId(target), grade=grade, missing=said)


def evidence(
    owner: AgentId, number: int = 1, direction: Direction = Direction.FOR, text: str | None = None
) -> ProvideEvidence:
    """Bears on a falsifier of `owner`; something new each time, because the same evidence twice is refused."""
    return ProvideEvidence(
        evidence=f"Fund {next(_fresh)} sold" if text is None else text,
        source="its filings",
        falsifier_of=owner,
        number=number,
        direction=direction,
    )


_fresh = count(1)


def attack(target: str, attacks: Attack = Attack.MEASUREMENT) -> ChallengeEvidence:
    return ChallengeEvidence(target=MessageId(target), attacks=attacks, why="The filings cover one quarter")


def update(moved_by: str, before: Side, after: Side, confidence: tuple[float, float] = (0.8, 0.6)) -> UpdatePosition:
    return UpdatePosition(
        side_before=before,
        side_after=after,
        confidence_before=confidence[0],
        confidence_after=confidence[1],
        moved_by=MessageId(moved_by),
    )


def concede(before: TopSide | None = None, after: TopSide | None = None) -> Concede:
    """Cheap without sides; with both the top claim changed."""
    return Concede(
        proposition="One fund did sell",
        top_changed=before is not None or after is not None,
        side_before=before,
        side_after=after,
    )


# ---- the debate


READER: Final = EnglishReader(Keywords())


def as_read(debate: Debate, said: Say) -> Say:
    """With what its draft says, as the script has it read first."""
    passage = draft_passage(debate, debate.threads[said.thread], said.agent, said.draft)
    return replace(said, reading=READER.read(passage))


class Play:
    """A debate under way, its clock and its log."""

    def __init__(
        self,
        *,
        yes: Sequence[AgentId] = (ANN,),
        no: Sequence[AgentId] = (BOB,),
        unsure: Sequence[AgentId] = (),
        settings: Settings = Settings(),
        firsts: bool = True,
        day: str = "",
    ) -> None:
        """Seats in the order yes, no, unsure; `sides` and `minds` say where each will stand."""
        self.sides = {**dict.fromkeys(yes, Side.YES), **dict.fromkeys(no, Side.NO)}
        self.sides |= dict.fromkeys(unsure, Side.UNCERTAIN)
        self.minds = {agent: MINDS[side] for agent, side in self.sides.items()}
        self.relations: dict[AgentId, Related] = {}  # what each answers about any two cruxes; else nothing
        self.at = T1
        self.now_ms = 0
        self.events: tuple[Event, ...] = ()
        self._said = 0
        started = DebateStarted(
            at_ms=0,
            topic="Bitcoin stores value",
            seats=tuple(Seat(id=a, name=a.title()) for a in self.sides),
            seed=1,
            pack="test",
            pack_sha="0" * 64,
            settings=settings,
            format=1,
            kernel=1,
            day=day,
        )
        begun = decide(None, Start(started=started), 0)
        self.debate: Debate = begun.debate
        self.events = begun.events
        if firsts:
            self.take_firsts()

    @property
    def agents(self) -> tuple[AgentId, ...]:
        return tuple(self.sides)

    @property
    def thread(self) -> Thread:
        return self.debate.threads[self.at]

    @property
    def last(self) -> MessageId:
        """The message posted last, the moderator's too."""
        return self.thread.messages[-1].id

    @property
    def waiting(self) -> bool:
        """Nobody may speak: the thread waits for private answers."""
        return is_waiting(self.debate, self.thread)

    def owed(self, agent: AgentId) -> tuple[Duty, ...]:
        return open_duties(self.debate, self.thread).get(agent, ())

    def do(self, command: Command) -> tuple[Event, ...]:
        """Any command, now."""
        if isinstance(command, Say):
            command = as_read(self.debate, command)
        decided = decide(self.debate, command, self.now_ms)
        self.debate = decided.debate
        self.events += decided.events
        return decided.events

    def wait(self, ms: int) -> None:
        self.now_ms += ms

    def tick(self, after_ms: int = 0) -> tuple[Event, ...]:
        self.wait(after_ms)
        return self.do(Tick())

    def stop(self) -> tuple[Event, ...]:
        return self.do(Stop())

    def say(
        self,
        agent: AgentId,
        move: Move,
        *,
        after_ms: int = STEP_MS,
        content: str | None = None,
        topics: Sequence[str] = (),
        reply_to: str | None = None,
        refs: Sequence[str] = (),
        duty: Duty | None = None,
        attempt: int = 1,
        cooldown_ms: int = 0,
    ) -> tuple[Event, ...]:
        self.wait(after_ms)
        self._said += 1
        draft = Draft(
            move=move,
            content=f"{agent.title()} adds fact{self._said} and figure{self._said}." if content is None else content,
            topics=tuple(topics),
            reply_to=None if reply_to is None else MessageId(reply_to),
            refs=tuple(MessageId(r) for r in refs),
        )
        return self.do(
            Say(agent=agent, thread=self.at, draft=draft, duty=duty, attempt=attempt, cooldown_ms=cooldown_ms)
        )

    def post(self, agent: AgentId, move: Move, **how: Any) -> MessageId:
        """Say it, see that it was published, and give its id."""
        events = self.say(agent, move, **how)
        assert not refused(events), f"{agent} {move.kind}: {refusal_texts(events)}"
        return only(events, MessagePosted).id

    # ---- private answers

    def take_firsts(self, but: Sequence[AgentId] = ()) -> tuple[Event, ...]:
        """Everybody's private first position, from their minds."""
        firsts: list[tuple[AgentId, First]] = []
        for agent, held in self.minds.items():
            side = TopSide.YES if held.p_top > 0.55 else TopSide.NO if held.p_top < 0.45 else TopSide.NUANCED
            if agent not in but:
                firsts.append((agent, First(p_top=held.p_top, side=side, reason=reason(agent))))
        return self.do(RecordFirst(firsts=tuple(firsts)))

    def probe(self, but: Sequence[AgentId] = ()) -> tuple[Event, ...]:
        """Answer the probes due now, one round of one phase; those in `but` fail to answer."""
        wanted = due_in_thread(self.debate, self.thread)
        assert isinstance(wanted, Probes), f"no probes are due: {wanted}"
        events: tuple[Event, ...] = ()
        ids = [c.id for c in wanted.candidates]
        for agent in wanted.agents:
            probed = None if agent in but else self.minds[agent].answer(wanted.phase, ids)
            events += self.do(
                RecordProbe(agent=agent, thread=self.at, phase=wanted.phase, round=wanted.round, probed=probed)
            )
        return events

    def probe_all(self) -> tuple[Event, ...]:
        """Answer probes until none is due."""
        events: tuple[Event, ...] = ()
        while isinstance(due_in_thread(self.debate, self.thread), Probes):
            events += self.probe()
        return events

    def judge(self, objections: Mapping[AgentId, Judged] | None = None) -> tuple[Event, ...]:
        """Everybody accepts the crux as extracted, but for the objections."""
        assert isinstance(due_in_thread(self.debate, self.thread), Judgement), "no judgement is due"
        given = objections or {}
        return self.do(Judge(thread=self.at, judgements=tuple((a, given.get(a, Judged())) for a in self.agents)))

    def across(self) -> tuple[Event, ...]:
        """Answer what is asked across threads, until nothing is: relations as in `relations`, ground from the minds."""
        events: tuple[Event, ...] = ()
        for _ in range(ACROSS_MAX):
            if (wanted := due_across_threads(self.debate)) is None:
                return events
            if isinstance(wanted, Compare):
                first, second = wanted.pair
                given = tuple((a, self.relations.get(a)) for a in self.agents)
                events += self.do(Relate(first=first, second=second, distance=1.0, answers=given))
            elif isinstance(wanted, Plant):
                graded = Graded(grade=Grade.WRONG, missing="all of it")
                events += self.do(RecordTest(plant=wanted, graded=graded))
            else:
                ids = [q.id for q in wanted.questions]
                for agent in wanted.agents:
                    probed = self.minds[agent].answer(Phase.GROUND, ids)
                    events += self.do(RecordProbe(agent=agent, thread=T1, phase=Phase.GROUND, round=1, probed=probed))
        raise AssertionError(f"the same is asked across threads over and over: {due_across_threads(self.debate)}")

    # ---- threads

    def open(self, proposal: str, distance: float = 1.0) -> tuple[Event, ...]:
        """Try to give a proposal its thread; the distance is the one to every active thread."""
        apart = tuple((thread.id, distance) for thread in self.debate.active)
        return self.do(OpenThread(proposal=ProposalId(proposal), distances=apart))

    def merge(self, thread: ThreadId, into: ThreadId, distance: float = 0.0) -> tuple[Event, ...]:
        return self.do(MergeThreads(thread=thread, into=into, distance=distance))

    def spawn(self, question: str, by: Sequence[AgentId] | None = None) -> ThreadId:
        """A thread of its own for a question that two agents spoke of in the thread at hand."""
        one, other = self.agents[:2] if by is None else by
        self.post(one, reframe(question))
        self.post(other, challenge(self.last), content=f"On {question} I differ, and fact{self._said} shows.")
        proposal = next(p for p in self.debate.proposals.values() if p.told.question == question)
        self.open(proposal.told.proposal)
        found = tuple(self.debate.threads)[-1]
        assert self.debate.threads[found].topic == question, "it was not opened"
        return found

    # ---- fast forward, by real commands only

    def talk(self, count: int) -> None:
        """So many claims, the agents in turn."""
        for turn in range(count):
            self.post(self.agents[turn % len(self.agents)], claim())

    def talk_on(self) -> None:
        """Claims until the thread waits for private answers."""
        while not self.waiting:
            self.talk(1)

    def to_weighing(self, questions: Sequence[str] | None = None) -> None:
        """A claim, a challenge, the questions as c1, c2, …, and claims until DISCOVERY is over. A spawned thread has
        its question already."""
        if questions is None:
            questions = (QUESTION,) if self.thread.parent is None else ()
        first, second, *_ = self.agents
        self.post(second, challenge(self.post(first, claim())))
        for place, question in enumerate(questions):
            self.post(self.agents[place % len(self.agents)], propose(question), content=question)
        self.talk_on()

    def weigh(self, questions: Sequence[str] | None = None) -> None:
        """DISCOVERY to its end, and where it is tried once more to that: locked, or over."""
        self.to_weighing(questions)
        self.probe_all()
        while self.thread.outcome is None and self.thread.stage is Stage.DISCOVERY:
            self.talk(1)
            self.probe_all()

    def to_lock(self, questions: Sequence[str] | None = None) -> None:
        """CRUX_LOCK on the highest rank, nobody committed yet."""
        self.weigh(questions)
        assert self.thread.stage is Stage.CRUX_LOCK, f"not locked: {self.thread.outcome} {self.thread.why}"

    def commit_all(self, falsifier: Falsifier | Literal["own"] | None = "own") -> None:
        for agent, side in self.sides.items():
            self.post(agent, commit(agent, side, falsifier))

    def serve(self, but: Sequence[AgentId] = ()) -> bool:
        """Serve the first duty found, well; False when nobody (but those left out) owes anything."""
        for agent in self.agents:
            if agent not in but and (duties := self.owed(agent)):
                self.post(agent, self.well(agent, duties[0]))
                return True
        return False

    def well(self, agent: AgentId, duty: Duty) -> Move:
        """A move that serves the duty."""
        if duty.move is MoveKind.STEELMAN and duty.about is not None:
            return steelman(duty.about)
        if duty.move is MoveKind.GRADE_STEELMAN and duty.message is not None:
            return grade(duty.message)
        if duty.move is MoveKind.DECLARE_FALSIFIER:
            return declare(own_falsifier(agent))
        return commit(agent, self.sides[agent], horizon=self.thread.horizon or Horizon.FIVE_YEARS)

    def to_evidence(self) -> None:
        """From wherever it is to EVIDENCE: everybody commits as in `sides`, all steelmans are ACCURATE."""
        if self.thread.stage is Stage.DISCOVERY:
            self.to_lock()
        while self.thread.stage is Stage.CRUX_LOCK:
            assert self.serve(), "nobody owes anything and the lock is open"

    def to_closing(self) -> None:
        """EVIDENCE is over: the AFTER probes are due."""
        if self.thread.stage is not Stage.EVIDENCE:
            self.to_evidence()
        one, other = (next(a for a, s in self.sides.items() if s is side) for side in (Side.YES, Side.NO))
        while not self.waiting:
            shown = self.post(one, evidence(other))
            if not self.waiting:
                self.post(other, attack(shown))

    def to_end(self) -> None:
        """Converged, the debate complete."""
        if not self.waiting or self.thread.stage is not Stage.EVIDENCE:
            self.to_closing()
        self.probe_all()
        self.judge()


# ---- reading events


def of(events: Sequence[object], kind: type[E]) -> tuple[E, ...]:
    """The events of one type, in order."""
    return tuple(e for e in events if isinstance(e, kind))


def only(events: Sequence[object], kind: type[E]) -> E:
    """The one event of a type."""
    found = of(events, kind)
    assert len(found) == 1, f"{len(found)} of {kind.__name__} among {events}"
    return found[0]


def refused(events: Sequence[Event]) -> set[str]:
    """The ids of the rules that said no to a draft; empty when it was published whole."""
    return {str(r.rule) for e in of(events, MessageRefused) for r in e.refusals}


def refusal_texts(events: Sequence[Event]) -> list[str]:
    return [f"{r.rule}: {r.reason}; {r.remedy}" for e in of(events, MessageRefused) for r in e.refusals]
