"""A writer who puts random commands, legal and illegal, to `decide`, and has each outcome judged by the oracle."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from random import Random

from cruxfinder.crux.asks import Credence, Duty, FixedReading, Judged, Probed, Related
from cruxfinder.crux.commands import Command, Judge, MergeThreads, OpenThread, RecordProbe, Relate, Say, Tick
from cruxfinder.crux.decide import decide
from cruxfinder.crux.duties import open_duties
from cruxfinder.crux.events import Event, MessagePosted, MessageRefused, ThreadStale
from cruxfinder.crux.evolve import evolve, fold
from cruxfinder.crux.law import threads
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
from cruxfinder.crux.private_questions import (
    Compare,
    GroundProbes,
    Judgement,
    Probes,
    due_across_threads,
    due_in_thread,
)
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel import wire
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.run_facts import DebateComplete, DebateStarted, NoteFailure, Stop
from cruxfinder.kernel.vocabulary import (
    ADVOCATE,
    MODERATOR,
    AgentId,
    Attack,
    CandidateId,
    Direction,
    Ending,
    Grade,
    Horizon,
    MessageId,
    MoveKind,
    Phase,
    ProposalId,
    RuleId,
    Side,
    TopSide,
)
from cruxfinder.protocols.registry import read_event
from tests.golden.logs import events_of
from tests.law.build import as_read
from tests.machines.oracle import MOVES, VAGUE, Oracle
from tests.slices import crux_events

GOOD = Falsifier(metric="reserve holdings", threshold="falls below 40 percent", deadline="by June 2029")
PAUSES_MS = (0, 0, 0, 1, 700, 2_500, 6_000, 9_000, 12_000, 31_000)
QUESTIONS = (
    "Do banks lend against coins?",
    "Has mining stopped wasting energy?",
    "Can households store keys safely?",
    "Would merchants quote prices natively?",
    "Must regulators tolerate private money?",
    "Are winters getting milder?",
    "This is no question",
)
TOPICS = ("banks", "mining", "winters")
DISTANCES = (0.0, 0.05, 0.29, 0.3, 0.7, 1.0)


class Writer:
    """One writer at its work: commands in, events out, time never going back."""

    def __init__(self, name: str, keep: int, off: tuple[RuleId, ...] = ()) -> None:
        first, *rest = crux_events(events_of(name)[:keep])
        assert isinstance(first, DebateStarted)
        self.ablated = bool(off)  # then nothing is promised but that it goes on
        self.events: list[Event] = [replace(first, settings=replace(first.settings, off=off)), *rest]
        self.debate = fold(self.events)
        self.now_ms = self.debate.now_ms
        self.words = 0
        self.at = next(iter(self.debate.threads))  # the thread it writes in
        self.oracle = Oracle()
        for event in self.events:
            wrong = self.oracle.take(event)
            assert not wrong, (name, event, wrong)

    def step(self, chance: Random) -> None:
        """One command or a few, the likelier ones more often."""
        chance.choices(
            (
                self.serve,
                self.speak,
                self.argue,
                self.blunder,
                self.crowd,
                self.tick,
                self.probe,
                self.rearrange,
                self.compare,
                self.disturb,
            ),
            (6, 4, 4, 1, 1, 2, 3, 3, 2, 1),
        )[0](chance)

    def turn_to(self, chance: Random) -> None:
        """One of the threads that are open, rarely one that is over."""
        open_ = [t.id for t in self.debate.active]
        self.at = chance.choice(open_ if open_ and chance.randrange(20) else list(self.debate.threads))

    # ---- commands

    def serve(self, chance: Random) -> None:
        """What is owed, mostly done properly; else what is asked for in private."""
        self.turn_to(chance)
        duties = [(a, d) for a, owing in open_duties(self.debate, self.thread).items() for d in owing[:1]]
        if not duties:
            self.probe(chance)
            return
        agent, duty = chance.choice(duties)
        self.say(chance, agent, self.served(agent, duty, chance), duty=duty)

    def speak(self, chance: Random) -> None:
        """A move the stage has room for, from anybody."""
        self.turn_to(chance)
        kind = MoveKind(chance.choice(MOVES[self.thread.stage]))
        agent = chance.choice(self.speakers())
        self.say(chance, agent, self.move(kind, agent, chance))

    def argue(self, chance: Random) -> None:
        """Challenges, of all things: with and without the steelman they need."""
        self.turn_to(chance)
        agent = chance.choice(self.speakers())
        kind = {"DISCOVERY": MoveKind.CHALLENGE, "CRUX_LOCK": MoveKind.GRADE_STEELMAN}.get(
            self.thread.stage, chance.choice((MoveKind.CHALLENGE_EVIDENCE, MoveKind.PROVIDE_EVIDENCE))
        )
        self.say(chance, agent, self.move(kind, agent, chance))

    def blunder(self, chance: Random) -> None:
        """Any move at all."""
        self.turn_to(chance)
        agent = chance.choice(self.speakers())
        self.say(chance, agent, self.move(chance.choice(list(MoveKind)), agent, chance))

    def crowd(self, chance: Random) -> None:
        """Everybody at once, or somebody answering one message again and again."""
        self.turn_to(chance)
        self.now_ms += chance.choice((0, 13_000, 31_000))
        reply = chance.choice((None, *self.targets(chance)))
        kind = MoveKind(chance.choice(MOVES[self.thread.stage]))
        for agent in self.speakers() * chance.randint(1, 3):
            draft = Draft(move=self.move(kind, agent, chance), content=self.fresh("words"), reply_to=reply)
            self.decide(Say(agent=agent, thread=self.at, draft=draft))

    def tick(self, chance: Random) -> None:
        self.now_ms += chance.choice((1_000, 5_000, 5_000, 15_000, 31_000))
        thinking = frozenset(id for id in self.debate.threads if not chance.randrange(3))
        events = self.decide(Tick(thinking=thinking))
        assert not any(isinstance(e, ThreadStale) and not e.ended and e.thread in thinking for e in events)

    def probe(self, chance: Random) -> None:
        """The private answers a thread waits for; some of them cannot be had."""
        waiting = [t.id for t in self.debate.active if due_in_thread(self.debate, t) is not None]
        self.at = chance.choice(waiting) if waiting else self.at
        needed = due_in_thread(self.debate, self.thread)
        if isinstance(needed, Probes):
            for agent in needed.agents:
                candidates = [c.id for c in needed.candidates]
                self.decide(self.probing(agent, needed.phase, needed.round, candidates, chance))
        elif isinstance(needed, Judgement):
            judgements = tuple((a, self.judged(chance)) for a in self.debate.agents)
            self.decide(Judge(thread=self.at, judgements=judgements))

    def rearrange(self, chance: Random) -> None:
        """Proposals opened and threads merged, mostly when it is time for it."""
        ready = [told.proposal for told in threads.openable_proposals(self.debate, self.now_ms)]
        pairs = [(younger.id, older.id) for older, younger in threads.mergeable_pairs(self.debate)]
        if not chance.randrange(4):
            ready, pairs = [*self.debate.proposals, ProposalId("p999")], list(permutations(self.debate.threads, 2))
        if pairs and chance.randrange(2):
            thread, into = chance.choice(pairs)
            self.decide(MergeThreads(thread=thread, into=into, distance=chance.choice(DISTANCES)))
        elif ready:
            apart = tuple((t.id, self.distance(chance)) for t in self.debate.active)
            self.decide(OpenThread(proposal=chance.choice(ready), distances=apart))

    def distance(self, chance: Random) -> float:
        return chance.choice(DISTANCES[3:]) if chance.randrange(4) else chance.choice(DISTANCES)

    def compare(self, chance: Random) -> None:
        """What lies across threads, or any two of them."""
        wider, ids = due_across_threads(self.debate), list(self.debate.threads)
        if isinstance(wider, GroundProbes):
            self.at = ids[0]
            for agent in wider.agents:
                self.decide(self.probing(agent, Phase.GROUND, 1, [q.id for q in wider.questions], chance))
            return
        if len(ids) < 2:
            return
        first, second = wider.pair if isinstance(wider, Compare) else chance.sample(ids, 2)
        answers = tuple((a, self.related(chance)) for a in self.debate.agents)
        self.decide(Relate(first=first, second=second, distance=chance.choice(DISTANCES), answers=answers))

    def disturb(self, chance: Random) -> None:
        """Answers out of season, failures, and now and then a stop."""
        self.turn_to(chance)
        agent = chance.choice(self.debate.agents)
        what = chance.randrange(12)
        if what == 0 and self.debate.complete is None:
            events = self.decide(Stop())
            assert isinstance(events[-1], DebateComplete) and events[-1].ending == "stopped"
        elif what < 4:
            self.decide(NoteFailure(agent=agent, ask="draft", reason="the line broke " * 40))
        else:
            phase = chance.choice((Phase.BEFORE, Phase.WORDING, Phase.CHANGE, Phase.AFTER, Phase.GROUND))
            candidates = [c.id for c in self.thread.candidates] or [CandidateId("c1")]
            self.decide(self.probing(agent, phase, chance.randint(1, 3), candidates, chance))

    # ---- what a command comes to

    def decide(self, command: Command) -> tuple[Event, ...]:
        before = self.debate
        if isinstance(command, Say):
            command = as_read(before, command)
        decided = decide(before, command, self.now_ms)
        if before.complete is not None:
            assert decided.events == () and decided.debate is before
        state = before
        for event in decided.events:
            assert event.at_ms == self.now_ms
            text = wire.dumps(event)
            assert wire.dumps(read_event(text)) == text
            state = evolve(state, event)
        # An ablation without VOC-1 lets "not a number" in, which does not even equal itself.
        same = state == decided.debate or repr(state) == repr(decided.debate)
        assert same, "what decide hands on is what the events say"
        self.events += decided.events
        self.debate = decided.debate
        self.weigh(before, command, decided.events)
        return decided.events

    def weigh(self, before: Debate, command: Command, events: Sequence[Event]) -> None:
        if self.ablated:
            return
        served = isinstance(command, Say) and command.duty is not None and command.duty.move == command.draft.move.kind
        wrong = [w for event in events for w in self.oracle.take(event, owed=served)]
        if isinstance(command, Say | Tick):
            wrong += self.oracle.at_rest(self.now_ms)
        assert not wrong, (wrong, command)
        if isinstance(command, Say) and before.complete is None:
            said = [e for e in events if isinstance(e, MessagePosted)]
            refused = [e for e in events if isinstance(e, MessageRefused) and e.outcome != "stripped"]
            over = [e for e in events if isinstance(e, DebateComplete) and e.ending is Ending.TIME]
            late = bool(over) and not said and not refused  # nobody speaks once time is up
            assert late or len(said) + len(refused) == 1, "a draft is published or refused, and it is an event"

    def close(self) -> None:
        assert self.ablated or self.debate.numbered == self.oracle.numbered
        assert fold(self.events) == self.debate, "folding the whole log gives the state it led to"

    # ---- drafts

    @property
    def thread(self) -> Thread:
        return self.debate.threads[self.at]

    def speakers(self) -> list[AgentId]:
        return [s.id for s in self.debate.seats]

    def fresh(self, what: str) -> str:
        self.words += 1
        return f"{what} {self.words} of the machine."

    def say(self, chance: Random, agent: AgentId, move: Move, duty: Duty | None = None) -> None:
        self.now_ms += chance.choice(PAUSES_MS)
        content, reply, refs = self.fresh("words"), None, ()
        topics = (chance.choice(TOPICS),) if chance.randrange(2) else ()
        match chance.randrange(24):
            case 0:
                content = chance.choice(("", "  ", "x" * 601, "two\nlines", "bell \x07"))
            case 1 if self.thread.messages:
                content = chance.choice(self.thread.messages).content or content
            case 2:
                refs = (MessageId(chance.choice(("m1", "m999"))),)
            case 3:
                content = f"{self.fresh('But')} But what about {chance.choice(TOPICS)}?"
            case n if n < 12:
                reply = chance.choice(self.targets(chance))
            case _:
                pass
        self.decide(
            Say(
                agent=agent,
                thread=self.at,
                draft=Draft(move=move, content=content, topics=topics, reply_to=reply, refs=refs),
                duty=duty,
                attempt=chance.randint(1, 3),
                cooldown_ms=chance.choice((0, 6_000, 12_000)),
            )
        )

    def targets(self, chance: Random) -> list[MessageId]:
        """The last messages, the one with the most replies, evidence; rarely one that is not there."""
        recent = [m.id for m in self.thread.messages[-5:]]
        busy = sorted(self.thread.messages, key=lambda m: -sum(r.reply_to == m.id for r in self.thread.messages))[:1]
        evidence = [m.id for m in self.thread.evidence[-3:]]
        found = [*recent, *(m.id for m in busy), *evidence]
        return found if found and chance.randrange(12) else [MessageId("m999")]

    def served(self, agent: AgentId, duty: Duty, chance: Random) -> Move:
        match duty.move:
            case MoveKind.STEELMAN if duty.about is not None:
                return self.steelman(duty.about, chance)
            case MoveKind.GRADE_STEELMAN if duty.message is not None:
                grade = chance.choice((Grade.ACCURATE, Grade.ACCURATE, Grade.ACCURATE, Grade.INCOMPLETE, Grade.WRONG))
                return GradeSteelman(target=duty.message, grade=grade, missing="" if grade is Grade.ACCURATE else "it")
            case kind:
                return self.move(kind, agent, chance)

    def steelman(self, target: AgentId, chance: Random) -> Steelman:
        held = self.thread.commitments.get(target)
        if held is None or chance.randrange(4) == 0:
            return Steelman(target=target, claim="xyz", reason="abc")
        return Steelman(target=target, claim=held.statement, reason=held.reason)

    def move(self, kind: MoveKind, agent: AgentId, chance: Random) -> Move:
        one = chance.choice
        target = one(self.targets(chance))
        others = [a for a in self.debate.agents if a != agent]
        somebody = one(others if chance.randrange(8) else [agent, ADVOCATE, MODERATOR, AgentId("nobody")])
        sure = one((0.0, 0.5, 0.9, 1.0)) if chance.randrange(15) else one((1.5, -0.1, float("nan")))
        text = "plain text" if chance.randrange(12) else one((" ", "y" * 401))
        side = one(list(Side)) if chance.randrange(3) else Side.NO if agent < "f" else Side.YES
        match kind:
            case MoveKind.CLAIM:
                return Claim(
                    proposition=text if chance.randrange(3) else self.fresh("claim"),
                    reason="for a reason",
                    confidence=sure,
                    top_side=one(list(TopSide)),
                    horizon=one((None, *Horizon)),
                )
            case MoveKind.CHALLENGE:
                return Challenge(target=target, disputes="that", why=text)
            case MoveKind.CLARIFY:
                return Clarify(target=target, asks=one((True, False)))
            case MoveKind.REFRAME:
                return Reframe(question=one(("What matters?", *QUESTIONS)), why=text)
            case MoveKind.PROPOSE_CRUX:
                return ProposeCrux(question=one(QUESTIONS), yes_means="it is so", no_means=text)
            case MoveKind.COMMIT_POSITION:
                return Commit(
                    side=side,
                    statement=f"{agent}ia {agent}ius {agent}anne stand",
                    reason=f"{agent}ina told us",
                    confidence=sure,
                    horizon=one((self.thread.horizon or Horizon.YEAR, *Horizon)),
                    falsifier=one((None, GOOD, GOOD, GOOD, one(VAGUE))),
                )
            case MoveKind.DECLARE_FALSIFIER:
                return DeclareFalsifier(falsifier=one((GOOD, GOOD, one(VAGUE))))
            case MoveKind.STEELMAN:
                return self.steelman(somebody, chance)
            case MoveKind.GRADE_STEELMAN:
                tries = [t[-1].message for t in self.thread.tries.values()]
                return GradeSteelman(
                    target=one([*tries * 3, target]), grade=one(list(Grade)), missing=one(("", "the heart of it"))
                )
            case MoveKind.PROVIDE_EVIDENCE:
                known = [m.move.evidence for m in self.thread.evidence if isinstance(m.move, ProvideEvidence)]
                return ProvideEvidence(
                    evidence=self.fresh("evidence") if chance.randrange(6) else one([text, *known]),
                    source="a register",
                    falsifier_of=one([*self.thread.falsifiers, somebody]),
                    number=1 if chance.randrange(5) else one((0, 2, 99)),
                    direction=one(list(Direction)),
                )
            case MoveKind.CHALLENGE_EVIDENCE:
                evidence = [m.id for m in self.thread.evidence if m.agent != agent]
                return ChallengeEvidence(target=one([*evidence, target]), attacks=one(list(Attack)), why=text)
            case MoveKind.UPDATE_POSITION:
                return UpdatePosition(
                    side_before=self.thread.sides.get(agent, side) if chance.randrange(4) else side,
                    side_after=one(list(Side)),
                    confidence_before=0.9,
                    confidence_after=sure,
                    moved_by=target,
                )
            case MoveKind.CONCEDE:
                sides = (None, None) if chance.randrange(2) else (one(list(TopSide)), one((None, *TopSide)))
                return Concede(
                    proposition=text, top_changed=one((True, False)), side_before=sides[0], side_after=sides[1]
                )

    # ---- private answers

    def probing(
        self, agent: AgentId, phase: Phase, number: int, candidates: Sequence[CandidateId], chance: Random
    ) -> RecordProbe:
        def p() -> float:
            return chance.choice((0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0))

        answer = Probed(
            p_top=p(),
            credences=tuple(Credence(id, p(), p(), p()) for id in candidates if chance.randrange(20)),
            fixed=tuple(FixedReading(id, p(), p()) for id in candidates[:1]),
            public_side=chance.choice((None, *TopSide)),
        )
        probed = answer if chance.randrange(10) else None
        return RecordProbe(agent=agent, thread=self.at, phase=phase, round=number, probed=probed)

    def related(self, chance: Random) -> Related | None:
        def p() -> float:
            return chance.choice((0.0, 0.1, 0.5, 0.7, 0.85, 1.0))

        why = chance.choice(("", "too short", "because one leads to the other, step by step"))
        answer = Related(second_if_yes=p(), second_if_no=p(), first_if_yes=p(), first_if_no=p(), sketch=why, back=why)
        return answer if chance.randrange(10) else None

    def judged(self, chance: Random) -> Judged | None:
        objection = Judged(objection="not me", side=Side.NO, statement="I say no.")
        return chance.choice((None, Judged(), Judged(), objection))
