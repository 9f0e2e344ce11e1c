"""Scenes with several threads: why one is opened, what becomes of it, and how two cruxes bear on each other."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from bench.many import many
from cruxfinder.crux.asks import AskDraft, Related
from cruxfinder.crux.moves import Clarify
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import Horizon, MoveKind, Side, Stage
from cruxfinder.protocols.any_ask import AnyAnswer
from tests.golden.play import Scene, of_puppets, of_simulated
from tests.golden.puppets import (
    ANN,
    BOB,
    CAT,
    DAN,
    EVE,
    FAY,
    FISHING,
    HARBOUR,
    NAMES,
    QUAY,
    UNRELATED,
    Mind,
    Puppet,
    Trick,
    arguing,
    asking,
    beginning,
    beside,
    disputing,
    owing,
    question,
    reframing,
    silence,
    speaking_of,
)

YES, NO = Side.YES, Side.NO
NEAR_TOPIC: Final = "Would a rebuilt harbour pay for itself?"
NEAR_HARBOUR: Final = "Does the harbour earn what it costs?"
NEARER: Final = "Can the harbour pay its own way?"
SKETCH: Final = "Whoever ships through it pays for it, and so on."
ENTAILING: Final = replace(UNRELATED, second_if_yes=0.9, second_if_no=0.6, sketch=SKETCH)
SUPPORTING: Final = replace(UNRELATED, second_if_yes=0.75, second_if_no=0.3, sketch=SKETCH)
CONTRADICTING: Final = replace(UNRELATED, first_if_yes=0.1, first_if_no=0.7, back=SKETCH)
WEAK: Final = {YES: Mind(0.7, 0.98, 0.44), NO: Mind(0.3, 0.56, 0.02)}


def four(
    ann: Iterable[Trick] = (),
    bob: Iterable[Trick] = (),
    cat: Iterable[Trick] = (),
    dan: Iterable[Trick] = (),
    related: Related = UNRELATED,
    grants: float | None = None,
) -> list[Puppet]:
    """Ann and Cat for YES, Bob and Dan for NO: two threads at a time. Ann disputes something soon, and less hangs on
    the quay than on anything else."""
    tricks = {ANN: ((*ann, beginning(disputing)), YES), BOB: (bob, NO), CAT: (cat, YES), DAN: (dan, NO)}
    return [
        Puppet(a, side, tricks=t, views={QUAY: WEAK[side]}, related=related, grants=grants)
        for a, (t, side) in tricks.items()
    ]


# ---- why a thread is opened


def two_threads() -> list[Puppet]:
    """Two questions, both of which others take up: one is locked, the other gets a thread of its own."""
    return four([asking(HARBOUR)], [asking(QUAY, "quay")], [speaking_of("quay")], related=ENTAILING, grants=0.9)


def one_at_a_time() -> list[Puppet]:
    """Three agents follow one thread only: a question that two took up waits until the first thread is over."""
    return four([asking(HARBOUR)], [reframing(QUAY, "quay")], [speaking_of("quay")])[:3]


def asked_twice() -> list[Puppet]:
    """The same, but by then the first thread has found nearly the same crux."""
    return four([asking(HARBOUR)], [reframing(NEARER, "way")], [speaking_of("way")])[:3]


def deeper() -> list[Puppet]:
    """In EVIDENCE Ann asks what is asked already, and then a question behind it, which Bob takes up."""

    def takes_up(thread: Thread, puppet: Puppet) -> AnyAnswer | None:
        asked = any("fishing" in m.topics for m in thread.messages)
        return puppet.draft(puppet.evidence(ANN), topics=("fishing",)) if asked else None

    return four(
        [
            asking(HARBOUR),
            arguing(lambda _, p: p.draft(question(HARBOUR))),
            arguing(lambda _, p: p.draft(question(FISHING), topics=("fishing",))),
        ],
        [asking(QUAY), arguing(takes_up)],
        related=CONTRADICTING,
    )


def three_ways() -> list[Puppet]:
    """Eve and Fay go with one camp on the harbour and with the other on the quay: two questions, three parties."""
    doubt = {QUAY: Mind(0.1, 0.9, 0.8111)}
    tricks = {ANN: [asking(HARBOUR)], BOB: [asking(QUAY)], CAT: [beginning(disputing)]}
    return [
        Puppet(a, side, views=doubt if a in (EVE, FAY) else {}, related=SUPPORTING, tricks=tricks.get(a, ()))
        for a, side in zip(NAMES[:6], (YES, NO, YES, NO, YES, YES), strict=True)
    ]


def what_about() -> list[Puppet]:
    """A "but what about …" that others speak of is put as a question."""

    def wonders(_: Thread, puppet: Puppet) -> AnyAnswer:
        return puppet.draft(puppet.claim(), content="All very well, but what about the pilots?")

    def knows(thread: Thread, puppet: Puppet) -> AnyAnswer | None:
        asked = any("pilots" in m.content for m in thread.messages)
        return puppet.draft(puppet.claim(), content="I know the pilots better.") if asked else None

    return four([asking(HARBOUR)], [beginning(wonders)], [beginning(knows)])


def shared_word() -> list[Puppet]:
    """Two speak of the pilots, and no question covers them."""

    def mentions(_: Thread, puppet: Puppet) -> AnyAnswer:
        return puppet.draft(puppet.claim(), topics=("pilots",))

    return four([asking(HARBOUR)], [beginning(mentions)], dan=[beginning(mentions)])


def stuck() -> list[Puppet]:
    """A long thread comes back to a question it had left behind."""

    def comes_back(_: Thread, puppet: Puppet) -> AnyAnswer:
        return puppet.draft(puppet.evidence(ANN), topics=("quay",))

    return four([asking(HARBOUR)], [asking(QUAY, "quay")], dan=[arguing(comes_back)])


# ---- what becomes of it


def near() -> list[Puppet]:
    """Two proposals that ask what the thread asks: one in time to be weighed there, one too late."""

    def takes_up(thread: Thread, puppet: Puppet) -> AnyAnswer | None:
        asked = any("way" in m.topics for m in thread.messages)
        return puppet.draft(puppet.evidence(ANN), topics=("way",)) if asked else None

    return four(
        [asking(HARBOUR), arguing(lambda _, p: p.draft(question(NEARER), topics=("way",)))],
        [reframing(NEAR_TOPIC, "worth"), arguing(takes_up)],
        [speaking_of("worth")],
    )


def grown_together() -> list[Puppet]:
    """A thread is opened beside the first, which then locks nearly the same question."""
    slow = [beside(silence)] * 9
    return four(
        [asking(HARBOUR), *slow],
        [reframing(NEAR_HARBOUR, "costs")],
        [speaking_of("costs"), *slow],
        [*[beginning(silence)] * 3, *slow],
    )


def left_alone() -> list[Puppet]:
    """A thread is opened and hardly anybody has anything to say in it."""
    quiet = [beside(silence)] * 60
    return four(
        [asking(HARBOUR), *quiet],
        [asking(QUAY, "quay"), beside(lambda _, p: p.draft(p.claim())), *quiet],
        [speaking_of("quay"), *quiet],
        quiet,
    )


def reopened() -> list[Puppet]:
    """No lock on the one question, where both say YES: the other one gets its chance."""
    return [
        Puppet(ANN, YES, questions=(HARBOUR,)),
        Puppet(BOB, NO, questions=(QUAY,), says={HARBOUR: YES}),
    ]


def promoted() -> list[Puppet]:
    """Six agents, three threads: the weakest question gives its place on the agenda to a stronger one."""
    tricks = {
        ANN: [asking(HARBOUR)],
        BOB: [reframing(QUAY, "quay"), speaking_of("fishing")],
        CAT: [beginning(disputing)],
        EVE: [reframing(FISHING, "fishing"), speaking_of("quay")],
    }
    return [
        Puppet(a, side, views={HARBOUR: WEAK[side]}, tricks=tricks.get(a, ()))
        for a, side in zip(NAMES[:6], (YES, NO) * 3, strict=True)
    ]


# ---- the moderator


def orbiting() -> list[Puppet]:
    """The same words over and over."""
    circling = [
        beginning(lambda _, p, n=n: p.draft(p.claim(), content=f"The old harbour, the old quay, {p.id}: round {n}."))
        for n in range(8)
    ]
    return four(circling, circling, circling, circling)


def adrift() -> list[Puppet]:
    """Twelve messages, four of them asides, and no question in sight: do they speak of one span of time?"""

    def aside(thread: Thread, puppet: Puppet) -> AnyAnswer | None:
        said = [m for m in thread.messages if m.agent != puppet.id]
        return puppet.draft(Clarify(target=said[-1].id, asks=True)) if said else None

    spans = {ANN: Horizon.YEAR, BOB: Horizon.DECADE, CAT: Horizon.YEAR, DAN: Horizon.FIVE_YEARS}
    sides = {ANN: YES, BOB: NO, CAT: YES, DAN: NO}
    return [Puppet(a, sides[a], horizon=spans[a], tricks=[beginning(aside)]) for a in spans]


def horizons() -> list[Puppet]:
    """Ann thinks in years, Bob and Cat in decades. Ann commits for her own span first, and is told."""

    def for_her_own(_: Thread, puppet: Puppet) -> AnyAnswer:
        return puppet.draft(puppet.commitment())

    tricks = [beginning(lambda _, p: p.draft(p.claim())), asking(HARBOUR)]
    return [
        Puppet(ANN, YES, horizon=Horizon.YEAR, tricks=[*tricks, owing(MoveKind.COMMIT_POSITION, for_her_own)]),
        Puppet(BOB, NO, horizon=Horizon.DECADE),
        Puppet(CAT, NO, horizon=Horizon.DECADE),
    ]


def split() -> list[Puppet]:
    """Four think in months and four in decades: more than can be aligned."""
    table: list[Puppet] = []
    for n, agent in enumerate(NAMES[:8]):
        asked = {EVE: (HARBOUR,), FAY: (QUAY,)}.get(agent, ())
        span = Horizon.MONTHS if n < 4 else Horizon.DECADE
        table.append(Puppet(agent, NO if n % 2 else YES, questions=asked, horizon=span, challenges=False))
    return table


# ---- the table at large


def within_earshot() -> list[Puppet]:
    """Everybody answers what reached it, and what does not concern it does not reach it."""

    def answers(ask: AskDraft, record: Any, puppet: Puppet) -> AnyAnswer | None:
        thread = record.threads[ask.thread]
        if ask.answers is None or thread.stage is not Stage.DISCOVERY:
            return None
        return puppet.draft(Clarify(target=ask.answers, asks=False), reply_to=ask.answers)

    interests = {ANN: ("harbour income", "ships"), BOB: ("storms",), CAT: ("sailors",), DAN: ("opera",)}
    tricks = {ANN: [asking(HARBOUR)], CAT: [beginning(disputing)]}
    return [
        Puppet(a, NO if n % 2 else YES, interests=interests[a], tricks=[*tricks.get(a, ()), *[answers] * 3])
        for n, a in enumerate(interests)
    ]


def paid_for() -> list[Puppet]:
    return [Puppet(ANN, YES, questions=(HARBOUR,)), Puppet(BOB, NO, questions=(QUAY,))]


SCENES: Final = {
    "two-threads": Scene("a question left over gets a thread of its own", of_puppets(two_threads)),
    "one-at-a-time": Scene("a question waits until there is room", of_puppets(one_at_a_time, Settings(max_ms=450_000))),
    "asked-twice": Scene("one crux found in two threads", of_puppets(asked_twice, Settings(max_ms=450_000))),
    "deeper": Scene("a question behind the crux, and one that is known", of_puppets(deeper, Settings(max_ms=360_000))),
    "three-ways": Scene("three parties: two questions", of_puppets(three_ways)),
    "what-about": Scene("but what about …", of_puppets(what_about)),
    "shared-word": Scene("what two speak of and nobody asks", of_puppets(shared_word)),
    "stuck": Scene("a long thread comes back to another question", of_puppets(stuck)),
    "near": Scene("proposals that are merged into a thread", of_puppets(near)),
    "grown-together": Scene("a thread that is merged into another", of_puppets(grown_together)),
    "left-alone": Scene("a spawned thread that goes stale", of_puppets(left_alone)),
    "reopened": Scene("another question after a lost lock", of_puppets(reopened, seed=5)),
    "promoted": Scene("a dispute that gives way on the agenda", of_puppets(promoted, seed=1)),
    "orbiting": Scene("the moderator breaks a circle", of_puppets(orbiting)),
    "adrift": Scene("the moderator asks for one span of time", of_puppets(adrift)),
    "horizons": Scene("spans aligned before the lock", of_puppets(horizons)),
    "split": Scene("spans too far apart: two threads for one question", of_puppets(split)),
    "within-earshot": Scene("what reaches whom", of_puppets(within_earshot)),
    "paid-for": Scene("an early end by cost", of_puppets(paid_for, Settings(max_calls=25), paid=True)),
    "tram": Scene("twelve simulated agents, several threads", of_simulated(many(12))),
}
