"""The debates kept as golden logs: the shipped packs, and scenes made so that every gate bites at least once."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import resumption, run_starts
from cruxfinder.crux.moves import (
    ChallengeEvidence,
    Clarify,
    Concede,
    DeclareFalsifier,
    GradeSteelman,
    ProposeCrux,
    ProvideEvidence,
    Steelman,
    UpdatePosition,
)
from cruxfinder.crux.thread import Thread
from cruxfinder.debaters.scripted import FunctionDebater
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import Attack, Grade, MoveKind, RuleId, Side, TopSide
from cruxfinder.protocols.any_ask import AnyAnswer
from cruxfinder.protocols.any_run import AnyEvent
from tests.golden import talks, threads
from tests.golden.play import DAY, Off, Scene, of_pack, of_puppets
from tests.golden.puppets import (
    ANN,
    BOB,
    CAT,
    DAN,
    NAMES,
    QUESTIONS,
    Mind,
    Puppet,
    arguing,
    discovering,
    last_by,
    owing,
    pack_for,
    question,
    regraded,
    silence,
    vague,
)

YES, NO, UNCERTAIN = Side.YES, Side.NO, Side.UNCERTAIN


def pair(ann: Puppet | None = None, bob: Puppet | None = None) -> list[Puppet]:
    """Ann for YES, Bob for NO, a question each."""
    return [
        Puppet(ANN, YES, questions=QUESTIONS[:1]) if ann is None else ann,
        Puppet(BOB, NO, questions=QUESTIONS[1:2]) if bob is None else bob,
    ]


# ---- DISCOVERY


def wrong_words() -> list[Puppet]:
    """Ann tries everything that is no message; what is left of it is said properly in the end."""

    def replies_to_a_busy_message(thread: Thread, puppet: Puppet) -> AnyAnswer | None:
        counts = {m.id: sum(r.reply_to == m.id for r in thread.messages) for m in thread.claims}
        busy = next((m for m in thread.claims if counts[m.id] >= 2 and m.agent != puppet.id), None)
        return None if busy is None else puppet.draft(Clarify(target=busy.id, asks=True), reply_to=busy.id)

    def asks_about_the_first(thread: Thread, puppet: Puppet) -> AnyAnswer | None:
        first = thread.claims[0] if thread.claims else None
        if first is None or first.agent == puppet.id:
            return None
        return puppet.draft(Clarify(target=first.id, asks=True), reply_to=first.id)

    ann = Puppet(
        ANN,
        YES,
        questions=QUESTIONS[:1],
        tricks=[
            discovering(lambda _, p: p.draft(p.commitment())),
            discovering(lambda _, p: p.draft(p.claim(), content="So " + "very " * 130 + "long.")),
            discovering(lambda _, p: p.draft(replace(p.claim(), reason=" "))),
            discovering(replies_to_a_busy_message),
            discovering(asks_about_the_first),
        ],
    )
    bob = Puppet(BOB, NO, questions=QUESTIONS[1:2], tricks=[discovering(asks_about_the_first)])
    cat = Puppet(CAT, NO, tricks=[discovering(asks_about_the_first), discovering(replies_to_a_busy_message)])
    return [ann, bob, cat]


def polite() -> list[Puppet]:
    """Ann is nice, and wordy, and cheerful; each time she has to say it plainly."""
    dressed = (
        "Great point, and thank you for raising it: the tolls were counted twice in May.",
        "It is worth noting that the tolls were counted twice in June.",
        "The tolls were counted twice in July \U0001f389.",
    )
    tricks = [discovering(lambda _, p, text=text: p.draft(p.claim(), content=text)) for text in dressed]
    return [Puppet(ANN, YES, questions=QUESTIONS[:1], tricks=tricks), Puppet(BOB, NO, questions=QUESTIONS[1:2])]


def planted() -> list[Puppet]:
    """A wrong steelman is put before Ann, who says so, and before nobody twice."""
    return [Puppet(ANN, YES, questions=QUESTIONS[:1]), Puppet(BOB, NO, questions=QUESTIONS[1:2])]


def nobody_left() -> list[Puppet]:
    """Two of three cannot be reached any more."""
    broken = ("draft", "probe", "judge") * 40
    return [
        Puppet(ANN, YES, questions=QUESTIONS[:1], fails=broken),
        Puppet(BOB, NO, questions=QUESTIONS[1:2]),
        Puppet(CAT, NO, fails=broken),
    ]


def many_questions() -> list[Puppet]:
    """Six questions at once, one of them twice, one that is none."""

    def asks(*texts: str):
        return [discovering(lambda _, p, text=text: p.draft(question(text))) for text in texts]

    none = ProposeCrux(question="The quay is old", yes_means="it is", no_means="it is not")
    return [
        Puppet(ANN, YES, tricks=[*asks(QUESTIONS[0], QUESTIONS[3]), discovering(lambda _, p: p.draft(none))]),
        Puppet(BOB, NO, tricks=asks(QUESTIONS[1], QUESTIONS[0], QUESTIONS[4])),
        Puppet(CAT, NO, tricks=asks(QUESTIONS[2], QUESTIONS[5])),
    ]


def unfit_questions() -> list[Puppet]:
    """The topic for a question, a question asked the other way round, and one whose answers say nothing."""

    def asks(*moves: ProposeCrux):
        return [discovering(lambda _, p, move=move: p.draft(move)) for move in moves]

    bare = ProposeCrux(question=QUESTIONS[3], yes_means="Yes, it is.", no_means="No.")
    return [
        Puppet(ANN, YES, tricks=asks(question(QUESTIONS[1]), question("Should the harbour be rebuilt?"))),
        Puppet(BOB, NO, tricks=asks(question("Can the quay not survive three winters?"), bare, question(QUESTIONS[2]))),
    ]


def no_question() -> list[Puppet]:
    return pair(Puppet(ANN, YES), Puppet(BOB, NO))


def nobody_disputes() -> list[Puppet]:
    return pair(
        Puppet(ANN, YES, questions=QUESTIONS[:1], challenges=False),
        Puppet(BOB, NO, questions=QUESTIONS[1:2], challenges=False),
    )


def nothing_to_say() -> list[Puppet]:
    """One claim, one question, and then nobody has anything more."""
    quiet = [discovering(silence)] * 60
    return pair(
        Puppet(ANN, YES, tricks=[discovering(lambda _, p: p.draft(question(QUESTIONS[0]))), *quiet]),
        Puppet(BOB, NO, tricks=[discovering(lambda _, p: p.draft(p.claim())), *quiet, *[arguing(silence)] * 60]),
    )


def nobody_speaks() -> list[Puppet]:
    return pair(*(Puppet(a, s, tricks=[discovering(silence)] * 60) for a, s in ((ANN, YES), (BOB, NO))))


# ---- CRUX_LOCK


def cheap_lock() -> list[Puppet]:
    """Vague falsifiers, one whose day is over, a steelman that says nothing, grades too kind or by somebody else."""

    def grades_for_another(thread: Thread, puppet: Puppet) -> AnyAnswer | None:
        said = next((m for m in reversed(thread.messages) if isinstance(m.move, Steelman)), None)
        if said is None or not isinstance(said.move, Steelman) or said.move.target == puppet.id:
            return None
        return puppet.draft(GradeSteelman(target=said.id, grade=Grade.ACCURATE), reply_to=said.id)

    def says_nothing(thread: Thread, puppet: Puppet) -> AnyAnswer | None:
        return puppet.draft(Steelman(target=BOB, claim="they simply disagree", reason="as people do"))

    def commits_vaguely(thread: Thread, puppet: Puppet) -> AnyAnswer:
        return puppet.draft(replace(puppet.commitment(), falsifier=vague(puppet)))

    def commits_late(thread: Thread, puppet: Puppet) -> AnyAnswer:
        past = replace(puppet.falsifier(), deadline="by March 2026")
        return puppet.draft(replace(puppet.commitment(), falsifier=past))

    declaring = MoveKind.DECLARE_FALSIFIER
    ann = Puppet(
        ANN,
        YES,
        questions=QUESTIONS[:1],
        tricks=[
            owing(MoveKind.COMMIT_POSITION, commits_vaguely),
            owing(declaring, lambda _, p: p.draft(DeclareFalsifier(falsifier=vague(p)))),
            owing(declaring, lambda _, p: p.draft(p.claim())),
            owing(MoveKind.STEELMAN, says_nothing),
            owing(MoveKind.STEELMAN, grades_for_another),
        ],
    )
    bob = Puppet(
        BOB,
        NO,
        questions=QUESTIONS[1:2],
        tricks=[
            owing(MoveKind.COMMIT_POSITION, commits_late),
            owing(MoveKind.GRADE_STEELMAN, regraded(Grade.ACCURATE)),
            owing(MoveKind.GRADE_STEELMAN, regraded(Grade.INCOMPLETE)),
        ],
    )
    cat = Puppet(CAT, NO, tricks=[owing(MoveKind.STEELMAN, grades_for_another)])
    return [ann, bob, cat]


def contested() -> list[Puppet]:
    """Bob takes no steelman for accurate; with nobody else on his side the moderator grades in the end."""
    stern = [owing(MoveKind.GRADE_STEELMAN, regraded(Grade.WRONG, f"take {n}")) for n in range(6)]
    return pair(bob=Puppet(BOB, NO, questions=QUESTIONS[1:2], tricks=stern))


def contested_by_three() -> list[Puppet]:
    """The same, but Cat stands on Bob's side and grades in his place."""
    stern = [owing(MoveKind.GRADE_STEELMAN, regraded(Grade.WRONG, f"take {n}")) for n in range(9)]
    return [*pair(bob=Puppet(BOB, NO, questions=QUESTIONS[1:2], tricks=stern)), Puppet(CAT, NO)]


def one_side() -> list[Puppet]:
    """Privately opposed, and both commit to YES: no lock, through every rung, and no other question to turn to."""
    return pair(bob=Puppet(BOB, NO, says=YES))


def walked_out() -> list[Puppet]:
    """Cat owes a commitment and says nothing for 30 s: it is excused, and the others lock."""
    return [*pair(), Puppet(CAT, NO, tricks=[owing(MoveKind.COMMIT_POSITION, silence)] * 40)]


def alone() -> list[Puppet]:
    """Of two, one walks out: one commitment is not enough."""
    return pair(bob=Puppet(BOB, NO, tricks=[owing(MoveKind.COMMIT_POSITION, silence)] * 60))


def evasive() -> list[Puppet]:
    """Bob owes a falsifier and asks instead, until the moderator drafts one, which he accepts."""

    def evades(thread: Thread, puppet: Puppet) -> AnyAnswer | None:
        if puppet.id in thread.drafted:
            return puppet.draft(DeclareFalsifier(falsifier=thread.drafted[puppet.id]))
        last = last_by(thread, ANN)
        return None if last is None else puppet.draft(Clarify(target=last.id, asks=True))

    def commits_without(thread: Thread, puppet: Puppet) -> AnyAnswer:
        return puppet.draft(replace(puppet.commitment(), falsifier=None))

    bob = Puppet(
        BOB,
        NO,
        questions=QUESTIONS[1:2],
        tricks=[
            owing(MoveKind.COMMIT_POSITION, commits_without),
            *[owing(MoveKind.DECLARE_FALSIFIER, evades)] * 60,
        ],
    )
    return pair(bob=bob)


# ---- EVIDENCE


def wrong_evidence() -> list[Puppet]:
    """Cat, who is uncertain, attacks before it has understood; Ann ties evidence to nothing and concedes badly."""

    def attacks(thread: Thread, puppet: Puppet) -> AnyAnswer | None:
        said = next((m for m in thread.evidence if m.agent != puppet.id), None)
        if said is None:
            return None
        move = ChallengeEvidence(target=said.id, attacks=Attack.CAUSAL_LINK, why="one need not cause the other")
        return puppet.draft(move, reply_to=said.id)

    def understands(thread: Thread, puppet: Puppet) -> AnyAnswer | None:
        said = next((m for m in thread.evidence if m.agent != puppet.id), None)
        return None if said is None else puppet.draft(puppet.steelman(thread, said.agent))

    def attacks_a_claim(thread: Thread, puppet: Puppet) -> AnyAnswer | None:
        said = next((m for m in thread.claims if m.agent != puppet.id), None)
        if said is None:
            return None
        return puppet.draft(ChallengeEvidence(target=said.id, attacks=Attack.MEASUREMENT, why="it was not measured"))

    def brings_it_again(thread: Thread, puppet: Puppet) -> AnyAnswer | None:
        known = next((m.move for m in thread.evidence if isinstance(m.move, ProvideEvidence)), None)
        return None if known is None else puppet.draft(known)

    def concedes(top: bool, before: TopSide | None, after: TopSide | None):
        move = Concede(proposition="dredging is dear", top_changed=top, side_before=before, side_after=after)
        return arguing(lambda _, p: p.draft(move))

    def updates(before: Side, after: Side, sure: float):
        def make(thread: Thread, puppet: Puppet) -> AnyAnswer | None:
            by = next((m for m in reversed(thread.evidence) if m.agent != puppet.id), None)
            if by is None:
                return None
            return puppet.draft(
                UpdatePosition(
                    side_before=before, side_after=after, confidence_before=0.8, confidence_after=sure, moved_by=by.id
                )
            )

        return arguing(make)

    ann = Puppet(
        ANN,
        YES,
        questions=QUESTIONS[:1],
        tricks=[
            arguing(lambda _, p: p.draft(p.evidence(BOB, number=7))),
            arguing(lambda _, p: p.draft(p.evidence(CAT))),
            arguing(attacks_a_claim),
            concedes(True, None, None),
            concedes(True, TopSide.NO, TopSide.YES),
            concedes(False, TopSide.YES, TopSide.NO),
            concedes(False, None, None),
            updates(YES, YES, 0.8),
            updates(NO, YES, 0.6),
            updates(YES, YES, 0.6),
            arguing(brings_it_again),
        ],
    )
    bob = Puppet(
        BOB,
        NO,
        questions=QUESTIONS[1:2],
        after=Mind(0.8),
        tricks=[updates(NO, YES, 0.7), concedes(True, TopSide.NO, TopSide.YES)],
    )
    cat = Puppet(CAT, UNCERTAIN, tricks=[arguing(attacks), arguing(understands), arguing(attacks)])
    return [ann, bob, cat]


def no_more_evidence() -> list[Puppet]:
    """One piece of evidence, and nobody has an answer or another one."""
    quiet = [arguing(silence)] * 60
    return pair(
        Puppet(ANN, YES, questions=QUESTIONS[:1], tricks=[arguing(lambda _, p: p.draft(p.evidence(BOB))), *quiet]),
        Puppet(BOB, NO, questions=QUESTIONS[1:2], tricks=quiet),
    )


def misrepresented() -> list[Puppet]:
    """Bob objects to the crux as published, again and again."""
    return pair(bob=Puppet(BOB, NO, questions=QUESTIONS[1:2], objects=3))


def not_a_crux() -> list[Puppet]:
    """A measurement for a question, and one falsifier between the two."""

    class Same(Puppet):
        def falsifier(self):
            return replace(super().falsifier(), metric="tolls at the gate")

    asked = "Will the price of berths rise?"
    return [
        Same(ANN, YES, questions=(asked,), mind=Mind(0.9, p1=0.9, p0=0.5)),
        Same(BOB, NO, mind=Mind(0.1, p1=0.5, p0=0.1)),
    ]


# ---- the table at large


def twelve() -> list[Puppet]:
    sides = (YES, NO) * 6
    return [
        Puppet(a, s, questions=QUESTIONS[n : n + 1] if n < 2 else ())
        for n, (a, s) in enumerate(zip(NAMES, sides, strict=True))
    ]


def broken_line() -> list[Puppet]:
    return [
        Puppet(ANN, YES, questions=QUESTIONS[:1], fails=("draft", "draft", "judge")),
        Puppet(BOB, NO, questions=QUESTIONS[1:2]),
        Puppet(CAT, NO, fails=("first", "probe", "draft")),
        Puppet(DAN, NO),
    ]


def minded(ann: Mind, bob: Mind, after: Mind | None = None) -> Callable[[], list[Puppet]]:
    return lambda: pair(
        Puppet(ANN, YES, mind=ann, questions=QUESTIONS[:1]),
        Puppet(BOB, NO, mind=bob, after=after, questions=QUESTIONS[1:2]),
    )


def several_facts() -> list[Puppet]:
    """Three questions that explain 18 % of the gap each."""
    slope = 0.27  # on a gap of .6 with credences .4 apart
    return [
        Puppet(ANN, YES, mind=Mind(0.7, 0.8 + 0.3 * slope, 0.8 - 0.7 * slope), questions=QUESTIONS[:2]),
        Puppet(BOB, NO, mind=Mind(0.3, 0.2 + 0.7 * slope, 0.2 - 0.3 * slope), questions=QUESTIONS[2:3]),
    ]


def conforming() -> list[Puppet]:
    """Bob and Cat turn to YES in public; in private the camps stand where they stood."""

    def turns(thread: Thread, puppet: Puppet) -> AnyAnswer:
        move = Concede(proposition="the harbour pays", top_changed=True, side_before=TopSide.NO, side_after=TopSide.YES)
        return puppet.draft(move)

    shy = Mind(0.1, public=TopSide.YES)
    return [
        Puppet(ANN, YES, questions=QUESTIONS[:1]),
        Puppet(BOB, NO, questions=QUESTIONS[1:2], mind=shy, tricks=[arguing(turns)]),
        Puppet(CAT, NO, mind=shy, tricks=[arguing(turns)]),
    ]


def stopped(off: Off) -> tuple[AnyEvent, ...]:
    """Stopped from outside after thirty events."""
    store, puppets, heard = MemoryStore(), pair(), list[AnyEvent]()

    def listener(event: AnyEvent) -> None:
        heard.append(event)
        if len(heard) == 30:
            store.request_stop("stopped")

    return asyncio.run(
        run_starts.start(
            pack_for(puppets),
            store,
            seed=3,
            settings=Settings(off=off),
            debaters={p.id: FunctionDebater(p.reply) for p in puppets},
            run="stopped",
            listener=listener,
            day=DAY,
        )
    ).events


def forked(off: Off) -> tuple[AnyEvent, ...]:
    """A fork of the Bitcoin pack with a belief and a limit changed."""
    store, changes = MemoryStore(), ("persona.holder.belief.anchored-demand=0.1", "max-messages=40")

    async def play() -> tuple[AnyEvent, ...]:
        pack = pack_finder.find("bitcoin")[0]
        await run_starts.start(pack, store, seed=7, settings=Settings(off=off), run="parent", day=DAY)
        return (await resumption.fork("parent", 25, changes, store)).events

    return asyncio.run(play())


SCENES: Final = {
    "pack-bitcoin": Scene("the pack as it ships", of_pack("bitcoin")),
    "pack-free-will": Scene("the pack as it ships", of_pack("free-will")),
    "pack-monolith": Scene("the pack as it ships", of_pack("monolith")),
    "two-agents": Scene("two of five", of_pack("bitcoin", "holder", "economist")),
    "forked": Scene("a fork with something changed", forked),
    "stopped": Scene("a stop from outside", stopped),
    "plain": Scene("a debate in which everybody does the plain thing", of_puppets(pair)),
    "polite": Scene("pleasantries, filler and an emoji", of_puppets(polite)),
    "planted": Scene("a steelman made wrong on purpose", of_puppets(planted, Settings(planted=2))),
    "nobody-left": Scene("fewer than two can still speak", of_puppets(nobody_left)),
    "wrong-words": Scene("drafts that are no messages", of_puppets(wrong_words)),
    "many-questions": Scene("too many questions, the same twice, none", of_puppets(many_questions)),
    "unfit-questions": Scene("the topic, a mirror and bare answers for questions", of_puppets(unfit_questions)),
    "no-question": Scene("the moderator frames one", of_puppets(no_question)),
    "nobody-disputes": Scene("the devil's advocate joins", of_puppets(nobody_disputes)),
    "nothing-to-say": Scene("stages that end in silence", of_puppets(nothing_to_say)),
    "nobody-speaks": Scene("a thread that goes stale", of_puppets(nobody_speaks)),
    "cheap-lock": Scene("cheap steelmans, grades and falsifiers", of_puppets(cheap_lock)),
    "contested": Scene("three tries, then the moderator grades", of_puppets(contested)),
    "contested-by-three": Scene("three tries, then another of that side grades", of_puppets(contested_by_three)),
    "one-side": Scene("a lock lost on every rung", of_puppets(one_side)),
    "walked-out": Scene("silence under the lock", of_puppets(walked_out)),
    "alone": Scene("one commitment only", of_puppets(alone)),
    "evasive": Scene(
        "a falsifier drafted by the moderator", of_puppets(evasive, Settings(silence_ms=600_000, max_ms=360_000))
    ),
    "wrong-evidence": Scene("evidence, concessions and changes that name nothing", of_puppets(wrong_evidence)),
    "no-more-evidence": Scene("EVIDENCE ends in silence", of_puppets(no_more_evidence)),
    "misrepresented": Scene("objections to the crux", of_puppets(misrepresented)),
    "not-a-crux": Scene("a question that is not validated", of_puppets(not_a_crux)),
    "twelve": Scene("a crowd: rate and cooldowns", of_puppets(twelve, Settings(max_ms=100_000))),
    "broken-line": Scene("asks that fail", of_puppets(broken_line)),
    "few-messages": Scene("an early end by messages", of_puppets(pair, Settings(max_messages=9))),
    "little-time": Scene("an early end by time", of_puppets(pair, Settings(max_ms=30_000))),
    "stagnating": Scene("an early end by stagnation", of_puppets(pair, Settings(stagnation_messages=5))),
    "values": Scene(
        "a gap no question explains", of_puppets(minded(Mind(0.5, 0.85, 0.75), Mind(0.5, 0.25, 0.15)))
    ),
    "several-facts": Scene("three questions explain the gap together", of_puppets(several_facts)),
    "unresolved": Scene("the time is up with the question locked", of_puppets(pair, Settings(max_ms=100_000))),
    "definitions": Scene(
        "one word, two meanings", of_puppets(minded(Mind(0.9, wording=0.5), Mind(0.1, wording=0.45)))
    ),
    "horizon": Scene("one question, two horizons", of_puppets(minded(Mind(0.9, horizon=0.5), Mind(0.1, horizon=0.45)))),
    "agreement": Scene("no real disagreement", of_puppets(minded(Mind(0.9), Mind(0.7)))),
    "resolved": Scene("the gap closes", of_puppets(minded(Mind(0.9), Mind(0.1), after=Mind(0.85)))),
    "conforming": Scene("they turn in public only", of_puppets(conforming)),
    **threads.SCENES,
    **talks.SCENES,
}  # fmt: skip

CRUX_SCENES: Final = {name: scene for name, scene in SCENES.items() if name not in talks.SCENES}

# Which scene shows that a gate which Settings.off can leave out makes a difference.
BITES: Final = {
    RuleId(rule): scene
    for rule, scene in {
        "AGE-1": "promoted",
        "AGE-2": "reopened",
        "ATT-1": "within-earshot",
        "COAL-2": "two-threads",
        "CONC-1": "wrong-evidence",
        "CRUX-13": "several-facts",
        "CRUX-14": "unresolved",
        "CRUX-10": "unfit-questions",
        "CRUX-11": "unfit-questions",
        "CRUX-12": "unfit-questions",
        "CRUX-3": "not-a-crux",
        "CRUX-4": "not-a-crux",
        "CRUX-6": "three-ways",
        "CRUX-7": "nobody-disputes",
        "CRUX-8": "many-questions",
        "CRY-2": "two-threads",
        "CRY-4": "two-threads",
        "END-1": "few-messages",
        "EVID-1": "wrong-evidence",
        "FALS-1": "cheap-lock",
        "FALS-4": "cheap-lock",
        "FLOOD-1": "wrong-words",
        "FLOOD-2": "plain",
        "FLOOD-3": "twelve",
        "FLOOD-4": "one-at-a-time",
        "LOCK-1": "alone",
        "LOCK-2": "one-side",
        "LOCK-3": "plain",
        "LOCK-4": "evasive",
        "LOCK-7": "walked-out",
        "MOD-1": "orbiting",
        "MOD-2": "adrift",
        "MOD-3": "evasive",
        "MOD-4": "no-question",
        "MOD-6": "horizons",
        "STAGE-1": "wrong-words",
        "STAGE-2": "contested",
        "STAGE-6": "deeper",
        "STEEL-1": "wrong-evidence",
        "STEEL-2": "cheap-lock",
        "STEEL-3": "cheap-lock",
        "THR-1": "two-threads",
        "THR-3": "nothing-to-say",
        "THR-4": "near",
        "TURN-5": "polite",
        "VOC-1": "wrong-words",
        "VOC-2": "wrong-words",
        **talks.BITES,
    }.items()
}
