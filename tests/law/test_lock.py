"""When a question is locked, and what happens each time it is not: SPEC §4."""

from dataclasses import replace

import pytest

from cruxfinder.crux.events import (
    AgentSilent,
    DcgCalculated,
    Event,
    FalsifierDeclared,
    LockAttempted,
    LockFailed,
    LockSucceeded,
    MessageRefused,
    ModeratorIntervention,
    StageTransition,
    SteelmanGraded,
    ThreadFailed,
)
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.run_facts import DebateComplete
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, Grade, MoveKind, Phase, RuleId, Side, Stage, Status, Verdict
from tests.law.build import (
    AGENTS,
    ANN,
    BOB,
    CAT,
    FALSIFIER,
    QUESTION,
    VAGUE,
    Play,
    clarify,
    commit,
    declare,
    grade,
    of,
    only,
    own_falsifier,
    refused,
    steelman,
)

SILENCE_MS = 30_000


def locking(
    yes: tuple[AgentId, ...] = (ANN,),
    no: tuple[AgentId, ...] = (BOB,),
    unsure: tuple[AgentId, ...] = (),
    off: tuple[str, ...] = (),
) -> Play:
    play = Play(yes=yes, no=no, unsure=unsure, settings=Settings(off=tuple(RuleId(o) for o in off)))
    play.to_lock()
    return play


def steelman_both_ways(play: Play, one: AgentId, other: AgentId) -> tuple[Event, ...]:
    """Both represent each other, ACCURATE; what the last grade brought about."""
    play.post(other, grade(play.post(one, steelman(other))))
    return play.say(one, grade(play.post(other, steelman(one))))


def waste(play: Play) -> tuple[Event, ...]:
    """Say nothing of use until a try is counted; what that message brought about."""
    for _ in range(100):
        for agent in play.agents:
            events = play.say(agent, clarify("m1"))
            if of(events, LockAttempted):
                return events
    raise AssertionError("no try was counted")


def missing(failed: LockFailed) -> list[str]:
    return [str(m.rule) for m in failed.missing]


# ---- the four criteria, each alone


@pytest.mark.rule("LOCK-1")
@pytest.mark.parametrize(
    ("committed", "locks"),
    [
        pytest.param((ANN,), False, id="one committed"),
        pytest.param((ANN, BOB), True, id="two committed"),
    ],
)
def test_two_or_more_agents_committed(committed: tuple[AgentId, ...], locks: bool) -> None:
    # With one agent there cannot be two sides either, so that criterion is left out here.
    play = locking(yes=(ANN, BOB), no=(CAT,), off=("LOCK-2",))
    play.sides = dict.fromkeys((ANN, BOB, CAT), Side.YES)
    for agent in committed:
        play.post(agent, commit(agent, Side.YES))
    assert bool(of(play.events, LockSucceeded)) == locks
    if not locks:
        failed = only(waste(play), LockFailed)
        assert missing(failed) == ["LOCK-1"]


@pytest.mark.rule("LOCK-1")
def test_nobody_committed_is_a_try_that_misses_agents_and_sides() -> None:
    play = locking()
    failed = only(waste(play), LockFailed)
    assert missing(failed) == ["LOCK-1", "LOCK-2"]
    assert failed.missing[0].reason.startswith("0 committed")


@pytest.mark.rule("LOCK-2")
@pytest.mark.parametrize(
    ("ann", "bob", "locks"),
    [
        pytest.param(Side.YES, Side.NO, True, id="YES and NO"),
        pytest.param(Side.NO, Side.YES, True, id="NO and YES"),
        pytest.param(Side.YES, Side.YES, False, id="YES alone"),
        pytest.param(Side.NO, Side.NO, False, id="NO alone"),
        pytest.param(Side.YES, Side.UNCERTAIN, False, id="YES and UNCERTAIN"),
        pytest.param(Side.UNCERTAIN, Side.UNCERTAIN, False, id="UNCERTAIN alone"),
    ],
)
def test_both_yes_and_no_present(ann: Side, bob: Side, locks: bool) -> None:
    play = locking(off=("LOCK-3",))
    play.post(ANN, commit(ANN, ann))
    events = play.say(BOB, commit(BOB, bob))
    assert bool(of(events, LockSucceeded)) == locks
    if not locks:
        assert missing(only(events, LockFailed)) == ["LOCK-2"]


@pytest.mark.rule("LOCK-2")
def test_a_side_whose_only_agent_is_excused_is_not_present() -> None:
    play = locking(yes=(ANN, CAT), no=(BOB,))
    play.commit_all()
    for agent, target in ((ANN, BOB), (CAT, BOB)):
        play.post(agent, steelman(target), after_ms=14_000)
    failed = only(play.tick(after_ms=SILENCE_MS - 14_000), LockFailed)
    assert play.thread.excused == {BOB}
    assert missing(failed) == ["LOCK-2"]


@pytest.mark.rule("LOCK-3")
@pytest.mark.parametrize(
    ("last", "locks"),
    [
        pytest.param(Grade.ACCURATE, True, id="every one ACCURATE"),
        pytest.param(Grade.INCOMPLETE, False, id="the last one INCOMPLETE"),
        pytest.param(Grade.WRONG, False, id="the last one WRONG"),
        pytest.param(None, False, id="the last one not graded yet"),
    ],
)
def test_every_required_steelman_accurate(last: Grade | None, locks: bool) -> None:
    play = locking()
    play.commit_all()
    play.post(BOB, grade(play.post(ANN, steelman(BOB))))
    attempt = play.post(BOB, steelman(ANN))
    if last is not None:
        play.post(ANN, grade(attempt, last))
    assert bool(of(play.events, LockSucceeded)) == locks
    if not locks:
        failed = only(waste(play), LockFailed)
        assert missing(failed) == ["LOCK-3"]
        assert "Bob" in failed.missing[0].remedy and "Ann" in failed.missing[0].remedy


@pytest.mark.rule("LOCK-3")
def test_a_steelman_nobody_requires_does_not_lock() -> None:
    play = locking(yes=(ANN, CAT), no=(BOB,))
    play.commit_all()
    steelman_both_ways(play, ANN, BOB)
    play.post(CAT, grade(play.post(ANN, steelman(CAT))))
    play.post(ANN, grade(play.post(CAT, steelman(ANN))))
    assert not of(play.events, LockSucceeded)
    assert of(steelman_both_ways(play, CAT, BOB), LockSucceeded)


@pytest.mark.rule("LOCK-4")
@pytest.mark.parametrize(
    ("falsifier", "locks"),
    [
        pytest.param(FALSIFIER, True, id="an accepted falsifier"),
        pytest.param(None, False, id="none yet"),
        pytest.param(VAGUE, False, id="a vague one, which was not accepted"),
    ],
)
@pytest.mark.parametrize("side", [Side.YES, Side.NO])
def test_everybody_at_yes_or_no_has_an_accepted_falsifier(side: Side, falsifier: Falsifier | None, locks: bool) -> None:
    play = locking(off=("LOCK-3",))
    other = Side.NO if side is Side.YES else Side.YES
    play.post(BOB, commit(BOB, other))
    play.say(ANN, commit(ANN, side, falsifier))
    assert bool(of(play.events, LockSucceeded)) == locks
    if not locks:
        failed = only(waste(play), LockFailed)
        assert missing(failed) == ["LOCK-4"] and "Ann" in failed.missing[0].remedy


@pytest.mark.rule("LOCK-4")
def test_an_uncertain_agent_needs_no_falsifier() -> None:
    play = locking(unsure=(CAT,))
    play.commit_all()
    assert not play.thread.falsifiers.get(CAT)
    assert of(steelman_both_ways(play, ANN, BOB), LockSucceeded)


# ---- LOCK-5: when the criteria are judged, and what a failed try is


@pytest.mark.rule("LOCK-5")
def test_the_lock_succeeds_the_moment_all_four_hold() -> None:
    play = locking()
    play.commit_all()
    before = steelman_both_ways(play, ANN, BOB)
    assert [e.kind for e in before] == [
        "message_posted",
        "steelman_graded",
        "lock_attempted",
        "lock_succeeded",
        "dcg_calculated",
        "stage_transition",
    ]
    assert play.thread.counted == 0 and play.thread.stages[-1][1] == 6, "two messages of the budget were left"
    assert (play.thread.stage, play.thread.status) == (Stage.EVIDENCE, Status.LOCKED)
    assert only(before, LockAttempted).attempt == 1
    assert only(before, LockSucceeded).candidate == play.thread.crux


@pytest.mark.rule("LOCK-5")
def test_a_falsifier_that_comes_last_locks_just_as_well() -> None:
    play = locking()
    play.post(ANN, commit(ANN, Side.YES))
    play.post(BOB, commit(BOB, Side.NO, falsifier=None))
    assert not of(steelman_both_ways(play, ANN, BOB), LockSucceeded)
    assert of(play.say(BOB, declare()), LockSucceeded)


@pytest.mark.rule("LOCK-5")
def test_a_message_that_meets_the_last_criterion_at_the_max_locks_and_counts_no_failure() -> None:
    play = locking()
    play.commit_all()
    for agent in (ANN, BOB, ANN, BOB):  # the first two are free
        play.post(agent, clarify("m1"))
    assert of(steelman_both_ways(play, ANN, BOB), LockSucceeded)
    assert play.thread.stages[-1][1] == 8 and not of(play.events, LockFailed)


@pytest.mark.rule("LOCK-5")
def test_a_failed_try_is_counted_at_the_max_and_not_before() -> None:
    play = locking()
    play.commit_all()
    for agent in (ANN, BOB):
        play.post(agent, clarify("m1"))
    for place in range(6):
        assert not of(play.events, LockFailed)
        play.post(play.agents[place % 2], clarify("m1"))
    failed = only(play.events, LockFailed)
    assert (failed.attempt, missing(failed)) == (1, ["LOCK-3", "LOCK-3"])
    assert only(play.events, LockAttempted).attempt == 1


@pytest.mark.rule("LOCK-5")
def test_a_failed_try_is_counted_at_the_end_of_each_extension() -> None:
    play = locking()
    play.commit_all()
    waste(play)
    granted = only(play.events, LockFailed).granted
    for place in range(granted):
        assert len(of(play.events, LockFailed)) == 1
        play.post(play.agents[place % 2], clarify("m1"))
    assert [e.attempt for e in of(play.events, LockFailed)] == [1, 2]


@pytest.mark.rule("LOCK-5")
def test_a_failed_try_is_counted_when_nobody_owes_anything_while_a_criterion_is_open() -> None:
    play = locking()
    play.post(ANN, commit(ANN, Side.YES))
    assert not of(play.events, LockFailed)
    events = play.say(BOB, commit(BOB, Side.YES))
    assert missing(only(events, LockFailed)) == ["LOCK-2"] and play.thread.counted == 2


@pytest.mark.rule("LOCK-5")
def test_a_failed_try_lists_everything_that_is_missing() -> None:
    play = locking()
    play.commit_all(falsifier=None)
    failed = only(waste(play), LockFailed)
    assert missing(failed) == ["LOCK-3", "LOCK-3", "LOCK-4", "LOCK-4"]
    assert all(m.reason and m.remedy for m in failed.missing)


@pytest.mark.rule("LOCK-5")
def test_flood_control_never_causes_a_failed_try() -> None:
    play = locking(yes=AGENTS[:6], no=AGENTS[6:12])
    for agent in play.agents:
        play.say(agent, commit(agent, play.sides[agent]), after_ms=0)
    assert any(e.outcome == "held" for e in of(play.events, MessageRefused))
    play.tick(after_ms=5_000)
    assert not of(play.events, LockFailed)


# ---- LOCK-6: the rungs


@pytest.mark.rule("LOCK-6")
@pytest.mark.parametrize(
    ("yes", "no", "falsifier", "granted"),
    [
        pytest.param(1, 1, "own", 4, id="two steelmans: four messages"),
        pytest.param(2, 1, "own", 8, id="four steelmans: eight messages"),
        pytest.param(1, 1, None, 6, id="two steelmans and two falsifiers: six messages"),
        pytest.param(2, 1, None, 11, id="four steelmans and three falsifiers: eleven messages"),
    ],
)
def test_a_failed_try_grants_two_messages_a_steelman_and_one_for_anything_else(
    yes: int, no: int, falsifier: None, granted: int
) -> None:
    play = locking(yes=AGENTS[:yes], no=AGENTS[yes : yes + no])
    play.commit_all(falsifier)
    assert only(waste(play), LockFailed).granted == granted


@pytest.mark.rule("LOCK-6")
def test_a_failed_try_grants_at_least_four() -> None:
    play = locking()
    for agent in play.agents:
        play.post(agent, commit(agent, Side.YES))
    failed = only(play.events, LockFailed)
    assert (missing(failed), failed.granted) == (["LOCK-2"], 4)


def rungs(play: Play) -> list[ModeratorIntervention]:
    return [e for e in of(play.events, ModeratorIntervention) if e.cause == "LOCK-6"]


@pytest.mark.rule("LOCK-6")
def test_after_the_first_the_moderator_asks_for_exactly_what_is_missing() -> None:
    play = locking()
    play.post(ANN, commit(ANN, Side.YES))
    play.post(BOB, commit(BOB, Side.NO, falsifier=None))
    play.post(BOB, grade(play.post(ANN, steelman(BOB))))
    failed = only(waste(play), LockFailed)
    (asked,) = rungs(play)
    assert missing(failed) == ["LOCK-3", "LOCK-4"]
    assert all(m.remedy in asked.content for m in failed.missing)
    assert "Ann steelmans Bob" not in asked.content, "that one is passed"
    assert QUESTION not in asked.content and not asked.drafted and not asked.recommit


@pytest.mark.rule("LOCK-6")
def test_after_the_second_it_frames_the_question_anew_as_binary() -> None:
    play = locking()
    play.commit_all()
    waste(play)
    waste(play)
    asked = rungs(play)[1]
    question = play.thread.candidates[0]
    assert question.question in asked.content
    assert f"YES: {question.yes_means}" in asked.content and f"NO: {question.no_means}" in asked.content
    assert not asked.drafted


def without_a_falsifier(play: Play, question: str = QUESTION) -> None:
    """Ann never declares one; three tries fail and the moderator drafts it."""
    play.to_lock((question,))
    play.post(BOB, commit(BOB, Side.NO))
    play.post(ANN, commit(ANN, Side.YES, falsifier=None))
    for _ in range(3):
        waste(play)


@pytest.mark.rule("LOCK-6")
def test_after_the_third_it_drafts_the_missing_falsifiers_and_no_others() -> None:
    play = Play()
    without_a_falsifier(play)
    asked = rungs(play)
    assert [bool(a.drafted) for a in asked] == [False, False, True]
    assert [agent for agent, _ in asked[2].drafted] == [ANN]
    assert not play.thread.falsifiers.get(ANN), "drafted is not declared"
    duty = next(d for d in play.owed(ANN) if d.move is MoveKind.DECLARE_FALSIFIER)
    drafted = asked[2].drafted[0][1]
    assert all(part in duty.note for part in (drafted.metric, drafted.threshold, drafted.deadline))


@pytest.mark.rule("LOCK-6")
@pytest.mark.parametrize(
    ("replaced", "marked"),
    [
        pytest.param(False, True, id="the agent accepts it: marked as the moderator's own"),
        pytest.param(True, False, id="the agent replaces it: its own"),
    ],
)
def test_a_drafted_falsifier_is_accepted_or_replaced(replaced: bool, marked: bool) -> None:
    play = Play()
    without_a_falsifier(play)
    drafted = rungs(play)[2].drafted[0][1]
    said = own_falsifier(ANN) if replaced else replace(drafted, reasoning="")
    declared = only(play.say(ANN, declare(said)), FalsifierDeclared)
    held = play.thread.falsifiers[ANN][0]
    assert (declared.drafted, held.drafted, held.falsifier) == (marked, marked, said)
    assert of(steelman_both_ways(play, ANN, BOB), LockSucceeded)


@pytest.mark.rule("LOCK-6")
@pytest.mark.parametrize(
    "question",
    [
        pytest.param(QUESTION, id="a plain question"),
        pytest.param("Could anchored demand survive another winter?", id="a question with could"),
        pytest.param("Is anchored demand likely to survive another winter?", id="a question with likely"),
    ],
)
def test_a_falsifier_drafted_from_the_question_can_be_accepted(question: str) -> None:
    play = Play()
    play.to_lock((question,))
    play.commit_all(falsifier=None)
    for _ in range(3):
        waste(play)
    drafted = dict(rungs(play)[2].drafted)
    assert set(drafted) == {ANN, BOB}
    assert refused(play.say(ANN, declare(drafted[ANN]))) == set()


@pytest.mark.rule("LOCK-6")
def test_after_the_fourth_the_thread_is_a_failed_lock_and_reported_as_such() -> None:
    play = locking()
    play.commit_all()
    for _ in range(3):
        events = waste(play)
        assert only(events, LockFailed).granted > 0
        assert not of(events, ThreadFailed)
    events = waste(play)
    failed = only(events, LockFailed)
    assert (failed.attempt, failed.granted) == (4, 0)
    assert only(events, ThreadFailed).missing == failed.missing
    assert len(rungs(play)) == 3, "each failed try but the last brings the moderator in"
    assert play.thread.status is Status.FAILED_LOCK
    assert only(events, DebateComplete).verdict is Verdict.FAILED_LOCK


@pytest.mark.rule("LOCK-6")
def test_a_thread_that_locks_on_its_last_rung_is_not_lost() -> None:
    play = locking()
    play.commit_all()
    for _ in range(3):
        waste(play)
    events = steelman_both_ways(play, ANN, BOB)
    assert only(events, LockAttempted).attempt == 4 and of(events, LockSucceeded)


@pytest.mark.rule("LOCK-6")
def test_a_question_with_one_side_is_put_to_everybody_again() -> None:
    play = locking()
    for agent in play.agents:
        play.post(agent, commit(agent, Side.YES))
    (asked,) = rungs(play)
    assert asked.recommit and set(asked.to) == {ANN, BOB}
    for agent in play.agents:
        duty = play.owed(agent)[0]
        assert duty.move is MoveKind.COMMIT_POSITION and "anew" in duty.note
    play.post(BOB, commit(BOB, Side.NO))
    assert [d.move for d in play.owed(BOB)] == []
    play.post(ANN, commit(ANN, Side.YES))
    assert of(steelman_both_ways(play, ANN, BOB), LockSucceeded)


@pytest.mark.rule("LOCK-6")
def test_everybody_on_one_side_four_times_is_a_failed_lock() -> None:
    play = locking()
    for _ in range(4):
        for agent in play.agents:
            play.post(agent, commit(agent, Side.NO))
    assert play.thread.status is Status.FAILED_LOCK
    assert [missing(e) for e in of(play.events, LockFailed)] == [["LOCK-2"]] * 4


# ---- LOCK-7: silence


@pytest.mark.rule("LOCK-7")
@pytest.mark.parametrize(
    ("waited", "excused"),
    [
        pytest.param(SILENCE_MS - 1, False, id="a moment before 30 s nobody is excused"),
        pytest.param(SILENCE_MS, True, id="at 30 s the silent one is excused"),
    ],
)
def test_an_agent_silent_for_30_s_while_it_owes_something_is_excused(waited: int, excused: bool) -> None:
    play = locking(unsure=(CAT,))
    for agent in (ANN, BOB):
        play.post(agent, commit(agent, play.sides[agent]))
    said = of(play.tick(after_ms=waited - (play.now_ms - play.thread.stage_ms)), AgentSilent)
    assert [(e.agent, e.owed) for e in said] == ([(CAT, MoveKind.COMMIT_POSITION)] if excused else [])


@pytest.mark.rule("LOCK-7")
def test_an_agent_who_owes_nothing_may_be_silent() -> None:
    play = locking(yes=(ANN,), no=(BOB,), unsure=(CAT,))
    play.commit_all()
    for agent in (ANN, BOB, ANN, BOB):
        play.post(agent, clarify("m1"), after_ms=10_000)
        assert not of(play.tick(), AgentSilent)


@pytest.mark.rule("LOCK-7")
def test_an_excused_agent_counts_as_uncertain_and_the_pairing_is_taken_anew() -> None:
    play = locking(yes=(ANN, CAT), no=(BOB,))
    play.commit_all()
    steelman_both_ways(play, ANN, BOB)
    play.post(CAT, grade(play.post(BOB, steelman(CAT))))
    assert [(d.move, d.about) for d in play.owed(CAT)] == [(MoveKind.STEELMAN, BOB)]
    events = play.tick(after_ms=SILENCE_MS)
    assert only(events, AgentSilent).agent == CAT
    assert play.thread.sides[CAT] is Side.UNCERTAIN
    assert of(events, LockSucceeded), "the criteria are taken anew at once"


@pytest.mark.rule("LOCK-7")
def test_an_excused_agent_counts_as_uncertain_in_the_figures_of_the_lock() -> None:
    play = locking(yes=(ANN, CAT), no=(BOB,))
    play.commit_all()
    steelman_both_ways(play, ANN, BOB)
    play.post(CAT, grade(play.post(BOB, steelman(CAT))))
    play.tick(after_ms=SILENCE_MS)
    (locked,) = (e for e in of(play.events, DcgCalculated) if e.phase is Phase.LOCKED)
    assert (locked.figures[0].polarity, locked.figures[0].flips) == (1.0, (ANN, BOB))


@pytest.mark.rule("LOCK-7")
def test_nobody_waits_for_the_commitment_of_an_excused_agent() -> None:
    play = locking(unsure=(CAT,))
    for agent in (ANN, BOB):
        play.post(agent, commit(agent, play.sides[agent]))
    assert play.owed(ANN) == ()
    play.tick(after_ms=SILENCE_MS)
    assert [d.about for d in play.owed(ANN)] == [BOB]
    assert play.owed(CAT) == ()


@pytest.mark.rule("LOCK-7")
def test_a_steelman_is_owed_from_the_moment_the_absent_one_is_excused() -> None:
    play = locking(unsure=(CAT,))
    for agent in (ANN, BOB):
        play.post(agent, commit(agent, play.sides[agent]))
    play.tick(after_ms=SILENCE_MS - (play.now_ms - play.thread.stage_ms))
    assert play.thread.excused == {CAT}
    play.tick(after_ms=10_000)
    assert play.thread.excused == {CAT}


@pytest.mark.rule("LOCK-7")
def test_a_retry_is_owed_from_the_moment_of_the_grade() -> None:
    play = locking()
    play.commit_all()
    attempt = play.post(ANN, steelman(BOB))
    play.post(BOB, grade(attempt, Grade.WRONG), after_ms=SILENCE_MS - 5_000)
    events = play.tick(after_ms=10_000)
    assert not of(events, AgentSilent)


@pytest.mark.rule("LOCK-7")
def test_a_contested_grade_is_owed_from_the_moment_it_falls_to_the_peer() -> None:
    play = locking(yes=(ANN,), no=(BOB, CAT))
    play.commit_all()
    steelman_both_ways(play, ANN, CAT)
    for _ in range(2):
        play.post(BOB, grade(play.post(ANN, steelman(BOB)), Grade.WRONG))
    third = play.post(ANN, steelman(BOB))
    play.post(BOB, grade(third, Grade.WRONG), after_ms=SILENCE_MS - 5_000)
    assert [d.message for d in play.owed(CAT)] == [third]
    assert not of(play.tick(after_ms=10_000), AgentSilent)


@pytest.mark.rule("LOCK-7")
def test_an_excused_agent_who_commits_is_back() -> None:
    play = locking(unsure=(CAT,))
    for agent in (ANN, BOB):
        play.post(agent, commit(agent, play.sides[agent]))
    play.tick(after_ms=SILENCE_MS - (play.now_ms - play.thread.stage_ms))
    play.post(CAT, commit(CAT, Side.YES, falsifier=None))
    assert play.thread.excused == frozenset()
    assert MoveKind.DECLARE_FALSIFIER in [d.move for d in play.owed(CAT)]


@pytest.mark.rule("LOCK-7")
@pytest.mark.parametrize(
    ("tried", "excused"),
    [
        pytest.param(True, False, id="its draft is held for a slot: not excused"),
        pytest.param(False, True, id="it never tried: excused"),
    ],
)
def test_an_agent_whose_draft_is_held_for_a_slot_is_not_silent(tried: bool, excused: bool) -> None:
    play = locking(yes=AGENTS[:6], no=AGENTS[6:12])
    *others, last = play.agents
    for agent in others if not tried else play.agents:
        play.say(agent, commit(agent, play.sides[agent]), after_ms=0)
    held = dict(play.thread.held)
    assert (last in held) == tried and len(held) >= 2
    for agent in sorted(held, key=lambda a: held[a]):
        if agent != last:
            play.say(agent, commit(agent, play.sides[agent]), after_ms=held[agent] - play.now_ms)
    play.tick(after_ms=max(0, SILENCE_MS - (play.now_ms - play.thread.stage_ms)))
    assert (last in play.thread.excused) == excused


@pytest.mark.rule("LOCK-7")
def test_the_contested_grade_of_an_excused_peer_falls_to_the_moderator() -> None:
    play = locking(yes=(ANN,), no=(BOB, CAT))
    play.commit_all()
    for _ in range(3):
        play.post(BOB, grade(play.post(ANN, steelman(BOB)), Grade.WRONG))
    assert play.owed(CAT)[0].move is MoveKind.GRADE_STEELMAN
    for _ in range(3):
        play.wait(9_000)
        play.post(ANN, clarify("m1"), after_ms=1_000)
        play.post(BOB, clarify("m1"), after_ms=1_000)
    events = play.tick()
    assert [e.agent for e in of(events, AgentSilent)] == [CAT]
    assert only(events, SteelmanGraded).by == "moderator"


@pytest.mark.rule("LOCK-7")
def test_outside_the_lock_nobody_is_excused() -> None:
    play = Play()
    play.to_evidence()
    play.post(ANN, steelman(BOB))
    assert play.owed(BOB)[0].move is MoveKind.GRADE_STEELMAN
    assert not of(play.tick(after_ms=SILENCE_MS), AgentSilent)


@pytest.mark.rule("LOCK-7")
def test_when_everybody_is_silent_the_lock_is_lost() -> None:
    play = locking()
    events = play.tick(after_ms=SILENCE_MS)
    assert {e.agent for e in of(events, AgentSilent)} == {ANN, BOB}
    assert play.thread.status is Status.FAILED_LOCK
    assert not of(events, StageTransition)
