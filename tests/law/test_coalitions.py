"""Coalitions are found from positions: how many, who belongs to which, and what they share."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxfinder.kernel.vocabulary import AgentId, Side
from cruxfinder.tables import coalitions
from cruxfinder.tables.coalitions import CoalitionPartition

SIGNS = {"y": Side.YES, "n": Side.NO, "?": Side.UNCERTAIN}
Positions = dict[AgentId, dict[str, Side]]


def positions(*rows: str) -> Positions:
    """A row an agent (a, b, …), a letter a question (q0, q1, …), a dot where there is no position."""
    return {
        AgentId("abcdefghijklmnop"[n]): {f"q{k}": SIGNS[letter] for k, letter in enumerate(row) if letter != "."}
        for n, row in enumerate(rows)
    }


def found(*rows: str) -> CoalitionPartition:
    return coalitions.find_coalitions(positions(*rows), {f"q{n}": 1.0 for n in range(len(rows[0]))})


def members(result: CoalitionPartition) -> list[str]:
    return ["".join(group.members) for group in result.groups]


@pytest.mark.rule("COAL-1")
@pytest.mark.parametrize(
    ("rows", "groups", "alone"),
    [
        pytest.param(("yy", "yy", "nn", "nn"), ["ab", "cd"], "", id="two clean blocks on two questions"),
        pytest.param(("yyny",) * 3 + ("nnyn",) * 3, ["abc", "def"], "", id="two clean blocks"),
        pytest.param(("yyyy",) * 5, ["abcde"], "", id="a unanimous panel is one coalition"),
        pytest.param(("yyyy",) * 4 + ("nnnn",), ["abcd"], "e", id="a coalition of one is none"),
        pytest.param(("yyy", "yyy", "nnn"), ["ab"], "c", id="two against one"),
        pytest.param(("yy", "nn"), [], "ab", id="two opposed"),
        pytest.param(("yy", "yy"), ["ab"], "", id="two of one mind"),
        pytest.param(("yyy", "yyy", "nnn", "nnn", "???"), ["ab", "cd"], "e", id="undecided on everything"),
        pytest.param(("yyy", "yyy", "nnn", "nnn", "y.."), ["ab", "cd"], "e", id="too few positions"),
        pytest.param(
            ("yy",) * 3 + ("yn",) * 3 + ("ny",) * 3, ["abc", "def", "ghi"], "", id="three blocks, two questions"
        ),
        pytest.param(
            ("yyyyyynnnnnn",) * 4 + ("nnnnnnyyyyyy",) * 4 + ("yyynnnyyynnn",) * 4,
            ["abcd", "efgh", "ijkl"],
            "",
            id="three camps",
        ),
        pytest.param(
            ("yyyyyyyyyyyy",) * 3 + ("yyyyyynnnnnn",) * 3 + ("nnnnnnyyyyyy",) * 3 + ("nnnnnnnnnnnn",) * 3,
            ["abc", "def", "ghi", "jkl"],
            "",
            id="four camps, by two matters that have nothing to do with each other",
        ),
        pytest.param(
            ("yynnyyyn", "yyynnnyy", "yynnynyy", "nnyynnnn", "nnyynyyy", "yynnyyyn", "ynnyyyyn", "ynnyynnn"),
            ["abcf", "degh"],
            "",
            id="no four groups of two where three are no clearer than two",
        ),
        pytest.param(("yynn", "ynyn", "ynny", "nyyn", "nyny", "nnyy"), [], "abcdef", id="no two questions go together"),
        pytest.param(("y", "n"), [], "ab", id="one question is too few"),
    ],
)
def test_the_number_of_coalitions_comes_from_the_positions(
    rows: tuple[str, ...], groups: list[str], alone: str
) -> None:
    result = found(*rows)
    assert sorted(members(result)) == sorted(groups)
    assert "".join(result.alone) == alone
    assert bool(result.why) == (len(groups) < 2)


@pytest.mark.rule("COAL-1")
def test_a_coalition_knows_what_it_shares() -> None:
    first, second = found("yy?y", "yyny", "ynny", "nnyn", "nnyn", "nny.").groups
    assert first.shared == (("q0", Side.YES), ("q2", Side.NO), ("q3", Side.YES))
    assert dict(second.shared) == {"q0": Side.NO, "q1": Side.NO, "q2": Side.YES, "q3": Side.NO}
    assert (first.label, second.label) == ('YES on "q0"', 'NO on "q0"')


@pytest.mark.rule("COAL-1")
def test_weights_decide_between_two_ways_to_split() -> None:
    panel = positions("yyy", "yyn", "ynn", "nyy", "nny", "nnn")
    heavy = {"q0": 1.0, "q1": 0.05, "q2": 0.05}
    assert members(coalitions.find_coalitions(panel, heavy)) == ["abc", "def"]
    assert members(coalitions.find_coalitions(panel, {"q0": 0.05, "q1": 1.0, "q2": 0.05})) == ["abd", "cef"]


@pytest.mark.rule("COAL-1")
def test_two_questions_give_a_preliminary_result_and_weight_nothing_counts_for_nothing() -> None:
    assert found("yy", "yy", "nn", "nn").preliminary
    assert not found("yyy", "yyy", "nnn", "nnn").preliminary
    result = coalitions.find_coalitions(positions("yyy", "yyy", "nnn", "nnn"), {"q0": 1.0, "q1": 0.0})
    assert result.groups == () and "fewer than two questions" in result.why


def test_the_split_of_more_agents_than_can_be_enumerated() -> None:
    many = {AgentId(f"a{n:02d}"): {f"q{k}": Side.YES if n < 10 else Side.NO for k in range(5)} for n in range(20)}
    first, second = coalitions.find_coalitions(many, {f"q{k}": 1.0 for k in range(5)}).groups
    assert first.members == tuple(list(many)[:10]) and second.members == tuple(list(many)[10:])


ROWS = st.integers(4, 9).flatmap(
    lambda width: st.lists(st.text("yn?.", min_size=width, max_size=width), min_size=2, max_size=9)
)
OTHER = {Side.YES: Side.NO, Side.NO: Side.YES, Side.UNCERTAIN: Side.UNCERTAIN}


def sets(result: CoalitionPartition) -> set[frozenset[AgentId]]:
    return {frozenset(group.members) for group in result.groups}


@settings(max_examples=60, deadline=None)
@given(ROWS, st.randoms(use_true_random=False))
def test_order_and_the_sign_of_a_question_change_nothing(rows: list[str], dice: Random) -> None:
    panel = positions(*rows)
    weights = {f"q{n}": 1.0 for n in range(len(rows[0]))}
    expected = coalitions.find_coalitions(panel, weights)
    agents, questions = list(panel), list(weights)
    dice.shuffle(agents)
    dice.shuffle(questions)
    shuffled = {agent: {q: panel[agent][q] for q in questions if q in panel[agent]} for agent in agents}
    assert coalitions.find_coalitions(shuffled, dict.fromkeys(questions, 1.0)) == expected
    flipped = dice.choice(questions)
    turned = {a: {q: OTHER[side] if q == flipped else side for q, side in row.items()} for a, row in panel.items()}
    assert sets(coalitions.find_coalitions(turned, weights)) == sets(expected)


@settings(max_examples=60, deadline=None)
@given(ROWS)
def test_nobody_is_in_two_coalitions_and_no_coalition_has_one_member(rows: list[str]) -> None:
    panel = positions(*rows)
    result = coalitions.find_coalitions(panel, {f"q{n}": 1.0 for n in range(len(rows[0]))})
    placed = [agent for group in result.groups for agent in group.members]
    assert len(placed) == len(set(placed))
    assert sorted((*placed, *result.alone)) == sorted(panel)
    assert all(len(group.members) > 1 for group in result.groups)
    assert result.why or len(result.groups) > 1
    assert len({group.label for group in result.groups}) == len(result.groups)
