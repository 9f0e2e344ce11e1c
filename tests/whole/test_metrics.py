"""What the rules did, as counts over the log: END-3."""

from collections import Counter
from dataclasses import replace
from typing import Literal

import pytest

from cruxfinder import api
from cruxfinder.crux.events import (
    CruxPromoted,
    Event,
    LockFailed,
    LockSucceeded,
    MessageRefused,
    ModeratorIntervention,
    PositionUpdated,
    SteelmanAttempt,
    SteelmanGraded,
)
from cruxfinder.crux.metrics import Metrics, metrics_of
from cruxfinder.crux.result import result_of
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import AskFailed
from cruxfinder.kernel.vocabulary import AgentId, Grade, MoveKind, RuleId, Side, ThreadId
from cruxfinder.ports import Usage
from tests.law.build import (
    ANN,
    BOB,
    VAGUE,
    Play,
    claim,
    commit,
    concede,
    declare,
    evidence,
    grade,
    of,
    steelman,
)
from tests.slices import crux_events

T1 = ThreadId("t1")


def turned_down(*rules: str, outcome: Literal["revise", "dropped", "held", "stripped"] = "revise") -> MessageRefused:
    refusals = tuple(Refusal(rule=RuleId(rule), reason="so", remedy="so") for rule in rules)
    return MessageRefused(at_ms=0, agent=ANN, thread=T1, move=MoveKind.CLAIM, refusals=refusals, outcome=outcome)


# ---- refusals


@pytest.mark.rule("END-3")
@pytest.mark.parametrize(
    ("events", "blocked", "reasons"),
    [
        pytest.param((), 0, {}, id="nothing refused"),
        pytest.param((turned_down("STAGE-1"),), 1, {"STAGE-1": 1}, id="one"),
        pytest.param((turned_down("STAGE-1"), turned_down("STAGE-1")), 2, {"STAGE-1": 2}, id="the same rule twice"),
        pytest.param(
            (turned_down("STEEL-1", "VOC-2"),), 1, {"STEEL-1": 1, "VOC-2": 1}, id="one message, two rules said no"
        ),
        pytest.param((turned_down("FALS-1", "FALS-1"),), 1, {"FALS-1": 1}, id="one rule said no in two places"),
        pytest.param((turned_down("VOC-1", outcome="dropped"),), 1, {"VOC-1": 1}, id="dropped for good"),
    ],
)
def test_refusals_are_counted_by_rule(events: tuple[Event, ...], blocked: int, reasons: dict[str, int]) -> None:
    found = metrics_of(events)
    assert (found.messages_blocked, found.reasons_blocked) == (blocked, reasons)
    assert found.messages_dropped == sum(isinstance(e, MessageRefused) and e.outcome == "dropped" for e in events)


@pytest.mark.rule("END-3")
def test_what_is_only_held_for_its_slot_is_counted_apart() -> None:
    found = metrics_of((turned_down("FLOOD-3", outcome="held"), turned_down("STAGE-1")))
    assert (found.messages_held, found.messages_blocked) == (1, 1)


@pytest.mark.rule("END-3")
def test_no_reason_blocked_more_messages_than_were_blocked() -> None:
    found = metrics_of((turned_down("FLOOD-3", outcome="held"), turned_down("FLOOD-3", outcome="held")))
    assert max(found.reasons_blocked.values(), default=0) <= found.messages_blocked


@pytest.mark.rule("END-3")
def test_vague_falsifiers_are_counted() -> None:
    play = Play()
    play.to_lock()
    play.say(ANN, commit(ANN, Side.YES, VAGUE))
    play.say(ANN, declare(VAGUE))
    play.say(ANN, declare())
    found = metrics_of(play.events)
    assert (found.falsifiers_refused, found.reasons_blocked["FALS-1"]) == (2, 2)


# ---- locks and steelmans


@pytest.mark.rule("END-3")
def test_lock_tries_and_what_they_lacked() -> None:
    play = Play()
    play.to_lock()
    play.sides[BOB] = Side.YES
    while play.serve():
        pass
    found = metrics_of(play.events)
    assert (found.crux_lock_attempts, found.crux_lock_successes, found.crux_lock_failures) == (4, 0, 4)
    assert found.failure_reasons == {"LOCK-2": 4}
    assert found.interventions == {"LOCK-6": 3}


@pytest.mark.rule("END-3")
def test_a_lock_at_the_first_try() -> None:
    play = Play()
    play.to_evidence()
    found = metrics_of(play.events)
    assert (found.crux_lock_attempts, found.crux_lock_successes, found.crux_lock_failures) == (1, 1, 0)
    assert (found.failure_reasons, found.dcg_promotions) == ({}, 1)
    assert (found.steelman_attempts, found.steelman_retries, found.steelman_accuracy_rate) == (2, 0, 1.0)


@pytest.mark.rule("END-3")
def test_accuracy_is_of_first_attempts_by_their_first_grade() -> None:
    play = Play()
    play.to_lock()
    play.commit_all()
    first = play.post(ANN, steelman(BOB))
    play.post(BOB, grade(first, Grade.INCOMPLETE))
    play.to_evidence()
    found = metrics_of(play.events)
    assert (found.steelman_attempts, found.steelman_retries) == (3, 1)
    assert found.steelman_accuracy_rate == 0.5
    assert found.steelmans_contested == 0


@pytest.mark.rule("END-3")
def test_a_grade_that_is_changed_later_does_not_count_twice() -> None:
    play = Play()
    play.to_evidence()
    graded = of(play.events, SteelmanGraded)[0]
    again = replace(graded, grade=Grade.WRONG)
    assert metrics_of((*play.events, again)).steelman_accuracy_rate == 1.0


@pytest.mark.rule("END-3")
def test_a_grade_of_somebody_else_is_a_contested_steelman() -> None:
    play = Play()
    play.to_lock()
    play.commit_all()
    for _ in range(3):
        play.post(BOB, grade(play.post(ANN, steelman(BOB)), Grade.WRONG))
    assert [e.by for e in of(play.events, SteelmanGraded)] == [BOB, BOB, BOB, "moderator"]
    found = metrics_of(play.events)
    assert (found.steelmans_contested, found.steelman_accuracy_rate) == (1, 0.0)


# ---- the rest


@pytest.mark.rule("END-3")
def test_concessions_objections_silence_and_failures_are_counted() -> None:
    play = Play()
    play.to_evidence()
    shown = play.post(ANN, evidence(BOB))
    play.post(BOB, concede(), reply_to=shown)
    failed = AskFailed(at_ms=0, agent=ANN, ask="probe", reason="timeout")
    found = metrics_of((*play.events, failed), Usage(calls=7, tokens_in=800, tokens_out=100))
    assert (found.concessions, found.cheap_concessions, found.objections, found.agents_excused) == (1, 1, 0, 0)
    assert (found.ask_failures, found.calls, found.tokens) == (1, 7, 900)
    assert found.changes == {"persuaded": 0, "conformed": 0, "noise": 0}


@pytest.mark.rule("END-3")
def test_an_excused_agent_is_counted() -> None:
    play = Play(yes=(ANN, AgentId("cat")))
    play.to_lock()
    play.commit_all()
    play.tick(after_ms=31_000)
    assert metrics_of(play.events).agents_excused >= 1


@pytest.mark.rule("END-3")
@pytest.mark.parametrize(("pack", "seed"), [("bitcoin", 4), ("monolith", 1), ("monolith", 3), ("free-will", 0)])
def test_the_metrics_of_a_run_are_those_of_its_raw_log(pack: str, seed: int) -> None:
    run = api.debate(pack, seed=seed)
    log, found = run.events, run.result.system_metrics
    refusals = of(log, MessageRefused)
    assert found.messages_held == len([e for e in refusals if e.outcome == "held"])
    assert found.messages_blocked == len(refusals) - found.messages_held
    assert found.crux_lock_failures == len(of(log, LockFailed))
    assert found.crux_lock_successes == len(of(log, LockSucceeded))
    assert found.crux_lock_attempts == found.crux_lock_failures + found.crux_lock_successes
    assert found.dcg_promotions == len(of(log, CruxPromoted))
    tries = of(log, SteelmanAttempt)
    firsts = [e.message for e in tries if e.attempt == 1]
    graded = [next((g.grade for g in of(log, SteelmanGraded) if g.steelman == m), None) for m in firsts]
    judged = [g for g in graded if g is not None]
    assert found.steelman_attempts == len(tries)
    assert found.steelman_retries == len(tries) - len(firsts)
    assert found.steelman_accuracy_rate == pytest.approx(judged.count(Grade.ACCURATE) / len(judged), abs=1e-4)
    assert found.changes == {
        label: [e.label.value for e in of(log, PositionUpdated)].count(label)
        for label in ("persuaded", "conformed", "noise")
    }
    assert found.interventions == dict(Counter(e.cause for e in of(log, ModeratorIntervention)))
    assert (found.calls, found.tokens, run.result.cost) == (0, 0, 0.0)  # simulated debaters are free
    assert result_of(crux_events(log), usage=Usage(calls=12)).system_metrics.calls == 12


@pytest.mark.rule("END-3")
def test_an_empty_log_divides_nothing_by_nothing() -> None:
    found: Metrics = metrics_of(())
    assert found.steelman_accuracy_rate == 0.0
    assert found.crux_lock_attempts == 0


@pytest.mark.rule("END-3")
def test_a_message_that_was_published_was_not_refused() -> None:
    play = Play()
    play.post(ANN, claim())
    assert metrics_of(play.events).messages_blocked == 0
