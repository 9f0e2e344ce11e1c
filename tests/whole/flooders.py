"""Debaters who talk as much as they are let: each spawns, replies, mentions, or answers nonsense as fast as it can.

In private they are of two minds (every other one holds everything, the rest nothing), and they serve what they owe:
whatever keeps the debate small has to be the engine.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

from cruxfinder.crux.asks import AskDraft, AskRelate, Drafted, Related
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
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.errors import DebaterFault
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.run_facts import Silence
from cruxfinder.kernel.vocabulary import AgentId, Attack, Direction, Grade, Horizon, MessageId, Side, Stage, TopSide
from cruxfinder.ports import Debater
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk
from tests.golden.puppets import NAMES, Puppet, question, top_side

# Questions that lie far apart, so that nothing but the limits keeps them from getting threads.
THINGS: Final = (
    "volcano pension violin glacier passport mushroom lawsuit orchestra vaccine harbour bicycle parliament honey"
    " satellite divorce cathedral tractor migraine lottery penguin sonnet pipeline referee cheese submarine"
    " kindergarten asteroid mortgage ballet mosquito election furnace dictionary avalanche tattoo cucumber"
    " detective monastery typhoon algebra hamster inflation perfume earthquake jury caravan coral"
    " bakery helicopter sermon"
).split()
VERBS: Final = "outlive replace ruin finance delay inspire forbid reveal tax cure".split()


def asked(number: int) -> tuple[str, str]:
    """The n-th subject and the binary question about it."""
    thing, other = THINGS[number % len(THINGS)], THINGS[(7 * number + 3) % len(THINGS)]
    return thing, f"Would the {thing} {VERBS[number % len(VERBS)]} every {other} in case {number}?"


class Flooder(Puppet):
    """Says `flood` whenever it is free to speak; `paid` for tests that keep answers."""

    is_paid = False

    def __init__(self, id: AgentId, side: Side, flood: "Flood") -> None:
        super().__init__(id, side)
        self.flood = flood
        self.drafts = 0

    async def answer(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        if isinstance(ask, AskRelate):
            return Related(second_if_yes=0.9, second_if_no=0.1, first_if_yes=0.9, first_if_no=0.1)
        if isinstance(ask, AskDraft):
            self.drafts += 1
            if ask.duty is None:
                return self.flood(self, ask, record)
        return self.reply(ask, record)

    def everybody(self, record: Any) -> str:
        return " ".join(f"@{a}" for a in record.agents if a != self.id)

    def said(
        self, move: Move, content: str, topics: tuple[str, ...] = (), reply_to: MessageId | None = None
    ) -> AnyAnswer:
        return Drafted(draft=Draft(move=move, content=content, topics=topics, reply_to=reply_to))

    def claimed(self, thing: str) -> Claim:
        said = f"The {thing} matters most, point {self.drafts}"
        return Claim(proposition=said, reason="it always did", confidence=0.8, top_side=top_side(self._mind.top))


Flood = Callable[[Flooder, AskDraft, Debate], AnyAnswer]


def spawning(me: Flooder, ask: AskDraft, record: Any) -> AnyAnswer:
    """Takes up what others proposed, and every other time frames one more question."""
    thread = record.threads[ask.thread]
    open_ = [p.told for p in record.proposals.values() if not p.settled and me.id not in p.told.supporters]
    if open_ and me.drafts % 2:
        told = open_[0]
        about = f"{told.question or told.topic} I say so too ({me.id} {me.drafts})."
        if thread.stage is Stage.DISCOVERY:
            return me.said(me.claimed(told.topic), about, (told.topic,))
        return me.said(proven(me, thread), about, (told.topic,))
    thing, text = asked(len(record.proposals) * 3 + me.drafts)
    if thread.stage is Stage.EVIDENCE:
        return me.said(question(text), f"{me.id}: {text} But what about the {thing}?", (thing,))
    if not thread.candidates and me.drafts > 2:
        return me.said(question(text), f"{me.id} asks: {text}", (thing,))
    move = Reframe(question=text, why="it matters more")
    return me.said(move, f"{me.id}: {text} But what about the {thing}?", (thing,))


def whatabouting(me: Flooder, ask: AskDraft, record: Any) -> AnyAnswer:
    """ "But what about …?" in every message, of a few subjects that everybody comes back to."""
    thread = record.threads[ask.thread]
    thing, text = asked(me.drafts % 12)
    content = f"But what about the {thing}? {me.id} says it for the {me.drafts}th time."
    if thread.stage is Stage.EVIDENCE:
        return me.said(proven(me, thread) if me.drafts % 3 else question(text), content, (thing,))
    if me.drafts % 3 == 0:
        return me.said(question(text), content, (thing,))
    return me.said(me.claimed(thing), content, (thing,))


def replying(me: Flooder, ask: AskDraft, record: Any) -> AnyAnswer:
    """Every message answers the first one of the thread, or if that is refused the second, or else none."""
    thread = record.threads[ask.thread]
    others = [m.id for m in thread.messages if m.agent not in ("moderator", me.id)]
    target = others[ask.attempt - 1] if ask.attempt <= min(2, len(others)) else None
    if thread.stage is Stage.EVIDENCE:
        return me.said(proven(me, thread), f"{me.id} answers that, reading {me.drafts}.", reply_to=target)
    if target is not None and me.drafts % 2:
        move = Challenge(target=target, disputes="all of it", why=f"{me.id} saw otherwise")
        return me.said(move, f"{me.id} disputes it for the {me.drafts}th time.", reply_to=target)
    return me.said(me.claimed(THINGS[me.drafts]), f"{me.id} answers that, time {me.drafts}.", reply_to=target)


def mentioning(me: Flooder, ask: AskDraft, record: Any) -> AnyAnswer:
    """Calls on everybody by name, so that every message reaches everybody."""
    thread = record.threads[ask.thread]
    content = f"{me.everybody(record)}, hear {me.id} on point {me.drafts}!"
    if thread.stage is Stage.EVIDENCE:
        return me.said(proven(me, thread), content)
    if me.drafts % 4 == 0:
        thing, text = asked(me.drafts + sum(map(ord, me.id)))
        return me.said(question(text), content, (thing,))
    return me.said(me.claimed(THINGS[me.drafts % len(THINGS)]), content)


def spanning(me: Flooder, ask: AskDraft, record: Any) -> AnyAnswer:
    """Spawns as well, and half of them speak of months, the others of decades."""
    thread = record.threads[ask.thread]
    if thread.stage is not Stage.DISCOVERY or me.drafts % 2 == 0:
        return spawning(me, ask, record)
    at = Horizon.MONTHS if NAMES.index(me.id) % 4 < 2 else Horizon.DECADE
    thing = THINGS[me.drafts % 3]
    return me.said(replace(me.claimed(thing), horizon=at), f"{me.id} on the {thing}, point {me.drafts}.", (thing,))


def rambling(me: Flooder, ask: AskDraft, record: Any) -> AnyAnswer:
    """Takes up what others proposed and puts as "questions" what nobody can answer with yes or no."""
    thread = record.threads[ask.thread]
    thing, _ = asked(me.drafts % 8)
    text = (f"Why does the {thing} matter so much here?", f"The {thing}, above all the {thing} of old")[me.drafts % 2]
    content = f"{text} But what about the {thing}? Says {me.id} ({me.drafts})."
    if thread.stage is Stage.EVIDENCE:
        return me.said(question(text) if me.drafts % 3 else proven(me, thread), content, (thing,))
    if me.drafts % 3 == 0:
        return me.said(me.claimed(thing), content, (thing,))
    move = question(text) if me.drafts % 3 == 1 else Reframe(question=text, why="it matters more")
    return me.said(move, content, (thing,))


def alone(me: Flooder, ask: AskDraft, record: Any) -> AnyAnswer:
    """Speaks of one thing that nobody else speaks of, and disputes nothing."""
    thread = record.threads[ask.thread]
    thing = THINGS[NAMES.index(me.id)]
    content = f"But what about the {thing}? {me.id} keeps saying so ({me.drafts})."
    if thread.stage is Stage.EVIDENCE:
        return me.said(proven(me, thread), content, (thing,))
    return me.said(replace(me.claimed(thing), confidence=0.9), content, (thing,))


def mute(me: Flooder, ask: AskDraft, record: Any) -> AnyAnswer:
    return Silence()


FLOODS: Final[Mapping[str, Flood]] = {
    "spawning": spawning,
    "whatabouting": whatabouting,
    "replying": replying,
    "mentioning": mentioning,
    "spanning": spanning,
    "rambling": rambling,
    "alone": alone,
}


def proven(me: Flooder, thread: Thread) -> Move:
    """A piece of evidence where there is a falsifier to tie it to."""
    owner = next((a for a, held in thread.falsifiers.items() if held), me.id)
    return ProvideEvidence(
        evidence=f"reading {me.drafts} by {me.id}",
        source="harbour office",
        falsifier_of=owner,
        number=1,
        direction=Direction.FOR,
    )


class Shirking(Flooder):
    """Floods, and never serves what it owes."""

    async def answer(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        if isinstance(ask, AskDraft) and ask.duty is not None:
            return Silence()
        return await super().answer(ask, record)


class Silent(Flooder):
    """Answers in private and never says a word in public, not even what it owes."""

    async def answer(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        return Silence() if isinstance(ask, AskDraft) else await super().answer(ask, record)


class Gone:
    """Answers nothing at all."""

    is_paid = False

    async def answer(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        raise DebaterFault("nobody is there")


class Babbling(Flooder):
    """Drafts of any move about anything, whatever it was asked for or owes."""

    def __init__(self, id: AgentId, side: Side, seed: int) -> None:
        super().__init__(id, side, mute)
        self.rng = Random(f"{id}/{seed}")

    async def answer(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        if not isinstance(ask, AskDraft):
            return await super().answer(ask, record)
        self.drafts += 1
        if ask.duty is not None and self.rng.random() < 0.5:
            return self.reply(ask, record)
        return Drafted(draft=self.nonsense(record))

    def text(self) -> str:
        thing, text = asked(self.rng.randrange(200))
        texts = ("", " ", thing, text, f"But what about the {thing}?", "x" * 700, "a\nb", "@ann @bob", "m1", "\ud800")
        return self.rng.choice((text, f"{self.id} {self.drafts}: {text}", *texts))

    def nonsense(self, record: Any) -> Draft:
        rng, text = self.rng, self.text
        ids = [m.id for t in record.threads.values() for m in t.messages]
        message = rng.choice([*ids, MessageId("m0"), MessageId("nothing"), MessageId("m999999")])
        agent = rng.choice([*record.agents, AgentId("nobody"), AgentId("moderator"), self.id])
        falsifier = Falsifier(metric=text(), threshold=rng.choice((text(), "falls below 4")), deadline="by 2029")
        side, sure = rng.choice(list(Side)), rng.choice((-1.0, 0.0, 0.3, 1.0, 7.0))
        moves: tuple[Move, ...] = (
            Claim(proposition=text(), reason=text(), confidence=sure, top_side=rng.choice(list(TopSide))),
            Challenge(target=message, disputes=text(), why=text()),
            Clarify(target=message, asks=rng.random() < 0.5),
            Reframe(question=text(), why=text()),
            ProposeCrux(question=text(), yes_means=text(), no_means=text()),
            Commit(
                side=side,
                statement=text(),
                reason=text(),
                confidence=sure,
                horizon=rng.choice(list(Horizon)),
                falsifier=rng.choice((None, falsifier)),
            ),
            DeclareFalsifier(falsifier=falsifier),
            Steelman(target=agent, claim=text(), reason=text()),
            GradeSteelman(target=message, grade=rng.choice(list(Grade)), missing=text()),
            ProvideEvidence(
                evidence=text(), source=text(), falsifier_of=agent, number=rng.randint(-1, 3), direction=Direction.FOR
            ),
            ChallengeEvidence(target=message, attacks=Attack.MEASUREMENT, why=text()),
            UpdatePosition(
                side_before=side,
                side_after=rng.choice(list(Side)),
                confidence_before=sure,
                confidence_after=0.5,
                moved_by=message,
            ),
            Concede(
                proposition=text(),
                top_changed=rng.random() < 0.5,
                side_before=rng.choice((None, *TopSide)),
                side_after=rng.choice((None, *TopSide)),
            ),
        )
        return Draft(
            move=rng.choice(moves),
            content=text(),
            topics=tuple(rng.sample(THINGS, rng.randrange(4))),
            reply_to=rng.choice((None, message)),
            refs=(message,) if rng.random() < 0.2 else (),
        )


def crowd(agents: int, kind: str, seed: int = 0) -> dict[AgentId, Debater]:
    """So many of one kind; "mixed" has some of each."""
    kinds = (*FLOODS, "shirking", "silent", "gone", "babbling")
    table: dict[AgentId, Debater] = {}
    for n, id in enumerate(NAMES[:agents]):
        side = Side.YES if n % 2 == 0 else Side.NO
        match kinds[(n + seed) % len(kinds)] if kind == "mixed" else kind:
            case "shirking":
                table[id] = Shirking(id, side, spawning)
            case "silent":
                table[id] = Silent(id, side, mute)
            case "gone":
                table[id] = Gone()
            case "babbling":
                table[id] = Babbling(id, side, seed)
            case flood:
                table[id] = Flooder(id, side, FLOODS[flood])
    return table
