"""Any commands, legal and illegal, from every point of every golden log: checked against what the raw log allows.

Random moves from the beginning hardly ever reach EVIDENCE (tests/README), so a machine starts
where a real debate stood.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from cruxfinder.crux.events import (
    AgentSilent,
    CoalitionDetected,
    CruxesRelated,
    CruxPromoted,
    MessagePosted,
    MessageRefused,
    ProbeAnswered,
    RelationAnswered,
    StageTransition,
    ThreadConverged,
    ThreadCreated,
    ThreadFailed,
    ThreadMerged,
    ThreadProposed,
    ThreadStale,
)
from cruxfinder.crux.moves import Clarify, Concede
from cruxfinder.kernel.run_facts import AskFailed, DebateComplete
from cruxfinder.kernel.vocabulary import AgentId, Ending, MessageId, Relation, RuleId, Stage, ThreadId
from cruxfinder.protocols.any_run import AnyEvent
from tests.golden.logs import events_of
from tests.golden.scenes import BITES
from tests.golden.scenes import CRUX_SCENES as SCENES
from tests.machines.oracle import Oracle
from tests.machines.writer import Writer

pytestmark = pytest.mark.slow  # machines walk long ways

HEADS = (MessagePosted, MessageRefused, ProbeAnswered, AskFailed, AgentSilent, RelationAnswered, ThreadMerged)
POINTS_MAX = 40  # of one log; a long one is begun at every second point, or third, or so


@cache
def points(name: str) -> tuple[int, ...]:
    """Where a command was decided: the numbers of events after which the next one begins something new."""
    events = events_of(name)
    found = [n for n in range(2, len(events)) if begins(events[n - 1], events[n])]
    return (*found[:: len(found) // POINTS_MAX + 1], len(events))


def begins(before: AnyEvent, event: AnyEvent) -> bool:
    match event:
        case AgentSilent():  # one tick may excuse several, in several threads
            return before.at_ms < event.at_ms
        case RelationAnswered():
            return not isinstance(before, RelationAnswered)
        case ThreadCreated(proposal=proposal):
            return proposal is not None
        case _:
            return isinstance(event, HEADS) and not (
                isinstance(before, MessageRefused) and before.outcome == "stripped"
            )


STARTS = tuple((name, keep) for name in SCENES for keep in points(name))


CHANCE = st.randoms(use_true_random=True)
STEPS = 20


@pytest.mark.rule("STAGE-1")
@pytest.mark.rule("STEEL-1")
@pytest.mark.rule("FLOOD-1")
@pytest.mark.rule("FLOOD-2")
@pytest.mark.rule("FLOOD-3")
@pytest.mark.rule("LOCK-5")
@pytest.mark.parametrize("name", SCENES)
def test_from_every_point_of_a_golden_log_no_command_breaks_a_rule(name: str) -> None:
    for keep in points(name):
        chance, writer = Random(f"{name}/{keep}"), Writer(name, keep)
        for _ in range(STEPS):
            writer.step(chance)
        writer.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_with_gates_left_out_the_debate_still_goes_on(name: str) -> None:
    """Nothing is promised then but that there is no exception, and that the log is the state."""
    for keep in points(name)[::4]:
        chance = Random(f"off/{name}/{keep}")
        writer = Writer(name, keep, off=tuple(RuleId(id) for id in chance.sample(sorted(BITES), chance.randint(1, 4))))
        for _ in range(STEPS):
            writer.step(chance)
        writer.close()


class Deciding(RuleBasedStateMachine):
    """The same, with hypothesis to choose the commands, and to shrink what it finds."""

    @initialize(chance=CHANCE)
    def begin(self, chance: Random) -> None:
        self.writer = Writer(*chance.choice(STARTS))

    @rule(chance=CHANCE)
    def serve(self, chance: Random) -> None:
        self.writer.serve(chance)

    @rule(chance=CHANCE)
    def speak(self, chance: Random) -> None:
        self.writer.speak(chance)

    @rule(chance=CHANCE)
    def argue(self, chance: Random) -> None:
        self.writer.argue(chance)

    @rule(chance=CHANCE)
    def blunder(self, chance: Random) -> None:
        self.writer.blunder(chance)

    @rule(chance=CHANCE)
    def crowd(self, chance: Random) -> None:
        self.writer.crowd(chance)

    @rule(chance=CHANCE)
    def tick(self, chance: Random) -> None:
        self.writer.tick(chance)

    @rule(chance=CHANCE)
    def probe(self, chance: Random) -> None:
        self.writer.probe(chance)

    @rule(chance=CHANCE)
    def rearrange(self, chance: Random) -> None:
        self.writer.rearrange(chance)

    @rule(chance=CHANCE)
    def compare(self, chance: Random) -> None:
        self.writer.compare(chance)

    @rule(chance=CHANCE)
    def disturb(self, chance: Random) -> None:
        self.writer.disturb(chance)

    @precondition(lambda self: self.writer.debate.complete is not None)
    @rule(chance=CHANCE)
    def begin_anew(self, chance: Random) -> None:
        self.writer.close()
        self.begin(chance)

    def teardown(self) -> None:
        self.writer.close()


Deciding.TestCase.settings = settings(
    max_examples=40,
    stateful_step_count=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much),
)
TestDeciding = Deciding.TestCase


def test_the_oracle_finds_nothing_wrong_with_a_golden_log() -> None:
    for name in SCENES:
        oracle = Oracle()
        assert [(name, wrong) for event in events_of(name) for wrong in oracle.take(event)] == []


def test_the_machine_starts_in_every_stage() -> None:
    counts, beside = dict.fromkeys(Stage, 0), 0
    for name in SCENES:
        stage, open_ = Stage.DISCOVERY, 0
        for number, event in enumerate(events_of(name), start=1):
            stage = event.entered if isinstance(event, StageTransition) else stage
            open_ += isinstance(event, ThreadCreated)
            open_ -= isinstance(event, ThreadConverged | ThreadFailed | ThreadMerged) or is_end(event)
            counts[stage] += number in points(name)[:-1]
            beside += open_ > 1 and number in points(name)
    assert min(counts.values()) > 100
    assert beside > 200, "threads beside one another"


def is_end(event: AnyEvent) -> bool:
    return isinstance(event, ThreadStale) and event.ended


def altered(events: Sequence[AnyEvent]) -> Iterator[tuple[str, list[AnyEvent]]]:
    """Logs that break one rule each, made from a good one."""
    posted = [n for n, e in enumerate(events) if isinstance(e, MessagePosted)]
    first, later = posted[0], next(n for n in posted if events[n].kind == "message_posted" and n > posted[2])
    said = events[later]
    assert isinstance(said, MessagePosted) and isinstance(events[first], MessagePosted)
    yield "STAGE-1", [*events[:later], replace(said, move=Concede(proposition="x", top_changed=False))]
    yield "FLOOD-2", [*events[: first + 1], replace(events[first], id=MessageId("m2"), content="again")]
    yield "message", [*events[:later], replace(said, id=MessageId("m1"))]
    yield "VOC-2", [*events[:later], replace(said, content="")]
    crowd = [replace(said, id=MessageId(f"m{n}"), agent=AgentId(f"a{n}"), content=f"{n}") for n in range(1, 14)]
    yield "FLOOD-3", [*events[:2], *crowd]
    asked = [replace(c, move=Clarify(target=MessageId("m1"), asks=True), reply_to=MessageId("m1")) for c in crowd]
    yield "FLOOD-1", [*events[:2], crowd[0], *asked[1:4]]


def misplaced(name: str, kind: type[AnyEvent], **changes: object) -> list[AnyEvent]:
    """A log up to the last event of a kind, which says something else."""
    events = list(events_of(name))
    place = max(n for n, e in enumerate(events) if isinstance(e, kind))
    return [*events[:place], replace(events[place], **changes)]


def astray() -> Iterator[tuple[str, list[AnyEvent]]]:
    """The same for rules about several threads."""
    yield "thread", misplaced("two-threads", ThreadCreated, thread=ThreadId("t7"))
    yield "THR-1", misplaced("two-threads", ThreadCreated, distance=0.2)
    yield "THR-1", misplaced("two-threads", ThreadCreated, question="Is it another one?")
    yield "THR-1", misplaced("two-threads", ThreadCreated, proposal=None)
    yield "THR-1", misplaced("two-threads", ThreadProposed, supporters=(AgentId("dan"),))
    yield "THR-1", misplaced("two-threads", ThreadCreated, at_ms=290_000)
    yield "FLOOD-4", [*events_of("plain")[:5], last("two-threads", ThreadCreated)]
    yield "THR-4", misplaced("near", ThreadMerged, distance=0.4)
    yield "THR-4", misplaced("near", ThreadMerged, adds=True)
    yield "AGE-1", misplaced("promoted", CruxPromoted, replaces=None)
    yield "AGE-1", misplaced("promoted", CruxPromoted, thread=ThreadId("t1"))
    related = last("two-threads", CruxesRelated)
    yield "CRY-2", [*misplaced("two-threads", CruxesRelated), related]
    weak = tuple(replace(d, relation=Relation.CONTRADICTS) for d in related.dependencies)
    yield "CRY-2", misplaced("two-threads", CruxesRelated, dependencies=weak)
    allied = last("two-threads", CoalitionDetected)
    yield "COAL-1", misplaced("two-threads", CoalitionDetected, groups=allied.groups[:1] * 2)
    yield "COAL-1", misplaced("two-threads", CoalitionDetected, preliminary=False)
    yield "MOD-6", misplaced("split", ThreadCreated, members=(AgentId("ann"),))
    yield "END-1", misplaced("two-threads", DebateComplete, ending=Ending.TIME)
    yield "THR-3", misplaced("left-alone", ThreadStale, stage=Stage.EVIDENCE)


Kind = TypeVar("Kind")


def last(name: str, kind: type[Kind]) -> Kind:
    return next(e for e in reversed(events_of(name)) if isinstance(e, kind))


def test_the_oracle_sees_what_is_planted() -> None:
    for rule_id, events in (*altered(events_of("plain")), *astray()):
        oracle = Oracle()
        found = [wrong for event in events for wrong in oracle.take(event)]
        assert any(wrong.startswith(rule_id) for wrong in found), (rule_id, events[-1])
