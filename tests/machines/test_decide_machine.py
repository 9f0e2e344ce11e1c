"""Any commands, legal and illegal, from every point of every golden log: checked against what the raw log allows.

Random moves from the beginning hardly ever reach EVIDENCE (STYLE §6), so a machine starts where a real debate stood.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from cruxfinder.model.events import (
    AgentSilent,
    AskFailed,
    Event,
    MessagePosted,
    MessageRefused,
    ProbeAnswered,
    StageTransition,
)
from cruxfinder.model.moves import Clarify, Concede
from cruxfinder.model.words import AgentId, MessageId, RuleId, Stage
from tests.golden.logs import all_stored, events_of
from tests.golden.scenes import BITES
from tests.machines.oracle import Oracle
from tests.machines.writer import Writer

HEADS = (MessagePosted, MessageRefused, ProbeAnswered, AskFailed, AgentSilent)


@cache
def points(name: str) -> tuple[int, ...]:
    """Where a command was decided: the numbers of events after which the next one begins something new."""
    events = events_of(name)
    found = [
        n
        for n in range(2, len(events))
        if isinstance(events[n], HEADS)
        and not (isinstance(before := events[n - 1], MessageRefused) and before.outcome == "stripped")
        and not (isinstance(events[n], AgentSilent) and isinstance(before, AgentSilent))
    ]
    return (*found, len(events))


STARTS = tuple((name, keep) for name in all_stored() for keep in points(name))


CHANCE = st.randoms(use_true_random=True)
STEPS = 20


@pytest.mark.rule("STAGE-1")
@pytest.mark.rule("STEEL-1")
@pytest.mark.rule("FLOOD-1")
@pytest.mark.rule("FLOOD-2")
@pytest.mark.rule("FLOOD-3")
@pytest.mark.rule("LOCK-5")
@pytest.mark.parametrize("name", all_stored())
def test_from_every_point_of_a_golden_log_no_command_breaks_a_rule(name: str) -> None:
    for keep in points(name):
        chance, writer = Random(f"{name}/{keep}"), Writer(name, keep)
        for _ in range(STEPS):
            writer.step(chance)
        writer.close()


@pytest.mark.parametrize("name", all_stored())
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
    for name in all_stored():
        oracle = Oracle()
        assert [(name, wrong) for event in events_of(name) for wrong in oracle.take(event)] == []


def test_the_machine_starts_in_every_stage() -> None:
    counts = dict.fromkeys(Stage, 0)
    for name in all_stored():
        events, stage = events_of(name), Stage.DISCOVERY
        for number, event in enumerate(events, start=1):
            stage = event.entered if isinstance(event, StageTransition) else stage
            counts[stage] += number in points(name)[:-1]
    assert min(counts.values()) > 100


def altered(events: Sequence[Event]) -> Iterator[tuple[str, list[Event]]]:
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


def test_the_oracle_sees_what_is_planted() -> None:
    for rule_id, events in altered(events_of("plain")):
        oracle = Oracle()
        found = [wrong for event in events for wrong in oracle.take(event)]
        assert any(wrong.startswith(rule_id) for wrong in found), rule_id
