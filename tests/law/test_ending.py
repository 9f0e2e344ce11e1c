"""When a debate is over, and what an early end still yields: SPEC §14."""

import pytest

from cruxfinder.crux.commands import Tick
from cruxfinder.crux.events import Event, GlobalConvergence
from cruxfinder.crux.evolve import fold
from cruxfinder.crux.law import ending
from cruxfinder.crux.result import result_of
from cruxfinder.kernel.frozen_copies import copy_with
from cruxfinder.kernel.run_facts import DebateComplete, NoteFailure, Stop
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import Ending, RuleId, Side, Stage, Status, Verdict
from tests.law.build import (
    AGENTS,
    ANN,
    BOB,
    CAT,
    DAN,
    OTHER_QUESTIONS,
    T1,
    T2,
    Play,
    claim,
    clarify,
    commit,
    evidence,
    mind,
    of,
    only,
    reframe,
)


def table(agents: int, settings: Settings = Settings()) -> Play:
    half = (agents + 1) // 2
    return Play(yes=AGENTS[:half], no=AGENTS[half:agents], settings=settings)


def at(play: Play, now_ms: int) -> tuple[Event, ...]:
    """Something happens at that moment which is not part of the debate itself."""
    play.now_ms = now_ms
    return play.do(NoteFailure(agent=ANN, ask="draft", reason="no answer"))


# ---- END-1: time


@pytest.mark.rule("END-1")
@pytest.mark.parametrize(
    ("agents", "limit_ms"),
    [
        pytest.param(2, 300_000, id="two agents: five minutes"),
        pytest.param(5, 300_000, id="five agents: five minutes"),
        pytest.param(6, 330_000, id="six agents: 30 s more"),
        pytest.param(12, 510_000, id="twelve agents: seven times 30 s more"),
    ],
)
def test_a_debate_ends_with_its_time(agents: int, limit_ms: int) -> None:
    play = table(agents)
    assert not of(at(play, limit_ms - 1), DebateComplete)
    assert only(at(play, limit_ms), DebateComplete).ending is Ending.TIME


@pytest.mark.rule("END-1")
def test_the_time_may_be_set() -> None:
    play = table(12, Settings(max_ms=60_000))
    assert not of(at(play, 59_999), DebateComplete)
    assert only(at(play, 60_000), DebateComplete).ending is Ending.TIME


@pytest.mark.rule("END-1")
def test_time_ends_a_debate_in_the_middle_of_a_lock_too() -> None:
    play = Play()
    play.to_lock()
    assert only(at(play, 300_000), DebateComplete).ending is Ending.TIME


# ---- END-1: messages


def long(agents: int, max_messages: int = 0) -> Play:
    """EVIDENCE without its max; only the number of messages can end it."""
    off = (RuleId("FLOOD-3"),)
    unlimited = Settings(max_ms=10**9, stagnation_messages=10**6, max_messages=max_messages, lifted=True, off=off)
    play = table(agents, unlimited)
    play.to_evidence()
    return play


def speak_until_over(play: Play) -> DebateComplete:
    for place in range(1_000):
        agent = play.agents[place % len(play.agents)]
        found = of(play.say(agent, evidence(agent)), DebateComplete)
        if found:
            return found[0]
    raise AssertionError("it never ends")


@pytest.mark.rule("END-1")
@pytest.mark.parametrize(
    ("agents", "limit"),
    [
        pytest.param(2, 200, id="two agents: 200"),
        pytest.param(7, 200, id="seven agents: 200, more than 28 each"),
        pytest.param(8, 224, id="eight agents: 28 each"),
        pytest.param(12, 336, id="twelve agents: 28 each"),
    ],
)
def test_a_debate_ends_with_its_messages(agents: int, limit: int) -> None:
    play = long(agents)
    assert speak_until_over(play).ending is Ending.MESSAGES
    assert play.debate.spoken == limit


@pytest.mark.rule("END-1")
def test_the_number_of_messages_may_be_set() -> None:
    play = long(2, max_messages=60)
    assert speak_until_over(play).ending is Ending.MESSAGES
    assert play.debate.spoken == 60


@pytest.mark.rule("END-1")
def test_what_the_moderator_says_is_no_message_of_the_debate() -> None:
    play = Play(settings=Settings(max_messages=7))
    play.talk(6)
    assert len(play.thread.messages) == 7 and play.debate.complete is None
    assert only(play.say(ANN, claim()), DebateComplete).ending is Ending.MESSAGES


# ---- END-1: stagnation


@pytest.mark.rule("END-1")
def test_fifty_messages_outside_the_lock_without_a_crux_or_a_change_of_stage_are_stagnation() -> None:
    play = Play(settings=Settings(lifted=True))
    play.to_evidence()
    before = play.debate.spoken
    assert speak_until_over(play).ending is Ending.STAGNATION
    assert play.debate.spoken - before == 50


@pytest.mark.rule("END-1")
def test_a_change_of_stage_starts_the_count_anew() -> None:
    play = Play(settings=Settings(stagnation_messages=11, lifted=True))
    play.to_evidence()
    assert play.debate.spoken > 11
    before = play.debate.spoken
    assert speak_until_over(play).ending is Ending.STAGNATION
    assert play.debate.spoken - before == 11


@pytest.mark.rule("END-1")
def test_stagnation_is_counted_in_discovery() -> None:
    play = Play(settings=Settings(stagnation_messages=5))
    play.talk(4)
    assert play.debate.complete is None
    assert only(play.say(ANN, claim()), DebateComplete).ending is Ending.STAGNATION


@pytest.mark.rule("END-1")
def test_under_the_lock_there_is_no_stagnation() -> None:
    play = Play(settings=Settings(stagnation_messages=11))
    play.to_lock()
    play.commit_all()
    before = play.debate.spoken
    for agent in play.agents * 11:
        play.say(agent, clarify("m1"))
    assert play.debate.spoken - before > 11
    assert only(play.events, DebateComplete).ending is Ending.NATURAL, "by its fourth failed lock"


# ---- END-1: natural and stopped


def no_gap(play: Play) -> None:
    for agent, p_top in ((ANN, 0.55), (BOB, 0.45)):
        play.minds[agent] = mind(0.5, 0.5, 0.5, p_top)


@pytest.mark.rule("END-1")
@pytest.mark.parametrize(
    "verdict",
    [
        pytest.param(Verdict.CRUX, id="a converged thread"),
        pytest.param(Verdict.FAILED_LOCK, id="a lost lock"),
        pytest.param(Verdict.NO_DISAGREEMENT, id="nothing to disagree about"),
    ],
)
def test_a_debate_ends_naturally_once_all_its_threads_have_ended(verdict: Verdict) -> None:
    play = Play()
    match verdict:
        case Verdict.CRUX:
            play.to_end()
        case Verdict.FAILED_LOCK:
            play.to_lock()
            for agent in play.agents * 4:
                play.say(agent, commit(agent, Side.YES))
        case _:
            no_gap(play)
            play.to_weighing()
            play.probe_all()
    complete = only(play.events, DebateComplete)
    assert (complete.ending, complete.verdict) == (Ending.NATURAL, verdict)
    assert complete.why == play.thread.why


def several(stagnation_messages: int = 50) -> Play:
    """Two threads in DISCOVERY, four agents."""
    settings = Settings(max_ms=10**6, stagnation_messages=stagnation_messages)
    play = Play(yes=(ANN, CAT), no=(BOB, DAN), settings=settings)
    play.spawn(OTHER_QUESTIONS[0])
    return play


@pytest.mark.rule("END-1")
def test_a_debate_of_several_threads_ends_naturally_with_the_last_of_them() -> None:
    play = several()
    play.to_end()
    assert play.thread.over and not of(play.events, DebateComplete)
    play.at = T2
    play.to_end()
    play.across()
    complete = only(play.events, DebateComplete)
    assert (complete.ending, complete.verdict) == (Ending.NATURAL, Verdict.CRUX)
    converged = only(play.events, GlobalConvergence)
    assert (converged.threads, set(converged.cruxes)) == (2, {T1, T2})


@pytest.mark.rule("END-1")
@pytest.mark.parametrize(
    ("supported", "over"),
    [
        pytest.param(True, False, id="a proposal that lacks nothing waits for its thread"),
        pytest.param(False, True, id="a proposal nobody took up holds nothing up"),
    ],
)
def test_a_debate_does_not_end_naturally_while_a_proposal_can_be_opened(supported: bool, over: bool) -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN), settings=Settings(max_ms=10**6))
    play.post(ANN, reframe(OTHER_QUESTIONS[0]))
    if supported:
        play.post(BOB, clarify(play.last), content=f"On {OTHER_QUESTIONS[0]} I differ.")
    play.to_end()
    assert bool(of(play.events, DebateComplete)) == over
    if supported:
        play.open("p1")
        assert [t.id for t in play.debate.active] == [T2]


@pytest.mark.rule("END-1")
def test_a_proposal_there_is_no_room_for_holds_nothing_up() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN), settings=Settings(max_ms=240_000))
    play.post(ANN, reframe(OTHER_QUESTIONS[0]))
    play.post(BOB, clarify(play.last), content=f"On {OTHER_QUESTIONS[0]} I differ.")
    play.to_end()
    assert only(play.events, DebateComplete).ending is Ending.NATURAL


@pytest.mark.rule("END-1")
def test_messages_of_all_threads_count() -> None:
    play = several()
    play.debate = copy_with(play.debate, settings=Settings(max_messages=6))
    for thread in (T1, T2, T1):
        play.at = thread
        play.post(ANN, claim())
    assert play.debate.complete is None
    play.at = T2
    assert only(play.say(BOB, claim()), DebateComplete).ending is Ending.MESSAGES


@pytest.mark.rule("END-1")
def test_there_is_no_stagnation_while_any_thread_is_under_the_lock() -> None:
    play = several()
    play.to_lock()
    play.debate = copy_with(play.debate, settings=Settings(stagnation_messages=3))
    play.at = T2
    play.talk(5)
    assert play.debate.complete is None
    debate = copy_with(play.debate, threads={T2: play.thread})
    assert ending.reason(debate, play.now_ms) is Ending.STAGNATION, "without that lock it is"


@pytest.mark.rule("END-1")
def test_a_new_thread_starts_the_count_of_stagnation_anew() -> None:
    play = several(stagnation_messages=6)
    assert play.debate.spoken == 2
    play.talk(5)
    assert play.debate.complete is None
    assert only(play.say(BOB, claim()), DebateComplete).ending is Ending.STAGNATION


@pytest.mark.rule("END-1")
def test_a_debate_ends_when_its_budget_is_spent() -> None:
    play = several()
    complete = only(play.do(Stop(ending=Ending.BUDGET)), DebateComplete)
    assert (complete.ending, complete.verdict) == (Ending.BUDGET, Verdict.UNDECIDED)
    assert not of(play.events, GlobalConvergence)


SO_FAR = {  # what a debate has come to that ends in a stage
    Stage.DISCOVERY: Verdict.UNDECIDED,
    Stage.CRUX_LOCK: Verdict.PARTIAL,
    Stage.EVIDENCE: Verdict.UNRESOLVED,
}


@pytest.mark.rule("END-1")
@pytest.mark.parametrize("stage", list(Stage))
def test_a_debate_is_stopped_by_the_user_in_any_stage(stage: Stage) -> None:
    play = Play()
    if stage is Stage.CRUX_LOCK:
        play.to_lock()
    elif stage is Stage.EVIDENCE:
        play.to_evidence()
    complete = only(play.do(Stop()), DebateComplete)
    assert (complete.ending, complete.verdict) == (Ending.STOPPED, SO_FAR[stage])


@pytest.mark.rule("END-1")
def test_a_debate_under_way_does_not_end() -> None:
    play = Play()
    play.to_evidence()
    play.tick()
    assert not of(play.events, DebateComplete)


@pytest.mark.rule("END-1")
def test_a_complete_debate_decides_nothing_more() -> None:
    play = Play()
    play.talk(2)
    play.do(Stop())
    said = len(play.events)
    play.say(ANN, claim())
    at(play, 300_000)
    for command in (Tick(), Stop()):
        play.do(command)
    assert len(play.events) == said


@pytest.mark.rule("END-1")
def test_an_ablation_may_leave_the_limits_out_but_not_the_natural_end() -> None:
    play = Play(settings=Settings(off=(RuleId("END-1"),), max_messages=5))
    assert not of(at(play, 10**6), DebateComplete)
    play.to_end()
    assert only(play.events, DebateComplete).ending is Ending.NATURAL


# ---- END-2: an early end


@pytest.mark.rule("END-2")
@pytest.mark.parametrize(
    ("reason", "low"),
    [pytest.param(reason, reason is not Ending.NATURAL, id=f"{reason}") for reason in Ending],
)
def test_every_end_but_the_natural_one_is_early(reason: Ending, low: bool) -> None:
    assert ending.is_early(reason) == low


@pytest.mark.rule("END-2")
@pytest.mark.parametrize("stage", list(Stage))
def test_an_early_end_still_yields_a_result_of_low_confidence(stage: Stage) -> None:
    play = Play()
    if stage is Stage.CRUX_LOCK:
        play.to_lock()
    elif stage is Stage.EVIDENCE:
        play.to_evidence()
    else:
        play.talk(3)
    at(play, 300_000)
    result = result_of(play.events)
    assert (result.ending, result.verdict, result.confidence) == (Ending.TIME, SO_FAR[stage], "LOW")
    assert result.why and result.total_messages == play.debate.spoken
    assert len(result.threads) == 1, "the open thread is part of it"
    assert play.thread.status in (Status.DISCOVERY, Status.LOCKING, Status.LOCKED)


@pytest.mark.rule("END-2")
def test_a_natural_end_with_a_crux_yields_a_result_of_high_confidence() -> None:
    play = Play()
    play.to_end()
    result = result_of(play.events)
    assert (result.ending, result.verdict, result.confidence) == (Ending.NATURAL, Verdict.CRUX, "HIGH")


@pytest.mark.rule("END-2")
def test_the_log_of_an_early_end_tells_the_same_debate() -> None:
    play = Play()
    play.to_evidence()
    play.do(Stop())
    assert fold(play.events) == play.debate


@pytest.mark.rule("END-2")
def test_an_early_end_yields_the_threads_that_converged_and_those_still_open() -> None:
    play = several()
    play.to_end()
    play.at = T2
    play.post(BOB, claim())
    at(play, 10**6)
    result = result_of(play.events)
    assert (result.ending, result.verdict, result.confidence) == (Ending.TIME, Verdict.CRUX, "LOW")
    assert {t.id: t.status for t in result.threads} == {T1: Status.CONVERGED, T2: Status.DISCOVERY}


@pytest.mark.rule("END-2")
def test_a_debate_without_money_yields_a_result_of_low_confidence() -> None:
    play = several()
    play.do(Stop(ending=Ending.BUDGET))
    result = result_of(play.events)
    assert (result.ending, result.confidence, len(result.threads)) == (Ending.BUDGET, "LOW", 2)
