"""Two threads that ask the same become one: THR-4 of SPEC §10."""

import pytest

from cruxfinder.crux.events import ThreadMerged
from cruxfinder.crux.evolve import evolve, fold
from cruxfinder.crux.law import threads
from cruxfinder.crux.thread import find_message, number_of
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import Horizon, MessageId, Side, Stage, Status
from tests.law.build import (
    AGENTS,
    ANN,
    BOB,
    CAT,
    DAN,
    OTHER_QUESTIONS,
    QUESTION,
    T1,
    T2,
    T3,
    Play,
    attack,
    challenge,
    claim,
    commit,
    evidence,
    of,
    only,
    propose,
    refused,
    update,
)

MONEY, ENERGY, KEYS = OTHER_QUESTIONS[:3]


def table(agents: int = 4, settings: Settings = Settings()) -> Play:
    half = (agents + 1) // 2
    return Play(yes=AGENTS[:half], no=AGENTS[half:agents], settings=settings)


def talk_in_turn(play: Play) -> None:
    """A message in each of the first two threads, and once more: m, m+1, m+2, m+3."""
    for horizon in (Horizon.MONTHS, Horizon.DECADE):
        for place, thread in enumerate((T1, T2)):
            play.at = thread
            play.post(play.agents[2 * place], claim(horizon=horizon))
    play.at = T1


def two() -> Play:
    """Two threads in DISCOVERY, four messages of which alternate."""
    play = table()
    play.spawn(MONEY)
    talk_in_turn(play)
    return play


@pytest.mark.rule("THR-4")
def test_a_merge_keeps_all_messages_of_both_in_the_order_they_were_said() -> None:
    play = two()
    ids = [{m.id for m in play.debate.threads[t].messages} for t in (T1, T2)]
    merged = only(play.merge(T2, T1, 0.12), ThreadMerged)
    assert (merged.into, merged.thread, merged.proposal, merged.distance) == (T1, T2, None, 0.12)
    assert {m.id for m in play.thread.messages} == ids[0] | ids[1]
    numbers = [number_of(m.id) for m in play.thread.messages]
    assert numbers == sorted(numbers) and len(set(numbers)) == len(numbers)
    for message in play.thread.messages:
        assert find_message(play.thread, message.id) == message
    assert find_message(play.thread, MessageId("m999")) is None


@pytest.mark.rule("THR-4")
def test_the_thread_that_joins_another_is_over_and_says_where_it_went() -> None:
    play = two()
    play.merge(T2, T1)
    gone = play.debate.threads[T2]
    assert (gone.status, gone.merged_into, gone.over) == (Status.MERGED, T1, True)
    assert [t.id for t in play.debate.active] == [T1]
    play.at = T2
    assert refused(play.say(ANN, claim())) == {"STAGE-2"}


@pytest.mark.rule("THR-4")
def test_a_merge_keeps_what_was_claimed_challenged_and_stated_in_both() -> None:
    play = two()
    play.at = T2
    there = play.post(BOB, challenge(play.thread.messages[0].id))
    assert find_message(play.thread, there) is not None
    play.merge(T2, T1)
    play.at = T1
    assert len(play.thread.claims) == 4 and len(play.thread.challenged) == 2
    assert play.thread.speakers == {ANN, BOB, CAT}
    assert play.thread.horizons == {ANN: Horizon.DECADE, CAT: Horizon.DECADE}


@pytest.mark.rule("THR-4")
def test_the_question_becomes_a_candidate_of_a_thread_still_in_discovery() -> None:
    play = two()
    play.post(ANN, propose())
    merged = only(play.merge(T2, T1), ThreadMerged)
    assert merged.adds
    assert [(c.id, c.question) for c in play.thread.candidates] == [("c1", QUESTION), ("c2", MONEY)]


@pytest.mark.rule("THR-4")
def test_candidates_that_come_with_it_are_numbered_on() -> None:
    play = two()
    play.post(ANN, propose())
    play.at = T2
    play.post(BOB, propose(KEYS))
    play.merge(T2, T1)
    play.at = T1
    assert [(c.id, c.question) for c in play.thread.candidates] == [("c1", QUESTION), ("c2", MONEY), ("c3", KEYS)]
    play.post(CAT, propose(ENERGY))
    assert play.thread.candidates[-1].id == "c4"


@pytest.mark.rule("THR-4")
def test_no_candidate_comes_with_it_where_five_stand() -> None:
    play = two()
    for place, question in enumerate((QUESTION, *OTHER_QUESTIONS[1:])):
        play.post(play.agents[place % 4], propose(question))
    assert not only(play.merge(T2, T1), ThreadMerged).adds
    assert len(play.thread.candidates) == 5


@pytest.mark.rule("THR-4")
def test_a_message_said_after_a_merge_may_answer_one_said_before_in_the_other_thread() -> None:
    play = two()
    there = play.debate.threads[T2].messages[0]
    play.merge(T2, T1)
    assert not refused(play.say(BOB, challenge(there.id), reply_to=there.id))
    assert there.id in play.thread.challenged


@pytest.mark.rule("THR-4")
def test_a_stage_still_begins_with_the_same_message_after_a_merge() -> None:
    play = table(8)
    play.spawn(MONEY)
    talk_in_turn(play)
    play.to_evidence()
    play.at = T2
    play.post(CAT, claim())
    play.at = T1
    first = play.post(ANN, evidence(AGENTS[4]))
    assert play.thread.stage_messages[0].id == first
    assert not only(play.merge(T2, T1), ThreadMerged).adds, "its question is locked"
    assert play.thread.stage is Stage.EVIDENCE and play.thread.stage_messages[0].id == first
    assert not refused(play.say(AGENTS[4], attack(first)))


@pytest.mark.rule("THR-4")
def test_a_stage_nobody_has_spoken_in_has_no_message_after_a_merge_either() -> None:
    play = table()
    play.spawn(MONEY)
    talk_in_turn(play)
    play.to_lock()
    assert play.thread.stage_messages == ()
    play.merge(T2, T1)
    assert play.thread.stage_messages == ()


@pytest.mark.rule("THR-4")
def test_the_last_change_of_side_is_the_same_message_after_a_merge() -> None:
    play = table()
    play.spawn(MONEY)
    talk_in_turn(play)
    play.to_evidence()
    shown = play.post(CAT, evidence(ANN))
    changed = play.post(ANN, update(shown, Side.YES, Side.NO))
    play.probe_all()
    assert play.thread.messages[play.thread.side_changed_at].id == changed
    play.merge(T2, T1)
    assert play.thread.messages[play.thread.side_changed_at].id == changed
    assert play.thread.sides[ANN] is Side.NO


@pytest.mark.rule("THR-4")
def test_a_merge_keeps_the_positions_of_both_and_those_of_the_target_where_both_have_one() -> None:
    play = table(settings=Settings(max_ms=10**6))
    play.spawn(MONEY)
    play.to_lock()
    play.post(ANN, commit(ANN, Side.YES))
    play.at = T2
    play.to_lock()
    play.post(ANN, commit(ANN, Side.NO))
    play.post(BOB, commit(BOB, Side.NO))
    assert not of(play.merge(T2, T1), ThreadMerged), "a thread with a lock to lose is not merged"
    joined = evolve(play.debate, ThreadMerged(at_ms=play.now_ms, into=T1, thread=T2, distance=0.0)).threads[T1]
    assert {a: c.side for a, c in joined.commitments.items()} == {ANN: Side.YES, BOB: Side.NO}
    assert joined.sides == {ANN: Side.YES, BOB: Side.NO}
    assert set(joined.falsifiers) == {ANN, BOB}


@pytest.mark.rule("THR-4")
@pytest.mark.parametrize(
    ("distance", "merged"),
    [pytest.param(0.29, True, id="closer than three tenths"), pytest.param(0.3, False, id="three tenths apart")],
)
def test_threads_are_merged_when_their_questions_lie_close(distance: float, merged: bool) -> None:
    assert bool(of(two().merge(T2, T1, distance), ThreadMerged)) == merged


@pytest.mark.rule("THR-4")
def test_the_younger_joins_the_older() -> None:
    play = two()
    assert not of(play.merge(T1, T2), ThreadMerged)
    assert [(o.id, y.id) for o, y in threads.mergeable_pairs(play.debate)] == [(T1, T2)]


@pytest.mark.rule("THR-4")
def test_any_older_thread_may_be_joined() -> None:
    play = table(6)
    play.spawn(MONEY)
    play.spawn(ENERGY)
    assert [(o.id, y.id) for o, y in threads.mergeable_pairs(play.debate)] == [(T1, T2), (T1, T3), (T2, T3)]
    play.merge(T3, T2)
    assert [(o.id, y.id) for o, y in threads.mergeable_pairs(play.debate)] == [(T1, T2)]
    assert [c.question for c in play.debate.threads[T2].candidates] == [MONEY, ENERGY]


@pytest.mark.rule("THR-4")
def test_an_ablation_may_leave_merging_out() -> None:
    play = table(settings=Settings(off=(threads.MERGE,)))
    play.spawn(MONEY)
    assert not of(play.merge(T2, T1), ThreadMerged)


@pytest.mark.rule("THR-4")
def test_the_log_of_a_merge_tells_the_same_debate() -> None:
    play = two()
    play.merge(T2, T1)
    play.to_lock()
    assert fold(play.events) == play.debate
    assert DAN in play.agents
