"""Debaters who do the plainest legal thing, but for the tricks they were taught. Their words are their own.

A golden log made with them changes only when the engine or a rule does, not when simulated debaters find better words.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
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
    Question,
    QuestionLink,
    Related,
)
from cruxfinder.crux.moves import (
    Challenge,
    ChallengeEvidence,
    Claim,
    Commit,
    DeclareFalsifier,
    Draft,
    GradeSteelman,
    Move,
    ProposeCrux,
    ProvideEvidence,
    Reframe,
    Steelman,
)
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Message, Thread, find_candidate
from cruxfinder.errors import DebaterFault
from cruxfinder.kernel.pack import Falsifier, Pack, Persona
from cruxfinder.kernel.run_facts import Silence
from cruxfinder.kernel.vocabulary import (
    MODERATOR,
    AgentId,
    Attack,
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

NAMES: Final = tuple(AgentId(n) for n in "ann bob cat dan eve fay gil hal ivy jon kim lee".split())
ANN, BOB, CAT, DAN, EVE, FAY = NAMES[:6]

# Content words of its own for each, so that nobody is taken for somebody else.
WORDS: Final = dict(
    zip(
        NAMES,
        (
            "harbour traffic doubled since dredging",
            "winter storms closed quays twice",
            "insurers quote higher premiums yearly",
            "railway freight stayed perfectly level",
            "migrant workers left before harvest",
            "timber exports reached Norway again",
            "council ledgers show steady income",
            "divers found cracked concrete pillars",
            "fishing licences became remarkably cheap",
            "customs officers search fewer lorries",
            "lighthouse keepers retired without successors",
            "tourists prefer smaller sandy beaches",
        ),
        strict=True,
    )
)
QUESTIONS: Final = (
    "Does the harbour pay for itself?",
    "Can the quay survive three winters?",
    "Would merchants move inland otherwise?",
    "Is dredging cheaper than rebuilding?",
    "Do pilots refuse night arrivals?",
    "Has fishing recovered since quotas?",
)
HARBOUR, QUAY, MERCHANTS, DREDGING, PILOTS, FISHING = QUESTIONS

# What they say beside the move: no two alike, so that nobody goes in circles unless it is meant to.
SAYINGS: Final = (
    "Let me put that on the table",
    "Look at my books for this",
    "Nobody mentioned it so far",
    "My neighbours remember such years",
    "A letter from Genoa confirms that",
    "Somebody ought to check twice",
    "Here comes another angle",
    "Old sailors tell similar stories",
    "Figures arrived this morning",
    "Think of ropes, barrels and cranes",
    "Several widows signed a petition",
    "Bring whatever proves me mistaken",
)


@dataclass(frozen=True)
class Mind:
    """What it answers in private, about any question alike."""

    c: float
    p1: float = 0.9
    p0: float = 0.1
    p_top: float | None = None  # None: as it follows from the others
    wording: float | None = None
    horizon: float | None = None
    public: TopSide | None = None

    @property
    def top(self) -> float:
        return self.c * self.p1 + (1 - self.c) * self.p0 if self.p_top is None else self.p_top


MINDS: Final = {Side.YES: Mind(0.9), Side.NO: Mind(0.1), Side.UNCERTAIN: Mind(0.5)}
UNRELATED: Final = Related(second_if_yes=0.5, second_if_no=0.5, first_if_yes=0.5, first_if_no=0.5)

Trick = Callable[[AskDraft, Debate, "Puppet"], AnyAnswer | None]


class Puppet:
    """Deterministic: what it answers depends on what it was asked before, the record, and nothing else."""

    def __init__(
        self,
        id: AgentId,
        side: Side,
        *,
        mind: Mind | None = None,
        after: Mind | None = None,
        tricks: Iterable[Trick] = (),
        questions: Sequence[str] = (),
        views: Mapping[str, Mind] | None = None,  # on these questions it thinks otherwise than on the rest
        says: Side | Mapping[str, Side] | None = None,  # in public, whatever it thinks; or on these questions only
        horizon: Horizon | None = None,
        related: Related = UNRELATED,
        grants: float | None = None,  # what it gives for claims that nobody disputed
        interests: Sequence[str] = (),
        objects: int = 0,
        challenges: bool = True,
        grades: Grade = Grade.WRONG,  # what it says of a steelman put before it in private
        fails: Iterable[str] = (),
    ) -> None:
        self.id = id
        self.side = says if isinstance(says, Side) else side
        self.interests = tuple(interests)
        self._says = says if isinstance(says, Mapping) else {}
        self._views = {} if views is None else views
        self._horizon = horizon
        self._related = related
        self._grants = grants
        self._mind = MINDS[side] if mind is None else mind
        self._after = self._mind if after is None else after
        self._tricks = list(tricks)
        self._questions = list(questions)
        self._objects = objects
        self._challenges = challenges
        self._grades = grades
        self._fails = list(fails)
        self._said = 0

    def reply(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        if ask.kind in self._fails:
            self._fails.remove(ask.kind)
            raise DebaterFault(f"the line broke at a {ask.kind}")
        match ask:
            case AskFirst():
                return First(p_top=self._mind.top, side=top_side(self._mind.top), reason=WORDS[self.id])
            case AskProbe():
                return self._probed(ask)
            case AskJudge():
                return self._judged()
            case AskRelate():
                return self._related
            case AskGrade():
                return Graded(grade=self._grades, missing="" if self._grades is Grade.ACCURATE else "all of it")
            case AskDraft():
                return self._trick(ask, record) or self._plain(ask, record)
            case AskTurn() | AskConsent() | AskUser():
                raise AssertionError("puppets debate for a crux")

    # ---- in private

    def _probed(self, ask: AskProbe) -> Probed:
        mind = self._after if ask.phase in (Phase.AFTER, Phase.CHANGE, Phase.GROUND) else self._mind
        if ask.phase is Phase.WORDING:
            return Probed(p_top=mind.top, fixed=tuple(fixed(q, self._view(q, mind)) for q in ask.questions))
        if ask.phase is Phase.LINKS:
            links = tuple(QuestionLink(first.id, second.id, 0.5, 0.5) for first, second in ask.pairs)
            return Probed(p_top=mind.top, links=links)
        if ask.phase is Phase.GROUND and self._grants is not None:
            held = tuple(Credence(q.id, self._grants, mind.top, mind.top) for q in ask.questions)
            return Probed(p_top=mind.top, credences=held)
        credences = tuple(credence(q, self._view(q, mind)) for q in ask.questions)
        public = mind.public if ask.phase is Phase.CHANGE else None
        return Probed(p_top=mind.top, credences=credences, public_side=public)

    def _view(self, asked: Question, mind: Mind) -> Mind:
        return self._views.get(asked.question, mind)

    def _judged(self) -> Judged:
        if not self._objects:
            return Judged()
        self._objects -= 1
        other = Side.NO if self.side is Side.YES else Side.YES
        return Judged(objection=f"That is not me ({self._objects} left).", side=other, statement="I left that side.")

    # ---- in public

    def _trick(self, ask: AskDraft, record: Any) -> AnyAnswer | None:
        for place, trick in enumerate(self._tricks):
            answer = trick(ask, record, self)
            if answer is not None:
                del self._tricks[place]
                return answer
        return None

    def draft(
        self, move: Move, content: str = "", reply_to: MessageId | None = None, topics: Sequence[str] = ()
    ) -> Drafted:
        self._said += 1
        saying = SAYINGS[(self._said + 5 * NAMES.index(self.id)) % len(SAYINGS)]
        said = content or f"{saying} ({self.id}, {self._said})."
        return Drafted(draft=Draft(move=move, content=said, reply_to=reply_to, topics=tuple(topics)))

    def _plain(self, ask: AskDraft, record: Any) -> AnyAnswer:
        thread = record.threads[ask.thread]
        if ask.duty is not None:
            return self.serve(ask.duty, thread)
        if thread.stage is Stage.DISCOVERY:
            return self._discover(thread)
        return self._argue(thread)

    def serve(self, duty: Duty, thread: Thread) -> AnyAnswer:
        match duty.move:
            case MoveKind.COMMIT_POSITION:
                return self.draft(self.commitment(thread))
            case MoveKind.DECLARE_FALSIFIER:
                return self.draft(DeclareFalsifier(falsifier=self.falsifier()))
            case MoveKind.STEELMAN:
                assert duty.about is not None
                return self.draft(self.steelman(thread, duty.about))
            case MoveKind.GRADE_STEELMAN:
                assert duty.message is not None
                return self.draft(GradeSteelman(target=duty.message, grade=Grade.ACCURATE), reply_to=duty.message)
            case _:
                return Silence()

    def side_in(self, thread: Thread) -> Side:
        """Where it stands on the question locked there."""
        asked = find_candidate(thread, thread.crux)
        if asked is None:
            return self.side
        seen = self._views.get(asked.question)
        return self._says.get(asked.question, self.side if seen is None else side_of(seen.c))

    def commitment(self, thread: Thread | None = None) -> Commit:
        side = self.side if thread is None else self.side_in(thread)
        span = None if thread is None else thread.horizon
        return Commit(
            side=side,
            statement=self.statement,
            reason=f"my grounds: {WORDS[self.id]}",
            confidence=0.8,
            horizon=span or self._horizon or Horizon.FIVE_YEARS,
            falsifier=None if side is Side.UNCERTAIN else self.falsifier(),
        )

    @property
    def statement(self) -> str:
        return f"{WORDS[self.id]}, says {self.id}"

    def falsifier(self) -> Falsifier:
        return Falsifier(metric=f"tolls {self.id} counts", threshold="fall below 40 percent", deadline="by June 2029")

    def steelman(self, thread: Thread, target: AgentId) -> Steelman:
        held = thread.commitments[target]
        return Steelman(target=target, claim=held.statement, reason=held.reason, falsifier="tolls below 40 percent")

    def claim(self) -> Claim:
        said = f"{WORDS[self.id]}, point {self._said + 1}"
        return Claim(
            proposition=said,
            reason=f"the books of {self.id}",
            confidence=0.8,
            top_side=top_side(self._mind.top),
            horizon=self._horizon,
        )

    def _discover(self, thread: Thread) -> AnyAnswer:
        if not any(m.agent == self.id for m in thread.claims):
            return self.draft(self.claim())
        open_claims = [m for m in thread.claims if m.agent != self.id and m.id not in thread.challenged]
        open_claims = [m for m in open_claims if sum(r.reply_to == m.id for r in thread.messages) < 2]
        if self._challenges and open_claims:
            return self.challenge(open_claims[0])
        if self._questions and thread.parent is None:
            return self.draft(question(self._questions.pop(0)))
        return self.draft(self.claim())

    def challenge(self, said: Message) -> AnyAnswer:
        assert isinstance(said.move, Claim)
        move = Challenge(target=said.id, disputes=said.move.proposition, why=f"the books of {self.id} say otherwise")
        return self.draft(move, reply_to=said.id)

    def _argue(self, thread: Thread) -> AnyAnswer:
        fresh = [m for m in thread.evidence if m.agent != self.id and m.id not in thread.answered]
        side = self.side_in(thread)
        opposed = [m for m in fresh if thread.sides.get(m.agent) is not side]
        if opposed and side is not Side.UNCERTAIN:
            move = ChallengeEvidence(target=opposed[0].id, attacks=Attack.MEASUREMENT, why=f"{self.id} measured anew")
            return self.draft(move, reply_to=opposed[0].id)
        owner = next((a for a in thread.falsifiers if a != self.id), None)
        if owner is None or side is Side.UNCERTAIN:
            return Silence()
        return self.draft(self.evidence(owner))

    def evidence(self, owner: AgentId, number: int = 1) -> ProvideEvidence:
        text = f"survey {self._said + 1} by {self.id}"
        return ProvideEvidence(
            evidence=text, source="harbour office", falsifier_of=owner, number=number, direction=Direction.FOR
        )


def top_side(p: float) -> TopSide:
    return TopSide.YES if p > 0.55 else TopSide.NO if p < 0.45 else TopSide.NUANCED


def side_of(c: float) -> Side:
    return Side.YES if c > 0.55 else Side.NO if c < 0.45 else Side.UNCERTAIN


def credence(asked: Question, mind: Mind) -> Credence:
    return Credence(asked.id, mind.c, mind.p1, mind.p0)


def question(text: str) -> ProposeCrux:
    """With what the surveyors would find either way; a text that only said the question over would be sent back."""
    return ProposeCrux(question=text, yes_means="The surveyors find it so.", no_means="The surveyors find otherwise.")


def fixed(asked: Question, mind: Mind) -> FixedReading:
    wording, horizon = (mind.c if given is None else given for given in (mind.wording, mind.horizon))
    return FixedReading(asked.id, wording, horizon)


def pack_for(puppets: Sequence[Puppet]) -> Pack:
    return Pack(
        name="puppets",
        title="Puppets",
        topic="The harbour should be rebuilt",
        summary="Made for golden logs.",
        propositions=(),
        personas=tuple(
            Persona(id=p.id, name=p.id.capitalize(), about="a puppet", interests=p.interests) for p in puppets
        ),
    )


# ---- tricks, each played once


Make = Callable[[Thread, Puppet], AnyAnswer | None]


def when(stage: Stage, make: Make, duty: MoveKind | None = None, spawned: bool | None = None) -> Trick:
    """In a stage, instead of what is owed (or of a free draft); None from `make` waits for the next chance."""

    def trick(ask: AskDraft, record: Any, puppet: Puppet) -> AnyAnswer | None:
        thread = record.threads[ask.thread]
        owed = None if ask.duty is None else ask.duty.move
        if spawned is not None and spawned is not (thread.parent is not None):
            return None
        return make(thread, puppet) if (thread.stage, owed) == (stage, duty) else None

    return trick


def discovering(make: Make) -> Trick:
    return when(Stage.DISCOVERY, make)


def beginning(make: Make) -> Trick:
    """In DISCOVERY of the first thread."""
    return when(Stage.DISCOVERY, make, spawned=False)


def beside(make: Make) -> Trick:
    """In DISCOVERY of a thread that was opened beside another."""
    return when(Stage.DISCOVERY, make, spawned=True)


def asking(text: str, topic: str = "") -> Trick:
    """Propose a question in the first thread."""
    return beginning(lambda _, p: p.draft(question(text), topics=(topic,) if topic else ()))


def disputing(thread: Thread, puppet: Puppet) -> AnyAnswer | None:
    said = next((m for m in thread.claims if m.agent != puppet.id), None)
    return None if said is None else puppet.challenge(said)


def reframing(text: str, topic: str) -> Trick:
    return beginning(lambda _, p: p.draft(Reframe(question=text, why="more hangs on it"), topics=(topic,)))


def speaking_of(topic: str) -> Trick:
    """A claim about something others spoke of, once they did."""

    def make(thread: Thread, puppet: Puppet) -> AnyAnswer | None:
        if not any(topic in m.topics for m in thread.messages):
            return None
        return puppet.draft(puppet.claim(), topics=(topic,))

    return beginning(make)


def arguing(make: Make) -> Trick:
    return when(Stage.EVIDENCE, make)


def owing(duty: MoveKind, make: Make) -> Trick:
    return when(Stage.CRUX_LOCK, make, duty)


def silence(*_: object) -> AnyAnswer:
    return Silence()


def regraded(grade: Grade, missing: str = "the heart of it") -> Make:
    """Grade the steelman that is owed a grade, but like this."""

    def make(thread: Thread, puppet: Puppet) -> AnyAnswer | None:
        for tries in thread.tries.values():
            last = tries[-1]
            if last.target == puppet.id and last.grade is Grade.PENDING:
                said = "" if grade is Grade.ACCURATE else missing
                return puppet.draft(
                    GradeSteelman(target=last.message, grade=grade, missing=said), reply_to=last.message
                )
        return None

    return make


def vague(puppet: Puppet) -> Falsifier:
    return replace(puppet.falsifier(), threshold="seems weaker", deadline="someday")


def last_by(thread: Thread, *others: AgentId) -> Message | None:
    return next((m for m in reversed(thread.messages) if m.agent in others and m.agent != MODERATOR), None)
