"""What a table comes to, against BELIEFS's formulas written out once more, and what each verdict takes."""

from random import Random
from statistics import fmean
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cruxfinder as cf
from cruxfinder.crux.law import probes
from cruxfinder.kernel.vocabulary import AgentId, Verdict
from cruxfinder.tables.credences.credence_map import CredenceMap

COLUMNS: tuple[str, ...] = ("agent", "top", "proposition", "credence", "top_if_true", "top_if_false")


class Answer(NamedTuple):
    agent: str
    top: float
    proposition: str
    c: float | None
    p1: float | None
    p0: float | None


def mapped(answers: list[Answer]) -> CredenceMap:
    return cf.map_credences(dict(zip(COLUMNS, answer, strict=True)) for answer in answers)


def drawn(seed: int, *, skipping: bool) -> list[Answer]:
    rng = Random(seed)
    people = [f"a{n}" for n in range(rng.randint(2, 6))]
    asked = [f"q{n}" for n in range(rng.randint(1, 4))]
    found: list[Answer] = []
    for agent in people:
        top = rng.randint(0, 100) / 100
        for proposition in asked:
            chances = [rng.randint(0, 100) / 100 for _ in range(3)]
            skipped = skipping and rng.random() < 0.25 and (agent, proposition) != ("a0", "q0")
            found.append(Answer(agent, top, proposition, *((None, None, None) if skipped else chances)))
    return found


SEEDS = st.integers(0, 2**32)
COMPLETE = SEEDS.map(lambda seed: drawn(seed, skipping=False))
SKIPPING = SEEDS.map(lambda seed: drawn(seed, skipping=True))


def answers_to(table: list[Answer], proposition: str) -> dict[str, tuple[float, float, float]]:
    return {
        a.agent: (a.c, a.p1, a.p0)
        for a in table
        if a.proposition == proposition and a.c is not None and a.p1 is not None and a.p0 is not None
    }


def figures(table: list[Answer], proposition: str) -> dict[str, float]:
    """Share, gap closed, DCG and rank, straight from the formulas; those who skipped do not exist for it."""
    told = answers_to(table, proposition)
    tops = {a.agent: a.top for a in table}
    cut = probes.camps_of({AgentId(a): top for a, top in tops.items()}).cut
    yes, no = [a for a in told if tops[a] > cut], [a for a in told if tops[a] < cut]
    sided = [a for a in told if not 0.45 <= told[a][0] <= 0.55]
    flips = [a for a in sided if max(told[a][1:]) > 0.55 and min(told[a][1:]) < 0.45]
    above = sum(told[a][0] > 0.55 for a in sided)
    polarity = 2 * min(above, len(sided) - above) / len(sided) if sided else 0.0
    impact = fmean(max(told[a][0], 1 - told[a][0]) for a in flips) if flips else 0.0
    dcg = len(flips) / len(tops) * polarity * impact
    share = closed = 0.0
    if yes and no:
        c, p1, p0 = ([fmean(told[a][n] for a in camp) for camp in (yes, no)] for n in range(3))
        gap = fmean(tops[a] for a in yes) - fmean(tops[a] for a in no)
        share = (c[0] - c[1]) * ((p1[0] - p0[0]) + (p1[1] - p0[1])) / 2 / gap
        settled = (c[0] + c[1]) / 2
        closed = 1 - (settled * abs(p1[0] - p1[1]) + (1 - settled) * abs(p0[0] - p0[1])) / abs(gap)
    rank = min(2.0, max(-1.0, share)) + dcg / 2
    return {"share": share, "closed": closed, "dcg": dcg, "rank": rank, "flips": len(flips)}


@settings(deadline=None)
@given(SKIPPING)
def test_every_figure_is_that_of_the_formulas(table: list[Answer]) -> None:
    told = mapped(table)
    for row in told.tested:
        expected = figures(table, row.question)
        shown = (row.explained_share, row.gap_closed, row.dcg.score, row.rank, len(row.would_flip))
        assert shown == pytest.approx(tuple(expected.values()), abs=2e-4)
        assert row.answered == len(answers_to(table, row.question))
    ranks = [row.rank for row in told.tested]
    assert ranks == sorted(ranks, reverse=True)


@settings(deadline=None)
@given(COMPLETE)
def test_noise_coherence_and_common_ground_are_those_of_the_formulas(table: list[Answer]) -> None:
    told = mapped(table)
    squares: list[float] = []
    flagged: set[tuple[str, str]] = set()
    for agent, top, proposition, *answered in table:
        c, p1, p0 = (x for x in answered if x is not None)
        r = top - (c * p1 + (1 - c) * p0)
        squares.append(r * r / (1 + c * c + (1 - c) ** 2 + (p1 - p0) ** 2))
        if abs(r) > 0.15 + 1e-9:
            flagged.add((agent, proposition))
        elif abs(r) > 0.15 - 1e-9:
            return  # on the edge floats may fall either way
    assert told.noise == pytest.approx(fmean(squares) ** 0.5, abs=1e-4)
    assert {(flag.agent, flag.question) for flag in told.incoherent} == flagged
    agreed = 0
    for proposition in {a.proposition for a in table}:
        held = [c for c, _, _ in answers_to(table, proposition).values()]
        agreed += min(held) >= 0.75 or max(held) <= 0.25
    assert len(told.common_ground) == agreed


@settings(deadline=None)
@given(COMPLETE)
def test_the_verdict_follows_in_the_order_of_beliefs(table: list[Answer]) -> None:
    told = mapped(table)
    tops = {a.agent: a.top for a in table}
    cut = probes.camps_of({AgentId(a): top for a, top in tops.items()}).cut
    yes, no = [t for t in tops.values() if t > cut], [t for t in tops.values() if t < cut]
    gap = round(fmean(yes) - fmean(no), 4) if yes and no else 0.0
    found = {row.question: figures(table, row.question) for row in told.tested}
    if any(abs(f["share"] - 0.2) < 1e-3 for f in found.values()):
        return  # figures are rounded to four places before they are judged
    if gap < 0.15:
        assert told.verdict is Verdict.NO_DISAGREEMENT
    elif max(f["share"] for f in found.values()) < 0.2:
        assert told.verdict is Verdict.VALUES
    else:
        assert told.verdict in (Verdict.CRUX, Verdict.PARTIAL)
        assert told.primary_crux_question is not None
        named = answers_to(table, told.primary_crux_question)
        both = any(c > 0.55 for c, _, _ in named.values()) and any(c < 0.45 for c, _, _ in named.values())
        assert (told.verdict is Verdict.CRUX) == (both and found[told.primary_crux_question]["flips"] >= 2)


@settings(deadline=None)
@given(SKIPPING, SEEDS)
def test_the_order_of_rows_does_not_matter(table: list[Answer], seed: int) -> None:
    shuffled = Random(seed).sample(table, len(table))
    one, other = mapped(table), mapped(shuffled)
    assert (one.verdict, one.gap, one.primary_crux_question) == (other.verdict, other.gap, other.primary_crux_question)
    assert set(one.camps.yes) == set(other.camps.yes)
    assert [row.question for row in one.tested] == [row.question for row in other.tested]
    for left, right in zip(one.tested, other.tested, strict=True):
        assert left.rank == pytest.approx(right.rank, abs=2e-4)
    assert {s.statement for s in one.common_ground} == {s.statement for s in other.common_ground}


YES_CAMP = [Answer("ann", 0.8, "Is it safe?", 0.9, 0.85, 0.3), Answer("ben", 0.7, "Is it safe?", 0.8, 0.8, 0.3)]
NO_CAMP = [Answer("cleo", 0.3, "Is it safe?", 0.1, 0.8, 0.25), Answer("dan", 0.2, "Is it safe?", 0.2, 0.7, 0.1)]
CRUX = [*YES_CAMP, *NO_CAMP]


def changed(table: list[Answer], **given: Any) -> list[Answer]:
    return [answer._replace(**given) for answer in table]


@pytest.mark.parametrize(
    ("table", "verdict", "why"),
    [
        pytest.param(CRUX, Verdict.CRUX, "4 would change their top claim", id="a crux"),
        pytest.param(changed(CRUX, top=0.7), Verdict.NO_DISAGREEMENT, "everybody stands on one side", id="one camp"),
        pytest.param(
            [*changed(YES_CAMP, top=0.55), *changed(NO_CAMP, top=0.45)],
            Verdict.NO_DISAGREEMENT,
            "0.10 apart",
            id="near",
        ),
        pytest.param(changed(CRUX, c=0.5), Verdict.VALUES, "explains 0%", id="facts agreed"),
        pytest.param(changed(CRUX, p1=0.7, p0=0.5), Verdict.PARTIAL, "0 would change", id="nobody flips"),
        pytest.param([*YES_CAMP, *changed(NO_CAMP, c=0.5)], Verdict.PARTIAL, "explains", id="one-sided"),
        pytest.param(YES_CAMP[:1], Verdict.UNDECIDED, "fewer than two", id="one person"),
    ],
)
def test_what_each_verdict_takes(table: list[Answer], verdict: Verdict, why: str) -> None:
    told = mapped(table)
    assert told.verdict is verdict
    assert why in told.why


def test_exactly_one_half_belongs_to_neither_camp_and_counts_in_coverage() -> None:
    told = mapped([*CRUX, Answer("eve", 0.5, "Is it safe?", 0.9, 0.8, 0.2)])
    assert told.camps.yes == ("ann", "ben")
    assert [p.camp for p in told.agents] == ["YES", "YES", "NO", "NO", "neither"]
    assert told.tested[0].dcg.coverage == 1.0
    assert told.gap == mapped(CRUX).gap


SKIPPED = Answer("", 0.0, "Is it cheap?", None, None, None)


def cheap(*credences: float | None) -> list[Answer]:
    """A second proposition, answered or skipped by the four."""
    return [
        a._replace(proposition="Is it cheap?") if c is None else a._replace(proposition="Is it cheap?", c=c)
        for a, c in zip(CRUX, credences, strict=True)
        if c is not None
    ] + [SKIPPED._replace(agent=a.agent, top=a.top) for a, c in zip(CRUX, credences, strict=True) if c is None]


def test_whoever_skipped_a_proposition_is_left_out_of_its_gap_and_means() -> None:
    told = mapped([*CRUX, *cheap(0.9, None, 0.1, 0.2)])
    row = next(row for row in told.tested if row.question == "Is it cheap?")
    alone = next(row for row in mapped([*CRUX, *cheap(0.9, 0.9, 0.1, 0.2)]).tested if row.question == "Is it cheap?")
    assert row.answered == 3
    assert row.yes_camp is not None and row.yes_camp.credence == 0.9
    assert row.explained_share != alone.explained_share  # ann alone is farther from the others than ann and ben are
    assert row.dcg.coverage == 0.75  # of everybody: who said nothing is not known to flip


def test_a_proposition_half_a_camp_skipped_is_judged_and_one_more_skipped_is_not() -> None:
    assert not mapped([*CRUX, *cheap(0.9, None, 0.1, None)]).untested
    told = mapped([*CRUX, *cheap(0.9, 0.9, None, None)])
    assert [u.why for u in told.untested] == ["0 of the 2 in the NO camp answered, fewer than half"]
    assert told.verdict is Verdict.CRUX  # of the proposition that was answered
    assert [row.question for row in told.tested] == ["Is it safe?"]


def test_those_who_answered_must_disagree_themselves() -> None:
    table = [
        Answer("ann", 0.95, "x", None, None, None),
        Answer("ben", 0.55, "x", 0.9, 0.6, 0.4),
        Answer("cleo", 0.45, "x", 0.1, 0.6, 0.4),
        Answer("dan", 0.05, "x", None, None, None),
    ]
    told = mapped(table)
    assert [u.why for u in told.untested] == ["those who answered are 0.10 apart on the topic, less than 0.15"]
    assert told.verdict is Verdict.UNDECIDED
    assert "at least half of each camp" in told.why


def test_a_table_says_what_it_cannot_tell() -> None:
    assert any("wording and time" in note for note in mapped(CRUX).notes)
    alone = mapped([*YES_CAMP, NO_CAMP[0]])
    assert any("cleo alone" in note for note in alone.notes)
    noisy = mapped(changed(CRUX, p1=0.05, p0=0.95))
    assert any("ask everybody again" in note for note in noisy.notes)
    assert noisy.incoherent


def test_common_ground_of_a_few_is_none() -> None:
    shared = mapped([*CRUX, *cheap(0.9, 0.8, 0.9, 0.95)])
    assert [s.statement for s in shared.common_ground] == ["Yes: Is it cheap?"]
    assert mapped([*CRUX, *cheap(0.9, None, None, None)]).common_ground == ()
