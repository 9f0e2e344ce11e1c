"""Which claims a turn makes, how they hang together, and what of them the graph does not know yet."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cruxfinder.language.claim_graph import EMPTY, ClaimGraph, Link, LinkKind, TurnClaims
from cruxfinder.language.english.claims import NewClaims, find_new_claims, merge_claims, read
from tests import pace


def texts(claims: TurnClaims) -> list[str]:
    return [claim.text for claim in claims.claims]


def graph_of(*turns: str) -> ClaimGraph:
    graph = EMPTY
    for turn in turns:
        graph = merge_claims(graph, read(turn))
    return graph


@pytest.mark.parametrize(
    ("text", "claims", "links"),
    [
        pytest.param("Trams cut noise.", ["Trams cut noise"], [], id="a sentence"),
        pytest.param(
            "If Mr. Ross sells the ferry, then the island empties.",
            ["Mr. Ross sells the ferry", "the island empties"],
            [Link(0, 1, LinkKind.IMPLIES)],
            id="a title ends no sentence",
        ),
        pytest.param(
            "Ships wait because the lock leaks.",
            ["Ships wait", "the lock leaks"],
            [Link(1, 0, LinkKind.BECAUSE)],
            id="because",
        ),
        pytest.param(
            "Since the lock leaks, grain ships wait.",
            ["the lock leaks", "grain ships wait"],
            [Link(0, 1, LinkKind.BECAUSE)],
            id="since, of a reason",
        ),
        pytest.param(
            "Grain ships have waited since 1990.", ["Grain ships have waited since 1990"], [], id="since, of time"
        ),
        pytest.param(
            "The lock leaks, so grain ships wait.",
            ["The lock leaks", "grain ships wait"],
            [Link(0, 1, LinkKind.IMPLIES)],
            id="so, of a consequence",
        ),
        pytest.param("The old lock leaks so much water.", ["The old lock leaks so much water"], [], id="so, of degree"),
        pytest.param(
            "If tolls rise, then ships leave the strait.",
            ["tolls rise", "ships leave the strait"],
            [Link(0, 1, LinkKind.IMPLIES)],
            id="if and then",
        ),
        pytest.param(
            "Ships leave the strait if tolls rise.",
            ["Ships leave the strait", "tolls rise"],
            [Link(1, 0, LinkKind.IMPLIES)],
            id="if, behind",
        ),
        pytest.param(
            "Smelters burn coal, which means acid rain.",
            ["Smelters burn coal", "acid rain"],
            [Link(0, 1, LinkKind.IMPLIES)],
            id="which means",
        ),
        pytest.param(
            "Cities cut noise by building tram lines.",
            ["Cities cut noise", "building tram lines"],
            [Link(1, 0, LinkKind.IMPLIES)],
            id="by doing",
        ),
        pytest.param(
            "Farmers dig wells in order to water rice.",
            ["Farmers dig wells", "water rice"],
            [Link(0, 1, LinkKind.IMPLIES)],
            id="in order to",
        ),
        pytest.param(
            "Although the dam cracked, engineers trust concrete.",
            ["the dam cracked", "engineers trust concrete"],
            [Link(0, 1, LinkKind.CONTRASTS)],
            id="although",
        ),
        pytest.param(
            "Curfews calm streets unless patrols leave early.",
            ["Curfews calm streets", "patrols leave early"],
            [Link(1, 0, LinkKind.CONTRASTS)],
            id="unless",
        ),
        pytest.param(
            "Quotas save herring. But poachers empty the western bay.",
            ["Quotas save herring", "poachers empty the western bay"],
            [Link(1, 0, LinkKind.CONTRASTS)],
            id="but, of the sentence before",
        ),
        pytest.param(
            "Quotas save herring. For example, shoals returned near the cape.",
            ["Quotas save herring", "shoals returned near the cape"],
            [Link(1, 0, LinkKind.EXAMPLE)],
            id="for example",
        ),
        pytest.param("As I said before, quotas save herring.", ["quotas save herring"], [], id="a claim said again"),
        pytest.param("I agree with Anna that tolls rose.", ["tolls rose"], [], id="a claim agreed with"),
        pytest.param("My view has not changed: trams cut noise.", ["trams cut noise"], [], id="a claim held on to"),
        pytest.param("Trams cut noise. Again: trams cut noise!", ["Trams cut noise"], [], id="a claim made twice"),
    ],
)
def test_a_turn_is_split_into_what_it_claims(text: str, claims: list[str], links: list[Link]) -> None:
    made = read(text)
    assert texts(made) == claims
    assert list(made.links) == links


@pytest.mark.parametrize(
    "text",
    [
        "Who pays for the second tunnel?",
        "Good evening, and thank you all.",
        "I agree with Anna.",
        "Well said. What she said.",
        "Let me come back to my point.",
        "As I said before, I said it before.",
        "That is my position and I stand by it.",
        "I have nothing to add to what the previous speaker said.",
        "",
    ],
)
def test_talk_about_the_talk_makes_no_claim(text: str) -> None:
    assert read(text) == TurnClaims()


KNOWN = "Heavy trams shake the old brick houses because their wheels are worn."


@pytest.mark.parametrize(
    ("text", "claims", "links"),
    [
        pytest.param(KNOWN, 0, 0, id="the same turn"),
        pytest.param("Old brick houses shake.", 0, 0, id="a claim contained in a known one"),
        pytest.param(
            "The heavy trams shake old brick houses and bridges.", 0, 0, id="a claim in nearly the same words"
        ),
        pytest.param("Heavy trams do not shake the old brick houses.", 1, 0, id="its denial"),
        pytest.param("Ferries shake the pier.", 1, 0, id="another claim"),
        pytest.param(
            "Their wheels are worn, so heavy trams shake the old brick houses.", 0, 1, id="another kind of link"
        ),
        pytest.param("Their wheels are worn because nobody paid for steel.", 1, 1, id="a reason for a known claim"),
    ],
)
def test_only_what_the_graph_does_not_know_is_added(text: str, claims: int, links: int) -> None:
    new = find_new_claims(graph_of(KNOWN), read(text))
    assert (len(new.claims), len(new.links)) == (claims, links)


def test_a_turn_without_a_claim_leaves_the_graph_alone() -> None:
    graph = graph_of(KNOWN)
    assert merge_claims(graph, read("I agree.")) is graph
    assert find_new_claims(graph, read("I agree.")) == NewClaims((), ())


WORDS = "trams ships because so but herring tolls leak not rise . , if wells".split()


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join), max_size=4))
@example(
    ["if trams ships , trams ships herring because trams ships herring tolls"]
)  # the second is nearer to the third
def test_what_was_merged_is_known_and_nothing_is_lost(turns: list[str]) -> None:
    graph = EMPTY
    for turn in turns:
        made = read(turn)
        new = find_new_claims(graph, made)
        after = merge_claims(graph, made)
        assert after.nodes[: len(graph.nodes)] == graph.nodes
        assert after.nodes[len(graph.nodes) :] == new.claims
        assert graph.edges <= after.edges
        assert len(after.edges - graph.edges) == len(new.links)
        assert find_new_claims(after, made) == NewClaims((), ())
        assert all(number in after.index[word] for number, node in enumerate(after.nodes) for word in node.words)
        graph = after


@pytest.mark.parametrize("unit", ["trams cut noise because ", "if a, ", "so ", "trams. ", "that ", "as i said ", "a: "])
def test_hostile_text_takes_little_longer_than_prose(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    assert pace.times_prose(lambda text: merge_claims(EMPTY, read(text)), text, enough=25) < 25
