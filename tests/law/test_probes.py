"""The arithmetic of the private answers, done once more by hand: VOC-6 camps, PLUS-1 first positions, PLUS-3 rank."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.crux.asks import AskFirst, Credence
from cruxfinder.crux.events import (
    PRIVATE,
    DcgCalculated,
    FirstPosition,
    MessagePosted,
    ProbeAnswered,
    ThreadCreated,
)
from cruxfinder.crux.law import probes
from cruxfinder.crux.private_questions import Probes, due_in_thread
from cruxfinder.crux.script import opening
from cruxfinder.crux.views import public_debate
from cruxfinder.kernel.dice import SeededDice
from cruxfinder.kernel.effects import Think
from cruxfinder.kernel.vocabulary import ADVOCATE, AgentId, CandidateId, Phase, Side, ThreadId, TopSide
from tests.law.build import (
    AGENTS,
    ANN,
    BOB,
    C1,
    CAT,
    DAN,
    EVE,
    OTHER_QUESTIONS,
    QUESTION,
    T1,
    Mind,
    Play,
    claim,
    mind,
    of,
    only,
)

CHANCE = st.floats(0.01, 0.99)
QUICK = settings(max_examples=50, deadline=None, derandomize=True)

# ---- the arithmetic of BELIEFS once more, over plain rows


@dataclass(frozen=True)
class Row:
    """An agent's first P(top), and its four private answers about one question."""

    first: float
    p_top: float
    c: float
    p1: float
    p0: float


def first(agent: AgentId, p_top: float) -> FirstPosition:
    return FirstPosition(at_ms=0, agent=agent, p_top=p_top, side=TopSide.NUANCED, reason="so")


def answered(agent: AgentId, row: Row, number: int = 1, failed: bool = False) -> ProbeAnswered:
    return ProbeAnswered(
        at_ms=0,
        thread=ThreadId("t1"),
        phase=Phase.BEFORE,
        round=number,
        agent=agent,
        p_top=row.p_top,
        credences=(Credence(candidate=C1, c=row.c, p1=row.p1, p0=row.p0),),
        failed=failed,
    )


def named(rows: Sequence[Row]) -> dict[AgentId, Row]:
    return dict(zip(AGENTS, rows, strict=False))


def read(rows: Sequence[Row]) -> dict[AgentId, probes.ProbeReading]:
    return probes.readings_of({1: {a: answered(a, row) for a, row in named(rows).items()}})


def camps_of(rows: Sequence[Row]) -> probes.Camps:
    return probes.camps({a: first(a, row.first) for a, row in named(rows).items()})


def ours(rows: Sequence[Row]) -> tuple[float, float, float]:
    """Gap, share and gap closed, by the rule."""
    given, camps = read(rows), camps_of(rows)
    gap = probes.gap(given, camps)
    yes, no = probes.camp_means(given, camps.yes, C1), probes.camp_means(given, camps.no, C1)
    assert yes is not None and no is not None
    return gap, probes.explained_share(yes, no, gap), probes.gap_closed(yes, no, gap)


def theirs(rows: Sequence[Row]) -> tuple[float, float, float]:
    """The same, in fractions, straight from the formulas of BELIEFS."""

    def bar(of: str, above: bool) -> Fraction:
        camp = [row for row in rows if (row.first > 0.5 if above else row.first < 0.5)]
        return sum((Fraction(getattr(row, of)) for row in camp), Fraction(0)) / len(camp)

    y, n = True, False
    g = bar("p_top", y) - bar("p_top", n)
    assume(abs(g) > 0.01)
    s_y, s_n = bar("p1", y) - bar("p0", y), bar("p1", n) - bar("p0", n)
    x = (bar("c", y) - bar("c", n)) * (s_y + s_n) / 2 / g
    pi = (bar("c", y) + bar("c", n)) / 2
    apart = pi * abs(bar("p1", y) - bar("p1", n)) + (1 - pi) * abs(bar("p0", y) - bar("p0", n))
    return float(g), float(x), float(1 - apart / abs(g))


ROWS = st.lists(st.builds(Row, first=CHANCE, p_top=CHANCE, c=CHANCE, p1=CHANCE, p0=CHANCE), min_size=2, max_size=7)


def opposed(rows: Sequence[Row]) -> bool:
    return any(r.first > 0.5 for r in rows) and any(r.first < 0.5 for r in rows)


# ---- PLUS-3: share, gap closed, rank


@pytest.mark.rule("PLUS-3")
@QUICK
@given(ROWS)
def test_gap_share_and_gap_closed_are_those_of_beliefs(rows: list[Row]) -> None:
    assume(opposed(rows))
    assert ours(rows) == pytest.approx(theirs(rows), abs=1e-9, rel=1e-9)


@pytest.mark.rule("PLUS-3")
@pytest.mark.parametrize(
    ("rows", "figures"),
    [
        pytest.param(
            (Row(0.9, 0.82, 0.9, 0.9, 0.1), Row(0.1, 0.18, 0.1, 0.9, 0.1)), (0.64, 1.0, 1.0), id="all of it credence"
        ),
        pytest.param(
            (Row(0.9, 0.8, 0.5, 0.9, 0.7), Row(0.1, 0.2, 0.5, 0.3, 0.1)), (0.6, 0.0, 0.0), id="all of it values"
        ),
        pytest.param(
            (Row(0.9, 0.8, 0.8, 0.9, 0.4), Row(0.1, 0.3, 0.2, 0.7, 0.2)), (0.5, 0.6, 0.6), id="three fifths of it"
        ),
        pytest.param(
            (Row(0.9, 0.6, 0.2, 0.9, 0.5), Row(0.1, 0.4, 0.8, 0.5, 0.1)), (0.2, -1.2, -1.0), id="it pulls the other way"
        ),
        pytest.param(
            (Row(0.9, 0.8, 0.8, 0.9, 0.4), Row(0.6, 0.6, 0.6, 0.7, 0.4), Row(0.1, 0.2, 0.1, 0.6, 0.2)),
            (0.5, 0.48, 0.6),
            id="camp means, not pairs",
        ),
    ],
)
def test_share_and_gap_closed_by_hand(rows: tuple[Row, ...], figures: tuple[float, float, float]) -> None:
    assert ours(rows) == pytest.approx(figures)


@pytest.mark.rule("PLUS-3")
@QUICK
@given(ROWS, ROWS, st.floats(0, 1))
def test_the_share_of_the_gap_is_linear_in_the_credences(one: list[Row], two: list[Row], mix: float) -> None:
    """With slopes and P(top) held, share is linear in c; with credences held, it is linear in p1 and p0."""
    size = min(len(one), len(two))
    one, two = one[:size], two[:size]
    assume(opposed(one) and theirs(one))

    def blend(of: str) -> None:
        other = [Row(**{**vars(a), of: getattr(b, of)}) for a, b in zip(one, two, strict=True)]
        between = [
            Row(**{**vars(a), of: mix * getattr(a, of) + (1 - mix) * getattr(b, of)})
            for a, b in zip(one, other, strict=True)
        ]
        assert ours(between)[1] == pytest.approx(mix * ours(one)[1] + (1 - mix) * ours(other)[1], abs=1e-7)

    for answer in ("c", "p1", "p0"):
        blend(answer)


@pytest.mark.rule("PLUS-3")
@pytest.mark.parametrize(
    ("share", "dcg", "rank"),
    [
        (0.4, 0.6, 0.7),
        (0.0, 1.0, 0.5),
        (-0.5, 0.4, -0.3),
        (-3.0, 0.4, -0.8),
        (5.0, 0.0, 2.0),
        (2.0, 1.0, 2.5),
        (-1.0, 0.0, -1.0),
    ],
)
def test_rank_is_the_clipped_share_and_half_the_dcg(share: float, dcg: float, rank: float) -> None:
    assert probes.rank(share, dcg) == pytest.approx(rank)


@pytest.mark.rule("PLUS-3")
def test_without_a_gap_nothing_is_explained() -> None:
    rows = (Row(0.9, 0.5, 0.9, 0.9, 0.1), Row(0.1, 0.5, 0.1, 0.9, 0.1))
    assert ours(rows) == (0.0, 0.0, 0.0)


@pytest.mark.rule("PLUS-3")
def test_an_agent_without_an_answer_is_left_out_of_its_camp() -> None:
    rows = (Row(0.9, 0.8, 0.8, 0.9, 0.4), Row(0.8, 0.1, 0.1, 0.1, 0.9), Row(0.1, 0.3, 0.2, 0.7, 0.2))
    camps = camps_of(rows)
    given = {a: r for a, r in read(rows).items() if a != BOB}
    yes, no = probes.camp_means(given, camps.yes, C1), probes.camp_means(given, camps.no, C1)
    assert yes is not None and no is not None
    assert probes.explained_share(yes, no, probes.gap(given, camps)) == pytest.approx(0.6)
    assert probes.camp_means(given, camps.yes, CandidateId("c9")) is None


# ---- PLUS-3: coherence and noise


@pytest.mark.rule("PLUS-3")
@QUICK
@given(ROWS)
def test_residual_and_noise_are_those_of_beliefs(rows: list[Row]) -> None:
    left = [row.p_top - (row.c * row.p1 + (1 - row.c) * row.p0) for row in rows]
    spread = [1 + row.c**2 + (1 - row.c) ** 2 + (row.p1 - row.p0) ** 2 for row in rows]
    variance = sum(r * r / s for r, s in zip(left, spread, strict=True)) / len(rows)
    given = read(rows)
    assert probes.noise(given) == pytest.approx(math.sqrt(variance))
    assert [probes.residual(given[a].p_top, given[a].credences[C1]) for a in named(rows)] == pytest.approx(left)
    assert probes.incoherent_agents(given) == tuple(a for a, r in zip(named(rows), left, strict=True) if abs(r) > 0.15)


@pytest.mark.rule("PLUS-3")
@pytest.mark.parametrize(
    ("p_top", "flagged"),
    [
        pytest.param(0.5, False, id="coherent"),
        pytest.param(0.64, False, id="off by .14"),
        pytest.param(0.66, True, id="off by .16"),
        pytest.param(0.34, True, id="off by .16, below"),
    ],
)
def test_an_answer_off_by_more_than_015_is_flagged(p_top: float, flagged: bool) -> None:
    given = read((Row(0.9, p_top, 0.5, 0.9, 0.1), Row(0.1, 0.5, 0.5, 0.9, 0.1)))
    assert probes.incoherent_agents(given) == ((ANN,) if flagged else ())


@pytest.mark.rule("PLUS-3")
def test_the_estimate_finds_the_noise_that_was_put_in() -> None:
    rng = Random(5)
    given: dict[AgentId, probes.ProbeReading] = {}
    for n in range(4000):
        c, p1, p0 = rng.uniform(0.2, 0.8), rng.uniform(0.5, 0.8), rng.uniform(0.2, 0.5)
        asked = [answer + rng.gauss(0, 0.1) for answer in (c * p1 + (1 - c) * p0, c, p1, p0)]
        given[AgentId(f"a{n}")] = read((Row(0.9, *asked),))[ANN]
    assert probes.noise(given) == pytest.approx(0.1, abs=0.004)


# ---- averaging, failures, whom and what is asked


@pytest.mark.rule("PLUS-3")
def test_rounds_are_averaged_and_failed_answers_left_out() -> None:
    rounds: Mapping[int, Mapping[AgentId, ProbeAnswered]] = {
        1: {ANN: answered(ANN, Row(0, 0.8, 0.7, 0.9, 0.3)), BOB: answered(BOB, Row(0, 0, 0, 0, 0), 1, failed=True)},
        2: {ANN: answered(ANN, Row(0, 0.6, 0.5, 0.7, 0.1), 2), BOB: answered(BOB, Row(0, 0.2, 0.2, 0.4, 0.2), 2)},
        3: {ANN: answered(ANN, Row(0, 0, 0, 0, 0), 3, failed=True)},
    }
    given = probes.readings_of(rounds)
    ann, bob = given[ANN].credences[C1], given[BOB].credences[C1]
    assert (given[ANN].p_top, ann.c, ann.p1, ann.p0) == pytest.approx((0.7, 0.6, 0.8, 0.2))
    assert (given[BOB].p_top, bob.c, bob.p1, bob.p0) == pytest.approx((0.2, 0.2, 0.4, 0.2))


@pytest.mark.rule("PLUS-3")
def test_who_fails_every_round_has_no_reading() -> None:
    failed = answered(BOB, Row(0, 0, 0, 0, 0), failed=True)
    assert set(probes.readings_of({1: {ANN: answered(ANN, Row(0, 0.8, 0.7, 0.9, 0.3)), BOB: failed}})) == {ANN}


@pytest.mark.rule("PLUS-3")
def test_everybody_is_asked_about_every_candidate() -> None:
    play = Play(yes=(ANN, BOB), no=(CAT, DAN), unsure=(EVE,))
    play.to_weighing((QUESTION, *OTHER_QUESTIONS[:2]))
    wanted = due_in_thread(play.debate, play.thread)
    assert isinstance(wanted, Probes)
    assert (wanted.phase, wanted.round) == (Phase.BEFORE, 1)
    assert wanted.agents == (ANN, BOB, CAT, DAN, EVE)
    assert [c.question for c in wanted.candidates] == [QUESTION, *OTHER_QUESTIONS[:2]]


@pytest.mark.rule("PLUS-3")
@pytest.mark.parametrize(
    ("p_top", "rounds"),
    [
        pytest.param(None, 1, id="coherent answers are asked for once"),
        pytest.param(0.16, 1, id="noise of .048"),
        pytest.param(0.12, 3, id="noise of .067: three times"),
        pytest.param(0.62, 5, id="noise of .17, and a gap of .20: five times"),
    ],
)
def test_noisy_answers_are_asked_for_several_times(p_top: float | None, rounds: int) -> None:
    """c = .1, p1 = .8, p0 = .2 makes P(top) .26; r less is a noise of r / sqrt(1 + .01 + .81 + .36), and less by
    the square root of two where the other contradicts itself in nothing."""
    play = Play()
    play.minds = {ANN: mind(0.9), BOB: mind(0.1, 0.8, 0.2, p_top=p_top)}
    play.to_weighing()
    events = play.probe_all()
    before = [e for e in of(events, ProbeAnswered) if e.phase is Phase.BEFORE]
    assert {(e.round, e.agent) for e in before} == {(n, a) for n in range(1, rounds + 1) for a in (ANN, BOB)}


@pytest.mark.rule("PLUS-3")
def test_the_figures_are_of_the_average_of_the_rounds() -> None:
    play = Play()
    play.minds = {ANN: mind(0.9), BOB: mind(0.2, 0.8, 0.2, p_top=0.7)}
    play.to_weighing()
    play.probe()
    play.minds[BOB] = mind(0.05, 0.8, 0.2, p_top=0.1)
    play.probe()
    events = play.probe()
    figures = only(events, DcgCalculated)
    bob_top, bob_c = (0.7 + 0.1 + 0.1) / 3, (0.2 + 0.05 + 0.05) / 3
    gap = 0.82 - bob_top
    assert figures.gap == pytest.approx(gap, abs=1e-4)
    assert figures.figures[0].share == pytest.approx((0.9 - bob_c) * (0.8 + 0.6) / 2 / gap, abs=1e-4)
    assert figures.noise > 0 and figures.incoherent == ()


@pytest.mark.rule("PLUS-3")
def test_the_figures_flag_who_contradicts_itself() -> None:
    play = Play(yes=(ANN, CAT))
    play.minds[CAT] = mind(0.9, p_top=0.55)
    play.to_weighing()
    figures = only(play.probe_all(), DcgCalculated)
    assert figures.incoherent == (CAT,)
    assert figures.noise == pytest.approx((0.27**2 / (1 + 0.81 + 0.01 + 0.64) / 3) ** 0.5, abs=1e-4)


# ---- VOC-6: camps


@pytest.mark.rule("VOC-6")
@pytest.mark.parametrize(
    ("p_top", "camp"),
    [(0.9, "yes"), (0.51, "yes"), (0.5001, "yes"), (0.5, "neither"), (0.4999, "no"), (0.46, "no"), (0.1, "no")],
)
def test_a_camp_is_a_side_of_one_half_in_the_private_first_position(p_top: float, camp: str) -> None:
    found = probes.camps({ANN: first(ANN, p_top)})
    assert (ANN in found.yes, ANN in found.no) == (camp == "yes", camp == "no")


@pytest.mark.rule("VOC-6")
def test_a_camp_takes_two_sides_to_be_opposed() -> None:
    assert probes.camps({ANN: first(ANN, 0.9), BOB: first(BOB, 0.1)}).has_both_sides
    assert not probes.camps({ANN: first(ANN, 0.9), BOB: first(BOB, 0.6)}).has_both_sides
    assert not probes.camps({ANN: first(ANN, 0.9), BOB: first(BOB, 0.5)}).has_both_sides


def people(*tops: float) -> dict[AgentId, float]:
    return {AgentId(f"p{n}"): top for n, top in enumerate(tops)}


FORECASTERS = (0.001, 0.002, 0.005, 0.01, 0.01, 0.012, 0.15, 0.2, 0.25, 0.3, 0.52, 0.6)


@pytest.mark.rule("VOC-6")
@pytest.mark.parametrize(
    ("tops", "unlikelier"),
    [
        pytest.param(FORECASTERS, 6, id="one half parts like from like"),
        pytest.param((0.02, 0.03, 0.03, 0.02, 0.3, 0.35, 0.3, 0.4), 4, id="all on one side, some ten times likelier"),
        pytest.param((0.55, 0.56, 0.55, 0.56, 0.8, 0.82, 0.81, 0.8), 4, id="all on the other"),
    ],
)
def test_where_one_half_does_not_tell_people_apart_the_clearest_cut_in_log_odds_does(
    tops: tuple[float, ...], unlikelier: int
) -> None:
    found = probes.camps_of(people(*tops))
    assert found.no == tuple(AgentId(f"p{n}") for n in range(unlikelier))
    assert len(found.yes) == len(tops) - unlikelier
    assert max(tops[:unlikelier]) < found.cut < min(tops[unlikelier:])


@pytest.mark.rule("VOC-6")
@pytest.mark.parametrize(
    "tops",
    [
        pytest.param((0.9, 0.8, 0.85, 0.2, 0.15, 0.1), id="clear sides"),
        pytest.param((0.9, 0.9, 0.8, 0.8, 0.7, 0.85, 0.3), id="one against all"),
        pytest.param((0.95, 0.9, 0.55, 0.52, 0.45, 0.4, 0.1, 0.06), id="spread out evenly over both sides"),
        pytest.param((0.6, 0.9), id="two of one mind: nobody can say what sets them apart"),
        pytest.param((0.6, 0.62, 0.9), id="a camp of one is an outlier"),
        pytest.param((0.7, 0.74, 0.78, 0.82, 0.86, 0.9), id="spread out evenly over one side"),
        pytest.param((0.8, 0.81, 0.8, 0.81, 0.84, 0.85, 0.84, 0.85), id="two groups, hardly apart"),
        pytest.param((0.97, 0.97, 0.98, 0.98, 0.995, 0.999, 0.996, 0.999), id="as sure as anybody can be"),
    ],
)
def test_else_camps_are_the_sides_of_one_half(tops: tuple[float, ...]) -> None:
    agents = people(*tops)
    yes = tuple(agent for agent, top in agents.items() if top > 0.5)
    no = tuple(agent for agent, top in agents.items() if top < 0.5)
    assert probes.camps_of(agents) == probes.Camps(yes=yes, no=no, cut=0.5)


@pytest.mark.rule("VOC-6")
@given(tops=st.lists(CHANCE, min_size=1, max_size=14))
@QUICK
def test_whoever_is_in_a_camp_is_on_its_side_of_the_cut(tops: list[float]) -> None:
    agents = people(*tops)
    found = probes.camps_of(agents)
    assert all(agents[agent] > found.cut for agent in found.yes)
    assert all(agents[agent] < found.cut for agent in found.no)
    assert len(found.yes) + len(found.no) == sum(top != found.cut for top in tops)


@pytest.mark.rule("VOC-6")
def test_neither_public_words_nor_later_answers_move_anybody_to_another_camp() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB,))
    play.minds[CAT] = mind(0.1)  # has changed its mind since
    play.post(CAT, claim(top_side=TopSide.NO))
    play.to_weighing()
    figures = only(play.probe_all(), DcgCalculated)
    assert probes.camps(play.debate.firsts) == probes.Camps(yes=(ANN, CAT), no=(BOB,))
    assert figures.gap == pytest.approx((0.82 + 0.18) / 2 - 0.18)


@pytest.mark.rule("VOC-6")
def test_the_devils_advocate_stands_in_no_camp() -> None:
    play = Play()
    play.talk(6)
    assert ADVOCATE in {seat.id for seat in play.debate.seats}
    camps = probes.camps(play.debate.firsts)
    assert ADVOCATE not in (*camps.yes, *camps.no)
    assert ADVOCATE not in play.debate.agents


@pytest.mark.rule("CRUX-2")
@pytest.mark.parametrize(
    ("p1", "p0", "flips"),
    [
        pytest.param(0.9, 0.1, True, id="one above .55, the other below .45"),
        pytest.param(0.1, 0.9, True, id="the other way round"),
        pytest.param(0.56, 0.44, True, id="only just"),
        pytest.param(0.55, 0.1, False, id="exactly .55 is not above"),
        pytest.param(0.9, 0.45, False, id="exactly .45 is not below"),
        pytest.param(0.9, 0.6, False, id="both above"),
        pytest.param(0.4, 0.1, False, id="both below"),
        pytest.param(0.5, 0.5, False, id="no difference"),
    ],
)
def test_an_answer_flips_when_the_top_claim_changes_sides_with_it(p1: float, p0: float, flips: bool) -> None:
    assert probes.flips(Credence(candidate=C1, c=0.5, p1=p1, p0=p0)) is flips


@pytest.mark.rule("CRUX-2")
def test_the_answers_are_recorded_and_stay_private() -> None:
    play = Play()
    play.to_lock()
    assert {a for given in play.thread.probes.values() for a in given} == {ANN, BOB}
    shown = public_debate(play.debate).threads[T1]
    assert (shown.probes, shown.figures) == ({}, {})
    assert ProbeAnswered in PRIVATE


@pytest.mark.parametrize(
    ("p", "side", "top"),
    [
        (0.551, Side.YES, TopSide.YES),
        (0.55, Side.UNCERTAIN, TopSide.NUANCED),
        (0.5, Side.UNCERTAIN, TopSide.NUANCED),
        (0.45, Side.UNCERTAIN, TopSide.NUANCED),
        (0.449, Side.NO, TopSide.NO),
    ],
)
def test_sides_begin_at_055_and_045(p: float, side: Side, top: TopSide) -> None:
    assert (probes.side_of(p), probes.top_side_of(p)) == (side, top)


# ---- PLUS-1: first positions


@pytest.mark.rule("PLUS-1")
def test_everybody_is_asked_for_a_first_position_before_anything_else() -> None:
    script = opening((ANN, BOB, CAT), SeededDice(1), embedder("keyword"))
    effect = next(script)
    assert isinstance(effect, Think)
    assert effect.asks == tuple(AskFirst(agent=a) for a in (ANN, BOB, CAT))


@pytest.mark.rule("PLUS-1")
def test_first_positions_stand_in_the_log_before_the_first_word() -> None:
    play = Play(yes=(ANN, CAT))
    play.talk(2)
    kinds = [type(e) for e in play.events]
    assert kinds[1:5] == [ThreadCreated, FirstPosition, FirstPosition, FirstPosition]
    assert kinds.index(MessagePosted) > max(n for n, k in enumerate(kinds) if k is FirstPosition)
    given = of(play.events, FirstPosition)
    assert [(e.agent, e.p_top, e.side) for e in given] == [
        (ANN, 0.82, TopSide.YES),
        (CAT, 0.82, TopSide.YES),
        (BOB, 0.18, TopSide.NO),
    ]
    assert all(e.reason for e in given)


@pytest.mark.rule("PLUS-1")
def test_nobody_sees_the_first_positions_of_the_others() -> None:
    play = Play()
    assert play.debate.firsts.keys() == {ANN, BOB}
    assert public_debate(play.debate).firsts == {}
    assert FirstPosition in PRIVATE


@pytest.mark.rule("PLUS-1")
def test_who_gives_no_first_position_is_in_no_camp() -> None:
    play = Play(yes=(ANN, CAT), firsts=False)
    play.take_firsts(but=(CAT,))
    assert probes.camps(play.debate.firsts) == probes.Camps(yes=(ANN,), no=(BOB,))


def test_a_mind_of_the_builders_is_coherent() -> None:
    held: Mind = mind(0.3, 0.8, 0.2)
    assert probes.residual(held.p_top, Credence(candidate=C1, c=held.c, p1=held.p1, p0=held.p0)) == pytest.approx(0)
