"""Which disputes everybody attends to: SPEC §12."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from cruxfinder.crux.duties import open_duties
from cruxfinder.crux.events import (
    AgentSilent,
    CandidateFigures,
    CruxesRelated,
    CruxPromoted,
    DcgCalculated,
    Dependency,
    ModeratorIntervention,
    ThreadCreated,
    ThreadFailed,
)
from cruxfinder.crux.law import agenda, threads
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Candidate, Commitment, Thread
from cruxfinder.kernel.frozen_copies import copy_with
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import (
    AgentId,
    Horizon,
    MessageId,
    MoveKind,
    Phase,
    Relation,
    Side,
    Stage,
    Status,
    ThreadId,
    Trigger,
    Verdict,
)
from tests.law.build import (
    AGENTS,
    ANN,
    BOB,
    C1,
    CAT,
    DAN,
    OTHER_QUESTIONS,
    QUESTION,
    T1,
    T2,
    T3,
    Mind,
    Play,
    commit,
    of,
    only,
)

MONEY, ENERGY, KEYS = OTHER_QUESTIONS[:3]
LONG = Settings(max_ms=10**6, max_messages=10**4, stagnation_messages=10**4)

# ---- disputes made by hand: ranks, positions and confidences as a test needs them


def figures(thread: ThreadId, rank: float) -> DcgCalculated:
    row = CandidateFigures(
        candidate=C1, share=rank, gap_closed=0.5, coverage=1.0, polarity=1.0, impact=0.0, dcg=0.0, rank=rank
    )
    return DcgCalculated(at_ms=0, thread=thread, phase=Phase.BEFORE, gap=0.6, noise=0.0, figures=(row,))


def commitments(held: Sequence[tuple[Side, float]]) -> dict[AgentId, Commitment]:
    return {
        agent: Commitment(
            agent=agent,
            side=side,
            statement="it is so",
            reason="it was so",
            confidence=confidence,
            horizon=Horizon.FIVE_YEARS,
            message=MessageId("m1"),
            at_ms=0,
        )
        for agent, (side, confidence) in zip(AGENTS, held, strict=False)
    }


def dispute(
    id: ThreadId,
    rank: float,
    held: Sequence[tuple[Side, float]] = (),
    stage: Stage = Stage.CRUX_LOCK,
    status: Status = Status.LOCKING,
    outcome: Verdict | None = None,
) -> Thread:
    asked = Candidate(
        id=C1, question=f"Is {id} so?", yes_means="It is.", no_means="It is not.", by=ANN, message=MessageId("m1")
    )
    return Thread(
        id=id,
        topic="any",
        created_ms=0,
        stage=stage,
        status=status,
        candidates=(asked,),
        crux=None if stage is Stage.DISCOVERY else C1,
        figures={Phase.BEFORE: figures(id, rank)},
        commitments=commitments(held),
        outcome=outcome,
    )


def debate_of(*found: Thread, on: Sequence[ThreadId] = (), settings: Settings = LONG) -> Debate:
    play = Play(yes=AGENTS[:4], no=AGENTS[4:8], settings=settings)
    return copy_with(play.debate, threads={t.id: t for t in found}, agenda=tuple(on))


def order(debate: Debate) -> list[ThreadId]:
    return [t.id for t in agenda.order_disputes(debate, list(debate.threads.values()))]


# ---- AGE-1: at most two, ranked highest


@pytest.mark.rule("AGE-1")
def test_the_two_questions_ranked_highest_are_active_disputes() -> None:
    debate = debate_of(dispute(T1, 0.4), dispute(T2, 1.2), dispute(T3, 0.8))
    assert [t.id for t in agenda.disputes(debate)] == [T2, T3]


@pytest.mark.rule("AGE-1")
@pytest.mark.parametrize(
    "other",
    [
        pytest.param(dispute(T2, 1.9, stage=Stage.DISCOVERY, status=Status.DISCOVERY), id="no question chosen yet"),
        pytest.param(dispute(T2, 1.9, status=Status.CONVERGED, outcome=Verdict.CRUX), id="converged"),
        pytest.param(dispute(T2, 1.9, status=Status.FAILED_LOCK, outcome=Verdict.FAILED_LOCK), id="lock lost"),
        pytest.param(dispute(T2, 1.9, status=Status.MERGED), id="merged"),
    ],
)
def test_only_a_question_chosen_in_an_open_thread_is_a_dispute(other: Thread) -> None:
    assert [t.id for t in agenda.disputes(debate_of(dispute(T1, 0.4), other))] == [T1]


@pytest.mark.rule("AGE-1")
@pytest.mark.parametrize(
    ("ranks", "on", "promoted"),
    [
        pytest.param((0.4,), (), [(T1, None)], id="the first comes onto an empty agenda"),
        pytest.param((0.4, 0.2), (T1,), [(T2, None)], id="the second takes the free place, whatever its rank"),
        pytest.param((0.4, 0.8, 0.6), (T1, T2), [(T3, T1)], id="a third takes the place of one ranked lower"),
        pytest.param((0.4, 0.8, 0.2), (T1, T2), [], id="a third ranked lower waits"),
        pytest.param((0.4, 0.8), (T1, T2), [], id="who is on it is not promoted again"),
    ],
)
def test_a_dispute_is_promoted_when_it_ranks_among_the_two(
    ranks: tuple[float, ...], on: tuple[ThreadId, ...], promoted: list[tuple[ThreadId, ThreadId | None]]
) -> None:
    debate = debate_of(*(dispute(id, rank) for id, rank in zip((T1, T2, T3), ranks, strict=False)), on=on)
    assert [(p.thread.id, p.replaces) for p in agenda.promotions(debate)] == promoted


@pytest.mark.rule("AGE-1")
def test_the_figures_as_committed_count_once_they_are_there() -> None:
    locked = dispute(T1, 0.4)
    locked = copy_with(locked, figures={**locked.figures, Phase.LOCKED: replace(figures(T1, 0.9), phase=Phase.LOCKED)})
    assert agenda.rank(locked) == 0.9
    assert [t.id for t in agenda.disputes(debate_of(locked, dispute(T2, 0.7)))] == [T1, T2]


@pytest.mark.rule("AGE-1")
def test_a_promotion_is_an_event_with_its_rank() -> None:
    play = Play()
    play.to_lock()
    promoted = only(play.events, CruxPromoted)
    assert (promoted.thread, promoted.candidate, promoted.replaces) == (T1, C1, None)
    assert promoted.rank == agenda.rank(play.thread) and play.debate.agenda == (T1,)


@pytest.mark.rule("AGE-1")
def test_left_out_of_an_ablation_nothing_is_promoted() -> None:
    play = Play(settings=Settings(off=(agenda.DISPUTES,)))
    play.to_lock()
    assert not of(play.events, CruxPromoted)


# ---- AGE-2: what it asks for, and when it changes


def answering(play: Play, yes: float) -> None:
    """Those at YES hold so much of any question put now, those at NO the rest; it decides the topic for all."""
    for agent, side in play.sides.items():
        c = {Side.YES: yes, Side.NO: 1 - yes}.get(side, 0.5)
        p_top = {Side.YES: 0.82, Side.NO: 0.18}.get(side, 0.5)
        play.minds[agent] = Mind(p_top=p_top, c=c, p1=0.9, p0=0.1)


def locked_in(play: Play, thread: ThreadId, yes: float) -> None:
    """The thread's question locks with a rank of (2 · yes - 1) · 1.25 + yes / 2."""
    play.at = thread
    answering(play, yes)
    play.to_lock()


def second(settings: Settings = LONG) -> Play:
    """Four agents; a second thread of ANN and BOB is about to lock beside the first."""
    play = Play(yes=AGENTS[:2], no=AGENTS[2:4], settings=settings)
    answering(play, 0.9)
    play.spawn(MONEY, by=(ANN, CAT))
    play.to_lock()
    return play


@pytest.mark.rule("AGE-2")
def test_who_takes_no_part_in_an_active_dispute_is_asked_for_a_side() -> None:
    play = second()
    locked_in(play, T2, 0.9)
    said = [e for e in of(play.events, ModeratorIntervention) if e.cause == "AGE-2"]
    assert [(e.thread, set(e.to), e.invites) for e in said] == [(T2, {DAN}, True)]
    assert MONEY in said[0].content and "Dan" in said[0].content
    assert threads.members(play.debate, play.thread) == play.agents
    assert [duty.move for duty in open_duties(play.debate, play.thread)[DAN]] == [MoveKind.COMMIT_POSITION]


@pytest.mark.rule("AGE-2")
def test_everybody_takes_part_in_the_first_thread_and_is_not_asked() -> None:
    play = second()
    assert of(play.events, CruxPromoted) and not of(play.events, ModeratorIntervention)


@pytest.mark.rule("AGE-2")
def test_nobody_is_asked_into_a_thread_split_off_by_its_horizon() -> None:
    play = second()
    apart = copy_with(play.debate.threads[T2], only=True)
    assert agenda.agents_to_invite(play.debate, play.debate.threads[T2]) and not agenda.agents_to_invite(
        play.debate, apart
    )


@pytest.mark.rule("AGE-2")
def test_left_out_of_an_ablation_nobody_is_asked() -> None:
    play = second(replace(LONG, off=(agenda.ASKS,)))
    locked_in(play, T2, 0.9)
    assert len(of(play.events, CruxPromoted)) == 2 and not of(play.events, ModeratorIntervention)


def three(third: float) -> Play:
    """Six agents and three threads under lock: ranks of 1.15 in the first, 1.45 in the second, and the third."""
    play = Play(yes=AGENTS[:3], no=AGENTS[3:6], settings=LONG)
    answering(play, 0.8)
    for question in (MONEY, ENERGY):
        play.spawn(question, by=(ANN, DAN))
    for thread, yes in ((T1, 0.8), (T2, 0.9), (T3, third)):
        locked_in(play, thread, yes)
    play.at = T1
    return play


@pytest.mark.rule("AGE-2")
def test_a_dispute_that_ranks_lower_waits_and_nobody_is_asked_about_it() -> None:
    play = three(0.7)
    assert play.debate.agenda == (T1, T2)
    asked = {e.thread for e in of(play.events, ModeratorIntervention) if e.cause == "AGE-2"}
    assert asked == {T2}


@pytest.mark.rule("AGE-2")
def test_a_dispute_that_ranks_higher_takes_the_place_of_the_lowest() -> None:
    play = three(0.85)
    promoted = of(play.events, CruxPromoted)
    assert [(e.thread, e.replaces) for e in promoted] == [(T1, None), (T2, None), (T3, T1)]
    assert play.debate.agenda == (T2, T3)


@pytest.mark.rule("AGE-2")
def test_when_one_converges_the_next_takes_its_place() -> None:
    play = three(0.7)
    answering(play, 0.8)
    play.to_end()
    assert play.thread.status is Status.CONVERGED
    assert play.debate.agenda == (T2, T3)
    last = of(play.events, CruxPromoted)[-1]
    assert (last.thread, last.replaces) == (T3, None), "nobody had to give way"
    asked = [e for e in of(play.events, ModeratorIntervention) if e.cause == "AGE-2"]
    assert asked[-1].thread == T3


@pytest.mark.rule("AGE-2")
def test_whoever_is_asked_in_late_has_as_long_as_anybody_to_answer() -> None:
    play = three(0.7)
    answering(play, 0.8)
    play.to_end()
    invited = [e for e in of(play.events, ModeratorIntervention) if e.cause == "AGE-2"][-1]
    assert invited.at_ms == play.now_ms
    silent = of(play.tick(after_ms=play.debate.settings.silence_ms - 1), AgentSilent)
    assert not [e for e in silent if e.thread == invited.thread and e.agent in invited.to]
    silent = of(play.tick(after_ms=1), AgentSilent)
    assert {e.agent for e in silent if e.thread == invited.thread} >= set(invited.to)


@pytest.mark.rule("AGE-2")
def test_when_one_fails_the_next_takes_its_place() -> None:
    play = three(0.7)
    for agent in play.agents * 4:
        play.say(agent, commit(agent, Side.YES))
    assert of(play.events, ThreadFailed) and play.debate.agenda == (T2, T3)


# ---- AGE-2: when every thread stalls


def stalled(settings: Settings = LONG, *others: float) -> Play:
    """One thread, a question that matters most and others, .7 against .3 on c2 or as told; its lock is lost."""
    play = Play(yes=AGENTS[:2], no=AGENTS[2:4], settings=settings)
    for agent, side in play.sides.items():
        yes = side is Side.YES
        held = {f"c{n}": c for n, c in enumerate((0.9, *(others or (0.7,))), start=1)}
        about = {id: (c if yes else 1 - c, 0.9, 0.1) for id, c in held.items()}
        play.minds[agent] = Mind(p_top=0.82 if yes else 0.18, c=0.5, p1=0.5, p0=0.5, about=about)
    play.to_lock((QUESTION, MONEY, ENERGY)[: 1 + len(others or (0.7,))])
    lose(play)
    return play


def lose(play: Play) -> None:
    """Four failed locks: nobody takes the other side."""
    for agent in play.agents * 4:
        play.say(agent, commit(agent, Side.YES))
    assert play.thread.status is Status.FAILED_LOCK


@pytest.mark.rule("AGE-2")
def test_when_every_thread_stalls_the_best_question_left_is_opened_again() -> None:
    play = stalled()
    again = of(play.events, ThreadCreated)[-1]
    assert (again.thread, again.parent, again.trigger, again.question) == (T2, T1, Trigger.REOPENED, MONEY)
    assert again.members == play.agents and play.debate.complete is None


@pytest.mark.rule("AGE-2")
@pytest.mark.parametrize(
    ("others", "question"),
    [
        pytest.param((0.7, 0.8), ENERGY, id="the third ranks higher"),
        pytest.param((0.8, 0.7), MONEY, id="the second does"),
    ],
)
def test_of_several_left_the_highest_ranked_is_opened_again(others: tuple[float, float], question: str) -> None:
    assert of(stalled(LONG, *others).events, ThreadCreated)[-1].question == question


@pytest.mark.rule("AGE-2")
def test_a_question_gets_one_more_chance_and_not_two() -> None:
    play = stalled()
    locked_in(play, T2, 0.7)
    lose(play)
    assert len(play.debate.threads) == 2 and play.debate.complete is not None


@pytest.mark.rule("AGE-2")
@pytest.mark.parametrize(
    ("settings", "second"),
    [
        pytest.param(replace(LONG, max_ms=200_000), 0.7, id="no time is left for it"),
        pytest.param(replace(LONG, max_messages=60), 0.7, id="no messages are left for it"),
        pytest.param(LONG, 0.57, id="it explains too little: .14 · .8 / .64"),
        pytest.param(replace(LONG, off=(agenda.ASKS,)), 0.7, id="an ablation leaves it out"),
    ],
)
def test_nothing_is_opened_again_where(settings: Settings, second: float) -> None:
    play = stalled(settings, second)
    assert len(play.debate.threads) == 1 and play.debate.complete is not None


@pytest.mark.rule("AGE-2")
@pytest.mark.parametrize(
    ("outcome", "again"),
    [
        pytest.param(Verdict.FAILED_LOCK, True, id="a lost lock is a stall"),
        pytest.param(Verdict.UNDECIDED, True, id="so is silence"),
        pytest.param(Verdict.CRUX, False, id="a crux is not"),
        pytest.param(Verdict.PARTIAL, False, id="nor a partial one"),
        pytest.param(Verdict.RESOLVED, False, id="nor a gap that closed"),
        pytest.param(Verdict.NO_DISAGREEMENT, False, id="nor is agreement a stall"),
    ],
)
def test_a_thread_that_found_something_has_not_stalled(outcome: Verdict, again: bool) -> None:
    play = stalled(replace(LONG, off=(agenda.ASKS,)))
    debate = copy_with(play.debate, settings=LONG, threads={T1: copy_with(play.thread, outcome=outcome)})
    assert (agenda.reopening(debate, play.now_ms) is not None) == again


# ---- AGE-3: ties

FIRM, UNSURE = (Side.YES, 0.8), (Side.UNCERTAIN, 0.8)


@pytest.mark.rule("AGE-3")
@pytest.mark.parametrize(
    ("first", "second", "tied"),
    [
        pytest.param(1.0, 0.951, True, id="not quite five hundredths apart: tied"),
        pytest.param(1.0, 0.949, False, id="more: the rank decides"),
    ],
)
def test_ranks_within_five_hundredths_are_tied(first: float, second: float, tied: bool) -> None:
    debate = debate_of(dispute(T1, first, (FIRM, FIRM)), dispute(T2, second, (FIRM,)))
    assert order(debate) == ([T2, T1] if tied else [T1, T2])


@pytest.mark.rule("AGE-3")
@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param((FIRM, FIRM), (FIRM,), [T2, T1], id="fewest clear positions first"),
        pytest.param((FIRM,), (FIRM, FIRM), [T1, T2], id="fewest clear positions first, the other way"),
        pytest.param((FIRM,), (UNSURE, UNSURE), [T2, T1], id="who is uncertain has no clear position"),
        pytest.param(
            ((Side.YES, 0.7), (Side.NO, 0.7)),
            ((Side.YES, 0.9), (Side.NO, 0.5)),
            [T2, T1],
            id="then the highest variance of confidence",
        ),
        pytest.param(
            ((Side.YES, 0.9), (Side.NO, 0.5)),
            ((Side.YES, 0.9), (Side.NO, 0.7), (Side.YES, 0.1)),
            [T1, T2],
            id="positions before variance",
        ),
        pytest.param((FIRM,), (FIRM,), [T1, T2], id="else the rank"),
    ],
)
def test_a_tie_is_broken(
    first: tuple[tuple[Side, float], ...], second: tuple[tuple[Side, float], ...], expected: list[ThreadId]
) -> None:
    assert order(debate_of(dispute(T1, 1.0, first), dispute(T2, 0.97, second))) == expected


def bearing(debate: Debate, from_: ThreadId, to: ThreadId) -> Debate:
    edge = Dependency(
        from_crux=from_,
        to_crux=to,
        relation=Relation.ENTAILS,
        confidence=0.9,
        sketch="step by step",
        by=ANN,
        second=BOB,
    )
    found = CruxesRelated(at_ms=0, first=from_, second=to, distance=0.6, dependencies=(edge,))
    return copy_with(debate, related={(from_, to): found})


@pytest.mark.rule("AGE-3")
def test_then_the_one_that_hangs_on_no_unresolved_one_comes_first() -> None:
    debate = debate_of(dispute(T1, 1.0, (FIRM,)), dispute(T2, 0.97, (FIRM,)))
    assert order(debate) == [T1, T2]
    assert order(bearing(debate, T2, T1)) == [T2, T1]
    assert order(bearing(debate, T1, T2)) == [T1, T2]


@pytest.mark.rule("AGE-3")
def test_variance_comes_before_dependency() -> None:
    varied = ((Side.YES, 0.9), (Side.NO, 0.5))
    debate = debate_of(dispute(T1, 1.0, varied), dispute(T2, 0.97, (FIRM, FIRM)))
    assert order(bearing(debate, T2, T1)) == [T1, T2]


@pytest.mark.rule("AGE-3")
def test_a_dependency_on_a_resolved_one_is_none() -> None:
    resolved = dispute(T3, 0.2, status=Status.CONVERGED, outcome=Verdict.RESOLVED)
    debate = debate_of(dispute(T1, 1.0, (FIRM,)), dispute(T2, 0.97, (FIRM,)), resolved)
    assert order(bearing(debate, T3, T1))[:2] == [T1, T2]


@pytest.mark.rule("AGE-3")
def test_a_tie_is_with_the_best_of_its_group_and_does_not_run_on() -> None:
    debate = debate_of(dispute(T1, 1.0, (FIRM, FIRM)), dispute(T2, 0.96, (FIRM,)), dispute(T3, 0.92))
    assert order(debate) == [T2, T1, T3]
