"""Floods cannot happen: however fast a crowd spawns, replies and mentions, every limit of a debate in threads holds.

The crowds are in `flooders`; what holds is read off the raw log by `crowd_oracle`, which is proved first by planting
what it should find.
"""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import pytest

from bench.many import many
from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.crux.commands import Say
from cruxfinder.crux.decide import decide
from cruxfinder.crux.events import (
    Event,
    MessagePosted,
    MessageRefused,
    ModeratorIntervention,
    ThreadCreated,
    ThreadMerged,
    ThreadProposed,
    ThreadStale,
)
from cruxfinder.crux.evolve import fold
from cruxfinder.crux.moves import Challenge, Claim, Draft
from cruxfinder.kernel.pack import Pack, Persona
from cruxfinder.kernel.run_facts import DebateComplete, DebateStarted, Seat
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import (
    ADVOCATE,
    AgentId,
    Ending,
    MessageId,
    ProposalId,
    RuleId,
    Stage,
    ThreadId,
    TopSide,
    Trigger,
)
from cruxfinder.protocols.any_run import AnyEvent, Finished
from tests.law.build import as_read
from tests.whole.crowd_oracle import faults, most_active
from tests.whole.flooders import crowd

pytestmark = pytest.mark.slow  # whole debates of many

SIZES = (2, 3, 4, 5, 8, 12)
KINDS = ("spawning", "whatabouting", "replying", "mentioning", "spanning", "alone", "shirking")
MORE = ("silent", "gone", "babbling")
LIKE = embedder(Settings().embedder)


@cache
def flooded(kind: str, agents: int, seed: int = 0, settings: Settings = Settings()) -> Finished:
    table = crowd(agents, kind, seed)
    pack = Pack(
        name="flood",
        title="A flood",
        topic="The harbour should be rebuilt",
        summary="Made for this test.",
        propositions=(),
        personas=tuple(Persona(id=id, name=id.capitalize(), about="a flooder") for id in table),
    )
    return asyncio.run(run_starts.start(pack, MemoryStore(), seed=seed, settings=settings, debaters=table, run="r1"))


# ---- the limits hold


@pytest.mark.parametrize("agents", SIZES)
@pytest.mark.parametrize("kind", [*KINDS, *MORE])
def test_a_crowd_of_one_kind_keeps_every_limit(kind: str, agents: int) -> None:
    assert faults(flooded(kind, agents).events, LIKE) == []


@pytest.mark.parametrize("agents", SIZES)
@pytest.mark.parametrize("seed", [2, 3])
def test_a_mixed_crowd_keeps_every_limit(agents: int, seed: int) -> None:
    found = faults(flooded("mixed", agents, seed).events, LIKE)
    assert [f for f in found if "not a yes-or-no question" not in f] == []  # those have a test of their own below


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, *MORE])
def test_crowds_keep_every_limit_whatever_the_seed(kind: str) -> None:
    for agents in SIZES:
        for seed in range(4, 24):
            assert faults(flooded(kind, agents, seed).events, LIKE) == [], (agents, seed)


@pytest.mark.rule("THR-1")
@pytest.mark.parametrize("agents", [4, 5, 8, 12])
def test_only_questions_for_yes_or_no_get_a_thread(agents: int) -> None:
    for seed in (0, 1):
        assert faults(flooded("rambling", agents, seed).events, LIKE) == []


@pytest.mark.slow
@pytest.mark.rule("END-1")
@pytest.mark.parametrize("kind", ["spawning", "whatabouting", "mixed"])
@pytest.mark.parametrize(
    "settings",
    [
        Settings(max_messages=1),
        Settings(max_messages=40),
        Settings(max_messages=100, max_ms=200_000),
        Settings(max_ms=20_000),
        Settings(embedder="keyword"),
        Settings(attention=0.0),
    ],
    ids=["one message", "40 messages", "100 messages in 200 s", "20 s", "keywords", "all ears"],
)
def test_crowds_keep_the_limits_they_are_given(kind: str, settings: Settings) -> None:
    found = faults(flooded(kind, 12, 0, settings).events, embedder(settings.embedder))
    assert [f for f in found if "not a yes-or-no question" not in f] == []


@pytest.mark.rule("END-1")
@pytest.mark.parametrize("max_ms", [47_123, 83_333, 120_600])
def test_nobody_speaks_once_time_is_up(max_ms: int) -> None:
    """Also where the limit falls between two looks at the clock."""
    for kind in ("spawning", "replying"):
        assert faults(flooded(kind, 12, 0, Settings(max_ms=max_ms)).events, LIKE) == []


@pytest.mark.parametrize("agents", SIZES)
def test_simulated_debaters_keep_every_limit(agents: int) -> None:
    for seed in range(2):
        events = asyncio.run(run_starts.start(many(agents, seed), MemoryStore(), seed=seed)).events
        assert faults(events, LIKE) == [], seed


# ---- the crowds do flood


@pytest.mark.slow
@pytest.mark.rule("FLOOD-4")
@pytest.mark.parametrize(("agents", "most"), [(2, 1), (3, 1), (4, 2), (5, 2), (8, 4), (12, 4)])
def test_those_who_spawn_get_as_many_threads_as_there_may_be(agents: int, most: int) -> None:
    found = [flooded(kind, agents, seed).events for kind in ("spawning", "whatabouting") for seed in (0, 1)]
    assert max(map(most_active, found)) == most


@pytest.mark.slow
def test_the_crowds_run_into_every_limit() -> None:
    runs = [flooded(kind, agents, seed) for kind in KINDS for agents in (8, 12) for seed in (0, 1)]
    refused = {r.rule for f in runs for e in f.events if isinstance(e, MessageRefused) for r in e.refusals}
    assert {"FLOOD-1", "FLOOD-3", "CRUX-8"} <= refused
    proposed = [len({e.proposal for e in f.events if isinstance(e, ThreadProposed)}) for f in runs]
    opened = [sum(isinstance(e, ThreadCreated) for e in f.events) for f in runs]
    assert max(proposed) > 3 * max(opened), "far more is proposed than opened"
    triggers = {e.trigger for f in runs for e in f.events if isinstance(e, ThreadCreated)}
    assert {Trigger.FRAMING, Trigger.WHAT_ABOUT, Trigger.DEEPER, Trigger.HORIZON, Trigger.KEYWORD} <= triggers
    assert {Ending.MESSAGES, Ending.NATURAL} <= {f.result.ending for f in runs}


@pytest.mark.parametrize("agents", SIZES)
def test_those_who_answer_nothing_leave_a_debate_that_ends(agents: int) -> None:
    for kind in ("silent", "gone"):
        finished = flooded(kind, agents)
        assert isinstance(finished.events[-1], DebateComplete)
        assert finished.result.total_messages == 0


@pytest.mark.slow
@pytest.mark.rule("FLOOD-4")
@pytest.mark.parametrize("rule", ["THR-1", "FLOOD-1", "FLOOD-2", "FLOOD-3", "STAGE-2"])
def test_the_limits_hold_because_of_their_rules(rule: str) -> None:
    """With a rule left out the same crowds break what it guards, and the oracle sees it; without THR-1 none spawns."""
    settings = Settings(off=(RuleId(rule),))
    runs = [flooded(kind, 12, 0, settings).events for kind in ("spawning", "replying")]
    if rule == "THR-1":
        assert all(most_active(events) == 1 for events in runs)
    else:
        assert any(rule in fault for events in runs for fault in faults(events))


# ---- the oracle sees what is planted


def planted() -> Iterator[tuple[str, str, Callable[[list[AnyEvent]], list[AnyEvent]]]]:
    """What is done to a log that keeps every limit, and the rule the oracle should name."""
    yield "nothing", "", lambda log: log
    yield "no end", "END-1", lambda log: log[:-1]
    yield "a message after the end", "after the end", lambda log: [*log, spoken(log)[-1]]
    yield "time runs back", "back in time", lambda log: [*log[:50], replace(log[50], at_ms=0), *log[51:]]
    yield "too short a cooldown", "FLOOD-2", lambda log: altered(log, spoken(log)[9], cooldown_ms=5_999)
    yield "too long a cooldown", "FLOOD-2", lambda log: altered(log, spoken(log)[9], cooldown_ms=12_001)
    yield "somebody speaks twice", "FLOOD-2", lambda log: after(log, spoken(log)[9], again(spoken(log)[9], 1))
    yield "thirteen in 30 s", "FLOOD-3", crammed
    yield "a third reply", "FLOOD-1", replied
    yield "a fifth thread", "FLOOD-4", lambda log: after(log, made(log)[3], replace(made(log)[3], thread="t99"))
    yield "a thread twice", "THR-1", lambda log: after(log, made(log)[1], made(log)[1])
    yield "no parent", "THR-1", lambda log: altered(log, made(log)[1], parent=None)
    yield "an open question", "THR-1", lambda log: altered(log, made(log)[1], question="Why is it so?")
    yield "no question", "THR-1", lambda log: altered(log, made(log)[1], question="")
    yield "another question", "THR-1", lambda log: altered(log, made(log)[1], question="Is this another one?")
    yield "too near", "THR-1", lambda log: altered(log, made(log)[1], distance=0.29)
    yield "not measured", "THR-1", lambda log: altered(log, made(log)[1], distance=None)
    yield "too near when measured anew", "measured anew", lambda log: altered(log, made(log)[2], question=copied(log))
    yield "nobody proposed it", "THR-1", lambda log: altered(log, made(log)[1], proposal=None)
    yield "one supporter", "THR-1", lambda log: told(log, supporters=1)
    yield "one mention", "THR-1", lambda log: told(log, mentions=1)
    yield "the advocate supports it", "THR-1", advocated
    yield "too little time", "ms left", lambda log: limited(log, max_ms=made(log)[1].at_ms + 149_999)
    yield "too few messages", "messages left", lambda log: limited(log, max_messages=before(log, made(log)[1]) + 75)
    yield "past its messages", "END-1", lambda log: limited(log, max_messages=len(spoken(log)) - 1)
    yield "past its time", "END-1", lambda log: limited(log, max_ms=spoken(log)[-1].at_ms - 1)
    yield "a late end", "END-1", lambda log: limited(log, max_ms=log[-1].at_ms - 5_001)
    yield "a ninth proposal", "proposal 9", lambda log: [*log[:-1], *proposals(log[-1].at_ms), log[-1]]
    yield "an eleventh message", "STAGE-2", drawn_out
    yield "merged from afar", "THR-4", lambda log: [*log[:40], merged(log[40].at_ms, 0.3), *log[40:]]
    yield "stale too soon", "THR-3", lambda log: [*log[:40], stale(log[40].at_ms), *log[40:]]


def spoken(log: list[AnyEvent]) -> list[MessagePosted]:
    return [e for e in log if isinstance(e, MessagePosted)]


def made(log: list[AnyEvent]) -> list[ThreadCreated]:
    return [e for e in log if isinstance(e, ThreadCreated)]


def before(log: list[AnyEvent], event: AnyEvent) -> int:
    return len(spoken(log[: log.index(event)]))


def altered(log: list[AnyEvent], event: AnyEvent, **fields: object) -> list[AnyEvent]:
    return [replace(e, **fields) if e is event else e for e in log]  # pyright: ignore[reportArgumentType]


def after(log: list[AnyEvent], event: AnyEvent, *more: AnyEvent) -> list[AnyEvent]:
    place = next(n for n, e in enumerate(log) if e is event)
    return [*log[: place + 1], *more, *log[place + 1 :]]


def again(said: MessagePosted, number: int, agent: str | None = None) -> MessagePosted:
    id = MessageId(f"m{90_000 + number}")
    return replace(said, id=id, agent=AgentId(agent or said.agent), content=f"{said.content} ({number})", reply_to=None)


def crammed(log: list[AnyEvent]) -> list[AnyEvent]:
    said = spoken(log)[3]
    return after(log, said, *(again(said, n, f"guest{n}") for n in range(12)))


def replied(log: list[AnyEvent]) -> list[AnyEvent]:
    first = spoken(log)[0]
    here = [e for e in spoken(log) if e.thread == first.thread][1:4]
    return [replace(e, reply_to=first.id) if e in here else e for e in log]


def drawn_out(log: list[AnyEvent]) -> list[AnyEvent]:
    """Ten more messages of DISCOVERY than it takes, well apart."""
    said = spoken(log)[0]
    return after(log, said, *(again(said, n, f"guest{n}") for n in range(10)))


def copied(log: list[AnyEvent]) -> str:
    return made(log)[1].question


def told(log: list[AnyEvent], **keep: int) -> list[AnyEvent]:
    """The proposal of the first spawned thread with fewer supporters or mentions than it had."""
    spawned = made(log)[1]
    return [
        replace(e, **{name: getattr(e, name)[:count] for name, count in keep.items()})
        if isinstance(e, ThreadProposed) and e.proposal == spawned.proposal
        else e
        for e in log
    ]


def advocated(log: list[AnyEvent]) -> list[AnyEvent]:
    """All but the first mention of the first spawned thread's question come from the devil's advocate."""
    mentions = [e.mentions for e in log if isinstance(e, ThreadProposed) and e.proposal == made(log)[1].proposal][-1]
    return [replace(e, agent=ADVOCATE) if isinstance(e, MessagePosted) and e.id in mentions[1:] else e for e in log]


def limited(log: list[AnyEvent], **limits: int) -> list[AnyEvent]:
    start = log[0]
    assert isinstance(start, DebateStarted)
    return [replace(start, settings=replace(start.settings, **limits)), *log[1:]]


def proposals(at_ms: int) -> list[AnyEvent]:
    return [
        ThreadProposed(at_ms=at_ms, proposal=id, thread=ThreadId("t1"), trigger=Trigger.FRAMING, topic="x")
        for id in (ProposalId(f"p{900 + n}") for n in range(9))
    ]


def merged(at_ms: int, distance: float) -> AnyEvent:
    return ThreadMerged(at_ms=at_ms, into=ThreadId("t1"), proposal=ProposalId("p1"), distance=distance)


def stale(at_ms: int) -> AnyEvent:
    return ThreadStale(at_ms=at_ms, thread=ThreadId("t1"), stage=Stage.DISCOVERY)


@pytest.mark.parametrize(("rule", "plant"), [pytest.param(r, p, id=name) for name, r, p in planted()])
def test_the_oracle_sees_what_is_planted(rule: str, plant: Callable[[list[AnyEvent]], list[AnyEvent]]) -> None:
    log = list(flooded("spawning", 12).events)
    found = faults(plant(log), LIKE)
    assert any(rule in fault for fault in found) if rule else not found, found[:3]


# ---- the devil's advocate, who counts nowhere


@pytest.mark.rule("THR-1")
def test_the_devils_advocate_supports_no_proposal() -> None:
    """It quotes what others say; that is nobody's support for a thread."""
    t1, m1 = ThreadId("t1"), MessageId("m1")
    ann, bob = AgentId("ann"), AgentId("bob")
    claim = Claim(proposition="The volcano matters most", reason="it does", confidence=0.9, top_side=TopSide.YES)
    log: list[Event] = [
        DebateStarted(
            at_ms=0,
            topic="The harbour should be rebuilt",
            seats=(Seat(id=ann, name="Ann"), Seat(id=bob, name="Bob")),
            seed=0,
            pack="p",
            pack_sha="",
            settings=Settings(),
            format=1,
            kernel=1,
        ),
        ThreadCreated(at_ms=0, thread=t1, topic="The harbour should be rebuilt"),
        MessagePosted(at_ms=0, id=m1, agent=ann, thread=t1, move=claim, content="But what about the volcano?"),
        ThreadProposed(
            at_ms=0,
            proposal=ProposalId("p1"),
            thread=t1,
            trigger=Trigger.WHAT_ABOUT,
            topic="the volcano",
            supporters=(ann,),
            mentions=(m1,),
        ),
        ModeratorIntervention(
            at_ms=0, thread=t1, id=MessageId("m2"), cause=RuleId("CRUX-7"), content="It joins.", joined=ADVOCATE
        ),
    ]
    quote = Draft(
        move=Challenge(target=m1, disputes="The volcano matters most", why="suppose it does not"),
        content='Somebody has to say it. "The volcano matters most": suppose that is false.',
    )
    debate, said = fold(log), Say(agent=ADVOCATE, thread=t1, draft=quote, cooldown_ms=6_000)
    decided = decide(debate, as_read(debate, said), 1_000)
    assert any(isinstance(e, MessagePosted) for e in decided.events)
    assert not [e for e in decided.events if isinstance(e, ThreadProposed) and ADVOCATE in e.supporters]
