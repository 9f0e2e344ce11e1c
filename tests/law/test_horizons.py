"""Do they speak of the same span of time? MOD-6 of SPEC §11."""

from collections.abc import Mapping

import pytest

from cruxfinder.crux.duties import open_duties
from cruxfinder.crux.events import ModeratorIntervention, StageTransition, ThreadCreated
from cruxfinder.crux.evolve import fold
from cruxfinder.crux.law import horizons, threads
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, Horizon, Side, Stage, Trigger
from tests.law.build import (
    AGENTS,
    ANN,
    BOB,
    QUESTION,
    T1,
    T2,
    Play,
    challenge,
    claim,
    commit,
    of,
    only,
    propose,
    refusal_texts,
    refused,
)

MONTHS, YEAR, FIVE, DECADE = Horizon


def speaking_of(spans: Mapping[AgentId, Horizon], agents: int = 2, settings: Settings = Settings()) -> Play:
    """CRUX_LOCK, after each of these agents spoke of a span of time. YES and NO alternate round the table."""
    play = Play(yes=AGENTS[:agents:2], no=AGENTS[1:agents:2], settings=settings)
    first = play.post(ANN, claim(horizon=spans.get(ANN)))
    play.post(BOB, challenge(first))
    play.post(ANN, propose(), content=QUESTION)
    for agent, span in spans.items():
        if agent != ANN:
            play.post(agent, claim(horizon=span))
    while not play.waiting:
        play.talk(1)
    play.probe_all()
    assert play.thread.stage is Stage.CRUX_LOCK
    return play


def aligned(play: Play) -> tuple[ModeratorIntervention, ...]:
    return tuple(e for e in of(play.events, ModeratorIntervention) if e.cause == "MOD-6")


# ---- aligned before the lock


@pytest.mark.rule("MOD-6")
def test_horizons_that_differ_are_aligned_before_the_lock() -> None:
    play = speaking_of({ANN: MONTHS, BOB: DECADE})
    said = only(play.events, ModeratorIntervention)
    assert (said.cause, said.horizon, set(said.to)) == ("MOD-6", DECADE, {ANN, BOB})
    assert MONTHS in said.content and DECADE in said.content
    events = list(play.events)
    entered = next(e for e in of(events, StageTransition))
    assert events.index(said) < events.index(entered)
    assert play.thread.horizon is DECADE


@pytest.mark.rule("MOD-6")
@pytest.mark.parametrize(
    "spans",
    [
        pytest.param({ANN: FIVE, BOB: FIVE}, id="both speak of the same"),
        pytest.param({ANN: FIVE}, id="one speaks of one, the other of none"),
        pytest.param({}, id="nobody speaks of any"),
    ],
)
def test_horizons_that_do_not_differ_are_left_alone(spans: Mapping[AgentId, Horizon]) -> None:
    play = speaking_of(spans)
    assert not of(play.events, ModeratorIntervention) and play.thread.horizon is None
    assert not refused(play.say(ANN, commit(ANN, Side.YES, horizon=DECADE)))
    assert not refused(play.say(BOB, commit(BOB, Side.NO, horizon=MONTHS)))


@pytest.mark.rule("MOD-6")
@pytest.mark.parametrize(
    ("held", "common"),
    [
        pytest.param([MONTHS, MONTHS, DECADE], MONTHS, id="the one most speak of"),
        pytest.param([MONTHS, DECADE], DECADE, id="of two equally common ones the longer"),
        pytest.param([DECADE, YEAR, YEAR, DECADE, MONTHS], DECADE, id="whatever the order"),
        pytest.param([YEAR], YEAR, id="the only one"),
    ],
)
def test_the_question_is_taken_at_the_span_most_speak_of(held: list[Horizon], common: Horizon) -> None:
    assert horizons.most_common_horizon(held) is common


@pytest.mark.rule("MOD-6")
def test_what_somebody_said_last_counts() -> None:
    play = Play()
    play.post(BOB, challenge(play.post(ANN, claim(horizon=MONTHS))))
    play.post(BOB, claim(horizon=FIVE))
    play.post(ANN, claim(horizon=FIVE))
    assert horizons.stated_horizons(play.debate, play.thread) == {ANN: FIVE, BOB: FIVE}
    assert not horizons.differ(play.debate, play.thread)


@pytest.mark.rule("MOD-6")
def test_a_commitment_at_another_horizon_is_refused() -> None:
    play = speaking_of({ANN: FIVE, BOB: DECADE})
    events = play.say(ANN, commit(ANN, Side.YES, horizon=FIVE))
    assert refused(events) == {"MOD-6"}
    assert "commit for 10y+" in refusal_texts(events)[0]
    assert not refused(play.say(ANN, commit(ANN, Side.YES, horizon=DECADE)))
    assert not refused(play.say(BOB, commit(BOB, Side.NO, horizon=DECADE)))


@pytest.mark.rule("MOD-6")
def test_left_out_of_an_ablation_horizons_are_not_aligned() -> None:
    play = speaking_of({ANN: FIVE, BOB: DECADE}, settings=Settings(off=(horizons.ALIGN,)))
    assert not of(play.events, ModeratorIntervention)
    assert not refused(play.say(ANN, commit(ANN, Side.YES, horizon=FIVE)))


# ---- or the thread is split


def spans(sooner: int, later: int, at: tuple[Horizon, Horizon] = (MONTHS, DECADE)) -> dict[AgentId, Horizon]:
    return dict(zip(AGENTS, [at[0]] * sooner + [at[1]] * later, strict=False))


@pytest.mark.rule("MOD-6")
def test_with_more_than_three_on_each_side_of_the_gap_the_thread_is_split() -> None:
    play = speaking_of(spans(4, 4), 8)
    said, created = only(play.events, ModeratorIntervention), of(play.events, ThreadCreated)[-1]
    assert (said.cause, said.horizon, said.keeps) == ("MOD-6", MONTHS, tuple(sorted(AGENTS[:4], key=play.agents.index)))
    assert (created.thread, created.parent, created.trigger, created.horizon) == (T2, T1, Trigger.HORIZON, DECADE)
    assert (created.question, created.only) == (QUESTION, True)
    assert set(created.members) == set(AGENTS[4:8])
    assert play.thread.stage is Stage.CRUX_LOCK and play.thread.horizon is MONTHS
    assert set(threads.members(play.debate, play.thread)) == set(AGENTS[:4])
    assert set(threads.members(play.debate, play.debate.threads[T2])) == set(AGENTS[4:8])
    assert fold(play.events) == play.debate


@pytest.mark.rule("MOD-6")
def test_after_a_split_each_thread_expects_its_own_people_at_its_own_horizon() -> None:
    play = speaking_of(spans(4, 4), 8)
    assert set(open_duties(play.debate, play.thread)) == set(AGENTS[:4])
    assert refused(play.say(ANN, commit(ANN, Side.YES, horizon=DECADE))) == {"MOD-6"}
    play.at = T2
    first, second = AGENTS[4:6]
    play.post(second, challenge(play.post(first, claim())))
    for _ in range(2):
        for agent in AGENTS[4:8]:
            if not play.waiting:
                play.post(agent, claim())
    play.probe_all()
    assert set(open_duties(play.debate, play.thread)) == set(AGENTS[4:8])
    assert refused(play.say(first, commit(first, Side.YES, horizon=MONTHS))) == {"MOD-6"}
    assert not refused(play.say(first, commit(first, Side.YES, horizon=DECADE)))


@pytest.mark.rule("MOD-6")
@pytest.mark.parametrize(
    ("held", "agents", "split"),
    [
        pytest.param(spans(4, 4), 8, True, id="four and four"),
        pytest.param(spans(3, 5), 8, False, id="three and five: aligned"),
        pytest.param(spans(5, 3), 8, False, id="five and three: aligned"),
        pytest.param(spans(3, 4), 7, False, id="three and four: aligned"),
        pytest.param({**spans(2, 6, (MONTHS, YEAR)), AGENTS[6]: DECADE, AGENTS[7]: DECADE}, 8, False, id="no such gap"),
        pytest.param(
            {**spans(2, 6, (MONTHS, FIVE)), AGENTS[2]: YEAR, AGENTS[3]: YEAR}, 8, True, id="a gap among three spans"
        ),
    ],
)
def test_a_thread_is_split_when(held: Mapping[AgentId, Horizon], agents: int, split: bool) -> None:
    play = speaking_of(held, agents)
    assert (len(play.debate.threads) == 2) == split
    assert len(aligned(play)) == 1, "aligned in any case"


@pytest.mark.rule("MOD-6")
def test_who_spoke_of_no_span_stays() -> None:
    play = speaking_of(spans(4, 4), 10)
    assert set(threads.members(play.debate, play.thread)) == {*AGENTS[:4], *AGENTS[8:10]}


@pytest.mark.rule("MOD-6")
def test_where_there_is_no_room_for_a_thread_the_horizons_are_aligned_instead() -> None:
    play = speaking_of(spans(4, 4), 8, Settings(max_ms=150_000))
    assert len(play.debate.threads) == 1
    assert aligned(play)[0].horizon is DECADE and not aligned(play)[0].keeps
    assert set(threads.members(play.debate, play.thread)) == set(AGENTS[:8])


@pytest.mark.rule("MOD-6")
def test_a_thread_split_off_is_not_merged_again() -> None:
    play = speaking_of(spans(4, 4), 8)
    assert not list(threads.mergeable_pairs(play.debate))
