"""The seed's sample run with archetypes and scripted answers: who says what, and what each holds in private."""

from dataclasses import dataclass, field
from typing import Any, Final

from cruxfinder.crux.asks import (
    AskDraft,
    AskFirst,
    AskGrade,
    AskJudge,
    AskProbe,
    AskRelate,
    Credence,
    Drafted,
    Duty,
    First,
    FixedReading,
    Graded,
    Judged,
    Probed,
    Related,
)
from cruxfinder.crux.moves import (
    Challenge,
    Claim,
    Commit,
    Draft,
    GradeSteelman,
    Move,
    ProposeCrux,
    ProvideEvidence,
    Reframe,
    Steelman,
)
from cruxfinder.crux.thread import Thread
from cruxfinder.debaters.scripted import FunctionDebater
from cruxfinder.kernel.pack import Falsifier, Pack, Persona, Proposition
from cruxfinder.kernel.run_facts import Silence
from cruxfinder.kernel.vocabulary import (
    AgentId,
    Direction,
    Grade,
    Horizon,
    MessageId,
    MoveKind,
    Phase,
    Side,
    Stage,
    TopSide,
)
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk
from cruxfinder.talk.asks import AskConsent, AskTurn, AskUser

HOLDER, TRADER, GOLD, ODDS, BUILDER = (AgentId(n) for n in ("holder", "trader", "gold", "odds", "builder"))
AGENTS: Final = (HOLDER, TRADER, GOLD, ODDS, BUILDER)
TOPIC: Final = "Bitcoin is a good store of value"
RISK: Final = "Does Bitcoin behave more like a risk asset than like a hedge over ten years?"
ADOPTION: Final = "Will institutions put more than one percent of their money into it by 2029?"
SUPPLY: Final = "The number of coins is capped at 21 million"

YES, NO, OPEN = Side.YES, Side.NO, Side.UNCERTAIN
P_TOP: Final = {HOLDER: 0.9, TRADER: 0.25, GOLD: 0.1, ODDS: 0.4, BUILDER: 0.8}
SIDES: Final = {
    RISK: {HOLDER: NO, TRADER: YES, GOLD: YES, ODDS: OPEN, BUILDER: NO},
    ADOPTION: {HOLDER: YES, TRADER: NO, GOLD: NO, ODDS: OPEN, BUILDER: YES},
}
CONFIDENCE: Final = {
    RISK: {HOLDER: 0.9, TRADER: 0.85, GOLD: 0.9, ODDS: 0.6, BUILDER: 0.85},
    ADOPTION: {HOLDER: 0.95, TRADER: 0.7, GOLD: 0.9, ODDS: 0.5, BUILDER: 0.8},
}
PROBES: Final = {  # P(yes), P(top | yes), P(top | no)
    RISK: {
        HOLDER: (0.12, 0.3, 0.95),
        TRADER: (0.85, 0.15, 0.7),
        GOLD: (0.9, 0.05, 0.2),
        ODDS: (0.5, 0.2, 0.6),
        BUILDER: (0.2, 0.35, 0.9),
    },
    ADOPTION: {
        HOLDER: (0.95, 0.92, 0.6),
        TRADER: (0.25, 0.65, 0.2),
        GOLD: (0.1, 0.2, 0.1),
        ODDS: (0.5, 0.5, 0.35),
        BUILDER: (0.85, 0.85, 0.4),
    },
}
HORIZON: Final = {a: Horizon.YEAR if a == TRADER else Horizon.DECADE for a in AGENTS}
REFUSED_FIRST: Final = {
    (TRADER, HOLDER),
    (TRADER, BUILDER),
    (GOLD, HOLDER),
    (GOLD, BUILDER),
    (HOLDER, GOLD),
    (BUILDER, GOLD),
}
RELATION: Final = {"forth": (0.1, 0.85), "back": (0.15, 0.9)}  # a risk asset is hardly adopted, and the other way round
REASONS: Final = {
    HOLDER: "nobody can enlarge the supply when governments borrow too much",
    TRADER: "it has moved with technology shares for years",
    GOLD: "it pays nothing and rests on the next buyer",
    ODDS: "there have been too few crises to tell",
    BUILDER: "people who distrust their banks already save in it",
}
STATEMENTS: Final = {
    YES: "the record so far points to yes",
    NO: "the record so far points to no",
    OPEN: "the record does not tell",
}


def opening() -> dict[AgentId, list[tuple[Move, str, str]]]:
    """What each says in DISCOVERY of the first thread, in its own order: move, content, topic."""
    top = {a: TopSide.YES if P_TOP[a] > 0.55 else TopSide.NO for a in AGENTS}

    def claim(agent: AgentId, said: str, confidence: float) -> Claim:
        return Claim(
            proposition=said,
            reason=REASONS[agent],
            confidence=confidence,
            top_side=top[agent],
            horizon=HORIZON[agent],
        )

    return {
        HOLDER: [
            (claim(HOLDER, "It is sounder money than gold", 0.95), "It is sounder money than gold.", "money"),
            (claim(HOLDER, SUPPLY, 0.99), "The number of coins is capped at 21 million, come what may.", "supply"),
        ],
        TRADER: [
            (claim(TRADER, "It trades like a technology share", 0.8), "It trades like a technology share.", "trading"),
            (CHALLENGES, "Sounder than gold? It falls whenever shares fall.", "money"),
        ],
        GOLD: [
            (claim(GOLD, "Banks will not touch it", 0.9), "Institutions will not touch it.", "adoption"),
            (claim(GOLD, "Nothing stands behind it", 0.9), "Nothing stands behind it but the next buyer.", "backing"),
        ],
        ODDS: [(claim(ODDS, "Ten years are a short record", 0.6), "Ten years are a short record.", "record")],
        BUILDER: [
            (Reframe(question=ADOPTION, why="that decides who uses it"), f"Ask something else. {ADOPTION}", "adoption"),
            (
                ProposeCrux(question=RISK, yes_means="it falls with risky assets", no_means="it holds when they fall"),
                f"Here is the hinge. {RISK}",
                "identity",
            ),
        ],
    }  # fmt: skip


CHALLENGES: Final = Challenge(target=MessageId(""), disputes="It is sounder money than gold", why=REASONS[TRADER])


@dataclass
class Archetype:
    """One of the five: a script for DISCOVERY, tables for everything else."""

    me: AgentId
    script: list[tuple[Move, str, str]]
    spoken: dict[str, int] = field(default_factory=dict[str, int])

    def __call__(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        match ask:
            case AskFirst():
                p = P_TOP[self.me]
                side = TopSide.YES if p > 0.55 else TopSide.NO if p < 0.45 else TopSide.NUANCED
                return First(p_top=p, side=side, reason=REASONS[self.me])
            case AskProbe():
                return self.probed(ask)
            case AskJudge():
                return Judged()
            case AskRelate():
                return related(ask)
            case AskGrade():
                return Graded(grade=Grade.WRONG, missing="my claim")
            case AskDraft():
                draft = self.draft(ask, record.threads[ask.thread], record)
                return Silence() if draft is None else Drafted(draft=draft)
            case AskTurn() | AskConsent() | AskUser():
                raise AssertionError("the sample is a debate for a crux")

    def probed(self, ask: AskProbe) -> Probed:
        p = P_TOP[self.me]
        if ask.phase is Phase.WORDING:
            fixed = tuple(FixedReading(q.id, *[PROBES[q.question][self.me][0]] * 2) for q in ask.questions)
            return Probed(p_top=p, fixed=fixed)
        if ask.phase is Phase.GROUND:
            held = tuple(Credence(q.id, 0.97 if "capped" in q.question else 0.5, p, p) for q in ask.questions)
            return Probed(p_top=p, credences=held)
        return Probed(p_top=p, credences=tuple(Credence(q.id, *PROBES[q.question][self.me]) for q in ask.questions))

    def draft(self, ask: AskDraft, thread: Thread, record: Any) -> Draft | None:
        if ask.duty is not None:
            return self.serve(ask.duty, thread)
        if thread.stage is Stage.EVIDENCE:
            return self.bring(thread)
        return self.discover(thread)

    def discover(self, thread: Thread) -> Draft | None:
        if thread.parent is not None:
            return self.about_adoption(thread)
        if not self.script:
            return None
        move, content, topic = self.script[0]
        if isinstance(move, Challenge):
            target = next((m for m in thread.claims if m.agent == HOLDER), None)
            if target is None:
                return None
            self.script.pop(0)
            move = Challenge(target=target.id, disputes=move.disputes, why=move.why)
            return Draft(move=move, content=content, topics=(topic,), reply_to=target.id)
        if isinstance(move, Claim) and move.proposition == "Banks will not touch it" and not framed(thread):
            return None  # it takes up what the builder brought up
        self.script.pop(0)
        return Draft(move=move, content=content, topics=(topic,))

    def about_adoption(self, thread: Thread) -> Draft | None:
        count = self.spoken[thread.id] = self.spoken.get(thread.id, 0) + 1
        if count > 3:
            return None
        said = f"{self.me.capitalize()} on adoption, point {count}: {STATEMENTS[SIDES[ADOPTION][self.me]]}."
        move = Claim(
            proposition=said.rstrip("."),
            reason=REASONS[self.me],
            confidence=0.7,
            top_side=TopSide.YES if P_TOP[self.me] > 0.5 else TopSide.NO,
            horizon=Horizon.DECADE,
        )
        return Draft(move=move, content=said, topics=("adoption",))

    def serve(self, duty: Duty, thread: Thread) -> Draft | None:
        question = next(c.question for c in thread.candidates if c.id == thread.crux)
        side = SIDES[question][self.me]
        match duty.move:
            case MoveKind.COMMIT_POSITION:
                move = Commit(
                    side=side,
                    statement=STATEMENTS[side],
                    reason=REASONS[self.me],
                    confidence=CONFIDENCE[question][self.me],
                    horizon=thread.horizon or HORIZON[self.me],
                    falsifier=None if side is OPEN else falsifier(self.me, question),
                )
                return Draft(move=move, content=f"{self.me}: {side}, because {REASONS[self.me]}.")
            case MoveKind.STEELMAN:
                assert duty.about is not None
                other = thread.commitments[duty.about]
                again = len(thread.tries.get((self.me, duty.about), ()))
                move = Steelman(target=duty.about, claim=other.statement, reason=other.reason)
                return Draft(
                    move=move, content=f"{duty.about} holds, attempt {again + 1} by {self.me}: {other.reason}."
                )
            case MoveKind.GRADE_STEELMAN:
                assert duty.message is not None and duty.about is not None
                tries = thread.tries[duty.about, self.me]
                first = thread.parent is None and len(tries) == 1 and (duty.about, self.me) in REFUSED_FIRST
                move = GradeSteelman(
                    target=duty.message,
                    grade=Grade.INCOMPLETE if first else Grade.ACCURATE,
                    missing="what would change my mind" if first else "",
                )
                said = "not all of it" if first else "that is it"
                content = f"{self.me} to {duty.about}, attempt {len(tries)}: {said}."
                return Draft(move=move, content=content, reply_to=duty.message)
            case _:
                return None

    def bring(self, thread: Thread) -> Draft | None:
        own = thread.sides.get(self.me, OPEN)
        owner = next((a for a in thread.falsifiers if thread.sides[a] is not own), None)
        if owner is None:
            return None
        count = self.spoken[thread.id + "e"] = self.spoken.get(thread.id + "e", 0) + 1
        said = f"Report {count} of {self.me} on {thread.id} bears on the test of {owner}"
        move = ProvideEvidence(
            evidence=said, source=f"archive of {self.me}", falsifier_of=owner, number=1, direction=Direction.FOR
        )
        return Draft(move=move, content=f"{said}.")


def framed(thread: Thread) -> bool:
    return any(isinstance(m.move, Reframe) for m in thread.messages)


def related(ask: AskRelate) -> Related:
    forth, back = RELATION["forth"], RELATION["back"]
    if ask.questions[0].question != RISK:
        forth, back = back, forth
    return Related(
        second_if_yes=forth[0],
        second_if_no=forth[1],
        first_if_yes=back[0],
        first_if_no=back[1],
        sketch="Institutions sell what falls with shares, so a risk asset stays out of their books.",
        back="What institutions hold for decades is no longer traded like a risky share.",
    )


def falsifier(agent: AgentId, question: str) -> Falsifier:
    metric = (
        "the drawdown in a year when shares lose 30%" if question == RISK else "the share of pension funds holding it"
    )
    return Falsifier(metric=f"{metric}, as {agent} counts it", threshold="more than 50%", deadline="2034-12-31")


def pack() -> Pack:
    def proposition(id: str, question: str) -> Proposition:
        said = question.rstrip("?")
        return Proposition(
            id=id, statement=said, denial=f"not {said}", question=question, yes_means="yes", no_means="no"
        )

    personas = tuple(
        Persona(id=a, name=a.capitalize(), about="an archetype", horizon=HORIZON[a], interests=("money", "adoption"))
        for a in AGENTS
    )
    propositions = (proposition("identity", RISK), proposition("adoption", ADOPTION))
    return Pack(name="sample", title="Sample", topic=TOPIC, summary="", propositions=propositions, personas=personas)


def debaters() -> dict[AgentId, FunctionDebater]:
    script = opening()
    return {a: FunctionDebater(Archetype(a, script[a])) for a in AGENTS}
