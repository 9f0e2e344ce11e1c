"""Golden debates: seeds and scripts in, events out, byte for byte. `--update-golden` accepts; review the diff."""

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

import cruxfinder
from cruxfinder.app.stored_runs import outcome_of
from cruxfinder.crux.events import (
    CruxesRelated,
    CruxPromoted,
    MessageRefused,
    ModeratorIntervention,
    ProbeAnswered,
    ThreadCreated,
    ThreadMerged,
    ThreadProposed,
    ThreadStale,
)
from cruxfinder.crux.state import Debate
from cruxfinder.kernel import wire
from cruxfinder.kernel.run_facts import DebateComplete, DebateStarted
from cruxfinder.kernel.vocabulary import Ending, Phase, Relation, RuleId, Status, Trigger, Verdict
from cruxfinder.ports import NOTHING
from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.protocols.protocol_list import switches
from cruxfinder.protocols.registry import fold
from cruxfinder.talk.events import PivotForced, TurnRefused, TurnSpoken
from cruxfinder.talk.law import acts
from cruxfinder.talk.turns import PivotKind, TurnType
from tests.golden.logs import all_stored, events_of, path_of, stored
from tests.golden.scenes import BITES, SCENES

PACKAGE = Path(cruxfinder.__file__).parent
LAW = [path for name in ("crux/law", "talk/law", "language") for path in (PACKAGE / name).glob("[a-z]*.py")]
KINDS = {kind.__dataclass_fields__["kind"].default for kind in get_args(AnyEvent)}


@pytest.mark.parametrize("name", SCENES)
def test_a_golden_debate_is_the_same_to_the_byte(name: str, update_golden: bool) -> None:
    made = [wire.dumps(event) for event in SCENES[name].play(())]
    if update_golden:
        path_of(name).write_text("".join(f"{line}\n" for line in made), "utf-8")
        return
    for number, (line, golden) in enumerate(zip(made, stored(name), strict=False), start=1):
        assert line == golden, f"{name}.jsonl, line {number}"
    assert len(made) == len(stored(name))


@pytest.mark.parametrize("name", all_stored())
def test_every_stored_golden_debate_still_loads_folds_and_amounts_to_something(name: str) -> None:
    """One that no scene makes any more is kept: it proves that old logs can be read."""
    events = events_of(name)
    assert isinstance(events[0], DebateStarted) and isinstance(events[-1], DebateComplete)
    assert [wire.dumps(event) for event in events] == list(stored(name))
    debate = fold(events)
    assert debate.complete == events[-1]
    told = outcome_of(events, debate, name, NOTHING)
    assert told.verdict == events[-1].verdict


def all_events() -> list[AnyEvent]:
    """What the scenes bring about; logs that no scene makes any more do not count."""
    return [event for name in SCENES for event in events_of(name)]


def test_every_scene_has_its_log_and_every_log_a_scene_or_an_older_kernel() -> None:
    assert set(SCENES) <= set(all_stored())
    assert set(all_stored()) == set(SCENES)


def test_the_golden_debates_show_every_kind_of_event() -> None:
    assert {event.kind for event in all_events()} == KINDS


def test_the_golden_debates_end_in_every_way() -> None:
    ends = [events_of(name)[-1] for name in SCENES]
    endings = {e.ending for e in ends if isinstance(e, DebateComplete)}
    verdicts = {e.verdict for e in ends if isinstance(e, DebateComplete)}
    assert set(Ending) - endings == {Ending.UNFINISHED}
    assert set(Verdict) - verdicts == set()


def test_the_golden_debates_open_threads_for_every_reason() -> None:
    created = [e for e in all_events() if isinstance(e, ThreadCreated)]
    proposed = {e.trigger for e in all_events() if isinstance(e, ThreadProposed)}
    assert {e.trigger for e in created} == {None, *Trigger}
    assert set(Trigger) - proposed == {Trigger.HORIZON, Trigger.REOPENED}  # a rule opens these at once
    assert {e.only for e in created} == {True, False}


def test_the_golden_debates_end_threads_in_every_way() -> None:
    debates = [debate for name in SCENES if isinstance(debate := fold(events_of(name)), Debate)]
    ended = {thread.status for debate in debates for thread in debate.threads.values()}
    assert ended == set(Status)
    spawned = {e.thread for e in events_of("left-alone") if isinstance(e, ThreadStale) and e.ended}
    assert spawned == {"t2"}


def test_the_golden_debates_merge_proposals_and_threads() -> None:
    merged = {(e.thread is not None, e.adds) for e in all_events() if isinstance(e, ThreadMerged)}
    assert merged == {(False, True), (False, False), (True, False)}


def test_the_golden_debates_show_every_relation_and_every_private_question() -> None:
    related = [e for e in all_events() if isinstance(e, CruxesRelated)]
    assert {d.relation for e in related for d in e.dependencies} == set(Relation)
    assert {e.same for e in related} == {True, False} and any(e.root for e in related)
    assert {e.phase for e in all_events() if isinstance(e, ProbeAnswered)} == set(Phase) - {Phase.LOCKED}


def test_the_golden_debates_show_a_dispute_that_gives_way_to_another() -> None:
    assert any(e.replaces is not None for e in all_events() if isinstance(e, CruxPromoted))


# ---- the gates


@cache
def switchable() -> dict[RuleId, str]:
    """Every rule a run can leave out: those that refuse a draft, and those that ask `off` themselves.

    The cap is left out by no run: nothing else would end it.
    """
    found: dict[RuleId, str] = {}
    for path in sorted(LAW):
        module: ModuleType = import_module(
            f"cruxfinder.{path.parent.relative_to(PACKAGE).as_posix().replace('/', '.')}.{path.stem}"
        )
        text = path.read_text("utf-8")
        for name in re.findall(r"rule=([A-Z_]+)|\b([A-Z_]+) (?:not )?in (?:debate\.settings\.)?off\b", text):
            found[RuleId(getattr(module, name[0] or name[1]))] = path.name
    del found[acts.CAP]
    return found


def test_every_switchable_gate_has_a_scene() -> None:
    assert set(BITES) == switches() == set(switchable())
    assert set(BITES.values()) <= set(SCENES)


@pytest.mark.parametrize("rule", sorted(BITES))
def test_switching_a_gate_off_changes_a_golden_debate(rule: RuleId) -> None:
    """What the first event says of the settings does not count: something else has to happen."""
    without = [wire.dumps(event) for event in SCENES[BITES[rule]].play((rule,))]
    assert without[1:] != list(stored(BITES[rule]))[1:]
    assert rule in without[0]


REFUSING = (
    "CONC-1 CRUX-8 EVID-1 FALS-1 FALS-4 FLOOD-1 FLOOD-3 MOD-6 STAGE-1 STAGE-6 STEEL-1 STEEL-2 STEEL-3 TURN-5"
    " VOC-1 VOC-2"
).split()
STEPPING_IN = "AGE-2 CRUX-7 LOCK-6 MOD-1 MOD-2 MOD-3 MOD-4 MOD-6 STEEL-2".split()


def test_the_golden_debates_show_every_refusal() -> None:
    events = all_events()
    refused = {r.rule for e in events if isinstance(e, MessageRefused) for r in e.refusals}
    assert set(REFUSING) - refused == set()
    assert {e.outcome for e in events if isinstance(e, MessageRefused)} == {"revise", "dropped", "held", "stripped"}
    assert all(r.reason and r.remedy for e in events if isinstance(e, MessageRefused) for r in e.refusals)


def test_the_golden_conversations_show_every_refusal_of_a_turn_and_every_pivot() -> None:
    events = all_events()
    refused = {r.rule for e in events if isinstance(e, TurnRefused) for r in e.refusals}
    assert {"TURN-1", "TURN-3", "TURN-5", "RED-2", "RED-3", "RED-4", "RED-6"} <= refused
    assert {e.outcome for e in events if isinstance(e, TurnRefused)} == {"revise", "weighed", "dropped"}
    pivots = [e for e in events if isinstance(e, PivotForced)]
    assert {e.to for e in pivots} == set(PivotKind)
    assert {e.cause for e in pivots} == {"RED-1", "RED-5", "RED-9"}
    assert {e.turn.type for e in events if isinstance(e, TurnSpoken)} == set(TurnType)
    assert any(e.flags for e in events if isinstance(e, TurnSpoken))


def test_the_golden_debates_show_every_intervention() -> None:
    causes = {e.cause for e in all_events() if isinstance(e, ModeratorIntervention)}
    assert set(STEPPING_IN) - causes == set()
