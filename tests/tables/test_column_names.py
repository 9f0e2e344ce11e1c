"""Which column is which: researchers' names are known, what could be meant twice is asked, and all of it is told."""

from collections.abc import Mapping

import pytest

from cruxfinder.adapters.tables.column_names import COLUMNS, read_header
from cruxfinder.adapters.tables.credence_table import is_credences, read_rows, read_text
from cruxfinder.errors import BadInput

PLAIN = ("agent", "top", "proposition", "credence", "top_if_true", "top_if_false")


def header(line: str, **chosen: str) -> tuple[str, ...]:
    return read_header(line.split(","), chosen, "the.csv, line 1").names


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("person,P(U),question,P(c),P(U|c),P(U|~c)", id="as in a paper"),
        pytest.param("Forecaster,P(u),Crux,P(c),P(U | c),P(U | ¬c)", id="with blanks and a logician's not"),
        pytest.param("respondent,P(top),statement,P(crux),P(top|crux),P(top|not crux)", id="in words"),
        pytest.param("expert,PU,ID,Pc,PUc,PUnotc", id="without signs, and an id"),
        pytest.param("participant,p_u,crux,p_c,P(U given c),P(U given not c)", id="given"),
        pytest.param("person,P(U),question,P(c),P(U|c),P(U|-c)", id="a minus for not"),
        pytest.param("person,P(U),question,P(c),P(U|c),P(U|!c)", id="a programmer's not"),
    ],
)
def test_the_names_of_researchers_are_known(line: str) -> None:
    assert header(line) == PLAIN


def test_our_own_names_go_first_and_leave_the_others_unread() -> None:
    told = read_header([*COLUMNS, "P(U)", "Camp"], {}, "the.csv")
    assert told.names[:6] == PLAIN
    assert told.notes == ('"P(U)" and "Camp" are not read',)


def test_what_is_read_for_what_is_told() -> None:
    told = read_header("person,P(U),question,P(c),P(U|c),Camp".split(","), {}, "the.csv")
    assert told.notes[0].startswith('"person" is read as agent')
    assert '"P(U|c)" is read as top_if_true' in told.notes[0]
    assert told.notes[1] == '"Camp" is not read'
    assert not read_header("Agent,TOP,proposition,credence,Top if true,top-if-false".split(","), {}, "x").notes


@pytest.mark.parametrize(
    ("line", "chosen", "told"),
    [
        pytest.param("person,expert,PU,crux,Pc,PUc", {}, "could each be agent; say which one", id="two people"),
        pytest.param("person,PU,crux,question,Pc,PUc", {}, "could each be proposition", id="two questions"),
        pytest.param("person,PU,crux,Pc,PUc,P(U|c)", {}, "could each be top_if_true", id="one chance twice"),
        pytest.param("id,PU,Pc,PUc", {}, "lacks agent and proposition", id="an id of whom"),
        pytest.param("person,PU,crux,Pc", {}, "lacks top_if_true or top_if_false", id="no conditional chance"),
        pytest.param("person,PU,crux,Pc,P(U|c\u0305)", {}, "lacks top_if_true or", id="a sign nobody explained"),
        pytest.param("person,PU,crux,Pc,P(c|U)", {}, "lacks top_if_true or", id="the other way round"),
        pytest.param("who,PU,crux,Pc,PUc", {}, "--columns agent=NAME", id="how to say it"),
        pytest.param("who,PU,crux,Pc,PUc", {"agent": "whom"}, 'no column is called "whom"', id="no such column"),
        pytest.param("who,PU,crux,Pc,PUc", {"agnt": "who"}, '"agnt" is no column', id="no such name"),
        pytest.param("who,who,PU,crux,Pc,PUc", {"agent": "who"}, "more than one column", id="two of a name"),
        pytest.param("PU,crux,Pc,PUc", {"agent": "crux", "proposition": "crux"}, "something else", id="both in one"),
        pytest.param(",,", {}, "the header is empty", id="nothing"),
    ],
)
def test_what_could_mean_two_things_is_asked_in_a_sentence(line: str, chosen: Mapping[str, str], told: str) -> None:
    with pytest.raises(BadInput) as raised:
        header(line, **chosen)
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


def test_the_owner_of_a_sheet_says_which_column_is_which() -> None:
    assert header("who,PU,crux,Pc,PUc", agent="who") == ("agent", "top", "proposition", "credence", "top_if_true")
    assert header("person,expert,PU,crux,Pc,PUc", agent="expert")[:2] == ("person", "agent")
    chosen = read_header("top,first,agent,proposition,credence,top_if_true".split(","), {"top": "First"}, "x")
    assert chosen.names[:2] == ("", "top")
    assert chosen.notes == ('"First" is read as top', '"top" is not read')


def test_a_long_header_is_told_in_short() -> None:
    with pytest.raises(BadInput) as raised:
        header(",".join(f"answer to question number {n} of this long questionnaire" for n in range(500)))
    assert "and 492 more" in str(raised.value)
    assert len(str(raised.value)) < 700


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_of_researchers_is_read_with_any_separator(separator: str) -> None:
    text = "person,P(U),question,P(c),P(U|c),P(U|~c)\nann,.7,Is it safe?,.8,.8,.3\n".replace(",", separator)
    told = read_text(text, "the.csv")
    assert told.tops == {"ann": 0.7}
    assert is_credences(text.splitlines()[0].split(separator))


def test_a_quoted_header_is_told_from_votes() -> None:
    assert is_credences('"person","Camp","ID","PU","Pc","PUc"'.split(","))
    assert not is_credences('"person","question","id","vote"'.split(","))


def test_rows_of_python_may_have_names_of_their_own() -> None:
    rows = [{"who": "ann", "P(U)": 0.5, "question": "q", "P(c)": 0.5, "P(U|c)": 0.6}]
    with pytest.raises(BadInput, match=r'columns=\{"agent": "NAME"\}'):
        read_rows(rows)
    told = read_rows(rows, {"agent": "who"})
    assert told.tops == {"ann": 0.5}
    assert any('"who" is read as agent' in note for note in told.notes)
