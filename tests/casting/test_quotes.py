"""A quote is where it is said to be, whatever the white space and the marks; what is not there is refused. PLUS-10."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from cruxfinder.kernel.pack import QuotedClaim
from cruxfinder.language.quotes import DocumentSpan, locate, verify_quote

MEMO = "We said:\n\t“the  team’s five services”\r\nare unsafe at 15 percent. We said: the end."


def whole(text: str) -> tuple[DocumentSpan, ...]:
    return (DocumentSpan(start=0, end=len(text)),)


def folded(text: str) -> str:
    """What must be equal, written without the patterns of the rule."""
    for marks, plain in (("“”„‟«»″〝〞＂", '"'), ("‘’‚‛‹›′`´＇", "'")):
        for mark in marks:
            text = text.replace(mark, plain)
    return " ".join(text.split())


@pytest.mark.rule("PLUS-10")
@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        pytest.param("five services", "five services", id="as it stands"),
        pytest.param(
            '"the team\'s five services" are', "“the  team’s five services”\r\nare", id="marks and white space"
        ),
        pytest.param("We said:", "We said:", id="the first of two places"),
        pytest.param("are\n\n unsafe\tat", "are unsafe at", id="white space of its own"),
    ],
)
def test_a_quote_is_found_as_it_stands(quote: str, stands: str) -> None:
    place = locate(quote, MEMO)
    assert place is not None
    assert MEMO[place.start : place.end] == stands
    assert place.start == MEMO.index(stands)


@pytest.mark.rule("PLUS-10")
@pytest.mark.parametrize(
    "quote",
    [
        pytest.param("six services", id="another word"),
        pytest.param("Five Services", id="another case"),
        pytest.param("safe at", id="the end of a word"),
        pytest.param("5 percent", id="the end of a number"),
        pytest.param("the team’s five serv", id="the beginning of a word"),
        pytest.param("five, services", id="another comma"),
        pytest.param("five services … unsafe", id="something left out"),
        pytest.param("fiveservices", id="a space left out"),
        pytest.param("five ser vices", id="a space put in"),
        pytest.param(".*", id="a pattern"),
        pytest.param(" \n", id="nothing"),
        pytest.param("", id="nothing at all"),
    ],
)
def test_what_does_not_stand_there_is_not_found(quote: str) -> None:
    assert locate(quote, MEMO) is None


def test_a_word_that_is_cut_in_one_place_may_be_whole_in_the_next() -> None:
    place = locate("5 percent", "15 percent, 5 percent")
    assert place == DocumentSpan(start=12, end=21)


def test_a_script_without_spaces_is_quoted_from_its_middle() -> None:
    text = "我们应该尽快拆分这个单体系统因为它很慢"
    place = locate("拆分这个单体系统", text)
    assert place is not None and text[place.start : place.end] == "拆分这个单体系统"


@pytest.mark.rule("PLUS-10")
def test_a_claim_keeps_the_words_of_the_document_and_their_place() -> None:
    found = verify_quote("It is ours", '"the team\'s five services"', MEMO, whole(MEMO), "memo.md")
    start = MEMO.index("“")
    words = "“the  team’s five services”"
    assert found == QuotedClaim(claim="It is ours", quote=words, start=start, end=start + len(words), source="memo.md")


@pytest.mark.rule("PLUS-10")
@pytest.mark.parametrize("quote", ["the end", "a b c d e f g", "word " * 101], ids=["seven", "seven letters", "404"])
def test_a_quote_that_is_too_short_or_too_long_proves_nothing(quote: str) -> None:
    text = f"the end a b c d e f g {'word ' * 101}"
    assert locate(quote, text) is not None
    assert verify_quote("It is so", quote, text, whole(text), "memo.md") is None


@pytest.mark.rule("PLUS-10")
def test_only_the_stretches_of_the_speaker_count() -> None:
    text = "Ada: I would wait a year. Bo: I would wait a year."
    ada, bo = DocumentSpan(start=5, end=25), DocumentSpan(start=30, end=50)
    found = verify_quote("Wait", "I would wait a year", text, (bo,), "talk.txt")
    assert found is not None and found.start == 30
    assert verify_quote("Wait", "wait a year. Bo", text, (ada, bo), "talk.txt") is None


BLANK = st.text(" \n\t\r\u00a0\u2003\u2028", min_size=1, max_size=4)
CHARACTER = st.one_of(st.sampled_from("abAB15“”\"'’«».*[(\\"), st.characters(exclude_categories=("Cs",)))
WORD = st.text(CHARACTER, min_size=1, max_size=5).filter(lambda word: word.split() == [word])


@st.composite
def quotes_from_documents(draw: st.DrawFn) -> tuple[str, str, int]:
    """A document, some of its words with other white space and marks, and where they begin."""
    words = draw(st.lists(WORD, min_size=1, max_size=12))
    gaps = draw(st.lists(BLANK, min_size=len(words), max_size=len(words)))
    first = draw(st.integers(0, len(words) - 1))
    last = draw(st.integers(first, len(words) - 1))
    document = "".join(gap + word for gap, word in zip(gaps, words, strict=True)) + draw(st.sampled_from(("", "\n")))
    other = str.maketrans({"“": '"', "”": "„", '"': "”", "'": "’", "’": "'", "«": '"', "»": "“"})
    start = sum(len(gaps[n]) + len(words[n]) for n in range(first)) + len(gaps[first])
    return document, draw(BLANK).join(words[first : last + 1]).translate(other), start


@pytest.mark.rule("PLUS-10")
@given(quotes_from_documents())
@example(("\n“a”  b\u2003“a”", '"a"', 1))
def test_words_of_a_document_are_found_there_at_the_first_place(case: tuple[str, str, int]) -> None:
    document, quote, start = case
    place = locate(quote, document)
    assert place is not None
    assert place.start <= start
    assert folded(document[place.start : place.end]) == folded(quote)


@pytest.mark.rule("PLUS-10")
@given(st.text(st.sampled_from("ab “\"'’\n"), max_size=40), st.text(st.sampled_from("ab “\"'’\n"), max_size=6))
def test_nothing_is_found_that_does_not_stand_there(document: str, quote: str) -> None:
    assume(quote.strip())
    place = locate(quote, document)
    if place is None:
        assert f" {folded(quote)} " not in f" {folded(document)} "
    else:
        assert folded(document[place.start : place.end]) == folded(quote)
        assert document[place.start : place.end].strip() == document[place.start : place.end]
