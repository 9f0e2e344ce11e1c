"""What day a deadline names: the last one its words allow, or none."""

import calendar
import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxfinder.language.calendar_days import Day, days_in, iso, read_day
from cruxfinder.language.english.deadlines import day_before, days_later, last_day

MADE = Day(2026, 11, 16)


def told(deadline: str, made: Day | None = MADE) -> str:
    day = last_day(deadline, made)
    return "open-ended" if day is None else iso(day)


@pytest.mark.rule("PLUS-9")
@pytest.mark.parametrize(
    ("deadline", "day"),
    [
        ("by 2027-06-30", "2027-06-30"),
        ("2027/06/30", "2027-06-30"),
        ("30.06.2027", "2027-06-30"),
        ("by 06/30/2027", "2027-06-30"),
        ("by 30/06/2027", "2027-06-30"),
        ("by 31 December 2031", "2031-12-31"),
        ("no later than the 1st of March, 2027", "2027-03-01"),
        ("December 31, 2030", "2030-12-31"),
        ("May 2027", "2027-05-31"),
        ("by the end of Feb. 2028", "2028-02-29"),
        ("by 2027-06", "2027-06-30"),
        ("Q3 2026", "2026-09-30"),
        ("by the end of Q3 2027", "2027-09-30"),
        ("2027 Q1", "2027-03-31"),
        ("the third quarter of 2027", "2027-09-30"),
        ("H1 2027", "2027-06-30"),
        ("in the second half of 2027", "2027-12-31"),
        ("end of 2027", "2027-12-31"),
        ("by 2030", "2030-12-31"),
        ("FY2027", "2027-12-31"),
        ("in the 2030s", "2039-12-31"),
    ],
)
def test_a_day_with_its_year_needs_no_other(deadline: str, day: str) -> None:
    assert told(deadline) == told(deadline, None) == day


@pytest.mark.parametrize(
    ("deadline", "day"),
    [
        pytest.param("before 2028", "2027-12-31", id="before a year"),
        pytest.param("before June 2027", "2027-05-31", id="before a month"),
        pytest.param("prior to 2027-03-01", "2027-02-28", id="before a day"),
        pytest.param("before the end of 2027", "2027-12-31", id="before the end"),
        pytest.param("by the start of 2028", "2028-01-01", id="the start"),
        pytest.param("by mid-2027", "2027-06-30", id="the middle of a year"),
        pytest.param("mid-May 2027", "2027-05-15", id="the middle of a month"),
        pytest.param("from 2027 to 2030", "2030-12-31", id="a span ends"),
        pytest.param("2027–2029", "2029-12-31", id="years with a dash"),
        pytest.param("by the end of 2029, counted from 2020", "2029-12-31", id="the beginning of a count is no limit"),
        pytest.param("by the next report, spring 2027", "2027-06-20", id="a season ends with its last day"),
        pytest.param("by 5/6/2027", "2027-12-31", id="day or month, nobody knows"),
        pytest.param("31 June 2027", "2027-06-30", id="a day too many"),
        pytest.param("2027-13-40", "2027-12-31", id="no such month"),
    ],
)
def test_words_around_a_day_move_it(deadline: str, day: str) -> None:
    assert told(deadline) == day


@pytest.mark.rule("PLUS-9")
@pytest.mark.parametrize(
    ("deadline", "day"),
    [
        ("within 18 months", "2028-05-16"),
        ("12-18 months", "2028-05-16"),
        ("one to three years", "2029-11-16"),
        ("1-3mo", "2027-02-16"),
        ("10y+", "2036-11-16"),
        ("twenty-four months from now", "2028-11-16"),
        ("over the next decade", "2036-11-16"),
        ("within the next year", "2027-11-16"),
        ("half a year", "2027-05-16"),
        ("a year and a half", "2028-05-16"),
        ("two and a half years", "2029-05-16"),
        ("1.5 years", "2028-05-16"),
        ("in 90 days", "2027-02-14"),
        ("within six weeks", "2026-12-28"),
        ("36 hours", "2026-11-18"),
        ("in 3 of the next 5 years", "2031-11-16"),
        ("next year", "2027-12-31"),
        ("by the end of this quarter", "2026-12-31"),
        ("by the end of next quarter", "2027-03-31"),
        ("by year's end", "2026-12-31"),
        ("by the end of the decade", "2029-12-31"),
        ("by 30 June", "2027-06-30"),
        ("by November 20", "2026-11-20"),
        ("by Q3", "2027-09-30"),
        ("by March", "2027-03-31"),
        ("before December", "2026-11-30"),
        ("before November", "2027-10-31"),
    ],
)
def test_a_span_is_counted_from_the_day_it_was_named(deadline: str, day: str) -> None:
    assert told(deadline) == day
    assert told(deadline, None) == "open-ended"


def test_a_span_from_a_day_that_is_named_is_counted_from_there() -> None:
    assert told("within two years of June 2027") == told("two years after 2027-06-30", None) == "2029-06-30"


def test_a_month_later_is_never_beyond_the_month() -> None:
    assert told("within a month", Day(2027, 1, 31)) == "2027-02-28"


@pytest.mark.rule("PLUS-9")
@pytest.mark.parametrize(
    "deadline",
    [
        "",
        "before the next halving",
        "at the next election",
        "within 24 months of a devaluation",
        "two years after the merger",
        "after 2030",
        "not before June 2027",
        "within three releases",
        "every two years",
        "a few years",
        "one day",
        "when 2,030 users leave",
        "at $2030 a share",
        "9999 decades",
        "it " * 200 + "by 2030",
    ],
)
def test_what_names_no_day_is_open_ended(deadline: str) -> None:
    assert told(deadline) == "open-ended"


@given(st.text(alphabet=" -./,09127QHqby'sendofmaythrinjl", max_size=60))
def test_any_text_gives_a_day_of_the_calendar_or_none(text: str) -> None:
    day = last_day(text, MADE)
    assert day is None or read_day(iso(day)) == day


# ---- the calendar, beside the one of the standard library

DAYS = st.dates(datetime.date(1900, 1, 1), datetime.date(2200, 1, 1))


@given(DAYS, st.integers(0, 20_000))
def test_days_are_counted_as_the_calendar_has_them(start: datetime.date, count: int) -> None:
    day = Day(start.year, start.month, start.day)
    assert iso(days_later(day, count)) == (start + datetime.timedelta(days=count)).isoformat()
    assert day_before(days_later(day, 1)) == day
    assert days_in(day.year, day.month) == calendar.monthrange(day.year, day.month)[1]


@pytest.mark.parametrize(
    "text", ["2027-02-29", "2027-2-3", "27-02-03", "2027-00-10", "0000-01-01", "today", "2027-06-301"]
)
def test_only_a_real_day_is_read(text: str) -> None:
    assert read_day(text) is None
    assert read_day("2028-02-29") == Day(2028, 2, 29)
