"""A map of votes: camps found without being told how many, questions ranked, common ground, and honest silence."""

import json
import warnings
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cruxfinder as cf
from cruxfinder.app.vote_maps import map_votes
from cruxfinder.errors import BadTable
from cruxfinder.tables.votes import crowd, ranking, shared_votes
from cruxfinder.tables.votes.vote_map import VoteMap, map_table
from cruxfinder.tables.votes.vote_table import MISSING, NO, YES, Table
from tests.tables.tables import drawn


def homes(found: VoteMap) -> set[frozenset[str]]:
    return {frozenset(camp.members) for camp in found.coalitions}


def camps_of(table: Table) -> set[frozenset[str]]:
    """The camps a table was drawn from: the agents' names tell."""
    names = {agent.split("-")[0] for agent in table.agents}
    return {frozenset(agent for agent in table.agents if agent.startswith(f"{name}-")) for name in names}


@pytest.mark.parametrize("sizes", [(4, 4), (5, 5, 5), (14, 10)], ids=str)
def test_clear_camps_are_found(sizes: tuple[int, ...]) -> None:
    table = drawn(0, sizes, 20, noise=0.05)
    assert homes(map_table(table)) == camps_of(table)


def test_camps_of_a_crowd_that_left_most_cells_empty() -> None:
    table = drawn(1, (120, 80), 60, noise=0.1, missing=0.6)
    assert len(map_table(table).coalitions) == 2


def test_a_crowd_of_one_mind_is_one_camp_and_says_so() -> None:
    found = map_table(drawn(2, (100,), 30, noise=0.1))
    assert len(found.coalitions) == 1 and "one coalition" in found.why


def test_the_crowd_leaves_out_who_hardly_voted() -> None:
    table = drawn(3, (60, 60), 30)
    votes = table.votes.copy()
    votes[0, 3:] = MISSING
    assert crowd.coalitions_of(votes)[0] == -1
    assert (crowd.coalitions_of(votes)[1:] >= 0).all()


@pytest.mark.parametrize(
    ("votes", "why"),
    [
        pytest.param({"a": {"q": 1, "r": 1}, "b": {"q": -1, "r": -1}}, "too few people: 2 of 2", id="two agents"),
        pytest.param({n: {"q": (-1) ** k} for k, n in enumerate("abcd")}, "too few questions: 1", id="one question"),
        pytest.param({n: {f"q{k}": 1} for k, n in enumerate("abcd")}, "too few questions: 0", id="each their own"),
        pytest.param(
            {n: {f"q{k}": 1, f"q{(k + 1) % 6}": -1} for k, n in enumerate("abcdef")},
            "too few votes",
            id="hardly a vote",
        ),
    ],
)
def test_too_little_is_said_to_be_too_little(votes: dict[str, dict[str, int]], why: str) -> None:
    found = cf.map_votes(votes)
    assert found.coalitions == () and found.why.startswith(why)
    assert set(found.coalition_by_agent.values()) == {None}
    assert json.loads(json.dumps(found.to_json()))["why"] == found.why


def test_the_question_that_parts_the_camps_comes_first_and_unanimous_ones_not_at_all() -> None:
    rows = dict(zip("abcdefgh", ("yyyny", "yyyyy", "yynyy", "yyyny", "nnyyy", "nnnny", "nnyyy", "nynny"), strict=True))
    votes = {a: {f"q{n}": "yes" if v == "y" else "no" for n, v in enumerate(row)} for a, row in rows.items()}
    found = map_votes(votes)
    assert [crux.id for crux in found.cruxes[:2]] == ["q0", "q1"]
    assert "q4" not in {crux.id for crux in found.cruxes}
    assert [held.id for held in found.common_ground] == ["q4"]
    assert found.cruxes[0].coalitions[0].yes + found.cruxes[0].coalitions[1].yes == found.cruxes[0].everybody.yes == 4


def test_common_ground_needs_every_camp() -> None:
    votes = np.array([[1, 1, 1], [1, 1, -1], [1, -1, 2], [1, -1, 2]], np.int8)
    assert [(s.column, s.share) for s in shared_votes.shared_positions(votes, [(0, 1), (2, 3)])] == [(0, 1.0)]
    assert [s.column for s in shared_votes.shared_positions(votes[:2], [])] == [0, 1]


def test_ranking_is_blind_to_the_sign_of_a_question_and_knows_no_negative() -> None:
    votes = drawn(5, (6, 6), 12, noise=0.3, missing=0.2).votes
    figures = ranking.division_scores(votes)
    turned = votes.copy()
    turned[:, 3] = np.where(votes[:, 3] == MISSING, MISSING, -votes[:, 3])
    assert np.allclose(ranking.division_scores(turned), figures, atol=1e-6)
    assert (figures >= 0).all() and figures.max() <= 1


def test_a_table_without_any_vote_has_nothing_to_rank() -> None:
    assert ranking.ranked_columns(ranking.division_scores(np.full((4, 3), MISSING, np.int8))) == []


@pytest.mark.parametrize("votes", [{}, {"a": {}}, {"a": {"q": None}}], ids=["nobody", "no question", "no vote"])
def test_a_table_of_nothing_is_mapped_without_a_word(votes: dict[str, dict[str, None]]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = map_votes(votes)
    assert found.cruxes == () and found.why.startswith("too few")


def test_where_everybody_has_answered_questions_count_as_they_are() -> None:
    votes = drawn(5, (6, 6), 12, noise=0.3, missing=0.0).votes
    assert ranking.sample_share(votes) == 0.0
    contested = (votes == YES).any(0) & (votes == NO).any(0)
    assert np.allclose(ranking.smoothing_factors(votes, 0.0), contested)


def test_one_gap_in_a_hundred_makes_no_sample_and_one_in_ten_does() -> None:
    votes = np.ones((10, 10), np.int8)
    votes[0, 0] = MISSING
    assert ranking.sample_share(votes) == 0.0
    votes[0] = MISSING
    assert ranking.sample_share(votes) == 1.0


def test_in_a_sample_of_few_a_lopsided_question_is_taken_to_be_less_so_and_among_many_it_is_what_it_is() -> None:
    even, lopsided = [YES] * 4 + [NO] * 4, [YES] * 7 + [NO]
    votes = np.array([even, lopsided], np.int8).T
    few, many = (ranking.smoothing_factors(np.tile(votes, (times, 1)), ranking.MORE_VOTES) for times in (1, 200))
    assert few[0] == pytest.approx(1.0) and few[1] > 1.3
    assert many[1] == pytest.approx(1.0, abs=0.01)


def test_a_question_lopsided_as_its_camps_rises_where_answers_are_missing() -> None:
    rows = ["yyy", "yyy", "yyy", "yyy", "yyn", "yyn", "nnn", "nnn"]  # two camps of six and two; the last is even
    votes = np.array([[YES if v == "y" else NO for v in row] for row in rows], np.int8)
    gaps = np.vstack([votes, np.full((1, 3), MISSING, np.int8)])
    whole, sample = ranking.division_scores(votes), ranking.division_scores(gaps)
    assert sample[0] / sample[2] > whole[0] / whole[2]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(3, 12), st.integers(3, 12), st.randoms(use_true_random=False))
def test_the_order_of_rows_and_columns_changes_nothing(seed: int, agents: int, questions: int, dice: Random) -> None:
    table = drawn(seed, (agents // 2, agents - agents // 2), questions, noise=0.3, missing=0.15)
    rows, columns = list(range(agents)), list(range(questions))
    dice.shuffle(rows)
    dice.shuffle(columns)
    shuffled = Table(
        source="shuffled",
        agents=tuple(table.agents[n] for n in rows),
        questions=tuple(table.questions[n] for n in columns),
        votes=table.votes[np.ix_(rows, columns)],
    )
    before, after = map_table(table), map_table(shuffled)
    assert homes(before) == homes(after)
    assert before.why == after.why
    scores = {crux.id: crux.score for crux in after.cruxes}
    if distinct(table):
        assert scores == pytest.approx({crux.id: crux.score for crux in before.cruxes}, abs=1e-5)
    assert {held.id for held in before.common_ground} == {held.id for held in after.common_ground}


def distinct(table: Table) -> bool:
    """Is there one main line of division, rather than two of the same length?"""
    from cruxfinder.tables.votes.vote_table import centre_votes

    lengths = np.linalg.svd(centre_votes(table.votes), compute_uv=False)
    return len(lengths) > 1 and bool(lengths[0] > lengths[1] * 1.05)


@pytest.mark.parametrize("given", [17, None, ["a"]], ids=str)
def test_what_is_no_table_is_refused(given: object) -> None:
    with pytest.raises(BadTable):
        cf.map_votes(given)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("questions", [10, 16, 20, 21, 30])
def test_two_camps_of_a_full_table_are_two_however_many_questions_there_are(questions: int) -> None:
    """Hidden votes are scattered: were a whole question hidden, nothing could guess it."""
    assert len(map_table(drawn(3, (60, 50), questions, noise=0.05)).coalitions) == 2


@pytest.mark.parametrize("shape", [(50, 10), (40, 30), (100, 77)], ids=str)
def test_each_part_takes_about_its_share_of_every_row_and_column(shape: tuple[int, int]) -> None:
    agents, questions = np.nonzero(np.ones(shape, np.bool_))
    part = crowd.scatter_in_parts(len(agents))
    for fold in range(crowd.FOLDS):
        hidden = np.zeros(shape)
        hidden[agents, questions] = part == fold
        assert hidden.mean() == pytest.approx(1 / crowd.PARTS, abs=0.04)
        assert hidden.mean(0).max() < 0.5 and hidden.mean(1).max() < 0.6
