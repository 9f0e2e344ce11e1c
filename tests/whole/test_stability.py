"""What repeated runs have in common: which questions are one crux, how often it recurs, and how sure that is."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxfinder import api
from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.adapters.embeddings.keyword import Keywords
from cruxfinder.crux.result import Result
from cruxfinder.crux.stability import FoundCrux, Run, Stability, group_questions, run_of, share_of, stability_of
from cruxfinder.kernel.vocabulary import Ending, Verdict

TRADE = "Does the tram bring more trade to the old town?"
TRADE_AGAIN = "Does the tram bring more trade to shops in the old town?"
TRADE_DENIED = "Does the tram not bring more trade to the old town?"
LESS_TRADE = "Does the tram bring less trade to the old town?"
PAID = "Can the city pay for the tram without raising taxes?"
QUIET = "Is a tram quieter than the buses it replaces?"


class Line:
    """Texts that are places on a line, in hundredths: how far apart they are is plain to see."""

    name = "line"
    repetition = 0.1

    def likeness(self, a: str, b: str) -> float:
        return 1.0 - self.distance(a, b)

    def likenesses(self, text: str, others: Sequence[str]) -> tuple[float, ...]:
        return tuple(self.likeness(text, other) for other in others)

    def same_point(self, a: str, b: str) -> float:
        return self.likeness(a, b)

    def same_pairs(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        return tuple(self.likeness(a, b) for a, b in pairs)

    def substance_score(self, text: str) -> None: ...

    def event_score(self, text: str) -> None: ...

    def distance(self, a: str, b: str) -> float:
        return min(1.0, abs(int(a) - int(b)) / 100)


def run(seed: int, *questions: str, verdict: Verdict = Verdict.CRUX, locked: bool = True, rank: float = 1.0) -> Run:
    """A run whose cruxes are these, the primary one first, each ranked a tenth below the one before."""
    return Run(
        id=f"r{seed}",
        seed=seed,
        verdict=verdict,
        ending=Ending.NATURAL,
        cruxes=tuple(
            FoundCrux(id=f"t{n}.c1", question=question, rank=rank - n / 10, locked=locked)
            for n, question in enumerate(questions)
        ),
    )


def told(*runs: Run) -> Stability:
    return stability_of("The tram", runs, embedder())


# ---------------------------------------------------------------- which questions are one


@pytest.mark.rule("PLUS-7")
@pytest.mark.parametrize("choice", ["static", "keyword"])
@pytest.mark.parametrize(
    ("other", "same"),
    [
        pytest.param(TRADE_AGAIN, True, id="other words"),
        pytest.param(TRADE_DENIED, True, id="its negation"),
        pytest.param(LESS_TRADE, True, id="the other direction"),
        pytest.param(PAID, False, id="another question about the tram"),
        pytest.param(QUIET, False, id="a third one"),
    ],
)
def test_questions_on_one_matter_are_one_crux_whatever_side_they_take(choice: str, other: str, same: bool) -> None:
    measure = Keywords() if choice == "keyword" else embedder()
    assert len(group_questions((TRADE, other), measure)) == (1 if same else 2)


@pytest.mark.rule("PLUS-7")
@pytest.mark.parametrize(
    ("places", "groups"),
    [
        pytest.param("10 39", [("10", "39")], id="nearer than the limit"),
        pytest.param("10 40", [("10",), ("40",)], id="at the limit they are two"),
        pytest.param("10 38 60", [("10",), ("38", "60")], id="between two it goes with the nearer"),
        pytest.param("10 45 25", [("10", "25", "45")], id="near enough on average"),
        pytest.param("10 60 35", [("10", "35"), ("60",)], id="too far on average, though near to one"),
        pytest.param("10 10 10", [("10",)], id="the same words are one"),
        pytest.param("", [], id="none"),
    ],
)
def test_the_nearest_are_joined_first_while_near_on_average(places: str, groups: list[tuple[str, ...]]) -> None:
    assert list(group_questions(places.split(), Line())) == groups


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 29)), max_size=40))
def test_questions_that_lie_in_clear_groups_are_grouped_so(places: list[tuple[int, int]]) -> None:
    expected = [sorted({n * 100 + m for n, m in places if n == group}) for group in sorted({n for n, _ in places})]
    found = group_questions((str(n * 100 + m) for n, m in places), Line())
    assert sorted([int(question) for question in group] for group in found) == expected


@given(st.lists(st.integers(100, 300), max_size=40))
def test_no_two_groups_are_left_that_are_near_on_average(places: list[int]) -> None:
    groups = group_questions(map(str, places), Line())
    assert sorted(question for group in groups for question in group) == sorted({str(place) for place in places})
    for a, b in combinations(groups, 2):
        assert sum(Line().distance(x, y) for x in a for y in b) / (len(a) * len(b)) > 0.3 - 1e-9


@pytest.mark.rule("PLUS-7")
def test_a_long_chain_of_wordings_does_not_make_everything_one_crux() -> None:
    report = stability_of("Numbers", [run(n, str(100 + 10 * n)) for n in range(60)], Line())
    assert len(report.cruxes) > 8
    assert report.recurrence.share < 0.2
    assert max(crux.spread for crux in report.cruxes) < 0.7


@given(
    st.lists(st.lists(st.integers(100, 400).map(str), max_size=3, unique=True), min_size=1, max_size=12), st.randoms()
)
def test_the_order_of_the_runs_changes_nothing(questions: list[list[str]], chance: random.Random) -> None:
    runs = [run(seed, *asked) for seed, asked in enumerate(questions)]
    report = stability_of("Numbers", runs, Line())
    chance.shuffle(runs)
    assert stability_of("Numbers", runs, Line()) == report
    assert [o.seed for o in report.outcomes] == list(range(len(runs)))
    primaries = sum(crux.primary.runs for crux in report.cruxes)
    assert primaries + report.without_crux == report.runs == len(runs)
    assert sum(len(crux.wordings) for crux in report.cruxes) == len({q for asked in questions for q in asked})


# ---------------------------------------------------------------- how often


@pytest.mark.rule("PLUS-7")
def test_the_primary_crux_is_the_one_most_runs_put_first() -> None:
    report = told(run(0, TRADE, PAID), run(1, PAID, TRADE_AGAIN), run(2, TRADE_DENIED), run(3, TRADE, QUIET))
    assert report.primary_crux == 1 and report.primary_crux_question == TRADE
    assert report.recurrence == share_of(3, 4)
    rows = [(c.question, c.primary.runs, c.found.runs, c.locked) for c in report.cruxes]
    assert rows == [(TRADE, 3, 4, 4), (PAID, 1, 2, 2), (QUIET, 0, 1, 1)]
    assert [c.number for c in report.cruxes] == [1, 2, 3]
    assert [o.primary for o in report.outcomes] == [1, 2, 1, 1]
    assert [o.cruxes for o in report.outcomes] == [(1, 2), (2, 1), (1,), (1, 3)]


@pytest.mark.rule("PLUS-7")
def test_runs_that_found_or_decided_nothing_count_among_all() -> None:
    report = told(
        run(0, TRADE),
        run(1, verdict=Verdict.VALUES),
        replace(run(2, verdict=Verdict.UNDECIDED), ending=Ending.UNFINISHED),
        run(3, TRADE, verdict=Verdict.FAILED_LOCK, locked=False),
    )
    assert report.recurrence == share_of(2, 4)
    assert report.without_crux == 2
    assert report.verdicts == {"crux": 1, "failed lock": 1, "undecided": 1, "values": 1}
    assert report.endings == {"natural": 3, "unfinished": 1}
    assert (report.cruxes[0].found.runs, report.cruxes[0].locked) == (2, 1)
    assert [o.primary for o in report.outcomes] == [1, None, None, 1]


def test_no_crux_at_all_never_recurs() -> None:
    report = told(run(0, verdict=Verdict.VALUES), run(1, verdict=Verdict.NO_DISAGREEMENT))
    assert (report.primary_crux, report.primary_crux_question, report.cruxes, report.tied) == (None, None, (), ())
    assert report.recurrence == share_of(0, 2) and report.without_crux == 2


def test_as_often_is_a_tie_and_the_crux_found_more_often_is_told_first() -> None:
    report = told(run(0, PAID), run(1, TRADE), run(2, QUIET, TRADE), run(3, PAID), run(4, TRADE))
    assert [c.question for c in report.cruxes] == [TRADE, PAID, QUIET]
    assert report.tied == (2,)
    assert told(run(0, PAID), run(1, TRADE), run(2, TRADE)).tied == ()


def test_a_crux_found_more_often_does_not_outdo_one_put_first_more_often() -> None:
    report = told(run(0, TRADE, PAID), run(1, TRADE), run(2, PAID), run(3, QUIET, PAID))
    assert [(c.question, c.primary.runs, c.found.runs) for c in report.cruxes[:2]] == [(TRADE, 2, 2), (PAID, 1, 3)]
    assert report.recurrence == share_of(2, 4) and report.tied == ()


def test_a_run_that_asks_the_same_twice_counts_once_with_its_better_rank() -> None:
    (crux,) = told(run(0, TRADE, TRADE_AGAIN, rank=0.9), run(1, TRADE, rank=0.5)).cruxes
    assert (crux.primary.runs, crux.found.runs, crux.mean_rank) == (2, 2, 0.7)
    assert [(w.question, w.runs) for w in crux.wordings] == [(TRADE, 2), (TRADE_AGAIN, 1)]


@pytest.mark.parametrize(
    ("asked", "question"),
    [
        pytest.param("165 165 140 150 160", "165", id="the wording of most runs, though another is nearer to all"),
        pytest.param("140 150 170", "150", id="of several the one nearest to all"),
        pytest.param("150 140", "140", id="else the first by its words"),
    ],
)
def test_one_wording_stands_for_all(asked: str, question: str) -> None:
    report = stability_of("Numbers", [run(n, q) for n, q in enumerate(asked.split())], Line())
    assert report.primary_crux_question == question


def test_the_spread_shows_that_a_group_may_be_two_questions() -> None:
    wide = stability_of("Numbers", [run(n, q) for n, q in enumerate(("110", "125", "145"))], Line())
    assert [c.spread for c in wide.cruxes] == [0.35]
    assert stability_of("Numbers", [run(0, "110"), run(1, "110")], Line()).cruxes[0].spread == 0.0


# ---------------------------------------------------------------- how sure


@pytest.mark.rule("PLUS-7")
@pytest.mark.parametrize(
    ("runs", "of", "low", "high"),
    [(10, 10, 0.7225, 1.0), (8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (1, 2, 0.0945, 0.9055), (2, 2, 0.3424, 1.0)],
)
def test_the_interval_is_wilsons(runs: int, of: int, low: float, high: float) -> None:
    share = share_of(runs, of)
    assert (share.runs, share.share) == (runs, runs / of)
    assert (share.low, share.high) == pytest.approx((low, high), abs=1e-4)


def test_more_runs_make_a_narrower_interval() -> None:
    widths = [share.high - share.low for share in (share_of(n * 4, n * 5) for n in (1, 2, 4, 20))]
    assert widths == sorted(widths, reverse=True) and len(set(widths)) == 4


# ---------------------------------------------------------------- from a result


@cache
def bitcoin() -> Result:
    return api.debate("bitcoin", seed=2, run="r2").result


def test_the_cruxes_of_a_run_are_those_its_primary_one_was_chosen_from() -> None:
    result = bitcoin()
    found = run_of(result)
    assert (found.id, found.seed, found.verdict, found.ending) == ("r2", 2, Verdict.CRUX, Ending.NATURAL)
    assert [c.question for c in found.cruxes] == [t.crux.question for t in result.threads if t.crux is not None]
    assert len(found.cruxes) == 2 and all(c.locked for c in found.cruxes)
    assert found.cruxes[0].id == result.primary_crux
    assert [c.rank for c in found.cruxes] == [t.crux.rank for t in result.threads if t.crux is not None]


def test_the_primary_crux_comes_first_wherever_its_thread_stands() -> None:
    result = bitcoin()
    turned = replace(result, threads=result.threads[::-1])
    assert run_of(turned).cruxes[0].question == result.primary_crux_question


def test_a_locked_crux_has_the_rank_it_was_locked_with() -> None:
    first, *rest = bitcoin().threads
    assert first.crux is not None
    tested = tuple(replace(t, rank=1.9) if t.id == first.crux.id else t for t in first.tested)
    assert [t.rank for t in first.tested if t.locked] == [first.crux.rank]
    changed = replace(bitcoin(), threads=(replace(first, tested=tested), *rest))
    assert run_of(changed).cruxes[0].rank == 1.9


def test_a_thread_that_is_about_values_has_no_crux() -> None:
    result = bitcoin()
    threads = tuple(replace(thread, verdict=Verdict.VALUES) for thread in result.threads)
    assert run_of(replace(result, threads=threads, verdict=Verdict.VALUES, primary_crux=None)).cruxes == ()


def test_a_run_cut_short_shows_a_question_that_was_never_locked() -> None:
    (found,) = run_of(api.debate("bitcoin", max_messages=24).result).cruxes
    assert not found.locked
    assert run_of(api.debate("bitcoin", max_messages=5).result).cruxes == ()
