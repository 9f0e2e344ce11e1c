"""Sentences, and content words: what steelmans are measured by and repeated questions are found by."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxfinder.language.english.texts import CLOSED, carried_share, content_words, same_question, sentences, stem
from tests import pace

WORDS = st.lists(st.sampled_from("demand supply winter reserve merchant regulator savings energy".split()), max_size=6)
PIECES = st.lists(st.sampled_from(["toll", "it", "B", "3", "it's", ".", "…", "?!", ".)", ".”", " ", " ", "\n", ","]))


@pytest.mark.parametrize(
    "text",
    [
        "If Mr. Ross sells the ferry, then the island empties.",
        "Mr. and Mrs. Ross pay Ms. Cole.",
        "if mr. ross sells the ferry, mrs. cole pays dr. lund.",
        "Dr. Okafor and Prof. Šimić read it.",
        "The boat to St. Helier is late.",
        "It was Roe vs. Wade.",
        "Tolls, e.g. for lorries, i.e. for freight, fell; cf. the report.",
        "E.g. the ferry pays.",
        "It was built ca. 1900 and costs approx. £5.",
        "It is in Fig. 3 and in Fig. B of Vol. II.",
        "It is house No. 5, or the next one (No. 6).",
        "See p. 4 and pp. 7 to 9.",
        "Tolls, fares etc. are low.",
        "Charges (tolls, fares, etc.) are low.",
        "The U.S. navy and the U.S. Senate met the (old) U.K. envoy.",
        "The money (paid by the U.S.) came late.",
        "J. R. R. Tolkien met W. H. Auden and J.R.R. met no one.",
        "It opened on Jan. 5 and closed on Sept. 30.",
        "It is owned by Mr.\nRoss.",
        "It is owned by Mr.  Ross.",
    ],
)
def test_no_sentence_ends_in_an_abbreviation(text: str) -> None:
    assert sentences(text) == (text,)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(("Take plan B.", "Then the toll falls."), id="a letter alone"),
        pytest.param(("So do I.", "But the toll falls."), id="a word of one letter"),
        pytest.param(("i agree.", "because it rains.", "so it does."), id="no capitals"),
        pytest.param(("Is it safe?", "No.", "It leaks."), id="no before a word"),
        pytest.param(("No.", "40 ships waited."), id="no as an answer, before a number"),
        pytest.param(("They sell toys, sweets, etc.", "The rest is free."), id="etc. before a capital"),
        pytest.param(("It takes 5 ms.", "Then it stops."), id="milliseconds"),
        pytest.param(("I asked my prof.", "She knew."), id="a prof"),
        pytest.param(("I ate the fig.", "The tree is old."), id="a fig"),
        pytest.param(("He lives in Main St.", "The shop is shut."), id="a street before a sentence's first word"),
        pytest.param(("It sells in the U.S.", "The tax is low there."), id="initials before a sentence's first word"),
        pytest.param(("It starts in Jan.", "Nobody knows why."), id="a month before a word"),
        pytest.param(("It is step p.", "Nobody knows why."), id="p. before a word"),
        pytest.param(("It is in San Jose, CA.", "Tolls are low."), id="a state"),
        pytest.param(("He had TVs.", "She had none."), id="a word that ends like one"),
        pytest.param(("The owner is Mr.", ""), id="nothing follows"),
        pytest.param(("Its owners are in the U.S.", "\nTolls are low."), id="a new paragraph"),
        pytest.param(("Is it Mr.?", "It is Dr.!", "So be it."), id="another mark"),
    ],
)
def test_other_full_stops_end_one(parts: tuple[str, ...]) -> None:
    assert sentences("\n".join(parts)) == tuple(part.strip() for part in parts if part)
    if not any(part.startswith("\n") for part in parts):
        assert sentences(" ".join(parts)) == tuple(filter(None, parts))


@settings(max_examples=80, deadline=None, derandomize=True)
@given(PIECES)
def test_without_abbreviations_a_mark_before_a_blank_ends_a_sentence(pieces: list[str]) -> None:
    text = "".join(pieces)
    plain = rf"\S(?:[^.!?…]|[.!?…](?!{CLOSED}(?:\s|$)))*(?:[.!?…]{CLOSED})?"
    assert sentences(text) == tuple(found.strip() for found in re.findall(plain, text))


@pytest.mark.parametrize("unit", ["a.", "Mr. ", "U.S.", "e.g. ", "etc. a ", "approx. ", "Mr.    ", "U.S.)))", "."])
def test_abbreviations_without_end_take_little_longer_than_prose(unit: str) -> None:
    assert pace.times_prose(sentences, unit * (100_000 // len(unit)), enough=25) < 25


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("The demand is not what it was", {"demand"}, id="stop words go"),
        pytest.param("Prices, priced and pricing", {"pric"}, id="inflections fold"),
        pytest.param("Bitcoin's reserve; bitcoin’s reserves", {"bitcoin", "reserv"}, id="possessives fold"),
        pytest.param("an EU law of 5 in 2027", {"law", "5", "2027"}, id="short words go, numbers stay"),
        pytest.param("risk_asset and risk-asset", {"risk", "asset"}, id="underscores and hyphens part words"),
        pytest.param("Žižek naïve Straße", {"žižek", "naïv", "straß"}, id="letters of any alphabet"),
        pytest.param("—…!?", set[str](), id="punctuation is nothing"),
        pytest.param("", set[str](), id="nothing"),
    ],
)
def test_content_words(text: str, words: set[str]) -> None:
    assert content_words(text) == words


@pytest.mark.parametrize(
    ("words", "stemmed"),
    [
        pytest.param("regulate regulates regulated regulation regulations", {"regulat", "regul"}, id="near enough"),
        pytest.param("holding holdings holdingly", {"hold"}, id="the longest ending goes"),
        pytest.param("policies policied", {"polic"}, id="ies and ied"),
        pytest.param("used uses user", {"used", "uses", "user"}, id="less than four letters are never left"),
        pytest.param("gas bus yes", {"gas", "bus", "yes"}, id="short words stay whole"),
    ],
)
def test_inflections_fold_together(words: str, stemmed: set[str]) -> None:
    assert {stem(word) for word in words.split()} == stemmed


@pytest.mark.parametrize(
    ("recorded", "represented", "share"),
    [
        pytest.param("reserve demand winter", "winter reserve demand", 1.0, id="all of it in any order"),
        pytest.param("reserve demand winter energy", "energy and demand", 0.5, id="half of it"),
        pytest.param("reserve demand", "merchant savings", 0.0, id="nothing of it"),
        pytest.param("reserve demand", "reserve demand merchant savings", 1.0, id="more than it is no loss"),
        pytest.param("and so it is", "anything", 1.0, id="nothing to carry"),
    ],
)
def test_the_share_that_is_carried(recorded: str, represented: str, share: float) -> None:
    assert carried_share(recorded, represented) == share


@settings(max_examples=60, deadline=None, derandomize=True)
@given(WORDS, WORDS)
def test_carried_is_the_share_of_the_recorded_words(recorded: list[str], represented: list[str]) -> None:
    own, other = set(recorded), set(represented)
    expected = sum(w in other for w in own) / len(own) if own else 1.0
    assert carried_share(" ".join(recorded), " ".join(represented)) == expected


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        pytest.param("Is demand anchored?", "Is demand anchored?", True, id="word for word"),
        pytest.param("Is demand anchored?", "is the demand anchored", True, id="but for stop words and marks"),
        pytest.param("Are demands anchored?", "Is the demand anchored?", True, id="but for inflections"),
        pytest.param("Is demand anchored?", "Is demand not anchored?", True, id="a denial asks the same"),
        pytest.param("Is demand anchored?", "Is supply anchored?", False, id="another subject"),
        pytest.param("Above 5 percent by 2030?", "Above 6 percent by 2030?", False, id="another number"),
        pytest.param(
            "Do savings anchor reserve demand through winter?",
            "Do savings anchor reserve demand through winter energy?",
            True,
            id="five words of six",
        ),
        pytest.param(
            "Do savings anchor reserve demand?",
            "Do savings anchor reserve demand in winter, and energy?",
            False,
            id="four words of six",
        ),
    ],
)
def test_two_questions_are_the_same_by_their_words(first: str, second: str, same: bool) -> None:
    assert same_question(first, second) is same
    assert same_question(second, first) is same
